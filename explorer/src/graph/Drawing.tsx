import { ActionIcon, Box, Group, Tooltip, useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconArrowsMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import Graph from 'graphology';
import { useEffect, useRef, type RefObject } from 'react';
import Sigma from 'sigma';
import { nameOf, standingOf, type Named } from '../shared/names';
import { shortened } from '../shared/shortened';
import { colours, contradicted, faded, otherKind } from './colours';
import type { Edge, Model } from './model';
import { drawName, drawRing } from './names';
import type { Point } from './search';
import type { Layout } from './useLayout';

type Props = {
  model: Model;
  layout: Layout;
  selected: string | undefined;
  onPath: Set<string>;
  hidden: { kinds: Set<string>; relations: Set<string> };
  onSelect: (id: string | undefined) => void;
  onOpen: (id: string) => void;
  onPin: (id: string, point: Point) => void;
  sigma: RefObject<Sigma | null>;
};

/** From here on links are left out while the picture is moved, so that it follows the hand. */
const manyLinks = 3000;

/** Up to here all records have their names, where there is room; of more only the large ones, and those that are near. */
const fewRecords = 40;

/** How many characters of a name stand in the picture; the list and the details have the rest. */
const longestName = 28;

/** The graph as a picture: a click selects, a double click opens, dragging pins. */
export function Drawing(props: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const graph = useRef(new Graph({ multi: true, type: 'directed' }));
  // What the renderer asks about while it draws.
  const shown = useRef(props);
  shown.current = props;
  const { model, layout, selected, onPath, hidden, sigma } = props;
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
    fill(graph.current, model);
    sigma.current?.setCustomBBox(null);
    sigma.current?.setSetting('hideEdgesOnMove', model.edges.size > manyLinks);
    sigma.current?.setSetting('labelRenderedSizeThreshold', model.records.size > fewRecords ? 7 : 0);
  }, [model, scheme]);
  useEffect(() => {
    place(graph.current, layout.points);
    sigma.current?.refresh();
  }, [layout, model, scheme]);
  useEffect(() => {
    sigma.current?.refresh({ skipIndexation: true });
  }, [selected, onPath, hidden]);
  useEffect(() => {
    const at = selected && sigma.current?.getNodeDisplayData(selected);
    if (at && layout.done) void sigma.current?.getCamera().animate({ x: at.x, y: at.y }, { duration: still ? 0 : 300 });
  }, [selected, layout.done]);

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
        aria-label={`A graph of ${model.records.size} records and ${model.edges.size} links; the list of records has the same.`}
        data-laid-out={layout.done}
        h={{ base: '55vh', md: '72vh' }}
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
    labelColor: { color: dark ? '#c9c9c9' : '#212529' },
    defaultEdgeColor: dark ? '#4a4a4a' : '#ced4da',
    edgeLabelColor: { color: dark ? '#b8b8b8' : '#495057' },
    defaultEdgeType: 'arrow',
    defaultDrawNodeLabel: drawName,
    defaultDrawNodeHover: (context, data, settings) => drawRing(context, data, settings, dark),
    zIndex: true,
    allowInvalidContainer: true,
    nodeReducer: (id, data) => {
      const { selected, onPath, hidden } = shown.current;
      const marked = id === selected || onPath.has(id);
      return { ...data, hidden: hidden.kinds.has(data.kind), highlighted: marked, forceLabel: marked || data.standing, zIndex: marked ? 1 : 0, size: marked ? data.size * 1.6 : data.size };
    },
    edgeReducer: (edge, data) => {
      const { onPath, hidden } = shown.current;
      const along = onPath.has(graph.source(edge)) && onPath.has(graph.target(edge));
      return { ...data, hidden: hidden.relations.has(data.relation), ...(along && { color: '#f76707', size: 3, zIndex: 1 }) };
    },
  });
  renderer.on('clickNode', ({ node }) => shown.current.onSelect(node));
  renderer.on('clickStage', () => shown.current.onSelect(undefined));
  renderer.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
    preventSigmaDefault();
    shown.current.onOpen(node);
  });
  drag(renderer, graph, shown);
  return renderer;
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

/** Brings the graph to what the model has; what is in both stays as it is. */
function fill(graph: Graph, model: Model) {
  for (const id of graph.nodes()) if (!model.records.has(id)) graph.dropNode(id);
  for (const key of graph.edges()) if (!model.edges.has(key)) graph.dropEdge(key);
  for (const [id, record] of model.records) {
    if (!graph.hasNode(id)) graph.addNode(id, { ...looks(record), x: Math.random(), y: Math.random() });
  }
  for (const [key, edge] of model.edges) if (!graph.hasEdge(key)) graph.addEdgeWithKey(key, edge.source, edge.target, edgeLooks(edge));
  graph.forEachNode((id) => graph.setNodeAttribute(id, 'size', 3 + Math.min(9, 1.3 * Math.sqrt(graph.degree(id)))));
}

function looks(record: Named) {
  const standing = standingOf(record);
  const color = standing === 'superseded' ? faded : standing === 'contradicted' ? contradicted : (colours[record.__typename] ?? otherKind);
  const name = shortened(nameOf(record), longestName);
  return { kind: record.__typename, standing: standing !== undefined, label: standing ? `${name} (${standing})` : name, color };
}

function edgeLooks({ type }: Edge) {
  const color = type === 'CONTRADICTS' ? contradicted : type === 'SUPERSEDED_BY' ? '#f08c00' : undefined;
  return { relation: type, size: 1, ...(color && { color, size: 2 }) };
}

function place(graph: Graph, points: Map<string, Point>) {
  for (const [id, point] of points) if (graph.hasNode(id)) graph.mergeNodeAttributes(id, point);
}
