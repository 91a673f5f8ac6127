import { Client, type Address } from "./client.js";
import { Episode, given, type EpisodeOptions, type NextStep } from "./episode.js";
import { MnemeError } from "./errors.js";
import { NextStepsDocument, RecallDocument, type NextStepsInput } from "./graphql.js";
import { block, frameTokens, noLessons, type Lessons } from "./lessons.js";
import { Recorder, type Listener, type Run } from "./recorder.js";
import { LocalServer, type Server } from "./server.js";
import { text } from "./values.js";

/** Milliseconds that a strict memory waits for a run to be recorded. */
const settleLimit = 10_000;

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
export class Memory {
  /** Whose memory it is; undefined where it is everyone's. */
  readonly user: string | undefined;
  /** @internal */
  readonly recorder: Recorder;
  private readonly server: Server;
  private readonly includeShared: boolean = false;
  private readonly api: Client;
  private readonly warnings: Warnings;

  /** Uses the server at a URL, by default MNEME_URL or http://127.0.0.1:8080, with a key or MNEME_API_KEY. */
  constructor(
    server: string | Server = environment("MNEME_URL") ?? "http://127.0.0.1:8080",
    private readonly options: MemoryOptions & { key?: string | undefined } = {},
  ) {
    this.server = typeof server === "string" ? remote(server, options.key ?? environment("MNEME_API_KEY")) : server;
    this.api = new Client(() => this.server.address());
    this.warnings = new Warnings(options.warn ?? ((message) => console.warn(message)));
    this.recorder = new Recorder(this.api, this.warnings);
  }

  /**
   * Starts `mneme serve` on a directory of data, as a child that ends with this process. The program is `binary`,
   * MNEME_BINARY, or `mneme` of PATH.
   */
  static local(options: MemoryOptions & { data?: string; binary?: string } = {}): Memory {
    return new Memory(new LocalServer(options.data ?? "mneme-data", options.binary), options);
  }

  /**
   * The memory of one user: what is recorded is theirs, and only theirs is recalled. With `includeShared` what belongs
   * to nobody is recalled, too.
   */
  forUser(user: string, options: { includeShared?: boolean } = {}): Memory {
    const view = Object.create(Memory.prototype) as Memory;
    const missing = user === undefined || user === null; // which is not everybody: the server refuses ""
    return Object.assign(view, this, { user: missing ? "" : String(user), includeShared: options.includeShared ?? false });
  }

  /** A client of the whole API. */
  get client(): Client {
    return this.api;
  }

  /**
   * Does a task with a memory. It recalls before, and concludes after: an exception is a FAILURE with its text, anything
   * else a SUCCESS. The task is the situation in words, as the agent meets it.
   */
  async episode<T>(task: string, options: EpisodeOptions, work: (episode: Episode) => T | PromiseLike<T>): Promise<T> {
    const episode = await this.begin(task, options);
    let result: T;
    try {
      result = await work(episode);
    } catch (error) {
      await episode.end(error ?? new Error(String(error))).catch(() => undefined); // the agent's error is the one to tell
      await this.recorder.flush(this.options.timeout ?? 2_000, false); // an error that nobody catches ends the program at once
      throw error;
    }
    await episode.end();
    return result;
  }

  /** The same without a function. Call `end` of the episode that it gives. */
  async begin(task: string, options: EpisodeOptions): Promise<Episode> {
    const recalled = options.recall === false ? noLessons : await this.recall(task, given({ maxTokens: options.maxTokens }));
    return new Episode(this, task, options, recalled);
  }

  /** What past runs taught that matters in a situation; what this memory recorded before is among it. */
  async recall(situation: string, options: { maxTokens?: number; topK?: number } = {}): Promise<Lessons> {
    const maxTokens = options.maxTokens ?? this.options.maxTokens ?? 1000;
    if (maxTokens <= frameTokens || !situation.trim()) return noLessons;
    return this.asking(noLessons, async (timeout) => {
      await this.recorder.flush(timeout, false);
      const input = { situation: text(situation), topK: options.topK ?? 5, ...this.whose() };
      const { recall } = await this.api.request(RecallDocument, { input, maxTokens: maxTokens - frameTokens }, { timeout });
      return { text: block(recall.lessons, maxTokens), hits: recall.hits, cautions: recall.cautions };
    });
  }

