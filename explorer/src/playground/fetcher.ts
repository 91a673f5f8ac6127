import { createGraphiQLFetcher, type Fetcher, type FetcherParams } from '@graphiql/toolkit';
import { getOperationAST, Kind, parse, type OperationDefinitionNode } from 'graphql';
import { createClient } from 'graphql-sse';
import { apiKey } from '../api/key';

// Relative to the page, so that it also holds behind a proxy that serves mneme under a path.
const endpoint = new URL('graphql', document.baseURI).href;

const request = createGraphiQLFetcher({ url: endpoint, enableIncrementalDelivery: false });

/**
 * Queries and mutations are plain POSTs. Subscriptions are server-sent events rather than a WebSocket,
 * because only those carry what the headers editor says.
 */
export const fetcher: Fetcher = (params, options) => {
  const operation = chosenOperation(params);
  const { query, variables } = params;
  const operationName = operation ? operation.name?.value : (params.operationName ?? undefined);
  const headers = withKey(options?.headers);
  return operation?.operation === 'subscription'
    ? subscribe({ query, variables, operationName }, headers)
    : request({ query, variables, operationName }, { ...options, headers });
};

/** What the headers editor says, with the key of this tab where that says none. */
function withKey(headers: Record<string, string> = {}): Record<string, string> {
  const key = apiKey();
  const said = Object.keys(headers).some((name) => ['authorization', 'x-api-key'].includes(name.toLowerCase()));
  return key && !said ? { ...headers, Authorization: `Bearer ${key}` } : headers;
}

/**
 * The operation to run; undefined where that is for the server to say: a syntax error, several to choose from.
 * GraphiQL learns the name 100 ms after an edit or a change of tabs, so a quick run would send the previous
 * one: where there is but one operation, it is meant.
 */
function chosenOperation({ query, operationName }: FetcherParams): OperationDefinitionNode | undefined {
  try {
    const document = parse(query);
    const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    return operations.length === 1 ? operations[0] : (getOperationAST(document, operationName) ?? undefined);
  } catch {
    return undefined;
  }
}

type Operation = { query: string; variables?: Record<string, unknown>; operationName?: string };

function subscribe(operation: Operation, headers: Record<string, string> = {}) {
  return createClient({ url: endpoint, headers, retryAttempts: 0 }).iterate<Record<string, unknown>, Record<string, unknown>>(operation);
}
