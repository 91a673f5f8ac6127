import { rangeSearch } from '../shared/range';
import { instant, oneOf, text, whole } from '../shared/search';

/** A view of the graph, as the address keeps it: whoever opens it sees the same. */
export type GraphSearch = ReturnType<typeof graphSearch>;

export function graphSearch(raw: Record<string, unknown>) {
  return {
    ...rangeSearch(raw),
    root: text(raw, 'root'),
    depth: whole(raw, 'depth', 1, 3),
    most: whole(raw, 'most', 100, 5000),
    open: texts(raw, 'open'),
    selected: text(raw, 'selected'),
    hide: texts(raw, 'hide'),
    without: texts(raw, 'without'),
    by: oneOf(raw, 'by', colourings),
    early: instant(raw, 'early'),
    late: instant(raw, 'late'),
    pathFrom: text(raw, 'pathFrom'),
    pathTo: text(raw, 'pathTo'),
    pins: texts(raw, 'pins'),
    find: text(raw, 'find'),
  };
}

/** What colours of records stand for. */
export const colourings = ['kind', 'community'] as const;

/** Without a choice, the memory at a glance shows communities, and what is around a record kinds. */
export function colouringOf({ by, root }: GraphSearch): (typeof colourings)[number] {
  return by ?? (root === undefined ? 'community' : 'kind');
}

function texts(raw: Record<string, unknown>, name: string): string[] | undefined {
  const value = raw[name];
  if (!Array.isArray(value)) return undefined;
  const all = value.filter((item) => typeof item === 'string');
  return all.length > 0 ? all : undefined;
}

/** A list with a value where it had none, and without it where it had; undefined where nothing is left. */
export function toggled(list: string[] | undefined, value: string): string[] | undefined {
  const left = list?.includes(value) ? list.filter((item) => item !== value) : [...(list ?? []), value];
  return left.length > 0 ? left : undefined;
}

export type Point = { x: number; y: number };

/** Where records were put by hand; a pin reads `x,y,id`. */
export function pinned(pins: string[] | undefined): Map<string, Point> {
  const points = new Map<string, Point>();
  for (const pin of pins ?? []) {
    const [, x, y, id] = /^(-?[\d.]+),(-?[\d.]+),(.+)$/s.exec(pin) ?? [];
    if (id) points.set(id, { x: Number(x), y: Number(y) });
  }
  return points;
}

export function withPin(pins: string[] | undefined, id: string, point: Point | undefined): string[] | undefined {
  const others = (pins ?? []).filter((pin) => !pin.endsWith(`,${id}`));
  const all = point ? [...others, `${point.x.toFixed(1)},${point.y.toFixed(1)},${id}`] : others;
  return all.length > 0 ? all : undefined;
}
