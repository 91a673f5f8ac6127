import { Anchor, Table, Text } from '@mantine/core';
import { many, percent } from '../shared/numbers';
import type { OverQuery } from './operations.generated';

type Point = OverQuery['trends'][number];

export type Side = { name: string; points: Point[]; href: string };

/** The share of successes in a time, and in as much time before it; what fell most comes first. */
export function Compared({ of, since }: { of: Side[]; since: string }) {
  const rows = of
    .map(({ name, href, points }) => {
      const [now, before] = [rateOf(points.filter(({ at }) => Date.parse(at) >= Date.parse(since))), rateOf(points.filter(({ at }) => Date.parse(at) < Date.parse(since)))];
      return { name, href, now, before, change: now.rate === undefined || before.rate === undefined ? undefined : now.rate - before.rate };
    })
    .sort((a, b) => (a.change ?? 0) - (b.change ?? 0));
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="Successes now and before">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Succeeded</Table.Th>
            <Table.Th>In as much time before</Table.Th>
            <Table.Th>Change</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, href, now, before, change }) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Anchor inherit href={href}>
                  {name}
                </Anchor>
              </Table.Td>
              <Table.Td>{told(now)}</Table.Td>
              <Table.Td>{told(before)}</Table.Td>
              <Table.Td>
                {change !== undefined && (
                  <Text span inherit c={change < 0 ? 'red' : undefined} fw={change < 0 ? 600 : undefined}>
                    {change < 0 ? `worse by ${points(-change)}` : change > 0 ? `better by ${points(change)}` : 'the same'}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

type Rate = { rate?: number; known: number };

function rateOf(points: Point[]): Rate {
  const [succeeded, failed] = points.reduce(([good, bad], point) => [good + point.succeeded, bad + point.failed], [0, 0]);
  const known = succeeded + failed;
  return { known, rate: known > 0 ? succeeded / known : undefined };
}

const told = ({ rate, known }: Rate) => (rate === undefined ? 'none is known' : `${percent(rate)} of ${known}`);

/** A difference of two shares. */
const points = (change: number) => many(Math.round(100 * change), 'point');
