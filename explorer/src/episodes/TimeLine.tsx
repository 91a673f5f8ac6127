import { Text, Timeline } from '@mantine/core';
import { IconFlag, IconLayout, IconMessage, IconPlayerPlay, IconSubtask } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { canvasName } from '../shared/CanvasLine';
import { FeedbackLine } from '../shared/FeedbackLine';
import { duration } from '../shared/numbers';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import type { Episode } from './EpisodePage';

type Moment = { at: string; what: string; Icon: typeof IconFlag; more?: ReactNode };

/** Everything that has a time, in its order. */
export function TimeLine({ episode }: { episode: Episode }) {
  const moments = momentsOf(episode);
  const began = Date.parse(episode.startedAt);
  return (
    <Section title="Timeline">
      <Timeline bulletSize={24} lineWidth={2}>
        {moments.map((moment, place) => (
          <Timeline.Item key={place} title={moment.what} bullet={<moment.Icon size={13} aria-hidden />}>
            <Text size="xs" c="dimmed">
              <When at={moment.at} />
              {Date.parse(moment.at) > began && ` · after ${duration((Date.parse(moment.at) - began) / 1000)}`}
            </Text>
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

function momentsOf(episode: Episode): Moment[] {
  const moments: Moment[] = [
    { at: episode.startedAt, what: 'Began', Icon: IconPlayerPlay },
    ...episode.segments.flatMap((segment) => (segment.kind === 'task' && segment.endedAt ? [{ at: segment.endedAt, what: 'Completed a task', Icon: IconSubtask }] : [])),
    ...episode.canvasContext.flatMap((canvas) =>
      canvas.actions.map(({ action, at }) => ({ at, what: `${verbs[action]} ${canvasName(canvas)}${openFor(canvas, action, at)}`, Icon: IconLayout })),
    ),
    ...episode.feedbackContext.map((feedback) => ({ at: feedback.createdAt, what: 'Feedback', Icon: IconMessage, more: <FeedbackLine feedback={feedback} /> })),
  ];
  if (episode.endedAt) moments.push({ at: episode.endedAt, what: 'Ended', Icon: IconFlag });
  // Sorting keeps the order of what happened in the same millisecond.
  return moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const verbs = { PRESENT: 'Showed', CLOSE: 'Person closed', SUBMIT: 'Person submitted', UPDATE: 'Changed', EXECUTE: 'Person ran' };

/** How long a canvas was open when the person closed it. */
function openFor(canvas: Episode['canvasContext'][number], action: keyof typeof verbs, at: string): string {
  const shown = canvas.actions.find((earlier) => earlier.action === 'PRESENT');
  const seconds = shown ? (Date.parse(at) - Date.parse(shown.at)) / 1000 : -1;
  return action === 'CLOSE' && seconds >= 0 ? ` after ${duration(seconds)}` : '';
}
