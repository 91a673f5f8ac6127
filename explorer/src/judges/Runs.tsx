import { Anchor, Badge, Button, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useList } from '../api/list';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Empty, OfferSample } from '../shared/Empty';
import { recordHref } from '../shared/links';
import { Listed } from '../shared/Listed';
import { many, score } from '../shared/numbers';
import { When } from '../shared/When';
import type { ViewProps } from './JudgesPage';
import { RunDocument, RunsDocument, type RunsQuery } from './operations.generated';
import { RunView } from './RunView';

type Run = RunsQuery['runs']['nodes'][number];

/** Judged runs: what became of each section, and which issues several of them had. */
export function Runs({ search, onChange }: ViewProps) {
  return search.run ? <Alone id={search.run} onAll={() => onChange({ run: undefined })} /> : <All />;
}

/** The run that a link leads to. */
function Alone({ id, onAll }: { id: string; onAll: () => void }) {
  const answer = useAnswer(RunDocument, { id });
  return (
    <Stack>
      <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={onAll}>
        All runs
      </Button>
      <Answered query={answer}>
        {({ node }) =>
          node?.__typename === 'Run' ? <RunView run={node} /> : <Empty title={`There is no ${id}.`} />
        }
      </Answered>
    </Stack>
  );
}

function All() {
  const list = useList(RunsDocument, {}, (data) => data.runs);
  return (
    <Listed list={list} label="Runs" empty={<OfferSample what="judged runs" />}>
      {(run) => <OneRun key={run.id} run={run} />}
    </Listed>
  );
}

function OneRun({ run }: { run: Run }) {
  const recurring = recurringIssues(run);
  return (
    <Paper withBorder p="md" component="li">
      <Stack gap="xs">
        <Group justify="space-between">
          <Anchor href={recordHref(run.id)} fw={600}>
            {run.id}
          </Anchor>
          <Text size="sm" c="dimmed">
            <When at={run.startedAt} />, {run.completedAt ? 'completed' : 'still open'}
          </Text>
        </Group>
        <List size="sm" aria-label="Sections">
          {run.sections.map((section) => (
            <List.Item key={section.id}>
              <b>{section.name}</b> ({section.sectionType}): {section.approved ? 'approved' : 'not approved'} after {many(section.iterations, 'iteration')}, scores {scores(section)}
            </List.Item>
          ))}
        </List>
        {recurring.map(({ code, sections }) => (
          <Group key={code} gap="xs">
            <Badge color="orange" variant="light">
              recurring
            </Badge>
            <Text size="sm">
              {code} in {sections.join(', ')}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

function scores(section: Run['sections'][number]): string {
  return section.verdicts.map((verdict) => (verdict.score === null ? '–' : score(verdict.score))).join(' → ');
}

/** The issues that two or more sections of a run had, in any iteration. */
export function recurringIssues(run: { sections: { name: string; verdicts: { issues: { code: string }[] }[] }[] }): { code: string; sections: string[] }[] {
  const byCode = new Map<string, Set<string>>();
  for (const section of run.sections) {
    for (const { code } of section.verdicts.flatMap(({ issues }) => issues)) {
      byCode.set(code, (byCode.get(code) ?? new Set()).add(section.name));
    }
  }
  return [...byCode].flatMap(([code, sections]) => (sections.size > 1 ? [{ code, sections: [...sections] }] : []));
}
