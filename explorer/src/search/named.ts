import { useEffect } from 'react';
import { useList } from '../api/list';
import { useAnswer } from '../api/query';
import { AgentNamesDocument, LatestRunsDocument } from './operations.generated';

const mostNamed = 5;
export const mostRead = 2000; // agents, 100 in a request
const keptFor = 300_000; // milliseconds until the agents are read anew

/** The agents and the latest runs whose name or id has what is looked for. */
export function useNamed(query: string) {
  const agents = useAgentsLike(query);
  const runs = useAnswer(LatestRunsDocument, {}, { enabled: query !== '' });
  const runsLike = query === '' ? [] : namedLike(runs.data?.runs.nodes ?? [], query);
  const found = [...agents.found.map(({ id, name }) => ({ id, name, kind: 'Agent' })), ...runsLike.map(({ id }) => ({ id, name: id, kind: 'Run' }))];
  return { found: found.slice(0, mostNamed), asked: [agents, runs], cut: agents.cut };
}

/** The first agents whose name or id has what is looked for: read a page after the other, until enough are found or many were looked through. */
function useAgentsLike(query: string) {
  const wanted = query !== '';
  const list = useList(AgentNamesDocument, {}, (data) => data.agents, { enabled: wanted, staleTime: keptFor });
  const { hasNextPage, isFetching, error, fetchNextPage } = list;
  const read = list.data?.nodes ?? [];
  const found = wanted ? namedLike(read, query) : [];
  const lacks = wanted && hasNextPage && found.length < mostNamed;
  const goesOn = lacks && !error && read.length < mostRead;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  // What could not be read is tried again with the next word, and not by itself.
  useEffect(() => {
    if (wanted && error) void fetchNextPage({ cancelRefetch: false });
  }, [query]);
  return { found, isFetching: isFetching || goesOn, error, cut: lacks && read.length >= mostRead };
}

/** The first of some whose name or id has what is looked for; their names are in no index of words. */
function namedLike<Named extends { id: string; name?: string }>(all: Named[], query: string): Named[] {
  const wanted = query.toLowerCase();
  return all.filter(({ id, name = '' }) => `${id} ${name}`.toLowerCase().includes(wanted)).slice(0, mostNamed);
}
