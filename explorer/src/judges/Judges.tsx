import { SimpleGrid, Stack } from '@mantine/core';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Choice } from '../shared/Choice';
import { OfferSample } from '../shared/Empty';
import { boundsOf, type RangeSearch } from '../shared/range';
import { Section } from '../shared/Section';
import { line, TimeChart } from '../shared/TimeChart';
import { Calibration } from './Calibration';
import type { ViewProps } from './JudgesPage';
import { JudgeDocument, JudgesDocument, JudgeTrendsDocument, type JudgeQuery, type JudgeTrendsQuery } from './operations.generated';
import { Tendencies } from './Tendencies';
import { Threshold } from './Threshold';
import { Verdicts } from './Verdicts';

export type Judge = JudgeQuery['judgeTendencies'];

/** One judge at a time: how it decides, over time and against people. */
export function Judges({ search, onChange }: ViewProps) {
  const judges = useAnswer(JudgesDocument, {});
  return (
    <Answered query={judges}>
      {({ judges: [first, ...others] }) =>
        first === undefined ? (
          <OfferSample what="judged runs" />
        ) : (
          <Stack>
            <Choice label="Judge" value={search.judge === first ? undefined : search.judge} any={first} options={others} onChange={(judge) => onChange({ judge, section: undefined })} />
            <One judgeId={search.judge ?? first} search={search} onChange={onChange} />
          </Stack>
        )
      }
    </Answered>
  );
}

function One({ judgeId, search, onChange }: ViewProps & { judgeId: string }) {
  const answer = useAnswer(JudgeDocument, { judgeId });
  return (
    <Answered query={answer}>
      {({ judgeTendencies: judge }) => (
        <Stack>
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
            <Tendencies judge={judge} />
            <Stack>
              <Calibration judge={judge} />
              <Threshold judgeId={judgeId} judge={judge} />
            </Stack>
          </SimpleGrid>
          <OverTime judgeId={judgeId} range={search} />
          <Verdicts judgeId={judgeId} judge={judge} search={search} onChange={onChange} />
        </Stack>
      )}
    </Answered>
  );
}

/** It is asked for by itself: as the tendencies, it goes through all of a judge's verdicts. */
function OverTime({ judgeId, range }: { judgeId: string; range: RangeSearch }) {
  const { since, until } = boundsOf(range);
  const answer = useAnswer(JudgeTrendsDocument, { judgeId, since });
  return <Answered query={answer}>{({ trends }) => <Charts trends={trends.filter(({ at }) => !until || at < until)} />}</Answered>;
}

function Charts({ trends }: JudgeTrendsQuery) {
  const scores = line('mean score', 'indigo', trends, (point) => point.judgeScore);
  const values = scores.points.map(({ value }) => value);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Section title="Scores over time">
        <TimeChart label="Mean score by week" series={[scores]} lowest={Math.floor(Math.min(0, ...values))} highest={Math.ceil(Math.max(1, ...values))} />
      </Section>
      <Section title="Approval over time">
        <TimeChart label="Share of approvals by week" series={[line('share of approvals', 'teal', trends, (point) => point.approvalRate)]} />
      </Section>
    </SimpleGrid>
  );
}
