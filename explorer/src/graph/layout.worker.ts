// Where records stand: ForceAtlas2, stage by stage as they were opened, so that the same view is laid out the same
// wherever it is opened, and what was there before an expansion hardly moves.
import Graph from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import type { Stage } from './model';

export type LayoutQuestion = { stages: Stage[] };
export type LayoutAnswer = { ids: string[]; points: Float32Array; done: boolean };

const work = 60_000; // iterations times records, of each stage
const [fewest, most] = [40, 300];
const atOnce = 20; // iterations between two answers
const many = 500; // records from which on far ones are taken together

onmessage = ({ data }: MessageEvent<LayoutQuestion>) => {
  const graph = new Graph({ multi: true, type: 'directed' });
  for (const [place, stage] of data.stages.entries()) {
    add(graph, stage);
    const last = place === data.stages.length - 1;
    const iterations = Math.max(fewest, Math.min(most, Math.round(work / Math.max(1, graph.order))));
    for (let done = 0; done < iterations; done += atOnce) {
      settle(graph);
      if (last) answer(graph, false);
    }
  }
  answer(graph, true);
};

function add(graph: Graph, { near, nodes, edges }: Stage) {
  const centre = near !== undefined && graph.hasNode(near) ? graph.getNodeAttributes(near) : { x: 0, y: 0 };
  for (const id of nodes) {
    const angle = hash(id) * 2 * Math.PI;
    const away = 10 * (1 + hash(`${id} `));
    graph.addNode(id, { x: centre.x + away * Math.cos(angle), y: centre.y + away * Math.sin(angle) });
  }
  for (const [source, target] of edges) graph.addEdge(source, target);
}

function settle(graph: Graph) {
  if (graph.order < 2) return;
  forceAtlas2.assign(graph, { iterations: atOnce, settings: { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: graph.order > many, adjustSizes: false } });
}

function answer(graph: Graph, done: boolean) {
  const ids = graph.nodes();
  const points = new Float32Array(2 * ids.length);
  ids.forEach((id, place) => {
    points[2 * place] = graph.getNodeAttribute(id, 'x');
    points[2 * place + 1] = graph.getNodeAttribute(id, 'y');
  });
  const message: LayoutAnswer = { ids, points, done };
  postMessage(message, { transfer: [points.buffer] });
}

/** A number from 0 to 1 that belongs to a text (FNV-1a), in place of chance. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) value = Math.imul(value ^ text.charCodeAt(place), 0x01000193) >>> 0;
  return value / 2 ** 32;
}
