import { SimpleGrid, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

/** Numbers and names with what they are; a third word says what that means. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode, meaning?: string][] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 4 }} spacing="md" m={0}>
      {facts.map(([name, value, meaning]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {meaning ? <Explained term={name} meaning={meaning} /> : name}
          </Text>
          <Text component="dd" m={0} size="sm" fw={500} className="written">
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

/** A term that says what it means where it is pointed at, or reached by the keyboard. */
function Explained({ term, meaning }: { term: string; meaning: string }) {
  return (
    <Tooltip label={meaning} events={{ hover: true, focus: true, touch: true }} multiline maw={280}>
      <Text span inherit td="underline dotted" tabIndex={0} role="note" aria-label={`${term}: ${meaning}`}>
        {term}
      </Text>
    </Tooltip>
  );
}
