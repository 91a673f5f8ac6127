import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Agent, Runner, tool, Usage, type Model, type ModelRequest, type ModelResponse, type StreamEvent } from "@openai/agents-core";
import { Memory } from "mneme-client";
import { withMemory } from "mneme-client/openai-agents";
import { kept, serve } from "./server.js";

const task = "A customer wants a refund for a kettle that leaks";

type AgentOutputItem = ModelResponse["output"][number];

/** A model that says what it is told to, or fails with an error. */
class Scripted implements Model {
  readonly requests: ModelRequest[] = [];

  constructor(private readonly answers: (AgentOutputItem[] | Error)[]) {}

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    this.requests.push(structuredClone({ ...request, signal: undefined }) as unknown as ModelRequest);
    const output = this.answers.shift() ?? new Error("nothing left to say");
    if (output instanceof Error) throw output;
    return { usage: new Usage(), output };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const { output } = await this.getResponse(request);
    yield { type: "response_started" };
    yield {
      type: "response_done",
      response: { id: "r", usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, output: output as never },
    };
  }
}

const text = (text: string): AgentOutputItem => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text }],
});
const call = (name: string, input: object, callId: string): AgentOutputItem => ({
  type: "function_call",
  callId,
  name,
  arguments: JSON.stringify(input),
  status: "completed",
});

const parameters = { type: "object" as const, properties: {}, required: [], additionalProperties: true as const };
const tools = (needsApproval = false) => [
  tool({ name: "ask_receipt", description: "", parameters, strict: false, execute: () => "receipt no. 7" }),
  tool({
    name: "refund",
    description: "",
    parameters,
    strict: false,
    needsApproval,
    execute: (input) => {
      if (!(input as { receipt?: string }).receipt) throw new Error("a refund needs a receipt");
      return "refunded";
    },
  }),
];

const agentOf = (model: Model, needsApproval = false) =>
  new Agent({ name: "support", instructions: "Be kind.", model, tools: tools(needsApproval) });
const runner = () => new Runner({ tracingDisabled: true });
const instructions = (model: Scripted) => model.requests.map((request) => request.systemInstructions ?? "");

async function memoryOf(t: TestContext): Promise<Memory> {
  return new Memory((await serve(t)).url, { strict: true });
}

for (const stream of [false, true]) {
  test(`an agent ${stream ? "that streams " : ""}learns from a failure that a person corrects`, async (t) => {
    const ann = (await memoryOf(t)).forUser("ann");
    const run = async (memory: Memory, answers: AgentOutputItem[][]) => {
      const model = new Scripted(answers);
      const remembering = withMemory(runner(), memory);
      if (!stream) {
        const result = await remembering.run(agentOf(model), task);
        return { id: remembering.episodeOf(result)!.id, told: instructions(model), requests: model.requests };
      }
      const result = await remembering.run(agentOf(model), task, { stream: true });
      await result.completed;
      return { id: remembering.episodeOf(result)!.id, told: instructions(model), requests: model.requests };
    };
    const failed = await run(ann, [[text("I refund it."), call("refund", {}, "call-1")], [text("I could not refund it.")]]);
    assert.deepEqual(failed.told, ["Be kind.", "Be kind."]);
    ann.feedback(failed.id, { correction: "Ask for the receipt first." });
    const there = await kept(ann, failed.id);
    assert.deepEqual([there.agent.id, there.observation, there.thoughts, there.result], ["agent:support", task, ["I refund it."], "I could not refund it."]);
    assert.match(JSON.stringify(there.actions), /"refund".*An error occurred/);

    const better = await run(ann, [
      [call("ask_receipt", {}, "call-2")],
      [call("refund", { receipt: "no. 7" }, "call-3")],
      [text("Refunded in full.")],
    ]);
    assert.equal(better.told.length, 3);
    for (const told of better.told) assert.match(told, /^Be kind\.\n\n<mneme-lessons>.*Ask for the receipt first\..*<\/mneme-lessons>$/s);
    assert.doesNotMatch(JSON.stringify(better.requests.map((request) => request.input)), /mneme-lessons/, "in no history");
    const second = await kept(ann, better.id);
    assert.deepEqual([second.outcome, second.result, second.thoughts], ["SUCCESS", "Refunded in full.", []]);
    assert.deepEqual(second.actions, [
      { stepId: "call-2", stepName: "ask_receipt", result: { arguments: {}, result: "receipt no. 7" } },
      { stepId: "call-3", stepName: "refund", result: { arguments: { receipt: "no. 7" }, result: "refunded" } },
    ]);
    assert.deepEqual(second.informedBy.nodes, [{ id: `episode:${failed.id}` }]);

    const bob = await run(ann.forUser("bob"), [[text("Hello.")]]);
    assert.deepEqual(bob.told, ["Be kind."]);
    assert.ok(await ann.flush());
  });
}

