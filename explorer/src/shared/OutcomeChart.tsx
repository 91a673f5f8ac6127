import { ColorSwatch, Group, Table, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useRef, useState, type PointerEvent } from 'react';

export type OutcomePoint = { at: string; episodes: number; succeeded: number; failed: number };

const height = 180;
const [below, above] = [20, 6]; // pixels for the dates, and so that the highest bar ends below the edge
const layers = [
  { name: 'failure', colour: 'red', of: (point: OutcomePoint) => point.failed },
  { name: 'success', colour: 'teal', of: (point: OutcomePoint) => point.succeeded },
  { name: 'unknown', colour: 'gray', of: (point: OutcomePoint) => point.episodes - point.succeeded - point.failed },
];
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** How many episodes began when, by outcome, as bars; dragging across some of them chooses their time. */
export function OutcomeChart({ points, onChoose }: { points: OutcomePoint[]; onChoose: (from: string, to: string | undefined) => void }) {
  const { ref, width } = useElementSize();
  const picture = useRef<SVGSVGElement>(null);
  const [brush, setBrush] = useState<[number, number]>();
  const highest = Math.max(1, ...points.map(({ episodes }) => episodes));
  const [bar, tall] = [width / Math.max(1, points.length), height - below - above];
  const at = (event: PointerEvent) => Math.min(points.length - 1, Math.max(0, Math.floor((event.clientX - picture.current!.getBoundingClientRect().left) / bar)));
  const letGo = () => {
    if (brush && brush[0] !== brush[1]) {
      const [first, last] = [Math.min(...brush), Math.max(...brush)];
      onChoose(points[first]!.at, points[last + 1]?.at);
    }
    setBrush(undefined);
  };
  const step = Math.max(1, Math.ceil(64 / Math.max(1, bar)));
  return (
    <div>
      <div ref={ref} role="img" aria-label="Episodes by outcome over time, as a chart">
        {width > 0 && (
          <svg
            ref={picture}
            width={width}
            height={height}
            style={{ display: 'block', cursor: 'col-resize', touchAction: 'pan-y', userSelect: 'none' }}
            onPointerDown={(event) => {
              picture.current?.setPointerCapture(event.pointerId);
              setBrush([at(event), at(event)]);
            }}
            onPointerMove={(event) => brush && setBrush([brush[0], at(event)])}
            onPointerUp={letGo}
            onPointerCancel={() => setBrush(undefined)}
          >
            {brush && <rect x={Math.min(...brush) * bar} width={(Math.abs(brush[0] - brush[1]) + 1) * bar} y={0} height={height - below} fill="var(--mantine-color-indigo-line)" opacity={0.2} />}
            {points.map((point, place) => {
              let top = height - below;
              return (
                <g key={point.at}>
                  <title>{`${exact.format(new Date(point.at))}: ${layers.map(({ name, of }) => `${of(point)} ${name}`).join(', ')}`}</title>
                  <rect x={place * bar} width={bar} y={0} height={height} fill="transparent" />
                  {layers.map(({ name, colour, of }) => {
                    const size = (of(point) / highest) * tall;
                    top -= size;
                    return <rect key={name} x={place * bar + bar * 0.1} width={bar * 0.8} y={top} height={size} fill={`var(--mantine-color-${colour}-line)`} />;
                  })}
                  {place % step === 0 && place * bar + 40 < width && (
                    <text x={place * bar + 2} y={height - 6} fontSize={11} fill="var(--mantine-color-dimmed)">
                      {day.format(new Date(point.at))}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
        )}
      </div>
      <Group gap="md" my={4}>
        {layers.map(({ name, colour }) => (
          <Group key={name} gap={6}>
            <ColorSwatch size={12} color={`var(--mantine-color-${colour}-line)`} withShadow={false} aria-hidden />
            <Text size="sm">{name}</Text>
          </Group>
        ))}
        <Text size="sm" c="dimmed">
          At most {highest} at once. Drag across bars to choose their time.
        </Text>
      </Group>
      <details>
        <Text component="summary" size="sm">
          As a table
        </Text>
        <Table.ScrollContainer minWidth={360} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label="Episodes by outcome over time">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                {layers.map(({ name }) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {points
                .filter(({ episodes }) => episodes > 0)
                .map((point) => (
                  <Table.Tr key={point.at}>
                    <Table.Td>{exact.format(new Date(point.at))}</Table.Td>
                    {layers.map(({ name, of }) => (
                      <Table.Td key={name}>{of(point)}</Table.Td>
                    ))}
                  </Table.Tr>
                ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </details>
    </div>
  );
}
