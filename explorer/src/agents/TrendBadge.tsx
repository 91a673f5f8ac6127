import { Badge } from '@mantine/core';
import { IconTrendingDown, IconTrendingUp, IconMinus } from '@tabler/icons-react';

const looks = {
  UP: { label: 'getting better', color: 'teal', Icon: IconTrendingUp },
  DOWN: { label: 'getting worse', color: 'orange', Icon: IconTrendingDown },
  FLAT: { label: 'steady', color: 'gray', Icon: IconMinus },
} as const;

/** Which way the quality of an agent's work goes. */
export function TrendBadge({ trend }: { trend: keyof typeof looks }) {
  const { label, color, Icon } = looks[trend];
  return (
    <Badge variant="light" color={color} leftSection={<Icon size={12} aria-hidden />} style={{ flexShrink: 0 }}>
      {label}
    </Badge>
  );
}
