import { Anchor, Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Empty } from '../shared/Empty';
import { graphHref } from '../shared/links';
import { many } from '../shared/numbers';
import { NewEpisodes } from '../shared/NewEpisodes';
import { Page } from '../shared/Page';
import { heading } from '../shared/shortened';
import { Whole } from '../shared/Whole';
import { Curves } from './Curves';
import { Graduation } from './Graduation';
import { Insights } from './Insights';
import { Level } from './Level';
import { AgentDocument, type AgentQuery } from './operations.generated';
import { Over } from './Over';

export type Agent = NonNullable<AgentQuery['agent']>;

const route = getRouteApi('/agents/$id');

/** One agent: how far it is trusted, what it learned, and how people deal with what it shows. */
export function AgentPage() {
  const { id } = route.useParams();
  const answer = useAnswer(AgentDocument, { id });
  return (
    <Answered query={answer}>
      {({ agent }) =>
        agent ? (
          <>
            <NewEpisodes agentId={agent.id} />
            <Known key={agent.id} agent={agent} />
          </>
        ) : (
          <Page title="No such agent">
            <Empty title={`There is no ${id}.`}>
              <Anchor href="#/agents">All agents</Anchor>
            </Empty>
          </Page>
        )
      }
    </Answered>
  );
}

function Known({ agent }: { agent: Agent }) {
  return (
    <Page title={heading(agent.name)} about={<Level level={agent.graduation.level} />} actions={<Ways agent={agent} />}>
      <Whole what="name" text={agent.name} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
        <Stack>
          <Graduation graduation={agent.graduation} />
          <Insights insights={agent.canvasInsights} />
        </Stack>
        <Stack>
          <Curves agent={agent} />
          <Over id={agent.id} />
        </Stack>
      </SimpleGrid>
    </Page>
  );
}

function Ways({ agent }: { agent: Agent }) {
  return (
    <Group gap="xs">
      <Button component="a" size="xs" variant="default" href={`#/episodes?agent=${encodeURIComponent(agent.id)}`}>
        Its {many(agent.episodes.totalCount, 'episode')}
      </Button>
      <Button component="a" size="xs" variant="light" href={graphHref(agent.id)}>
        In the graph
      </Button>
    </Group>
  );
}
