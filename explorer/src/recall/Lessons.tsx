import { Code, Group, Stack, Text } from '@mantine/core';
import { Copy } from '../shared/Copy';

/** The block that an agent puts into its prompt. */
export function Lessons({ text }: { text: string }) {
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          As the agent gets it, ready for a prompt.
        </Text>
        <Copy text={text} label="Copy the lessons" />
      </Group>
      <Code block className="written" tabIndex={0}>
        {text}
      </Code>
    </Stack>
  );
}
