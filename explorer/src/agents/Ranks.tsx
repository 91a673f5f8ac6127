import { Anchor, Button, Group, List, Paper, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Choice } from '../shared/Choice';
import { Empty } from '../shared/Empty';
import { recordHref } from '../shared/links';
import { News } from '../shared/News';
import { many, score } from '../shared/numbers';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { useNews } from '../shared/useNews';
import { TrendBadge } from './TrendBadge';
import { ExploredDocument, RanksDocument, RankingToldDocument, type RanksQuery } from './operations.generated';
import type { AgentsSearch } from './search';

type Props = { search: AgentsSearch; taskTypes: string[]; onChange: (part: Partial<AgentsSearch>) => void };

/** The agents for a type of task, the best first, and why. */
export function Ranks({ search, taskTypes, onChange }: Props) {
  const taskType = search.task ?? taskTypes[0] ?? '';
  const variables = { taskType, situation: search.situation };
  const ranks = useAnswer(RanksDocument, variables, { enabled: taskType !== '' });
  if (taskType === '') return <Empty title="No agent has done anything of a task type yet." />;
  return (
    <Section title="Who should do it">
      <Choice label="Task type" value={taskType === taskTypes[0] ? undefined : taskType} options={taskTypes.slice(1)} any={taskTypes[0]} onChange={(task) => onChange({ task })} />
      <Situation key={search.situation} value={search.situation} onAsk={(situation) => onChange({ situation })} />
      <Changes taskType={taskType} />
      <Answered query={ranks}>
        {({ rankAgents }) => (
          <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Agents, best first">
            {rankAgents.map((ranked) => (
              <Ranked key={ranked.agent.id} ranked={ranked} taskType={taskType} />
            ))}
          </Stack>
        )}
      </Answered>
      <Explored variables={variables} />
    </Section>
  );
}

/** That the ranking may be another by now; it is shown when the reader wants it. */
function Changes({ taskType }: { taskType: string }) {
  const news = useNews(RankingToldDocument, { taskType }, {
    idOf: ({ agentRankingChanged }) => agentRankingChanged.cursor,
    say: () => 'The ranking may have changed',
  });
  return <News {...news} />;
}

function Situation({ value, onAsk }: { value: string | undefined; onAsk: (situation: string | undefined) => void }) {
  const [written, setWritten] = useState(value ?? '');
  const ask = (event: FormEvent) => {
    event.preventDefault();
    onAsk(written.trim() || undefined);
  };
  return (
    <Group component="form" align="flex-end" gap="xs" onSubmit={ask}>
      <TextInput
        label="The task at hand"
        description="What came of similar ones refines the ranking."
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
        flex="1 1 12rem"
      />
      <Button type="submit">Rank</Button>
    </Group>
  );
}

function Ranked({ ranked, taskType }: { ranked: RanksQuery['rankAgents'][number]; taskType: string }) {
  const { agent, profile } = ranked;
  return (
    <Paper withBorder p="sm" component="li">
      <Group justify="space-between">
        <Text fw={600}>
          {ranked.rank}. <Anchor inherit href={`${recordHref(agent.id)}?task=${encodeURIComponent(taskType)}`}>{heading(agent.name)}</Anchor>
        </Text>
        {profile && <TrendBadge trend={profile.trend} />}
      </Group>
      <Progress value={100 * ranked.score} aria-label={`Score ${score(ranked.score)}`} my={6} />
      <Text size="sm">
        <b>{score(ranked.score)}</b> · expertise {score(ranked.expertise)} · confidence {score(ranked.confidence)}
        {profile && ` · ${many(profile.executionsTotal, 'execution')}`}
      </Text>
      <List size="sm">
        {ranked.reasons.map((reason) => (
          <List.Item key={reason}>{reason}</List.Item>
        ))}
      </List>
    </Paper>
  );
}

/** Who would be chosen so that something is learnt: asked for, because it is another question. */
function Explored({ variables }: { variables: { taskType: string; situation?: string } }) {
  const [wanted, setWanted] = useState(false);
  const answer = useAnswer(ExploredDocument, variables, { enabled: wanted });
  if (!wanted) {
    return (
      <Button variant="default" size="xs" style={{ alignSelf: 'flex-start' }} onClick={() => setWanted(true)}>
        Suggest an agent to try
      </Button>
    );
  }
  return (
    <Answered query={answer}>
      {({ selectAgent }) => (
        <Text size="sm">
          To learn something, let <Anchor inherit href={recordHref(selectAgent.agent.id)}>{heading(selectAgent.agent.name)}</Anchor> do it: {selectAgent.reasons.join('; ')}.
        </Text>
      )}
    </Answered>
  );
}
