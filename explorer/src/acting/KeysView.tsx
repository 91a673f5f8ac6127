import { Alert, Badge, Button, Code, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../api/query';
import { useMay } from '../api/viewer';
import { Answered, Failed } from '../shared/Answered';
import { Choice } from '../shared/Choice';
import { Copy } from '../shared/Copy';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import { Dialog } from './Dialog';
import { CreateKeyDocument, KeysDocument, RevokeKeyDocument, type KeysQuery } from './operations.generated';
import { useAct } from './useAct';

const mostKeys = 500; // as the API answers

type Key = KeysQuery['keys'][number];

/** The keys of this memory: to make one, and to end one. */
export function KeysView() {
  if (!useMay('ADMIN')) return <Text size="sm">Keys are shown to keys of the role admin.</Text>;
  return (
    <Stack>
      <Make />
      <All />
    </Stack>
  );
}

function Make() {
  const [role, setRole] = useState<Key['role']>('WRITER');
  const [name, setName] = useState('');
  // The first key closes the memory to who has none: what is in sight is asked for anew once the key was seen.
  const act = useAct(CreateKeyDocument, () => setName(''), true);
  const client = useQueryClient();
  const made = act.data?.createKey;
  return (
    <Section title="Make a key" about="Once there is a key, every request needs one. A reader asks, a writer also records, an admin also deletes and makes keys.">
      <Group align="flex-end">
        <Choice
          label="Role"
          value={role === 'WRITER' ? undefined : role}
          any="writer"
          options={[
            { value: 'READER', label: 'reader' },
            { value: 'ADMIN', label: 'admin' },
          ]}
          onChange={(chosen) => setRole((chosen as Key['role']) ?? 'WRITER')}
        />
        <TextInput label="What it is for" value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <Button loading={act.isPending} onClick={() => act.mutate({ input: { role, name: name.trim() || undefined } })}>
          Make
        </Button>
      </Group>
      {act.error && <Failed error={act.error} />}
      {made && (
        <Alert title="The key is shown this once." role="status">
          <Group gap="xs">
            <Code className="written">{made.secret}</Code>
            <Copy text={made.secret} label="Copy the key" />
          </Group>
          {made.warning && <Text size="sm">{made.warning}</Text>}
          <Button size="xs" variant="default" mt="xs" onClick={() => (act.reset(), void client.invalidateQueries())}>
            I have copied it
          </Button>
        </Alert>
      )}
    </Section>
  );
}

function All() {
  const answer = useAnswer(KeysDocument, {});
  return (
    <Section title="Keys">
      <Answered query={answer}>
        {({ keys }) => (
          <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Keys">
            {keys.length === 0 && <Text component="li" size="sm">There is none.</Text>}
            {keys.map((key) => (
              <One key={key.prefix} of={key} />
            ))}
            {keys.length === mostKeys && <Text component="li" size="sm">These are the newest {mostKeys}; <Code>mneme keys list</Code> shows all.</Text>}
          </Stack>
        )}
      </Answered>
    </Section>
  );
}

function One({ of: { prefix, name, role, userId, createdAt, expiresAt, state } }: { of: Key }) {
  const [wanted, setWanted] = useState(false);
  const act = useAct(RevokeKeyDocument, () => setWanted(false));
  return (
    <Paper component="li" withBorder px="md" py="xs">
      <Group justify="space-between">
        <div>
          <Text size="sm" fw={600} className="written">
            {name ?? prefix}
          </Text>
          <Text size="xs" c="dimmed">
            {prefix}… · {role.toLowerCase()} · {userId && `for ${userId} alone · `}made <When at={createdAt} />
            {expiresAt && (
              <>
                , ends <When at={expiresAt} />
              </>
            )}
          </Text>
        </div>
        {state === 'GOOD' ? (
          <Button size="xs" variant="default" onClick={() => setWanted(true)}>
            Revoke…
          </Button>
        ) : (
          <Badge variant="light" color="gray">
            {state.toLowerCase()}
          </Badge>
        )}
      </Group>
      {wanted && (
        <Dialog title={`Revoke ${name ?? prefix}`} act="Revoke" danger busy={act.isPending} error={act.error} onAct={() => act.mutate({ prefix })} onClose={() => setWanted(false)}>
          <Text size="sm">It opens nothing from now on, on all servers of this store.</Text>
        </Dialog>
      )}
    </Paper>
  );
}
