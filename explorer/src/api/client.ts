import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
import { look } from './away';
import { apiKey } from './key';

/** An operation with its types: what `*.generated.ts` exports. */
export type Operation<Data, Variables> = DocumentTypeDecoration<Data, Variables> & { toString(): string };

/** What the API says went wrong, by its code; UNREACHABLE where there is no answer of the API at all. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** After how many seconds it may be asked again, where the server said so. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

type Answer<Data> = { data?: Data | null; errors?: { message: string; extensions?: { code?: string } }[] };

// Relative to the page, so that it also holds behind a proxy that serves mneme under a path.
export const endpoint = new URL('graphql', document.baseURI).href;

/** Asks the API; throws an ApiError where it says anything but data. */
export async function ask<Data, Variables>(operation: Operation<Data, Variables>, variables: Variables, signal?: AbortSignal): Promise<Data> {
  const response = await post(JSON.stringify({ query: operation.toString(), variables }), signal);
  const answer = await read<Data>(response);
  const error = answer.errors?.[0];
  if (error) throw new ApiError(error.extensions?.code ?? 'INTERNAL', error.message, Number(response.headers.get('Retry-After')) || undefined);
  if (!answer.data) throw new ApiError('INTERNAL', 'The answer has no data.');
  return answer.data;
}

async function post(body: string, signal?: AbortSignal): Promise<Response> {
  const headers = headersWith(apiKey());
  try {
    return await fetch(endpoint, { method: 'POST', headers, body, signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    void look();
    throw new ApiError('UNREACHABLE', 'The server does not answer. Is it running?');
  }
}

/** A key with characters that no header can have, such as those that come along where one is copied, is none. */
function headersWith(key: string | undefined): Headers {
  try {
    return new Headers({ 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) });
  } catch {
    throw new ApiError('UNAUTHENTICATED', 'The API key has characters that no key has.');
  }
}

async function read<Data>(response: Response): Promise<Answer<Data>> {
  if (response.status === 401) throw new ApiError('UNAUTHENTICATED', 'The server wants an API key.');
  try {
    return await response.json();
  } catch {
    void look();
    throw new ApiError(response.status >= 500 ? 'UNAVAILABLE' : 'UNREACHABLE', `The server answered ${response.status}, and not as the API does.`);
  }
}
