/** The memory of AI agents: recall what past runs taught, record what this one does, and learn from how it ends. */
export { Client } from "./client.js";
export { Episode } from "./episode.js";
export { MnemeError } from "./errors.js";
export * from "./graphql.js";
export { Memory } from "./memory.js";
