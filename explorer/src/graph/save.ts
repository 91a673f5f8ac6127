import type Sigma from 'sigma';
import { nameOf } from '../shared/names';
import { save, saveCsv } from '../shared/save';
import type { Seen } from './seen';

/** The links as CSV, with the names of both ends. */
export function saveLinks({ records, edges }: Seen) {
  const name = (id: string) => nameOf(records.get(id)!);
  const rows = edges.map(({ source, type, target }) => [source, name(source), type, target, name(target)]);
  saveCsv('mneme-graph.csv', [['source', 'source name', 'type', 'target', 'target name'], ...rows]);
}

/** The picture as PNG, as it is seen. */
export function savePicture(renderer: Sigma) {
  renderer.refresh(); // what WebGL drew is there until the browser has shown it
  const layers = Object.values(renderer.getCanvases());
  const whole = document.createElement('canvas');
  [whole.width, whole.height] = [layers[0]!.width, layers[0]!.height];
  const context = whole.getContext('2d')!;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, whole.width, whole.height);
  for (const layer of layers) context.drawImage(layer, 0, 0);
  whole.toBlob((content) => content && save('mneme-graph.png', content));
}
