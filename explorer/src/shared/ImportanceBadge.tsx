import { Badge } from '@mantine/core';

const colours = { CRITICAL: 'red', HIGH: 'orange', MEDIUM: 'blue', LOW: 'gray' } as const;

export function ImportanceBadge({ importance }: { importance: keyof typeof colours }) {
  return (
    <Badge variant="light" color={colours[importance]} style={{ flexShrink: 0 }}>
      {importance.toLowerCase()}
    </Badge>
  );
}
