/** mneme for the OpenAI Agents SDK: a runner that recalls before each run, and records it. */
import type { Runner } from "@openai/agents-core";
import type { Episode, EpisodeOptions } from "./episode.js";
import type { Memory } from "./memory.js";
/** What is said of each run. The agent is by default the one that the run starts with. */
export type WithMemoryOptions = Omit<EpisodeOptions, "agent"> & {
    agent?: string | undefined;
};
/** A runner with a memory. */
export type RememberingRunner = Pick<Runner, "run"> & {
    /** The episode of a run, by its result: for feedback. */
    episodeOf(result: object): Episode | undefined;
};
/** Gives a runner a memory. The lessons stand behind the instructions in each call of a model, and in no history. */
export declare function withMemory(runner: Runner, memory: Memory, options?: WithMemoryOptions): RememberingRunner;
