import { Text } from '@mantine/core';
import { Json } from './Json';
import { beginning } from './shortened';

const longest = 400; // characters that are shown at once
const begun = 160; // of what is longer, until it is unfolded

/** A text that somebody wrote, behind what it is where that is said; of a long one the beginning, which unfolds. */
export function Long({ text, what = '', strong = false }: { text: string; what?: string; strong?: boolean }) {
  return (
    <Folded text={text} what={what}>
      <Text size="sm" className="written">
        {what}
        {strong ? <b>{text}</b> : text}
      </Text>
    </Folded>
  );
}

/** A value as it was recorded, in the same way; nothing where there is none. */
export function LongJson({ value }: { value: unknown }) {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <Folded text={text}>
      <Json value={value} />
    </Folded>
  );
}

function Folded({ text, what = '', children }: { text: string; what?: string; children: React.ReactNode }) {
  if (text.length <= longest) return children;
  return (
    <details>
      <Text component="summary" size="sm" className="written">
        {what}
        {beginning(text, begun)}…
      </Text>
      {children}
    </details>
  );
}
