import { Group, Paper, Stack, Text } from '@mantine/core';
import { useList } from '../api/list';
import { useAnswer } from '../api/query';
import { About } from '../shared/About';
import { Choice } from '../shared/Choice';
import { OfferSample } from '../shared/Empty';
import { ImportanceBadge } from '../shared/ImportanceBadge';
import { Listed } from '../shared/Listed';
import { Long } from '../shared/Long';
import { When } from '../shared/When';
import { Chosen } from './Chosen';
import type { ViewProps } from './MemoryPage';
import { CorrectionsDocument, TopicsDocument, type CorrectionsQuery } from './operations.generated';

/** What people put right, by topic. */
export function Corrections({ search, onChange }: ViewProps) {
  const topics = useAnswer(TopicsDocument, {});
  const list = useList(CorrectionsDocument, { topic: search.topic }, (data) => data.corrections);
  const options = topics.data?.correctionStats.byTopic.map(({ topic, count }) => ({ value: topic, label: `${topic} (${count})` })) ?? [];
  return (
    <Stack>
      {search.correction && <Chosen id={search.correction} />}
      <Choice label="Topic" value={search.topic} options={options} onChange={(topic) => onChange({ topic })} />
      <Listed list={list} label="Corrections" empty={<OfferSample what="corrections" />}>
        {(correction) => <CorrectionLine key={correction.id} correction={correction} />}
      </Listed>
    </Stack>
  );
}

export function CorrectionLine({ correction }: { correction: CorrectionsQuery['corrections']['nodes'][number] }) {
  return (
    <Paper component="li" withBorder px="md" py="xs">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600}>{correction.topic}</Text>
        <ImportanceBadge importance={correction.importance} />
      </Group>
      <Long what="Predicted: " text={correction.prediction} />
      <Long what="Right: " text={correction.correction} strong />
      {correction.context && <Long what="When: " text={correction.context} />}
      <Text size="xs" c="dimmed">
        {correction.createdBy ?? 'somebody'}, <When at={correction.createdAt} />
      </Text>
      <About records={correction.about} />
    </Paper>
  );
}
