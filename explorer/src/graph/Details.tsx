import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { OutcomeBadge } from '../shared/OutcomeBadge';
import { graphHref, recordHref } from '../shared/links';
import { nameOf, standingOf, textOf, type Named } from '../shared/names';
import { useInSight } from '../shared/useInSight';
import { Beside } from './Beside';
import type { Edge } from './model';
import type { GraphSearch, Point } from './search';
import type { Seen } from './seen';

type Props = {
  record: Named;
  seen: Seen;
  search: GraphSearch;
  pinned: boolean;
  /** Where it stands in the picture, once that is known. */
  at: Point | undefined;
  onPin: (id: string, point: Point) => void;
  onOpen: (id: string) => void;
  onSelect: (id: string) => void;
  onUnpin: () => void;
  onChange: (part: Partial<GraphSearch>) => void;
};

/** The record that is chosen: what it says, what it is linked with, and what can be done from it. */
export function Details({ record, seen, search, pinned, at, onPin, onOpen, onSelect, onUnpin, onChange }: Props) {
  const { id } = record;
  const standing = standingOf(record);
  const links = seen.edges.filter(({ source, target }) => source === id || target === id);
  const opened = id === search.root || search.open?.includes(id);
  const page = recordHref(id);
  const place = useInSight<HTMLDivElement>(id);
  return (
    <Stack ref={place} gap="xs" component="section" aria-label="Chosen record" style={{ scrollMarginTop: 64 }}>
      <Title order={2} size="h3" className="written">
        {nameOf(record)}
      </Title>
      <Text size="xs" c="dimmed" className="written">
        {record.__typename} · {id}
      </Text>
      {record.__typename === 'Episode' && (
        <div>
          <OutcomeBadge outcome={record.outcome} />
        </div>
      )}
      {standing && (
        <Text size="sm" fw={600}>
          This concept is {standing}.
        </Text>
      )}
      <Text size="sm" className="written">
        {textOf(record)}
      </Text>
      {record.__typename === 'Episode' && <Beside id={id} />}
      <Group gap="xs">
        <Button size="xs" disabled={opened} onClick={() => onOpen(id)}>
          {opened ? 'Expanded' : 'Expand'}
        </Button>
        <Button size="xs" variant="default" onClick={() => onChange({ pathFrom: id, pathTo: undefined })}>
          Path from here
        </Button>
        {search.pathFrom && search.pathFrom !== id && (
          <Button size="xs" variant="default" onClick={() => onChange({ pathTo: id })}>
            Path to here
          </Button>
        )}
        {at && <Mover at={at} onMove={(point) => onPin(id, point)} />}
        {pinned && (
          <Button size="xs" variant="default" onClick={onUnpin}>
            Unpin
          </Button>
        )}
      </Group>
      {page !== graphHref(id) && (
        <Anchor size="sm" href={page}>
          All about it
        </Anchor>
      )}
      <Links of={id} links={links} seen={seen} onSelect={onSelect} />
    </Stack>
  );
}

/** What an arrow key adds to where a record stands; up is larger. */
const arrows: Record<string, Point> = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: 1 }, ArrowDown: { x: 0, y: -1 } };
const stepOfArrow = 4;

/** Pins a record without a pointer. */
function Mover({ at, onMove }: { at: Point; onMove: (point: Point) => void }) {
  const move = (event: React.KeyboardEvent) => {
    const arrow = arrows[event.key];
    if (!arrow) return;
    event.preventDefault();
    onMove({ x: at.x + stepOfArrow * arrow.x, y: at.y + stepOfArrow * arrow.y });
  };
  return (
    <Button size="xs" variant="default" aria-description="Its place in the picture: press the arrow keys" title="Press the arrow keys" onKeyDown={move}>
      Move by arrow keys
    </Button>
  );
}

const shownLinks = 30;

function Links({ of, links, seen, onSelect }: { of: string; links: Edge[]; seen: Seen; onSelect: (id: string) => void }) {
  return (
    <Stack component="ul" gap={2} m={0} p={0} mah={260} style={{ listStyle: 'none', overflowY: 'auto' }} aria-label="Its links" tabIndex={0}>
      {links.slice(0, shownLinks).map(({ source, target, type }) => {
        const other = seen.records.get(source === of ? target : source);
        return (
          other && (
            <li key={`${source} ${type} ${target}`}>
              <Button size="compact-xs" variant="subtle" maw="100%" title={nameOf(other)} onClick={() => onSelect(other.id)}>
                <Text span inherit truncate lh={1.5}>
                  {source === of ? `${type} → ${nameOf(other)}` : `← ${type} ${nameOf(other)}`}
                </Text>
              </Button>
            </li>
          )
        );
      })}
      {links.length > shownLinks && (
        <Text component="li" size="xs" c="dimmed">
          and {links.length - shownLinks} more
        </Text>
      )}
    </Stack>
  );
}
