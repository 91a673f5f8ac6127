/** An answer that is an error, or none at all (`UNAVAILABLE`). */
export class MnemeError extends Error {
  override readonly name = "MnemeError";
  /** What kind of error it is: one of docs/api.md. */
  readonly code: string;
  /** The input at fault, such as `actions.3.stepName`. */
  readonly field: string | undefined;
  /** Whether the same request may succeed later, as when it was one too many for now. */
  readonly retryable: boolean;

  constructor(message: string, code = "INTERNAL", options: { field?: string | undefined; status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.field = options.field;
    this.retryable = code === "UNAVAILABLE" || code === "INTERNAL" || options.status === 429;
  }
}
