import { Button, Grid, Group, Paper, Text } from '@mantine/core';
import { useList } from '../api/list';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { Choice } from '../shared/Choice';
import { Empty, OfferSample } from '../shared/Empty';
import { Listed } from '../shared/Listed';
import { Concept } from './Concept';
import type { ViewProps } from './MemoryPage';
import { ConceptDocument, ConceptsDocument, MemoirsDocument, type ConceptsQuery, type MemoirsQuery } from './operations.generated';
import { Standing } from './Standing';
import { useInSight } from '../shared/useInSight';

/** The concepts of a memoir, and one of them with all that it said. */
export function Concepts({ search, onChange }: ViewProps) {
  const memoirs = useAnswer(MemoirsDocument, {});
  const place = useInSight<HTMLDivElement>(search.concept);
  return (
    <Answered query={memoirs}>
      {({ memoirs: { nodes } }) =>
        nodes.length === 0 ? (
          <OfferSample what="memoirs" />
        ) : (
          <Grid gutter="md">
            <Grid.Col span={{ base: 12, md: 5 }}>
              <OfMemoir memoirs={nodes} search={search} onChange={onChange} />
            </Grid.Col>
            <Grid.Col ref={place} span={{ base: 12, md: 7 }} style={{ scrollMarginTop: 64 }}>
              {search.concept ? <Concept id={search.concept} /> : <Empty title="Choose a concept to see what it says, what it said before, and what it has to do with others." />}
            </Grid.Col>
          </Grid>
        )
      }
    </Answered>
  );
}

function OfMemoir({ memoirs, search, onChange }: ViewProps & { memoirs: MemoirsQuery['memoirs']['nodes'] }) {
  const [first, ...others] = memoirs;
  // A link to a concept may not say of which memoir it is.
  const linked = useAnswer(ConceptDocument, { id: search.concept ?? '' }, { enabled: search.concept !== undefined && search.memoir === undefined });
  const memoirId = search.memoir ?? (search.concept && linked.data?.concept?.memoir.id) ?? first!.id;
  const list = useList(ConceptsDocument, { memoirId }, (data) => data.memoir?.concepts ?? nothing);
  const chosen = memoirs.find(({ id }) => id === memoirId);
  return (
    <>
      <Choice
        label="Memoir"
        value={memoirId === first!.id ? undefined : memoirId}
        any={first!.name}
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(memoir) => onChange({ memoir, concept: undefined })}
      />
      {memoirs.length === 100 && <Text size="sm">The first 100 memoirs; the concepts of any other are found by the search.</Text>}
      <Text size="sm" c="dimmed" mb="sm">
        {chosen?.description}
      </Text>
      <Listed list={list} label="Concepts" empty={<Empty title="This memoir has no concepts yet." />}>
        {(concept) => <Line key={concept.id} concept={concept} chosen={concept.id === search.concept} onChoose={() => onChange({ concept: concept.id })} />}
      </Listed>
    </>
  );
}

type InList = NonNullable<ConceptsQuery['memoir']>['concepts']['nodes'][number];

const nothing = { nodes: [] as InList[], pageInfo: { hasNextPage: false, endCursor: null }, totalCount: 0 };

function Line({ concept, chosen, onChoose }: { concept: InList; chosen: boolean; onChoose: () => void }) {
  return (
    <Paper component="li" withBorder px="sm" py={6}>
      <Group justify="space-between" gap="xs">
        <Button variant={chosen ? 'light' : 'subtle'} size="compact-sm" aria-pressed={chosen} onClick={onChoose}>
          {concept.name}
        </Button>
        <Standing concept={concept} />
      </Group>
      {concept.labels.length > 0 && (
        <Text size="xs" c="dimmed" pl={8}>
          {concept.labels.join(', ')}
        </Text>
      )}
    </Paper>
  );
}
