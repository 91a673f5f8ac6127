import { Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useList } from '../api/list';
import { About } from '../shared/About';
import { Choice } from '../shared/Choice';
import { OfferSample } from '../shared/Empty';
import { ImportanceBadge } from '../shared/ImportanceBadge';
import { Listed } from '../shared/Listed';
import { score } from '../shared/numbers';
import { When } from '../shared/When';
import { ObservationsDocument, type ObservationsQuery } from './operations.generated';
import { Prune } from './Prune';

export type Observation = ObservationsQuery['observations']['nodes'][number];

const orders = [
  { value: 'WEIGHT_ASC', label: 'lightest first' },
  { value: 'CREATED_AT_DESC', label: 'newest first' },
];

/** What agents noticed, by what it weighs now. */
export function Observations() {
  const [order, setOrder] = useState<string>();
  const orderBy = (order ?? 'WEIGHT_DESC') as 'WEIGHT_DESC' | 'WEIGHT_ASC' | 'CREATED_AT_DESC';
  const list = useList(ObservationsDocument, { orderBy }, (data) => data.observations);
  return (
    <Stack>
      <Prune />
      <Choice label="Order" value={order} any="heaviest first" options={orders} onChange={setOrder} />
      <Listed list={list} label="Observations" empty={<OfferSample what="observations" />}>
        {(observation) => <ObservationLine key={observation.id} observation={observation} />}
      </Listed>
    </Stack>
  );
}

export function ObservationLine({ observation }: { observation: Observation }) {
  return (
    <Paper component="li" withBorder px="md" py="xs">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" className="written">
          {observation.content}
        </Text>
        <ImportanceBadge importance={observation.importance} />
      </Group>
      <Text size="xs" c="dimmed">
        weighs {score(observation.weight)} · answered {observation.accessCount} times · <When at={observation.createdAt} />
      </Text>
      <About records={observation.about} />
    </Paper>
  );
}
