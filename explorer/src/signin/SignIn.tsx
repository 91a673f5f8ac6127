import { Alert, Button, Paper, PasswordInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { keepApiKey, type SignIn as Why } from '../api/key';
import { Page } from '../shared/Page';

/** Asks for the API key, where the server wants one. */
export function SignIn({ why }: { why: NonNullable<Why> }) {
  const [key, setKey] = useState('');
  const client = useQueryClient();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // What another key was shown is not this one's.
    client.clear();
    keepApiKey(key.trim());
  };
  return (
    <Page title="Sign in">
      <Paper withBorder p="lg" maw={440} component="form" onSubmit={submit}>
        <Stack>
          {why === 'refused' && (
            <Alert color="red" title="That key is not the one" role="alert">
              The server does not know it, or it was revoked or has expired.
            </Alert>
          )}
          <PasswordInput
            label="API key or token"
            description="Whoever runs the server makes keys with “mneme keys create”; MNEME_API_KEY is one too, and so is a token of the issuer that the server trusts. It is kept for this tab only."
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
            autoComplete="off"
            required
          />
          <Button type="submit">Sign in</Button>
          <Text size="sm" c="dimmed">
            Nothing of the memory is shown without it.
          </Text>
        </Stack>
      </Paper>
    </Page>
  );
}
