import type { TypedDocumentString } from "./mneme.js";

/** Sends an operation with its variables, and gives its data. */
export type Ask = <Result, Variables>(
  operation: TypedDocumentString<Result, Variables>,
  variables: Variables,
) => Promise<Result>;

type Answer<Result> = {
  data?: Result | null;
  errors?: { message: string; extensions?: { code?: string } }[];
};

/** Reaches the server at a URL such as http://127.0.0.1:8080, with its API key where it asks for one. */
export function connect(url: string, key?: string): Ask {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (key) headers["Authorization"] = `Bearer ${key}`;
  return async <Result, Variables>(operation: TypedDocumentString<Result, Variables>, variables: Variables) => {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query: operation.toString(), variables }),
      signal: AbortSignal.timeout(60_000),
    }).catch((cause: unknown) => {
      throw new Error(`no server answers at ${url}`, { cause });
    });
    // Also a refusal is JSON and says why; what is not JSON came from elsewhere, such as a proxy.
    const text = await response.text();
    if (!response.headers.get("Content-Type")?.includes("json")) throw new Error(`${response.status}: ${text}`);
    const { data, errors } = JSON.parse(text) as Answer<Result>;
    if (errors?.[0]) throw new Error(`${errors[0].message} (${errors[0].extensions?.code})`);
    if (!data) throw new Error(`${response.status}: no data`);
    return data;
  };
}
