import { ActionIcon, Group, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconLogout, IconMoon, IconRefresh, IconSun } from '@tabler/icons-react';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiKey, useSignIn } from '../api/key';
import { leave } from '../api/query';
import { Search } from '../search/Search';
import { Who } from './Who';

/** What can be done on every page. */
export function Tools() {
  const signIn = useSignIn(); // also so that signing out appears once there is a key
  return (
    <Group gap="xs" wrap="nowrap">
      {!signIn && <Who visibleFrom="sm" />}
      <Search />
      <Refresh />
      <ColourScheme />
      {apiKey() && <Tool label="Forget the key" icon={<IconLogout size={18} />} onClick={leave} />}
    </Group>
  );
}

/** Asks everything in sight again; the place, the filters and what is unfolded stay. */
function Refresh() {
  const client = useQueryClient();
  const busy = useIsFetching() > 0;
  return <Tool label="Refresh" icon={<IconRefresh size={18} />} loading={busy} onClick={() => client.invalidateQueries()} />;
}

function ColourScheme() {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  return (
    <Tool
      label={dark ? 'Light colours' : 'Dark colours'}
      icon={dark ? <IconSun size={18} /> : <IconMoon size={18} />}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    />
  );
}

function Tool({ label, icon, loading, onClick }: { label: string; icon: ReactNode; loading?: boolean; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" aria-label={label} loading={loading} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
