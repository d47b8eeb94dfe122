// @ts-check
// The detectors, the scores and the statistics of the program, compiled to WebAssembly; see
// Sources/WebAssembly for what is called here. No figure is computed elsewhere on the page. The module runs in a Worker,
// one call after the other: one that does not end is ended, and the next call starts another Worker.
import { model } from "./model.js";
import { worker } from "./worker.js";

const TASKS = ["punch", "visit", "distance", "moving_time", "split", "ascent", "presence", "drop"];
const NONE = -2147483648;

// The columns of the module, in the order of Sources/WebAssembly/Exports.swift.
const COLUMNS = Object.entries({
  message: "Uint8Array", onsets: "Float64Array", emitted: "Float64Array", peaks: "Float64Array",
  detectionPlaces: "Int32Array", outcomes: "Uint8Array", references: "Uint8Array", partners: "Int32Array",
  counts: "Float64Array", track: "Float64Array", delays: "Float64Array", classes: "Uint8Array", confusion: "Int32Array",
  times: "Float64Array", magnitudes: "Float32Array", latitudes: "Float64Array", longitudes: "Float64Array",
  accuracies: "Float64Array", labelOnsets: "Float64Array", labelOffsets: "Float64Array", labelTexts: "Uint8Array",
  zoneOnsets: "Float64Array", zoneOffsets: "Float64Array", places: "Float64Array", uses: "Uint8Array",
  choice: "Float64Array", flipPlaces: "Int32Array",
});

// A call may take so many seconds, and the module so many pages of 64 KiB: 2 GiB.
const [MOST_SECONDS, MOST_PAGES] = [10, 32768];

/**
 * @typedef {{ onset: number, offset: number, label: string }} Label in ns
 * @typedef {{ latitude: number, longitude: number, radius: number }} Place
 * @typedef {object} Signal
 * @property {Float64Array} times
 * @property {Float32Array} values
 * @property {Float64Array | null} latitudes
 * @property {Float64Array | null} longitudes
 * @property {Float64Array | null} accuracies
 *
 * @typedef {object} Result The result of a run: detections with their outcomes, references, counts.
 * @property {ArrayLike<number>} onsets
 * @property {ArrayLike<number>} emitted
 * @property {ArrayLike<number | null>} peaks
 * @property {ArrayLike<number | null>} [places]
 * @property {ArrayLike<number>} outcomes
 * @property {ArrayLike<number>} references
 * @property {Float64Array | number[]} [delays]
 * @property {ArrayLike<number>} track
 * @property {{ classes: string[], counts: ArrayLike<number> }} [confusion]
 * @property {number} [hits]
 * @property {number} [alarms]
 * @property {number} [misses]
 * @property {number} [hours]
 * @property {boolean} isScored
 * @property {boolean} [isCounted] Whether only the counts are known, from a sweep.
 *
 * @typedef {{ found: number[], lost: number[], more: number[], fewer: number[] }} Flips Places of references, and of false
 *   alarms among the detections of the new result and of the old one.
 * @typedef {{ name: string, value: number, lower: number, upper: number }} Estimate
 * @typedef {{ best: number, recall: number, rate: number, least: number, lower: number, upper: number }} Choice A threshold
 *   with the highest recall in the budget, and the plateau around it.
 */

/**
 * @param {string} name
 */
async function inflated(name) {
  const text = document.getElementById(name).textContent;
  const bytes = "fromBase64" in Uint8Array ? /** @type {any} */ (Uint8Array).fromBase64(text)
    : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  // Into one array of the size at the end of the gzip data: a Response takes three times as long.
  const whole = new Uint8Array(new DataView(bytes.buffer).getUint32(bytes.length - 4, true));
  // @ts-ignore: missing in TypeScript 4.8.
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const reader = stream.readable.getReader();
  let place = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    whole.set(part.value, place);
    place += part.value.length;
  }
  await written;
  return whole;
}

/** A fault of the module: no answer in time, a trap, or an answer that cannot be. */
export class Fault extends Error {}

/**
 * For what the page can do without.
 * @template None
 * @param {None} none what there is instead, if the module fails
 */
export const without = (none) => (/** @type {Error} */ error) => {
  if (error instanceof Fault) return none;
  throw error;
};

/** @type {Uint8Array} The module. */
let code = null;

/** @type {Worker | null} */
let running = null;

/** @type {Promise<any>} The last of the calls that wait for each other. */
let last = Promise.resolve();

/** @type {Map<string, [number, number, import("./core.js").Label[]]>} The changed labels by trace and task. */
const edited = new Map();

/**
 * @template Answer
 * @param {() => Promise<Answer>} calls
 * @returns {Promise<Answer>}
 */
function inTurn(calls) {
  const answer = last.then(calls);
  last = answer.catch(() => {});
  return answer;
}

/**
 * @param {string} name
 * @param {any[]} values
 * @returns {Promise<any>}
 */
