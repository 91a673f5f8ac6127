import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { recordHref } from '../shared/links';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import type { AgentsQuery } from './operations.generated';

const colours = { CRITICAL: 'red', WARNING: 'orange', INFO: 'blue' } as const;

/** What somebody should look at, the most severe first. */
export function Alerts({ alerts }: { alerts: AgentsQuery['alerts'] }) {
  return (
    <Section title="Alerts">
      {alerts.length === 0 && <Text size="sm">There is nothing that somebody should look at.</Text>}
      <Stack gap="xs">
        {alerts.map((alert) => (
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
    </Section>
  );
}
