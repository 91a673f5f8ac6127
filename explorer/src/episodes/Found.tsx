import { Anchor, Text } from '@mantine/core';
import { useList } from '../api/list';
import { Empty } from '../shared/Empty';
import { EpisodeLine } from '../shared/EpisodeLine';
import { momentHref } from '../shared/links';
import { Listed } from '../shared/Listed';
import { Snippet } from '../shared/Snippet';
import { MomentsOfEpisodesDocument, type EpisodeFilter } from './operations.generated';

/** The episodes in which words are, each with the moment that has them, best first. */
export function Found({ query, filter }: { query: string; filter: EpisodeFilter }) {
  const list = useList(MomentsOfEpisodesDocument, { query, filter }, (data) => data.searchMoments);
  return (
    <Listed
      list={list}
      label="Episodes"
      empty={
        <Empty title="No episode has these words.">
          <Text size="sm">Try fewer or other words, or clear the filters.</Text>
        </Empty>
      }
    >
      {({ record, part, position, step, snippet }) =>
        record.__typename === 'Episode' && (
          <EpisodeLine key={`${record.id} ${part} ${position} ${snippet}`} episode={record}>
            <Text size="sm">
              <Anchor inherit href={momentHref(record.id, { part, position })}>
                {step ?? part.toLowerCase()}
              </Anchor>
              : <Snippet text={snippet} />
            </Text>
          </EpisodeLine>
        )
      }
    </Listed>
  );
}
