export const outcomes = ['SUCCESS', 'FAILURE', 'UNKNOWN'] as const;
export const timeRanges = ['LAST_1D', 'LAST_7D', 'LAST_30D', 'LAST_90D'] as const;
export const canvasActions = ['PRESENT', 'CLOSE', 'SUBMIT', 'UPDATE', 'EXECUTE'] as const;

export const outcomeOptions = [
  { value: 'SUCCESS', label: 'success' },
  { value: 'FAILURE', label: 'failure' },
  { value: 'UNKNOWN', label: 'unknown' },
];

export const timeRangeOptions = [
  { value: 'LAST_1D', label: 'last day' },
  { value: 'LAST_7D', label: 'last 7 days' },
  { value: 'LAST_30D', label: 'last 30 days' },
  { value: 'LAST_90D', label: 'last 90 days' },
];

export const canvasActionOptions = canvasActions.map((value) => ({ value, label: value.toLowerCase() }));

/** The kinds of canvases that are built in; a deployment's own are generic, with a component. */
export const canvasTypes = ['charts', 'coding', 'docs', 'email', 'forms', 'generic', 'markdown', 'orchestration', 'sheets', 'terminal'];
