import { bytes, withoutLessons } from "./lessons.js";
/** The most bytes of one value. mneme keeps 1 MiB; a page that a tool read would only bury the rest. */
const longest = 64 * 1024;
const deepest = 60;
/** A JSON value without recalled blocks. It never fails: what is long or deep becomes a text that is cut off. */
export function plain(value) {
    try {
        const json = jsonOf(value);
        if (json === undefined)
            return undefined;
        const safe = cleaned(JSON.parse(json), 0);
        if (safe !== tooDeep && bytes(JSON.stringify(safe)) <= longest)
            return safe;
        return text(typeof safe === "string" ? safe : json);
    }
    catch {
        return `${typeof value} that cannot be read`; // whatever its getters do must not end the agent's work
    }
}
/** A value in words: a text as it is, an error as its name and text, anything else as JSON; what is long is cut off. */
export function text(value) {
    const said = typeof value === "string" ? value : value instanceof Error ? fault(value) : (jsonOf(plain(value)) ?? "");
    const whole = withoutLessons(said).toWellFormed();
    const raw = new TextEncoder().encode(whole);
    if (raw.length <= longest)
        return whole;
    const kept = new TextDecoder().decode(raw.subarray(0, longest - 64)).replace(/\uFFFD+$/, "");
    return `${kept}… (${raw.length} bytes, cut off)`;
}
function fault(error) {
    return error.message ? `${error.name}: ${error.message}` : error.name;
}
/** JSON of whatever it is. Errors, big numbers and functions say what they are, and so does an object within itself. */
function jsonOf(value) {
    const within = [];
    return JSON.stringify(value, function (_, item) {
        if (item instanceof Error)
            return fault(item);
        if (typeof item === "bigint" || typeof item === "function" || typeof item === "symbol")
            return String(item);
        if (typeof item !== "object" || item === null)
            return item;
        within.splice(within.indexOf(this) + 1);
        if (within.includes(item))
            return "[itself]";
        within.push(item);
        return item;
    });
}
const tooDeep = Symbol("too deep");
function cleaned(value, depth) {
    if (typeof value === "string")
        return withoutLessons(value).toWellFormed();
    if (typeof value !== "object" || value === null)
        return value;
    if (depth >= deepest)
        return tooDeep;
    const items = Object.entries(value).map(([name, item]) => [withoutLessons(name).toWellFormed(), cleaned(item, depth + 1)]);
    if (items.some(([, item]) => item === tooDeep))
        return tooDeep;
    return Array.isArray(value) ? items.map(([, item]) => item) : Object.fromEntries(items);
}
