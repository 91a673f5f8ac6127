import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { OpenTelemetry } from "@ai-sdk/otel";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { APICallError, generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel, type ToolSet } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";
import type { LanguageModelV4Content, LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { Memory } from "mneme-client";
import { mnemeMiddleware, mnemeTools } from "mneme-client/ai-sdk";
import { kept, pause, serve, type Kept } from "./server.js";

const task = "A customer wants a refund for a kettle that leaks";
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const call = (toolName: string, input: object, toolCallId = "call-1"): LanguageModelV4Content => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});
const text = (text: string): LanguageModelV4Content => ({ type: "text", text });

function says(...content: LanguageModelV4Content[]): LanguageModelV4GenerateResult {
  const calls = content.some((part) => part.type === "tool-call");
  return { content, finishReason: { unified: calls ? "tool-calls" : "stop", raw: undefined }, usage, warnings: [] };
}

/** The same as a stream. */
function streams(answer: LanguageModelV4GenerateResult): { stream: ReadableStream<LanguageModelV4StreamPart> } {
  const parts = answer.content.flatMap((part, i): LanguageModelV4StreamPart[] => {
    const id = String(i);
    if (part.type === "text") {
      const [a, b] = [part.text.slice(0, 3), part.text.slice(3)];
      return [{ type: "text-start", id }, { type: "text-delta", id, delta: a }, { type: "text-delta", id, delta: b }, { type: "text-end", id }];
    }
    if (part.type === "reasoning") return [{ type: "reasoning-start", id }, { type: "reasoning-delta", id, delta: part.text }, { type: "reasoning-end", id }];
    return [part as LanguageModelV4StreamPart];
  });
  const { finishReason, usage } = answer;
  return { stream: convertArrayToReadableStream([{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }]) };
}

const any = jsonSchema<Record<string, unknown>>({ type: "object" });
const tools: ToolSet = {
  ask_receipt: tool({ inputSchema: any, execute: () => ({ receipt: "no. 7" }) }),
  refund: tool({
    inputSchema: any,
    execute: (input) => {
      if (!input["receipt"]) throw new Error("a refund needs a receipt");
      return "refunded";
    },
  }),
};

const prompts = (model: MockLanguageModelV4) => [...model.doGenerateCalls, ...model.doStreamCalls].map((call) => JSON.stringify(call.prompt));
const episodeOf = (answer: { providerMetadata: unknown }) => (answer.providerMetadata as { mneme: { episodeId: string } }).mneme.episodeId;

/** How a run goes, all at once or as a stream. */
const ways = {
  async generates(memory: Memory, answers: LanguageModelV4GenerateResult[], prompt = task) {
    const model = new MockLanguageModelV4({ doGenerate: answers });
    const remembering = wrapLanguageModel({ model, middleware: mnemeMiddleware(memory, { agent: "support" }) });
    const { text, providerMetadata } = await generateText({ model: remembering, tools, system: "Be kind.", prompt, stopWhen: stepCountIs(5) });
    return { text, id: episodeOf({ providerMetadata }), prompts: prompts(model) };
  },
  async streams(memory: Memory, answers: LanguageModelV4GenerateResult[], prompt = task) {
    const model = new MockLanguageModelV4({ doStream: answers.map(streams) });
    const remembering = wrapLanguageModel({ model, middleware: mnemeMiddleware(memory, { agent: "support" }) });
    const answer = streamText({ model: remembering, tools, system: "Be kind.", prompt, stopWhen: stepCountIs(5) });
    return { text: await answer.text, id: episodeOf({ providerMetadata: await answer.providerMetadata }), prompts: prompts(model) };
  },
};

