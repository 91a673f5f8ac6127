import type { Operation } from "./document.js";
/** Where a server is, and its key if it asks for one. */
export type Address = {
    url: string;
    key?: string | undefined;
};
/** Sends typed operations of the whole API with `fetch`, in Node and in browsers. Errors are `MnemeError`. */
export declare class Client {
    #private;
    /** `timeout` is in milliseconds, for one request. */
    constructor(server: Address | (() => Promise<Address>), options?: {
        timeout?: number;
    });
    /** The data that an operation answers. Its first error is thrown. */
    request<Result, Variables>(operation: Operation<Result, Variables>, variables: Variables, options?: {
        signal?: AbortSignal | undefined;
        timeout?: number | undefined;
    }): Promise<Result>;
    /**
     * What a subscription tells, until the loop over it is left. It throws `UNAVAILABLE` where the connection breaks;
     * subscribe again with the last `cursor` as `after`, and nothing is missed.
     */
    subscribe<Result, Variables>(operation: Operation<Result, Variables>, variables: Variables, options?: {
        signal?: AbortSignal | undefined;
    }): AsyncGenerator<Result, void, undefined>;
}
