import { ActionIcon, Box, Group, Tooltip, useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconArrowsMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import Graph from 'graphology';
import { useEffect, useRef, type RefObject } from 'react';
import Sigma from 'sigma';
import { nameOf, standingOf, type Named } from '../shared/names';
import { shortened } from '../shared/shortened';
import { createNodeBorderProgram } from '@sigma/node-border';
import { colours, contradicted, faded, looksOf, otherKind, type Looks } from './colours';
import type { Edge, Model } from './model';
import { drawNames, drawRing } from './names';
import type { Point } from './search';
import type { Seen } from './seen';
import type { Layout } from './useLayout';

type Props = {
  model: Model;
  layout: Layout;
  seen: Seen;
  /** The colours of communities, where they are what colours stand for. */
  colourOf: Map<string, string> | undefined;
  selected: string | undefined;
  onPath: Set<string>;
  /** The types of links that are left out. */
  without: string[] | undefined;
  onSelect: (id: string | undefined) => void;
  onOpen: (id: string) => void;
  onPin: (id: string, point: Point) => void;
  sigma: RefObject<Sigma | null>;
};

/** From here on links are left out while the picture is moved, so that it follows the hand. */
const manyLinks = 3000;

/** Up to here all records have their names, where there is room; of more only those of such a radius in pixels. */
const fewRecords = 40;
const leastNamed = 7;

/** How many characters of a name stand in the picture; the list and the details have the rest. */
const longestName = 28;

/** The graph as a picture: a click selects, a double click opens, dragging pins. */
export function Drawing(props: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const graph = useRef(new Graph({ multi: true, type: 'directed' }));
  // What the renderer asks about while it draws.
  const shown = useRef(props);
  shown.current = props;
  const { model, layout, seen, colourOf, selected, onPath, sigma } = props;
  const camera = useRef<ReturnType<ReturnType<Sigma['getCamera']>['getState']>>(undefined);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const still = useReducedMotion();

  useEffect(() => {
    const renderer = start(graph.current, frame.current!, shown, scheme === 'dark');
    sigma.current = renderer;
    // Other colours are no other place.
    if (camera.current) renderer.getCamera().setState(camera.current);
    return () => {
      camera.current = renderer.getCamera().getState();
      renderer.kill();
      sigma.current = null;
    };
  }, [scheme]);

  useEffect(() => {
    fill(graph.current, model, (record) => looks(record, colourOf, scheme === 'dark'));
    sigma.current?.setCustomBBox(null);
    sigma.current?.setSetting('hideEdgesOnMove', model.edges.size > manyLinks);
  }, [model, scheme, colourOf]);
  useEffect(() => {
    place(graph.current, layout.points);
    sigma.current?.refresh();
  }, [layout, model, scheme, colourOf]);
  useEffect(() => {
    sigma.current?.refresh({ skipIndexation: true });
  }, [selected, onPath, seen]);
  // What is laid out anew, as by an expansion, is seen as a whole.
  useEffect(() => {
    if (layout.done) void sigma.current?.getCamera().animatedReset({ duration: still ? 0 : 300 });
  }, [layout.done]);
  useEffect(() => {
    const at = selected && sigma.current?.getNodeDisplayData(selected);
    if (at && layout.done && !inFrame(sigma.current!, at)) void sigma.current!.getCamera().animate({ x: at.x, y: at.y }, { duration: still ? 0 : 300 });
  }, [selected]);

  const zoom = (how: 'animatedZoom' | 'animatedUnzoom' | 'animatedReset') => () => {
    // What was pinned outside of the frame belongs to the whole.
    if (how === 'animatedReset') sigma.current?.setCustomBBox(null).refresh();
    void sigma.current?.getCamera()[how]({ duration: still ? 0 : 200 });
  };
  return (
    <Box pos="relative">
      <Box
        ref={frame}
        role="img"
        aria-label={`A graph of ${seen.records.size} records and ${seen.edges.length} links; the list of records has the same.`}
        data-laid-out={layout.done}
        h={{ base: '55vh', md: '66vh' }}
        style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 8, overflow: 'hidden' }}
      />
      <Group pos="absolute" top={8} right={8} gap={4}>
        <Zoom label="Nearer" Icon={IconZoomIn} onClick={zoom('animatedZoom')} />
        <Zoom label="Farther" Icon={IconZoomOut} onClick={zoom('animatedUnzoom')} />
        <Zoom label="Whole graph" Icon={IconArrowsMaximize} onClick={zoom('animatedReset')} />
      </Group>
    </Box>
  );
}

