import type { Episode } from "./episode.js";

/** Records calls of tools as steps, each once, however often a transcript tells of it. */
export class Calls {
  private readonly asked = new Map<string, { name: string; arguments: unknown }>();
  private readonly answered = new Set<string>();

  constructor(private readonly episode: Episode) {}

  /** Whether calls wait for their answers. */
  get open(): boolean {
    return this.asked.size > 0;
  }

  /** Whether the model of this run made a call. */
  knows(id: string): boolean {
    return this.asked.has(id) || this.answered.has(id);
  }

  /** Notes what the model asked for. Arguments are JSON, or what it says. */
  ask(id: string, name: string, args: unknown): void {
    if (!this.knows(id)) this.asked.set(id, { name, arguments: typeof args === "string" ? said(args) : args });
  }

  /** Leaves out a call that was made before this run. */
  past(id: string): void {
    this.answered.add(id);
  }

  /** Records a call whose answer came. What was asked in an earlier run is none of this one. */
  answer(id: string, came: { result?: unknown; error?: unknown }): void {
    const call = this.asked.get(id);
    if (!call) return;
    this.asked.delete(id);
    this.answered.add(id);
    this.episode.step(call.name, { id, arguments: call.arguments, ...came });
  }
}

function said(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}
