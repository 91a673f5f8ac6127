import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from './Copy';

/** That there is nothing, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Paper withBorder p="lg" role="status">
      <Stack gap="xs">
        <Text fw={600}>{title}</Text>
        {children}
      </Stack>
    </Paper>
  );
}

/** For a memory without any record: how to fill it. */
export function OfferSample({ what }: { what: string }) {
  return (
    <Empty title={`There are no ${what} yet.`}>
      <Text size="sm">
        To look around, load the sample: five made-up agents at work over 90 days. Run this where the server was started (with its{' '}
        <Code>--data</Code> or <Code>--store</Code>, where it has one), then refresh:
      </Text>
      <Group gap="xs">
        <Code>mneme demo</Code>
        <Copy text="mneme demo" label="Copy the command" />
      </Group>
    </Empty>
  );
}
