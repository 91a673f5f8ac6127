import { apiKey } from '../api/key';
import { exampleHeaders } from './examples';

/** The query that a link to the playground brings behind the #, for a tab of its own; undefined where there is none. */
export function askedFor() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const query = asked.get('query');
  if (!query) return undefined;
  return { query, variables: asked.get('variables') ?? undefined, headers: headers() };
}

/** The headers that a tab begins with: with the key, where the explorer was given one in this browser tab. */
export function headers(): string {
  const key = apiKey();
  return key ? JSON.stringify({ Authorization: `Bearer ${key}` }, null, 2) : exampleHeaders;
}
