// How names are written beside records and links of the picture, so that none covers another.
import type Graph from 'graphology';
import type Sigma from 'sigma';

type Box = { left: number; right: number; top: number; bottom: number };
type Look = { dark: boolean; selected: string | undefined; hovered: string | undefined; least: number };

const font = 'Inter, system-ui, sans-serif';
const [sizeOfNames, sizeOfRelations] = [13, 11]; // pixels
const mostOfRelation = 3; // links of one type that are named
const farthest = 110; // pixels from what is chosen to the name of a link
const mostNames = 200;
const gap = 6; // pixels between two names

/** Writes names by weight, each where there is still room: of what is chosen or pointed at, of its links, of the larger records. `least` is the radius from which on a record has its name. */
export function drawNames(renderer: Sigma, graph: Graph, { dark, selected, hovered, least }: Look) {
  const context = renderer.getCanvases().labels!.getContext('2d')!;
  const { width, height } = renderer.getDimensions();
  const taken: Box[] = [];
  context.clearRect(0, 0, width, height);

  const place = (id: string) => {
    const data = renderer.getNodeDisplayData(id);
    if (!data || data.hidden) return undefined;
    const marked = id === hovered || Boolean(data.highlighted);
    const size = renderer.scaleSize(data.size);
    return { label: data.label ?? '', marked, wanted: marked || data.forceLabel || size >= least, size, ...renderer.framedGraphToViewport(data) };
  };
  const inside = ({ x, y }: { x: number; y: number }) => x > 0 && x < width && y > 0 && y < height;
  const free = (box: Box) => box.left > 0 && box.right < width && taken.every((other) => box.right + gap < other.left || box.left - gap > other.right || box.bottom < other.top || box.top > other.bottom);
  const write = (text: string, box: Box, colour: string) => {
    taken.push(box);
    // It is read over records too.
    context.strokeStyle = dark ? '#242424' : '#ffffff';
    context.lineWidth = 4;
    context.lineJoin = 'round';
    context.strokeText(text, box.left, box.bottom - 4);
    context.fillStyle = colour;
    context.fillText(text, box.left, box.bottom - 4);
  };

  const records = graph.nodes().flatMap((id) => place(id) ?? []).filter((at) => at.wanted && at.label && inside(at)).sort((a, b) => Number(b.marked) - Number(a.marked) || b.size - a.size);
  const writeName = ({ label, marked, size, x, y }: (typeof records)[number]) => {
    context.font = `${marked ? 600 : 400} ${sizeOfNames}px ${font}`;
    const long = context.measureText(label).width;
    const at = (left: number): Box => ({ left, right: left + long, top: y - sizeOfNames / 2 - 2, bottom: y + sizeOfNames / 2 + 3 });
    const [right, left] = [at(x + size + 4), at(x - size - 4 - long)];
    const box = [right, left].find(free) ?? (marked ? at(Math.max(4, Math.min(width - long - 4, right.left))) : undefined);
    if (box) write(label, box, dark ? '#c9c9c9' : '#212529');
  };
  const first = records.filter(({ marked }) => marked);
  first.forEach(writeName);

  const from = selected !== undefined && graph.hasNode(selected) ? place(selected) : undefined;
  const named = new Map<string, number>();
  context.font = `400 ${sizeOfRelations}px ${font}`;
  if (from) {
    const edges = graph.mapEdges(selected, (edge, { relation }, source, target) => ({ edge, relation: relation as string, other: source === selected ? target : source }));
    const counts = new Map<string, number>();
    for (const { relation } of edges) counts.set(relation, (counts.get(relation) ?? 0) + 1);
    // What is rare says more.
    for (const { edge, relation, other } of edges.sort((a, b) => counts.get(a.relation)! - counts.get(b.relation)!)) {
      const to = place(other);
      if (!to || renderer.getEdgeDisplayData(edge)?.hidden || (named.get(relation) ?? 0) >= mostOfRelation) continue;
      const [across, down] = [to.x - from.x, to.y - from.y];
      const far = Math.min(0.5, farthest / Math.hypot(across, down));
      const [x, y, long] = [from.x + far * across, from.y + far * down, context.measureText(relation).width];
      const box = { left: x - long / 2, right: x + long / 2, top: y - 8, bottom: y + 8 };
      if (!free(box)) continue;
      named.set(relation, (named.get(relation) ?? 0) + 1);
      write(relation, box, dark ? '#ffd8a8' : '#a33b05');
    }
  }
  records.slice(first.length, mostNames).forEach(writeName);
}

type Drawn = { x: number; y: number; size: number };

/** What is chosen or pointed at has a ring. */
export function drawRing(context: CanvasRenderingContext2D, { x, y, size }: Drawn, dark: boolean) {
  context.beginPath();
  context.arc(x, y, size + 3, 0, 2 * Math.PI);
  context.lineWidth = 2.5;
  context.strokeStyle = dark ? '#ffd8a8' : '#d9480f';
  context.stroke();
}
