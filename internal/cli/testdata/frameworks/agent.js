// An agent of Vercel's AI SDK, whose model is scripted.
import { OpenTelemetry } from "@ai-sdk/otel";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { generateText, isStepCount, registerTelemetry, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { z } from "zod";

const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
provider.register();
registerTelemetry(new OpenTelemetry());

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) =>
    JSON.stringify(prompt).includes("in Lyon")
      ? { content: [{ type: "text", text: "It is in Lyon." }], finishReason: { unified: "stop" }, usage, warnings: [] }
      : {
          content: [{ type: "tool-call", toolCallId: "call_1", toolName: "track_parcel", input: '{"parcel":17}' }],
          finishReason: { unified: "tool-calls" }, usage, warnings: [],
        },
});
await generateText({
  model,
  prompt: "Where is parcel 17?",
  tools: { track_parcel: tool({ description: "Say where a parcel is.", inputSchema: z.object({ parcel: z.number() }), execute: async () => "in Lyon" }) },
  stopWhen: isStepCount(3),
  telemetry: { functionId: "clerk" },
});
await provider.shutdown();
