/** The kind of a record, by its global id. */
export function kindOf(id: string): string {
  return id.slice(0, id.indexOf(':'));
}

/** Where a record is shown best. */
export function recordHref(id: string): string {
  const kind = kindOf(id);
  if (kind === 'episode') return `#/episodes/${encodeURIComponent(id)}`;
  if (kind === 'agent') return `#/agents/${encodeURIComponent(id)}`;
  if (kind === 'concept') return `#/memory?view=concepts&concept=${encodeURIComponent(id)}`;
  if (kind === 'run') return `#/judges?view=runs&run=${encodeURIComponent(id)}`;
  if (kind === 'observation') return `#/memory?view=observations&observation=${encodeURIComponent(id)}`;
  if (kind === 'correction') return `#/memory?view=corrections&correction=${encodeURIComponent(id)}`;
  return graphHref(id);
}

/** Where an episode is shown at a moment of it: at the entry of its log, or the thought or action; else as a whole. */
export function momentHref(id: string, moment?: { part: string; position: number }): string {
  if (moment?.part === 'EVENT') return `${recordHref(id)}?step=${moment.position}`;
  if (moment?.part === 'THOUGHT' || moment?.part === 'ACTION') return `${recordHref(id)}?${moment.part.toLowerCase()}=${moment.position}`;
  return recordHref(id);
}

export function graphHref(id: string): string {
  return `#/graph?root=${encodeURIComponent(id)}`;
}
