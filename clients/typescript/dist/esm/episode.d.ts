import type { NextStepsQuery } from "./graphql.js";
import { type Lessons } from "./lessons.js";
import type { Feedback } from "./memory.js";
/** What past runs did next at a moment, with how they turned out. */
export type NextStep = NextStepsQuery["nextSteps"][number];
export type EpisodeOptions = {
    /** Who does the work. */
    agent: string;
    /** What kind of task it is. */
    taskType?: string | undefined;
    /** The conversation that it belongs to. */
    session?: string | undefined;
    /** The caller's own name for the run; a new one by default. */
    id?: string | undefined;
    /** Whatever else is to be kept with it. */
    metadata?: Record<string, unknown> | undefined;
    /** Whether it recalls; true by default. */
    recall?: boolean | undefined;
    /** Whether it records; true by default. Say false where something else does, such as OpenTelemetry. */
    record?: boolean | undefined;
    /** The budget of what is recalled. */
    maxTokens?: number | undefined;
};
/** How a step went. */
export type StepOptions = {
    /** What it was given, such as a tool's arguments. */
    arguments?: unknown;
    /** What came of it. */
    result?: unknown;
    /** What went wrong: an exception, or a text. */
    error?: unknown;
    /** The caller's own name for the step. */
    id?: string | undefined;
};
/** Why an episode ended so, and how good it was, 0 to 1. */
export type EndOptions = {
    insight?: string | undefined;
    quality?: number | undefined;
};
/** One task of an agent, made by `Memory.episode`: what it recalls before, records meanwhile, and concludes at the end. */
export declare class Episode {
    private readonly memory;
    /** The situation in words, as the agent meets it. */
    readonly task: string;
    private readonly options;
    /** The key that it is recorded under. */
    readonly id: string;
    /** What was recalled when it began. */
    readonly recalled: Lessons;
    private readonly run;
    private readonly steps;
    private lastStep;
    private ending;
    private over;
    private readonly began;
    /** A block for the prompt with what past runs taught; empty where there is nothing. */
    get lessons(): string;
    /** Records what the agent thinks. */
    thought(thought: string): void;
    /** Records what the agent did and what came of it. */
    step(name: string, step?: StepOptions): void;
    /** Says that the task is done, and how. The last word before the end counts. */
    succeeded(result?: unknown, options?: EndOptions): void;
    /** Says that the task is done in part: a SUCCESS of half the quality. */
    partial(result?: unknown, options?: EndOptions): void;
    /** Says that the task is not done, and what went wrong: a text or an exception. */
    failed(result?: unknown, options?: EndOptions): void;
    /**
     * Concludes the record, once; `Memory.episode` does it. An exception is a FAILURE. One that only interrupts
     * (`AbortError`) leaves the run open: nobody knows how it would have ended.
     */
    end(error?: unknown): Promise<void>;
    /** Records how a person took the work. See `Memory.feedback`. */
    feedback(feedback: boolean | Feedback): void;
    /** What past runs did next at a moment like this, the most telling first. */
    nextSteps(topK?: number): Promise<NextStep[]>;
    private concluded;
    private event;
    /** Now, by a clock that does not go back: the log is read in the order of its times. */
    private now;
}
/** What is there of some values. */
export declare function given<T extends object>(values: T): {
    [K in keyof T]?: NonNullable<T[K]>;
};
