// @ts-check
// Recall and false alarms by threshold, over all traces: the tried thresholds, and the choice among them.
import { core, without } from "./core.js";
import { drawCurve } from "./curve-picture.js";
import { byId } from "./elements.js";
import { model, valuesOf } from "./model.js";
import { sliderRange } from "./parameters.js";
import { computed, now, personOf, sumsByPerson } from "./results.js";
import { entryOf, redraws, state } from "./store.js";
import { clamp, isSet, rate, share, short } from "./text.js";

/**
 * @typedef {object} Point The figures at a threshold.
 * @property {number} [value] the threshold
 * @property {string} [name] of a preset
 * @property {number} recall
 * @property {number} rate
 * @property {boolean} isWhole whether every trace has figures there
 * @property {Map<number, number[]>} counts of each run: hits, misses, false alarms, hours
 *
 * @typedef {{ line: Point[], presets: Point[] }} Points
 * @typedef {(value: number) => Promise<Point | null>} Compute null = outdated
 */

/** @type {Map<string, Points>} */
const curves = new Map();

/**
 * @param {number} generation
 * @param {number[]} usable runs that have figures
 */
export async function curve(generation, usable) {
  const entry = entryOf();
  const canvas = byId("curve");
  const box = byId("curve-box");
  if (!isSet(entry.threshold)) { box.hidden = true; return; }
  box.hidden = false;
  const others = [...state.changes].filter(([index]) => index !== entry.threshold);
  const key = JSON.stringify([state.entry, state.preset, others, state.edits]);
  const points = curves.get(key) || { line: [], presets: [] };
  curves.set(key, points);
  const base = valuesOf(model.runs[usable[0]], { ...state, changes: new Map() })[entry.threshold];
  const field = entry.fields[entry.threshold];
  const point = async (settings, compute = (index) => computed(model.runs[index], settings)) => {
    const results = new Map();
    let isWhole = true;
    for (const index of usable) {
      const result = await compute(index);
      if (!result) isWhole = false; else if (result.isScored) results.set(index, result);
      if (generation !== state.generation) return null;
    }
    const [recall, , alarms] = await core.estimates(sumsByPerson(results));
    if (generation !== state.generation) return null;
    const counts = new Map([...results].map(([index, { hits, misses, alarms: wrong, hours }]) => [index, [hits, misses, wrong, hours]]));
    return { recall: recall.value, rate: alarms.value, isWhole, counts };
  };
  const at = async (value) => {
    const one = await point({ ...state, changes: new Map([...others, [entry.threshold, value]]) });
    return one && { ...one, value };
  };
  const here = await point(state, now);
  if (!here) return;
  // Without a reference there is no recall.
  if (!isSet(here.recall)) { box.hidden = true; return; }
  const isCurrent = () => generation === state.generation;
  const redraw = async () => {
    const plateau = await plateauOf(points.line);
    if (isCurrent()) drawCurve(canvas, points, here, field, plateau);
  };
  await redraw();
  // Only the tried thresholds, if nothing is known between them.
  const tried = usable.map((index) => model.runs[index].curve).find((one) => one && !one.is_exact);
  const [low, high] = sliderRange(field, base);
  const values = tried ? tried.thresholds : Array.from({ length: 21 }, (_, place) => clamp(
    base > 0 ? (place === 10 ? base : short(base * 2 ** ((place - 10) / 6))) : short(low + ((high - low) * place) / 20),
    field.low, field.high));
  for (let place = points.line.length; place < values.length; place += 1) {
    const one = await at(values[place]);
    if (!one) return;
    points.line.push(one);
    await redraw();
  }
  for (const preset of entry.presets.slice(points.presets.length)) {
    const one = await point({ preset: points.presets.length, changes: new Map() });
    if (!one) return;
    points.presets.push({ ...one, name: preset.name });
    await redraw();
  }
  const find = async () => {
    await redraw();
    await refine(points, tried ? null : at, redraw, async () => {
      const [choice, plateau] = [await choiceOf(points.line), await plateauOf(points.line)];
      if (isCurrent()) withinBudget(choice, plateau, field);
    });
  };
  redraws.budget = find;
  await find();
}

