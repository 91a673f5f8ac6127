import { Anchor, Badge, Group, Paper, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
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

/** What a recall warns of: it failed, or people did not like it. */
const isCaution = ({ outcome, aggregateFeedbackScore }: EpisodeInLine) => outcome === 'FAILURE' || (aggregateFeedbackScore ?? 0) < 0;

/** An episode in a list, with the way to it, and what else is to be said of it there. */
export function EpisodeLine({ episode, children }: { episode: EpisodeInLine; children?: ReactNode }) {
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
          {children}
        </div>
        <Group gap={4} wrap="nowrap" style={{ flexShrink: 0 }}>
          {isCaution(episode) && (
            <Badge variant="outline" color="orange" style={{ flexShrink: 0 }} title="Recalled as a warning in similar situations">
              caution
            </Badge>
          )}
          <OutcomeBadge outcome={outcome} />
        </Group>
      </Group>
    </Paper>
  );
}
