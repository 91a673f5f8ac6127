import { Anchor, Text } from '@mantine/core';
import { recordHref } from './links';

/** The records that something is about. */
export function About({ records }: { records: { id: string }[] }) {
  if (records.length === 0) return null;
  return (
    <Text size="xs">
      About{' '}
      {records.map(({ id }, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <Anchor inherit href={recordHref(id)} className="written">
            {id}
          </Anchor>
        </span>
      ))}
    </Text>
  );
}
