import { Group, Progress, Text } from '@mantine/core';
import { score } from '../shared/numbers';

export type Weights = { match: number; recency: number };
type Score = { semantic: number; temporal: number; canvas: number; feedback: number; credit: number; total: number };
type Part = { name: string; value: number; color: string };

/** A score as a bar of its parts, and in numbers. */
export function ScoreParts({ score: parts, weights, longest }: { score: Score; weights: Weights; longest: number }) {
  const all: Part[] = [
    { name: 'match', value: weights.match * parts.semantic, color: 'indigo.6' },
    { name: 'recency', value: weights.recency * parts.temporal, color: 'blue.3' },
    { name: 'canvas', value: parts.canvas, color: 'grape.5' },
    { name: 'feedback', value: parts.feedback, color: parts.feedback < 0 ? 'red.7' : 'teal.6' },
    { name: 'credit', value: parts.credit, color: parts.credit < 0 ? 'red.4' : 'lime.6' },
  ];
  return (
    <div>
      <Progress.Root size="lg" aria-hidden>
        {withPenalties(all).map((part) => (
          <Progress.Section key={part.name} value={longest > 0 ? (100 * part.value) / longest : 0} color={part.color} striped={part.color.startsWith('red')} />
        ))}
      </Progress.Root>
      <Group gap="md" mt={4}>
        <Text size="sm" fw={700}>
          {score(parts.total)}
        </Text>
        {all
          .filter((part) => part.value !== 0)
          .map((part) => (
            <Text key={part.name} size="sm">
              <Text span c={part.color} aria-hidden>
                ■
              </Text>{' '}
              {part.name} {score(part.value, true)}
            </Text>
          ))}
      </Group>
    </div>
  );
}

/** The parts as they stand side by side: a penalty covers the end of what the others reach, so that what is left is the total. */
function withPenalties(parts: Part[]): Part[] {
  let penalty = parts.reduce((sum, part) => sum - Math.min(0, part.value), 0);
  const left: Part[] = [];
  for (const part of [...parts].reverse()) {
    if (part.value <= 0) {
      left.unshift({ ...part, value: -part.value });
      continue;
    }
    const covered = Math.min(penalty, part.value);
    penalty -= covered;
    left.unshift({ ...part, value: part.value - covered });
  }
  return left;
}
