import { Button, Stack, Text, TextInput } from '@mantine/core';
import { nameOf, type Named } from '../shared/names';
import type { Seen } from './seen';

const shownRecords = 40;

type Props = { seen: Seen; selected: string | undefined; wanted: string; onWanted: (wanted: string) => void; onSelect: (id: string) => void };

/** The records of the graph as a list: to find one, and to go without the picture. */
export function Records({ seen, selected, wanted, onWanted, onSelect }: Props) {
  const found = [...seen.records.values()].filter((record) => matches(record, wanted));
  return (
    <Stack gap="xs" component="section" aria-label="Records">
      <TextInput label="Find in this graph" value={wanted} onChange={(event) => onWanted(event.currentTarget.value)} />
      <Stack component="ul" gap={2} m={0} p={0} mah={260} style={{ listStyle: 'none', overflowY: 'auto' }} aria-label="Records of the graph" tabIndex={0}>
        {found.slice(0, shownRecords).map((record) => (
          <li key={record.id}>
            <Button size="compact-xs" variant={record.id === selected ? 'light' : 'subtle'} maw="100%" title={nameOf(record)} aria-pressed={record.id === selected} onClick={() => onSelect(record.id)}>
              <Text span inherit truncate lh={1.5}>
                {lineOf(record)}
              </Text>
            </Button>
          </li>
        ))}
      </Stack>
      <Text size="xs" c="dimmed" role="status">
        {found.length > shownRecords ? `the first ${shownRecords} of ${found.length}` : `${found.length} found`}
      </Text>
    </Stack>
  );
}

function lineOf(record: Named): string {
  return `${record.__typename}: ${nameOf(record)}${record.__typename === 'Episode' ? ` (${record.outcome.toLowerCase()})` : ''}`;
}

function matches(record: Named, wanted: string): boolean {
  return `${record.id} ${lineOf(record)}`.toLowerCase().includes(wanted.trim().toLowerCase());
}
