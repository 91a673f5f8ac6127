import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** A page: its title, one sentence on what it is for, and what can be done with all of it. */
export function Page({ title, about, actions, children }: { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  useDocumentTitle(title === 'mneme' ? title : `${title} · mneme`);
  return (
    <Stack gap="md" maw={1400}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={1}>{title}</Title>
          {about && (
            <Text component="div" c="dimmed" maw={760} mt={4}>
              {about}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
