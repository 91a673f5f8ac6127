import { Anchor, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLive } from '../api/live';
import { EpisodeToldDocument } from '../api/operations.generated';
import { useAnswer } from '../api/query';
import { Alerts } from '../agents/Alerts';
import { Answered } from '../shared/Answered';
import { Choice } from '../shared/Choice';
import { FeedbackLine } from '../shared/FeedbackLine';
import { recordHref } from '../shared/links';
import { Page } from '../shared/Page';
import { Range } from '../shared/Range';
import { boundsOf } from '../shared/range';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { When } from '../shared/When';
import { Changing } from './Changing';
import { Failing } from './Failing';
import { BeginningDocument, LatestFeedbackDocument, type EpisodeFilter } from './operations.generated';
import { Over } from './Over';
import type { OverviewSearch } from './search';

const Connect = lazy(async () => ({ default: (await import('./Connect')).Connect }));

const route = getRouteApi('/');

/** Without a range the overview is of these days. */
const usual = 'LAST_30D';

const mostFeedback = 8;

/** What is going on, what goes wrong, and who gets better or worse. */
export function OverviewPage() {
  const answer = useAnswer(BeginningDocument, {});
  const { connect } = route.useSearch();
  const navigate = route.useNavigate();
  useFollow();
  const actions = (
    <Button size="xs" variant="default" aria-expanded={connect === 'yes'} onClick={() => void navigate({ search: (here) => ({ ...here, connect: connect ? undefined : 'yes' }) })}>
      Connect an agent
    </Button>
  );
  return (
    <Page title="Overview" actions={answer.data?.episodes.nodes.length ? actions : undefined} about="What agents did, how it turned out, what goes wrong, and what people said. It follows what is recorded.">
      <Answered query={answer}>
        {({ episodes, agents, taskTypes }) => {
          const empty = episodes.nodes.length === 0;
          return (
            <Stack>
              {(empty || connect) && (
                <Suspense>
                  <Connect waiting={empty} />
                </Suspense>
              )}
              {!empty && <Known agents={agents.nodes} taskTypes={taskTypes} />}
            </Stack>
          );
        }}
      </Answered>
    </Page>
  );
}

const [soon, pause] = [3000, 30_000]; // milliseconds from what came to its reading, and between two readings

/** Asks again for what is in sight soon after something was recorded, but seldom where much is. */
function useFollow() {
  const client = useQueryClient();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const read = useRef(-pause);
  const follow = () => {
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined;
      read.current = performance.now();
      void client.invalidateQueries();
    }, Math.max(soon, read.current + pause - performance.now()));
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  useLive(EpisodeToldDocument, {}, { onEvent: follow, onGap: follow });
}

function Known({ agents, taskTypes }: { agents: { id: string; name: string }[]; taskTypes: string[] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<OverviewSearch>) => void navigate({ search: { ...search, ...part }, resetScroll: false });
  const range = { range: search.range ?? (search.from || search.to ? undefined : usual), from: search.from, to: search.to } as const;
  const bounds = boundsOf(range);
  return (
    <Stack>
      <SimpleGrid component="section" aria-label="Filters" cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
        <Range search={search} any="last 30 days" onChange={change} />
        <Choice label="Agent" value={search.agent} options={agents.map(({ id, name }) => ({ value: id, label: name }))} onChange={(agent) => change({ agent })} />
        <Choice label="Task type" value={search.task} options={taskTypes} onChange={(task) => change({ task })} />
      </SimpleGrid>
      <Over search={search} bounds={bounds} range={range} agents={agents} taskTypes={taskTypes} onChange={change} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
        <Stack>
          <Failing search={search} bounds={bounds} range={range} />
          <Changing agent={search.agent} task={search.task} />
        </Stack>
        <Stack>
          <Alerts />
          <Latest filter={{ agentId: search.agent, taskType: search.task, ...bounds }} />
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

/** What people said of the newest episodes that anybody said something of. */
function Latest({ filter }: { filter: EpisodeFilter }) {
  const answer = useAnswer(LatestFeedbackDocument, { filter: { ...filter, minFeedbackScore: -1 } });
  return (
    <Section title="Latest feedback">
      <Answered query={answer}>
        {({ episodes }) => (
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Latest feedback">
            {episodes.nodes.length === 0 && <Text component="li" size="sm">Nobody has said anything.</Text>}
            {episodes.nodes
              .flatMap((episode) => episode.feedback.nodes.map((feedback) => ({ ...feedback, episode })))
              .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
              .slice(0, mostFeedback)
              .map((feedback) => (
                <li key={feedback.id}>
                  <FeedbackLine feedback={feedback} />
                  <Text size="xs" c="dimmed">
                    On{' '}
                    <Anchor inherit href={recordHref(feedback.episode.id)} className="written">
                      {heading(feedback.episode.title)}
                    </Anchor>
                    , <When at={feedback.createdAt} />
                  </Text>
                </li>
              ))}
          </Stack>
        )}
      </Answered>
    </Section>
  );
}
