import { Text } from '@mantine/core';
import { Json } from './Json';

const longest = 400; // characters that are shown at once
const begun = 160; // of what is longer, until it is unfolded

/** A text that somebody wrote; of a long one the beginning, which unfolds. */
export function Long({ text }: { text: string }) {
  return (
    <Folded text={text}>
      <Text size="sm" className="written">
        {text}
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

function Folded({ text, children }: { text: string; children: React.ReactNode }) {
  if (text.length <= longest) return children;
  return (
    <details>
      <Text component="summary" size="sm" className="written">
        {beginning(text)}…
      </Text>
      {children}
    </details>
  );
}

/** By whole characters, also of those that are two units of the text. */
function beginning(text: string): string {
  return [...text.slice(0, 2 * begun)].slice(0, begun).join('');
}
