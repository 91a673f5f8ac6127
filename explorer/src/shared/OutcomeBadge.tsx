import { Badge } from '@mantine/core';
import { IconCheck, IconQuestionMark, IconX } from '@tabler/icons-react';

const looks = {
  SUCCESS: { label: 'success', color: 'teal', Icon: IconCheck },
  FAILURE: { label: 'failure', color: 'red', Icon: IconX },
  UNKNOWN: { label: 'unknown', color: 'gray', Icon: IconQuestionMark },
} as const;

export function OutcomeBadge({ outcome }: { outcome: keyof typeof looks }) {
  const { label, color, Icon } = looks[outcome];
  return (
    <Badge color={color} variant="light" style={{ flexShrink: 0 }} leftSection={<Icon size={12} aria-hidden />}>
      {label}
    </Badge>
  );
}