/**
 * Looks for the highest recall within the budget by halving the step to the neighbouring thresholds.
 * @param {Points} points
 * @param {Compute | null} at
 * @param {() => Promise<void>} redraw
 * @param {() => Promise<void>} show
 */
async function refine(points, at, redraw, show) {
  const { budget } = state;
  for (let round = 0; at && round < 8; round += 1) {
    const edge = points.line.findIndex((one, place) => place > 0
      && (one.rate <= budget) !== (points.line[place - 1].rate <= budget));
    if (edge < 0 || points.line[edge].value / points.line[edge - 1].value < 1.002) break;
    const one = await at(short((points.line[edge].value + points.line[edge - 1].value) / 2));
    if (!one || budget !== state.budget) return;
    points.line.splice(edge, 0, one);
    await redraw();
  }
  await show();
  await redraw();
  if (at && await widen(points, at)) { await show(); await redraw(); }
}

/**
 * Looks for both ends of the plateau in the same way.
 * @param {Points} points
 * @param {Compute} at
 */
async function widen(points, at) {
  const { budget } = state;
  for (let round = 0; round < 12; round += 1) {
    const plateau = await plateauOf(points.line);
    if (!plateau) return false;
    const first = points.line.indexOf(plateau.points[0]);
    const pair = [[first - 1, first], [first + plateau.points.length - 1, first + plateau.points.length]]
      .map((places) => places.map((place) => points.line[place])).filter(([low, high]) => low && high)
      .find(([low, high]) => high.value / low.value > 1.01);
    if (!pair) break;
    const one = await at(short((pair[0].value + pair[1].value) / 2));
    if (!one || budget !== state.budget) return false;
    points.line.splice(points.line.indexOf(pair[1]), 0, one);
  }
  return true;
}

/**
 * The choice of the module among the thresholds of a line, on the traces with figures at all of them.
 * @param {Point[]} line
 */
async function choiceOf(line) {
  const rising = line.filter((one, place) => place === 0 || one.value > line[place - 1].value);
  if (!rising.length) return null;
  const shared = [...rising[0].counts.keys()].filter((run) => rising.every((one) => one.counts.has(run)));
  const people = [...new Set(shared.map(personOf))];
  const recordings = shared.map((run) => {
    const [hits, misses, , hours] = rising[0].counts.get(run);
    const column = (place) => rising.map((one) => one.counts.get(run)[place]);
    return { person: people.indexOf(personOf(run)), hours, references: hits + misses, hits: column(0), alarms: column(2) };
  });
  return core.choice(state.budget, rising.map(({ value }) => value), recordings).catch(without(null));
}

/**
 * The thresholds that are about as good as the best one.
 * @param {Point[]} line
 */
async function plateauOf(line) {
  const choice = await choiceOf(line);
  if (!choice) return null;
  const points = line.filter(({ value }) => value >= choice.lower && value <= choice.upper);
  return points.length > 1 ? { points, least: choice.least } : null;
}

/**
 * The highest recall within the budget, among the tried thresholds.
 * @param {import("./core.js").Choice | null} choice
 * @param {{ points: Point[], least: number } | null} plateau
 * @param {import("./model.js").Field} field
 */
function withinBudget(choice, plateau, field) {
  byId("within").textContent = choice ? `recall ${share(choice.recall)}` : "none here";
  byId("within-more").textContent = choice
    ? `${field.name} ${short(choice.best)}, ${rate(choice.rate)} per hour${plateau ? `; plateau ${short(plateau.points[0].value)} to `
      + `${short(plateau.points[plateau.points.length - 1].value)}, recall from ${share(plateau.least)}` : ""}` : "";
}
