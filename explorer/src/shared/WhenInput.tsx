import { TextInput } from '@mantine/core';

/** An instant, chosen in the reader's time zone. */
export function WhenInput({ label, description, value, onChange }: { label: string; description?: string; value: string | undefined; onChange: (value: string | undefined) => void }) {
  const choose = (local: string) => {
    const time = new Date(local);
    onChange(Number.isNaN(time.getTime()) ? undefined : time.toISOString());
  };
  return (
    <TextInput type="datetime-local" label={label} description={description} value={value ? localTime(value) : ''} onChange={(event) => choose(event.currentTarget.value)} />
  );
}

/** As the browser's own input wants it: without a zone, to the minute. */
function localTime(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
