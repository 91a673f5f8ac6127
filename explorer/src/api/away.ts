import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useSyncExternalStore } from 'react';

const [usualPause, pauseWhileAway] = [5000, 1000]; // milliseconds between two looks
const longestAnswer = 4000; // milliseconds

let away = false;
let looking: Promise<boolean> | undefined;
const listeners = new Set<() => void>();

/** Looks whether the server answers, which is asked as soon as anything suggests that it may not. */
export function look(): Promise<boolean> {
  looking ??= answers().then((there) => {
    looking = undefined;
    if (away === there) {
      away = !there;
      listeners.forEach((listener) => listener());
    }
    return there;
  });
  return looking;
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(new URL('healthz', document.baseURI), { cache: 'no-store', signal: AbortSignal.timeout(longestAnswer) })).ok;
  } catch {
    return false;
  }
}

/** Whether the server is away; `onBack` is called when it is there again. */
export function useAway(onBack: () => void): boolean {
  const isAway = useSyncExternalStore(subscribe, () => away);
  const visible = useDocumentVisibility() === 'visible';
  useEffect(() => {
    if (!visible) return;
    const timer = setInterval(() => void look().then((there) => isAway && there && onBack()), isAway ? pauseWhileAway : usualPause);
    return () => clearInterval(timer);
  }, [visible, isAway]);
  return isAway;
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads a part of the pages; where the server is away it waits until it is back, and the page before stays. */
export async function loaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    while (away) await new Promise((again) => setTimeout(again, pauseWhileAway / 2));
    try {
      return await load();
    } catch (error) {
      if (await look()) throw error;
    }
  }
}
