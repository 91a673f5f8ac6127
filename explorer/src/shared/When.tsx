import { Text } from '@mantine/core';

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** An instant in the reader's time zone. */
export function When({ at }: { at: string }) {
  const time = new Date(at);
  return (
    <Text span inherit component="time" dateTime={at} title={exact.format(time)} style={{ whiteSpace: 'nowrap' }}>
      {full.format(time)}
    </Text>
  );
}