function Zoom({ label, Icon, onClick }: { label: string; Icon: typeof IconZoomIn; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={label} onClick={onClick}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

function start(graph: Graph, frame: HTMLElement, shown: RefObject<Props>, dark: boolean): Sigma {
  const renderer = new Sigma(graph, frame, {
    defaultEdgeColor: dark ? '#4a4a4a' : '#ced4da',
    defaultEdgeType: 'arrow',
    defaultNodeType: 'ringed',
    nodeProgramClasses: { ringed },
    renderLabels: false, // `drawNames` writes them
    defaultDrawNodeHover: (context, data) => drawRing(context, data, dark),
    zIndex: true,
    allowInvalidContainer: true,
    nodeReducer: (id, data) => {
      const { selected, onPath, seen } = shown.current;
      const marked = id === selected || onPath.has(id);
      return { ...data, hidden: !seen.records.has(id), highlighted: marked, forceLabel: data.standing, zIndex: marked ? 1 : 0, size: marked ? data.size * 1.6 : data.size };
    },
    edgeReducer: (edge, data) => {
      const { onPath, selected, without } = shown.current;
      const [source, target] = graph.extremities(edge);
      const along = onPath.has(source) && onPath.has(target);
      const near = source === selected || target === selected;
      return { ...data, hidden: without?.includes(data.relation), ...(near && { color: data.color ?? (dark ? '#909296' : '#868e96'), zIndex: 1 }), ...(along && { color: '#f76707', size: 3, zIndex: 1 }) };
    },
  });
  let hovered: string | undefined;
  const names = () => drawNames(renderer, graph, { dark, selected: shown.current.selected, hovered, least: graph.order > fewRecords ? leastNamed : 0 });
  const hover = (id: string | undefined) => {
    hovered = id;
    names();
  };
  renderer.on('afterRender', names);
  renderer.on('enterNode', ({ node }) => hover(node));
  renderer.on('leaveNode', () => hover(undefined));
  renderer.on('clickNode', ({ node }) => shown.current.onSelect(node));
  renderer.on('clickStage', () => shown.current.onSelect(undefined));
  renderer.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
    preventSigmaDefault();
    shown.current.onOpen(node);
  });
  drag(renderer, graph, shown);
  return renderer;
}

const ringed = createNodeBorderProgram({
  borders: [
    { size: { attribute: 'border', defaultValue: 0 }, color: { attribute: 'borderColor' } },
    { size: { fill: true }, color: { attribute: 'color' } },
  ],
});

function inFrame(renderer: Sigma, at: Point): boolean {
  const [{ x, y }, { width, height }] = [renderer.framedGraphToViewport(at), renderer.getDimensions()];
  return x > 0 && x < width && y > 0 && y < height;
}

const trembling = 4; // pixels

/** Takes a record along with the pointer, and pins it where it is let go. */
function drag(renderer: Sigma, graph: Graph, shown: RefObject<Props>) {
  let held: { id: string; from: Point; moved: boolean } | undefined;
  renderer.on('downNode', ({ node, event: { x, y } }) => {
    held = { id: node, from: { x, y }, moved: false };
    // The frame stays while something is moved, or everything else would.
    if (!renderer.getCustomBBox()) renderer.setCustomBBox(renderer.getBBox());
  });
  renderer.on('moveBody', ({ event }) => {
    if (!held) return;
    // A hand that clicks trembles.
    held.moved ||= Math.hypot(event.x - held.from.x, event.y - held.from.y) > trembling;
    if (!held.moved) return;
    graph.mergeNodeAttributes(held.id, renderer.viewportToGraph(event));
    event.preventSigmaDefault();
  });
  const letGo = () => {
    if (held?.moved) {
      const { x, y } = graph.getNodeAttributes(held.id);
      shown.current.onPin(held.id, { x, y });
    }
    held = undefined;
  };
  renderer.on('upNode', letGo);
  renderer.on('upStage', letGo);
}

/** Brings the graph to what the model has; what is in both stays where it is. */
function fill(graph: Graph, model: Model, looksOfRecord: (record: Named) => object) {
  for (const id of graph.nodes()) if (!model.records.has(id)) graph.dropNode(id);
  for (const key of graph.edges()) if (!model.edges.has(key)) graph.dropEdge(key);
  for (const [id, record] of model.records) {
    if (!graph.hasNode(id)) graph.addNode(id, { x: Math.random(), y: Math.random() });
    graph.mergeNodeAttributes(id, looksOfRecord(record));
  }
  for (const [key, edge] of model.edges) if (!graph.hasEdge(key)) graph.addEdgeWithKey(key, edge.source, edge.target, edgeLooks(edge));
  graph.forEachNode((id) => graph.setNodeAttribute(id, 'size', 3 + Math.min(9, 1.3 * Math.sqrt(graph.degree(id)))));
}

function looks(record: Named, colourOf: Map<string, string> | undefined, dark: boolean): Looks & { label: string; standing: boolean } {
  const standing = standingOf(record);
  const ofStanding = standing === 'superseded' ? faded : standing === 'contradicted' ? contradicted : undefined;
  const color = colourOf?.get(record.id) ?? ofStanding ?? colours[record.__typename] ?? otherKind;
  const name = shortened(nameOf(record), longestName);
  return { label: standing ? `${name} (${standing})` : name, standing: standing !== undefined, border: 0, borderColor: color, ...looksOf(record, color, dark) };
}

function edgeLooks({ type }: Edge) {
  const color = type === 'CONTRADICTS' ? contradicted : type === 'SUPERSEDED_BY' ? '#f08c00' : undefined;
  return { relation: type, size: 1, ...(color && { color, size: 2 }) };
}

function place(graph: Graph, points: Map<string, Point>) {
  for (const [id, point] of points) if (graph.hasNode(id)) graph.mergeNodeAttributes(id, point);
}
