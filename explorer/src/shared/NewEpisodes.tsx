import { EpisodeToldDocument } from '../api/operations.generated';
import { many } from './numbers';
import { News } from './News';
import { useNews } from './useNews';

/** That episodes were recorded since the page was read, of one agent or of any. */
export function NewEpisodes({ agentId, taskType }: { agentId?: string; taskType?: string }) {
  const news = useNews(EpisodeToldDocument, { agentId, taskType }, {
    idOf: ({ episodeRecorded: { episode } }) => episode.id,
    say: (count) => many(count, 'new episode'),
  });
  return <News {...news} />;
}
