import { Anchor, Badge, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconEqual } from '@tabler/icons-react';
import { CanvasLine } from '../shared/CanvasLine';
import { FeedbackLine } from '../shared/FeedbackLine';
import { momentHref, recordHref } from '../shared/links';
import { Long } from '../shared/Long';
import { OutcomeBadge } from '../shared/OutcomeBadge';
import { briefReason, heading } from '../shared/shortened';
import { Snippet } from '../shared/Snippet';
import { When } from '../shared/When';
import type { RecallQuery } from './operations.generated';
import { ScoreParts, type Weights } from './ScoreParts';

export type RecallHit = RecallQuery['recall']['hits'][number];

type Props = {
  hit: RecallHit;
  weights: Weights;
  /** The longest bar of all hits, which fills the width. */
  longest: number;
  /** Its place as hits are ranked usually, 0 where it has none among them; undefined where they are ranked so. */
  before?: number;
};

/** An experience: what it was, how it ended, and every reason why it is here. */
export function Hit({ hit, weights, longest, before }: Props) {
  const { episode } = hit;
  const title = heading(episode.title);
  return (
    <Paper withBorder p="md" component="li">
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Title order={2} size="h3">
            {hit.rank}. {title}
          </Title>
          {before !== undefined && <Move from={before} to={hit.rank} />}
        </Group>
        {title.endsWith('…') && <Long text={episode.observation} />}
        <Group gap="xs">
          <OutcomeBadge outcome={episode.outcome} />
          <Text size="sm" c="dimmed">
            {heading(episode.agent.name)}
            {episode.taskType && ` · ${episode.taskType}`} · <When at={episode.startedAt} />
          </Text>
        </Group>
        <ScoreParts score={hit.score} weights={weights} longest={longest} />
        <List size="sm" aria-label="Reasons">
          {hit.reasons.map((reason) => (
            <List.Item key={reason}>{briefReason(reason)}</List.Item>
          ))}
        </List>
        {hit.times > 1 && <Variants hit={hit} />}
        {hit.moments.length > 0 && (
          <List size="sm" aria-label="Moments">
            {hit.moments.map((moment) => (
              <List.Item key={`${moment.part}-${moment.position}-${moment.snippet}`}>
                <Anchor size="sm" href={momentHref(episode.id, moment)}>
                  {placeOf(moment)}
                </Anchor>
                : <Snippet text={moment.snippet} />
              </List.Item>
            ))}
          </List>
        )}
        <Long text={episode.insight} />
        <Stack gap={4}>
          {episode.canvasContext.map((canvas) => (
            <CanvasLine key={canvas.id} canvas={canvas} />
          ))}
          {episode.feedbackContext.map((feedback) => (
            <FeedbackLine key={feedback.id} feedback={feedback} />
          ))}
        </Stack>
        <Group gap="md">
          <Anchor size="sm" href={recordHref(episode.id)}>
            The whole episode
          </Anchor>
        </Group>
      </Stack>
    </Paper>
  );
}

/** The near-identical episodes that the hit stands for, with how they turned out. */
function Variants({ hit: { times, succeeded, failed, contrast, siblings } }: { hit: RecallHit }) {
  return (
    <details>
      <Text component="summary" size="sm">
        Stands for {times} near-identical: {succeeded} succeeded, {failed} failed.
      </Text>
      {contrast && <Text size="sm">{contrast}</Text>}
      <List size="sm" aria-label="Near-identical episodes">
        {siblings.map(({ id, title, outcome }) => (
          <List.Item key={id}>
            <Anchor inherit href={recordHref(id)} className="written">
              {heading(title)}
            </Anchor>{' '}
            ({outcome.toLowerCase()})
          </List.Item>
        ))}
      </List>
    </details>
  );
}

/** Where in its episode a moment is, in words. */
function placeOf({ part, position, step }: RecallHit['moments'][number]): string {
  const named = step ? ` (${step})` : '';
  if (part === 'ACTION') return `Step ${position + 1}${named}`;
  if (part === 'EVENT') return `Log entry ${position}${named}`;
  if (part === 'THOUGHT') return `Thought ${position + 1}`;
  return `The ${part.toLowerCase()}`;
}

/** Where a changed ranking put a hit. */
function Move({ from, to }: { from: number; to: number }) {
  if (from === to) return <Movement color="gray" Icon={IconEqual} text="same place" />;
  if (from === 0) return <Movement color="indigo" Icon={IconArrowUp} text="new here" />;
  return from > to ? <Movement color="teal" Icon={IconArrowUp} text={`from ${from}`} /> : <Movement color="orange" Icon={IconArrowDown} text={`from ${from}`} />;
}

function Movement({ color, Icon, text }: { color: string; Icon: typeof IconEqual; text: string }) {
  return (
    <Badge color={color} variant="light" style={{ flexShrink: 0 }} leftSection={<Icon size={12} aria-hidden />}>
      {text}
    </Badge>
  );
}
