// A page without a browser: its model, and the module that is committed.
import { resolveObjectURL } from "node:buffer";
import { readFileSync } from "node:fs";
import { Worker as Thread } from "node:worker_threads";

const entry = { name: "punch/default", detector: "punch", preset: "default", task: "punch", unit: "m/s2", number: 0,
  is_runnable: true, is_repeatable: true, settled: false, origin: "simulated", threshold: 0, unlike: 0, figures: [],
  differences: [], runs: [0, 1],
  fields: [{ name: "threshold", summary: "", kind: "number", unit: "m/s2", low: 0, high: 200, choices: [] },
    { name: "refractory", summary: "", kind: "number", unit: "s", low: 0, high: 5, choices: [] }],
  presets: [{ name: "default", summary: "", values: [30, 0.3] }, { name: "magnitude", summary: "", values: [25, 0.4] }] };

const trace = (id, subject, data) => ({ id, subject, activity: "", device: "", seconds: 10, data, whole: true });

export const model = { title: "test", is_for_new_people: true, plateau_loss: 0.02, is_served: false, apps: [],
  entries: [entry],
  runs: [{ entry: 0, trace: 0, values: [20, 0.3], presets: [null, [26, 0.4]], early: -1, late: -1 },
    { entry: 0, trace: 1, values: [20, 0.3], presets: [null, null], early: -1, late: -1 }],
  traces: [trace("a", "anna", "trace-0"), trace("b", "", undefined)] };

export const module = readFileSync(new URL("../../Sources/Page/page.wasm.gz", import.meta.url)).toString("base64");

/** What the elements of the page have. */
export const texts = { model: JSON.stringify(model), module };
globalThis.document = { getElementById: (id) => (id in texts ? { textContent: texts[id] } : null) };

/** A Worker as browsers have it. */
globalThis.Worker = class {
  constructor(address) {
    this.started = resolveObjectURL(address).text().then((text) => {
      const thread = new Thread(`const { parentPort } = require("node:worker_threads");
        globalThis.self = { Uint8Array, Int32Array, Float32Array, Float64Array,
          postMessage: (value, list) => parentPort.postMessage(value, list) };
        parentPort.on("message", (data) => self.onmessage({ data }));
        ${text}`, { eval: true });
      thread.on("message", (data) => this.onmessage({ data }));
      thread.unref();
      return thread;
    });
  }

  postMessage(value, list) { this.started.then((thread) => thread.postMessage(value, list)); }

  terminate() { this.started.then((thread) => thread.terminate()); }
};
