import { Anchor, Stack, Text } from '@mantine/core';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { recordHref } from '../shared/links';
import { Long } from '../shared/Long';
import { duration, many, score } from '../shared/numbers';
import { heading } from '../shared/shortened';
import { When } from '../shared/When';
import { BesideDocument } from './operations.generated';

/** What an episode was about and how it went, beside the picture. */
export function Beside({ id }: { id: string }) {
  const answer = useAnswer(BesideDocument, { id });
  return (
    <Answered query={answer}>
      {({ episode }) =>
        episode && (
          <Stack gap={4}>
            <Text size="sm" c="dimmed">
              <Anchor inherit href={recordHref(episode.agent.id)}>
                {heading(episode.agent.name)}
              </Anchor>
              {episode.taskType && ` · ${episode.taskType}`} · <When at={episode.startedAt} />
              {episode.durationSeconds !== null && ` · took ${duration(episode.durationSeconds)}`}
              {episode.aggregateFeedbackScore !== null && ` · feedback ${score(episode.aggregateFeedbackScore, true)}`}
            </Text>
            <Long what="Situation: " text={episode.observation} />
            {episode.actions.length > 0 && <Long what={`${many(episode.actions.length, 'step')}: `} text={episode.actions.map(({ stepName }) => stepName).join(' → ')} />}
            {episode.result && <Long what="Result: " text={episode.result} />}
            <Anchor size="sm" href={`#/compare?a=${encodeURIComponent(id)}`}>
              Compare with another
            </Anchor>
          </Stack>
        )
      }
    </Answered>
  );
}
