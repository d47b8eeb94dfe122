// Modules that do not end, trap, grow or answer nonsense: each call ends with a message, and the next ones work.
import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { hostile } from "./hostile.mjs";
import { module, texts } from "./page.mjs";

const { core, without } = await import("../../Sources/Page/Script/core.js");
const { model } = await import("../../Sources/Page/Script/model.js");
const results = await import("../../Sources/Page/Script/results.js");
const { actions } = await import("../../Sources/Page/Script/store.js");

const LOOP = [3, 64, 12, 0, 11, 0];
const TRAP = [0];
// Grows by 256 pages and writes to their end, as long as there is more.
const GROW = [3, 64, 65, 128, 2, 64, 0, 26, 63, 0, 65, 16, 116, 65, 4, 107, 65, 1, 54, 2, 0, 12, 0, 11, 0];
const number = (value) => [65, value & 127 | 128, value >> 7 & 127 | 128, value >> 14 & 127 | 128, value >> 21 & 127 | 128, value >> 28 & 127];
texts["trace-0"] = gzipSync(Uint8Array.of(1, 2, 3, 4)).toString("base64");
const [run] = model.runs;

/** Runs it where a second of the page takes 20 ms. */
async function hurried(what) {
  const { setInterval } = globalThis;
  globalThis.setInterval = (tick, time) => setInterval(tick, time / 50);
  try { return await what(); } finally { globalThis.setInterval = setInterval; }
}

texts.module = await hostile(module, { open: number(0), run: LOOP, signal: GROW, zones: TRAP, readPlaces: number(-1),
  labels: number(20000000), percentiles: number(0x7ffffff0), openCurve: number(0), curveStep: number(7), values: number(-8) });
await core.start();

const curve = { thresholds: [1, 2], true_positives: [1, 0], false_positives: [1, 0] };
for (const [name, place, call, found] of [
  ["does not end", "signal of a", () => core.signal(0, 0), /^(none|a trap: memory access out of bounds)$/],
  ["traps", "zones of a", () => core.zones(0), /^a trap: unreachable$/],
  ["finds less than nothing", "places of a", () => core.places(0), /^a column of -3 elements$/],
  ["finds more than there is", "labels of a", () => core.labels(0, "punch"), /^a column of 20000000 elements$/],
  ["has a column outside of its memory", "percentiles", () => core.percentiles([1]), /Invalid|outside/],
  ["finds a step that does not exist", "curveStep", () => core.step(curve, 1), /^step 7 of 2$/],
  ["reads parameters outside of its memory", "uses of punch", () => core.uses(run, [1]), /Invalid|outside|multiple/],
]) {
  test(`a function that ${name}`, async () => {
    await core.load(0);
    const failing = () => call().catch((error) => error.message);
    const reason = await (name === "does not end" ? hurried(failing) : failing());
    const [, where, what] = reason.match(/^(.+) in the module: expected an answer within 10 s, found (.+); the page goes on without it\. Correct /);
    assert.equal(where, place);
    assert.match(what, found);
    // Another call gets a Worker of its own; the same one is not made again.
    assert.equal((await core.estimates([[8, 2, 4, 1], [9, 1, 2, 2]]))[0].value, 0.85);
    assert.equal(await Promise.race([call().catch((error) => error.message), core.estimates([[1, 1, 1, 1]])]), reason);
    assert.equal(core.faults.get(place), reason);
    assert.equal(await call().catch(without("none")), "none");
  });
}

test("a detector that does not end is off, and its figures are those of the run", async () => {
  const chosen = [];
  actions.choose = async (entry) => { chosen.push(entry); };
  texts.module = await hostile(module, { open: number(0), run: LOOP });
  await core.start();
  await core.load(0);
  assert.equal(await hurried(() => results.now(0)), null);
  const [entry] = model.entries;
  assert.deepEqual([entry.is_runnable, chosen], [false, [0]]);
  assert.match(entry.refused, /^The module failed/);
  assert.match(core.faults.get("run of punch"), /^run of punch in the module: expected an answer within 10 s, found none; /);
});

test("a module that does not start", async () => {
  texts.module = gzipSync(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).toString("base64");
  await assert.rejects(core.start(), /^Error: start of the module: expected .+, found a module without a memory; /);
  globalThis.Worker = class { postMessage() { setTimeout(() => this.onerror({ preventDefault() {} })); } terminate() {} };
  await assert.rejects(core.start(), /found no Worker, which a page needs/);
});
