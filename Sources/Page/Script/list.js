// @ts-check
import { byId, make, number, ordering } from "./elements.js";
import { model } from "./model.js";
import { filedFlips, flipCount, flipWords } from "./results.js";
import { actions, entryOf, state, update } from "./store.js";
import { isSet } from "./text.js";

/**
 * @param {import("./model.js").Run} run
 */
function errorsOf(run) {
  if (!model.comparison) return (run.misses || 0) + (run.false_alarms || 0);
  const flip = filedFlips(run);
  return flip ? flipCount(flip) : -1;
}

// The traces in the order of the list: most errors first, or most of one kind.
export const sorted = () => [...entryOf().runs].sort((a, b) =>
  weight(model.runs[b]) - weight(model.runs[a]) || errorsOf(model.runs[b]) - errorsOf(model.runs[a]) || a - b);

/**
 * @param {import("./model.js").Run} run
 */
const weight = (run) => (state.order === "errors" ? errorsOf(run) : countsOf(run)[state.order === "first" ? 0 : 1] ?? -1);

/**
 * @param {import("./model.js").Run} run
 */
const countsOf = (run) => {
  if (!model.comparison) return [run.misses, run.false_alarms];
  const flip = filedFlips(run);
  return flip ? [flip.found + flip.fewer, flip.lost + flip.more] : [null, null];
};

export function list() {
  const isCounted = entryOf().runs.some((index) => isSet(model.runs[index].misses) || isSet(model.runs[index].false_alarms));
  const rows = sorted().map((index) => {
    const run = model.runs[index];
    const trace = model.traces[run.trace];
    const open = make("button", { className: "link", onclick: () => actions.openRun(index) }, trace.id);
    return make("tr", { "aria-current": String(index === state.run), "data-run": index },
      make("td", {}, open, make("br"),
        make("small", {}, [trace.activity, trace.subject].filter(Boolean).join(" · "))),
      ...(isCounted ? countCells(run) : []));
  });
  return make("div", { className: "list", id: "list" }, make("table", {},
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Trace"), ...(isCounted
      ? (model.comparison ? ["Better", "Worse"] : ["Missed", "False"]).map((text, place) => ordering(
        text, place ? "second" : "first", state.order, "errors", (order) => {
          update({ order }); byId("list").replaceWith(list());
        }, "number")) : []))),
    make("tbody", {}, ...rows)));
}

/**
 * @param {import("./model.js").Run} run
 */
function countCells(run) {
  if (model.comparison) {
    const flip = filedFlips(run);
    if (!flip) return [number("–"), number("–")];
    return countsOf(run).map((count) => number(String(count), flipWords(flip)));
  }
  return [run.misses, run.false_alarms].map((count) => number(isSet(count) ? String(count) : "–"));
}
