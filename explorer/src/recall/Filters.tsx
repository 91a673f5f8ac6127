import { Button, Paper, Stack, Title } from '@mantine/core';
import { Choice } from '../shared/Choice';
import { canvasActionOptions, canvasTypes, outcomeOptions } from '../shared/choices';
import { Range } from '../shared/Range';
import { WhenInput } from '../shared/WhenInput';
import { usualHits, type RecallSearch } from './search';

type Props = {
  search: RecallSearch;
  agents: { id: string; name: string }[];
  taskTypes: string[];
  onChange: (part: Partial<RecallSearch>) => void;
};

const none = { agent: undefined, task: undefined, outcome: undefined, canvas: undefined, action: undefined, liked: undefined, range: undefined, from: undefined, to: undefined, asOf: undefined, top: undefined };

const scores = [
  { value: '0', label: 'not disliked' },
  { value: '0.5', label: 'liked' },
];

/** Which experiences may matter, and as of when. */
export function Filters({ search, agents, taskTypes, onChange }: Props) {
  const set = (name: keyof typeof none) => (value: string | undefined) => onChange({ [name]: value });
  return (
    <Paper withBorder p="md" component="section" aria-label="Filters">
      <Stack gap="sm">
        <Title order={2}>Filters</Title>
        <Choice label="Agent" value={search.agent} options={agents.map(({ id, name }) => ({ value: id, label: name }))} onChange={set('agent')} />
        <Choice label="Task type" value={search.task} options={taskTypes} onChange={set('task')} />
        <Choice label="Outcome" value={search.outcome} options={outcomeOptions} onChange={set('outcome')} />
        <Choice label="Showed a canvas" value={search.canvas} options={canvasTypes} onChange={set('canvas')} />
        <Choice label="What happened on it" value={search.action} options={canvasActionOptions} onChange={set('action')} />
        <Choice
          label="Feedback"
          value={search.liked?.toString()}
          options={scores}
          onChange={(value) => onChange({ liked: value === undefined ? undefined : Number(value) })}
        />
        <Range search={search} onChange={onChange} />
        <WhenInput label="As of" description="Only what was known then." value={search.asOf} onChange={set('asOf')} />
        <Choice
          label="Experiences"
          value={search.top === usualHits ? undefined : search.top?.toString()}
          options={['10', '20', '50']}
          any={String(usualHits)}
          onChange={(value) => onChange({ top: value === undefined ? undefined : Number(value) })}
        />
        <Button size="xs" variant="default" onClick={() => onChange(none)}>
          Clear filters
        </Button>
      </Stack>
    </Paper>
  );
}
