import { Progress, Stack, Text } from '@mantine/core';
import { Facts } from '../shared/Facts';
import { percent } from '../shared/numbers';
import { Section } from '../shared/Section';
import type { Agent } from './AgentPage';

type Graduation = Agent['graduation'];
type Criterion = Graduation['criteria'][number];

const names: Record<string, string> = { episodes: 'Episodes', interventionRate: 'Interventions', qualityWeightedEpisodes: 'Quality-weighted episodes' };

/** The level that an agent has, and how far it is to the next. */
export function Graduation({ graduation }: { graduation: Graduation }) {
  const { level, nextLevel } = graduation;
  const share = (value: number | null) => (value === null ? 'unknown' : percent(value));
  return (
    <Section title="Graduation" about={nextLevel ? `What ${level.toLowerCase()} needs to be ${nextLevel.toLowerCase()}.` : 'It is at the highest level; this is what that took.'}>
      <Stack gap="sm">
        {graduation.criteria.map((criterion) => (
          <Bar key={criterion.name} criterion={criterion} />
        ))}
      </Stack>
      <Facts
        facts={[
          ['Mean quality', percent(graduation.quality)],
          ['Success', share(graduation.completion)],
          ['Canvases that went well', share(graduation.canvasSuccess)],
          ['Feedback', share(graduation.feedbackQuality)],
          ['Consistency', share(graduation.consistency)],
          ...graduation.interventionsBySource.map(({ source, episodes, rate }): [string, string] => [`Interventions by ${source.toLowerCase()}`, `${episodes} (${percent(rate)})`]),
        ]}
      />
    </Section>
  );
}

function Bar({ criterion }: { criterion: Criterion }) {
  const { name, value, required, met, gap } = criterion;
  const atMost = name === 'interventionRate';
  const write = (number: number) => (atMost ? percent(number) : String(Math.round(number * 10) / 10));
  const reached = atMost ? 1 - gap : value / (required || 1);
  const label = names[name] ?? name;
  return (
    <div>
      <Text size="sm">
        <b>{label}</b>: {write(value)} of {atMost ? 'at most' : 'at least'} {write(required)}
        {met ? ', met' : `, ${write(gap)} too ${atMost ? 'many' : 'few'}`}
      </Text>
      <Progress value={100 * Math.min(1, reached)} color={met ? 'teal.7' : 'orange.7'} aria-label={label} />
    </div>
  );
}
