import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask } from '../api/client';
import { empty, modelOf, type Part } from './model';
import { AroundDocument, PathDocument } from './operations.generated';
import { readPicture } from './picture';
import type { GraphSearch } from './search';

const mostAtFirst = 300;
const mostOfOthers = 100;
const mostAtOnce = 500; // of a page, as the API takes

/** The records that a view shows: those around its root, or the memory at a glance; those around each that was opened, and those of its path. */
export function useModel(search: GraphSearch) {
  const { root, open = [], pathFrom, pathTo, depth = 1, most = mostAtFirst } = search;
  const questions = [root === undefined ? picture(search) : around(root, depth, most), ...open.map((id) => around(id, 1, mostOfOthers + Math.max(0, most - mostAtFirst)))];
  if (pathFrom && pathTo) questions.push(path(pathFrom, pathTo));
  const answers = useQueries({ queries: questions, combine });
  // The path is no part that was opened from anywhere.
  const opened = [root, ...open, undefined];
  const model = useMemo(
    () => (answers.parts.length === 0 ? empty : modelOf(answers.parts.flatMap((part, place) => (part ? [{ opened: opened[place], part }] : [])))),
    [answers.parts],
  );
  const onPath = useMemo(() => new Set(pathFrom && pathTo ? answers.parts.at(-1)?.nodes.map(({ id }) => id) : []), [answers.parts, pathFrom, pathTo]);
  return {
    model,
    onPath,
    more: answers.parts.some((part, place) => part?.more && (place > 0 || root !== undefined)),
    truncated: answers.parts.some((part) => part?.truncated),
    pending: answers.pending,
    error: answers.error,
    pathMissing: Boolean(pathFrom && pathTo && !answers.pending && onPath.size === 0),
  };
}

function combine(answers: UseQueryResult<Part>[]) {
  return {
    parts: answers.map(({ data }) => data),
    pending: answers.some(({ isPending }) => isPending),
    error: answers.find(({ error }) => error)?.error ?? undefined,
  };
}

function picture({ range, from, to }: GraphSearch) {
  return { queryKey: ['picture', range, from, to], queryFn: ({ signal }: { signal: AbortSignal }) => readPicture({ range, from, to }, signal) };
}

function around(id: string, depth: number, most: number) {
  return { queryKey: ['around', id, depth, most], queryFn: ({ signal }: { signal: AbortSignal }) => readAround(id, depth, most, signal) };
}

/** The records around one, page after page, up to so many. */
async function readAround(id: string, depth: number, most: number, signal: AbortSignal): Promise<Part> {
  const part: Part = { nodes: [], edges: [], more: false, truncated: false };
  let after: string | undefined;
  do {
    const { neighbourhood } = await ask(AroundDocument, { id, depth, after, first: Math.min(mostAtOnce, most - part.nodes.length) }, signal);
    part.nodes.push(...neighbourhood.nodes.map(({ node }) => node));
    part.edges.push(...neighbourhood.edges);
    part.truncated ||= neighbourhood.truncated;
    part.more = neighbourhood.pageInfo.hasNextPage;
    after = neighbourhood.pageInfo.endCursor ?? undefined;
  } while (part.more && part.nodes.length < most);
  return part;
}

function path(from: string, to: string) {
  return {
    queryKey: ['path', from, to],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Part> => {
      const found = (await ask(PathDocument, { from, to }, signal)).path;
      return { nodes: found?.nodes.map(({ node }) => node) ?? [], edges: found?.edges ?? [], more: false, truncated: found?.truncated ?? false };
    },
  };
}
