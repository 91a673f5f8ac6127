import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
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
  const [all, setAll] = useState(false);
  return (
    <Stack gap="xs">
      {alerts.length === 0 && <Text size="sm">There is nothing that somebody should look at.</Text>}
      <Stack gap="xs">
        {(all ? alerts : alerts.slice(0, atFirst)).map((alert) => (
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
        ))}
      </Stack>
      {!all && alerts.length > atFirst && (
        <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setAll(true)}>
          All {alerts.length} alerts
        </Button>
      )}
    </Stack>
  );
}