test("a run that fails is a failure, with what was done until then", async (t) => {
  const memory = await memoryOf(t);
  const begun: string[] = [];
  const begin = memory.begin.bind(memory);
  memory.begin = async (...of) => (await begin(...of).then((e) => (begun.push(e.id), e)));
  const remembering = withMemory(runner(), memory, { taskType: "refund" });
  await assert.rejects(remembering.run(agentOf(new Scripted([new Error("overloaded")])), task), /overloaded/);
  const endless = Array.from({ length: 3 }, (_, i) => [call("ask_receipt", {}, `call-${i}`)]);
  await assert.rejects(remembering.run(agentOf(new Scripted(endless)), task, { maxTurns: 2 }), /Max turns/);
  const streamed = await remembering.run(agentOf(new Scripted([new Error("gone")])), task, { stream: true });
  await assert.rejects(streamed.completed, /gone/);
  const [a, b, c] = await Promise.all(begun.map((id) => kept(memory, id)));
  assert.deepEqual([a!.outcome, a!.result, a!.taskType], ["FAILURE", "Error: overloaded", "refund"]);
  assert.deepEqual([b!.outcome, b!.actions.length], ["FAILURE", 2]);
  assert.match(b!.result!, /Max turns/);
  assert.deepEqual([c!.outcome, c!.result], ["FAILURE", "Error: gone"]);
});

test("a run that waits for approval goes on as the same episode", async (t) => {
  const memory = await memoryOf(t);
  const remembering = withMemory(runner(), memory);
  const agent = agentOf(new Scripted([[call("refund", { receipt: "no. 7" }, "call-1")], [text("Refunded.")]]), true);
  const first = await remembering.run(agent, task);
  const episode = remembering.episodeOf(first)!;
  assert.equal((await kept(memory, episode.id)).outcome, "UNKNOWN");
  first.state.approve(first.interruptions[0]!);
  const second = await remembering.run(agent, first.state);
  assert.equal(remembering.episodeOf(second), episode);
  const there = await kept(memory, episode.id);
  assert.deepEqual([there.outcome, there.result, there.actions.length], ["SUCCESS", "Refunded.", 1]);
});

test("what a conversation held before is no part of the run; filters of one's own are kept", async (t) => {
  const memory = await memoryOf(t);
  const remembering = withMemory(runner(), memory, { record: true });
  const model = new Scripted([[call("ask_receipt", {}, "call-1")], [text("Done.")], [text("Bye.")]]);
  const first = await remembering.run(agentOf(model), task);
  const callModelInputFilter = ({ modelData }: { modelData: { input: never[]; instructions?: string } }) => ({ ...modelData, instructions: "Be brief." });
  const second = await remembering.run(agentOf(model), [...first.history, { role: "user", content: "Thanks!" }], {
    callModelInputFilter: callModelInputFilter as never,
  });
  const there = await kept(memory, remembering.episodeOf(second)!.id);
  assert.deepEqual([there.observation, there.actions, there.thoughts, there.result], ["Thanks!", [], [], "Bye."]);
  assert.match(instructions(model)[2]!, /^Be brief\./);

  const only = withMemory(runner(), memory, { record: false });
  const hinted = new Scripted([[text("Hi.")]]);
  const result = await only.run(agentOf(hinted), task);
  assert.match(instructions(hinted)[0]!, /<mneme-lessons>.*ask_receipt/s);
  await assert.rejects(kept(memory, only.episodeOf(result)!.id), /no episode/);
});