function answer(name, values) {
  return new Promise((resolve, reject) => {
    // Ticks, not a time: a computer that slept in between is not a module that does not end.
    let ticks = 0;
    const clock = setInterval(() => {
      ticks += 1;
      if (ticks === MOST_SECONDS) settle({ fault: "none" });
    }, 1000);
    const settle = (/** @type {{ value?: any, refusal?: string, fault?: string }} */ { value, refusal, fault }) => {
      clearInterval(clock);
      if (fault !== undefined) reject(new Fault(fault));
      else if (refusal !== undefined) reject(new Error(refusal)); else resolve(value);
    };
    running.onmessage = ({ data }) => settle(data);
    running.onerror = (event) => { event.preventDefault(); settle({ fault: "no Worker, which a page needs for it" }); };
    running.postMessage({ name, values }, name === "open" ? [values[1].buffer] : []);
  });
}

function stop() {
  running?.terminate();
  running = null;
  core.open.clear(); core.curves.clear();
}

async function startWorker() {
  stop();
  const text = `(${worker})(${JSON.stringify(COLUMNS)}, ${MOST_PAGES})`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    running = new Worker(address);
    return await answer("start", [code]);
  } finally { URL.revokeObjectURL(address); }
}

/**
 * Calls the module. What had a fault is not called again.
 * @param {string} place The name of a function, and of which trace or detector.
 * @param {...any} values
 */
async function call(place, ...values) {
  if (core.faults.has(place)) throw new Fault(core.faults.get(place));
  try {
    if (!running) await startWorker();
    return await answer(place.split(" ")[0], values);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    stop();
    const text = faultText(`${place} in the module`, error.message);
    core.faults.set(place, text);
    core.onFault();
    throw new Fault(text);
  }
}

/**
 * @param {string} place
 * @param {string} found
 */
const faultText = (place, found) => `${place}: expected an answer within ${MOST_SECONDS} s, found ${found}; the page goes on without it. `
  + "Correct a detector of your own and build its module again; otherwise reload the page in a current browser.";

/** @param {number} trace */
async function openTrace(trace) {
  if (running && core.open.has(trace)) return;
  const { id, data } = model.traces[trace];
  await call(`open of ${id}`, trace, await inflated(data));
  core.open.add(trace);
  for (const [one, task, labels] of edited.values()) {
    if (one === trace) await call(`label of ${id}`, trace, task, packedLabels(labels));
  }
}

/**
 * Calls the module for a trace.
 * @param {string} name
 * @param {number} trace
 * @param {...any} values
 * @returns {Promise<any>}
 */
const callFor = (name, trace, ...values) => inTurn(async () => {
  await openTrace(trace);
  return call(`${name} of ${model.traces[trace].id}`, trace, ...values);
});

/**
 * Calls the module for a detector on a trace.
 * @param {string} name
 * @param {import("./model.js").Run} run
 * @param {...any} values
 * @returns {Promise<any>}
 */
const callWith = (name, { trace, entry }, ...values) => inTurn(async () => {
  await openTrace(trace);
  const { detector, number } = model.entries[entry];
  return call(`${name} of ${detector}`, trace, number, ...values);
});

