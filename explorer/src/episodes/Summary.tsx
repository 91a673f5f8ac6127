import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../shared/Facts';
import { recordHref } from '../shared/links';
import { duration, percent, score } from '../shared/numbers';
import { heading } from '../shared/shortened';
import { When } from '../shared/When';
import type { Episode } from './EpisodePage';
import { SessionName } from './SessionName';

/** Who, when, and how well. */
export function Summary({ episode }: { episode: Episode }) {
  const { agent, quality, sessionId } = episode;
  const facts: [string, ReactNode][] = [
    ['Agent', <Anchor key="agent" inherit href={recordHref(agent.id)}>{heading(agent.name)}</Anchor>],
    ['Task type', episode.taskType ?? 'none'],
    ['Began', <When key="began" at={episode.startedAt} />],
    ['Took', episode.durationSeconds === null ? 'its end is unknown' : duration(episode.durationSeconds)],
    ['Session', sessionId ? <Anchor key="session" inherit href={`#/episodes?session=${encodeURIComponent(sessionId)}`}><SessionName id={sessionId} /></Anchor> : 'none'],
    ['Feedback', episode.aggregateFeedbackScore === null ? 'none' : score(episode.aggregateFeedbackScore, true)],
    ['Reward', score(episode.reward, true)],
    ['Quality', quality.value === null ? 'unknown' : `${percent(quality.value)} (${parts(quality)})`],
  ];
  if (episode.concepts.length > 0) facts.push(['Concepts', <Concepts key="concepts" concepts={episode.concepts} />]);
  return <Facts facts={facts} />;
}

function parts(quality: Episode['quality']): string {
  const named = { completion: quality.completion, canvases: quality.canvasSuccess, feedback: quality.feedbackQuality, consistency: quality.consistency };
  return Object.entries(named)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${percent(value!)}`)
    .join(', ');
}

function Concepts({ concepts }: { concepts: Episode['concepts'] }) {
  return concepts.map((concept, place) => (
    <span key={concept.id}>
      {place > 0 && ', '}
      <Anchor inherit href={recordHref(concept.id)}>
        {concept.name}
      </Anchor>
      {concept.supersededBy && ' (superseded)'}
    </span>
  ));
}
