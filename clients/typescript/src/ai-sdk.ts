/** mneme for the Vercel AI SDK 7: a middleware that recalls and records, and tools. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { Schema, Tool } from "ai";
import { Calls } from "./calls.js";
import type { Episode, EpisodeOptions, NextStep } from "./episode.js";
import type { Memory } from "./memory.js";

/** The most runs that wait for answers of tools; the oldest is let go. */
const mostOpen = 1_000;

/**
 * Recalls before a run, and records it, for `wrapLanguageModel`. A message of the user begins a run, which ends with the
 * answer that calls no tool; `providerMetadata.mneme.episodeId` of each answer names its episode. With an episode in
 * place of a memory, the calls are part of that, and its end is yours.
 */
export function mnemeMiddleware(memory: Memory, options: EpisodeOptions): LanguageModelV4Middleware;
export function mnemeMiddleware(episode: Episode): LanguageModelV4Middleware;
export function mnemeMiddleware(source: Memory | Episode, options?: EpisodeOptions): LanguageModelV4Middleware {
  const runs = new Runs(source, options);
  return {
    specificationVersion: "v4",
    async wrapGenerate({ model, params, doGenerate }) {
      const run = await runs.of(params.prompt);
      if (!run) return doGenerate();
      try {
        const answer = await model.doGenerate(run.informed(params));
        for (const part of answer.content) run.read(part);
        await run.answered(answer.finishReason);
        return { ...answer, providerMetadata: { ...answer.providerMetadata, ...run.named } };
      } catch (error) {
        await run.broke(error);
        throw error;
      }
    },
    async wrapStream({ model, params, doStream }) {
      const run = await runs.of(params.prompt);
      if (!run) return doStream();
      try {
        const answer = await model.doStream(run.informed(params));
        return { ...answer, stream: run.watched(answer.stream) };
      } catch (error) {
        await run.broke(error);
        throw error;
      }
    },
  };
}

/** The runs that a middleware knows. A model is told all that happened each time, so what is new belongs to one of them. */
class Runs {
  private open: ModelRun[] = [];
  private readonly own: ModelRun | undefined;

  constructor(
    private readonly source: Memory | Episode,
    private readonly options: EpisodeOptions | undefined,
  ) {
    if (!("begin" in source)) this.own = new ModelRun(source, false);
  }

  /** The run that a prompt continues or begins; none where nobody says anything. */
  async of(prompt: LanguageModelV4Prompt): Promise<ModelRun | undefined> {
    this.open = this.open.filter((run) => !run.over);
    const goesOn = this.own ?? this.open.find((run) => run.continuedBy(prompt));
    goesOn?.hear(prompt);
    if (goesOn) return goesOn;
    for (const run of this.open.filter((run) => run.leftBy(prompt))) {
      run.hear(prompt);
      await run.end(); // the user went on to something else
    }
    const task = lastOf(prompt);
    if (!task || !this.options || !("begin" in this.source)) return undefined;
    const run = new ModelRun(await this.source.begin(task, this.options), true, prompt);
    this.open = [...this.open, run].slice(-mostOpen);
    return run;
  }
}

/** A run of a model: one question, with the calls of tools until its answer. */
class ModelRun {
  readonly calls: Calls;
  over = false;
  private text = "";

  constructor(
    readonly episode: Episode,
    private readonly ends: boolean,
    readonly prompt?: LanguageModelV4Prompt,
  ) {
    this.calls = new Calls(episode);
  }

  get named(): { mneme: { episodeId: string } } {
    return { mneme: { episodeId: this.episode.id } };
  }

  /** Whether a prompt is the first one again, or answers calls of this run, and nobody spoke since. */
  continuedBy(prompt: LanguageModelV4Prompt): boolean {
    const answers = prompt.at(-1)?.role === "tool" && resultsIn(prompt.slice(-1)).some((part) => this.calls.knows(part.toolCallId));
    return prompt === this.prompt || (answers && lastOf(prompt) === this.episode.task);
  }

  /** Whether a prompt holds this run as something past. */
  leftBy(prompt: LanguageModelV4Prompt): boolean {
    const parts = prompt.flatMap((message) => (message.role === "assistant" ? message.content : []));
    const called = parts.some((part) => part.type === "tool-call" && this.calls.knows(part.toolCallId));
    return called && prompt.some((message) => saidIn(message) === this.episode.task);
  }

  /** Records the answers to calls of this run that a prompt tells. */
  hear(prompt: LanguageModelV4Prompt): void {
    for (const part of resultsIn(prompt)) this.calls.answer(part.toolCallId, outcomeOf(part.output));
  }

  /** The parameters with the lessons behind the system's own messages, where they leave a cached prefix as it is. */
  informed(params: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
    const { lessons } = this.episode;
    if (!lessons) return params;
    const behind = params.prompt.findLastIndex((message) => message.role === "system") + 1;
    return { ...params, prompt: params.prompt.toSpliced(behind, 0, { role: "system", content: lessons }) };
  }

