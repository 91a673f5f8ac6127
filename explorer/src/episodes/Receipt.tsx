import { List, Text } from '@mantine/core';
import { Section } from '../shared/Section';
import type { Episode } from './EpisodePage';

/** What was taken out of the text before it was kept: how much of what kind, never the text. */
export function Receipt({ receipt }: { receipt: Episode['receipt'] }) {
  return (
    <Section title="What was kept of its text">
      <Text size="sm">
        {receipt.tokensAfter} of {receipt.tokensBefore} tokens.
      </Text>
      {receipt.redactions.length === 0 ? (
        <Text size="sm">Nothing was redacted.</Text>
      ) : (
        <List size="sm" aria-label="Redacted">
          {receipt.redactions.map(({ kind, count }) => (
            <List.Item key={kind}>
              redacted {kind}: {count}
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}
