import { RangeSlider, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Model } from './model';
import type { GraphSearch } from './search';

type Props = { model: Model; search: GraphSearch; onChange: (part: Partial<GraphSearch>) => void };

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const steps = 100;

/** Which episodes are seen, by when they began. */
export function Times({ model, search: { early, late }, onChange }: Props) {
  const times = [...model.records.values()].flatMap((record) => (record.__typename === 'Episode' ? Date.parse(record.startedAt) : []));
  const [first, last] = [times.reduce((a, b) => Math.min(a, b), Infinity), times.reduce((a, b) => Math.max(a, b), -Infinity)];
  const chosen: [number, number] = [early ? Date.parse(early) : first, late ? Date.parse(late) : last];
  const [held, setHeld] = useState<[number, number]>();
  useEffect(() => setHeld(undefined), [early, late]);
  if (!(last > first)) return null;
  const [from, to] = held ?? chosen;
  const iso = (time: number) => new Date(time).toISOString();
  return (
    <Stack gap={6} flex="1 1 16rem" component="section" aria-label="When the episodes shown began">
      <Text size="sm">
        {day.format(from)} – {day.format(to)}
      </Text>
      <RangeSlider
        min={first}
        max={last}
        step={(last - first) / steps}
        minRange={0}
        value={[from, to]}
        label={(time) => day.format(time)}
        thumbFromLabel="Episodes from"
        thumbToLabel="Episodes until"
        onChange={setHeld}
        onChangeEnd={([left, right]) => onChange({ early: left > first ? iso(left) : undefined, late: right < last ? iso(right) : undefined })}
      />
    </Stack>
  );
}
