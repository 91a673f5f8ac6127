/** An answer that is an error, or none at all (`UNAVAILABLE`). */
export class MnemeError extends Error {
    name = "MnemeError";
    /** What kind of error it is: one of docs/api.md. */
    code;
    /** The input at fault, such as `actions.3.stepName`. */
    field;
    constructor(message, code = "INTERNAL", options = {}) {
        super(message, { cause: options.cause });
        this.code = code;
        this.field = options.field;
    }
    /** Whether the same request may succeed later. */
    get retryable() {
        return this.code === "UNAVAILABLE" || this.code === "INTERNAL";
    }
}
