import type { Episode } from './EpisodePage';
import type { ReplayQuery } from './operations.generated';

export type Entry = ReplayQuery['replay']['nodes'][number];

/** Which of an episode's thoughts or actions is meant, from 0. */
export type Marked = { kind: 'thought' | 'action'; place: number };

/** Where that is among steps; −1 where it is not there. */
export function markedAt(steps: Step[], marked: Marked | undefined): number {
  let left = marked?.place ?? -1;
  return steps.findIndex(({ kind }) => kind === marked?.kind && left-- === 0);
}

/** What an agent thought, did or was told; `at` is when, where the log says so. */
export type Step = { kind: 'thought' | 'action' | 'other'; at?: string; name?: string; words?: string; value?: unknown };

/** An entry of a log as the API reads it (`EventInput.type`); nothing where the episode itself tells the same. */
export function stepOf({ type, data, at }: Entry): Step | undefined {
  const fields: Record<string, unknown> = typeof data === 'object' && data !== null ? { ...data } : {};
  switch (type) {
    case 'workflow_started':
    case 'workflow_completed':
    case 'workflow_failed':
      return undefined;
    case 'agent_thought':
      return { kind: 'thought', at, words: textOf(fields.thought) };
    case 'agent_message':
      if (fields.role === 'assistant') return { kind: 'thought', at, words: textOf(fields.content) };
      return { kind: 'other', at, name: `Message of ${textOf(fields.role) ?? 'somebody'}`, words: textOf(fields.content) };
    case 'step_completed':
      return { kind: 'action', at, name: textOf(fields.step_name) ?? 'unnamed step', value: fields.result };
    case 'tokens':
      return { kind: 'other', at, name: `Read ${String(fields.input)} tokens, wrote ${String(fields.output)}` };
    default:
      return { kind: 'other', at, name: type, value: data };
  }
}

/** The steps of an episode without a log: what it thought, and what it did, each in its order, and nobody knows when. */
export function stepsWithoutTimes({ thoughts, actions }: Episode): Step[] {
  return [
    ...thoughts.map((words): Step => ({ kind: 'thought', words })),
    ...actions.map(({ stepName, result }): Step => ({ kind: 'action', name: stepName, value: result })),
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
