import { MnemeError } from "./errors.js";
import type { Operation } from "./document.js";

/** Where a server is, and its key if it asks for one. */
export type Address = { url: string; key?: string | undefined };

type Answer<Result> = {
  data?: Result | null;
  errors?: { message: string; extensions?: { code?: string; field?: string } }[];
};

/** Sends typed operations of the whole API with `fetch`, in Node and in browsers. Errors are `MnemeError`. */
export class Client {
  readonly #address: () => Promise<Address>;
  readonly #timeout: number;

  /** `timeout` is in milliseconds, for one request. */
  constructor(server: Address | (() => Promise<Address>), options: { timeout?: number } = {}) {
    this.#address = typeof server === "function" ? server : () => Promise.resolve(server);
    this.#timeout = options.timeout ?? 10_000;
  }

  /** The data that an operation answers. Its first error is thrown. */
  async request<Result, Variables>(
    operation: Operation<Result, Variables>,
    variables: Variables,
    options: { signal?: AbortSignal | undefined; timeout?: number | undefined } = {},
  ): Promise<Result> {
    const limit = AbortSignal.timeout(options.timeout ?? this.#timeout);
    const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit;
    const response = await this.#send(operation, variables, "application/json", signal);
    const text = await response.text().catch((cause: unknown) => unreachable(response.url, cause));
    return dataOf(parsed<Result>(response, text), response.status);
  }

  /**
   * What a subscription tells, until the loop over it is left. It throws `UNAVAILABLE` where the connection breaks;
   * subscribe again with the last `cursor` as `after`, and nothing is missed.
   */
  async *subscribe<Result, Variables>(
    operation: Operation<Result, Variables>,
    variables: Variables,
    options: { signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<Result, void, undefined> {
    const ended = new AbortController();
    const signal = options.signal ? AbortSignal.any([ended.signal, options.signal]) : ended.signal;
    try {
      const response = await this.#send(operation, variables, "text/event-stream", signal);
      if (!response.body || !response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
        dataOf(parsed<Result>(response, await response.text()), response.status);
        throw new MnemeError(`HTTP ${response.status} instead of events`, "UNAVAILABLE");
      }
      for await (const { event, data } of events(response.body)) {
        if (event === "complete") return;
        if (event === "next") yield dataOf(JSON.parse(data) as Answer<Result>, response.status);
      }
      throw new MnemeError("the connection ended before the subscription did", "UNAVAILABLE");
    } finally {
      ended.abort();
    }
  }

  async #send(operation: { toString(): string }, variables: unknown, accept: string, signal: AbortSignal): Promise<Response> {
    const { url, key } = await this.#address();
    const headers: Record<string, string> = { "Content-Type": "application/json", Accept: accept };
    if (key) headers["Authorization"] = `Bearer ${key}`;
    const body = JSON.stringify({ query: operation.toString(), variables });
    return fetch(`${url}/graphql`, { method: "POST", headers, body, signal }).catch((cause: unknown) =>
      unreachable(url, cause),
    );
  }
}

function unreachable(url: string, cause: unknown): never {
  const { message, cause: deeper } = cause as { message?: string; cause?: { message?: string } };
  throw new MnemeError(`mneme does not answer at ${url}: ${deeper?.message || message}`, "UNAVAILABLE", { cause });
}

/** A refusal is JSON, too, and says why; what is not JSON came from elsewhere, such as a proxy. */
function parsed<Result>(response: Response, text: string): Answer<Result> {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === "object" && answer) return answer;
  } catch {
    // told below
  }
  const code = response.status >= 500 || response.status === 429 ? "UNAVAILABLE" : "INTERNAL";
  throw new MnemeError(`HTTP ${response.status} without an answer: ${text.slice(0, 200)}`, code);
}

function dataOf<Result>({ data, errors }: Answer<Result>, status: number): Result {
  const error = errors?.[0];
  if (error) throw new MnemeError(error.message, error.extensions?.code, { field: error.extensions?.field, status });
  if (!data) throw new MnemeError("an answer without data");
  return data;
}

/** Server-sent events, as the HTML standard has them, without ids. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: string }> {
  let event = "";
  let data: string[] = [];
  for await (const line of lines(body)) {
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (line === "") {
      if (event) yield { event, data: data.join("\n") };
      [event, data] = ["", []];
    } else if (name === "event") event = value;
    else if (name === "data") data.push(value);
  }
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => unreachable("its events", cause));
    if (done) return;
    const parts = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r/);
    rest = parts.pop() ?? "";
    yield* parts;
  }
}
