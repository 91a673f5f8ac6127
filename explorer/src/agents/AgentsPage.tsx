import { Anchor, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { AtFirst } from '../shared/AtFirst';
import { OfferSample } from '../shared/Empty';
import { recordHref } from '../shared/links';
import { many, percent } from '../shared/numbers';
import { Page } from '../shared/Page';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { Alerts } from './Alerts';
import { Level } from './Level';
import { Liked } from './Liked';
import { AgentInListDocument, AgentsDocument, type AgentInListQuery } from './operations.generated';
import { Ranks } from './Ranks';
import type { AgentsSearch } from './search';

const route = getRouteApi('/agents');

/** Who should do what, and who needs somebody to look. */
export function AgentsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const answer = useAnswer(AgentsDocument, {});
  const change = (part: Partial<AgentsSearch>) => void navigate({ search: { ...search, ...part }, resetScroll: false });
  return (
    <Page title="Agents" about="Which agent should do a task and why, how far each is trusted to work by itself, and what somebody should look at.">
      <Answered query={answer}>
        {({ agents, taskTypes }) =>
          agents.nodes.length === 0 ? (
            <OfferSample what="agents" />
          ) : (
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
              <Stack>
                <Ranks search={search} taskTypes={taskTypes} onChange={change} />
                <Liked agents={agents.nodes} />
              </Stack>
              <Stack>
                <Alerts />
                <Everyone agents={agents.nodes} />
              </Stack>
            </SimpleGrid>
          )
        }
      </Answered>
    </Page>
  );
}

/** How many the API is asked for. */
const listed = 100;

/** How many of these stand there at first; each is a request of its own, as it sums up all that the agent did. */
const atFirst = 20;

/** How many of its task types a line names. */
const named = 8;

type Named = { id: string; name: string };

function Everyone({ agents }: { agents: Named[] }) {
  return (
    <Section title="All agents" about={agents.length === listed ? `The first ${listed}; any other is found by the search.` : undefined}>
      <AtFirst items={agents} most={atFirst} what="agents">
        {(agent) => <InList key={agent.id} agent={agent} />}
      </AtFirst>
    </Section>
  );
}

function InList({ agent: { id, name } }: { agent: Named }) {
  const { data, error } = useAnswer(AgentInListDocument, { id });
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap">
        <Anchor href={recordHref(id)} fw={600}>
          {heading(name)}
        </Anchor>
        {data?.agent && <Level level={data.agent.graduation.level} />}
      </Group>
      {error ? (
        <Text size="sm">{error.message}</Text>
      ) : data ? (
        data.agent && <Done agent={data.agent} />
      ) : (
        <Skeleton height={16} my={4} role="status" aria-label="Loading" />
      )}
    </Paper>
  );
}

function Done({ agent: { graduation, taskTypes } }: { agent: NonNullable<AgentInListQuery['agent']> }) {
  const more = taskTypes.length - named;
  return (
    <Text size="sm" c="dimmed">
      {many(graduation.episodes, 'episode')}, mean quality {percent(graduation.quality)} · {taskTypes.slice(0, named).join(', ')}
      {more > 0 && ` and ${more} more`}
    </Text>
  );
}
