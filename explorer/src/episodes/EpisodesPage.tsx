import { getRouteApi } from '@tanstack/react-router';
import { Text } from '@mantine/core';
import { useList } from '../api/list';
import { EpisodeToldDocument } from '../api/operations.generated';
import { useAnswer } from '../api/query';
import { Empty, OfferSample } from '../shared/Empty';
import { EpisodeLine } from '../shared/EpisodeLine';
import { Listed } from '../shared/Listed';
import { News } from '../shared/News';
import { Page } from '../shared/Page';
import { useNews } from '../shared/useNews';
import { saveCsv } from '../shared/save';
import { Filters } from './Filters';
import { Found } from './Found';
import { EpisodeChoicesDocument, EpisodesDocument, type EpisodesQuery } from './operations.generated';
import { episodeFilter, type EpisodesSearch } from './search';

const route = getRouteApi('/episodes');

/** All episodes, by filters that stand in the address. */
export function EpisodesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const choices = useAnswer(EpisodeChoicesDocument, {});
  const list = useList(EpisodesDocument, { filter: episodeFilter(search), orderBy: search.order ?? 'STARTED_AT_DESC' }, (data) => data.episodes);
  const change = (part: Partial<EpisodesSearch>) => void navigate({ search: { ...search, ...part }, resetScroll: false });
  const news = useNews(EpisodeToldDocument, { agentId: search.agent, taskType: search.task }, {
    idOf: ({ episodeRecorded: { episode } }) => (passes(episode, search) ? episode.id : undefined),
    say: (count) => `${count} new`,
  });
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page title="Episodes" about="What agents did: each with its situation, what came of it, what was shown and how people took it.">
      <Filters search={search} agents={choices.data?.agents.nodes ?? []} taskTypes={choices.data?.taskTypes ?? []} onChange={change} onSave={list.data?.nodes.length && !search.q ? () => save(list.data!.nodes) : undefined} />
      <News {...news} />
      {search.q ? (
        <Found query={search.q} filter={episodeFilter(search)} />
      ) : (
      <Listed list={list} label="Episodes" empty={filtered ? <NothingLeft /> : <OfferSample what="episodes" />}>
        {(episode) => <EpisodeLine key={episode.id} episode={episode} />}
      </Listed>
      )}
    </Page>
  );
}

/** What is listed so far, as CSV. */
function save(episodes: EpisodesQuery['episodes']['nodes']) {
  const rows = episodes.map((one) => [one.id, one.title, one.agent.name, one.taskType ?? '', one.outcome, one.startedAt, one.aggregateFeedbackScore?.toString() ?? '', String(one.canvasActionCount)]);
  saveCsv('mneme-episodes.csv', [['id', 'title', 'agent', 'task type', 'outcome', 'started at', 'feedback', 'canvas actions'], ...rows]);
}

/** Whether a new episode is one of those that are listed, as far as that can be known of it. */
function passes({ outcome, sessionId }: { outcome: string; sessionId: string | null }, search: EpisodesSearch): boolean {
  return (search.outcome ?? outcome) === outcome && (search.session ?? sessionId) === sessionId;
}

function NothingLeft() {
  return (
    <Empty title="No episode passes the filters.">
      <Text size="sm">Take some of them away.</Text>
    </Empty>
  );
}
