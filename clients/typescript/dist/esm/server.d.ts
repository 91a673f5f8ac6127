import type { Address } from "./client.js";
/** Where a memory's server is, and how it ends. */
export type Server = {
    address(): Promise<Address>;
    stop(): void;
};
/**
 * `mneme serve` as a child. It ends with this process, however that ends, and is started again when it is gone.
 * Several processes may have servers with the same data.
 */
export declare class LocalServer implements Server {
    #private;
    private readonly data;
    private readonly binary;
    constructor(data: string, binary: string | undefined);
    /** The process of the server; undefined while none runs. */
    get pid(): number | undefined;
    address(): Promise<Address>;
    stop(): void;
}
export declare function pause(milliseconds: number): Promise<void>;
