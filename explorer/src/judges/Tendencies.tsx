import { Progress, Text } from '@mantine/core';
import { Facts } from '../shared/Facts';
import { many, percent, score } from '../shared/numbers';
import { Section } from '../shared/Section';
import type { Judge } from './Judges';

const typesAtFirst = 10;

/** How a judge decides, without comparing it with anybody. */
export function Tendencies({ judge }: { judge: Judge }) {
  const highest = scaleOf(judge.scoreBySectionType.map(({ averageScore }) => averageScore));
  const bar = ({ sectionType, averageScore, count }: Judge['scoreBySectionType'][number]) => (
    <div key={sectionType}>
      <Text size="sm">
        <b>{sectionType}</b>: mean score {score(averageScore)} over {count}, on a scale to {highest}
      </Text>
      <Progress value={(100 * averageScore) / highest} aria-label={`Mean score of ${sectionType}, of ${highest}`} />
    </div>
  );
  const [first, rest] = [judge.scoreBySectionType.slice(0, typesAtFirst), judge.scoreBySectionType.slice(typesAtFirst)];
  return (
    <Section title="How it decides">
      <Facts
        facts={[
          ['Verdicts', judge.verdicts],
          ['Mean score', judge.averageScore === null ? 'none' : `${score(judge.averageScore)} ± ${score(judge.scoreStdDev ?? 0)}`],
          ['Approves', percent(judge.approvalRate)],
          ['Often names', judge.commonCritiqueAreas.join(', ').toLowerCase() || 'nothing'],
        ]}
      />
      {first.map(bar)}
      {rest.length > 0 && (
        <details>
          <Text component="summary" size="sm">
            {many(rest.length, 'more type')} of sections
          </Text>
          {rest.map(bar)}
        </details>
      )}
    </Section>
  );
}

/** The end of the scale that scores are likely on: 1, 5, 10 or 100, the first that all fit on. */
function scaleOf(scores: number[]): number {
  const highest = Math.max(0, ...scores);
  return [1, 5, 10, 100].find((end) => highest <= end) ?? highest;
}
