"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Client = void 0;
const errors_js_1 = require("./errors.js");
/** Sends typed operations of the whole API with `fetch`, in Node and in browsers. Errors are `MnemeError`. */
class Client {
    #address;
    #timeout;
    /** `timeout` is in milliseconds, for one request. */
    constructor(server, options = {}) {
        this.#address = typeof server === "function" ? server : () => Promise.resolve(server);
        this.#timeout = options.timeout ?? 10_000;
    }
    /** The data that an operation answers. Its first error is thrown. */
    async request(operation, variables, options = {}) {
        const limit = AbortSignal.timeout(options.timeout ?? this.#timeout);
        const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit;
        const response = await this.#send(operation, variables, "application/json", signal);
        const text = await response.text().catch((cause) => unreachable(response.url, cause));
        return dataOf(parsed(response, text));
    }
    /**
     * What a subscription tells, until the loop over it is left. It throws `UNAVAILABLE` where the connection breaks;
     * subscribe again with the last `cursor` as `after`, and nothing is missed.
     */
    async *subscribe(operation, variables, options = {}) {
        const ended = new AbortController();
        const signal = options.signal ? AbortSignal.any([ended.signal, options.signal]) : ended.signal;
        try {
            const response = await this.#send(operation, variables, "text/event-stream", signal);
            if (!response.body || !response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
                dataOf(parsed(response, await response.text()));
                throw new errors_js_1.MnemeError(`HTTP ${response.status} instead of events`, "UNAVAILABLE");
            }
            for await (const { event, data } of events(response.body)) {
                if (event === "complete")
                    return;
                if (event === "next")
                    yield dataOf(JSON.parse(data));
            }
            throw new errors_js_1.MnemeError("the connection ended before the subscription did", "UNAVAILABLE");
        }
        finally {
            ended.abort();
        }
    }
    async #send(operation, variables, accept, signal) {
        const { url, key } = await this.#address();
        const headers = { "Content-Type": "application/json", Accept: accept };
        if (key)
            headers["Authorization"] = `Bearer ${key}`;
        const body = JSON.stringify({ query: operation.toString(), variables });
        return fetch(`${url}/graphql`, { method: "POST", headers, body, signal }).catch((cause) => unreachable(url, cause));
    }
}
exports.Client = Client;
function unreachable(url, cause) {
    const { message, cause: deeper } = cause;
    throw new errors_js_1.MnemeError(`mneme does not answer at ${url}: ${deeper?.message || message}`, "UNAVAILABLE", { cause });
}
/** A refusal is JSON, too, and says why; what is not JSON came from elsewhere, such as a proxy. */
function parsed(response, text) {
    try {
        const answer = JSON.parse(text);
        if (typeof answer === "object" && answer)
            return answer;
    }
    catch {
        // told below
    }
    const code = response.status >= 500 || response.status === 429 ? "UNAVAILABLE" : "INTERNAL";
    throw new errors_js_1.MnemeError(`HTTP ${response.status} without an answer: ${text.slice(0, 200)}`, code);
}
function dataOf({ data, errors }) {
    const error = errors?.[0];
    if (error)
        throw new errors_js_1.MnemeError(error.message, error.extensions?.code, { field: error.extensions?.field });
    if (!data)
        throw new errors_js_1.MnemeError("an answer without data");
    return data;
}
/** Server-sent events, as the HTML standard has them, without ids. */
async function* events(body) {
    let event = "";
    let data = [];
    for await (const line of lines(body)) {
        const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
        if (line === "") {
            if (event)
                yield { event, data: data.join("\n") };
            [event, data] = ["", []];
        }
        else if (name === "event")
            event = value;
        else if (name === "data")
            data.push(value);
    }
}
async function* lines(body) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
        const { done, value } = await reader.read().catch((cause) => unreachable("its events", cause));
        if (done)
            return;
        const parts = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r/);
        rest = parts.pop() ?? "";
        yield* parts;
    }
}
