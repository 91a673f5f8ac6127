import type { Client } from "./client.js";
import { type CaptureRunInput, type ConcludeEpisodeInput, type EventInput, type SubmitFeedbackInput } from "./graphql.js";
/** A run that is recorded part by part. */
export type Run = {
    /** What each request says of the run. */
    readonly said: Omit<CaptureRunInput, "events" | "append">;
    /** How many events it has. */
    events: number;
    /** Why it is not recorded any further. */
    error?: unknown;
    /** The part that takes its next event. */
    part?: Part | undefined;
};
type Part = {
    events: EventInput[];
    bytes: number;
};
/** What the recorder tells of errors. */
export type Listener = {
    failed(error: unknown): void;
    worked(): void;
};
/**
 * A queue of requests that are sent in the background, in order, again and again until the server has them. Ids are
 * made here, so that a request that is sent again is the same.
 */
export declare class Recorder {
    private readonly client;
    private readonly listener;
    private readonly jobs;
    private held;
    private pause;
    private timer;
    private working;
    constructor(client: Client, listener: Listener);
    /** Adds to the log of a run. The event's place in the log is given here. */
    event(run: Run, type: string, data: Record<string, unknown>, at: Date): void;
    /** Says how a run ended. */
    conclude(run: Run, input: ConcludeEpisodeInput): void;
    /** Says how a person took a run. */
    feedback(input: SubmitFeedbackInput): void;
    /**
     * Waits until what was added is recorded, at most so many milliseconds, and says whether it is. Without patience it
     * does not wait for a server that is away.
     */
    flush(timeout: number, patient?: boolean): Promise<boolean>;
    /** Records what waits, and warns of what the server could not be told. */
    leave(): Promise<void>;
    private open;
    private add;
    private later;
    private work;
    private send;
    private drop;
    /** Leaves out the rest of a run: a log that lacks events cannot be concluded. */
    private giveUp;
}
export {};
