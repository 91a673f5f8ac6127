import { Text } from '@mantine/core';
import { IconLayout } from '@tabler/icons-react';
import { duration, score } from './numbers';

type Action = { action: 'PRESENT' | 'CLOSE' | 'SUBMIT' | 'UPDATE' | 'EXECUTE'; at: string };
type Canvas = { canvasType: string; componentType: string | null; actions: Action[]; reward: number };

const verbs = { CLOSE: 'closed', SUBMIT: 'submitted', UPDATE: 'changed', EXECUTE: 'run' };

/** A canvas by its type, and its component where it has one. */
export function canvasName({ canvasType, componentType }: { canvasType: string; componentType: string | null }): string {
  return componentType ? `${canvasType}/${componentType}` : canvasType;
}

/** What was shown, and what the person did with it. */
export function CanvasLine({ canvas }: { canvas: Canvas }) {
  const { actions, reward } = canvas;
  const done = actions.flatMap(({ action, at }) => (action === 'PRESENT' ? [] : [`${verbs[action]}${afterShown(actions, action, at)}`]));
  return (
    <Text size="sm">
      <IconLayout size={14} aria-hidden style={{ verticalAlign: 'text-bottom' }} /> Shown <b>{canvasName(canvas)}</b>
      {done.length > 0 && `, ${[...new Set(done)].join(', ')}`} <Text span c="dimmed">(reward {score(reward, true)})</Text>
    </Text>
  );
}

/** How long a canvas was open when the person closed or submitted it: since it was last shown before. */
export function afterShown(actions: Action[], action: Action['action'], at: string): string {
  if (action !== 'CLOSE' && action !== 'SUBMIT') return '';
  const shown = actions.filter((earlier) => earlier.action === 'PRESENT' && Date.parse(earlier.at) <= Date.parse(at)).at(-1);
  return shown ? ` after ${duration((Date.parse(at) - Date.parse(shown.at)) / 1000)}` : '';
}
