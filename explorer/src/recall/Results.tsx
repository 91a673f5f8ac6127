import { Stack, Tabs, Text, Title } from '@mantine/core';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Empty } from '../shared/Empty';
import { Behind } from '../shared/Behind';
import { heading } from '../shared/shortened';
import { Beside } from './Beside';
import { Hit } from './Hit';
import { Lessons } from './Lessons';
import { Next } from './Next';
import { RecallDocument, RecallRanksDocument, type RecallQuery, type RecallRanksQuery } from './operations.generated';
import { recallInput, usual, usualInput, type RecallSearch } from './search';
import { WhyNot } from './WhyNot';

/** What is recalled: as experiences, as the agent would get it, and as the API is asked for it. */
export function Results({ search, onChange }: { search: RecallSearch; onChange: (part: Partial<RecallSearch>) => void }) {
  const input = recallInput(search);
  const changed = input.ranking !== undefined;
  const answer = useAnswer(RecallDocument, { input });
  const before = useAnswer(RecallRanksDocument, { input: usualInput(search) }, { enabled: changed });
  const usualHits = changed && !before.isPlaceholderData ? before.data?.recall.hits : undefined;
  return (
    <Tabs value={search.tab === 'beside' && !changed ? 'experiences' : (search.tab ?? 'experiences')} onChange={(tab) => onChange({ tab: tab === 'experiences' ? undefined : (tab as RecallSearch['tab']) })} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="experiences">Experiences</Tabs.Tab>
        <Tabs.Tab value="next">Next steps</Tabs.Tab>
        {changed && <Tabs.Tab value="beside">Side by side</Tabs.Tab>}
        <Tabs.Tab value="lessons">Lessons</Tabs.Tab>
        <Tabs.Tab value="graphql">GraphQL</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="experiences">
        <Answered query={answer}>{({ recall }) => <Experiences recall={recall} search={search} usualHits={usualHits} onChange={onChange} />}</Answered>
      </Tabs.Panel>
      <Tabs.Panel value="next">
        <Next search={search} />
      </Tabs.Panel>
      <Tabs.Panel value="beside">
        <Answered query={answer}>{({ recall }) => <Beside usual={usualHits ?? []} changed={recall.hits} />}</Answered>
      </Tabs.Panel>
      <Tabs.Panel value="lessons">
        <Answered query={answer}>{({ recall }) => <Lessons text={recall.lessons} />}</Answered>
      </Tabs.Panel>
      <Tabs.Panel value="graphql">
        <Behind operation={RecallDocument} variables={{ input }} />
      </Tabs.Panel>
    </Tabs>
  );
}

type UsualHits = RecallRanksQuery['recall']['hits'];

function Experiences({ recall, search, usualHits, onChange }: { recall: RecallQuery['recall']; search: RecallSearch; usualHits: UsualHits | undefined; onChange: (part: Partial<RecallSearch>) => void }) {
  if (recall.hits.length === 0) {
    return (
      <Empty title="Nothing is remembered for this.">
        <Text size="sm">{recall.note}</Text>
      </Empty>
    );
  }
  const weights = { match: search.match ?? usual.semanticWeight, recency: search.recency ?? usual.temporalWeight };
  const longest = Math.max(...recall.hits.map((hit) => hit.score.total - Math.min(0, hit.score.feedback) - Math.min(0, hit.score.credit)));
  const shown = new Set(recall.hits.map((hit) => hit.episode.id));
  const gone = usualHits?.filter((hit) => !shown.has(hit.episode.id)) ?? [];
  return (
    <Stack gap="xl">
      <Stack component="ol" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Experiences, best first">
        {recall.approximate && (
          <li>
            <Text size="sm" c="dimmed">
              Not all in this memory was compared: an experience that ranks higher may be missing.
            </Text>
          </li>
        )}
        {recall.hits.map((hit) => (
          <Hit key={hit.episode.id} hit={hit} weights={weights} longest={longest} before={usualHits && rankOf(usualHits, hit.episode.id)} />
        ))}
        {gone.length > 0 && (
          <li>
            <Empty title="Usually among them, and not now">
              {gone.map((hit) => (
                <Text key={hit.episode.id} size="sm">
                  {hit.rank}. {heading(hit.episode.title)}
                </Text>
              ))}
            </Empty>
          </li>
        )}
      </Stack>
      {recall.cautions.length > 0 && (
        <section aria-labelledby="cautions">
          <Title order={2} size="h3" mb="md" id="cautions">
            What went wrong in similar situations
          </Title>
          <Stack component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
            {recall.cautions.map((caution) => (
              <Hit key={caution.episode.id} hit={caution} weights={weights} longest={longest} />
            ))}
          </Stack>
        </section>
      )}
      {search.q && <WhyNot key={search.why} search={search} shown={recall.hits} weights={weights} longest={longest} onChange={onChange} />}
    </Stack>
  );
}

/** The place of an episode in a list of hits; 0 where it has none. */
function rankOf(hits: UsualHits, id: string): number {
  return hits.find((hit) => hit.episode.id === id)?.rank ?? 0;
}
