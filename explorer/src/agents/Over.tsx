import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { boundsOf } from '../shared/range';
import { Section } from '../shared/Section';
import { TimeChart, line } from '../shared/TimeChart';
import { AgentTrendsDocument } from './operations.generated';

const route = getRouteApi('/agents/$id');

/** Success and feedback of an agent, week by week. */
export function Over({ id }: { id: string }) {
  const { since, until } = boundsOf(route.useSearch());
  const answer = useAnswer(AgentTrendsDocument, { id, since });
  return (
    <Section title="Week by week">
      <Answered query={answer}>
        {({ trends }) => {
          const points = trends.filter(({ at }) => !until || at < until);
          return (
          <TimeChart
            label="Success and feedback by week"
            lowest={-1}
            series={[line('share of successes', 'teal', points, (point) => point.successRate), line('feedback', 'grape', points, (point) => point.feedbackScore)]}
          />
          );
        }}
      </Answered>
    </Section>
  );
}
