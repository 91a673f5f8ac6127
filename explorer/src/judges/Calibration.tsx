import { Badge, Text } from '@mantine/core';
import { Facts } from '../shared/Facts';
import { percent, score } from '../shared/numbers';
import { Section } from '../shared/Section';
import type { Judge } from './Judges';

const readings = {
  TOO_LENIENT: { label: 'too lenient', color: 'orange' },
  BALANCED: { label: 'balanced', color: 'teal' },
  TOO_CRITICAL: { label: 'too critical', color: 'orange' },
  UNKNOWN: { label: 'too few verdicts', color: 'gray' },
} as const;

/** Whether a judge is of one mind with people. */
export function Calibration({ judge }: { judge: Judge }) {
  const { label, color } = readings[judge.calibration.leniency];
  const agreement = judge.humanAgreement;
  const share = (value: number | null) => (value === null ? 'unknown' : percent(value));
  return (
    <Section
      title="Against people"
      actions={
        <Badge variant="light" color={color}>
          {label}
        </Badge>
      }
    >
      <Text size="sm">{judge.calibration.leniency === 'UNKNOWN' ? judge.calibration.reason : `It ${judge.calibration.reason}`}.</Text>
      {agreement ? (
        <Facts
          facts={[
            ['Labelled verdicts', agreement.labelled],
            ['Agrees in', percent(agreement.agreement)],
            ['κ (95 % interval)', kappa(agreement)],
            ['Precision', share(agreement.precision), 'Of what the judge approved, how much people approve too.'],
            ['Recall', share(agreement.recall), 'Of what people approve, how much the judge approved too.'],
            ['Drift', agreement.drift === null ? 'unknown' : score(agreement.drift, true)],
          ]}
        />
      ) : (
        <Text size="sm">No person has labelled a verdict of it yet. That is done below, beside each verdict.</Text>
      )}
    </Section>
  );
}

function kappa({ kappa: value, kappaLow: low, kappaHigh: high }: NonNullable<Judge['humanAgreement']>): string {
  if (value === null || low === null || high === null) return 'unknown, both always say the same';
  return `${score(value)} (${score(low)} to ${score(high)})`;
}
