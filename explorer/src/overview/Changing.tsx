import { Anchor, Group, Stack, Text } from '@mantine/core';
import { TrendBadge } from '../agents/TrendBadge';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { recordHref } from '../shared/links';
import { many, percent } from '../shared/numbers';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { ChangingDocument } from './operations.generated';

/** Who gets worse at what, and who better, by the latest executions. */
export function Changing({ agent, task }: { agent?: string; task?: string }) {
  const answer = useAnswer(ChangingDocument, { taskType: task });
  return (
    <Section title="Who changes">
      <Answered query={answer}>
        {({ worse, better }) => {
          const profiles = [...worse.nodes, ...better.nodes].filter((profile) => !agent || profile.agent.id === agent);
          if (profiles.length === 0) return <Text size="sm">All are steady.</Text>;
          return (
            <Stack component="ul" gap={6} p={0} m={0} style={{ listStyle: 'none' }} aria-label="Who changes">
              {profiles.map((profile) => (
                <Group key={profile.id} component="li" gap="xs" justify="space-between">
                  <Text size="sm">
                    <Anchor inherit href={`${recordHref(profile.agent.id)}?task=${encodeURIComponent(profile.taskType)}`}>
                      {heading(profile.agent.name)}
                    </Anchor>{' '}
                    at {profile.taskType}: mean quality {percent(profile.avgQuality)} of {many(profile.executionsTotal, 'execution')}
                  </Text>
                  <TrendBadge trend={profile.trend} />
                </Group>
              ))}
            </Stack>
          );
        }}
      </Answered>
    </Section>
  );
}
