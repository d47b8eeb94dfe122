// @ts-check
import { core, without } from "./core.js";
import { byId, elementsOf, make, ordering, say } from "./elements.js";
import { sorted } from "./list.js";
import { baseOf, canRun, isDrawn, model, resultAsStored } from "./model.js";
import { countFlips, flipCount, now } from "./results.js";
import { actions, runOf, state, update, walkThrough } from "./store.js";
import { isSet } from "./text.js";
import { plot, setRange } from "./view.js";

/**
 * A target of the keys n and p: an error or a change.
 * @typedef {{ time: number, kind: string, text: string, label?: number, detection?: number, size?: number }} Visit
 */

/** @type {WeakMap<any, Visit[]>} By result; every redraw needs them. */
const known = new WeakMap();

/** The changes from the base of the comparison. */
export const changed = () => known.get(plot.result) ?? [];

/**
 * Reads the changes of a result before it is shown.
 * @param {any} result
 */
export async function readChanges(result) {
  const old = model.comparison && baseOf(runOf());
  if (!old || !result || !result.isScored) return;
  known.set(result, changesOf(await core.flips(runOf(), old, result).catch(without(null)), old, result));
}

/**
 * @param {import("./core.js").Flips | null} flip
 * @param {any} old
 * @param {any} result
 * @returns {Visit[]}
 */
function changesOf(flip, old, result) {
  if (!flip) return [];
  const reference = (kind) => (index) => (plot.labels[index] ? [{ time: plot.labels[index].onset / 1e9, kind,
    label: index, text: plot.labels[index].label }] : []);
  const alarm = (kind, side) => (place) => ({ time: side.onsets[place], kind, text: "" });
  return [...flip.found.flatMap(reference("now found")), ...flip.lost.flatMap(reference("now missed")),
    ...flip.more.map(alarm("new false alarm", result)), ...flip.fewer.map(alarm("false alarm gone", old))]
    .sort((a, b) => a.time - b.time);
}

/** @returns {Visit[]} */
export function errors() {
  const { result } = plot;
  if (!result || !result.isScored) return [];
  if (state.walksChanges) return changed();
  /** @type {Visit[]} */
  const found = [];
  result.references.forEach((outcome, index) => {
    if (outcome === 1 && plot.labels[index]) found.push({ time: plot.labels[index].onset / 1e9, kind: "missed",
      label: index, text: plot.labels[index].label });
  });
  result.onsets.forEach((onset, index) => {
    if (result.outcomes[index] === 1 || result.outcomes[index] === 2) found.push({ time: onset,
      kind: result.outcomes[index] === 2 ? "duplicate" : "false alarm", detection: index, size: result.peaks[index],
      text: isSet(result.peaks[index]) ? `${result.peaks[index].toFixed(1)}` : "" });
  });
  return found.sort((a, b) => a.time - b.time);
}

// In sequence: a key may arrive before the previous one has opened its trace.
let jumping = Promise.resolve();

/**
 * @param {() => Promise<void>} opening the trace that is being opened by then
 * @param {1 | -1} direction
 */
export function jump(opening, direction) {
  jumping = jumping.then(opening).then(() => jumpNow(direction)).catch((error) => say(error.message));
}

/**
 * @param {number} direction
 */
async function jumpNow(direction) {
  const all = errors();
  const next = state.error + direction;
  if (next >= 0 && next < all.length) { show(next); return; }
  const order = sorted();
  const { view } = state;
  for (let place = order.indexOf(state.run) + direction; place >= 0 && place < order.length; place += direction) {
    if (!isDrawn(model.runs[order[place]]) || !await hasErrors(order[place])) {
      if (view !== state.view) return;
      continue;
    }
    if (view !== state.view) return;
    await actions.openRun(order[place]);
    if (state.run === order[place] && plot.result) show(direction > 0 ? 0 : errors().length - 1);
    return;
  }
  say(state.walksChanges ? "No further change." : "No further error.");
}

/**
 * Whether n and p stop at a trace.
 * @param {number} index
 */
