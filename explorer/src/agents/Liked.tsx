import { Anchor, Table, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { ask } from '../api/client';
import { canvasName } from '../shared/CanvasLine';
import { recordHref } from '../shared/links';
import { duration, score } from '../shared/numbers';
import { Section } from '../shared/Section';
import { heading } from '../shared/shortened';
import { InsightsOfDocument } from './operations.generated';

/** Of how many agents it is asked. */
const most = 20;

/** What people make of what all agents show them, what they dislike most first. */
export function Liked({ agents }: { agents: { id: string }[] }) {
  const asked = agents.slice(0, most);
  const { types, pending } = useQueries({
    queries: asked.map(({ id }) => ({
      queryKey: ['insights', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await ask(InsightsOfDocument, { id }, signal)).agent,
    })),
    combine: (answers) => ({
      pending: answers.some(({ isPending }) => isPending),
      types: answers.flatMap(({ data }) => data?.canvasInsights.byType.map((type) => ({ ...type, agent: { id: data.id, name: data.name } })) ?? []),
    }),
  });
  // Those without feedback come last, by what people did with them.
  const sorted = [...types].sort((a, b) => (a.meanFeedback ?? 2) - (b.meanFeedback ?? 2) || a.meanReward - b.meanReward);
  if (!pending && sorted.length === 0) return null;
  return (
    <Section title="What people make of canvases" about={`What they dislike most comes first.${agents.length > most ? ` Of the first ${most} agents.` : ''}`}>
      <div aria-busy={pending}>
        <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table fz="sm" horizontalSpacing={6} aria-label="Canvases of all agents">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Canvas</Table.Th>
                <Table.Th>Agent</Table.Th>
                <Table.Th>Shown</Table.Th>
                <Table.Th>Open for</Table.Th>
                <Table.Th>Feedback</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sorted.map((type) => (
                <Table.Tr key={`${type.agent.id} ${canvasName(type)}`}>
                  <Table.Td className="written">{canvasName(type)}</Table.Td>
                  <Table.Td className="written">
                    <Anchor inherit href={recordHref(type.agent.id)}>
                      {heading(type.agent.name)}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{type.presentations}</Table.Td>
                  <Table.Td>{type.meanDwellSeconds === null ? '–' : duration(type.meanDwellSeconds)}</Table.Td>
                  <Table.Td>{type.meanFeedback === null ? '–' : score(type.meanFeedback, true)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
      {sorted.length === 0 && <Text size="sm">Looking…</Text>}
    </Section>
  );
}
