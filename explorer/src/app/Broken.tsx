import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Page } from '../shared/Page';

/** What is shown in place of a page that cannot be: a part of it is gone after an upgrade, or the browser lacks something. */
export function Broken({ error }: ErrorComponentProps) {
  const message = error instanceof Error ? error.message : String(error);
  const outdated = /dynamically imported|module script|Failed to fetch/i.test(message);
  return (
    <Page title="This page cannot be shown">
      <Alert color="red" role="alert">
        <Stack align="flex-start" gap="xs">
          <Text size="sm">{outdated ? 'The server may have been updated since this tab was opened. Load it again.' : 'Something in it went wrong.'}</Text>
          <Code className="written">{message}</Code>
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            Reload
          </Button>
        </Stack>
      </Alert>
    </Page>
  );
}
