import { Alert, Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client';
import { useList } from '../api/list';
import { useMay } from '../api/viewer';
import { Failed } from '../shared/Answered';
import { Listed } from '../shared/Listed';
import { Section } from '../shared/Section';
import { ObservationLine } from './Observations';
import { ObservationsDocument, PruneDocument } from './operations.generated';

const usualLimit = 0.3;

/** Deletes what weighs little; what that is, is shown before. */
export function Prune() {
  const [minWeight, setMinWeight] = useState(usualLimit);
  const preview = useMutation({ mutationFn: () => ask(PruneDocument, { minWeight, dryRun: true }) });
  const candidates = preview.data?.prune.candidates;
  return (
    <Section title="Prune" about="Observations that weigh little can be deleted; critical and high ones never are. You see which, before anything is deleted.">
      <Group align="flex-end">
        <NumberInput label="Those that weigh less than" value={minWeight} onChange={(value) => setMinWeight(Number(value))} min={0} max={1} step={0.1} decimalScale={2} w={180} />
        <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate()}>
          Preview
        </Button>
      </Group>
      {preview.error && <Failed error={preview.error} />}
      <Modal.Root opened={candidates !== undefined} onClose={() => preview.reset()} size="lg">
        <Modal.Overlay />
        <Modal.Content>
          <Modal.Body pt="md">
            <Modal.Title fw={600} mb="sm">
              What would be deleted
            </Modal.Title>
            {candidates !== undefined && <Preview minWeight={minWeight} candidates={candidates} onClose={() => preview.reset()} />}
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </Section>
  );
}

function Preview({ minWeight, candidates, onClose }: { minWeight: number; candidates: number; onClose: () => void }) {
  const client = useQueryClient();
  const may = useMay('ADMIN');
  const prune = useMutation({
    mutationFn: () => ask(PruneDocument, { minWeight, dryRun: false }),
    onSuccess: async ({ prune: { complete } }) => {
      await client.invalidateQueries();
      // It goes in parts, as many as there is time for in a request.
      if (complete) onClose();
    },
  });
  const list = useList(ObservationsDocument, { maxWeight: minWeight, orderBy: 'WEIGHT_ASC' }, (data) => ({
    ...data.observations,
    totalCount: undefined,
    nodes: data.observations.nodes.filter(({ importance, weight }) => weight < minWeight && (importance === 'MEDIUM' || importance === 'LOW')),
  }));
  if (candidates === 0) {
    return (
      <Stack>
        <Text>Nothing weighs less than {minWeight}.</Text>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Stack>
    );
  }
  return (
    <Stack>
      <Text>
        {candidates} {candidates === 1 ? 'observation weighs' : 'observations weigh'} less than {minWeight}:
      </Text>
      <Listed list={list} label="What would be deleted" empty={<Text size="sm">None of them is among the lightest.</Text>}>
        {(observation) => <ObservationLine key={observation.id} observation={observation} />}
      </Listed>
      {!may && <Text size="sm">Deleting them needs a key of the role admin.</Text>}
      {prune.error && <Failed error={prune.error} />}
      {prune.data && !prune.data.prune.complete && <Alert title={`${prune.data.prune.deleted} are deleted so far. Go on for the rest.`} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        {may && (
          <Button color="red" loading={prune.isPending} onClick={() => prune.mutate()}>
            Delete {candidates} for good
          </Button>
        )}
      </Group>
    </Stack>
  );
}
