/** The colour of each kind of record, which the legend names. */
export const colours: Record<string, string> = {
  Agent: '#e8590c',
  Canvas: '#be4bdb',
  Concept: '#1c7ed6',
  Correction: '#a9750f',
  Episode: '#7950f2',
  Execution: '#c0935b',
  Feedback: '#0ca678',
  LearningProfile: '#f08c00',
  Memoir: '#1864ab',
  Observation: '#66a80f',
  Pattern: '#0b7285',
  Run: '#e64980',
  Section: '#f783ac',
  Session: '#2b8a3e',
  Verdict: '#15aabf',
};

/** A concept that no longer holds. */
export const faded = '#adb5bd';
export const contradicted = '#f03e3e';

export const otherKind = '#868e96';

/** A disc with a ring of so large a part of its radius. */
export type Looks = { color: string; border?: number; borderColor?: string };

/** How a record looks: an agent has a dark rim, an episode that failed a red ring, and one of unknown outcome is an empty ring. */
export function looksOf(record: { __typename: string; outcome?: string }, color: string, dark: boolean): Looks {
  if (record.__typename === 'Agent') return { color, border: 0.25, borderColor: dark ? '#f1f3f5' : '#212529' };
  if (record.outcome === 'FAILURE') return { color, border: 0.45, borderColor: contradicted };
  return record.outcome === 'UNKNOWN' ? { color: dark ? '#242424' : '#ffffff', border: 0.35, borderColor: color } : { color };
}
