import { Text } from '@mantine/core';
import { IconLayout } from '@tabler/icons-react';
import { duration, score } from './numbers';

type Canvas = { canvasType: string; componentType: string | null; states: string[]; dwellSeconds: number | null; reward: number };

/** A canvas by its type, and its component where it has one. */
export function canvasName({ canvasType, componentType }: { canvasType: string; componentType: string | null }): string {
  return componentType ? `${canvasType}/${componentType}` : canvasType;
}

/** What was shown, and what the person did with it. */
export function CanvasLine({ canvas }: { canvas: Canvas }) {
  const { states, dwellSeconds, reward } = canvas;
  const done = states.filter((state) => state !== 'PRESENTED').map((state) => state.toLowerCase().replaceAll('_', ' '));
  return (
    <Text size="sm">
      <IconLayout size={14} aria-hidden style={{ verticalAlign: 'text-bottom' }} /> Shown <b>{canvasName(canvas)}</b>
      {dwellSeconds !== null && `, open for ${duration(dwellSeconds)}`}
      {done.length > 0 && `, ${done.join(', ')}`} <Text span c="dimmed">(reward {score(reward, true)})</Text>
    </Text>
  );
}
