import { Calls } from "./calls.js";
/** Runs by their results, and by the states with which they go on, maybe by another runner. */
const runs = new WeakMap();
/** Gives a runner a memory. The lessons stand behind the instructions in each call of a model, and in no history. */
export function withMemory(runner, memory, options = {}) {
    const start = runner.run.bind(runner);
    const run = async (agent, input, given = {}) => {
        const task = typeof input === "string" ? input : Array.isArray(input) ? lastOf(input) : "";
        const known = typeof input === "object" && input ? runs.get(input) : undefined;
        if (!known && !task)
            return start(agent, input, given);
        const run = known ?? new AgentRun(await memory.begin(task, { ...options, agent: options.agent ?? agent.name }));
        const filter = run.informed(given.callModelInputFilter ?? runner.config.callModelInputFilter);
        const end = async (result) => {
            if (await run.ended(result))
                return;
            runs.set(result.state, run); // until people have approved what it is about to do
        };
        try {
            const result = await start(agent, input, { ...given, callModelInputFilter: filter });
            runs.set(result, run);
            if (result.completed)
                result.completed.then(() => end(result), (error) => run.broke(error)).catch(() => undefined);
            else
                await end(result);
            return result;
        }
        catch (error) {
            await run.broke(error);
            throw error;
        }
    };
    return { run: run, episodeOf: (result) => runs.get(result)?.episode };
}
/** A run of agents, in one call of `run` or in several. */
class AgentRun {
    episode;
    calls;
    heard = new Set();
    begun = false;
    constructor(episode) {
        this.episode = episode;
        this.calls = new Calls(episode);
    }
    /** A filter that records what models are told, and adds the lessons to their instructions. */
    informed(inner) {
        return async (args) => {
            this.read(args.modelData.input, this.begun);
            this.begun = true;
            const data = inner ? await inner(args) : args.modelData;
            const { lessons } = this.episode;
            return lessons ? { ...data, instructions: [data.instructions, lessons].filter(Boolean).join("\n\n") } : data;
        };
    }
    /** Takes the end, and says whether it is one. */
    async ended(result) {
        const open = Boolean(result.interruptions?.length);
        const output = open ? undefined : result.finalOutput;
        if (typeof output === "string")
            this.heard.add(output); // it is the result and no thought
        this.read(result.newItems.map((item) => item.rawItem));
        if (open)
            return false;
        if (output === undefined)
            await this.episode.end(new DOMException("the run was cancelled", "AbortError"));
        else {
            this.episode.succeeded(output);
            await this.episode.end();
        }
        return true;
    }
    async broke(error) {
        const items = error?.state?._generatedItems ?? [];
        this.read(items.map((item) => item.rawItem));
        await this.episode.end(error ?? new Error("the run failed")).catch(() => undefined); // the run's error is the one to tell
    }
    /** Records what is new among items. What a conversation held before the run is none of it. */
    read(items, isNew = true) {
        for (const item of items) {
            if (item.type === "function_call") {
                if (isNew)
                    this.calls.ask(item.callId, item.name, item.arguments);
                else
                    this.calls.past(item.callId);
            }
            else if (item.type === "function_call_result")
                this.calls.answer(item.callId, { result: textOf(item.output) });
            else if (item.type === "hosted_tool_call" && isNew) {
                const id = item.id ?? item.name;
                this.calls.ask(id, item.name, item.arguments);
                this.calls.answer(id, { result: item.output });
            }
            else if (item.role === "assistant" || item.type === "reasoning") {
                const text = textOf(item.content);
                if (typeof text !== "string" || this.heard.has(text))
                    continue;
                this.heard.add(text);
                if (isNew)
                    this.episode.thought(text);
            }
        }
    }
}
/** The text of a content or an output where it is one; else what it is. */
function textOf(value) {
    if (Array.isArray(value)) {
        const texts = value.map(textOf);
        return texts.every((text) => typeof text === "string") ? texts.join("\n") : value;
    }
    const part = value;
    return typeof part === "object" && typeof part?.text === "string" ? part.text : value;
}
/** What the user said last. */
function lastOf(input) {
    const last = input.findLast((item) => "role" in item && item.role === "user");
    const text = textOf(last?.content);
    return typeof text === "string" ? text.trim() : "";
}