for (const [way, run] of Object.entries(ways)) {
  test(`an agent that ${way} learns from a failure that a person corrects`, async (t) => {
    const { url } = await serve(t);
    const ann = new Memory(url, { strict: true }).forUser("ann");
    const failed = await run(ann, [says(text("I refund it."), call("refund", {})), says(text("I could not refund it."))]);
    assert.doesNotMatch(failed.prompts.join(), /mneme-lessons/);
    ann.feedback(failed.id, { correction: "Ask for the receipt first." });
    const there = await kept(ann, failed.id);
    assert.deepEqual([there.observation, there.thoughts, there.result], [task, ["I refund it."], "I could not refund it."]);
    assert.deepEqual(there.actions, [
      { stepId: "call-1", stepName: "refund", result: { arguments: {}, error: "Error: a refund needs a receipt" } },
    ]);

    const better = await run(ann, [
      says({ type: "reasoning", text: "The receipt comes first." }, call("ask_receipt", {}, "call-2")),
      says(call("refund", { receipt: "no. 7" }, "call-3")),
      says(text("Refunded in full.")),
    ]);
    for (const prompt of better.prompts) {
      assert.match(prompt, /"role":"system","content":"Be kind\."},{"role":"system","content":"<mneme-lessons>.*Ask for the receipt first\./);
      assert.equal(prompt.match(/<mneme-lessons>/g)?.length, 1);
    }
    const second = await kept(ann, better.id);
    assert.deepEqual([second.outcome, second.result, second.thoughts], ["SUCCESS", "Refunded in full.", ["The receipt comes first."]]);
    assert.deepEqual(second.actions.map(({ stepName, result }) => [stepName, result]), [
      ["ask_receipt", { arguments: {}, result: { receipt: "no. 7" } }],
      ["refund", { arguments: { receipt: "no. 7" }, result: "refunded" }],
    ]);
    assert.deepEqual(second.informedBy.nodes, [{ id: `episode:${failed.id}` }]);
    assert.doesNotMatch(JSON.stringify(second), /mneme-lessons/);

    const bob = await run(ann.forUser("bob"), [says(text("Hello."))]);
    assert.doesNotMatch(bob.prompts.join(), /mneme-lessons|receipt/);
    assert.ok(await ann.flush());
  });
}

async function memoryOf(t: TestContext): Promise<Memory> {
  return new Memory((await serve(t)).url, { strict: true });
}

test("a model that fails is a failure, and one that the SDK asks again is not", async (t) => {
  const memory = await memoryOf(t);
  const seen: string[] = [];
  const errors = [true, false].map((isRetryable) => new APICallError({ message: "overloaded", url: "", requestBodyValues: {}, isRetryable }));
  let asked = 0;
  const model = new MockLanguageModelV4({
    doGenerate: ({ prompt }) => {
      const error = errors[asked++ % 3];
      seen.push(JSON.stringify(prompt));
      return error ? Promise.reject(error) : Promise.resolve(says(text("Done.")));
    },
  });
  const episodes = watched(memory);
  const remembering = wrapLanguageModel({ model, middleware: mnemeMiddleware(memory, { agent: "support" }) });
  await assert.rejects(generateText({ model: remembering, prompt: task, maxRetries: 1 }), /overloaded/);
  await generateText({ model: remembering, prompt: task });
  assert.equal(asked, 3);
  assert.equal(episodes.length, 2, "the second try belongs to the first");
  assert.deepEqual((await kept(memory, episodes[0]!)).outcome, "FAILURE");
  assert.match((await kept(memory, episodes[0]!)).result!, /overloaded/);
  assert.match(seen[2]!, /What went wrong in similar situations/);
});

test("a stream that breaks off is a failure, and one that is left says nothing", async (t) => {
  const memory = await memoryOf(t);
  const episodes = watched(memory);
  const middleware = mnemeMiddleware(memory, { agent: "support" });
  const start: LanguageModelV4StreamPart[] = [{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: "Well" }];
  for (const [i, more] of [[], [{ type: "error", error: new Error("gone") }] as LanguageModelV4StreamPart[]].entries()) {
    const model = new MockLanguageModelV4({ doStream: { stream: convertArrayToReadableStream([...start, ...more]) } });
    await streamText({ model: wrapLanguageModel({ model, middleware }), prompt: task, onError: () => undefined }).consumeStream();
    const there = await kept(memory, episodes[i]!);
    assert.deepEqual([there.outcome, there.result], ["FAILURE", more[0] ? "Error: gone" : "Error: the model's answer broke off"]);
  }
  const endless = new ReadableStream<LanguageModelV4StreamPart>({ pull: (out) => out.enqueue(start.shift() ?? { type: "text-delta", id: "1", delta: "…" }) });
  const model = wrapLanguageModel({ model: new MockLanguageModelV4({ doStream: { stream: endless } }), middleware });
  const { stream } = await model.doStream({ prompt: [{ role: "user", content: [{ type: "text", text: task }] }] });
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel();
  assert.equal((await kept(memory, episodes[2]!)).outcome, "UNKNOWN");
});

test("a conversation is an episode for each thing that the user says", async (t) => {
  const memory = await memoryOf(t);
  const episodes = watched(memory);
  const model = new MockLanguageModelV4({ doGenerate: [says(call("ask_receipt", {})), says(text("Done.")), says(text("Bye."))] });
  const remembering = wrapLanguageModel({ model, middleware: mnemeMiddleware(memory, { agent: "support" }) });
  const first = await generateText({ model: remembering, tools, prompt: task }); // stops after its first call of a tool
  const said = [{ role: "user" as const, content: task }, ...first.response.messages, { role: "user" as const, content: "And now?" }];
  const second = await generateText({ model: remembering, tools, messages: said });
  const messages = [...said, ...second.response.messages, { role: "user" as const, content: "Thanks!" }];
  await generateText({ model: remembering, tools, messages });
  const [a, b, c] = await Promise.all(episodes.map((id) => kept(memory, id)));
  assert.deepEqual([a!.observation, a!.outcome, a!.actions.length], [task, "SUCCESS", 1]);
  assert.deepEqual([b!.observation, b!.result, b!.actions.length], ["And now?", "Done.", 0]);
  assert.deepEqual([c!.observation, c!.result, c!.actions.length], ["Thanks!", "Bye.", 0]);
});

test("runs beside each other are told apart, also where models number their calls alike", async (t) => {
  const memory = await memoryOf(t);
  const middleware = mnemeMiddleware(memory, { agent: "support" });
  const ids = await Promise.all(
    ["a kettle", "a lamp", "a chair"].map(async (prompt) => {
      const model = wrapLanguageModel({ model: new MockLanguageModelV4({ doGenerate: [says(call("echo", { prompt })), says(text(prompt))] }), middleware });
      const echo = tool({ inputSchema: any, execute: (input) => input });
      return episodeOf(await generateText({ model, tools: { echo }, prompt, stopWhen: stepCountIs(3) }));
    }),
  );
  for (const id of ids) {
    const { observation, actions, result } = await kept(memory, id);
    assert.deepEqual(actions.map((action) => action.result), [{ arguments: { prompt: observation }, result: { prompt: observation } }]);
    assert.equal(result, observation);
  }
});

test("within an episode the calls are part of it; with record: false it only recalls", async (t) => {
  const memory = await memoryOf(t);
  const model = new MockLanguageModelV4({ doGenerate: [says(text("Let me see."), call("ask_receipt", {})), says(text("Done."))] });
  let id = "";
  await memory.episode(task, { agent: "support" }, async (e) => {
    id = e.id;
    const remembering = wrapLanguageModel({ model, middleware: mnemeMiddleware(e) });
    await generateText({ model: remembering, tools, prompt: "Go on.", stopWhen: stepCountIs(5) });
    e.succeeded("All done");
  });
  const there = await kept(memory, id);
  assert.deepEqual([there.observation, there.thoughts, there.result, there.actions.length], [task, ["Let me see.", "Done."], "All done", 1]);

  const only = new MockLanguageModelV4({ doGenerate: says(text("Hi.")) });
  const middleware = mnemeMiddleware(memory, { agent: "support", record: false });
  const answer = await generateText({ model: wrapLanguageModel({ model: only, middleware }), prompt: task });
  assert.match(prompts(only)[0]!, /All done/);
  await assert.rejects(kept(memory, episodeOf(answer)), /no episode/);
});

test("where traces record, they credit what was recalled", async (t) => {
  process.env["MNEME_TRACE_QUIET"] = "100ms"; // for the server
  const { url } = await serve(t);
  const memory = new Memory(url, { strict: true });
  let id = "";
  await memory.episode(task, { agent: "support" }, (e) => void (id = e.id));
  const traces = new OTLPTraceExporter({ url: url + "/v1/traces" });
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(traces)] });
  provider.register();
  const model = wrapLanguageModel({
    model: new MockLanguageModelV4({ doGenerate: says(text("Done.")) }),
    middleware: mnemeMiddleware(memory, { agent: "support", record: false }),
  });
  const telemetry = { integrations: new OpenTelemetry(), functionId: "support" };
  const trace = await provider.getTracer("test").startActiveSpan("request", async (span) => {
    await generateText({ model, prompt: task, telemetry });
    span.end();
    return span.spanContext().traceId;
  });
  await provider.shutdown();
  let there: Kept | undefined;
  for (let tries = 0; !there && tries < 300; tries++) {
    await pause(100);
    there = await kept(memory, trace).catch(() => undefined);
  }
  assert.deepEqual(there?.informedBy.nodes, [{ id: `episode:${id}` }]);
});

test("tools let a model ask its memory itself", async (t) => {
  const memory = await memoryOf(t);
  await memory.episode(task, { agent: "support" }, (e) => (e.step("ask_receipt"), e.step("refund")));
  const model = new MockLanguageModelV4({
    doGenerate: [
      says(call("recall", { situation: task }), call("nextSteps", { situation: task, stepsSoFar: ["ask_receipt"] }, "call-2")),
      says(text("Done.")),
    ],
  });
  await generateText({ model, tools: mnemeTools(memory), prompt: task, stopWhen: stepCountIs(3) });
  const [sent, answered] = model.doGenerateCalls;
  assert.deepEqual(sent!.tools!.map((tool) => tool.type === "function" && tool.inputSchema.required), [["situation"], ["situation"]]);
  assert.match(JSON.stringify(answered!.prompt), /mneme-lessons.*"name":"refund"/s);
});

/** The episodes that a memory begins. */
function watched(memory: Memory): string[] {
  const ids: string[] = [];
  const begin = memory.begin.bind(memory);
  memory.begin = async (...of) => {
    const episode = await begin(...of);
    ids.push(episode.id);
    return episode;
  };
  return ids;
}
