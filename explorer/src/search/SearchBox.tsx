import { Modal, VisuallyHidden } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useList } from '../api/list';
import { useAnswer } from '../api/query';
import { graphSearch } from '../graph/search';
import { graphHref, recordHref } from '../shared/links';
import { nameOf } from '../shared/names';
import { AgentNamesDocument, LatestRunsDocument, SearchDocument, type AgentNamesQuery, type LatestRunsQuery } from './operations.generated';

const pause = 200; // milliseconds without a key, after which is asked

/** Finds records of any kind; opened at once, since it is loaded only when somebody wants it. */
export function SearchBox() {
  const [written, setWritten] = useState('');
  const [query] = useDebouncedValue(written.trim(), pause);
  const answer = useAnswer(SearchDocument, { query }, { enabled: query !== '' });
  const agents = useAgentNames(query !== '');
  const runs = useAnswer(LatestRunsDocument, {}, { enabled: query !== '' });
  useEffect(() => spotlight.open(), []);
  const named = query === '' ? [] : namedLike(agents.names, runs.data?.runs.nodes ?? [], query);
  const router = useRouter();
  const goTo = (id: string) => {
    const place = placeOf(id, router.state.location);
    if ('path' in place) router.history.push(place.path);
    else void router.navigate({ to: '/graph', search: { ...graphSearch(router.state.location.search), to: id, selected: id }, resetScroll: false });
  };
  const hits = query === '' ? [] : (answer.data?.search.nodes ?? []);
  return (
    <Spotlight.Root query={written} onQueryChange={setWritten} shortcut={['mod + K']} scrollable maxHeight={480}>
      <VisuallyHidden>
        <Modal.Title>Search</Modal.Title>
      </VisuallyHidden>
      <Spotlight.Search placeholder="Find episodes, concepts, observations, corrections, feedback…" aria-label="Search for" />
      <Spotlight.ActionsList>
        {named.map(({ id, name, kind }) => (
          <Spotlight.Action key={id} label={name} description={kind} onClick={() => goTo(id)} />
        ))}
        {hits.map(({ node, snippet, reasons }) => (
          <Spotlight.Action key={node.id} label={nameOf(node)} description={[node.__typename, plain(snippet), ...reasons].join(' · ')} onClick={() => goTo(node.id)} />
        ))}
        {hits.length + named.length === 0 && <Spotlight.Empty>{said(written, query, answer, agents.pending)}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** The names of all agents, a page after the other, once they are wanted. */
function useAgentNames(wanted: boolean): { names: AgentNamesQuery['agents']['nodes']; pending: boolean } {
  const list = useList(AgentNamesDocument, {}, (data) => data.agents, { enabled: wanted });
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  const goesOn = wanted && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  return { names: list.data?.nodes ?? [], pending: isFetching || goesOn };
}

const mostNamed = 5;

/** The agents and the latest runs whose name or id has what is looked for; their names are in no index of words. */
function namedLike(agents: AgentNamesQuery['agents']['nodes'], runs: LatestRunsQuery['runs']['nodes'], query: string): { id: string; name: string; kind: string }[] {
  const all = [...agents.map(({ id, name }) => ({ id, name, kind: 'Agent' })), ...runs.map(({ id }) => ({ id, name: id, kind: 'Run' }))];
  const wanted = query.toLowerCase();
  return all.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted)).slice(0, mostNamed);
}

function said(written: string, query: string, answer: { isFetching: boolean; error: Error | null }, pending: boolean): string {
  if (written.trim() === '') return 'Write some words of what you look for.';
  if (answer.error) return `That could not be answered: ${answer.error.message}`;
  return answer.isFetching || pending || written.trim() !== query ? 'Looking…' : 'Nothing was found. Try fewer or other words.';
}

/** A snippet without the signs around what matched. */
function plain(snippet: string): string {
  return snippet.replaceAll('**', '');
}

/** Where a record is shown: on its page, or in the graph where it has none. Where a path waits for its other end, it leads there. */
function placeOf(id: string, here: { pathname: string; search: { from?: string; to?: string } }): { path: string } | { end: string } {
  if (here.pathname === '/graph' && here.search.from && !here.search.to) return { end: id };
  const page = recordHref(id);
  return { path: (page === graphHref(id) ? `${page}&selected=${encodeURIComponent(id)}` : page).slice(1) };
}
