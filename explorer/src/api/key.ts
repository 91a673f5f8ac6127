import { useSyncExternalStore } from 'react';

const storageKey = 'mneme-api-key';
const listeners = new Set<() => void>();

/** Why the sign-in page is shown: the server wants a key, or refused the one it was given. */
export type SignIn = 'wanted' | 'refused' | undefined;
let asked: SignIn;

/** The API key of this tab; it goes when the tab is closed. */
export function apiKey(): string | undefined {
  return sessionStorage.getItem(storageKey) ?? undefined;
}

export function keepApiKey(key: string) {
  sessionStorage.setItem(storageKey, key);
  change(undefined);
}

/** Forgets the key, and asks for one. */
export function signOut() {
  sessionStorage.removeItem(storageKey);
  change('wanted');
}

/** Notes that the server answered UNAUTHENTICATED. */
export function askForKey() {
  change(apiKey() ? 'refused' : 'wanted');
}

export function useSignIn(): SignIn {
  return useSyncExternalStore(subscribe, () => asked);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(to: SignIn) {
  asked = to;
  listeners.forEach((listener) => listener());
}
