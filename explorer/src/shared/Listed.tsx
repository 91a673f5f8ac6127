import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { List } from '../api/list';
import { Failed, Waiting } from './Answered';

type Props<Node> = { list: List<Node>; empty: ReactNode; label: string; children: (node: Node) => ReactNode };

/** A list as far as it was read, with a button for more of it. */
export function Listed<Node>({ list, empty, label, children }: Props<Node>) {
  // What was read stays where it cannot be read anew, or the next page cannot be.
  const failed = list.error && <Failed error={list.error} again={() => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch())} busy={list.isFetching} kept={Boolean(list.data?.nodes.length) && !list.isFetchNextPageError} />;
  if (!list.data) return failed ?? <Waiting />;
  const { nodes, totalCount } = list.data;
  if (nodes.length === 0) return failed ?? empty;
  return (
    <Stack gap="sm" aria-busy={list.isFetching}>
      {!list.isFetchNextPageError && failed}
      {totalCount !== undefined && (
        <Text size="sm" c="dimmed" role="status">
          {totalCount === nodes.length ? `${totalCount} in all` : `${nodes.length} of ${totalCount}`}
        </Text>
      )}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label={label}>
        {nodes.map(children)}
      </Stack>
      {list.isFetchNextPageError && failed}
      {!list.isFetchNextPageError && list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()} style={{ alignSelf: 'flex-start' }}>
          More
        </Button>
      )}
    </Stack>
  );
}
