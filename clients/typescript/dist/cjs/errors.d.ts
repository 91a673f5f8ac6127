/** An answer that is an error, or none at all (`UNAVAILABLE`). */
export declare class MnemeError extends Error {
    readonly name = "MnemeError";
    /** What kind of error it is: one of docs/api.md. */
    readonly code: string;
    /** The input at fault, such as `actions.3.stepName`. */
    readonly field: string | undefined;
    constructor(message: string, code?: string, options?: {
        field?: string | undefined;
        cause?: unknown;
    });
    /** Whether the same request may succeed later. */
    get retryable(): boolean;
}
