import { Button, Group } from '@mantine/core';
import { useMay, useViewer } from '../api/viewer';
import { Failed } from '../shared/Answered';
import { LabelVerdictDocument } from './operations.generated';
import { useAct } from './useAct';

/** Where a person says whether they would have approved. A later label takes the place of an earlier one. */
export function Label({ verdictId, label, of }: { verdictId: string; label: boolean | null; of: string }) {
  const may = useMay('WRITER');
  const viewer = useViewer();
  const act = useAct(LabelVerdictDocument);
  if (!may) return null;
  const say = (approve: boolean) => act.mutate({ input: { verdictId, approve, labelledBy: viewer?.name || undefined } });
  return (
    <Group gap={4} role="group" aria-label={`Your label of ${of}`}>
      <Button size="compact-xs" variant={label === true ? 'light' : 'default'} aria-pressed={label === true} disabled={act.isPending} onClick={() => say(true)}>
        I would approve
      </Button>
      <Button size="compact-xs" variant={label === false ? 'light' : 'default'} aria-pressed={label === false} disabled={act.isPending} onClick={() => say(false)}>
        I would not
      </Button>
      {act.error && <Failed error={act.error} />}
    </Group>
  );
}
