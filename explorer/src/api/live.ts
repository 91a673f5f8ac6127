import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { look } from './away';
import { endpoint, type Operation } from './client';
import { apiKey, askForKey } from './key';

/** An answer to a subscription: one field, with the cursor of the event. */
type Told = Record<string, { cursor: string }>;

type Follower<Data> = {
  onEvent: (data: Data) => void;
  /** Events may have been missed: what is listed may not be all there is. */
  onGap: () => void;
};

const [firstPause, longestPause] = [1000, 30_000]; // milliseconds before another try; twice as long after each

/**
 * Tells of what is recorded while the page is in sight, without loss after a break. A tab that is not in sight gives its
 * connection up, of which a browser has few, and goes on from its last event when it is seen again.
 */
export function useLive<Data extends object, Variables>(operation: Operation<Data, Variables>, variables: Omit<Variables, 'after'>, { onEvent, onGap }: Follower<Data>) {
  const visible = useDocumentVisibility() === 'visible';
  const cursor = useRef<{ of: string; after?: string; begun: boolean }>(undefined);
  const told = useRef({ onEvent, onGap });
  told.current = { onEvent, onGap };
  const asked = JSON.stringify(variables);
  useEffect(() => {
    if (!visible) return;
    if (cursor.current?.of !== asked) cursor.current = { of: asked, begun: false };
    const ended = new AbortController();
    void follow(operation, JSON.parse(asked), cursor.current, ended.signal, {
      onEvent: (data) => told.current.onEvent(data as Data),
      onGap: () => told.current.onGap(),
    });
    return () => ended.abort();
  }, [operation, asked, visible]);
}

/** Subscribes again and again, each time from the last event on, until it is told to stop or no try can help. */
async function follow(operation: { toString(): string }, variables: object, place: { after?: string; begun: boolean }, signal: AbortSignal, { onEvent, onGap }: Follower<unknown>) {
  const { createClient } = await import('graphql-sse');
  for (let pause = firstPause; !signal.aborted; pause = Math.min(longestPause, 2 * pause)) {
    const key = apiKey();
    const why = await new Promise<string>((ended) => {
      const client = createClient({
        url: endpoint,
        headers: key ? { Authorization: `Bearer ${key}` } : {},
        // Each try goes on from another event, so that they are made here.
        retryAttempts: 0,
        on: {
          connected: () => {
            // Without a cursor nobody knows what came meanwhile.
            if (place.begun && place.after === undefined) onGap();
            place.begun = true;
          },
        },
      });
      const stop = client.subscribe<Told>(
        { query: operation.toString(), variables: { ...variables, after: place.after } },
        {
          next: ({ data, errors }) => {
            if (errors?.[0]) return ended(String(errors[0].extensions?.code ?? 'INTERNAL'));
            if (!data || signal.aborted) return;
            place.after = Object.values(data)[0]?.cursor ?? place.after;
            pause = firstPause;
            onEvent(data);
          },
          error: (error) => ended(statusOf(error) === 401 ? 'UNAUTHENTICATED' : statusOf(error) === 403 ? 'FORBIDDEN' : 'UNREACHABLE'),
          complete: () => ended('ENDED'),
        },
      );
      signal.addEventListener('abort', () => {
        stop();
        ended('STOPPED');
      });
    });
    if (signal.aborted) return;
    if (why === 'UNAUTHENTICATED') return askForKey();
    // No other try would end otherwise.
    if (['FORBIDDEN', 'INVALID_INPUT', 'BAD_REQUEST'].includes(why)) return;
    if (why === 'UNREACHABLE' || why === 'ENDED') void look();
    if (why === 'NOT_FOUND') place.after = undefined; // older than what is kept: what is there is listed anew
    await sleep(pause, signal);
  }
}

function statusOf(error: unknown): number | undefined {
  return (error as { response?: { status?: number } }).response?.status;
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
