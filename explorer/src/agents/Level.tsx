import { Badge } from '@mantine/core';

const colours = { STUDENT: 'gray', INTERN: 'blue', SUPERVISED: 'indigo', AUTONOMOUS: 'teal' } as const;

/** How far an agent is trusted to work by itself. */
export function Level({ level }: { level: keyof typeof colours }) {
  return (
    <Badge variant="light" color={colours[level]} style={{ flexShrink: 0 }}>
      {level.toLowerCase()}
    </Badge>
  );
}
