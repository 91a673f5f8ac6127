import { Anchor, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAnswer } from '../api/query';
import { Answered } from '../shared/Answered';
import { canvasName } from '../shared/CanvasLine';
import { recordHref } from '../shared/links';
import { many, percent } from '../shared/numbers';
import type { RangeSearch } from '../shared/range';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { FailingDocument, type FailingQuery } from './operations.generated';
import { failuresHref, type OverviewSearch } from './search';

type Props = { search: OverviewSearch; bounds: { since?: string; until?: string }; range: RangeSearch };

const most = 5;

/** What goes wrong most often: by one question of the latest 100 failures, the latest 100 episodes with a closed canvas, and the most frequent issues. */
export function Failing({ search: { agent, task }, bounds, range }: Props) {
  const filter = { agentId: agent, taskType: task, ...bounds };
  const answer = useAnswer(FailingDocument, { failed: { ...filter, outcome: 'FAILURE' }, closed: { ...filter, canvasAction: 'CLOSE' } });
  const all = failuresHref(range, agent, task);
  return (
    <Section title="What fails most" actions={<Anchor size="sm" href={all}>All failures</Anchor>}>
      <Answered query={answer}>
        {({ failed, closed, patterns }) => (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            <Part title="Last steps of failures" nothing="Nothing failed." of={counted(failed.nodes.flatMap(({ id, actions }) => (actions.length > 0 ? [{ name: actions.at(-1)!.stepName, id }] : [])))} one="failure" />
            <Part title="Memories that misled" nothing="No failure names one." of={counted(failed.nodes.flatMap(({ id, informedBy }) => informedBy.nodes.map((memory) => ({ name: heading(memory.title), id, memory: memory.id }))))} one="failure" />
            <Part title="Canvases that people close" nothing="None was closed." of={counted(closed.nodes.flatMap(closedOn))} one="time" />
            <Stack gap={4}>
              <Title order={3}>Issues, of all judged work</Title>
              {patterns.nodes.length === 0 && <Text size="sm">No issue is known.</Text>}
              <List size="sm">
                {distinct(patterns.nodes).map(({ id, issueCode, description, sectionType, rate, total }) => (
                  <List.Item key={id}>
                    <Anchor inherit href={`#/judges?view=patterns&kind=DONT&section=${encodeURIComponent(sectionType)}`} className="written">
                      {issueCode ?? description}
                    </Anchor>{' '}
                    in {percent(rate)} of {many(total, `${sectionType} section`)}
                  </List.Item>
                ))}
              </List>
            </Stack>
          </SimpleGrid>
        )}
      </Answered>
    </Section>
  );
}

type Named = { name: string; id: string; memory?: string };
type Counted = Named & { count: number };

/** Names with how often each is there, the most frequent first, and the newest episode that has it. */
function counted(all: Named[]): Counted[] {
  const byName = new Map<string, Counted>();
  for (const one of all) byName.set(one.name, { ...(byName.get(one.name) ?? one), count: (byName.get(one.name)?.count ?? 0) + 1 });
  return [...byName.values()].sort((a, b) => b.count - a.count).slice(0, most);
}

/** An issue of a type of sections stands there once, in whatever context it is most frequent. */
function distinct(patterns: FailingQuery['patterns']['nodes']) {
  const named = new Map([...patterns].reverse().map((pattern) => [`${pattern.sectionType} ${pattern.issueCode ?? pattern.description}`, pattern]));
  return [...named.values()].reverse().slice(0, most);
}

function closedOn({ id, canvasContext }: FailingQuery['closed']['nodes'][number]) {
  return canvasContext.flatMap((canvas) => canvas.actions.filter(({ action }) => action === 'CLOSE').map(() => ({ name: canvasName(canvas), id })));
}

function Part({ title, of, one, nothing }: { title: string; of: Counted[]; one: string; nothing: ReactNode }) {
  return (
    <Stack gap={4}>
      <Title order={3}>{title}</Title>
      {of.length === 0 && <Text size="sm">{nothing}</Text>}
      <List size="sm">
        {of.map(({ name, count, id, memory }) => (
          <List.Item key={name}>
            {memory ? <Anchor inherit href={recordHref(memory)} className="written">{name}</Anchor> : <b className="written">{name}</b>}: {many(count, one)},{' '}
            <Anchor inherit href={recordHref(id)}>
              the latest
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
