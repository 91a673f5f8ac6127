import { QueryCache, QueryClient, keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError, ask, type Operation } from './client';
import { askForKey } from './key';

const triesOfTheUnreachable = 2;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') askForKey();
    },
  }),
  defaultOptions: {
    queries: {
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
