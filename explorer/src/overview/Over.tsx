import { SimpleGrid } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { ask } from '../api/client';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Choice } from '../shared/Choice';
import { OutcomeChart } from '../shared/OutcomeChart';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { line, TimeChart } from '../shared/TimeChart';
import { OverDocument, type OverQuery } from './operations.generated';
import type { RangeSearch } from '../shared/range';
import { Compared } from './Compared';
import { failuresHref, type OverviewSearch } from './search';

type Props = {
  search: OverviewSearch;
  bounds: { since?: string; until?: string };
  range: RangeSearch;
  agents: { id: string; name: string }[];
  taskTypes: string[];
  onChange: (part: Partial<OverviewSearch>) => void;
};

type Point = OverQuery['trends'][number];
type Variables = Parameters<typeof variablesOf>[0];

const [hour, dayOfMilliseconds] = [3_600_000, 86_400_000];

/** By the hour where the range has few days, by the week where it has more than so many: the API answers with at most 1,000 points. */
function bucketOf(since: string | undefined, maxDays: number) {
  const days = since === undefined ? maxDays : (Date.now() - Date.parse(since)) / dayOfMilliseconds;
  return days <= 2.1 ? 'HOUR' : days <= maxDays ? 'DAY' : 'WEEK';
}

// Bars of a day are told apart for a year; lines of single days would only tremble.
const [maxBars, maxPoints] = [400, 31];

const variablesOf = ({ agent, task, since }: { agent?: string; task?: string; since?: string }, most = maxPoints) => ({ agentId: agent, taskType: task, since, bucket: bucketOf(since, most) }) as const;

/** The API's charts end now; what is after the range is left out. */
const within = (points: Point[], until: string | undefined) => points.filter(({ at }) => until === undefined || Date.parse(at) < Date.parse(until));

/** How episodes turned out over time, and what people said of them. */
export function Over({ search, bounds, range, agents, taskTypes, onChange }: Props) {
  const { agent, task, by } = search;
  const answer = useAnswer(OverDocument, variablesOf({ agent, task, since: bounds.since }, maxBars));
  const lines = useAnswer(OverDocument, variablesOf({ agent, task, since: bounds.since }), { enabled: !by });
  return (
    <>
      <Section title="Episodes by outcome">
        <Answered query={answer}>
          {({ trends }) => <OutcomeChart points={within(trends, bounds.until)} onChoose={(from, to) => onChange({ range: undefined, from, to: to ?? bounds.until })} />}
        </Answered>
      </Section>
      <Section
        title="Success and feedback"
        about={by && `The first ${maxLines} ${by === 'agent' ? 'agents' : 'types of tasks'}; choose any other above.`}
        actions={
          <Choice
            label="Lines"
            value={by}
            any="all together"
            options={[
              { value: 'agent', label: 'by agent' },
              { value: 'task', label: 'by type of task' },
            ]}
            onChange={(chosen) => onChange({ by: chosen as typeof by })}
          />
        }
      >
        {by ? (
          <Lines
            bounds={bounds}
            of={
              by === 'agent'
                ? agents.filter(({ id }) => !agent || id === agent).map(({ id, name }) => ({ name: heading(name), agent: id, task, href: failuresHref(range, id, task) }))
                : taskTypes.filter((name) => !task || name === task).map((name) => ({ name, agent, task: name, href: failuresHref(range, agent, name) }))
            }
          />
        ) : (
          <Answered query={lines}>
            {({ trends }) => {
              const points = within(trends, bounds.until);
              return (
                <TimeChart
                  label="Success and feedback over time"
                  lowest={-1}
                  series={[line('share of successes', 'teal', points, (point) => point.successRate), line('feedback, −1 to 1', 'grape', points, (point) => point.feedbackScore)]}
                />
              );
            }}
          </Answered>
        )}
      </Section>
    </>
  );
}

/** As much time before a range as it has itself; undefined where it has no beginning. */
function before({ since, until }: Props['bounds']): string | undefined {
  if (since === undefined) return undefined;
  const end = until === undefined ? Math.floor(Date.now() / hour) * hour : Date.parse(until);
  return new Date(2 * Date.parse(since) - end).toISOString();
}

const colours = ['indigo', 'orange', 'teal', 'grape', 'red'];
const maxLines = colours.length;

/** The same of some agents, or types of tasks, a line for each, compared with as much time before. */
function Lines({ of, bounds }: { of: (Variables & { name: string; href: string })[]; bounds: Props['bounds'] }) {
  const shown = of.slice(0, maxLines);
  const { charts, pending } = useQueries({
    queries: shown.map((one) => {
      const variables = variablesOf({ ...one, since: before(bounds) }, 2 * maxPoints);
      return { queryKey: [OverDocument.toString(), variables], queryFn: ({ signal }: { signal: AbortSignal }) => ask(OverDocument, variables, signal) };
    }),
    combine: (answers) => ({ charts: answers.map(({ data }) => within(data?.trends ?? [], bounds.until)), pending: answers.some(({ isPending }) => isPending) }),
  });
  const now = charts.map((points) => points.filter(({ at }) => !bounds.since || Date.parse(at) >= Date.parse(bounds.since)));
  const series = (value: (point: Point) => number | null) => shown.map(({ name }, place) => line(name, colours[place]!, now[place] ?? [], value));
  return (
    <>
      {bounds.since && <Compared of={shown.map((one, place) => ({ ...one, points: charts[place] ?? [] }))} since={bounds.since} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} aria-busy={pending}>
        <TimeChart label="Share of successes over time" series={series((point) => point.successRate)} />
        <TimeChart label="Feedback over time, −1 to 1" lowest={-1} series={series((point) => point.feedbackScore)} />
      </SimpleGrid>
    </>
  );
}
