import { Modal, Text, VisuallyHidden } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { useAnswer } from '../api/query';
import { graphSearch } from '../graph/search';
import { graphHref, momentHref, recordHref } from '../shared/links';
import { nameOf } from '../shared/names';
import { heading } from '../shared/shortened';
import { mostRead, useNamed } from './named';
import { SearchDocument } from './operations.generated';

const [store, box] = createSpotlight();

/** Opens the box once more. */
export const openBox = () => box.open();

const pause = 200; // milliseconds without a key, after which is asked

/** Finds records of any kind; opened at once, since it is loaded only when somebody wants it. */
export function SearchBox() {
  const [written, setWritten] = useState('');
  const [query] = useDebouncedValue(written.trim(), pause);
  const answer = useAnswer(SearchDocument, { query }, { enabled: query !== '' });
  const named = useNamed(query);
  useEffect(openBox, []);
  const asked = query === '' ? [] : [answer, ...named.asked];
  const router = useRouter();
  const goTo = (id: string, moment?: Moment) => {
    const place = placeOf(id, router.state.location, moment);
    if ('path' in place) router.history.push(place.path);
    else void router.navigate({ to: '/graph', search: { ...graphSearch(router.state.location.search), pathTo: id, selected: id }, resetScroll: false });
  };
  const known = written.trim() === query && !asked.some(({ isFetching }) => isFetching);
  const hits = query === '' ? [] : (answer.data?.search.nodes ?? []);
  const nothing = hits.length + named.found.length === 0;
  // Enter takes the first hit, also where it is pressed before there is one.
  const [entered, setEntered] = useState('');
  const first = [...named.found, ...hits.map(({ node }) => node)][0]?.id;
  useEffect(() => {
    if (!known || first === undefined) return;
    unselect();
    const action = document.querySelector<HTMLElement>('[data-action]');
    action?.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
    if (entered && entered === query) action?.click();
    setEntered('');
  }, [known, first, query]);
  const lack = lackOf(asked, named.cut, nothing);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || known) return;
    unselect();
    setEntered(written.trim());
  };
  return (
    <Spotlight.Root store={store} query={written} onQueryChange={setWritten} shortcut={['mod + K']} scrollable maxHeight={480}>
      <VisuallyHidden>
        <Modal.Title>Search</Modal.Title>
      </VisuallyHidden>
      <Spotlight.Search placeholder="Find episodes, concepts, observations, corrections, feedback…" aria-label="Search for" onKeyDown={onKeyDown} />
      <Spotlight.ActionsList>
        {named.found.map(({ id, name, kind }) => (
          <Spotlight.Action key={id} label={heading(name)} description={kind} onClick={() => goTo(id)} />
        ))}
        {hits.map(({ node, snippet, reasons, moments }) => (
          <Spotlight.Action key={node.id} label={nameOf(node)} description={[node.__typename, plain(snippet), ...reasons].join(' · ')} onClick={() => goTo(node.id, moments[0])} />
        ))}
        {nothing && <Spotlight.Empty>{said(written, query, asked)}</Spotlight.Empty>}
      </Spotlight.ActionsList>
      {lack && (
        <Spotlight.Footer>
          <Text size="sm" c="dimmed" role="status">
            {lack}
          </Text>
        </Spotlight.Footer>
      )}
    </Spotlight.Root>
  );
}

/** What is chosen of the hits before is not what Enter takes of those to come. */
const unselect = () => document.querySelector('[data-action][data-selected]')?.removeAttribute('data-selected');

type Moment = { part: string; position: number };

type Asked = { isFetching: boolean; error: Error | null };

/** What is said where nothing is found. */
function said(written: string, query: string, asked: Asked[]): string {
  if (written.trim() === '') return 'Write some words of what you look for.';
  if (written.trim() !== query || asked.some(({ isFetching }) => isFetching)) return 'Looking…';
  const error = errorOf(asked);
  return error ? `That could not be answered: ${error.message}` : 'Nothing was found. Try fewer or other words.';
}

function errorOf(asked: Asked[]): Error | undefined {
  return asked.find(({ error }) => error)?.error ?? undefined;
}

/** What is said below what was found, where that may not be all. */
function lackOf(asked: Asked[], cut: boolean, nothing: boolean): string | undefined {
  const error = errorOf(asked);
  if (error && !nothing) return `Not all could be looked through: ${error.message}`;
  return cut ? `There are more agents: only the first ${mostRead.toLocaleString('en')} were looked through.` : undefined;
}

/** A snippet without the signs around what matched. */
function plain(snippet: string): string {
  return snippet.replaceAll('**', '');
}

/** Where a record is shown: on its page, or in the graph where it has none. Where a path waits for its other end, it leads there. */
function placeOf(id: string, here: { pathname: string; search: { pathFrom?: string; pathTo?: string } }, moment?: Moment): { path: string } | { end: string } {
  if (here.pathname === '/graph' && here.search.pathFrom && !here.search.pathTo) return { end: id };
  const page = recordHref(id);
  if (moment && page !== graphHref(id)) return { path: momentHref(id, moment).slice(1) };
  return { path: (page === graphHref(id) ? `${page}&selected=${encodeURIComponent(id)}` : page).slice(1) };
}
