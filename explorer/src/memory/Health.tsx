import { Alert, Badge, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ask } from '../api/client';
import { useMay } from '../api/viewer';
import { Answered, Failed } from '../shared/Answered';
import { Copy } from '../shared/Copy';
import { Section } from '../shared/Section';
import { HealthDocument, type HealthQuery } from './operations.generated';

/** Whether the store answers, and what the doctor finds in this memory. */
export function Health() {
  const may = useMay('ADMIN');
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: async ({ signal }) => (await fetch(new URL('readyz', document.baseURI), { signal })).ok,
  });
  return (
    <Section title="Health">
      <Answered query={ready}>
        {(well) => <Alert color={well ? 'teal' : 'red'} title={well ? 'The store answers.' : 'The store does not answer. Look at the log of the server.'} />}
      </Answered>
      {may ? <Examination /> : <Text size="sm">Having the memory examined needs a key of the role admin.</Text>}
      <Text size="sm">Where the server was started, the doctor examines the memories of all, and says what to do about what it finds:</Text>
      <Group gap="xs">
        <Code>mneme doctor</Code>
        <Copy text="mneme doctor" label="Copy the command" />
      </Group>
    </Section>
  );
}

/** Asked for by a button, since all there is has to be read for it. */
function Examination() {
  const examination = useMutation({ mutationFn: () => ask(HealthDocument, {}) });
  return (
    <Stack gap="sm" aria-busy={examination.isPending}>
      <Text size="sm">To have every record and link of this memory read and looked at, which changes nothing:</Text>
      <Button variant="default" style={{ alignSelf: 'flex-start' }} loading={examination.isPending} onClick={() => examination.mutate()}>
        Examine
      </Button>
      {examination.error && <Failed error={examination.error} />}
      {examination.data && <Found health={examination.data.health} />}
    </Stack>
  );
}

function Found({ health: { faults, findings } }: { health: HealthQuery['health'] }) {
  return (
    <>
      <Alert color={faults === 0 ? 'teal' : 'red'} role="status" title={faults === 0 ? `All is well in ${findings.length} parts.` : `${faults} of ${findings.length} parts have a fault.`} />
      <List size="sm" aria-label="Findings" listStyleType="none" spacing={4}>
        {findings.map(({ part, found, fault }, place) => (
          <List.Item key={place}>
            <Badge variant="light" color={fault === null ? 'teal' : 'red'} mr={6}>
              {fault === null ? 'well' : 'fault'}
            </Badge>
            <b>{part}</b> {fault ?? found}
            {fault !== null && ' (mneme doctor says what to do)'}
          </List.Item>
        ))}
      </List>
    </>
  );
}
