import { Button, Group, SimpleGrid, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { Forget } from '../acting/Forget';
import { Choice } from '../shared/Choice';
import { canvasActionOptions, canvasTypes, outcomeOptions } from '../shared/choices';
import { Range } from '../shared/Range';
import { SessionName } from './SessionName';
import { episodeFilter, episodesSearch, orderOptions, type EpisodesSearch } from './search';

type Props = {
  search: EpisodesSearch;
  agents: { id: string; name: string }[];
  taskTypes: string[];
  onChange: (part: Partial<EpisodesSearch>) => void;
  /** Saves what is listed, where anything is. */
  onSave?: () => void;
};

export function Filters({ search, agents, taskTypes, onChange, onSave }: Props) {
  const set = (name: keyof EpisodesSearch) => (value: string | undefined) => onChange({ [name]: value });
  return (
    <section aria-label="Filters">
      <Words key={search.q} value={search.q} onAsk={(q) => onChange({ q })} />
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <Choice label="Agent" value={search.agent} options={agents.map(({ id, name }) => ({ value: id, label: name }))} onChange={set('agent')} />
        <Choice label="Task type" value={search.task} options={taskTypes} onChange={set('task')} />
        <Choice label="Outcome" value={search.outcome} options={outcomeOptions} onChange={set('outcome')} />
        <Choice label="Feedback" value={search.reaction} options={['liked', 'disliked']} onChange={set('reaction')} />
        <Choice label="Showed a canvas" value={search.canvas} options={canvasTypes} onChange={set('canvas')} />
        <Choice label="What happened on it" value={search.action} options={canvasActionOptions} onChange={set('action')} />
        <Range search={search} onChange={onChange} />
        <Choice label="Order" value={search.order} options={orderOptions} any="newest first" onChange={set('order')} />
      </SimpleGrid>
      <Group mt="sm" gap="xs">
        {search.session && (
          <Button size="xs" variant="light" onClick={() => onChange({ session: undefined })}>
            Only <SessionName id={search.session} /> ✕
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => onChange(episodesSearch({}))}>
          Clear filters
        </Button>
        {onSave && (
          <Button size="xs" variant="default" onClick={onSave}>
            Save the list as CSV
          </Button>
        )}
        {!search.q && <Forget filter={episodeFilter(search)} />}
      </Group>
    </section>
  );
}

/** What is to be found in the episodes: Enter looks for it. */
function Words({ value, onAsk }: { value: string | undefined; onAsk: (words: string | undefined) => void }) {
  const [written, setWritten] = useState(value ?? '');
  const ask = (event: FormEvent) => {
    event.preventDefault();
    onAsk(written.trim() || undefined);
  };
  return (
    <Group component="form" align="flex-end" gap="xs" mb="sm" onSubmit={ask}>
      <TextInput label="Words in them" placeholder="An error, a name, what was said" value={written} onChange={(event) => setWritten(event.currentTarget.value)} flex="1 1 14rem" />
      <Button type="submit" variant="default">
        Find
      </Button>
    </Group>
  );
}
