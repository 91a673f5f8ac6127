import { Alert, Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Answered } from '../shared/Answered';
import { Copy } from '../shared/Copy';
import { Section } from '../shared/Section';

/** Whether the store answers, and how to have all of it examined. */
export function Health() {
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: async ({ signal }) => (await fetch(new URL('readyz', document.baseURI), { signal })).ok,
  });
  return (
    <Section title="Health">
      <Answered query={ready}>
        {(well) => <Alert color={well ? 'teal' : 'red'} title={well ? 'The store answers.' : 'The store does not answer. Look at the log of the server.'} />}
      </Answered>
      <Text size="sm">To have every record and link examined, run the doctor where the server was started. It changes nothing, and says what to do about what it finds:</Text>
      <Group gap="xs">
        <Code>mneme doctor</Code>
        <Copy text="mneme doctor" label="Copy the command" />
      </Group>
    </Section>
  );
}
