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
