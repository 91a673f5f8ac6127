import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Operation } from '../api/client';
import { useLive } from '../api/live';

/** Counts what comes that is not shown yet; `show` asks for what is in sight again, by which it is. */
export function useNews<Data extends object, Variables>(operation: Operation<Data, Variables>, variables: Omit<Variables, 'after'>, idOf: (data: Data) => string | undefined) {
  const client = useQueryClient();
  const [seen, setSeen] = useState<ReadonlySet<string>>(nothing);
  const asked = JSON.stringify(variables);
  useEffect(() => setSeen(nothing), [asked]);
  useLive(operation, variables, (data) => {
    const id = idOf(data);
    if (id) setSeen((before) => new Set(before).add(id));
  });
  const show = async () => {
    setSeen(nothing);
    await client.invalidateQueries();
  };
  return { count: seen.size, show: () => void show() };
}

const nothing: ReadonlySet<string> = new Set();
