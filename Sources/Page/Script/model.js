// @ts-check
// What the program has put into the page, see Sources/Reports/Page/PageModel.swift, and what follows from it alone.
import { isSet } from "./text.js";

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} summary
 * @property {"number" | "flag" | "choice" | "profiles"} kind
 * @property {string} unit
 * @property {number} low
 * @property {number} high
 * @property {string[]} choices
 *
 * @typedef {{ name: string, value?: number, lower?: number, upper?: number, was?: string[] }} Figure
 * @typedef {{ name: string, base: number, head: number, lower?: number, upper?: number }} Difference
 *
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} detector
 * @property {string} preset
 * @property {string} task
 * @property {string} unit
 * @property {number | undefined} number
 * @property {boolean} is_runnable
 * @property {boolean} is_repeatable
 * @property {boolean} settled
 * @property {string} origin
 * @property {Field[]} fields
 * @property {number | undefined} threshold
 * @property {number} unlike
 * @property {{ name: string, summary: string, values: number[] }[]} presets
 * @property {Figure[]} figures
 * @property {Difference[]} differences
 * @property {number[]} runs
 * @property {string} [diagnosis] What explains most of the errors.
 * @property {string} [refused] Why the detector of the module does not run here.
 *
 * @typedef {object} Curve
 * @property {number[]} thresholds
 * @property {number[]} true_positives
 * @property {number[]} false_positives
 * @property {number} upper
 * @property {number} references
 * @property {number} scored_nanoseconds
 * @property {boolean} is_exact
 *
 * @typedef {object} Stored What a run gave, with the numbers of the module's outcomes.
 * @property {number[]} onsets
 * @property {number[]} emitted
 * @property {(number | null)[]} peaks
 * @property {(number | null)[]} [places]
 * @property {number[]} outcomes
 * @property {number[]} references
 * @property {number} [distance]
 * @property {number} [moving_time]
 *
 * @typedef {object} Run
 * @property {number} entry
 * @property {number} trace
 * @property {number[]} values
 * @property {(number[] | null)[]} presets
 * @property {Stored} [stored]
 * @property {Curve} [curve]
 * @property {Stored} [before]
 * @property {string} [uses]
 * @property {number} early
 * @property {number} late
 * @property {number} [tolerance_early]
 * @property {number} [tolerance_late]
 * @property {number} [hits]
 * @property {number} [misses]
 * @property {number} [false_alarms]
 * @property {number} [hours]
 *
 * @typedef {object} Trace
 * @property {string} id
 * @property {string} subject
 * @property {string} activity
 * @property {string} device
 * @property {number} seconds
 * @property {string} [data]
 * @property {boolean} whole
 * @property {number} [readings]
 * @property {number} [drawn]
 * @property {number[]} [true_path]
 *
 * @typedef {{ time: number, person: number, kind: string, text: string }} AppEvent
 * @typedef {{ name: string, trace?: number, start: number }} Person
 * @typedef {object} App
 * @property {string} name
 * @property {string} summary
 * @property {string} headline
 * @property {string} network
 * @property {string} script
 * @property {number} [number]
 * @property {Person[]} people
 * @property {{ name: string, unit: string, cells: string[] }[]} outcomes
 * @property {AppEvent[]} events
 *
 * @typedef {object} Model
 * @property {string} title
 * @property {boolean} is_for_new_people
 * @property {number} plateau_loss
 * @property {boolean} is_served
 * @property {{ base: string, head: string }} [comparison]
 * @property {Entry[]} entries
 * @property {Run[]} runs
 * @property {Trace[]} traces
 * @property {App[]} apps
 */

/** @type {Model} */
export const model = JSON.parse(document.getElementById("model").textContent);

/** @param {Run} run */
export const isDrawn = (run) => isSet(model.entries[run.entry].number) && Boolean(model.traces[run.trace].data);

/** @param {Run} run */
export const canRun = (run) => model.entries[run.entry].is_runnable && isDrawn(run) && model.traces[run.trace].whole;

/**
 * Whether there are figures at other thresholds, too.
 * @param {Run} run
 */
export const hasFigures = (run) => canRun(run) || Boolean(run.curve);

/**
 * The parameters of a run: as it was run, or those of a preset on its trace; then the changes.
 * @param {Run} run
 * @param {import("./store.js").Settings} settings
 */
export function valuesOf(run, { preset, changes }) {
  const base = preset === null ? run.values
    : run.presets[preset] || model.entries[run.entry].presets[preset].values;
  return base.map((value, index) => (changes.has(index) ? changes.get(index) : value));
}

/**
 * What a tracker measured, as the module gives it.
 * @param {{ distance?: number, moving_time?: number }} stored
 */
export const tracked = ({ distance, moving_time: time }) => (isSet(distance) || isSet(time) ? [distance, NaN, time, NaN] : []);

/**
 * What a run gave whose detector the page has not.
 * @param {Run} run
 */
export function resultAsStored(run) {
  if (!run.stored) return null;
  return { ...run.stored, hits: run.hits, alarms: run.false_alarms, misses: run.misses, isScored: isSet(run.hits),
    track: tracked(run.stored) };
}

/**
 * What the base of a comparison gave.
 * @param {Run} run
 */
export const baseOf = (run) => (run.before ? { ...run.before, isScored: true, track: tracked(run.before) } : null);

/**
 * One letter per fix: a120r1 is 120 accepted and one rejected.
 * @param {Run} run
 */
export const usesOf = (run) => (run.uses ? run.uses.replace(/([a-z])([0-9]+)/g, (_, use, count) => use.repeat(Number(count))) : null);
