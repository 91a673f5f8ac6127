import { Button, Group, List, Text } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../api/viewer';
import { percent } from '../shared/numbers';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import { Apply, type Applied } from './Apply';
import type { Judge } from './Judges';

/** The threshold that is proposed, and what it would change; those that are applied, and how they do. */
export function Threshold({ judgeId, judge }: { judgeId: string; judge: Judge }) {
  const { thresholdProposal: proposal, thresholdTrial: trial } = judge;
  const may = useMay('ADMIN');
  const [wanted, setWanted] = useState<Applied>();
  const suggested = proposal.threshold ?? judge.calibration.proposedThreshold ?? undefined;
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
      {judge.thresholds.length > 0 && (
        <List size="sm" aria-label="Applied thresholds" spacing={4}>
          {judge.thresholds.map(({ sectionType, threshold, at }) => (
            <List.Item key={sectionType}>
              Applied to {sectionType ?? 'all types of sections'}: {threshold ?? 'none'}, since <When at={at} />{' '}
              {may && threshold !== null && (
                <Button size="compact-xs" variant="default" onClick={() => setWanted({ sectionType: sectionType ?? undefined, threshold: null })}>
                  Take away…
                </Button>
              )}
            </List.Item>
          ))}
        </List>
      )}
      {trial && (
        <Text size="sm">
          Of {trial.verdicts} verdicts since: {changed(trial)}
        </Text>
      )}
      {may ? (
        <Group>
          <Button size="xs" variant="default" onClick={() => setWanted({ threshold: suggested })}>
            Apply {proposal.threshold === null ? 'one' : 'it'}…
          </Button>
        </Group>
      ) : (
        <Text size="sm">Applying one needs a key of the role admin.</Text>
      )}
      {wanted && <Apply judgeId={judgeId} judge={judge} first={wanted} onClose={() => setWanted(undefined)} />}
    </Section>
  );
}

function changed({ wouldApprove, wouldReject }: { wouldApprove: number; wouldReject: number }): string {
  return `It would approve ${wouldApprove} that were rejected, and reject ${wouldReject} that were approved.`;
}
