import { Table, Text } from '@mantine/core';
import { canvasName } from '../shared/CanvasLine';
import { duration, score } from '../shared/numbers';
import { Section } from '../shared/Section';
import type { Agent } from './AgentPage';

/** How people dealt with what the agent showed them. */
export function Insights({ insights }: { insights: Agent['canvasInsights'] }) {
  if (insights.byType.length === 0) return null;
  const words = [said('close quickly', insights.closesQuickly), said('stay with', insights.engages), said('submit', insights.submits)].filter(Boolean);
  return (
    <Section title="What people do with its canvases">
      {words.length > 0 && <Text size="sm">People {words.join('; ')}.</Text>}
      <Table.ScrollContainer minWidth={440} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table fz="sm" horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Canvas</Table.Th>
              <Table.Th>Shown</Table.Th>
              <Table.Th>Open for</Table.Th>
              <Table.Th>Submitted</Table.Th>
              <Table.Th>Reward</Table.Th>
              <Table.Th>Feedback</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {insights.byType.map((type) => (
              <Table.Tr key={canvasName(type)}>
                <Table.Td className="written">{canvasName(type)}</Table.Td>
                <Table.Td>{type.presentations}</Table.Td>
                <Table.Td>{type.meanDwellSeconds === null ? '–' : duration(type.meanDwellSeconds)}</Table.Td>
                <Table.Td>{type.submits}</Table.Td>
                <Table.Td>{score(type.meanReward, true)}</Table.Td>
                <Table.Td>{type.meanFeedback === null ? '–' : score(type.meanFeedback, true)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}

function said(verb: string, canvases: string[]): string | undefined {
  return canvases.length > 0 ? `${verb} ${canvases.join(', ')}` : undefined;
}
