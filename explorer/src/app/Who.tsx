import { Text, type TextProps } from '@mantine/core';
import { useViewer } from '../api/viewer';

/** Whose memory is shown, and what may be done with it. */
export function Who(props: TextProps) {
  const viewer = useViewer();
  if (!viewer) return null;
  const { tenant, role, name } = viewer;
  return (
    <Text size="sm" c="dimmed" className="written" title={name && `By the key ${name}`} {...props}>
      {tenant} · {role.toLowerCase()}
    </Text>
  );
}
