import { Table } from '@mantine/core';
import { score } from '../shared/numbers';
import { heading } from '../shared/shortened';
import type { RecallQuery, RecallRanksQuery } from './operations.generated';

type Ranked = RecallRanksQuery['recall']['hits'][number];

/** What is recalled as usual and with the changed settings, place by place. */
export function Beside({ usual, changed }: { usual: Ranked[]; changed: RecallQuery['recall']['hits'] }) {
  const places = Math.max(usual.length, changed.length);
  const cell = (hit: { episode: { title: string }; score: { total: number } } | undefined) => hit && `${heading(hit.episode.title)} (${score(hit.score.total)})`;
  return (
    <Table aria-label="Two settings side by side" layout="fixed" styles={{ td: { overflowWrap: 'anywhere', verticalAlign: 'top' } }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={40}>No.</Table.Th>
          <Table.Th>As usual</Table.Th>
          <Table.Th>With these settings</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Array.from({ length: places }, (_, place) => (
          <Table.Tr key={place}>
            <Table.Td>{place + 1}</Table.Td>
            <Table.Td>{cell(usual[place])}</Table.Td>
            <Table.Td fw={usual[place]?.episode.id === changed[place]?.episode.id ? undefined : 600}>{cell(changed[place])}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
