// @ts-check
// What is chosen, and so what is shown. Only the functions of this file change it.
import { model } from "./model.js";

/**
 * @typedef {object} Settings The parameters to compute with: those of a preset (null = as it was run), then the changes
 *   by the place of the field.
 * @property {number | null} preset
 * @property {Map<number, number>} changes
 */

/** @type {Settings} */
export const AS_RUN = { preset: null, changes: new Map() };

const chosen = {
  /** The places in the model of the entry, the run and the app that are open; of an app null = none. */
  entry: 0, run: 0, /** @type {number | null} */ app: null,
  /** Counts what has been opened, and what has been computed anew: what took its time may come too late. */
  view: 0, generation: 0,
  /** By what the list of traces and that of errors are ordered. */
  order: "errors", errorOrder: "time",
  /** @type {number | null} */ preset: null, /** @type {Map<number, number>} */ changes: new Map(),
  /** The place of the error that is visited; -1 = none. */
  error: -1,
  /** Whether labels are edited, and how often they were: curves and results are of one state of them. */
  editing: false, edits: 0,
  /** False alarms per hour that are allowed. */
  budget: 10,
  /** Whether n and p go through what has changed, not through errors. */
  walksChanges: Boolean(model.comparison),
};

/** @type {Readonly<typeof chosen>} */
export const state = chosen;

/** @param {Partial<Pick<typeof chosen, "order" | "errorOrder" | "error" | "editing" | "budget">>} part */
export function update(part) { Object.assign(chosen, part); }

/** @param {number} index */
export function enterApp(index) {
  Object.assign(chosen, { app: index, view: chosen.view + 1, error: -1, editing: false });
  return nextGeneration();
}

/** @param {number} index */
export function enterEntry(index) {
  Object.assign(chosen, { app: null, entry: index, preset: null, changes: new Map(), view: chosen.view + 1, editing: false });
  nextGeneration();
  return chosen.view;
}

/** @param {number} index */
export function enterRun(index) {
  Object.assign(chosen, { run: index, view: chosen.view + 1, error: -1 });
  return chosen.view;
}

/** Begins to compute anew: what is computed for an earlier generation is dropped. */
export function nextGeneration() {
  chosen.generation += 1;
  return chosen.generation;
}

/** @param {number | null} preset null = as it was run. */
export function usePreset(preset) { Object.assign(chosen, { preset, changes: new Map() }); }

/**
 * @param {number} field
 * @param {number} value
 */
export function changeField(field, value) { chosen.changes = new Map([...chosen.changes, [field, value]]); }

/** @param {boolean} walksChanges */
export function walkThrough(walksChanges) { Object.assign(chosen, { walksChanges, error: -1 }); }

export function countEdit() { chosen.edits += 1; }

export const isChanged = () => chosen.preset !== null || chosen.changes.size > 0;
export const entryOf = () => model.entries[chosen.entry];
export const runOf = () => model.runs[chosen.run];

/** How to draw again what is drawn once: when the window or the budget changes. */
export const redraws = {
  /** @type {(() => void) | null} */ curve: null,
  /** @type {(() => void) | null} */ delays: null,
  /** @type {(() => Promise<void>) | null} */ budget: null,
};
export function forgetRedraws() { Object.assign(redraws, { curve: null, delays: null, budget: null }); }

/** What a part asks of one that imports it; main.js states who does it. */
export const actions = {
  draw() {},
  async recompute() {},
  /** @param {number} index */ async openRun(index) {},
  /** @param {number} index */ async choose(index) {},
  /** @param {number} index */ async chooseApp(index) {},
};
