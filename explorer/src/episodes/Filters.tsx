import { Button, Group, SimpleGrid } from '@mantine/core';
import { Choice } from '../shared/Choice';
import { canvasActionOptions, canvasTypes, outcomeOptions, timeRangeOptions } from '../shared/choices';
import { episodesSearch, orderOptions, type EpisodesSearch } from './search';

type Props = {
  search: EpisodesSearch;
  agents: { id: string; name: string }[];
  taskTypes: string[];
  onChange: (part: Partial<EpisodesSearch>) => void;
};

export function Filters({ search, agents, taskTypes, onChange }: Props) {
  const set = (name: keyof EpisodesSearch) => (value: string | undefined) => onChange({ [name]: value });
  return (
    <section aria-label="Filters">
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <Choice label="Agent" value={search.agent} options={agents.map(({ id, name }) => ({ value: id, label: name }))} onChange={set('agent')} />
        <Choice label="Task type" value={search.task} options={taskTypes} onChange={set('task')} />
        <Choice label="Outcome" value={search.outcome} options={outcomeOptions} onChange={set('outcome')} />
        <Choice label="Feedback" value={search.reaction} options={['liked', 'disliked']} onChange={set('reaction')} />
        <Choice label="Showed a canvas" value={search.canvas} options={canvasTypes} onChange={set('canvas')} />
        <Choice label="What happened on it" value={search.action} options={canvasActionOptions} onChange={set('action')} />
        <Choice label="Began in" value={search.range} options={timeRangeOptions} any="any time" onChange={set('range')} />
        <Choice label="Order" value={search.order} options={orderOptions} any="newest first" onChange={set('order')} />
      </SimpleGrid>
      <Group mt="sm" gap="xs">
        {search.session && (
          <Button size="xs" variant="light" onClick={() => onChange({ session: undefined })}>
            Only {search.session} ✕
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => onChange(episodesSearch({}))}>
          Without filters
        </Button>
      </Group>
    </section>
  );
}
