// @ts-check
import { core, Fault, without } from "./core.js";
import { baseOf, canRun, model, resultAsStored, tracked, valuesOf } from "./model.js";
import { actions, AS_RUN, isChanged, state } from "./store.js";
import { counted, isSet } from "./text.js";

/** @typedef {import("./model.js").Run} Run */
/** @typedef {import("./core.js").Result} Result */

/** @type {Map<number, Result | null>} The results with the parameters of the runs. */
let stored = new Map();

/** @type {Map<number, Result | null>} The results with the changed parameters. */
let current = new Map();

/** Drops the results with changed parameters, also those that are being computed. */
export function forgetCurrent() { current = new Map(); }

/** Drops all results, because labels have changed. */
export function forgetResults() { stored = new Map(); forgetCurrent(); }

/**
 * @param {number} index
 * @param {import("./store.js").Settings} settings
 * @param {Map<number, Result | null>} kept
 */
async function resultOf(index, settings, kept) {
  if (kept.has(index)) return kept.get(index);
  const result = await computed(model.runs[index], settings);
  if (result) kept.set(index, result);
  return result;
}

/**
 * Null = the page cannot compute it.
 * @param {Run} run
 * @param {import("./store.js").Settings} settings
 * @returns {Promise<Result | null>}
 */
export async function computed(run, settings) {
  if (!canRun(run)) return onCurve(run, valuesOf(run, settings));
  try {
    return await core.run(run, valuesOf(run, settings));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const entry = model.entries[run.entry];
    const isNew = !entry.refused;
    refuse(entry, FAILED);
    // Once more, with what the run found.
    if (isNew && state.app === null && state.entry === run.entry) actions.choose(state.entry);
    return null;
  }
}

/** @type {Map<import("./model.js").Entry, number | undefined>} What draws the signal of an entry with a custom detector. */
const drawing = new Map();

const FAILED = "The module failed in this detector (see the top of the page)";

/**
 * Stops running a detector: its figures are those of the run.
 * @param {import("./model.js").Entry} entry
 * @param {string} why
 */
function refuse(entry, why) {
  if (drawing.has(entry)) entry.number = drawing.get(entry);
  Object.assign(entry, { is_runnable: false, refused: why });
  for (const index of entry.runs) stored.delete(index);
}

/**
 * The counts of the sweep at a threshold; the other parameters must be those of the run.
 * @param {Run} run
 * @param {number[]} values
 * @returns {Promise<Result | null>}
 */
async function onCurve(run, values) {
  const field = model.entries[run.entry].threshold;
  if (!run.curve || values.some((value, place) => place !== field && value !== run.values[place])) return null;
  const { curve } = run;
  const place = await core.step(curve, values[field]);
  if (place < 0) return null;
  return { hits: curve.true_positives[place], alarms: curve.false_positives[place],
    misses: curve.references - curve.true_positives[place],
    hours: run.hours, isScored: true, isCounted: true, onsets: [], emitted: [], peaks: [], outcomes: [],
    references: [], delays: [], track: [], confusion: { classes: [], counts: [] } };
}

/** @param {number} index */
const asRun = (index) => resultOf(index, AS_RUN, stored);

/** @param {number} index */
export const now = (index) => (isChanged() ? resultOf(index, state, current) : asRun(index));

/**
 * The reference for changes: the base of a comparison, or the run.
 * @param {number} index
 * @returns {Promise<Result | null>}
 */
export async function before(index) {
  return model.comparison ? baseOf(model.runs[index]) : asRun(index);
}

/**
 * Runs a custom detector if the module has it and gives exactly the results of the run: the module and
 * the program may be built from different versions of it.
 * @param {import("./model.js").Entry} entry
 */
export async function adopt(entry) {
  if (!core.own || entry.detector !== core.own.name || !entry.is_repeatable || entry.is_runnable || entry.refused) return;
  drawing.set(entry, entry.number);
  [entry.number, entry.is_runnable] = [core.own.number, true];
  let unlike = 0;
  for (const index of entry.runs) {
    const run = model.runs[index];
    if (!canRun(run)) continue;
    try {
      const result = await core.run(run, valuesOf(run, AS_RUN));
      if (isAlike(result, run.stored)) stored.set(index, result); else unlike += 1;
    } catch (error) {
      if (error instanceof Fault) { refuse(entry, FAILED); return; }
      unlike += 1;
    }
  }
  if (unlike) {
    refuse(entry, `The module's ${entry.detector} detects something else than the run, on ${counted(unlike, "trace")}; `
      + "build the module and the program from the same files");
  }
}

/**
 * @param {Result} result
 * @param {import("./model.js").Stored | undefined} was
 */
function isAlike(result, was) {
  if (!was) return false;
  /**
   * @param {any} one
   * @param {any} other
   */
  const same = (one, other) => one.length === other.length
    && one.every((value, place) => value === other[place] || (!isSet(value) && !isSet(other[place])));
  return same(result.onsets, was.onsets) && same(result.emitted, was.emitted) && same(result.peaks, was.peaks)
    // Edited labels change the outcomes.
    && (state.edits > 0 || (same(result.outcomes, was.outcomes) && same(result.references, was.references)))
    && same([result.track[0], result.track[2]], [tracked(was)[0], tracked(was)[2]]);
}

/**
 * Without a subject, each trace is a person of its own.
 * @param {number} index of a run
 */
export const personOf = (index) => model.traces[model.runs[index].trace].subject || `trace ${index}`;

/**
 * Hits, misses, false alarms and hours of each person.
 * @param {Map<number, Result>} results
 */
export function sumsByPerson(results) {
  const people = new Map();
  for (const [index, result] of results) {
    const person = personOf(index);
    const sums = people.get(person) || [0, 0, 0, 0];
    [result.hits, result.misses, result.alarms, result.hours].forEach((value, place) => {
      sums[place] += value;
    });
    people.set(person, sums);
  }
  return [...people.values()];
}

/**
 * The number of each kind.
 * @param {import("./core.js").Flips} all
 */
export const countFlips = (all) => ({ found: all.found.length, lost: all.lost.length, more: all.more.length,
  fewer: all.fewer.length });

/** @typedef {ReturnType<typeof countFlips>} FlipCounts */

/** @param {FlipCounts} flip */
export const flipCount = (flip) => flip.found + flip.lost + flip.more + flip.fewer;

/** @param {FlipCounts} flip */
export const flipWords = (flip) => [
  flip.found && `${flip.found} found that ${flip.found === 1 ? "was" : "were"} missed`,
  flip.lost && `${flip.lost} missed that ${flip.lost === 1 ? "was" : "were"} found`,
  flip.more && counted(flip.more, "new false alarm"), flip.fewer && counted(flip.fewer, "fewer false alarm"),
].filter(Boolean).join(", ");

/** @type {Map<Run, FlipCounts> | null} The flips between the two files; null = the module has not counted them. */
let filed = null;

export const hasFlips = () => filed !== null;

/** Counts the flips between the two files of a comparison. */
export async function readFlips() {
  const found = new Map();
  for (const run of model.runs.filter((one) => one.before && one.stored)) {
    const flips = await core.flips(run, baseOf(run), resultAsStored(run)).catch(without(null));
    if (!flips) return;
    found.set(run, countFlips(flips));
  }
  filed = found;
}

/**
 * The flips between the two files; null = not comparable.
 * @param {Run} run
 */
export const filedFlips = (run) => filed?.get(run) ?? null;
