import { AppShell, Burger, Group, Image, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { useSignIn } from '../api/key';
import { SignIn } from '../signin/SignIn';
import { Navigation } from './Navigation';
import { Tools } from './Tools';
import { Who } from './Who';
import logo from './mneme.svg';

/** What stands around every page: where one is, what else there is, and the sign-in where a key is needed. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const signIn = useSignIn();
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 190, breakpoint: 'sm', collapsed: { mobile: !opened } }} padding="md">
      <a className="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Pages" aria-expanded={opened} />
            <Image src={logo} alt="" w={28} h={28} />
            <Text fw={700}>mneme</Text>
          </Group>
          <Tools />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <AppShell.Section grow component={ScrollArea}>
          <Navigation onChosen={close} />
        </AppShell.Section>
        {!signIn && (
          <AppShell.Section p="xs" hiddenFrom="sm">
            <Who />
          </AppShell.Section>
        )}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {signIn ? <SignIn why={signIn} /> : <Outlet />}
      </AppShell.Main>
    </AppShell>
  );
}

/** Moves the focus without touching the address, which names the page. */
function skip(event: React.MouseEvent) {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
