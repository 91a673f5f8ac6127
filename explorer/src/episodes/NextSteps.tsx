import { Anchor, Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { momentHref } from '../shared/links';
import { many } from '../shared/numbers';
import { NextStepsDocument, type NextStepsQuery } from './operations.generated';

/** Where an agent stands after a step: in which situation, since when, and what it did until then. */
export type Standing = { situation: string; since: string; lastStep: string; stepsSoFar: string[] };

/** What earlier episodes did after such a step; it is asked for when somebody wants to know. */
export function NextSteps({ standing }: { standing: () => Standing }) {
  const [asked, setAsked] = useState<Standing>();
  if (asked) return <Told standing={asked} />;
  return (
    <Button size="compact-xs" variant="subtle" maw="100%" display="block" onClick={() => setAsked(standing())}>
      What earlier episodes did next
    </Button>
  );
}

function Told({ standing: { since, ...input } }: { standing: Standing }) {
  const answer = useAnswer(NextStepsDocument, { input: { ...input, filter: { until: since }, topK: 3 } });
  return (
    <Answered query={answer}>
      {({ nextSteps }) =>
        nextSteps.length === 0 ? (
          <Text size="sm" c="dimmed">
            No earlier episode stood like this.
          </Text>
        ) : (
          <List size="sm" aria-label="What earlier episodes did next">
            {nextSteps.map((step) => (
              <List.Item key={step.name}>
                <b className="written">{step.name}</b>: {turned(step)},{' '}
                <Anchor size="sm" href={momentHref(step.example.episode.id, { part: 'ACTION', position: step.example.position })}>
                  as here
                </Anchor>
              </List.Item>
            ))}
          </List>
        )
      }
    </Answered>
  );
}

function turned({ episodes, succeeded, failed, liked }: NextStepsQuery['nextSteps'][number]): string {
  const said = [succeeded > 0 && `${succeeded} succeeded`, failed > 0 && `${failed} failed`, liked > 0 && `${liked} liked`].filter(Boolean);
  return [many(episodes, 'episode'), ...said].join(', ');
}
