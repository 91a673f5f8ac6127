import { Alert, Button, Code, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

/** What the API answered, as soon as it has; until then that it is under way, or what went wrong and what to do. */
export function Answered<Data>({ query, children }: { query: UseQueryResult<Data>; children: (data: Data) => ReactNode }) {
  // What was read stays where it cannot be read anew.
  const failed = query.error && <Failed error={query.error} again={() => void query.refetch()} busy={query.isFetching} kept={query.data !== undefined} />;
  if (query.data === undefined) return failed ?? <Waiting />;
  return (
    <Stack gap="sm" aria-busy={query.isFetching}>
      {failed}
      <div>{children(query.data)}</div>
    </Stack>
  );
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

/** What can be done about a kind of failure, where that is more than trying again. */
function hintFor(code: string, { message, retryAfter }: { message: string; retryAfter?: number }): string | undefined {
  switch (code) {
    case 'FORBIDDEN':
      return 'The key may not do this. Forget it above, and sign in with one that may.';
    case 'LIMIT_EXCEEDED':
      return retryAfter ? `Too much was asked at once. Try again in ${retryAfter} s.` : 'Ask for less: with narrower filters, or fewer records.';
    case 'UNREACHABLE':
      return 'Look whether the server runs, and whether this machine reaches it.';
    case 'UNAVAILABLE':
      // Waiting does not help there, and the message says what does.
      if (message.includes('a newer mneme')) return undefined;
      return 'The server or its store is not there just now. Try again in a moment; the log of the server says more.';
    case 'NOT_FOUND':
      return 'It may have been deleted. The search at the top finds what is there.';
    case 'INTERNAL':
      return 'The log of the server says more.';
    default:
      return undefined;
  }
}

/** What went wrong and what to do; `busy` while it is tried again, and `kept` where what was answered before stands below. */
export function Failed({ error, again, busy = false, kept = false }: { error: Error; again?: () => void; busy?: boolean; kept?: boolean }) {
  const code = error instanceof ApiError ? error.code : 'INTERNAL';
  const hint = hintFor(code, error);
  return (
    <Alert color="red" title={kept ? 'That could not be asked again; below is what was answered before' : 'That could not be answered'} role="alert">
      <Stack align="flex-start" gap="xs">
        <Text size="sm">
          {error.message} <Code>{code}</Code>
        </Text>
        {hint && <Text size="sm">{hint}</Text>}
        {again && (
          <Button size="xs" variant="default" loading={busy} onClick={again}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