async function hasErrors(index) {
  const run = model.runs[index];
  /** @type {any} */
  const result = canRun(run) ? await now(index) : resultAsStored(run);
  if (!result || !result.isScored) return false;
  if (state.walksChanges) return Boolean(run.before) && flipCount(countFlips(await core.flips(run, baseOf(run), result))) > 0;
  return result.references.includes(1) || result.outcomes.some((outcome) => outcome === 1 || outcome === 2);
}

/**
 * @param {number} index
 */
function show(index) {
  const one = errors()[index];
  if (!one) return;
  update({ error: index });
  plot.chosen = one;
  const length = Math.min(8, plot.whole);
  setRange(one.time - length / 2, one.time + length / 2);
  describe(one);
  elementsOf("#errors [data-error]").forEach((row) =>
    row.setAttribute("aria-current", String(Number(row.dataset.error) === index)));
}

/**
 * @param {Visit} one
 */
function describe(one) {
  say(`${one.kind} at ${one.time.toFixed(3)} s${one.text ? `, ${one.text}` : ""}`
    + ` in ${model.traces[runOf().trace].id}`);
}

/**
 * @param {number} time
 * @param {HTMLCanvasElement} canvas
 */
export function select(time, canvas) {
  const near = ((plot.to - plot.from) * 8) / canvas.clientWidth;
  const all = errors();
  const place = all.findIndex((one) => Math.abs(one.time - time) < near);
  if (place >= 0) { show(place); return; }
  const { result } = plot;
  const hit = result ? result.onsets.findIndex((onset) => Math.abs(onset - time) < near) : -1;
  if (hit >= 0) {
    say(`hit at ${result.onsets[hit].toFixed(3)} s, reported ${(result.emitted[hit] - result.onsets[hit]).toFixed(2)} s later`
      + (isSet(result.peaks[hit]) ? `, ${result.peaks[hit].toFixed(1)}` : ""));
  }
}

/**
 * Goes to the nearest error on the map.
 * @param {number[]} at
 */
export function selectOnMap([left, top]) {
  if (!plot.onMap) return;
  const far = errors().map((one) => {
    const [x, y] = plot.onMap(one.time);
    return Math.hypot(x - left, y - top);
  });
  const place = far.indexOf(Math.min(...far));
  if (place >= 0 && far[place] < 14) show(place);
}

export function errorList() {
  const all = errors();
  const sizes = state.errorOrder === "size" && all.some((one) => isSet(one.size));
  const order = [...all.keys()];
  if (sizes) order.sort((a, b) => (all[b].size ?? -1) - (all[a].size ?? -1) || a - b);
  const rows = order.slice(0, 400).map((index) => make("tr", { "data-error": index },
    make("td", {}, make("button", { className: "link", onclick: () => show(index) }, `${all[index].time.toFixed(3)} s`)),
    make("td", {}, all[index].kind), make("td", {}, all[index].text)));
  const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Time"), make("th", { scope: "col" }, "Error"),
    all.some((one) => isSet(one.size)) ? ordering("Size", "size", state.errorOrder, "time", (by) => {
      update({ errorOrder: by }); errorList();
    }) : make("th", { scope: "col" }, "")));
  const box = byId("errors");
  box.replaceChildren(rows.length ? make("table", {}, head, make("tbody", {}, ...rows))
    : make("p", { className: "quiet" }, plot.result && plot.result.isScored
      ? `No ${state.walksChanges ? "change" : "error"} in this trace.`
      : "No list here: the errors are in the table above, or there is no reference."));
}

// What n and p go through: errors or changes.
export function walkSwitch() {
  if (!model.comparison) return null;
  const pick = make("select", { className: "of-events", "aria-label": "what to go through", onchange: () => {
    walkThrough(pick.value === "changes"); plot.chosen = null;
    nameWalk(); errorList(); actions.draw();
  } }, ...["changes", "errors"].map((name) => make("option", { value: name,
    selected: (name === "changes") === state.walksChanges }, name)));
  return pick;
}

export function nameWalk() {
  const word = state.walksChanges ? "change" : "error";
  byId("previous").textContent = `Previous ${word} (p)`;
  byId("next").textContent = `Next ${word} (n)`;
  byId("errors-title").textContent = `${word === "change" ? "Changes" : "Errors"} of this trace`;
}
