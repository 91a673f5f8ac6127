import { duration } from '../shared/numbers';
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

/** What an agent thought, did or was told; `at` is when, where the log says so, and `facts` what it took. */
export type Step = { kind: 'thought' | 'action' | 'other'; at?: string; name?: string; facts?: string; words?: string; value?: unknown };

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
      return { kind: 'other', at, name: `Model ${used(fields)}` };
    default:
      return isSpan(type, fields) ? stepOfSpan(fields, at) : { kind: 'other', at, name: type, value: data };
  }
}

/** What is read of a span, as a trace's log holds it. */
type Span = { kind: string; name: string; gave?: unknown; said?: string[]; error?: string; usage?: Usage; startedAt: string; endedAt: string };

/** Whether an entry is a span, and not what somebody else calls so. */
function isSpan(type: string, fields: object): fields is Span {
  const { kind, name, said, startedAt, endedAt } = fields as Partial<Record<keyof Span, unknown>>;
  return type === `${kind}_span` && typeof name === 'string' && (said === undefined || Array.isArray(said)) && !Number.isNaN(Date.parse(String(startedAt)) + Date.parse(String(endedAt)));
}

type Usage = { input?: unknown; output?: unknown; cost?: unknown };

function stepOfSpan({ kind, name, gave, said, error, usage, startedAt, endedAt }: Span, at: string): Step {
  const took = `took ${duration((Date.parse(endedAt) - Date.parse(startedAt)) / 1000)}`;
  if (kind === 'tool') return { kind: 'action', at, name, facts: took, value: error ?? gave };
  const facts = usage ? `${took}, ${used(usage)}` : took;
  if (kind === 'model') return { kind: said ? 'thought' : 'other', at, name, facts, words: said?.join('\n') ?? error };
  return { kind: 'other', at, name, facts, words: error };
}

/** How many tokens a model read and wrote, and for how much. */
function used({ input, output, cost }: Usage): string {
  return `read ${String(input ?? 0)} tokens, wrote ${String(output ?? 0)}${typeof cost === 'number' ? `, for ${dollars.format(cost)}` : ''}`;
}

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 });

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
