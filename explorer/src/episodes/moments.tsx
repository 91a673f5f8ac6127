import { IconBolt, IconBulb, IconDots, IconFlag, IconLayout, IconMessage, IconMessageCircle, IconPlayerPlay, IconSubtask } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { afterShown, canvasName } from '../shared/CanvasLine';
import { FeedbackLine } from '../shared/FeedbackLine';
import { Long, LongJson } from '../shared/Long';
import type { Episode } from './EpisodePage';
import { NextSteps, type Standing } from './NextSteps';
import type { Step } from './steps';

/** Something that happened; `at` is undefined where nobody knows when. */
export type Moment = { at?: string; what: string; facts?: string; Icon: typeof IconFlag; more?: ReactNode; marked?: boolean };

/**
 * Everything that happened in an episode, in its order: what has no time follows the beginning, in the order that it has.
 * `rest` stands where steps are that are not shown yet, and the step at `marked` is the one that the reader came for.
 */
export function momentsOf(episode: Episode, steps: Step[], rest: ReactNode, marked: number): Moment[] {
  const told = steps.map((step, place): Moment => ({ ...momentOf(step, () => standingAt(episode, steps, place)), marked: place === marked }));
  if (rest) told.push({ at: steps.at(-1)?.at, what: 'And so on', Icon: IconDots, more: rest });
  const timed = (moment: Moment) => moment.at !== undefined;
  const others: Moment[] = [
    ...episode.segments.flatMap((segment) => (segment.kind === 'task' && segment.endedAt ? [{ at: segment.endedAt, what: 'Completed a task', Icon: IconSubtask }] : [])),
    ...episode.canvasContext.flatMap((canvas) =>
      canvas.actions.map(({ action, at }) => ({ at, what: `${verbs[action]} ${canvasName(canvas)}${afterShown(canvas.actions, action, at)}`, Icon: IconLayout })),
    ),
    ...episode.feedbackContext.map((feedback) => ({ at: feedback.createdAt, what: 'Feedback', Icon: IconMessage, more: <FeedbackLine feedback={feedback} /> })),
    ...(episode.endedAt ? [{ at: episode.endedAt, what: 'Ended', Icon: IconFlag }] : []),
  ];
  // Sorting keeps the order of what happened in the same millisecond.
  const sorted = [...told.filter(timed), ...others].sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
  return [{ at: episode.startedAt, what: 'Began', Icon: IconPlayerPlay }, ...told.filter((moment) => !timed(moment)), ...sorted];
}

/** How much of a step is compared with what others did, and how many steps before it. */
const [compared, mostSteps] = [2000, 1000];

function standingAt(episode: Episode, steps: Step[], place: number): Standing {
  const { name = '', value } = steps[place]!;
  return {
    situation: episode.observation,
    since: episode.startedAt,
    lastStep: `${name} ${JSON.stringify(value) ?? ''}`.slice(0, compared),
    stepsSoFar: steps.slice(0, place + 1).flatMap((step) => (step.kind === 'action' && step.name ? [step.name] : [])).slice(-mostSteps),
  };
}

function momentOf({ kind, at, name, facts, words, value }: Step, standing: () => Standing): Moment {
  const more = words === undefined ? <LongJson value={value} /> : <Long text={words} />;
  if (kind === 'thought') return { at, facts, what: name ? `Thought of ${name}` : 'Thought', Icon: IconBulb, more };
  if (kind === 'action') {
    const next = (
      <>
        {more}
        <NextSteps standing={standing} />
      </>
    );
    return { at, facts, what: `Did ${name}`, Icon: IconBolt, more: next };
  }
  return { at, facts, what: name ?? 'Something', Icon: IconMessageCircle, more };
}

const verbs = { PRESENT: 'Showed', CLOSE: 'Person closed', SUBMIT: 'Person submitted', UPDATE: 'Changed', EXECUTE: 'Person ran' };
