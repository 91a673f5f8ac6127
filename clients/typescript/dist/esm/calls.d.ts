import type { Episode } from "./episode.js";
/** Records calls of tools as steps, each once, however often a transcript tells of it. */
export declare class Calls {
    private readonly episode;
    private readonly asked;
    private readonly answered;
    constructor(episode: Episode);
    /** Whether calls wait for their answers. */
    get open(): boolean;
    /** Whether the model of this run made a call. */
    knows(id: string): boolean;
    /** Notes what the model asked for. Arguments are JSON, or what it says. */
    ask(id: string, name: string, args: unknown): void;
    /** Leaves out a call that was made before this run. */
    past(id: string): void;
    /** Records a call whose answer came. What was asked in an earlier run is none of this one. */
    answer(id: string, came: {
        result?: unknown;
        error?: unknown;
    }): void;
}
