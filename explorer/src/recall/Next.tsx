import { Anchor, List, Text } from '@mantine/core';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Empty } from '../shared/Empty';
import { momentHref } from '../shared/links';
import { many, percent } from '../shared/numbers';
import { NextOfDocument } from './operations.generated';
import type { RecallSearch } from './search';

/** What past episodes did first in such a situation, with how they turned out. */
export function Next({ search }: { search: RecallSearch }) {
  const filter = { agentId: search.agent, taskType: search.task, until: search.asOf };
  const answer = useAnswer(NextOfDocument, { input: { situation: search.q ?? '', filter, topK: 8 } }, { enabled: Boolean(search.q) });
  if (!search.q) return <Empty title="Write a situation to see what worked next in it." />;
  return (
    <Answered query={answer}>
      {({ nextSteps }) =>
        nextSteps.length === 0 ? (
          <Empty title="Nothing remembered is like this situation." />
        ) : (
          <List spacing="sm" aria-label="Next steps">
            {nextSteps.map(({ name, share, episodes, succeeded, failed, liked, example }) => (
              <List.Item key={name}>
                <b className="written">{name}</b>: {percent(share)} of what speaks for a step
                <Text size="sm">
                  {many(episodes, 'episode')}: {succeeded} succeeded, {failed} failed, {liked} liked.{' '}
                  <Anchor inherit href={momentHref(example.episode.id, { part: 'ACTION', position: example.position })}>
                    As here
                  </Anchor>
                </Text>
              </List.Item>
            ))}
          </List>
        )
      }
    </Answered>
  );
}
