import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Json } from './Json';
import { beginning } from './shortened';

/** How many characters are shown at once. */
export const longest = 400;
const begun = 160; // of what is longer, until it is unfolded

/** A text that somebody wrote, behind what it is where that is said; of a long one the beginning, which unfolds. */
export function Long({ text, what, strong = false }: { text: string; what?: string; strong?: boolean }) {
  const Words = strong ? 'b' : Fragment;
  if (text.length > longest) {
    return (
      <Folded what={what} begins={<Words>{cut(text)}</Words>}>
        <Text size="sm" className="written">
          <Words>{text}</Words>
        </Text>
      </Folded>
    );
  }
  return (
    <Text size="sm" className="written">
      {what}
      <Words>{text}</Words>
    </Text>
  );
}

/** A value as it was recorded, in the same way; nothing where there is none. */
export function LongJson({ value }: { value: unknown }) {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= longest) return <Json value={value} />;
  return (
    <Folded begins={cut(text)}>
      <Json value={value} />
    </Folded>
  );
}

const cut = (text: string) => `${beginning(text, begun)}…`;

function Folded({ what, begins, children }: { what?: string; begins: ReactNode; children: ReactNode }) {
  return (
    <details>
      <Text component="summary" size="sm" className="written">
        {what}
        {begins}
      </Text>
      {children}
    </details>
  );
}
