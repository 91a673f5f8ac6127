import type { Named } from '../shared/names';

export type Edge = { source: string; target: string; type: string };

/** What one question brought: the records around one, or those of a path. */
export type Part = { nodes: Named[]; edges: Edge[]; more: boolean; truncated: boolean };

/** What a question added to what was there: its records, each next to the one that was opened. */
export type Stage = { near: string | undefined; nodes: string[]; edges: [source: string, target: string][] };

export type Model = { records: Map<string, Named>; edges: Map<string, Edge>; stages: Stage[] };

export const empty: Model = { records: new Map(), edges: new Map(), stages: [] };

/** Puts together what several questions brought, in their order. Each record and each link is there once. */
export function modelOf(parts: { opened: string | undefined; part: Part }[]): Model {
  const model: Model = { records: new Map(), edges: new Map(), stages: [] };
  for (const { opened, part } of parts) {
    const stage: Stage = { near: opened, nodes: [], edges: [] };
    for (const node of part.nodes) {
      if (!model.records.has(node.id)) stage.nodes.push(node.id);
      model.records.set(node.id, node);
    }
    for (const edge of part.edges) {
      const key = `${edge.source} ${edge.type} ${edge.target}`;
      if (model.edges.has(key) || !model.records.has(edge.source) || !model.records.has(edge.target)) continue;
      model.edges.set(key, edge);
      stage.edges.push([edge.source, edge.target]);
    }
    model.stages.push(stage);
  }
  return model;
}
