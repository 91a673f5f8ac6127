/** A JSON value without recalled blocks. It never fails: what is long or deep becomes a text that is cut off. */
export declare function plain(value: unknown): unknown;
/** A value in words: a text as it is, an error as its name and text, anything else as JSON; what is long is cut off. */
export declare function text(value: unknown): string;