export const core = {
  /** @type {Set<number>} The loaded traces, by number. */ open: new Set(),
  /** @type {Map<import("./model.js").Curve, number>} */ curves: new Map(),
  /** @type {{ name: string, number: number } | null} The custom detector of the module. */ own: null,
  /** @type {Map<string, string>} What the module failed in, and the words for it. */ faults: new Map(),
  onFault() {},

  start() {
    return inTurn(async () => {
      code = await inflated("module");
      try {
        this.own = await startWorker();
      } catch (error) { throw new Error(faultText("start of the module", error.message)); }
    });
  },
  /** @param {number} trace */
  load: (trace) => inTurn(() => openTrace(trace)),
  /**
   * @param {import("./model.js").Run} run
   * @param {number[]} values
   * @returns {Promise<Result>}
   */
  async run(run, values) {
    const found = await callWith("run", run, values, model.entries[run.entry].settled, run.early, run.late);
    return { ...found, hours: run.hours ?? found.hours };
  },
  /**
   * @param {import("./model.js").Run} run
   * @param {number[]} values
   * @returns {Promise<{ uses?: string, places?: Place[] }>}
   */
  uses: (run, values) => callWith("uses", run, values),
  /** @param {number} trace @returns {Promise<Place[]>} */
  places: (trace) => callFor("places", trace),
  /** @param {number} trace @param {number} detector @returns {Promise<Signal>} */
  signal: (trace, detector) => callFor("signal", trace, detector),
  /** @param {number} trace @param {string} task @returns {Promise<Label[]>} */
  labels: (trace, task) => callFor("labels", trace, TASKS.indexOf(task)),
  /** @param {number} trace @returns {Promise<number[][]>} */
  zones: (trace) => callFor("zones", trace),
  /** @param {number} trace @param {string} task @param {Label[]} labels */
  setLabels(trace, task, labels) {
    const kept = labels.map((label) => ({ ...label }));
    edited.set(`${trace} ${task}`, [trace, TASKS.indexOf(task), kept]);
    return callFor("label", trace, TASKS.indexOf(task), packedLabels(kept));
  },
  /**
   * @param {number[][]} people hits, misses, false alarms and hours of each
   * @returns {Promise<Estimate[]>} recall, precision and false alarms per hour
   */
  async estimates(people) {
    const numbers = Float64Array.from(people.flat());
    const found = await inTurn(() => call("estimates", numbers, people.length, model.is_for_new_people));
    return ["recall", "precision", "rate"].map((name, index) =>
      ({ name, value: found[3 * index], lower: found[3 * index + 1], upper: found[3 * index + 2] }));
  },
  /**
   * Percentiles 1, 50, 90 and 99.
   * @param {number[]} numbers
   * @returns {Promise<Float64Array>}
   */
  percentiles: (numbers) => inTurn(() => call("percentiles", Float64Array.from(numbers))),
  /**
   * The differences between two results of a run. A detection that moved within the tolerance is the same.
   * @param {import("./model.js").Run} run
   * @param {Result} old
   * @param {Result} fresh
   * @returns {Promise<Flips>}
   */
  async flips(run, old, fresh) {
    const reach = Math.max(run.tolerance_early ?? NaN, run.tolerance_late ?? NaN);
    const numbers = [reach, ...[old, fresh].flatMap((result) => [result.onsets.length, result.references.length]),
      ...[old, fresh].flatMap((result) => [...Array.from(result.onsets).flatMap((onset, place) => [onset,
        result.emitted[place], result.peaks[place] ?? NaN, (result.places || [])[place] ?? NONE,
        result.outcomes[place]]), ...Array.from(result.references)])];
    const [found, lost, more, ...places] = await inTurn(() => call("flips", Float64Array.from(numbers)));
    const [second, third] = [found + lost, found + lost + more];
    return { found: places.slice(0, found), lost: places.slice(found, second), more: places.slice(second, third),
      fewer: places.slice(third) };
  },
  /**
   * The step of a sweep's curve at a threshold; the nearest of tried thresholds; -1 = none.
   * @param {import("./model.js").Curve} curve
   * @param {number} threshold
   * @returns {Promise<number>}
   */
  step: (curve, threshold) => inTurn(async () => {
    if (!core.curves.has(curve)) {
      await call("openCurve", core.curves.size, Float64Array.of(curve.upper, curve.references, curve.scored_nanoseconds,
        curve.is_exact ? 1 : 0, ...curve.thresholds, ...curve.true_positives, ...curve.false_positives));
      core.curves.set(curve, core.curves.size);
    }
    return call("curveStep", core.curves.get(curve), threshold, curve.thresholds.length);
  }),
  /**
   * The choice of `tune` among thresholds in ascending order; null = none.
   * @param {number} budget
   * @param {number[]} thresholds
   * @param {{ person: number, hours: number, references: number, hits: number[], alarms: number[] }[]} recordings hits and
   *   false alarms at each threshold
   * @returns {Promise<Choice | null>}
   */
  async choice(budget, thresholds, recordings) {
    if (!thresholds.length || !recordings.length) return null;
    const numbers = [budget, model.plateau_loss, thresholds.length, recordings.length, ...thresholds,
      ...recordings.flatMap(({ person, hours, references, hits, alarms }) => [person, hours, references, ...hits, ...alarms])];
    const found = await inTurn(() => call("choose", Float64Array.from(numbers)));
    if (!found) return null;
    const [best, recall, rate, least, lower, upper] = found;
    return { best, recall, rate, least, lower, upper };
  },
};

/**
 * In the form that PackedTrace.swift reads.
 * @param {import("./core.js").Label[]} labels
 */
function packedLabels(labels) {
  const bytes = [];
  const plane = (values, width) => {
    for (let place = 0; place < width; place += 1) {
      for (const value of values) bytes.push(Number((value >> BigInt(8 * place)) & 255n));
    }
  };
  const differences = (times) => times.map((time, index) =>
    BigInt.asUintN(64, BigInt(time) - (index > 0 ? BigInt(times[index - 1]) : 0n)));
  const nan = new BigUint64Array(new Float64Array([NaN]).buffer)[0];
  plane([BigInt(labels.length)], 4);
  plane(differences(labels.map((label) => Math.round(label.onset))), 8);
  plane(differences(labels.map((label) => Math.round(label.offset))), 8);
  plane(labels.map(() => 0x80000000n), 4);
  plane(labels.map(() => nan), 8);
  for (const { label } of labels) {
    const text = new TextEncoder().encode(label).slice(0, 65535);
    bytes.push(text.length & 255, text.length >> 8, ...text);
  }
  return Uint8Array.from(bytes);
}
