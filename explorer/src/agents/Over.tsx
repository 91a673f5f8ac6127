import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Section } from '../shared/Section';
import { TimeChart, line } from '../shared/TimeChart';
import { AgentTrendsDocument } from './operations.generated';

/** Success and feedback of an agent, week by week. */
export function Over({ id }: { id: string }) {
  const answer = useAnswer(AgentTrendsDocument, { id });
  return (
    <Section title="Week by week">
      <Answered query={answer}>
        {({ trends }) => (
          <TimeChart
            label="Success and feedback by week"
            lowest={-1}
            series={[line('share of successes', 'teal', trends, (point) => point.successRate), line('feedback', 'grape', trends, (point) => point.feedbackScore)]}
          />
        )}
      </Answered>
    </Section>
  );
}
