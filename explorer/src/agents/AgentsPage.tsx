import { Anchor, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { OfferSample } from '../shared/Empty';
import { recordHref } from '../shared/links';
import { many, percent } from '../shared/numbers';
import { Page } from '../shared/Page';
import { Section } from '../shared/Section';
import { Alerts } from './Alerts';
import { Level } from './Level';
import { Liked } from './Liked';
import { AgentsDocument, type AgentsQuery } from './operations.generated';
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
        {({ agents, taskTypes, alerts }) =>
          agents.nodes.length === 0 ? (
            <OfferSample what="agents" />
          ) : (
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
              <Stack>
                <Ranks search={search} taskTypes={taskTypes} onChange={change} />
                <Liked agents={agents.nodes} />
              </Stack>
              <Stack>
                <Alerts alerts={alerts} />
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

function Everyone({ agents }: { agents: AgentsQuery['agents']['nodes'] }) {
  return (
    <Section title="All agents" about={agents.length === listed ? `The first ${listed}; any other is found by the search.` : undefined}>
      {agents.map(({ id, name, taskTypes, graduation }) => (
        <Paper key={id} withBorder p="sm">
          <Group justify="space-between" wrap="nowrap">
            <Anchor href={recordHref(id)} fw={600}>
              {name}
            </Anchor>
            <Level level={graduation.level} />
          </Group>
          <Text size="sm" c="dimmed">
            {many(graduation.episodes, 'episode')}, mean quality {percent(graduation.quality)} · {taskTypes.join(', ')}
          </Text>
        </Paper>
      ))}
    </Section>
  );
}
