import { Checkbox, Group, SegmentedControl, Stack, Text, Title, useComputedColorScheme } from '@mantine/core';
import { nameOf, standingOf } from '../shared/names';
import { outcomeOptions } from '../shared/choices';
import { colours, contradicted, faded, looksOf, otherKind, type Looks } from './colours';
import type { Community } from './communities';
import type { Model } from './model';
import { colouringOf, toggled, type GraphSearch } from './search';
import type { Seen } from './seen';

type Props = { model: Model; seen: Seen; communities: Community[]; search: GraphSearch; onChange: (part: Partial<GraphSearch>) => void };

/** What colours and forms stand for, how many of each are seen, and which are shown. */
export function Legend({ model, seen, communities, search, onChange }: Props) {
  const by = colouringOf(search);
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const [all, shown] = [[...model.records.values()], [...seen.records.values()]];
  const outcome = (record: (typeof all)[number]) => (record.__typename === 'Episode' ? record.outcome : undefined);
  const standings = counted(shown, standingOf);
  const hiding = (what: string) => ({ checked: !search.hide?.includes(what), onChange: () => onChange({ hide: toggled(search.hide, what) }) });
  return (
    <Stack gap="xs" component="section" aria-label="What is shown">
      <SegmentedControl
        size="xs"
        aria-label="Colours stand for"
        value={by}
        data={[
          { value: 'community', label: 'Communities' },
          { value: 'kind', label: 'Kinds' },
        ]}
        onChange={(value) => onChange({ by: value as typeof by })}
      />
      {by === 'community' && communities.length > 0 && (
        <Part title="Communities, by what most is linked with">
          {communities.map(({ centre, colour, size }) => (
            <Mark key={centre} looks={{ color: colour }} text={`${nameOf(model.records.get(centre)!)} (${size})`} />
          ))}
        </Part>
      )}
      <Part title="Kinds">
        {counts(counted(all, (record) => record.__typename), counted(shown, (record) => record.__typename)).map(([kind, count]) => (
          <Group key={kind} gap={4} wrap="nowrap">
            <Swatch looks={looksOf({ __typename: kind }, (by === 'kind' && colours[kind]) || otherKind, dark)} />
            <Checkbox size="xs" label={`${kind} (${count})`} {...hiding(kind)} />
          </Group>
        ))}
        {[...standings].map(([standing, count]) => (
          <Mark key={standing} looks={{ color: standing === 'superseded' ? faded : contradicted }} text={`Concept, ${standing} (${count})`} />
        ))}
      </Part>
      {all.some(outcome) && (
        <Part title="Episodes by outcome">
          {counts(counted(all, outcome), counted(shown, outcome)).map(([value, count]) => (
            <Group key={value} gap={4} wrap="nowrap">
              <Swatch looks={looksOf({ __typename: 'Episode', outcome: value }, by === 'kind' ? colours.Episode! : otherKind, dark)} />
              <Checkbox size="xs" label={`${outcomeOptions.find((option) => option.value === value)!.label} (${count})`} {...hiding(value)} />
            </Group>
          ))}
        </Part>
      )}
    </Stack>
  );
}

/** The types of links, how many of each are seen, and which are shown. */
export function Links({ model, seen, search, onChange }: Omit<Props, 'communities'>) {
  return (
    <Part title="Links">
      {counts(counted([...model.edges.values()], ({ type }) => type), counted(seen.edges, ({ type }) => type)).map(([relation, count]) => (
        <Checkbox key={relation} size="xs" label={`${relation} (${count})`} checked={!search.without?.includes(relation)} onChange={() => onChange({ without: toggled(search.without, relation) })} />
      ))}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <Title order={2} size="h5" mb={4}>
        {title}
      </Title>
      <Group gap="xs" style={{ rowGap: 4 }}>
        {children}
      </Group>
    </div>
  );
}

function Mark({ looks, text }: { looks: Looks; text: string }) {
  return (
    <Group gap={4} wrap="nowrap" maw="100%">
      <Swatch looks={looks} />
      <Text size="xs" truncate>
        {text}
      </Text>
    </Group>
  );
}

/** A record as it stands in the picture. */
function Swatch({ looks: { color, border = 0, borderColor } }: { looks: Looks }) {
  const radius = 6;
  return (
    <svg width={2 * radius} height={2 * radius} aria-hidden style={{ flexShrink: 0 }}>
      <circle cx={radius} cy={radius} r={radius} fill={border > 0 ? borderColor : color} />
      {border > 0 && <circle cx={radius} cy={radius} r={radius * (1 - border)} fill={color} />}
    </svg>
  );
}

function counted<Item, Name extends string>(items: Item[], nameOfItem: (item: Item) => Name | undefined): Map<Name, number> {
  const counts = new Map<Name, number>();
  for (const item of items) {
    const name = nameOfItem(item);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** How many of each are seen, and of how many where those are not all. */
function counts<Name extends string>(all: Map<Name, number>, seen: Map<Name, number>): [Name, string][] {
  return [...all]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => [name, (seen.get(name) ?? 0) === count ? String(count) : `${seen.get(name) ?? 0} of ${count}`]);
}
