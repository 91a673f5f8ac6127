/** mneme for the Vercel AI SDK 7: a middleware that recalls and records, and tools. */
import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import type { Tool } from "ai";
import type { Episode, EpisodeOptions, NextStep } from "./episode.js";
import type { Memory } from "./memory.js";
/**
 * Recalls before a run, and records it, for `wrapLanguageModel`. A message of the user begins a run, which ends with the
 * answer that calls no tool; `providerMetadata.mneme.episodeId` of each answer names its episode. With an episode in
 * place of a memory, the calls are part of that, and its end is yours.
 */
export declare function mnemeMiddleware(memory: Memory, options: EpisodeOptions): LanguageModelV4Middleware;
export declare function mnemeMiddleware(episode: Episode): LanguageModelV4Middleware;
/** Tools with which a model asks its memory itself. */
export declare function mnemeTools(memory: Memory): {
    recall: Tool<{
        situation: string;
    }, string>;
    nextSteps: Tool<{
        situation: string;
        stepsSoFar?: string[];
    }, NextStep[]>;
};
