import type { Client } from "./client.js";
import { MnemeError } from "./errors.js";
import {
  CaptureRunDocument,
  ConcludeEpisodeDocument,
  SubmitFeedbackDocument,
  type CaptureRunInput,
  type ConcludeEpisodeInput,
  type EventInput,
  type SubmitFeedbackInput,
} from "./graphql.js";
import { bytes } from "./lessons.js";
import { pause } from "./server.js";

/** Milliseconds that a record waits for others to go with it. */
const gather = 200;
/** The most milliseconds between two tries. */
const longestPause = 5_000;
/** Milliseconds that the end of the program may wait for records to be sent. */
const exitLimit = 5_000;
/** The most events and bytes of one request. */
const partEvents = 500;
const partBytes = 1 << 20;
/** The most bytes that wait for a server; what comes beyond is lost, with a warning. */
const heldBytes = 64 << 20;

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

type Part = { events: EventInput[]; bytes: number };
type Job = { run?: Run; part?: Part; send(client: Client): Promise<unknown> };

/** What the recorder tells of errors. */
export type Listener = { failed(error: unknown): void; worked(): void };

/**
 * A queue of requests that are sent in the background, in order, again and again until the server has them. Ids are
 * made here, so that a request that is sent again is the same.
 */
export class Recorder {
  private readonly jobs: Job[] = [];
  private held = 0;
  private pause = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private working: Promise<void> | undefined;

  constructor(
    private readonly client: Client,
    private readonly listener: Listener,
  ) {}

  /** Adds to the log of a run. The event's place in the log is given here. */
  event(run: Run, type: string, data: Record<string, unknown>, at: Date): void {
    if (run.error) return;
    const size = bytes(JSON.stringify(data));
    let part = run.part;
    if (!part || part.events.length >= partEvents || part.bytes + size > partBytes) part = this.open(run);
    part.events.push({ type, data, at: at.toISOString(), sequence: run.events++ });
    part.bytes += size;
    this.held += size;
    if (this.held <= heldBytes) return;
    const error = new MnemeError("too much waits to be recorded", "LIMIT_EXCEEDED");
    this.giveUp(run, error);
    this.listener.failed(error);
  }

  /** Says how a run ended. */
  conclude(run: Run, input: ConcludeEpisodeInput): void {
    if (!run.error) this.add({ run, send: (client) => client.request(ConcludeEpisodeDocument, { input }) });
  }

  /** Says how a person took a run. */
  feedback(input: SubmitFeedbackInput): void {
    this.add({ send: (client) => client.request(SubmitFeedbackDocument, { input }) });
  }

  /**
   * Waits until what was added is recorded, at most so many milliseconds, and says whether it is. Without patience it
   * does not wait for a server that is away.
   */
  async flush(timeout: number, patient = true): Promise<boolean> {
    const last = this.jobs.at(-1);
    const waits = () => last !== undefined && this.jobs.includes(last);
    for (const until = Date.now() + timeout; waits() && Date.now() < until; ) {
      const limit = deadline(until - Date.now());
      await Promise.race([this.work(), limit.passed]);
      limit.clear();
      if (!waits() || !patient) break;
      await pause(Math.min(this.pause || 1, Math.max(0, until - Date.now())));
    }
    return !waits();
  }

  /** Records what waits, and warns of what the server could not be told. */
  async leave(): Promise<void> {
    if (await this.flush(exitLimit)) return;
    this.listener.failed(new MnemeError(`${this.jobs.length} requests with records did not reach mneme`, "LOST"));
    this.jobs.length = this.held = 0;
    clearTimeout(this.timer);
    waiting.delete(this);
  }

  private open(run: Run): Part {
    const part: Part = { events: [], bytes: 0 };
    const send = (client: Client) =>
      client.request(CaptureRunDocument, { input: { ...run.said, append: true, events: part.events } });
    this.add({ run, part, send });
    return (run.part = part);
  }

  private add(job: Job): void {
    this.jobs.push(job);
    waitAtExit(this);
    if (!this.working && !this.timer) this.later(gather);
  }

  private later(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.work(), milliseconds);
    (this.timer as { unref?(): void }).unref?.(); // the end of the program sends what waits
  }

  private work(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.working ??= this.send().finally(() => (this.working = undefined));
    return this.working;
  }

  private async send(): Promise<void> {
    for (let job = this.jobs[0]; job; job = this.jobs[0]) {
      if (job.run && job.part === job.run.part) job.run.part = undefined; // what is on its way takes no more
      try {
        await job.send(this.client);
        this.drop(job);
        this.pause = 0;
        this.listener.worked();
      } catch (error) {
        this.listener.failed(error);
        if (error instanceof MnemeError && !error.retryable) {
          if (job.run) this.giveUp(job.run, error);
          else this.drop(job);
          continue;
        }
        this.pause = Math.min(longestPause, Math.max(100, 2 * this.pause));
        this.later(this.pause);
        return;
      }
    }
    waiting.delete(this);
  }

  private drop(job: Job): void {
    const at = this.jobs.indexOf(job);
    if (at < 0) return;
    this.jobs.splice(at, 1);
    this.held -= job.part?.bytes ?? 0;
  }

  /** Leaves out the rest of a run: a log that lacks events cannot be concluded. */
  private giveUp(run: Run, error: MnemeError): void {
    run.error = error;
    for (const job of this.jobs.filter((job) => job.run === run)) this.drop(job);
  }
}

function deadline(milliseconds: number): { passed: Promise<void>; clear(): void } {
  let timer: ReturnType<typeof setTimeout>;
  const passed = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  return { passed, clear: () => clearTimeout(timer) };
}

/** The recorders that have something to send when the program ends. */
const waiting = new Set<Recorder>();
let listening = false;

function waitAtExit(recorder: Recorder): void {
  waiting.add(recorder);
  if (listening || !globalThis.process?.on) return;
  listening = true;
  process.on("beforeExit", () => {
    for (const recorder of waiting) void recorder.leave();
  });
}
