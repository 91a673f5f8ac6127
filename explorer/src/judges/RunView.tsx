import { Badge, Group, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useAnswer } from '../api/query';
import { Label } from '../acting/Label';
import { Answered } from '../shared/Answered';
import { Long, LongJson } from '../shared/Long';
import { many, score } from '../shared/numbers';
import { Section as Part } from '../shared/Section';
import { When } from '../shared/When';
import { RunWarningsDocument, type RunQuery } from './operations.generated';
import { recurringIssues } from './Runs';
import { StatusBadge } from './StatusBadge';

type Run = Extract<NonNullable<RunQuery['node']>, { __typename: 'Run' }>;
type Section = Run['sections'][number];
type Verdict = Section['verdicts'][number];

/** One run: what became of each of its sections, iteration by iteration, and what each iteration changed. */
export function RunView({ run }: { run: Run }) {
  const approved = run.sections.filter((section) => section.approved).length;
  return (
    <Stack>
      <Title order={2} className="written">
        {run.id}
      </Title>
      <Text size="sm">
        <When at={run.startedAt} />, {run.completedAt ? 'completed' : 'still open'}. {approved} of {many(run.sections.length, 'section')} approved.
      </Text>
      {recurringIssues(run).map(({ code, sections }) => (
        <Group key={code} gap="xs">
          <Badge color="orange" variant="light">
            recurring
          </Badge>
          <Text size="sm">
            {code} in {sections.join(', ')}
          </Text>
        </Group>
      ))}
      {run.sections.map((section) => (
        <OneSection key={section.id} runId={run.id} section={section} />
      ))}
    </Stack>
  );
}

function OneSection({ runId, section }: { runId: string; section: Section }) {
  return (
    <Part
      title={section.name}
      about={`${section.sectionType}, ${section.approved ? 'approved' : 'not approved'} after ${many(section.iterations, 'iteration')}`}
      actions={
        <Badge variant="light" color={section.approved ? 'teal' : 'red'}>
          {section.approved ? 'approved' : 'not approved'}
        </Badge>
      }
    >
      <LongJson value={section.context} />
      <SimpleGrid component="ol" cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm" p={0} m={0} style={{ listStyle: 'none', alignItems: 'start' }} aria-label={`Iterations of ${section.name}`}>
        {section.verdicts.map((verdict, place) => (
          <Iteration key={verdict.id} of={section.name} verdict={verdict} before={section.verdicts[place - 1]} />
        ))}
      </SimpleGrid>
      <Warnings runId={runId} section={section} />
    </Part>
  );
}

function Iteration({ of, verdict, before }: { of: string; verdict: Verdict; before: Verdict | undefined }) {
  const changes = before ? changesBetween(before, verdict) : [];
  return (
    <Paper component="li" withBorder p="sm">
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600}>
            Iteration {verdict.iteration}
            {verdict.score !== null && ` · ${score(verdict.score)}`}
          </Text>
          <StatusBadge status={verdict.status} />
        </Group>
        {changes.length > 0 && (
          <List size="sm" aria-label="What changed">
            {changes.map((change) => (
              <List.Item key={change}>{change}</List.Item>
            ))}
          </List>
        )}
        {verdict.feedback && <Long text={verdict.feedback} />}
        {verdict.issues.map(({ code, message, fix }) => (
          <Text key={`${code} ${message}`} size="sm" className="written">
            <b>{code}</b>
            {message && `: ${message}`}
            {fix && ` (${fix})`}
          </Text>
        ))}
        <Label verdictId={verdict.id} label={verdict.label} of={`${of}, iteration ${verdict.iteration}`} />
      </Stack>
    </Paper>
  );
}

/** What an iteration has and the one before had not, and the other way round. */
function changesBetween(before: Verdict, after: Verdict): string[] {
  const [had, has] = [before, after].map(({ issues }) => new Set(issues.map(({ code }) => code))) as [Set<string>, Set<string>];
  const names = (words: string, all: string[]) => (all.length > 0 ? [`${words}: ${all.join(', ')}`] : []);
  const change = before.score !== null && after.score !== null ? after.score - before.score : 0;
  return [
    ...(change === 0 ? [] : [`score ${score(change, true)}`]),
    ...names('mended', [...had].filter((code) => !has.has(code))),
    ...names('new issue', [...has].filter((code) => !had.has(code))),
    ...names('now with', after.patterns.filter((name) => !before.patterns.includes(name))),
    ...names('no more', before.patterns.filter((name) => !after.patterns.includes(name))),
  ];
}

/** What a planner is warned of for this section, by the others of its run. */
function Warnings({ runId, section }: { runId: string; section: Section }) {
  const answer = useAnswer(RunWarningsDocument, { runId, sectionId: section.id, sectionType: section.sectionType, context: section.context });
  return (
    <Answered query={answer}>
      {({ guidance: { warnings } }) =>
        warnings.length > 0 && (
          <details>
            <Text component="summary" size="sm">
              {many(warnings.length, 'warning')} for the next iteration
            </Text>
            <List size="sm" aria-label="Warnings">
              {warnings.map((warning) => (
                <List.Item key={warning} className="written">
                  {warning}
                </List.Item>
              ))}
            </List>
          </details>
        )
      }
    </Answered>
  );
}
