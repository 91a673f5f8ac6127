// An agent with a memory. It recalls what came of situations like the one it meets, tells what it does, what a
// person did with it and thought of it, and how it ended; and then recalls what it learned.
import { randomUUID } from "node:crypto";
import { connect, type Ask } from "./client.js";
import {
  ConcludeEpisodeDocument,
  RecallDocument,
  RecordCanvasActionsDocument,
  RecordEpisodeDocument,
  SubmitFeedbackDocument,
  type CanvasActionInput,
} from "./mneme.js";

const agentId = "typescript-example";
const situation = "A customer wants a refund for a kettle that leaks, bought 12 days ago.";

/** One task of the agent, from the memory to the memory. */
async function work(ask: Ask): Promise<void> {
  await recall(ask, "Before the task");
  // An id of one's own makes it safe to send something again after a broken connection.
  const run = `${agentId}-${randomUUID()}`;
  await record(ask, run);
  await show(ask, run);
  await react(ask, run);
  await conclude(ask, run);
  await recall(ask, "After the task");
}

/** Asks what came of situations like this one, and why each answer is there. */
async function recall(ask: Ask, when: string): Promise<void> {
  const { recall } = await ask(RecallDocument, { agentId, situation });
  console.log(`${when}, hits: ${recall.hits.length}`);
  for (const { rank, episode, reasons } of recall.hits) {
    const day = new Date(episode.startedAt).toISOString().slice(0, 10);
    console.log(`${rank}. ${episode.id} of ${day}: ${episode.outcome}`);
    for (const reason of reasons) console.log(`   - ${reason}`);
  }
  if (recall.lessons) console.log(`For the prompt:\n${recall.lessons}\n`);
}

/** Tells what the agent thinks and does, while nobody knows how it ends. */
async function record(ask: Ask, run: string): Promise<void> {
  const { recordEpisode } = await ask(RecordEpisodeDocument, {
    id: run,
    agentId,
    taskType: "refund_request",
    observation: situation,
    thoughts: ["The policy decides, so I read it first."],
    actions: [
      { stepName: "read_policy", result: { days: 30 } },
      { stepName: "propose_refund", result: { amount: 39.9, currency: "EUR" } },
    ],
  });
  console.log("Recorded", recordEpisode.episode.id);
}

/** Tells that the person saw a form and submitted it. */
async function show(ask: Ask, run: string): Promise<void> {
  const form = { canvasId: `${run}-form`, episodeId: run, canvasType: "forms" };
  const actions: CanvasActionInput[] = [
    { ...form, action: "PRESENT", metadata: { title: "Refund" } },
    { ...form, action: "SUBMIT" },
  ];
  const { result } = (await ask(RecordCanvasActionsDocument, { actions })).recordCanvasActions;
  // A batch goes on past an item that fails, and says so in its answer.
  const fault = result.errors[0];
  if (fault) throw new Error(`canvas action ${fault.index}: ${fault.message} (${fault.code})`);
  console.log("Canvas actions:", result.succeeded);
}

/** Tells what the person thought of it. */
async function react(ask: Ask, run: string): Promise<void> {
  const variables = { id: `${run}-liked`, episodeId: run, reaction: "THUMBS_UP" } as const;
  const { submitFeedback } = await ask(SubmitFeedbackDocument, variables);
  const score = submitFeedback.aggregateFeedbackScore;
  if (score !== null) console.log(`Feedback: ${score > 0 ? "+" : ""}${score.toFixed(1)}`);
}

/** Tells how it ended. */
async function conclude(ask: Ask, run: string): Promise<void> {
  const variables = { id: run, outcome: "SUCCESS", result: "Refunded in full." } as const;
  const { episode } = (await ask(ConcludeEpisodeDocument, variables)).concludeEpisode;
  console.log(`Ended in ${episode.outcome}. ${episode.insight}\n`);
}

const { MNEME_URL, MNEME_API_KEY } = process.env;
try {
  await work(connect(MNEME_URL || "http://127.0.0.1:8080", MNEME_API_KEY));
} catch (fault) {
  console.error(fault instanceof Error ? fault.message : fault);
  process.exitCode = 1;
}
