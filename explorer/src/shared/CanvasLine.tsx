import { Text } from '@mantine/core';
import { IconLayout } from '@tabler/icons-react';
import { duration, score } from './numbers';

type Canvas = { canvasType: string; componentType: string | null; states: string[]; dwellSeconds: number | null; reward: number };

/** What was shown, and what the person did with it. */
export function CanvasLine({ canvas }: { canvas: Canvas }) {
  const { canvasType, componentType, states, dwellSeconds, reward } = canvas;
  const name = componentType ? `${canvasType}/${componentType}` : canvasType;
  const done = states.filter((state) => state !== 'PRESENTED').map((state) => state.toLowerCase().replaceAll('_', ' '));
  return (
    <Text size="sm">
      <IconLayout size={14} aria-hidden style={{ verticalAlign: 'text-bottom' }} /> Shown <b>{name}</b>
      {dwellSeconds !== null && `, open for ${duration(dwellSeconds)}`}
      {done.length > 0 && `, ${done.join(', ')}`} <Text span c="dimmed">(reward {score(reward, true)})</Text>
    </Text>
  );
}
