import { Button, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Operation } from '../api/client';
import { useMay } from '../api/viewer';
import { Dialog } from './Dialog';
import { useAct } from './useAct';

type Props<Data> = { id: string; what: string; operation: Operation<Data, { id: string }>; onDone: () => void; children: ReactNode };

/** Deletes a record for good, after saying what goes with it; for admins alone. */
export function Delete<Data>({ id, what, operation, onDone, children }: Props<Data>) {
  const may = useMay('ADMIN');
  const [wanted, setWanted] = useState(false);
  const act = useAct(operation, onDone);
  if (!may) return null;
  return (
    <>
      <Button size="xs" variant="default" c="var(--mantine-color-red-text)" onClick={() => setWanted(true)}>
        Delete…
      </Button>
      {wanted && (
        <Dialog title={`Delete this ${what}`} act="Delete for good" danger busy={act.isPending} error={act.error} onAct={() => act.mutate({ id })} onClose={() => setWanted(false)}>
          <Text size="sm">{children}</Text>
          <Text size="sm">Nothing brings it back, but an import that is forced.</Text>
        </Dialog>
      )}
    </>
  );
}
