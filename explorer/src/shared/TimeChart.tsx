import { Anchor, ColorSwatch, Group, Table, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { score } from './numbers';
import { When } from './When';

export type Series = { name: string; colour: string; dotted: boolean; points: { at: string; value: number; href?: string }[] };

/** Values that one line joins; those that are null are left out. */
export function line<Point extends { at: string }>(name: string, colour: string, points: readonly Point[], value: (point: Point) => number | null): Series {
  return { name, colour, dotted: false, points: points.flatMap((point) => (value(point) === null ? [] : [{ at: point.at, value: value(point)! }])) };
}

/** The same as dots that nothing joins, each of which may lead to what it is of. */
export function dots<Point extends { at: string }>(
  name: string,
  colour: string,
  points: readonly Point[],
  value: (point: Point) => number | null,
  href: (point: Point) => string | undefined = () => undefined,
): Series {
  const drawn = points.filter((point) => value(point) !== null);
  return { name, colour, dotted: true, points: drawn.map((point) => ({ at: point.at, value: value(point)!, href: href(point) })) };
}

type Props = { label: string; series: Series[]; lowest?: number; highest?: number };

/** Values over time as a picture, and as a table for who does not see it. */
export function TimeChart({ label, series, lowest = 0, highest = 1 }: Props) {
  if (series.every(({ points }) => points.length === 0)) return <Text size="sm">There is nothing to draw yet.</Text>;
  return (
    <div>
      <div role="img" aria-label={`${label}, as a chart`}>
        <Drawing series={series} lowest={lowest} highest={highest} />
      </div>
      <Group gap="md" my={4}>
        {series.map(({ name, colour }) => (
          <Group key={name} gap={6}>
            <ColorSwatch size={12} color={`var(--mantine-color-${colour}-line)`} withShadow={false} aria-hidden />
            <Text size="sm">{name}</Text>
          </Group>
        ))}
      </Group>
      <AsTable label={label} series={series} />
    </div>
  );
}

const height = 220;
const dayOfSeconds = 86_400;
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });

function Drawing({ series, lowest, highest }: { series: Series[]; lowest: number; highest: number }) {
  const { ref: frame, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  // What is drawn depends on what the series hold, not on which objects hold it.
  const held = JSON.stringify(series);
  const data = useMemo(() => columns(series), [held]);
  useEffect(() => {
    if (!place.current || width === 0) return;
    const plot = new UPlot({ ...options(series, spanOf(data[0]), lowest, highest), width, height }, data, place.current);
    return () => plot.destroy();
  }, [data, width, scheme, lowest, highest]);
  return (
    <div ref={frame} style={{ height }}>
      <div ref={place} />
    </div>
  );
}

/** The colours are read where the chart is made, since a canvas knows no variables. */
function options(series: Series[], span: [number, number], lowest: number, highest: number): Omit<UPlot.Options, 'width' | 'height'> {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--mantine-color-${name}`).trim();
  const axis: UPlot.Axis = { stroke: colour('dimmed'), grid: { stroke: colour('default-border'), width: 1 }, ticks: { stroke: colour('default-border') } };
  return {
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: span },
      // Dots at the ends are whole.
      y: { range: [lowest - 0.04 * (highest - lowest), highest + 0.04 * (highest - lowest)] },
    },
    axes: [{ ...axis, values: (_, instants) => instants.map((seconds) => (instants.at(-1)! - instants[0]! < dayOfSeconds ? hour : day).format(seconds * 1000)) }, { ...axis, size: 44 }],
    series: [{}, ...series.map((one) => drawn(one, colour(`${one.colour}-line`)))],
  };
}

function drawn({ name, dotted }: Series, stroke: string): UPlot.Series {
  return {
    label: name,
    stroke,
    width: dotted ? 0 : 2,
    spanGaps: !dotted,
    points: { show: true, size: dotted ? 8 : 5, fill: stroke, stroke },
    ...(dotted && { paths: () => null }),
  };
}

/** The instants in seconds, and for each series what it has there. */
function columns(series: Series[]): UPlot.AlignedData {
  const all = rows(series);
  return [all.map((row) => row.time! / 1000), ...series.map(({ name }) => all.map((row) => row[name] ?? null))];
}

/** From the first instant to the last; of a single one the days around it. */
function spanOf(instants: ArrayLike<number>): [number, number] {
  const [first, last] = [instants[0]!, instants[instants.length - 1]!];
  return first === last ? [first - 3 * dayOfSeconds, last + 3 * dayOfSeconds] : [first, last];
}

/** One row for each instant, with what each series has there. */
function rows(series: Series[]): Record<string, number>[] {
  const byTime = new Map<number, Record<string, number>>();
  for (const { name, points } of series) {
    for (const { at, value } of points) {
      const time = Date.parse(at);
      byTime.set(time, { ...byTime.get(time), time, [name]: value });
    }
  }
  return [...byTime.values()].sort((a, b) => a.time! - b.time!);
}

function Value({ value, href }: { value: number; href: string | undefined }) {
  return href ? (
    <Anchor inherit href={href}>
      {score(value)}
    </Anchor>
  ) : (
    score(value)
  );
}

function AsTable({ label, series }: { label: string; series: Series[] }) {
  const links = new Map(series.flatMap(({ name, points }) => points.map(({ at, href }) => [`${Date.parse(at)} ${name}`, href])));
  return (
    <details>
      <Text component="summary" size="sm">
        As a table
      </Text>
      <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              {series.map(({ name }) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows(series).map((row) => (
              <Table.Tr key={row.time}>
                <Table.Td>
                  <When at={new Date(row.time!).toISOString()} />
                </Table.Td>
                {series.map(({ name }) => (
                  <Table.Td key={name}>{row[name] !== undefined && <Value value={row[name]} href={links.get(`${row.time} ${name}`)} />}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </details>
  );
}
