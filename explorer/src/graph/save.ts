import { nameOf } from '../shared/names';
import { saveCsv } from '../shared/save';
import type { Model } from './model';

/** The links as CSV, with the names of both ends. */
export function saveLinks(model: Model) {
  const name = (id: string) => nameOf(model.records.get(id)!);
  const rows = [...model.edges.values()].map(({ source, type, target }) => [source, name(source), type, target, name(target)]);
  saveCsv('mneme-graph.csv', [['source', 'source name', 'type', 'target', 'target name'], ...rows]);
}
