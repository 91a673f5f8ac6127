import { Grid, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { OfferSample } from '../shared/Empty';
import { NewEpisodes } from '../shared/NewEpisodes';
import { Page } from '../shared/Page';
import { Filters } from './Filters';
import { RecallChoicesDocument } from './operations.generated';
import { Ranking } from './Ranking';
import { Results } from './Results';
import type { RecallSearch } from './search';
import { Situation } from './Situation';

const route = getRouteApi('/recall');

/** Recall: a situation, the experiences that matter in it, and why these. */
export function RecallPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choices = useAnswer(RecallChoicesDocument, {});
  const change = (part: Partial<RecallSearch>) => void navigate({ search: { ...search, ...part }, resetScroll: false });
  return (
    <Page title="Recall" about="Describe a situation, and see what an agent would remember in it: which experiences, in which order, and why.">
      <NewEpisodes agentId={search.agent} taskType={search.task} />
      <Answered query={choices}>
        {(known) =>
          known.episodes.nodes.length === 0 ? (
            <OfferSample what="episodes" />
          ) : (
            <Grid gutter="lg">
              <Grid.Col span={12}>
                <Situation key={search.q} value={search.q} examples={known.episodes.nodes} onAsk={(q) => change({ q })} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 3 }} order={{ base: 2, md: 1 }}>
                <Stack>
                  <Ranking search={search} onChange={change} />
                  <Filters search={search} agents={known.agents.nodes} taskTypes={known.taskTypes} onChange={change} />
                </Stack>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 9 }} order={{ base: 1, md: 2 }}>
                <Results search={search} onChange={change} />
              </Grid.Col>
            </Grid>
          )
        }
      </Answered>
    </Page>
  );
}
