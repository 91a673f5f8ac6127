import { Modal, VisuallyHidden } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useAnswer } from '../api/query';
import { graphHref, recordHref } from '../shared/links';
import { nameOf, type Named } from '../shared/names';
import { SearchDocument } from './operations.generated';

const pause = 200; // milliseconds without a key, after which is asked

/** Finds records of any kind; opened at once, since it is loaded only when somebody wants it. */
export function SearchBox() {
  const [written, setWritten] = useState('');
  const [query] = useDebouncedValue(written.trim(), pause);
  const answer = useAnswer(SearchDocument, { query }, { enabled: query !== '' });
  useEffect(() => spotlight.open(), []);
  const hits = query === '' ? [] : (answer.data?.search.nodes ?? []);
  return (
    <Spotlight.Root query={written} onQueryChange={setWritten} shortcut={['mod + K']} scrollable maxHeight={480}>
      <VisuallyHidden>
        <Modal.Title>Search</Modal.Title>
      </VisuallyHidden>
      <Spotlight.Search placeholder="Find episodes, concepts, observations, corrections, feedback…" aria-label="Search for" />
      <Spotlight.ActionsList>
        {hits.map(({ node, snippet }) => (
          <Spotlight.Action key={node.id} label={nameOf(node)} description={`${node.__typename} · ${plain(snippet)}`} onClick={() => go(node)} />
        ))}
        {hits.length === 0 && <Spotlight.Empty>{said(written, query, answer)}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function said(written: string, query: string, answer: { isFetching: boolean; error: Error | null }): string {
  if (written.trim() === '') return 'Write some words of what you look for.';
  if (answer.error) return `That could not be answered: ${answer.error.message}`;
  return answer.isFetching || written.trim() !== query ? 'Looking…' : 'Nothing was found. Try fewer or other words.';
}

/** A snippet without the signs around what matched. */
function plain(snippet: string): string {
  return snippet.replaceAll('**', '');
}

/** Shows a record: on its page, or in the graph where it has none. */
function go(node: Named) {
  const page = recordHref(node.id);
  location.hash = page === graphHref(node.id) ? `${page}&selected=${encodeURIComponent(node.id)}` : page;
}
