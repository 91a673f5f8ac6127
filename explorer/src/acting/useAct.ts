import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ask, type Operation } from '../api/client';

/** Does something by the API, and asks anew for what is in sight, which may be another by then, unless that waits. */
export function useAct<Data, Variables>(operation: Operation<Data, Variables>, onDone?: (data: Data) => void, waits = false) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => ask(operation, variables),
    onSuccess: async (data) => {
      onDone?.(data);
      if (!waits) await client.invalidateQueries();
    },
  });
}
