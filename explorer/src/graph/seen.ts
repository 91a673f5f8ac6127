import { useMemo } from 'react';
import type { Named } from '../shared/names';
import type { Edge, Model } from './model';
import type { GraphSearch } from './search';

/** What of a graph is seen, by the filters of the address. */
export type Seen = { records: Map<string, Named>; edges: Edge[] };

export function useSeen(model: Model, { hide, without, early, late }: GraphSearch): Seen {
  return useMemo(() => {
    const [hidden, left, from, to] = [new Set(hide), new Set(without), early ? Date.parse(early) : -Infinity, late ? Date.parse(late) : Infinity];
    const records = new Map([...model.records].filter(([, record]) => !hidden.has(record.__typename) && (record.__typename !== 'Episode' || (!hidden.has(record.outcome) && within(record.startedAt, from, to)))));
    const edges = [...model.edges.values()].filter(({ source, target, type }) => records.has(source) && records.has(target) && !left.has(type));
    return { records, edges };
  }, [model, hide, without, early, late]);
}

function within(at: string, from: number, to: number): boolean {
  const time = Date.parse(at);
  return time >= from && time <= to;
}
