import { Anchor, Group, Paper, Text } from '@mantine/core';
import { Fragment } from 'react';
import { recordHref } from './links';
import { many, score } from './numbers';
import { OutcomeBadge } from './OutcomeBadge';
import { heading } from './shortened';
import { When } from './When';

export type EpisodeInLine = {
  id: string;
  title: string;
  outcome: 'SUCCESS' | 'FAILURE' | 'UNKNOWN';
  taskType: string | null;
  startedAt: string;
  agent: { name: string };
  aggregateFeedbackScore?: number | null;
  canvasActionCount?: number;
};

/** An episode in a list, with the way to it. */
export function EpisodeLine({ episode }: { episode: EpisodeInLine }) {
  const { id, title, outcome, taskType, startedAt, agent, aggregateFeedbackScore, canvasActionCount } = episode;
  const facts = [
    heading(agent.name),
    taskType,
    aggregateFeedbackScore != null && `feedback ${score(aggregateFeedbackScore, true)}`,
    Boolean(canvasActionCount) && many(canvasActionCount!, 'canvas interaction'),
  ].filter(Boolean);
  return (
    <Paper withBorder px="md" py="xs" component="li">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Anchor href={recordHref(id)} fw={600} underline="hover" className="written">
            {heading(title)}
          </Anchor>
          <Text size="sm" c="dimmed">
            {facts.map((fact, place) => (
              // Names in a script from right to left leave the order of the rest.
              <Fragment key={place}>
                <bdi>{fact}</bdi> ·{' '}
              </Fragment>
            ))}
            <When at={startedAt} />
          </Text>
        </div>
        <OutcomeBadge outcome={outcome} />
      </Group>
    </Paper>
  );
}
