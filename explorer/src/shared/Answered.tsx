import { Alert, Button, Code, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

/** What the API answered, as soon as it has; until then that it is under way, or what went wrong and what to do. */
export function Answered<Data>({ query, children }: { query: UseQueryResult<Data>; children: (data: Data) => ReactNode }) {
  if (query.error) return <Failed error={query.error} again={() => void query.refetch()} />;
  if (query.data === undefined) return <Waiting />;
  return <div aria-busy={query.isFetching}>{children(query.data)}</div>;
}

export function Waiting() {
  return (
    <Stack role="status" aria-label="Loading">
      <Skeleton height={24} width="40%" />
      <Skeleton height={80} />
      <Skeleton height={80} />
    </Stack>
  );
}

export function Failed({ error, again }: { error: Error; again?: () => void }) {
  const code = error instanceof ApiError ? error.code : 'INTERNAL';
  return (
    <Alert color="red" title="That could not be answered" role="alert">
      <Stack align="flex-start" gap="xs">
        <Text size="sm">
          {error.message} <Code>{code}</Code>
        </Text>
        {again && (
          <Button size="xs" variant="default" onClick={again}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
