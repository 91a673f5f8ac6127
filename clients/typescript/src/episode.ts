import type { NextStepsInput, NextStepsQuery } from "./graphql.js";
import { noLessons, toldOf, type Lessons } from "./lessons.js";
import type { Feedback, Memory } from "./memory.js";
import type { Run } from "./recorder.js";
import { plain, text } from "./values.js";

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
export type EndOptions = { insight?: string | undefined; quality?: number | undefined };

/** One task of an agent, made by `Memory.episode`: what it recalls before, records meanwhile, and concludes at the end. */
export class Episode {
  /** The key that it is recorded under. */
  readonly id: string;
  /** What was recalled when it began. */
  readonly recalled: Lessons;
  private readonly run: Run;
  private readonly steps: string[] = [];
  private lastStep: string | undefined;
  private ending: { outcome: "SUCCESS" | "FAILURE"; result?: string; insight?: string; quality?: number } | undefined;
  private over = false;
  private readonly began = Date.now() - performance.now();

  /** @internal */
  constructor(
    private readonly memory: Memory,
    /** The situation in words, as the agent meets it. */
    readonly task: string,
    private readonly options: EpisodeOptions,
    recalled: Lessons = noLessons,
  ) {
    this.id = options.id ?? crypto.randomUUID();
    this.recalled = recalled;
    const { agent, taskType, session, metadata } = options;
    const said = given({ workflowName: taskType, sessionId: session, metadata: plain(metadata) });
    const userId = memory.user;
    const whose = userId === undefined ? {} : { userId };
    const informedBy = toldOf(recalled);
    this.run = { events: 0, said: { runId: this.id, agentId: agent, ...whose, ...said, ...(informedBy[0] && { informedBy }) } };
    this.event("workflow_started", { args: text(task) });
  }

  /**
   * A block for the prompt with what past runs taught; empty where there is nothing. Where the episode is not recorded,
   * reading it names those runs on OpenTelemetry's active span: what records the span credits them.
   */
  get lessons(): string {
    if (this.options.record === false) nameOnSpan(toldOf(this.recalled));
    return this.recalled.text;
  }

  /** Records what the agent thinks. */
  thought(thought: string): void {
    const said = text(thought).trim();
    if (said) this.event("agent_thought", { thought: said });
  }

  /** Records what the agent did and what came of it. */
  step(name: string, step: StepOptions = {}): void {
    const { arguments: asked, error, id } = step;
    let result = plain(step.result);
    if (asked !== undefined || error !== undefined) result = given({ arguments: plain(asked), result, error: plain(error) });
    this.steps.push(name);
    this.lastStep = result === undefined ? name : `${name}: ${text(result)}`;
    this.event("step_completed", given({ step_name: name, step_id: id, result }));
  }

  /** Says that the task is done, and how. The last word before the end counts. */
  succeeded(result?: unknown, options: EndOptions = {}): void {
    this.concluded("SUCCESS", result, options);
  }

  /** Says that the task is done in part: a SUCCESS of half the quality. */
  partial(result?: unknown, options: EndOptions = {}): void {
    this.concluded("SUCCESS", result, { quality: 0.5, ...options });
  }

  /** Says that the task is not done, and what went wrong: a text or an exception. */
  failed(result?: unknown, options: EndOptions = {}): void {
    this.concluded("FAILURE", result, options);
  }

  /**
   * Concludes the record, once; `Memory.episode` does it. An exception is a FAILURE. One that only interrupts
   * (`AbortError`) leaves the run open: nobody knows how it would have ended.
   */
  async end(error?: unknown): Promise<void> {
    if (this.over) return;
    if (error instanceof Error && error.name === "AbortError") {
      this.event("workflow_interrupted", { by: text(error) });
      this.ending = undefined;
    } else if (error !== undefined) this.failed(error);
    else if (!this.ending) this.succeeded();
    this.over = true;
    if (this.options.record === false) return;
    if (this.ending) {
      this.memory.recorder.conclude(this.run, { id: this.id, endedAt: this.now().toISOString(), ...this.ending });
    }
    await this.memory.settle(this.run);
  }

  /** Records how a person took the work. See `Memory.feedback`. */
  feedback(feedback: boolean | Feedback): void {
    this.memory.feedback(this.id, feedback);
  }

  /** What past runs did next at a moment like this, the most telling first. */
  nextSteps(topK = 5): Promise<NextStep[]> {
    const moment: NextStepsInput = { situation: text(this.task), topK };
    if (this.lastStep) Object.assign(moment, { lastStep: this.lastStep, stepsSoFar: this.steps.slice(-1000) });
    return this.memory.nextSteps(moment);
  }

  private concluded(outcome: "SUCCESS" | "FAILURE", result: unknown, { insight, quality }: EndOptions): void {
    const said = result === undefined ? undefined : text(result) || undefined;
    this.ending = { outcome, ...given({ result: said, insight: insight && text(insight), quality }) };
  }

  private event(type: string, data: Record<string, unknown>): void {
    if (this.options.record !== false && !this.over) this.memory.recorder.event(this.run, type, data, this.now());
  }

  /** Now, by a clock that does not go back: the log is read in the order of its times. */
  private now(): Date {
    return new Date(this.began + performance.now());
  }
}

/** What is there of some values. */
export function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const there = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return Object.fromEntries(there) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** Tells OpenTelemetry's active span, where there is one, which runs it goes by. Its API is in globalThis, and in no package of ours. */
function nameOnSpan(informedBy: string[]): void {
  type Span = { setAttribute(name: string, value: string[]): void };
  type Api = { context?: { active(): { getValue(key: symbol): Span | undefined } } };
  const api = (globalThis as { [key: symbol]: Api | undefined })[Symbol.for("opentelemetry.js.api.1")];
  if (informedBy[0]) api?.context?.active().getValue(Symbol.for("OpenTelemetry Context Key SPAN"))?.setAttribute("mneme.informed_by", informedBy);
}
