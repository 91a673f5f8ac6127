import { List, Text } from '@mantine/core';
import { percent } from '../shared/numbers';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import type { Judge } from './Judges';

/** The threshold that is proposed, and what it would change; those that are applied, and how they do. */
export function Threshold({ judge }: { judge: Judge }) {
  const { thresholdProposal: proposal, thresholdTrial: trial } = judge;
  return (
    <Section title="Threshold">
      {proposal.threshold === null ? (
        <Text size="sm">None is proposed: {proposal.reason}.</Text>
      ) : (
        <Text size="sm">
          Approve from <b>{proposal.threshold}</b> on: it agrees with people in {percent(proposal.agreement ?? 0)} of {proposal.labelled}, the judge in{' '}
          {percent(proposal.judgeAgreement ?? 0)}. {changed(proposal)}
        </Text>
      )}
      <List size="sm">
        {judge.thresholds.map(({ sectionType, threshold, at }) => (
          <List.Item key={sectionType}>
            Applied to {sectionType ?? 'all types of sections'}: {threshold ?? 'none'}, since <When at={at} />
          </List.Item>
        ))}
      </List>
      {trial && (
        <Text size="sm">
          Of {trial.verdicts} verdicts since: {changed(trial)}
        </Text>
      )}
    </Section>
  );
}

function changed({ wouldApprove, wouldReject }: { wouldApprove: number; wouldReject: number }): string {
  return `It would approve ${wouldApprove} that were rejected, and reject ${wouldReject} that were approved.`;
}
