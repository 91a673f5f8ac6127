"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Recorder = void 0;
const errors_js_1 = require("./errors.js");
const graphql_js_1 = require("./graphql.js");
const lessons_js_1 = require("./lessons.js");
const server_js_1 = require("./server.js");
/** Milliseconds that a record waits for others to go with it. */
const gather = 200;
/** The most milliseconds between two tries. */
const longestPause = 5_000;
/** Milliseconds that the end of the program may wait for records to be sent. */
const exitLimit = 5_000;
/** The most events and bytes of one request. */
const partEvents = 500;
const partBytes = 1 << 20;
/** The most bytes that wait for a server; what comes beyond is lost, with a warning. */
const heldBytes = 64 << 20;
/**
 * A queue of requests that are sent in the background, in order, again and again until the server has them. Ids are
 * made here, so that a request that is sent again is the same.
 */
class Recorder {
    client;
    listener;
    jobs = [];
    held = 0;
    pause = 0;
    timer;
    working;
    constructor(client, listener) {
        this.client = client;
        this.listener = listener;
    }
    /** Adds to the log of a run. The event's place in the log is given here. */
    event(run, type, data, at) {
        if (run.error)
            return;
        const size = (0, lessons_js_1.bytes)(JSON.stringify(data));
        let part = run.part;
        if (!part || part.events.length >= partEvents || part.bytes + size > partBytes)
            part = this.open(run);
        part.events.push({ type, data, at: at.toISOString(), sequence: run.events++ });
        part.bytes += size;
        this.held += size;
        if (this.held > heldBytes)
            this.giveUp(run, new errors_js_1.MnemeError("too much waits to be recorded", "LIMIT_EXCEEDED"));
    }
    /** Says how a run ended. */
    conclude(run, input) {
        if (!run.error)
            this.add({ run, send: (client) => client.request(graphql_js_1.ConcludeEpisodeDocument, { input }) });
    }
    /** Says how a person took a run. */
    feedback(input) {
        this.add({ send: (client) => client.request(graphql_js_1.SubmitFeedbackDocument, { input }) });
    }
    /**
     * Waits until what was added is recorded, at most so many milliseconds, and says whether it is. Without patience it
     * does not wait for a server that is away.
     */
    async flush(timeout, patient = true) {
        const last = this.jobs.at(-1);
        const waits = () => last !== undefined && this.jobs.includes(last);
        for (const until = Date.now() + timeout; waits() && Date.now() < until;) {
            const limit = deadline(until - Date.now());
            await Promise.race([this.work(), limit.passed]);
            limit.clear();
            if (!waits() || !patient)
                break;
            await (0, server_js_1.pause)(Math.min(this.pause || 1, Math.max(0, until - Date.now())));
        }
        return !waits();
    }
    /** Records what waits, and warns of what the server could not be told. */
    async leave() {
        if (await this.flush(exitLimit))
            return;
        this.listener.failed(new errors_js_1.MnemeError(`${this.jobs.length} requests with records did not reach mneme`, "LOST"));
        this.jobs.length = this.held = 0;
        clearTimeout(this.timer);
        waiting.delete(this);
    }
    open(run) {
        const part = { events: [], bytes: 0 };
        const send = (client) => client.request(graphql_js_1.CaptureRunDocument, { input: { ...run.said, append: true, events: part.events } });
        this.add({ run, part, send });
        return (run.part = part);
    }
    add(job) {
        this.jobs.push(job);
        waitAtExit(this);
        if (!this.working && !this.timer)
            this.later(gather);
    }
    later(milliseconds) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.work(), milliseconds);
        this.timer.unref?.(); // the end of the program sends what waits
    }
    work() {
        clearTimeout(this.timer);
        this.timer = undefined;
        this.working ??= this.send().finally(() => (this.working = undefined));
        return this.working;
    }
    async send() {
        for (let job = this.jobs[0]; job; job = this.jobs[0]) {
            if (job.run && job.part === job.run.part)
                job.run.part = undefined; // what is on its way takes no more
            try {
                await job.send(this.client);
                this.drop(job);
                this.pause = 0;
                this.listener.worked();
            }
            catch (error) {
                this.listener.failed(error);
                if (error instanceof errors_js_1.MnemeError && !error.retryable) {
                    if (job.run)
                        this.giveUp(job.run, error);
                    else
                        this.drop(job);
                    continue;
                }
                this.pause = Math.min(longestPause, Math.max(100, 2 * this.pause));
                this.later(this.pause);
                return;
            }
        }
        waiting.delete(this);
    }
    drop(job) {
        const at = this.jobs.indexOf(job);
        if (at < 0)
            return;
        this.jobs.splice(at, 1);
        this.held -= job.part?.bytes ?? 0;
    }
    /** Leaves out the rest of a run: a log that lacks events cannot be concluded. */
    giveUp(run, error) {
        run.error = error;
        for (const job of this.jobs.filter((job) => job.run === run))
            this.drop(job);
        this.listener.failed(error);
    }
}
exports.Recorder = Recorder;
function deadline(milliseconds) {
    let timer;
    const passed = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
    return { passed, clear: () => clearTimeout(timer) };
}
/** The recorders that have something to send when the program ends. */
const waiting = new Set();
let listening = false;
function waitAtExit(recorder) {
    waiting.add(recorder);
    if (listening || !globalThis.process?.on)
        return;
    listening = true;
    process.on("beforeExit", () => {
        for (const recorder of waiting)
            void recorder.leave();
    });
}
