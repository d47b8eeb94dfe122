// @ts-check
import { core } from "./core.js";
import { curve } from "./curve.js";
import { confusionTable, drawDelays } from "./delays.js";
import { byId, make, number, say } from "./elements.js";
import { errorList, readChanges } from "./errors.js";
import { mapLegend, readUses } from "./map.js";
import { canRun, hasFigures, model } from "./model.js";
import { before, countFlips, flipCount, flipWords, forgetCurrent, now, sumsByPerson } from "./results.js";
import { actions, entryOf, isChanged, nextGeneration, redraws, runOf, state } from "./store.js";
import { counted, fixed, isSet, rate, share } from "./text.js";
import { plot } from "./view.js";

export async function recompute() {
  const generation = nextGeneration();
  forgetCurrent();
  if (canRun(runOf())) {
    const index = state.run;
    const result = await now(index);
    if (generation !== state.generation) return;
    // Another trace may be open by now.
    if (index === state.run && plot.signal) {
      await readChanges(result);
      const uses = await readUses();
      if (generation !== state.generation) return;
      if (index === state.run) {
        Object.assign(plot, { result, ...uses });
        errorList(); mapLegend();
      }
    }
  }
  actions.draw();
  await total(generation);
}

/**
 * @param {number} generation
 */
async function total(generation) {
  const usable = entryOf().runs.filter((index) => hasFigures(model.runs[index]));
  const [results, old, tracks] = [new Map(), new Map(), new Map()];
  let without = 0;
  for (const index of usable) {
    try {
      const result = await now(index);
      if (generation !== state.generation) return;
      if (!result) { without += 1; continue; }
      if (result.isScored) results.set(index, result);
      if (result.track.length) tracks.set(index, result.track);
      const was = isChanged() || model.comparison ? await before(index) : null;
      if (was && !was.isCounted) old.set(index, was);
    } catch (error) {
      if (generation !== state.generation) return;
      say(`${model.traces[model.runs[index].trace].id}: ${error.message}`); return;
    }
    if (generation !== state.generation) return;
    if (results.size % 8 === 0) say(`${results.size} of ${usable.length} traces …`);
  }
  const note = without ? `${counted(without, "trace")} left out: only the threshold can be changed there.` : "";
  if (!results.size) {
    forget(); distances(tracks, old); say(note);
    // E.g. of presence.
    if (isChanged() && !tracks.size && !note) say("The page does not compute the figures of this detector: those above are from the run.");
    return;
  }
  say(note);
  const estimates = await core.estimates(sumsByPerson(results));
  const flips = await flipsOf(results, old);
  if (generation !== state.generation) return;
  counts(estimates, results);
  changes(results, old, flips);
  const found = new Map([...results].filter(([, result]) => !result.isCounted));
  drawDelays(found);
  confusionTable(found);
  redraws.budget = null;
  await curve(generation, usable);
}

/**
 * The measurements of a tracker next to the truth, and next to the run if parameters are changed.
 * @param {Map<number, any>} tracks
 * @param {Map<number, import("./core.js").Result>} old
 */
function distances(tracks, old) {
  if (!tracks.size) return;
  const percent = (measured, truth) => {
    const error = 100 * (measured / truth - 1);
    return isSet(error) ? `${error < 0 ? "−" : "+"}${Math.abs(error).toFixed(2)}` : "–";
  };
  const heads = ["Distance, m", "True", "Error, %", ...(old.size ? [model.comparison ? "Base, %" : "As run, %"] : []),
    "Moving time, s", "Error, %"];
  byId("counts").replaceChildren(make("div", { className: "scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Trace"),
      ...heads.map((head) => make("th", { scope: "col", className: "number" }, head)))),
    make("tbody", {}, ...[...tracks].map(([index, [distance, truth, time, trueTime]]) => make("tr", {},
      make("th", { scope: "row" }, model.traces[model.runs[index].trace].id),
      number(fixed(distance, 0)), number(fixed(truth, 0)), number(percent(distance, truth)),
      ...(old.size ? [number(old.has(index) ? percent(old.get(index).track[0], truth) : "–")] : []),
      number(fixed(time, 0)), number(percent(time, trueTime))))))));
}

function forget() {
  for (const id of ["counts", "flips", "confusion"]) byId(id).replaceChildren();
  for (const id of ["curve-box", "delay-box"]) byId(id).hidden = true;
}

/**
 * @param {import("./core.js").Estimate[]} estimates
 * @param {Map<number, import("./core.js").Result>} results
 */
function counts(estimates, results) {
  const sum = (name) => [...results.values()].reduce((total_, result) => total_ + result[name], 0);
  const part = (title, text, one) => make("div", {}, make("small", {}, title), make("br"), make("b", {}, text(one.value)),
    isSet(one.lower) ? make("small", {}, ` ${text(one.lower)}–${text(one.upper)}`) : null);
  byId("counts").replaceChildren(
    part(`Recall: ${sum("hits")} of ${sum("hits") + sum("misses")}`, share, estimates[0]),
    part("Precision", share, estimates[1]),
    part(`False alarms/h: ${sum("alarms")}`, rate, estimates[2]));
}

/**
 * @param {Map<number, import("./core.js").Result>} results
 * @param {Map<number, import("./core.js").Result>} old
 */
async function flipsOf(results, old) {
  /** @type {[number, import("./results.js").FlipCounts][]} */
  const flips = [];
  for (const [index, was] of old) {
    const is = results.get(index);
    if (is && !is.isCounted) flips.push([index, countFlips(await core.flips(model.runs[index], was, is))]);
  }
  return flips;
}

/**
 * @param {Map<number, import("./core.js").Result>} results
 * @param {Map<number, import("./core.js").Result>} old
 * @param {[number, import("./results.js").FlipCounts][]} flips
 */
function changes(results, old, flips) {
  const box = byId("flips");
  /** @type {typeof flips} */
  const rows = [];
  const all = { found: 0, lost: 0, more: 0, fewer: 0 };
  for (const [index, flip] of flips) {
    for (const name of Object.keys(all)) all[name] += flip[name];
    if (flipCount(flip)) rows.push([index, flip]);
  }
  const against = model.comparison ? "Compared with the base" : "Changed";
  const some = results.size > old.size ? ` in ${old.size} of ${counted(results.size, "trace")} with all readings in the page` : "";
  box.replaceChildren(...(old.size ? [make("p", {}, `${against}${some}: ${flipWords(all) || "nothing"}.`)] : []),
    ...(rows.length ? [make("details", {}, make("summary", {}, `In ${counted(rows.length, "trace")}`),
      make("ul", { className: "flips" }, ...rows.map(([index, flip]) => make("li", {},
        make("button", { className: "link", onclick: () => actions.openRun(index) }, model.traces[model.runs[index].trace].id),
        ` ${flipWords(flip)}`))))] : []));
}
