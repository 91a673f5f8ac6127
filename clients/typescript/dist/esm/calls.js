/** Records calls of tools as steps, each once, however often a transcript tells of it. */
export class Calls {
    episode;
    asked = new Map();
    answered = new Set();
    constructor(episode) {
        this.episode = episode;
    }
    /** Whether calls wait for their answers. */
    get open() {
        return this.asked.size > 0;
    }
    /** Whether the model of this run made a call. */
    knows(id) {
        return this.asked.has(id) || this.answered.has(id);
    }
    /** Notes what the model asked for. Arguments are JSON, or what it says. */
    ask(id, name, args) {
        if (!this.knows(id))
            this.asked.set(id, { name, arguments: typeof args === "string" ? said(args) : args });
    }
    /** Leaves out a call that was made before this run. */
    past(id) {
        this.answered.add(id);
    }
    /** Records a call whose answer came. What was asked in an earlier run is none of this one. */
    answer(id, came) {
        const call = this.asked.get(id);
        if (!call)
            return;
        this.asked.delete(id);
        this.answered.add(id);
        this.episode.step(call.name, { id, arguments: call.arguments, ...came });
    }
}
function said(json) {
    try {
        return JSON.parse(json);
    }
    catch {
        return json;
    }
}
