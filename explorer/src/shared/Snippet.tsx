import { Mark } from '@mantine/core';

/** A snippet with the words marked that match: they stand between two stars. */
export function Snippet({ text }: { text: string }) {
  return <span className="written">{text.split('**').map((part, i) => (i % 2 === 1 ? <Mark key={i}>{part}</Mark> : part))}</span>;
}
