import { ask } from '../api/client';
import { boundsOf, type RangeSearch } from '../shared/range';
import type { Named } from '../shared/names';
import type { Edge, Part } from './model';
import { KnownDocument, LatestDocument, LinkedDocument, type LatestQuery } from './operations.generated';

type Episode = LatestQuery['episodes']['nodes'][number];

// Together 300 records.
export const mostEpisodes = 200;
const [mostAgents, mostConcepts] = [20, 80];

/** The memory at a glance: the newest episodes of a time range, with the agents and concepts that are linked most. */
export async function readPicture(range: RangeSearch, signal: AbortSignal): Promise<Part> {
  const [{ episodes, more }, { memoirs }] = await Promise.all([readLatest(range, signal), ask(KnownDocument, {}, signal)]);
  const known = [...episodes.flatMap(({ concepts }) => concepts), ...memoirs.nodes.flatMap(({ concepts }) => concepts.nodes)];
  const { nodes } = await ask(LinkedDocument, { ids: mostFrequent(known.map(({ id }) => id), mostConcepts) }, signal);
  const concepts = nodes.flatMap((node) => (node?.__typename === 'Concept' ? [node] : []));
  const agents = new Map(episodes.map(({ agent }) => [agent.id, agent]));
  return {
    nodes: [...mostFrequent(episodes.map(({ agent }) => agent.id), mostAgents).map((id) => agents.get(id)!), ...concepts, ...episodes] as Named[],
    edges: [...episodes.flatMap(linksOf), ...concepts.flatMap(({ id, relations }) => relations.map(({ type, target }) => ({ source: id, type, target: target.id })))],
    more,
    truncated: false,
  };
}

async function readLatest(range: RangeSearch, signal: AbortSignal) {
  const episodes: Episode[] = [];
  let page: LatestQuery['episodes']['pageInfo'] | undefined;
  do {
    const answer = await ask(LatestDocument, { filter: boundsOf(range), after: page?.endCursor }, signal);
    episodes.push(...answer.episodes.nodes);
    page = answer.episodes.pageInfo;
  } while (page.hasNextPage && episodes.length < mostEpisodes);
  return { episodes, more: page.hasNextPage };
}

function linksOf({ id, agent, concepts, causedBy, informedBy }: Episode): Edge[] {
  const to = (type: string, targets: { id: string }[]) => targets.map((target) => ({ source: id, type, target: target.id }));
  return [{ source: agent.id, type: 'RAN', target: id }, ...to('MENTIONS', concepts), ...to('CAUSED_BY', causedBy.nodes), ...to('INFORMED_BY', informedBy.nodes)];
}

/** The values that are there most often, each once. */
function mostFrequent(values: string[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, most).map(([value]) => value);
}
