import { Button, Mark, Text, Timeline } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Failed } from '../shared/Answered';
import { duration, many } from '../shared/numbers';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import type { Episode } from './EpisodePage';
import { momentsOf, type Moment } from './moments';
import { markedAt, type Marked } from './steps';
import { useSteps } from './useSteps';

const route = getRouteApi('/episodes/$id');

/** Everything that happened, in its order: thoughts and actions at their times where the episode has a log, else in the order it names them. */
export function TimeLine({ episode }: { episode: Episode }) {
  const { steps, left, timed, more, log } = useSteps(episode);
  const marked = useMarked();
  const place = markedAt(steps, marked);
  const here = useRef<HTMLElement>(null);
  useEffect(() => {
    if (marked && place < 0 && left > 0) more();
    here.current?.scrollIntoView({ block: 'center' });
  }, [marked?.kind, marked?.place, place, left]);
  const rest = left > 0 && (
    <Button size="xs" variant="default" mt={4} loading={log.isFetchingNextPage} onClick={more}>
      More of {many(left, 'step')}
    </Button>
  );
  return (
    <Section title="Timeline" about={aboutOf(episode, timed)}>
      {log.error && <Failed error={log.error} again={() => void log.refetch()} />}
      <Timeline bulletSize={24} lineWidth={2} aria-busy={log.isPending} styles={{ itemTitle: { lineHeight: 1.4 } }}>
        {momentsOf(episode, steps, rest, place).map((moment, at, all) => (
          <Timeline.Item key={at} title={moment.marked ? <Mark ref={here}>{moment.what}</Mark> : <span className="written">{moment.what}</span>} bullet={<moment.Icon size={13} aria-hidden />}>
            <Time moment={moment} began={episode.startedAt} before={all[at - 1]?.at} />
            {moment.more}
          </Timeline.Item>
        ))}
      </Timeline>
      {!episode.endedAt && (
        <Text size="sm" c="dimmed">
          Nobody said when it ended.
        </Text>
      )}
    </Section>
  );
}

/** The thought or action that the address names. */
function useMarked(): Marked | undefined {
  const { thought, action } = route.useSearch();
  if (action !== undefined) return { kind: 'action', place: action };
  return thought === undefined ? undefined : { kind: 'thought', place: thought };
}

/** When it was, how long after the beginning, and how long after what stands before it. */
function Time({ moment: { at, facts }, began, before }: { moment: Moment; began: string; before?: string }) {
  if (at === undefined) return null;
  const after = (Date.parse(at) - Date.parse(began)) / 1000;
  const since = before === undefined ? 0 : (Date.parse(at) - Date.parse(before)) / 1000;
  return (
    <Text size="xs" c="dimmed">
      <When at={at} />
      {after > 0 && ` · after ${duration(after)}`}
      {since > 0 && since < after && `, ${duration(since)} after the one before`}
      {facts && ` · ${facts}`}
    </Text>
  );
}

/** What a reader must know of the order, and of what is left out. */
function aboutOf({ canvases, canvasContext, feedback, feedbackContext }: Episode, timed: boolean): string | undefined {
  const said = [
    !timed && 'Thoughts and actions stand in their own order after the beginning; when they were is not known.',
    canvases.totalCount > canvasContext.length && `Of ${canvases.totalCount} canvases the newest ${canvasContext.length}.`,
    feedback.totalCount > feedbackContext.length && `Of ${feedback.totalCount} feedbacks the newest ${feedbackContext.length}.`,
  ].filter(Boolean);
  return said.length > 0 ? said.join(' ') : undefined;
}
