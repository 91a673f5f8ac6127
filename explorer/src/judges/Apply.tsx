import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client';
import { Failed } from '../shared/Answered';
import { Choice } from '../shared/Choice';
import type { Judge } from './Judges';
import { ApplyThresholdDocument } from './operations.generated';

/** What is to be applied: undefined while nobody said from which score on, null to take what is applied away. */
export type Applied = { sectionType?: string; threshold: number | null | undefined };

type Props = { judgeId: string; judge: Judge; first: Applied; onClose: () => void };

/** A number that is typed; undefined while it is none yet, such as a sign alone. */
function numberOf(typed: number | string): number | undefined {
  const number = typed === '' ? NaN : Number(typed);
  return Number.isFinite(number) ? number : undefined;
}

/** Asks before a threshold is applied or taken away, and says what that does. */
export function Apply({ judgeId, judge, first, onClose }: Props) {
  const [wanted, setWanted] = useState(first);
  const [typed, setTyped] = useState<number | string>(first.threshold ?? '');
  const client = useQueryClient();
  const apply = useMutation({
    mutationFn: () => ask(ApplyThresholdDocument, { input: { judgeId, sectionType: wanted.sectionType, threshold: wanted.threshold } }),
    onSuccess: async () => {
      await client.invalidateQueries();
      onClose();
    },
  });
  const { sectionType, threshold } = wanted;
  const sections = sectionType === undefined ? 'sections whose type has none of its own' : `sections of the type ${sectionType}`;
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body pt="md">
          <Modal.Title fw={600} mb="sm">
            {threshold === null ? 'Take the threshold away' : 'Apply a threshold'}
          </Modal.Title>
          <Stack>
            {threshold === null ? (
              <Text size="sm">
                Verdicts of {judgeId} on {sections} that are recorded from then on are compared with {sectionType === undefined ? 'none' : 'that of all types, where there is one'}. Those
                before keep what they were recorded under.
              </Text>
            ) : (
              <>
                <NumberInput
                  label="Approve from"
                  value={typed}
                  onChange={(value) => {
                    setTyped(value);
                    setWanted({ ...wanted, threshold: numberOf(value) });
                  }}
                  data-autofocus
                />
                <Choice
                  label="On sections of the type"
                  value={sectionType}
                  any="all types"
                  options={judge.scoreBySectionType.map((scored) => scored.sectionType)}
                  onChange={(chosen) => setWanted({ ...wanted, sectionType: chosen })}
                />
                <Text size="sm">
                  It decides nothing: verdicts of {judgeId} on {sections} that are recorded from then on say what it would have decided, so that it can be watched.
                </Text>
              </>
            )}
            {apply.error && <Failed error={apply.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button loading={apply.isPending} disabled={threshold === undefined} onClick={() => apply.mutate()}>
                {threshold === null ? 'Take away' : `Apply ${threshold ?? ''}`}
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
