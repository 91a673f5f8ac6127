import { Badge, Group, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useList, type List } from '../api/list';
import { useAnswer } from '../api/query';
import { Choice } from '../shared/Choice';
import { Empty } from '../shared/Empty';
import { Listed } from '../shared/Listed';
import { many, percent, score } from '../shared/numbers';
import { When } from '../shared/When';
import type { ViewProps } from './JudgesPage';
import { PatternsDocument, PatternTypesDocument, type PatternsQuery } from './operations.generated';

const kinds = [
  { value: 'DO', label: 'what works' },
  { value: 'DONT', label: 'what fails' },
];

/** What completed runs taught, with its evidence. */
export function Patterns({ search, onChange }: ViewProps) {
  const types = useAnswer(PatternTypesDocument, {});
  const list = useList(PatternsDocument, { kind: search.kind, sectionType: search.section }, (data) => data.patterns);
  const sectionTypes = [...new Set(types.data?.patterns.nodes.map(({ sectionType }) => sectionType))].sort();
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Choice label="Kind" value={search.kind} options={kinds} any="what works and what fails" onChange={(kind) => onChange({ kind: kind as typeof search.kind })} />
        <Choice label="Section type" value={search.section} options={sectionTypes} onChange={(section) => onChange({ section })} />
      </SimpleGrid>
      <Listed
        list={once(list)}
        label="Patterns"
        empty={
          <Empty title="Nothing was learned here yet.">
            <Text size="sm">A run that is ended by completeRun teaches what its sections have in common.</Text>
          </Empty>
        }
      >
        {(pattern) => <Pattern key={pattern.id} pattern={pattern} />}
      </Listed>
    </Stack>
  );
}

type Found = PatternsQuery['patterns']['nodes'][number];

/** Each pattern of a type of sections once, in its best rate, with the contexts that it was learned in. */
function once(list: List<Found>) {
  if (!list.data) return list as never;
  const grouped = new Map<string, Found & { contexts: Found[] }>();
  for (const pattern of list.data.nodes) {
    const name = JSON.stringify([pattern.kind, pattern.sectionType, pattern.issueCode ?? pattern.description]);
    const known = grouped.get(name);
    if (!known) grouped.set(name, { ...pattern, contexts: [pattern] });
    else known.contexts.push(pattern);
  }
  return { ...list, data: { nodes: [...grouped.values()], totalCount: undefined } } as List<Found & { contexts: Found[] }>;
}

function Pattern({ pattern }: { pattern: Found & { contexts: Found[] } }) {
  const works = pattern.kind === 'DO';
  const facts = [
    `${pattern.sectionType}${where(pattern.context)}`,
    many(pattern.total, 'section'),
    pattern.avgScore !== null && `mean score ${score(pattern.avgScore)}`,
    pattern.avgRecoveryIterations !== null && `${score(pattern.avgRecoveryIterations)} iterations to recover`,
    pattern.mined && 'seen in plans',
  ].filter(Boolean);
  return (
    <Paper withBorder px="md" py="xs" component="li">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Badge color={works ? 'teal' : 'red'} variant="light" style={{ flexShrink: 0 }}>
          {works ? 'do' : 'don’t'}
        </Badge>
        <Text fw={600} className="written">
          {pattern.issueCode ? `${pattern.issueCode}: ${pattern.description}` : pattern.description}
        </Text>
      </Group>
      <Progress my={6} value={100 * pattern.rate} color={works ? 'teal.7' : 'red.7'} aria-label={works ? 'Approved' : 'Had the issue'} />
      <Text size="sm">
        {works ? 'approved in' : 'had by'} {percent(pattern.rate)} · {facts.join(' · ')}
      </Text>
      {pattern.contexts.slice(1).map((other) => (
        <Text key={other.id} size="sm">
          {percent(other.rate)} of {many(other.total, 'section')}
          {where(other.context) || ' in all'}
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        last seen <When at={pattern.lastSeen} />
      </Text>
    </Paper>
  );
}

/** A part of a context, as people would say it. */
function where(context: unknown): string {
  if (context === null || typeof context !== 'object') return '';
  return ` with ${Object.entries(context)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')}`;
}
