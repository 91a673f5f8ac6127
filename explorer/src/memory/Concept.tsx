import { Anchor, Group, List, SimpleGrid, Stack, Text } from '@mantine/core';
import { EditConcept } from '../acting/EditConcept';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { AtFirst } from '../shared/AtFirst';
import { Empty } from '../shared/Empty';
import { graphHref, recordHref } from '../shared/links';
import { Section } from '../shared/Section';
import { When } from '../shared/When';
import { ConceptDocument, type ConceptQuery } from './operations.generated';
import { Standing } from './Standing';

type OneConcept = NonNullable<ConceptQuery['concept']>;

/** A concept: what it says, beside what it said before, and what it has to do with others. */
export function Concept({ id }: { id: string }) {
  const answer = useAnswer(ConceptDocument, { id });
  return (
    <Answered query={answer}>{({ concept }) => (concept ? <Whole concept={concept} /> : <Empty title={`There is no ${id}.`} />)}</Answered>
  );
}

function Whole({ concept }: { concept: OneConcept }) {
  return (
    <Section title={concept.name} actions={<Anchor size="sm" href={graphHref(concept.id)}>In the graph</Anchor>}>
      <Group gap="xs">
        <Standing concept={concept} />
        <Text size="sm" c="dimmed">
          {concept.memoir.name}
        </Text>
      </Group>
      {concept.supersededBy && (
        <Text size="sm">
          In its place holds <Anchor inherit href={recordHref(concept.supersededBy.id)}>{concept.supersededBy.name}</Anchor>.
        </Text>
      )}
      {concept.contradictedBy.map(({ id, name }) => (
        <Text key={id} size="sm">
          <Anchor inherit href={recordHref(id)}>{name}</Anchor> says otherwise.
        </Text>
      ))}
      <EditConcept concept={concept} />
      <Revisions concept={concept} />
      <Relations concept={concept} />
    </Section>
  );
}

const atFirst = 30;

/** How many relations the API answers with a concept. */
const mostAnswered = 1000;

function Relations({ concept }: { concept: OneConcept }) {
  return (
    <>
      <AtFirst
        items={concept.relations}
        most={atFirst}
        what="relations"
        around={(shown) => (
          <List size="sm" aria-label="Relations">
            {shown}
          </List>
        )}
      >
        {({ id, type, source, target }) => (
          <List.Item key={id}>
            {end(source, concept)} {type.toLowerCase().replaceAll('_', ' ')} {end(target, concept)}
          </List.Item>
        )}
      </AtFirst>
      {concept.relations.length === mostAnswered && (
        <Text size="sm" c="dimmed">
          It may have more; the graph has all.
        </Text>
      )}
    </>
  );
}

function end(of: { id: string; name: string }, here: OneConcept) {
  if (of.id === here.id) return <b>{of.name}</b>;
  return (
    <Anchor inherit href={recordHref(of.id)}>
      {of.name}
    </Anchor>
  );
}

/** What it says now and said before, side by side, the newest first. */
function Revisions({ concept }: { concept: OneConcept }) {
  const said = [...concept.revisions, { content: concept.content, labels: concept.labels, at: concept.updatedAt }].reverse();
  return (
    <SimpleGrid cols={{ base: 1, sm: Math.min(2, said.length) }} spacing="md">
      {said.map((revision, place) => (
        <Stack key={revision.at + place} gap={4}>
          <Text size="xs" c="dimmed">
            {place === 0 ? 'Now, since ' : 'Before, since '}
            <When at={revision.at} />
          </Text>
          <Text size="sm" className="written">
            {revision.content}
          </Text>
          <Text size="xs" c="dimmed">
            {revision.labels.join(', ')}
          </Text>
        </Stack>
      ))}
    </SimpleGrid>
  );
}
