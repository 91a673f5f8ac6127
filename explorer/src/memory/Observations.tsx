import { Group, Paper, Stack, Text } from '@mantine/core';
import { useList } from '../api/list';
import { About } from '../shared/About';
import { Choice } from '../shared/Choice';
import { OfferSample } from '../shared/Empty';
import { ImportanceBadge } from '../shared/ImportanceBadge';
import { Listed } from '../shared/Listed';
import { Long } from '../shared/Long';
import { many, score } from '../shared/numbers';
import { When } from '../shared/When';
import { Chosen } from './Chosen';
import type { ViewProps } from './MemoryPage';
import { ObservationsDocument, type ObservationsQuery } from './operations.generated';
import { Prune } from './Prune';

export type Observation = ObservationsQuery['observations']['nodes'][number];

const orders = [
  { value: 'WEIGHT_ASC', label: 'lightest first' },
  { value: 'CREATED_AT_DESC', label: 'newest first' },
];

/** What agents noticed, by what it weighs now. */
export function Observations({ search, onChange }: ViewProps) {
  const orderBy = search.order ?? 'WEIGHT_DESC';
  const list = useList(ObservationsDocument, { orderBy }, (data) => data.observations);
  return (
    <Stack>
      {search.observation && <Chosen id={search.observation} />}
      <Prune />
      <Choice label="Order" value={search.order} any="heaviest first" options={orders} onChange={(order) => onChange({ order: order as typeof search.order })} />
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
        <div style={{ minWidth: 0 }}>
          <Long text={observation.content} />
        </div>
        <ImportanceBadge importance={observation.importance} />
      </Group>
      <Text size="xs" c="dimmed">
        weighs {score(observation.weight)} · answered {many(observation.accessCount, 'time')} · <When at={observation.createdAt} />
      </Text>
      <About records={observation.about} />
    </Paper>
  );
}
