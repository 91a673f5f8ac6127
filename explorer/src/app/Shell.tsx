import { AppShell, Burger, Group, Image, ScrollArea, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSignIn } from '../api/key';
import { SignIn } from '../signin/SignIn';
import { Away } from './Away';
import { Navigation } from './Navigation';
import { Tools } from './Tools';
import { Who } from './Who';
import logo from './mneme.svg';

/** What stands around every page: where one is, what else there is, and the sign-in where a key is needed. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const burger = useRef<HTMLButtonElement>(null);
  const router = useRouter();
  const signIn = useSignIn();
  useHotkeys(opened ? [['Escape', () => leaveTo(burger.current)]] : []);
  // What a reader had chosen on the page before is gone with it, and the keyboard is not to begin anew at the top.
  useEffect(
    () => router.subscribe('onRendered', ({ fromLocation }) => fromLocation && document.activeElement === document.body && toContent()),
    [router],
  );

  /** Closes the list of pages that a narrow window lays over the page. */
  function leaveTo(next: HTMLElement | null) {
    close();
    next?.focus();
  }

  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 190, breakpoint: 'sm', collapsed: { mobile: !opened } }} padding="md">
      <a className="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger ref={burger} opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Pages" aria-expanded={opened} />
            <Image src={logo} alt="" w={28} h={28} />
            <Text fw={700}>mneme</Text>
          </Group>
          <Tools />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <AppShell.Section grow component={ScrollArea}>
          <Navigation onChosen={() => opened && leaveTo(content())} />
        </AppShell.Section>
        {!signIn && (
          <AppShell.Section p="xs" hiddenFrom="sm">
            <Who />
          </AppShell.Section>
        )}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Away />
        {signIn ? <SignIn why={signIn} /> : <Outlet />}
      </AppShell.Main>
    </AppShell>
  );
}

/** Moves the focus without touching the address, which names the page. */
function skip(event: React.MouseEvent) {
  event.preventDefault();
  toContent();
}

const content = () => document.getElementById('content');

const toContent = () => content()?.focus({ preventScroll: true });
