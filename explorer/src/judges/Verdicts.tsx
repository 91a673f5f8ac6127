import { Anchor, Badge, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { Label } from '../acting/Label';
import { useList } from '../api/list';
import { Choice } from '../shared/Choice';
import { Empty } from '../shared/Empty';
import { graphHref } from '../shared/links';
import { Listed } from '../shared/Listed';
import { News } from '../shared/News';
import { score } from '../shared/numbers';
import { Section } from '../shared/Section';
import { useNews } from '../shared/useNews';
import { When } from '../shared/When';
import type { Judge } from './Judges';
import type { ViewProps } from './JudgesPage';
import { VerdictsDocument, VerdictToldDocument, type VerdictsQuery } from './operations.generated';
import { StatusBadge } from './StatusBadge';

type Props = ViewProps & { judgeId: string; judge: Judge };

/** What a judge decided, the latest first, and what people said of it. */
export function Verdicts({ judgeId, judge, search, onChange }: Props) {
  const { section, people } = search;
  const list = useList(VerdictsDocument, { judgeId, sectionType: section, disagreed: people === 'disagree' || undefined }, (data) => data.verdicts);
  const news = useNews(VerdictToldDocument, { judgeId, sectionType: section }, {
    idOf: ({ verdictRecorded }) => verdictRecorded.verdict.id,
    say: (count) => `${count} new`,
  });
  return (
    <Section title="Verdicts">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Choice label="Section type" value={section} options={judge.scoreBySectionType.map(({ sectionType }) => sectionType)} onChange={(chosen) => onChange({ section: chosen })} />
        <Choice
          label="People"
          value={people}
          options={[{ value: 'disagree', label: 'said otherwise' }]}
          any="whatever they said"
          onChange={(chosen) => onChange({ people: chosen === 'disagree' ? chosen : undefined })}
        />
      </SimpleGrid>
      <News {...news} />
      <Listed list={list} label="Verdicts" empty={<Empty title={people ? 'People said otherwise of none of these.' : 'It gave none on such sections.'} />}>
        {(verdict) => <Verdict key={verdict.id} verdict={verdict} />}
      </Listed>
    </Section>
  );
}

function Verdict({ verdict }: { verdict: VerdictsQuery['verdicts']['nodes'][number] }) {
  return (
    <Paper withBorder px="md" py="xs" component="li">
      <Group justify="space-between">
        <Text fw={600} size="sm">
          {verdict.section.name} · iteration {verdict.iteration}
          {verdict.score !== null && ` · ${score(verdict.score)}`}
        </Text>
        <Group gap="xs">
          {verdict.label !== null && (
            <Badge variant="outline" color={verdict.label ? 'teal' : 'red'}>
              {verdict.labelledBy ?? 'a person'} {verdict.label ? 'would approve' : 'would not'}
            </Badge>
          )}
          <StatusBadge status={verdict.status} />
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        {verdict.sectionType} in{' '}
        <Anchor inherit href={`#/judges?view=runs&run=${encodeURIComponent(verdict.run.id)}`}>
          {verdict.run.id}
        </Anchor>
        {' · '}
        <Anchor inherit href={graphHref(verdict.id)}>
          in the graph
        </Anchor>{' '}
        · <When at={verdict.at} />
      </Text>
      {verdict.feedback && (
        <Text size="sm" className="written">
          {verdict.feedback}
        </Text>
      )}
      <Label verdictId={verdict.id} label={verdict.label} of={`${verdict.section.name}, iteration ${verdict.iteration}`} />
      {verdict.issues.length > 0 && <Text size="sm">Issues: {verdict.issues.map(({ code }) => code).join(', ')}</Text>}
    </Paper>
  );
}
