// @ts-check
// The detectors, the scores and the statistics of the program, compiled to WebAssembly; see
// Sources/WebAssembly for what is called here. No figure is computed elsewhere on the page.
import { model } from "./model.js";
import { isSet } from "./text.js";

const TASKS = ["punch", "visit", "distance", "moving_time", "split", "ascent", "presence", "drop"];
const NONE = -2147483648;

// The columns of the module, in the order of Sources/WebAssembly/Exports.swift.
const COLUMNS = Object.entries({
  message: Uint8Array, onsets: Float64Array, emitted: Float64Array, peaks: Float64Array, detectionPlaces: Int32Array,
  outcomes: Uint8Array, references: Uint8Array, partners: Int32Array, counts: Float64Array, track: Float64Array,
  delays: Float64Array, classes: Uint8Array, confusion: Int32Array, times: Float64Array, magnitudes: Float32Array,
  latitudes: Float64Array, longitudes: Float64Array, accuracies: Float64Array, labelOnsets: Float64Array,
  labelOffsets: Float64Array, labelTexts: Uint8Array, zoneOnsets: Float64Array, zoneOffsets: Float64Array,
  places: Float64Array, uses: Uint8Array, choice: Float64Array, flipPlaces: Int32Array,
});

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

export const core = {
  /** @type {any} The functions of the module. */ calls: null,
  /** @type {Map<number, Promise<void>>} The loaded traces, by number. */ open: new Map(),
  /** @type {Map<import("./model.js").Curve, number>} */ curves: new Map(),
  /** @type {{ name: string, number: number } | null} The custom detector of the module. */ own: null,

  async start() {
    this.calls = (await WebAssembly.instantiate(await inflated("module"), {})).instance.exports;
    // A module with a custom detector.
    if (!this.calls.ownNumber) return;
    const [name] = texts(this.array(Uint8Array, this.calls.ownTexts(), this.calls.ownTextsLength()));
    this.own = { name, number: this.calls.ownNumber() };
  },
  array(type, address, count) {
    return count > 0 ? new type(this.calls.memory.buffer, address, count).slice() : new type(0);
  },
  /**
   * @param {string} name
   * @param {number} [count] how many elements; all by default
   * @returns {any} a typed array
   */
  column(name, count) {
    const number = COLUMNS.findIndex((column) => column[0] === name);
    const address = this.calls.column(number);
    return this.array(COLUMNS[number][1], address, count === undefined ? this.calls.columnLength() : count);
  },
  send(bytes) {
    const address = this.calls.input(bytes.length);
    new Uint8Array(this.calls.memory.buffer, address, bytes.length).set(bytes);
  },
  check(status) {
    if (status >= 0) return status;
    throw new Error(new TextDecoder().decode(this.column("message")));
  },
  load(trace) {
    if (!this.open.has(trace)) this.open.set(trace, this.read(trace));
    return this.open.get(trace);
  },
  async read(trace) {
    this.send(await inflated(model.traces[trace].data));
    this.check(this.calls.open(trace));
  },
  setValues(values) {
    const address = this.calls.values();
    new Float64Array(this.calls.memory.buffer, address, values.length)
      .set(values.map((value) => (value === null || value === undefined ? NaN : value)));
  },
  run(run, values) {
    const entry = model.entries[run.entry];
    this.setValues(values);
    this.check(this.calls.run(run.trace, entry.number, values.length, entry.settled ? 1 : 0, run.early, run.late));
    const counts = this.column("counts");
    return {
      onsets: this.column("onsets"), emitted: this.column("emitted"), peaks: this.column("peaks"),
      places: this.column("detectionPlaces"), outcomes: this.column("outcomes"), partners: this.column("partners"),
      references: this.column("references"), delays: this.column("delays"), track: this.column("track"),
      confusion: { classes: texts(this.column("classes")), counts: this.column("confusion") },
      hits: counts[0], alarms: counts[1], misses: counts[2], duplicates: counts[3],
      hours: isSet(run.hours) ? run.hours : counts[4], isScored: counts.length > 0,
    };
  },
  // The use of each fix as a letter, and the places with their radii for the detector.
  uses(run, values) {
    this.setValues(values);
    const places = this.calls.readPlaces(run.trace);
    const count = this.check(this.calls.readUses(run.trace, model.entries[run.entry].number, values.length));
    if (!count) return {};
    const uses = Array.from(this.column("uses"), (use) => "ars"[use]).join("");
    return { uses, places: this.placesRead(places) };
  },
  places(trace) {
    const count = this.calls.readPlaces(trace);
    return this.placesRead(count);
  },
  placesRead(count) {
    const numbers = this.column("places", 3 * count);
    return Array.from({ length: count }, (_, index) => ({ latitude: numbers[3 * index],
      longitude: numbers[3 * index + 1], radius: numbers[3 * index + 2] }));
  },
  signal(trace, number) {
    const count = this.calls.signal(trace, number);
    // Only positions have them.
    const optional = (name) => {
      const column = this.column(name);
      return count > 0 && column.length ? column : null;
    };
    return {
      times: this.column("times", count), values: this.column("magnitudes", count),
      latitudes: optional("latitudes"), longitudes: optional("longitudes"), accuracies: optional("accuracies"),
    };
  },
  labels(trace, task) {
    const count = this.calls.labels(trace, TASKS.indexOf(task));
    const onsets = this.column("labelOnsets", count);
    const offsets = this.column("labelOffsets", count);
    const names = texts(this.column("labelTexts"));
    return Array.from(onsets, (onset, index) => ({ onset, offset: offsets[index], label: names[index] }));
  },
  zones(trace) {
    const count = this.calls.zones(trace);
    const onsets = this.column("zoneOnsets", count);
    const offsets = this.column("zoneOffsets", count);
    return Array.from(onsets, (onset, index) => [onset / 1e9, offsets[index] / 1e9]);
  },
  setLabels(trace, task, labels) {
    this.send(packedLabels(labels));
    this.check(this.calls.label(trace, TASKS.indexOf(task)));
  },
  /** @param {number[]} numbers */
  sendNumbers(numbers) { this.send(new Uint8Array(new Float64Array(numbers).buffer)); },
  /**
   * @param {number[][]} people hits, misses, false alarms and hours of each
   * @returns {Estimate[]} recall, precision and false alarms per hour
   */
  estimates(people) {
    this.sendNumbers(people.flat());
    const found = this.array(Float64Array, this.calls.estimates(people.length, model.is_for_new_people ? 1 : 0), 9);
    return ["recall", "precision", "rate"].map((name, index) =>
      ({ name, value: found[3 * index], lower: found[3 * index + 1], upper: found[3 * index + 2] }));
  },
  /**
   * Percentiles 1, 50, 90 and 99.
   * @param {number[]} numbers
   */
  percentiles(numbers) {
    this.sendNumbers(numbers);
    return this.array(Float64Array, this.calls.percentiles(), 4);
  },
  /**
   * The differences between two results of a run. A detection that moved within the tolerance is the same.
   * @param {import("./model.js").Run} run
   * @param {Result} old
   * @param {Result} fresh
   * @returns {Flips}
   */
  flips(run, old, fresh) {
    const optional = (value, none) => (value === null || value === undefined ? none : value);
    const reach = Math.max(optional(run.tolerance_early, NaN), optional(run.tolerance_late, NaN));
    this.sendNumbers([reach, ...[old, fresh].flatMap((result) => [result.onsets.length, result.references.length]),
      ...[old, fresh].flatMap((result) => [...Array.from(result.onsets).flatMap((onset, place) => [onset,
        result.emitted[place], optional(result.peaks[place], NaN), optional((result.places || [])[place], NONE),
        result.outcomes[place]]), ...Array.from(result.references)])]);
    this.check(this.calls.flips());
    const [found, lost, more, ...places] = this.column("flipPlaces");
    const [second, third] = [found + lost, found + lost + more];
    return { found: places.slice(0, found), lost: places.slice(found, second), more: places.slice(second, third),
      fewer: places.slice(third) };
  },
  /**
   * The step of a sweep's curve at a threshold; the nearest of tried thresholds; -1 = none.
   * @param {import("./model.js").Curve} curve
   * @param {number} threshold
   */
  step(curve, threshold) {
    if (!this.curves.has(curve)) {
      this.sendNumbers([curve.upper, curve.references, curve.scored_nanoseconds, curve.is_exact ? 1 : 0,
        ...curve.thresholds, ...curve.true_positives, ...curve.false_positives]);
      this.check(this.calls.openCurve(this.curves.size));
      this.curves.set(curve, this.curves.size);
    }
    return this.calls.curveStep(this.curves.get(curve), threshold);
  },
  /**
   * The choice of `tune` among thresholds in ascending order; null = none.
   * @param {number} budget
   * @param {number[]} thresholds
   * @param {{ person: number, hours: number, references: number, hits: number[], alarms: number[] }[]} recordings hits and
   *   false alarms at each threshold
   * @returns {Choice | null}
   */
  choice(budget, thresholds, recordings) {
    if (!thresholds.length || !recordings.length) return null;
    this.sendNumbers([budget, model.plateau_loss, thresholds.length, recordings.length, ...thresholds,
      ...recordings.flatMap(({ person, hours, references, hits, alarms }) => [person, hours, references, ...hits, ...alarms])]);
    if (this.check(this.calls.choose()) === 0) return null;
    const [best, recall, rate, least, lower, upper] = this.column("choice");
    return { best, recall, rate, least, lower, upper };
  },
};

/** Texts that end with 0. */
const texts = (bytes) => new TextDecoder().decode(bytes).split("\0").slice(0, -1);

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
