import { Anchor, Group, Stack, Text } from '@mantine/core';
import { TrendBadge } from '../agents/TrendBadge';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { AtFirst } from '../shared/AtFirst';
import { recordHref } from '../shared/links';
import { many, percent } from '../shared/numbers';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { ChangingDocument } from './operations.generated';

const atFirst = 10;

/** Who gets worse at what, and who better, by the latest executions. */
export function Changing({ agent, task }: { agent?: string; task?: string }) {
  const answer = useAnswer(ChangingDocument, { taskType: task, agentId: agent ?? '', ofOne: agent !== undefined });
  return (
    <Section title="Who changes">
      <Answered query={answer}>
        {({ worse, better, agent: one }) => {
          const of = (trend: 'DOWN' | 'UP') => one?.learningProfiles.filter((profile) => profile.trend === trend && (!task || profile.taskType === task));
          const profiles = [...(of('DOWN') ?? worse?.nodes ?? []), ...(of('UP') ?? better?.nodes ?? [])];
          if (profiles.length === 0) return <Text size="sm">All are steady.</Text>;
          return (
            <Stack gap={6}>
              <AtFirst items={profiles} most={atFirst} what="of them" around={(shown) => <Stack component="ul" gap={6} p={0} m={0} style={{ listStyle: 'none' }} aria-label="Who changes">{shown}</Stack>}>
                {(profile) => (
                  <Group key={profile.id} component="li" gap="xs" justify="space-between">
                    <Text size="sm">
                      <Anchor inherit href={`${recordHref(profile.agent.id)}?task=${encodeURIComponent(profile.taskType)}`}>
                        {heading(profile.agent.name)}
                      </Anchor>{' '}
                      at {profile.taskType}: mean quality {percent(profile.avgQuality)} of {many(profile.executionsTotal, 'execution')}
                    </Text>
                    <TrendBadge trend={profile.trend} />
                  </Group>
                )}
              </AtFirst>
              {(worse?.pageInfo.hasNextPage || better?.pageInfo.hasNextPage) && <Text size="sm">There are more; choose an agent or a task type above.</Text>}
            </Stack>
          );
        }}
      </Answered>
    </Section>
  );
}
