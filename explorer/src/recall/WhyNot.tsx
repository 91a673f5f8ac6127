import { Anchor, Button, Group, List, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { recordHref } from '../shared/links';
import { score } from '../shared/numbers';
import { boundsOf } from '../shared/range';
import { briefReason, heading } from '../shared/shortened';
import { RecallDocument, WhyNotDocument, type RecallQuery, type WhyNotQuery } from './operations.generated';
import { ScoreParts, type Weights } from './ScoreParts';
import { recallInput, type RecallSearch } from './search';

type Props = { search: RecallSearch; shown: RecallQuery['recall']['hits']; weights: Weights; longest: number; onChange: (part: Partial<RecallSearch>) => void };

const looked = 100; // the most hits that the API answers

/** Where an episode that is not among the hits stands, or which filter leaves it out. */
export function WhyNot({ search, shown, weights, longest, onChange }: Props) {
  const [written, setWritten] = useState(search.why ?? '');
  const ask = (event: FormEvent) => {
    event.preventDefault();
    onChange({ why: idIn(written) });
  };
  return (
    <Paper withBorder p="md" component="section" aria-label="An episode that is missing">
      <Stack gap="xs">
        <Group component="form" align="flex-end" gap="xs" onSubmit={ask}>
          <TextInput label="Why not this one?" description="The id or the address of an episode that you expected." value={written} onChange={(event) => setWritten(event.currentTarget.value)} flex="1 1 14rem" />
          <Button type="submit" variant="default">
            Explain
          </Button>
        </Group>
        {search.why && <Explained id={search.why} search={search} shown={shown} weights={weights} longest={longest} />}
      </Stack>
    </Paper>
  );
}

/** The id of an episode in what was written, which may be the address of its page. */
function idIn(written: string): string | undefined {
  const key = /episodes\/([^?/\s]+)/.exec(written)?.[1];
  try {
    return (key ? decodeURIComponent(key) : written.trim()) || undefined;
  } catch {
    return key; // it has a percent sign of its own
  }
}

function Explained({ id, search, shown, weights, longest }: Omit<Props, 'onChange'> & { id: string }) {
  const episode = useAnswer(WhyNotDocument, { id });
  const ranked = useAnswer(RecallDocument, { input: { ...recallInput(search), topK: looked, variants: 'SEPARATE' } });
  return (
    <Answered query={episode}>
      {({ episode: one }) =>
        one ? (
          <Answered query={ranked}>
            {({ recall }) => {
              const hit = recall.hits.find((found) => found.episode.id === one.id);
              const last = shown.at(-1);
              return (
                <Stack gap="xs" role="status">
                  <Anchor size="sm" href={recordHref(one.id)} className="written">
                    {heading(one.title)}
                  </Anchor>
                  {hit ? (
                    <>
                      <Text size="sm">
                        {shown.some((found) => found.episode.id === one.id)
                          ? 'It is among the hits.'
                          : shown.some((found) => found.siblings.some((sibling) => sibling.id === one.id))
                            ? 'It is one of the near-identical episodes of a hit.'
                            : `It has place ${hit.rank}${last ? `: its score is ${score(hit.score.total)}, and that of the last hit ${score(last.score.total)}` : ''}.`}
                      </Text>
                      <ScoreParts score={hit.score} weights={weights} longest={longest} />
                      <List size="sm">
                        {hit.reasons.map((reason) => (
                          <List.Item key={reason}>{briefReason(reason)}</List.Item>
                        ))}
                      </List>
                    </>
                  ) : (
                    <Text size="sm">{leftOut(one, search) ?? `It is not among the ${looked} best: hardly a word or meaning of the situation is in it.`}</Text>
                  )}
                </Stack>
              );
            }}
          </Answered>
        ) : (
          <Text size="sm">There is no {id}.</Text>
        )
      }
    </Answered>
  );
}

/** The filters that leave an episode out, in words; undefined where none of those does that can be told here. */
function leftOut(one: NonNullable<WhyNotQuery['episode']>, search: RecallSearch): string | undefined {
  const { since, until } = boundsOf(search);
  const names = [
    search.agent && search.agent !== one.agent.id && 'agent',
    search.task && search.task !== one.taskType && 'task type',
    search.outcome && search.outcome !== one.outcome && 'outcome',
    search.liked !== undefined && (one.aggregateFeedbackScore ?? -2) < search.liked && 'feedback',
    ((since && one.startedAt < since) || (until && one.startedAt >= until)) && 'time',
    search.asOf && (one.endedAt ?? one.startedAt) > search.asOf && 'date as of which is asked',
  ].filter(Boolean);
  return names.length > 0 ? `A filter leaves it out: ${names.join(', ')}.` : undefined;
}
