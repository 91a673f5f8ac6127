/** The colour of each kind of record, which the legend names. */
export const colours: Record<string, string> = {
  Agent: '#e8590c',
  Canvas: '#ae3ec9',
  Concept: '#1c7ed6',
  Correction: '#c2255c',
  Episode: '#4263eb',
  Execution: '#868e96',
  Feedback: '#0ca678',
  LearningProfile: '#f08c00',
  Memoir: '#1864ab',
  Observation: '#66a80f',
  Pattern: '#0b7285',
  Run: '#862e9c',
  Section: '#da77f2',
  Session: '#5c5f66',
  Verdict: '#a61e4d',
};

/** A concept that no longer holds. */
export const faded = '#adb5bd';
export const contradicted = '#f03e3e';

export const otherKind = '#868e96';
