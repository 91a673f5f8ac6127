import { Long } from './Long';
import { Section } from './Section';
import { heading } from './shortened';

/** All of a title or a name that the heading of the page has the beginning of; nothing where that is all of it. */
export function Whole({ what, text }: { what: 'title' | 'name'; text: string }) {
  if (heading(text) === text.trim().replace(/\s+/g, ' ')) return null;
  return (
    <Section title={`The whole ${what}`}>
      <Long text={text} />
    </Section>
  );
}
