import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { AtFirst } from '../shared/AtFirst';
import { recordHref } from '../shared/links';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import { AlertsDocument, type AlertsQuery } from './operations.generated';

const colours = { CRITICAL: 'red', WARNING: 'orange', INFO: 'blue' } as const;

const atFirst = 10;

/** What somebody should look at, the most severe first. It is asked for by itself, as it goes through all profiles. */
export function Alerts() {
  const answer = useAnswer(AlertsDocument, {});
  return (
    <Section title="Alerts">
      <Answered query={answer}>{({ alerts }) => <Listed alerts={alerts} />}</Answered>
    </Section>
  );
}

function Listed({ alerts }: AlertsQuery) {
  return (
    <Stack gap="xs">
      {alerts.length === 0 && <Text size="sm">There is nothing that somebody should look at.</Text>}
      <AtFirst items={alerts} most={atFirst} what="alerts">
        {(alert) => (
          <Alert key={`${alert.kind} ${alert.subject}`} color={colours[alert.severity]} title={`${alert.severity.toLowerCase()}: ${alert.subject}`}>
            <Text size="sm">
              {alert.happened}
              {alert.since && (
                <>
                  {' '}
                  (since <When at={alert.since} />)
                </>
              )}
              . {alert.do}{' '}
              {alert.subjectId && (
                <Anchor inherit href={recordHref(alert.subjectId)}>
                  Look at it
                </Anchor>
              )}
            </Text>
          </Alert>
        )}
      </AtFirst>
    </Stack>
  );
}
