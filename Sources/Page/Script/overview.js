// @ts-check
import { core } from "./core.js";
import { byId, make, number } from "./elements.js";
import { model } from "./model.js";
import { filedFlips, flipWords, hasFlips } from "./results.js";
import { actions, state } from "./store.js";
import { counted, fixed, isSet, lastPart, rate, share } from "./text.js";

export const title = () => (model.comparison ? comparedTitle() : model.title === "command line" && model.entries.length
  ? `${model.entries[0].name} on ${counted(model.traces.length, "trace")}` : model.title);

function comparedTitle() {
  const { base, head } = model.comparison;
  const areAlike = lastPart(base) === lastPart(head);
  return areAlike ? `${base} → ${head}` : `${lastPart(base)} → ${lastPart(head)}`;
}

// The module has a detector that no run uses.
export const uselessModule = () => (core.own && !model.entries.some((entry) => entry.detector === core.own.name)
  ? make("p", { className: "warning" }, `The module of this page was built with ${core.own.name}, which no run here uses.`)
  : "");

const faultLines = () => [...core.faults.values()].map((text) => make("p", {}, text));

/** Shows what the module failed in. */
export function faults() { byId("faults")?.replaceChildren(...faultLines()); }

/**
 * For visits, false visits.
 * @param {import("./model.js").Entry} entry
 */
const rateName = (entry) => (entry.task === "visit" ? "false_visits_per_hour" : "false_alarms_per_hour");

/**
 * @param {import("./model.js").Entry} entry
 * @param {string} name
 * @returns {import("./model.js").Figure}
 */
const figure = (entry, name) => entry.figures.find((one) => one.name === name) || { name };

/**
 * @param {import("./model.js").Figure} one
 * @param {(value: number | undefined) => string} text
 * @param {string} [more]
 */
function interval(one, text, more = "") {
  return make("td", { className: `number${more}` }, text(one.value),
    isSet(one.lower) ? make("small", {}, ` (${text(one.lower)}–${text(one.upper)})`) : null,
    ...(one.was || []).map((line) => make("small", {}, make("br"), line)));
}

/**
 * The figure with its base and the difference, with an interval if there is one.
 * @param {import("./model.js").Entry} entry
 * @param {string} name
 * @param {(value: number) => string} text
 */
function compared(entry, name, text) {
  const one = figure(entry, name);
  const other = entry.differences.find((difference) => difference.name === name);
  if (!model.comparison || !other || !isSet(other.base)) return one;
  const signed = (value) => (value < 0 ? "−" : "+") + text(Math.abs(value));
  const change = other.head - other.base;
  return { ...one, was: [`was ${text(other.base)}`, ...(change === 0 ? [] : [signed(change)
    + (isSet(other.lower) ? ` (${signed(other.lower)} to ${signed(other.upper)})` : "")])] };
}

/**
 * @param {import("./model.js").Entry} entry
 */
function comparisonVerdict(entry) {
  const sum = { found: 0, lost: 0, more: 0, fewer: 0 };
  let without = 0;
  for (const index of entry.runs) {
    const flip = filedFlips(model.runs[index]);
    if (!flip) without += model.runs[index].before ? 0 : 1;
    else for (const name of Object.keys(sum)) sum[name] += flip[name];
  }
  const scored = entry.runs.some((index) => model.runs[index].stored);
  return [scored ? `${flipWords(sum) || "Nothing has changed"}.` : "",
    without ? `${counted(without, "trace")} cannot be compared.` : ""].filter(Boolean).join(" ");
}

/**
 * @param {import("./model.js").Entry} entry
 */
export const verdict = (entry) => words(entry) + (entry.diagnosis ? ` Why: ${entry.diagnosis}${entry.diagnosis.endsWith("?") ? "" : "."}` : "");

/**
 * @param {import("./model.js").Entry} entry
 */
function words(entry) {
  const changes = model.comparison && hasFlips() ? comparisonVerdict(entry) : "";
  if (changes) return changes;
  const value = (name) => figure(entry, name).value;
  const rates = value(rateName(entry));
  if (isSet(value("query_accuracy"))) {
    // A detector that trusts nobody makes no mistakes.
    const half = isSet(value("detection_time_p50"))
      ? `half of the departures are found within ${fixed(value("detection_time_p50"), 1)} s`
      : "most departures are not found";
    return `${counted(value("mistakes") || 0, "mistake")}; ${half}; `
      + `present people are trusted for ${fixed(100 * value("query_accuracy"), 1)} % of the time.`;
  }
  if (isSet(value("distance_error_bias"))) {
    return `Distance ${fixed(value("distance_error_bias"), 1)} %, time ${fixed(value("moving_time_error_bias"), 1)} % off.`;
  }
  const [hits, misses] = [value("true_positives"), value("false_negatives")];
  const [worst, other] = byKind(entry, "activity");
  const most = other && worst.alarms > 0 && worst.name ? `, worst in ${worst.name} (${rate(worst.alarms / worst.hours)})` : "";
  if (!hits && !misses) {
    return isSet(rates) ? `${rate(rates)} false alarms per hour${most}; no references.` : "No reference.";
  }
  return `Finds ${hits} of ${hits + misses}${isSet(rates) ? `; ${rate(rates)} false alarms per hour${most}` : ""}.`;
}

