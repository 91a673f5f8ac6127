import { Alert, Anchor, Badge, Button, Stack, Table, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../api/query';
import { aligned } from '../shared/align';
import { Answered } from '../shared/Answered';
import { Empty } from '../shared/Empty';
import { recordHref } from '../shared/links';
import { Long, LongJson } from '../shared/Long';
import { duration, score } from '../shared/numbers';
import { OutcomeBadge } from '../shared/OutcomeBadge';
import { Page } from '../shared/Page';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { When } from '../shared/When';
import { ComparedDocument, LikeDocument, type ComparedQuery } from './operations.generated';

const route = getRouteApi('/compare');

type Side = NonNullable<ComparedQuery['a']>;
type Action = Side['actions'][number];

/** Two episodes side by side: what was asked, what was done step by step, and where they first differ. */
export function ComparePage() {
  const { a, b } = route.useSearch();
  const answer = useAnswer(ComparedDocument, { a: a ?? '', b: b ?? a ?? '' });
  return (
    <Page title="Two episodes" about="Steps of the same name stand beside each other. What only one of them did stands alone.">
      <Answered query={answer}>
        {({ a: left, b: right }) =>
          !left || !right ? <Empty title="One of the two is not there." /> : a === b || b === undefined ? <Choose of={left} /> : <Beside left={left} right={right} />
        }
      </Answered>
    </Page>
  );
}

/** With what to compare it: the latest of its type of task that ended otherwise come first. */
function Choose({ of }: { of: Side }) {
  const navigate = route.useNavigate();
  const answer = useAnswer(LikeDocument, { filter: { taskType: of.taskType } });
  return (
    <Section title="Compare with" about={`The latest of the same type of task as “${heading(of.title)}”; those that ended otherwise come first.`}>
      <Answered query={answer}>
        {({ episodes: { nodes } }) => (
          <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: 'none' }} aria-label="Episodes to compare with">
            {nodes
              .filter(({ id }) => id !== of.id)
              .sort((one, other) => Number(one.outcome === of.outcome) - Number(other.outcome === of.outcome))
              .map((episode) => (
                <li key={episode.id}>
                  <Button variant="subtle" size="compact-sm" maw="100%" onClick={() => void navigate({ search: (here) => ({ ...here, a: of.id, b: episode.id }) })}>
                    {heading(episode.title)}
                  </Button>{' '}
                  <OutcomeBadge outcome={episode.outcome} />
                </li>
              ))}
          </Stack>
        )}
      </Answered>
    </Section>
  );
}

const mostSteps = 500; // of each, so that they are compared at once

const shown = (action: Action | undefined) => JSON.stringify([action?.stepName, action?.result]);

function Beside({ left, right }: { left: Side; right: Side }) {
  const rows = aligned(left.actions.slice(0, mostSteps), right.actions.slice(0, mostSteps), (one, other) => one.stepName === other.stepName);
  const first = rows.findIndex(([one, other]) => shown(one) !== shown(other));
  const sides = [left, right];
  const cut = sides.some(({ actions }) => actions.length > mostSteps);
  return (
    <>
      {cut && <Alert color="orange" title={`Only the first ${mostSteps} steps of each are compared.`} />}
      <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label="Two episodes" layout="fixed" verticalSpacing="xs" styles={{ td: { verticalAlign: 'top', overflowWrap: 'anywhere' } }}>
          <Table.Thead>
            <Table.Tr>
              {sides.map((side, place) => (
                <Table.Th key={place}>
                  <Anchor inherit href={recordHref(side.id)} className="written">
                    {heading(side.title)}
                  </Anchor>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr>
              {sides.map((side, place) => (
                <Table.Td key={place}>
                  <OutcomeBadge outcome={side.outcome} />
                  <Text size="sm" c="dimmed">
                    {heading(side.agent.name)} · <When at={side.startedAt} />
                    {side.durationSeconds !== null && ` · took ${duration(side.durationSeconds)}`}
                    {side.aggregateFeedbackScore !== null && ` · feedback ${score(side.aggregateFeedbackScore, true)}`}
                  </Text>
                </Table.Td>
              ))}
            </Table.Tr>
            <Row texts={sides.map(({ observation }) => observation)} what="Situation: " />
            {rows.map((row, place) => (
              <Table.Tr key={place} bg={place === first ? 'var(--mantine-color-orange-light)' : undefined}>
                {row.map((action, side) => (
                  <Table.Td key={side}>
                    {place === first && side === 0 && (
                      <Badge color="orange" variant="light" mb={4}>
                        first difference
                      </Badge>
                    )}
                    {action ? (
                      <>
                        <Text size="sm" fw={600}>
                          {action.stepName}
                        </Text>
                        <LongJson value={action.result} />
                      </>
                  ) : (
                    <Text size="sm" c="dimmed">
                      did not
                    </Text>
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
          <Row texts={sides.map(({ result }) => result ?? 'Nothing came of it yet.')} what="Result: " />
          <Row texts={sides.map(({ insight }) => insight)} what="Insight: " />
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
    </>
  );
}

function Row({ texts, what }: { texts: string[]; what: string }) {
  return (
    <Table.Tr>
      {texts.map((text, place) => (
        <Table.Td key={place}>
          <Long what={what} text={text} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
