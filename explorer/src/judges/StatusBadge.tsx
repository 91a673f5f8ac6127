import { Badge } from '@mantine/core';

const looks = {
  APPROVE: { label: 'approved', color: 'teal' },
  SOFT_FAIL: { label: 'once more', color: 'orange' },
  HARD_FAIL: { label: 'wrong', color: 'red' },
  VALIDATION_FAIL: { label: 'failed a check', color: 'gray' },
} as const;

export function StatusBadge({ status }: { status: keyof typeof looks }) {
  const { label, color } = looks[status];
  return (
    <Badge variant="light" color={color} style={{ flexShrink: 0 }}>
      {label}
    </Badge>
  );
}
