/** The memory of AI agents: recall what past runs taught, record what this one does, and learn from how it ends. */
export { Client, type Address } from "./client.js";
export type { Operation } from "./document.js";
export { Episode, type EndOptions, type EpisodeOptions, type NextStep, type StepOptions } from "./episode.js";
export { MnemeError } from "./errors.js";
export * from "./graphql.js";
export type { Hit, Lessons } from "./lessons.js";
export { Memory, type Feedback, type MemoryOptions } from "./memory.js";
export type { Server } from "./server.js";
