import { Anchor, ColorSwatch, Group, Table, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
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
const [left, right, above, below] = [38, 8, 8, 20]; // pixels around the lines
const dayOfMilliseconds = 86_400_000;
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const parts = 4; // of the height, between which lines help the eye

function Drawing({ series, lowest, highest }: { series: Series[]; lowest: number; highest: number }) {
  const { ref, width } = useElementSize();
  const [first, last] = spanOf(series.flatMap(({ points }) => points.map(({ at }) => Date.parse(at))));
  const x = (time: number) => left + ((time - first) / (last - first)) * (width - left - right);
  const y = (value: number) => above + ((highest - value) / (highest - lowest)) * (height - above - below);
  const format = last - first < dayOfMilliseconds ? hour : day;
  // No date stands there twice.
  const dates = Math.max(2, Math.min(Math.floor(width / 110), format === day ? Math.ceil((last - first) / dayOfMilliseconds) : Infinity));
  const text = { fontSize: 11, fill: 'var(--mantine-color-dimmed)' };
  return (
    <div ref={ref} style={{ height }}>
      {width > left + right && (
        <svg width={width} height={height} style={{ display: 'block' }}>
          {Array.from({ length: parts + 1 }, (_, place) => lowest + ((highest - lowest) * place) / parts).map((value) => (
            <g key={value}>
              <line x1={left} x2={width - right} y1={y(value)} y2={y(value)} stroke="var(--mantine-color-default-border)" />
              <text x={left - 6} y={y(value) + 4} textAnchor="end" {...text}>
                {score(value).replace(/\.?0+$/, '')}
              </text>
            </g>
          ))}
          {Array.from({ length: dates }, (_, place) => first + ((last - first) * place) / dates).map((time) => (
            <text key={time} x={x(time)} y={height - 5} {...text}>
              {format.format(time)}
            </text>
          ))}
          {series.map(({ name, colour, dotted, points }) => {
            const stroke = `var(--mantine-color-${colour}-line)`;
            const placed = points.map(({ at, value }) => [x(Date.parse(at)), y(value)] as const);
            return (
              <g key={name} fill={stroke}>
                {!dotted && <polyline points={placed.map((point) => point.join(',')).join(' ')} fill="none" stroke={stroke} strokeWidth={2} />}
                {placed.map(([cx, cy], place) => (
                  <circle key={place} cx={cx} cy={cy} r={dotted ? 4 : 2.5} />
                ))}
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}

/** From the first instant to the last; of a single one the days around it. */
function spanOf(instants: number[]): [number, number] {
  const [first, last] = [Math.min(...instants), Math.max(...instants)];
  return first === last ? [first - 3 * dayOfMilliseconds, last + 3 * dayOfMilliseconds] : [first, last];
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
