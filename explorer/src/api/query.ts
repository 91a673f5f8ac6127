import { MutationCache, QueryCache, QueryClient, keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError, ask, type Operation } from './client';
import { askForKey, signOut } from './key';

const triesOfTheUnreachable = 2;

/** A key that was revoked is told by whatever is asked next. */
function refused(error: Error) {
  if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') askForKey();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: refused }),
  mutationCache: new MutationCache({ onError: refused }),
  defaultOptions: {
    mutations: { networkMode: 'always' },
    queries: {
      // The server may be on this machine, which then needs no network.
      networkMode: 'always',
      staleTime: 30_000,
      // Returning to the tab changes nothing under the reader's eyes; the refresh button does.
      refetchOnWindowFocus: false,
      retry: (failures, error) => error instanceof ApiError && error.code === 'UNREACHABLE' && failures < triesOfTheUnreachable,
    },
  },
});

/** What the API answers to an operation; what it answered before stays in sight while it is asked again. */
export function useAnswer<Data, Variables>(operation: Operation<Data, Variables>, variables: Variables, options: { enabled?: boolean } = {}) {
  return useQuery({
    queryKey: [operation.toString(), variables],
    queryFn: ({ signal }) => ask(operation, variables, signal),
    placeholderData: keepPreviousData,
    ...options,
  });
}

/** Forgets the key, and all that was answered to it. */
export function leave() {
  queryClient.clear();
  signOut();
}
