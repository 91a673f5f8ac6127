import { Client } from "./client.js";
import { Episode, type EpisodeOptions } from "./episode.js";
import { type Lessons } from "./lessons.js";
import { type Server } from "./server.js";
export type MemoryOptions = {
    /** Milliseconds for one question; 2,000 by default. */
    timeout?: number | undefined;
    /** The budget of what is recalled for a prompt; 1,000 by default. */
    maxTokens?: number | undefined;
    /** Throws errors of the memory. By default one warning is given, and the agent goes on. */
    strict?: boolean | undefined;
    /** Takes the warning instead of `console.warn`. */
    warn?: ((message: string) => void) | undefined;
};
/** How a person took a run. A correction alone says that they did not like it. */
export type Feedback = {
    liked?: boolean | undefined;
    /** Stars, 1 to 5. */
    rating?: number | undefined;
    /** What they liked or disliked. */
    comment?: string | undefined;
    /** What they would have had instead. */
    correction?: string | undefined;
    /** Who it was. */
    by?: string | undefined;
};
/** What agents recall from and record to. */
export declare class Memory {
    private readonly options;
    /** Whose memory it is; undefined where it is everyone's. */
    readonly user: string | undefined;
    private readonly server;
    private readonly includeShared;
    private readonly api;
    private readonly warnings;
    /** Uses the server at a URL, by default MNEME_URL or http://127.0.0.1:8080, with a key or MNEME_API_KEY. */
    constructor(server?: string | Server, options?: MemoryOptions & {
        key?: string | undefined;
    });
    /**
     * Starts `mneme serve` on a directory of data, as a child that ends with this process. The program is `binary`,
     * MNEME_BINARY, or `mneme` of PATH.
     */
    static local(options?: MemoryOptions & {
        data?: string;
        binary?: string;
    }): Memory;
    /**
     * The memory of one user: what is recorded is theirs, and only theirs is recalled. With `includeShared` what belongs
     * to nobody is recalled, too.
     */
    forUser(user: string, options?: {
        includeShared?: boolean;
    }): Memory;
    /** A client of the whole API. */
    get client(): Client;
    /**
     * Does a task with a memory. It recalls before, and concludes after: an exception is a FAILURE with its text, anything
     * else a SUCCESS. The task is the situation in words, as the agent meets it.
     */
    episode<T>(task: string, options: EpisodeOptions, work: (episode: Episode) => T | PromiseLike<T>): Promise<T>;
    /** The same without a function. Call `end` of the episode that it gives. */
    begin(task: string, options: EpisodeOptions): Promise<Episode>;
    /** What past runs taught that matters in a situation; what this memory recorded before is among it. */
    recall(situation: string, options?: {
        maxTokens?: number;
        topK?: number;
    }): Promise<Lessons>;
    /** Records how a person took a run, by the id of its episode. `true` and `false` are thumbs up and down. */
    feedback(episodeId: string, feedback: boolean | Feedback): void;
    /** Waits until all is recorded; false where that takes longer than so many milliseconds. */
    flush(timeout?: number): Promise<boolean>;
    /** Records what waits, for a few seconds at most, and ends a local server. The end of a Node program records, too. */
    close(): Promise<void>;
    private whose;
    /** Asks within the time limit. It fails open: an error is told, not thrown, unless the memory is strict. */
    private asking;
}
