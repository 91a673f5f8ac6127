import { Code } from '@mantine/core';

/** A value that was recorded as it is; nothing where there is none. */
export function Json({ value }: { value: unknown }) {
  if (value === null || value === undefined) return null;
  return (
    <Code block className="written" tabIndex={0}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </Code>
  );
}
