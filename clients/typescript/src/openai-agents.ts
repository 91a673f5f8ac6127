/** mneme for the OpenAI Agents SDK: a runner that recalls before each run, and records it. */
import type { AgentInputItem, CallModelInputFilter, Runner } from "@openai/agents-core";
import { Calls } from "./calls.js";
import type { Episode, EpisodeOptions } from "./episode.js";
import type { Memory } from "./memory.js";

/** What is said of each run. The agent is by default the one that the run starts with. */
export type WithMemoryOptions = Omit<EpisodeOptions, "agent"> & { agent?: string | undefined };

/** A runner with a memory. */
export type RememberingRunner = Pick<Runner, "run"> & {
  /** The episode of a run, by its result: for feedback. */
  episodeOf(result: object): Episode | undefined;
};

/** What is read of the result of a run, and of an error. */
type Result = {
  state: object;
  newItems: { rawItem?: unknown }[];
  finalOutput?: unknown;
  interruptions?: unknown[];
  completed?: Promise<void>;
};
type Failure = { state?: { _generatedItems?: Result["newItems"] } };
type Start = (agent: { name: string }, input: unknown, options: { callModelInputFilter?: CallModelInputFilter }) => Promise<Result>;

/** Runs by their results, and by the states with which they go on, maybe by another runner. */
const runs = new WeakMap<object, AgentRun>();

/** Gives a runner a memory. The lessons stand behind the instructions in each call of a model, and in no history. */
export function withMemory(runner: Runner, memory: Memory, options: WithMemoryOptions = {}): RememberingRunner {
  const start = runner.run.bind(runner) as unknown as Start;

  const run: Start = async (agent, input, given = {}) => {
    const task = typeof input === "string" ? input : Array.isArray(input) ? lastOf(input as AgentInputItem[]) : "";
    const known = typeof input === "object" && input ? runs.get(input) : undefined;
    if (!known && !task) return start(agent, input, given);
    const run = known ?? new AgentRun(await memory.begin(task, { ...options, agent: options.agent ?? agent.name }));
    const filter = run.informed(given.callModelInputFilter ?? runner.config.callModelInputFilter);
    const end = async (result: Result): Promise<void> => {
      if (await run.ended(result)) return;
      runs.set(result.state, run); // until people have approved what it is about to do
    };
    try {
      const result = await start(agent, input, { ...given, callModelInputFilter: filter });
      runs.set(result, run);
      if (result.completed) result.completed.then(() => end(result), (error: unknown) => run.broke(error)).catch(() => undefined);
      else await end(result);
      return result;
    } catch (error) {
      await run.broke(error);
      throw error;
    }
  };
  return { run: run as unknown as Runner["run"], episodeOf: (result) => runs.get(result)?.episode };
}

/** A run of agents, in one call of `run` or in several. */
class AgentRun {
  private readonly calls: Calls;
  private readonly heard = new Set<string>();
  private begun = false;

  constructor(readonly episode: Episode) {
    this.calls = new Calls(episode);
  }

  /** A filter that records what models are told, and adds the lessons to their instructions. */
  informed(inner: CallModelInputFilter | undefined): CallModelInputFilter {
    return async (args) => {
      this.read(args.modelData.input, this.begun);
      this.begun = true;
      const data = inner ? await inner(args) : args.modelData;
      const { lessons } = this.episode;
      return lessons ? { ...data, instructions: [data.instructions, lessons].filter(Boolean).join("\n\n") } : data;
    };
  }

  /** Takes the end, and says whether it is one. */
  async ended(result: Result): Promise<boolean> {
    const open = Boolean(result.interruptions?.length);
    const output = open ? undefined : result.finalOutput;
    if (typeof output === "string") this.heard.add(output); // it is the result and no thought
    this.read(result.newItems.map((item) => item.rawItem));
    if (open) return false;
    if (output === undefined) await this.episode.end(new DOMException("the run was cancelled", "AbortError"));
    else {
      this.episode.succeeded(output);
      await this.episode.end();
    }
    return true;
  }

  async broke(error: unknown): Promise<void> {
    const items = (error as Failure | undefined)?.state?._generatedItems ?? [];
    this.read(items.map((item) => item.rawItem));
    await this.episode.end(error ?? new Error("the run failed")).catch(() => undefined); // the run's error is the one to tell
  }

  /** Records what is new among items. What a conversation held before the run is none of it. */
  private read(items: unknown[], isNew = true): void {
    for (const item of items as Item[]) {
      if (item.type === "function_call") {
        if (isNew) this.calls.ask(item.callId, item.name, item.arguments);
        else this.calls.past(item.callId);
      } else if (item.type === "function_call_result") this.calls.answer(item.callId, { result: textOf(item.output) });
      else if (item.type === "hosted_tool_call" && isNew) {
        const id = item.id ?? item.name;
        this.calls.ask(id, item.name, item.arguments);
        this.calls.answer(id, { result: item.output });
      } else if (item.role === "assistant" || item.type === "reasoning") {
        const text = textOf(item.content);
        if (typeof text !== "string" || this.heard.has(text)) continue;
        this.heard.add(text);
        if (isNew) this.episode.thought(text);
      }
    }
  }
}

type Item =
  | { type: "function_call"; role?: undefined; callId: string; name: string; arguments: string }
  | { type: "function_call_result"; role?: undefined; callId: string; output: unknown }
  | { type: "hosted_tool_call"; role?: undefined; id?: string; name: string; arguments?: string; output?: string }
  | { type?: "message" | "reasoning"; role?: string; content: unknown };

/** The text of a content or an output where it is one; else what it is. */
function textOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const texts: unknown[] = value.map(textOf);
    return texts.every((text) => typeof text === "string") ? texts.join("\n") : value;
  }
  const part = value as { text?: unknown } | undefined | null;
  return typeof part === "object" && typeof part?.text === "string" ? part.text : value;
}

/** What the user said last. */
function lastOf(input: AgentInputItem[]): string {
  const last = input.findLast((item) => "role" in item && item.role === "user") as { content?: unknown } | undefined;
  const text = textOf(last?.content);
  return typeof text === "string" ? text.trim() : "";
}