  /** Records how a person took a run, by the id of its episode. `true` and `false` are thumbs up and down. */
  feedback(episodeId: string, feedback: boolean | Feedback): void {
    const { liked, rating, comment, correction, by } = typeof feedback === "boolean" ? { liked: feedback } : (feedback as Feedback);
    const thumb = liked ?? (rating === undefined ? correction === undefined : undefined);
    const type = thumb === undefined ? "RATING" : thumb ? "THUMBS_UP" : "THUMBS_DOWN";
    const said = given({ rating, comment: text(comment ?? ""), corrections: text(correction ?? ""), createdBy: by ?? this.user });
    this.recorder.feedback({ id: crypto.randomUUID(), episodeId, type, ...said });
  }

  /** Waits until all is recorded; false where that takes longer than so many milliseconds. */
  flush(timeout = 10_000): Promise<boolean> {
    return this.recorder.flush(timeout);
  }

  /** Records what waits, for a few seconds at most, and ends a local server. The end of a Node program records, too. */
  async close(): Promise<void> {
    await this.recorder.leave();
    this.server.stop();
  }

  /** @internal */
  nextSteps(moment: NextStepsInput): Promise<NextStep[]> {
    return this.asking([], async (timeout) => {
      const input = { ...moment, filter: this.whose() };
      return (await this.api.request(NextStepsDocument, { input }, { timeout })).nextSteps;
    });
  }

  /** @internal Waits, if the memory is strict, until a run is recorded, and throws why it is not. */
  async settle(run: Run): Promise<void> {
    if (!this.options.strict) return;
    const whole = await this.recorder.flush(settleLimit);
    if (run.error) throw run.error;
    if (!whole) throw new MnemeError("the run is not recorded yet", "UNAVAILABLE");
  }

  private whose(): { userId?: string; includeShared?: boolean } {
    return this.user === undefined ? {} : { userId: this.user, ...(this.includeShared && { includeShared: true }) };
  }

  /** Asks within the time limit. It fails open: an error is told, not thrown, unless the memory is strict. */
  private async asking<T>(otherwise: T, ask: (timeout: number) => Promise<T>): Promise<T> {
    const timeout = this.options.timeout ?? 2_000;
    try {
      await this.server.address(); // a local server may start first
      const answer = await within(timeout, ask(timeout));
      this.warnings.worked();
      return answer;
    } catch (error) {
      if (this.options.strict) throw error;
      this.warnings.failed(error);
      return otherwise;
    }
  }
}

function remote(url: string, key: string | undefined): Server {
  const address: Address = { url: url.replace(/\/+$/, ""), key };
  return { address: () => Promise.resolve(address), stop: () => undefined };
}

function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined; // browsers have none
}

/** Warns once of each kind of error, until it works again. */
class Warnings implements Listener {
  private readonly told = new Set<string>();

  constructor(private readonly warn: (message: string) => void) {}

  failed(error: unknown): void {
    const { code, message } = error instanceof MnemeError ? error : { code: "", message: String(error) };
    if (this.told.has(code)) return;
    this.told.add(code);
    this.warn(`The agent goes on without its memory: ${message}`);
  }

  worked(): void {
    this.told.delete("UNAVAILABLE");
  }
}

function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const limit = new Promise<never>((_, reject) => {
    const late = new MnemeError(`mneme did not answer within ${milliseconds} ms`, "UNAVAILABLE");
    timer = setTimeout(() => reject(late), milliseconds);
  });
  return Promise.race([answer, limit]).finally(() => clearTimeout(timer));
}
