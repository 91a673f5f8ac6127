import { Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ask } from '../api/client';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Choice } from '../shared/Choice';
import { recordHref } from '../shared/links';
import { score } from '../shared/numbers';
import { Section } from '../shared/Section';
import { dots, line, TimeChart } from '../shared/TimeChart';
import type { Agent } from './AgentPage';
import { CurveDocument, RanksThenDocument, type CurveQuery } from './operations.generated';
import { TrendBadge } from './TrendBadge';

const route = getRouteApi('/agents/$id');

/** What an agent learned of a type of task, over time. */
export function Curves({ agent }: { agent: Agent }) {
  const navigate = route.useNavigate();
  const { task } = route.useSearch();
  const [first, ...others] = agent.learningProfiles;
  const profile = agent.learningProfiles.find(({ taskType }) => taskType === task) ?? first;
  if (!profile) {
    return (
      <Section title="Learning curves">
        <Text size="sm">It has done nothing of a task type yet.</Text>
      </Section>
    );
  }
  return (
    <Section title="Learning curves" actions={<TrendBadge trend={profile.trend} />}>
      <Choice
        label="Task type"
        value={task === first?.taskType ? undefined : task}
        any={first?.taskType}
        options={others.map(({ taskType }) => taskType)}
        onChange={(chosen) => void navigate({ search: (here) => ({ ...here, task: chosen }), resetScroll: false })}
      />
      <Text size="sm">
        Expertise {score(profile.expertise)}, confidence {score(profile.confidence)}; {profile.executionsSuccessful} of {profile.executionsTotal} executions succeeded.
      </Text>
      <Curve key={profile.id} agentId={agent.id} taskType={profile.taskType} />
    </Section>
  );
}

function Curve({ agentId, taskType }: { agentId: string; taskType: string }) {
  const answer = useAnswer(CurveDocument, { agentId, taskType });
  return <Answered query={answer}>{({ learningProfile }) => <Drawn agentId={agentId} taskType={taskType} executions={learningProfile?.executions.nodes ?? []} total={learningProfile?.executionsTotal ?? 0} />}</Answered>;
}

type Execution = NonNullable<CurveQuery['learningProfile']>['executions']['nodes'][number];

function Drawn({ agentId, taskType, executions, total }: { agentId: string; taskType: string; executions: Execution[]; total: number }) {
  const then = useThen(agentId, taskType, executions);
  return (
    <>
      {total > executions.length && (
        <Text size="sm" c="dimmed">
          The latest {executions.length} of {total} executions.
        </Text>
      )}
      <TimeChart
      label={`Expertise, confidence and the quality of single executions of ${taskType}`}
      series={[
        line('expertise', 'indigo', then, (point) => point.expertise),
        line('confidence', 'orange', then, (point) => point.confidence),
        dots('quality of an execution', 'teal', executions, (execution) => execution.quality, ({ episode }) => (episode ? recordHref(episode.id) : undefined)),
      ]}
    />
    </>
  );
}

const points = 12;

/** What was known of the agent at some instants from its first execution to its last, as the API answers for then. */
function useThen(agentId: string, taskType: string, executions: Execution[]) {
  const times = executions.map(({ at }) => Date.parse(at));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const instants = times.length === 0 ? [] : Array.from({ length: points }, (_, place) => new Date(first + ((last - first) * (place + 1)) / points).toISOString());
  return useQueries({
    queries: instants.map((asOf) => ({
      queryKey: ['then', agentId, taskType, asOf],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { rankAgents } = await ask(RanksThenDocument, { taskType, asOf }, signal);
        const own = rankAgents.find(({ agent }) => agent.id === agentId);
        return { at: asOf, expertise: own?.expertise ?? null, confidence: own?.confidence ?? null };
      },
    })),
    combine: (answers) => answers.flatMap(({ data }) => (data ? [data] : [])),
  });
}
