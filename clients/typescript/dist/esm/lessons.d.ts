import type { HitFragment } from "./graphql.js";
/** An earlier episode that a recall found, with why. */
export type Hit = HitFragment;
/** What was recalled for a situation. */
export type Lessons = {
    /** The block for a prompt, delimited and escaped; empty where nothing was recalled. */
    readonly text: string;
    /** Past runs that matter, best first. */
    readonly hits: readonly Hit[];
    /** What went wrong in such situations. */
    readonly cautions: readonly Hit[];
};
export declare const noLessons: Lessons;
/** Tokens of the block beside what was recalled, at four bytes each, as mneme counts them. */
export declare const frameTokens: number;
/** Puts a text of past runs into a block that it cannot leave: markup in it is escaped. Last lines beyond the budget go. */
export declare function block(text: string, maxTokens: number): string;
/** The runs that the block tells of: these are credited with how the present one turns out. */
export declare function toldOf({ text, hits, cautions }: Lessons): string[];
/** A text without recalled blocks, which are never recorded back. */
export declare function withoutLessons(text: string): string;
export declare function bytes(text: string): number;
