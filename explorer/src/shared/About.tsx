import { Anchor, Text } from '@mantine/core';
import { recordHref } from './links';
import { nameOf, type Named } from './names';

/** The records that something is about. */
export function About({ records }: { records: Named[] }) {
  if (records.length === 0) return null;
  return (
    <Text size="xs">
      About{' '}
      {records.map((record, place) => (
        <span key={record.id}>
          {place > 0 && ', '}
          <Anchor inherit href={recordHref(record.id)} className="written">
            {nameOf(record)}
          </Anchor>
        </span>
      ))}
    </Text>
  );
}
