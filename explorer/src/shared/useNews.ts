import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Operation } from '../api/client';
import { useLive } from '../api/live';

type Counted<Data> = { idOf: (data: Data) => string | undefined; say: (count: number) => string };

/** Says what came that is not shown yet, or that something may have; `show` asks for what is in sight again, by which it is. */
export function useNews<Data extends object, Variables>(operation: Operation<Data, Variables>, variables: Omit<Variables, 'after'>, { idOf, say }: Counted<Data>) {
  const client = useQueryClient();
  const [seen, setSeen] = useState<ReadonlySet<string>>(nothing);
  const asked = JSON.stringify(variables);
  const [missed, setMissed] = useState(false);
  const forget = () => {
    setSeen(nothing);
    setMissed(false);
  };
  useEffect(forget, [asked]);
  useLive(operation, variables, {
    onEvent: (data) => {
      const id = idOf(data);
      if (id) setSeen((before) => new Set(before).add(id));
    },
    onGap: () => setMissed(true),
  });
  const show = () => {
    forget();
    void client.invalidateQueries();
  };
  return { what: missed ? 'There may be more' : seen.size > 0 ? say(seen.size) : undefined, onShow: show };
}

const nothing: ReadonlySet<string> = new Set();
