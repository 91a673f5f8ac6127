import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ask, type Operation } from './client';

/** A page of a list, as the API answers lists. */
export type Connection<Node> = { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor: string | null }; totalCount?: number };

export type List<Node> = ReturnType<typeof useList<never, never, Node>>;

/** A list that grows by a page at a time; a refresh asks for all pages that were read, so that the reader keeps the place. */
export function useList<Data, Variables extends { after?: string | null }, Node>(
  operation: Operation<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  connection: (data: Data) => Connection<Node>,
  options: { enabled?: boolean; staleTime?: number } = {},
) {
  return useInfiniteQuery({
    queryKey: [operation.toString(), variables],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => connection(await ask(operation, { ...variables, after: pageParam } as Variables, signal)),
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined),
    placeholderData: keepPreviousData,
    select: ({ pages }) => ({ nodes: pages.flatMap((page) => page.nodes), totalCount: pages[0]?.totalCount }),
    ...options,
  });
}
