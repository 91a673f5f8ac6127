import { Badge, Group, Paper, Text } from '@mantine/core';
import { useList } from '../api/list';
import { Choice } from '../shared/Choice';
import { Empty } from '../shared/Empty';
import { Listed } from '../shared/Listed';
import { score } from '../shared/numbers';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import type { Judge } from './Judges';
import { VerdictsDocument, type VerdictsQuery } from './operations.generated';
import { StatusBadge } from './StatusBadge';

type Props = { judgeId: string; judge: Judge; section: string | undefined; onSection: (section: string | undefined) => void };

/** What a judge decided, the latest first, and what people said of it. */
export function Verdicts({ judgeId, judge, section, onSection }: Props) {
  const list = useList(VerdictsDocument, { judgeId, sectionType: section }, (data) => data.verdicts);
  return (
    <Section title="Verdicts">
      <Choice label="Section type" value={section} options={judge.scoreBySectionType.map(({ sectionType }) => sectionType)} onChange={onSection} />
      <Listed list={list} label="Verdicts" empty={<Empty title="It gave none on such sections." />}>
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
        {verdict.sectionType} in {verdict.run.id} · <When at={verdict.at} />
      </Text>
      {verdict.feedback && (
        <Text size="sm" className="written">
          {verdict.feedback}
        </Text>
      )}
      {verdict.issues.length > 0 && <Text size="sm">Issues: {verdict.issues.map(({ code }) => code).join(', ')}</Text>}
    </Paper>
  );
}
