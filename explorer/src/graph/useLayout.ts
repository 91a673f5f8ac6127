import { useEffect, useMemo, useState } from 'react';
import LayoutWorker from './layout.worker?worker';
import type { LayoutAnswer, LayoutQuestion } from './layout.worker';
import type { Stage } from './model';
import type { Point } from './search';

export type Layout = { points: Map<string, Point>; done: boolean };

/** Where the records stand, as far as that is worked out; a worker does it, so that the page stays smooth. Pins move nothing but what is pinned. */
export function useLayout(stages: Stage[], pins: Map<string, Point>): Layout {
  const [layout, setLayout] = useState<Layout>({ points: new Map(), done: false });
  useEffect(() => {
    if (stages.length === 0) return;
    const worker = new LayoutWorker();
    worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => setLayout(read(data));
    const question: LayoutQuestion = { stages };
    worker.postMessage(question);
    return () => worker.terminate();
  }, [stages]);
  return useMemo(() => ({ points: new Map([...layout.points, ...pins]), done: layout.done }), [layout, pins]);
}

function read({ ids, points, done }: LayoutAnswer): Layout {
  return { points: new Map(ids.map((id, place) => [id, { x: points[2 * place]!, y: points[2 * place + 1]! }])), done };
}