  /** Takes a part of what the model says. */
  read(part: LanguageModelV4Content): void {
    if (part.type === "text") this.text += part.text;
    else if (part.type === "reasoning") this.episode.thought(part.text);
    else if (part.type === "tool-call") this.calls.ask(part.toolCallId, part.toolName, part.input);
    else if (part.type === "tool-result" && !part.preliminary) {
      this.calls.answer(part.toolCallId, part.isError ? { error: part.result } : { result: part.result });
    }
  }

  /** Takes the end of what the model says this time: what it says beside calls is a thought, else it is the result. */
  async answered(reason: LanguageModelV4FinishReason): Promise<void> {
    const text = this.text;
    this.text = "";
    const { unified, raw } = reason;
    if (unified === "tool-calls" && this.calls.open) this.episode.thought(text);
    else if (unified === "stop" || unified === "tool-calls" || unified === "other") await this.end(text);
    else await this.end(text, new Error(`the model stopped: ${raw ?? unified}`));
  }

  async end(text = "", error?: unknown): Promise<void> {
    if (!this.ends) return this.episode.thought(text);
    if (!error && text) this.episode.succeeded(text);
    this.over = true;
    await this.episode.end(error);
  }

  /** Takes an error of the model. One that the SDK tries again says nothing of the run yet. */
  async broke(error: unknown): Promise<void> {
    this.text = "";
    if (!this.ends || this.over || (error as { isRetryable?: boolean }).isRetryable) return;
    this.over = true;
    await this.episode.end(error).catch(() => undefined); // the model's error is the one to tell
  }

  /** A stream of the same parts, which are read on their way. */
  watched(stream: ReadableStream<LanguageModelV4StreamPart>): ReadableStream<LanguageModelV4StreamPart> {
    const reader = stream.getReader();
    let thought = "";
    let finished = false;
    const read = async (part: LanguageModelV4StreamPart): Promise<LanguageModelV4StreamPart> => {
      if (part.type === "text-delta") this.text += part.delta;
      else if (part.type === "reasoning-delta") thought += part.delta;
      else if (part.type === "reasoning-end") {
        this.episode.thought(thought);
        thought = "";
      } else if (part.type === "tool-call" || part.type === "tool-result") this.read(part);
      else if (part.type === "error") await this.broke(part.error);
      else if (part.type === "finish") {
        finished = true;
        await this.answered(part.finishReason);
        return { ...part, providerMetadata: { ...part.providerMetadata, ...this.named } };
      }
      return part;
    };
    return new ReadableStream<LanguageModelV4StreamPart>({
      pull: async (out) => {
        try {
          const { done, value } = await reader.read();
          if (!done) return out.enqueue(await read(value));
          if (!finished) await this.broke(new Error("the model's answer broke off"));
          out.close();
        } catch (error) {
          await this.broke(error);
          throw error;
        }
      },
      cancel: async (reason) => {
        if (!finished) await this.broke(new DOMException("the stream was cancelled", "AbortError"));
        await reader.cancel(reason);
      },
    });
  }
}

function outcomeOf(output: LanguageModelV4ToolResultOutput): { result?: unknown; error?: unknown } {
  switch (output.type) {
    case "error-text":
    case "error-json":
      return { error: output.value };
    case "execution-denied":
      return { error: output.reason ?? "denied" };
    default:
      return { result: output.value };
  }
}

function resultsIn(prompt: LanguageModelV4Prompt): LanguageModelV4ToolResultPart[] {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  return parts.filter((part) => part.type === "tool-result");
}

/** What the user said last. */
function lastOf(prompt: LanguageModelV4Prompt): string {
  const last = prompt.findLast((message) => message.role === "user");
  return last ? saidIn(last) : "";
}

/** What the user says in a message; empty where it is somebody else's. */
function saidIn(message: LanguageModelV4Prompt[number]): string {
  const parts = message.role === "user" ? message.content : [];
  return parts.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n").trim();
}

/** Tools with which a model asks its memory itself. */
export function mnemeTools(memory: Memory): {
  recall: Tool<{ situation: string }, string>;
  nextSteps: Tool<{ situation: string; stepsSoFar?: string[] }, NextStep[]>;
} {
  const text = { type: "string" };
  return {
    recall: {
      description: "What past runs taught that matters in a situation, with what went wrong.",
      inputSchema: schema({ situation: { ...text, description: "The situation in plain words." } }),
      execute: async ({ situation }) => (await memory.recall(situation)).text || "Nothing like it is known.",
    },
    nextSteps: {
      description: "What past runs did next at a moment like this, with how they turned out.",
      inputSchema: schema({
        situation: { ...text, description: "The task, or what was said last." },
        stepsSoFar: { type: "array", items: text, description: "The names of the steps until now, in order." },
      }),
      execute: (moment) => memory.nextSteps(moment),
    },
  };
}

/** A schema as the SDK's `jsonSchema` makes it, without the SDK at run time. The first property is required. */
function schema<Input>(properties: Record<string, object>): Schema<Input> {
  const required = Object.keys(properties).slice(0, 1);
  const jsonSchema = { type: "object", properties, required, additionalProperties: false };
  return { [Symbol.for("vercel.ai.schema")]: true, jsonSchema, validate: undefined } as unknown as Schema<Input>;
}