/**
 * @param {import("./model.js").Entry} entry
 * @param {"activity" | "subject"} kind
 */
function byKind(entry, kind) {
  const groups = new Map();
  for (const index of entry.runs) {
    const run = model.runs[index];
    if (!isSet(run.hours)) continue;
    const name = model.traces[run.trace][kind];
    const sum = groups.get(name) || { name, alarms: 0, hours: 0, hits: 0, misses: 0 };
    sum.alarms += run.false_alarms; sum.hours += run.hours;
    sum.hits += run.hits; sum.misses += run.misses;
    groups.set(name, sum);
  }
  return [...groups.values()].sort((a, b) => b.alarms / (b.hours || 1) - a.alarms / (a.hours || 1));
}

export function overview() {
  // Trackers have none.
  const hasEvents = model.entries.some((entry) => isSet(figure(entry, "recall").value)
    || isSet(figure(entry, rateName(entry)).value));
  const rows = model.entries.map((entry, index) => {
    const name = make("button", { className: "link", onclick: () => actions.choose(index) }, entry.name);
    return make("tr", { "aria-current": String(state.app === null && index === state.entry) },
      make("th", { scope: "row" }, name, make("br"), make("small", {}, `${entry.origin}, `
        + `${counted(entry.runs.length, "trace")}`)),
      ...(hasEvents ? [interval(compared(entry, "recall", share), share),
        interval(figure(entry, "recall").value === undefined ? { name: "precision" } : compared(entry, "precision", share), share, " wide"),
        interval(compared(entry, rateName(entry), rate), rate)] : []),
      make("td", { className: hasEvents ? "wide" : "" }, verdict(entry)));
  });
  return make("section", {}, make("div", { id: "faults", className: "warning", role: "alert" }, ...faultLines()),
    !model.entries.length ? null :
    make("div", { className: "scroll overview" }, make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Detector"),
        ...(hasEvents ? ["Recall", "Precision", "False alarms/h"] : []).map((text) => make("th", { scope: "col",
          className: text === "Precision" ? "number wide" : "number" }, text)),
        make("th", { scope: "col", className: hasEvents ? "wide" : "" }, "In words"))),
      make("tbody", {}, ...rows))), appLinks(),
    !model.entries.length || !hasEvents ? null : make("p", { className: "quiet" }, `In brackets: 95 % intervals, ${model.is_for_new_people
      ? "for new people where there are enough" : "for these people"}.`
      + " Recorded and simulated traces are never pooled."));
}

function appLinks() {
  if (!model.apps.length) return null;
  return make("p", {}, "Apps: ", ...model.apps.flatMap((app, index) => [index ? " · " : "",
    make("button", { className: "link", "aria-current": String(state.app === index), onclick: () => actions.chooseApp(index) },
      app.name), app.headline ? make("small", {}, ` ${app.headline}`) : ""]));
}

/**
 * @param {import("./model.js").Entry} entry
 */
export function groups(entry) {
  const table = (title, kind) => {
    const rows = byKind(entry, kind);
    if (rows.length < 2) return null;
    const most = Math.max(...rows.map((row) => row.alarms / (row.hours || 1)), 1e-9);
    return make("div", {}, make("h2", {}, title), make("table", { className: "bars" },
      make("thead", {}, make("tr", {}, make("th", {}, kind === "subject" ? "Person" : "Activity"),
        make("th", { className: "number" }, "Found"), make("th", { className: "number" }, "False alarms/h"),
        make("th", {}))),
      make("tbody", {}, ...rows.map((row) => {
        const bar = make("div", { className: "bar" });
        bar.style.width = `${(100 * row.alarms) / (row.hours || 1) / most}%`;
        const found = row.hits + row.misses ? `${row.hits} of ${row.hits + row.misses}` : "–";
        return make("tr", {}, make("td", {}, row.name || "not stated"), number(found),
          number(rate(row.alarms / (row.hours || 1)), `${row.alarms} in ${fixed(row.hours, 3)} h`),
          make("td", {}, bar));
      }))));
  };
  const parts = [table("By activity", "activity"), table("By person", "subject")].filter(Boolean);
  return parts.length ? make("details", {}, make("summary", {}, "False alarms by activity and person"),
    ...parts) : null;
}
