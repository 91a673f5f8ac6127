import { noLessons, toldOf } from "./lessons.js";
import { plain, text } from "./values.js";
/** One task of an agent, made by `Memory.episode`: what it recalls before, records meanwhile, and concludes at the end. */
export class Episode {
    memory;
    task;
    options;
    /** The key that it is recorded under. */
    id;
    /** What was recalled when it began. */
    recalled;
    run;
    steps = [];
    lastStep;
    ending;
    over = false;
    began = Date.now() - performance.now();
    /** @internal */
    constructor(memory, 
    /** The situation in words, as the agent meets it. */
    task, options, recalled = noLessons) {
        this.memory = memory;
        this.task = task;
        this.options = options;
        this.id = options.id ?? crypto.randomUUID();
        this.recalled = recalled;
        const { agent, taskType, session, metadata } = options;
        const said = given({ workflowName: taskType, sessionId: session, metadata: plain(metadata), userId: memory.user });
        const informedBy = toldOf(recalled);
        this.run = { events: 0, said: { runId: this.id, agentId: agent, ...said, ...(informedBy[0] && { informedBy }) } };
        this.event("workflow_started", { args: text(task) });
    }
    /** A block for the prompt with what past runs taught; empty where there is nothing. */
    get lessons() {
        return this.recalled.text;
    }
    /** Records what the agent thinks. */
    thought(thought) {
        const said = text(thought).trim();
        if (said)
            this.event("agent_thought", { thought: said });
    }
    /** Records what the agent did and what came of it. */
    step(name, step = {}) {
        const { arguments: asked, error, id } = step;
        let result = plain(step.result);
        if (asked !== undefined || error !== undefined)
            result = given({ arguments: plain(asked), result, error: plain(error) });
        this.steps.push(name);
        this.lastStep = result === undefined ? name : `${name}: ${text(result)}`;
        this.event("step_completed", given({ step_name: name, step_id: id, result }));
    }
    /** Says that the task is done, and how. The last word before the end counts. */
    succeeded(result, options = {}) {
        this.concluded("SUCCESS", result, options);
    }
    /** Says that the task is done in part: a SUCCESS of half the quality. */
    partial(result, options = {}) {
        this.concluded("SUCCESS", result, { quality: 0.5, ...options });
    }
    /** Says that the task is not done, and what went wrong: a text or an exception. */
    failed(result, options = {}) {
        this.concluded("FAILURE", result, options);
    }
    /**
     * Concludes the record, once; `Memory.episode` does it. An exception is a FAILURE. One that only interrupts
     * (`AbortError`) leaves the run open: nobody knows how it would have ended.
     */
    async end(error) {
        if (this.over)
            return;
        if (error instanceof Error && error.name === "AbortError")
            this.event("interrupted", { by: text(error) });
        else if (error !== undefined)
            this.failed(error);
        else if (!this.ending)
            this.succeeded();
        this.over = true;
        if (this.options.record === false)
            return;
        if (this.ending) {
            this.memory.recorder.conclude(this.run, { id: this.id, endedAt: this.now().toISOString(), ...this.ending });
        }
        await this.memory.settle(this.run);
    }
    /** Records how a person took the work. See `Memory.feedback`. */
    feedback(feedback) {
        this.memory.feedback(this.id, feedback);
    }
    /** What past runs did next at a moment like this, the most telling first. */
    nextSteps(topK = 5) {
        const moment = { situation: text(this.task), topK };
        if (this.lastStep)
            Object.assign(moment, { lastStep: this.lastStep, stepsSoFar: this.steps.slice(-1000) });
        return this.memory.nextSteps(moment);
    }
    concluded(outcome, result, { insight, quality }) {
        const said = result === undefined ? undefined : text(result) || undefined;
        this.ending = { outcome, ...given({ result: said, insight: insight && text(insight), quality }) };
    }
    event(type, data) {
        if (this.options.record !== false && !this.over)
            this.memory.recorder.event(this.run, type, data, this.now());
    }
    /** Now, by a clock that does not go back: the log is read in the order of its times. */
    now() {
        return new Date(this.began + performance.now());
    }
}
/** What is there of some values. */
export function given(values) {
    const there = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
    return Object.fromEntries(there);
}
