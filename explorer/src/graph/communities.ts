import Graph from 'graphology';
import louvain from 'graphology-communities-louvain';
import type { Model } from './model';
import { otherKind } from './colours';

/** Records that are linked with one another more than with the rest: named by the one that most are linked with. */
export type Community = { centre: string; size: number; colour: string };

// Far from the red of failures.
const colours = ['#1c7ed6', '#2f9e44', '#9c36b5', '#a9750f', '#0c8599', '#5f3dc4', '#66a80f', '#364fc7', '#15aabf', '#495057'];
const fewest = 3; // records of a community that has a colour of its own

/** The largest communities, and the colour of each record. */
export function communitiesOf(model: Model): { communities: Community[]; colourOf: Map<string, string> } {
  const graph = new Graph({ type: 'undirected' });
  for (const id of model.records.keys()) graph.addNode(id);
  // A memoir is linked with all its concepts, whatever they are about.
  for (const { source, target, type } of model.edges.values()) if (type !== 'CONTAINS') graph.mergeEdge(source, target);
  const members = new Map<number, string[]>();
  // Without chance, the same graph has the same colours.
  for (const [id, community] of Object.entries(louvain(graph, { randomWalk: false }))) members.set(community, [...(members.get(community) ?? []), id]);
  const large = [...members.values()].filter(({ length }) => length >= fewest).sort((a, b) => b.length - a.length).slice(0, colours.length);
  const communities = large.map((ids, place) => ({ centre: ids.reduce((a, b) => (graph.degree(b) > graph.degree(a) ? b : a)), size: ids.length, colour: colours[place]! }));
  const colourOf = new Map([...model.records.keys()].map((id) => [id, otherKind]));
  large.forEach((ids, place) => ids.forEach((id) => colourOf.set(id, colours[place]!)));
  return { communities, colourOf };
}
