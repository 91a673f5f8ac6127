import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Numbers and names with what they are. */
export function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 4 }} spacing="md" m={0}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} size="sm" fw={500} className="written">
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
