import { Anchor, Code, Group, Stack, Title } from '@mantine/core';
import { Copy } from './Copy';

/** The GraphQL that a page asks: to copy, or to go on with in the playground. */
export function Behind({ operation, variables }: { operation: { toString(): string }; variables: unknown }) {
  const query = operation.toString().trim();
  const values = JSON.stringify(variables, null, 2);
  return (
    <Stack gap="xs">
      <Group>
        <Copy text={query} label="Copy the query" />
        <Copy text={values} label="Copy the variables" />
        <Anchor size="sm" href={`./playground#${new URLSearchParams({ query, variables: values })}`}>
          Open in the playground
        </Anchor>
      </Group>
      <Code block tabIndex={0}>
        {query}
      </Code>
      <Title order={2} size="h3">
        Variables
      </Title>
      <Code block tabIndex={0}>
        {values}
      </Code>
    </Stack>
  );
}
