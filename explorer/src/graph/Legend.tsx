import { Checkbox, ColorSwatch, Group, Stack, Text, Title } from '@mantine/core';
import { standingOf } from '../shared/names';
import { colours, contradicted, faded, otherKind } from './colours';
import type { Model } from './model';

type Props = { model: Model; hide: string[]; without: string[]; onKind: (kind: string) => void; onRelation: (relation: string) => void };

/** Which kinds of records and of links there are, in which colours, and which of them are shown. */
export function Legend({ model, hide, without, onKind, onRelation }: Props) {
  const kinds = counted([...model.records.values()].map((record) => record.__typename));
  const relations = counted([...model.edges.values()].map((edge) => edge.type));
  return (
    <Stack gap="xs" component="section" aria-label="What is shown">
      <Title order={2} size="h3">
        Kinds
      </Title>
      {kinds.map(([kind, count]) => (
        <Group key={kind} gap={6}>
          <ColorSwatch size={12} color={colours[kind] ?? otherKind} withShadow={false} aria-hidden />
          <Checkbox size="xs" label={`${kind} (${count})`} checked={!hide.includes(kind)} onChange={() => onKind(kind)} />
        </Group>
      ))}
      <Standings model={model} />
      <Title order={2} size="h3">
        Links
      </Title>
      {relations.map(([relation, count]) => (
        <Checkbox key={relation} size="xs" label={`${relation} (${count})`} checked={!without.includes(relation)} onChange={() => onRelation(relation)} />
      ))}
    </Stack>
  );
}

/** What the colours of concepts say that do not hold as they stand; their names in the picture say it too. */
function Standings({ model }: { model: Model }) {
  const standings = counted([...model.records.values()].flatMap((record) => standingOf(record) ?? []));
  if (standings.length === 0) return null;
  return (
    <>
      {standings.map(([standing, count]) => (
        <Group key={standing} gap={6}>
          <ColorSwatch size={12} color={standing === 'superseded' ? faded : contradicted} withShadow={false} aria-hidden />
          <Text size="xs">
            Concept, {standing} ({count})
          </Text>
        </Group>
      ))}
    </>
  );
}

function counted(names: string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}
