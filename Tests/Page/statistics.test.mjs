// The statistics of the module that is committed, compared with rules written down once more.
import assert from "node:assert/strict";
import test from "node:test";
import "./page.mjs";

const { core } = await import("../../Sources/Page/Script/core.js");
await core.start();

function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test("the step of a curve", async () => {
  const curve = { thresholds: [10, 20, 40], true_positives: [3, 2, 1], false_positives: [5, 1, 0], upper: 60, references: 4,
    scored_nanoseconds: 3.6e12, is_exact: true };
  assert.deepEqual(await Promise.all([5, 10, 19, 20, 60, 61].map((one) => core.step(curve, one))), [-1, 0, 0, 1, 2, -1]);
  // Of thresholds that were only tried the nearest, the higher of two.
  const tried = { ...curve, is_exact: false, upper: 40 };
  assert.deepEqual(await Promise.all([5, 10, 14, 15, 30, 29, 40, 41].map((one) => core.step(tried, one))), [0, 0, 0, 1, 2, 1, 2, -1]);
});

/** A person's recall without each one, and the spread of that. */
function jackknife(people) {
  const [found, all] = people.reduce(([a, b], [hits, count]) => [a + hits, b + count], [0, 0]);
  const left = people.map(([hits, count]) => (found - hits) / (all - count));
  const mean = left.reduce((sum, one) => sum + one, 0) / left.length;
  return Math.sqrt(((left.length - 1) / left.length) * left.reduce((sum, one) => sum + (one - mean) ** 2, 0));
}

test("the best threshold in the budget, and its plateau", async () => {
  const next = random(7);
  for (let round = 0; round < 40; round += 1) {
    const thresholds = Array.from({ length: 12 }, (_, place) => 10 + 5 * place);
    const recordings = Array.from({ length: 5 }, (_, person) => ({ person, hours: 1, references: 40,
      hits: thresholds.map((one) => Math.max(0, Math.min(40, Math.round(42 - one / 4 - 8 * next())))),
      alarms: thresholds.map((one) => Math.round((80 - one) * next())) }));
    const budget = 40 * next();
    const recall = thresholds.map((_, place) => recordings.reduce((sum, one) => sum + one.hits[place], 0) / 200);
    const rate = thresholds.map((_, place) => recordings.reduce((sum, one) => sum + one.alarms[place], 0) / 5);
    const allowed = thresholds.map((_, place) => place).filter((place) => rate[place] <= budget);
    const choice = await core.choice(budget, thresholds, recordings);
    if (!allowed.length) { assert.equal(choice, null); continue; }
    const best = allowed.reduce((most, place) => (recall[most] >= recall[place] ? most : place));
    assert.equal(choice.best, thresholds[best]);
    assert.equal(choice.recall, recall[best]);
    assert.ok(Math.abs(choice.rate - rate[best]) < 1e-9);
    const error = jackknife(recordings.map(({ hits }) => [hits[best], 40]));
    const least = recall[best] - Math.min(error, 0.02 * recall[best]);
    assert.ok(Math.abs(choice.least - least) < 1e-12);
    let [widest, run] = [[], []];
    const width = (some) => (some.length ? thresholds[some.at(-1)] - thresholds[some[0]] : -1);
    thresholds.forEach((_, place) => {
      run = allowed.includes(place) && recall[place] >= choice.least ? [...run, place] : [];
      if (width(run) > width(widest)) widest = run;
    });
    assert.deepEqual([choice.lower, choice.upper], [thresholds[widest[0]], thresholds[widest.at(-1)]]);
  }
});

test("of one person the standard error is that of a proportion", async () => {
  const choice = await core.choice(10, [1, 2], [{ person: 0, hours: 1, references: 1000, hits: [999, 900], alarms: [1, 1] }]);
  const [p, all, square] = [0.999, 1000, 1.959963984540054 ** 2];
  const half = Math.sqrt((p * (1 - p)) / all + square / (4 * all * all)) / (1 + square / all);
  assert.ok(Math.abs(0.999 - choice.least - half) < 1e-12);
});

test("nothing is chosen where nothing is found or allowed", async () => {
  const recording = { person: 0, hours: 1, references: 10, hits: [0, 0], alarms: [0, 0] };
  assert.equal(await core.choice(10, [1, 2], [recording]), null);
  assert.equal(await core.choice(1, [1, 2], [{ ...recording, hits: [5, 5], alarms: [9, 9] }]), null);
  assert.equal(await core.choice(1, [], []), null);
  await assert.rejects(core.choice(1, [2, 1], [recording]), /expected counts by threshold/);
});

const run = (early, late) => ({ tolerance_early: early, tolerance_late: late });
const result = (detections, references = []) => ({ onsets: detections.map(([onset]) => onset),
  emitted: detections.map(([onset]) => onset + 0.1), peaks: detections.map(() => null),
  outcomes: detections.map(([, outcome]) => outcome), places: detections.map(([, , place]) => place ?? null), references });

test("flips of references", async () => {
  const flips = await core.flips(run(0.2, 0.2), result([], [0, 1, 2, 1, 0]), result([], [1, 0, 2, 1, 2]));
  assert.deepEqual(flips, { found: [1], lost: [0], more: [], fewer: [] });
});

test("an alarm that has moved within the tolerance is the same", async () => {
  const old = result([[1, 1], [2, 0], [5, 2], [9, 1]]);
  const fresh = result([[1.2, 1], [2, 1], [5.3, 1], [9, 1]]);
  assert.deepEqual(await core.flips(run(0.2, 0.1), old, fresh), { found: [], lost: [], more: [1, 2], fewer: [2] });
  // Without a tolerance, a second; of none, equal ones.
  assert.deepEqual(await core.flips(run(undefined, undefined), old, fresh), { found: [], lost: [], more: [1], fewer: [] });
  assert.deepEqual(await core.flips(run(0, 0), old, fresh), { found: [], lost: [], more: [0, 1, 2], fewer: [0, 2] });
});

test("equal alarms come first, and alarms of two places are two", async () => {
  assert.deepEqual(await core.flips(run(1, 1), result([[0, 1], [0.5, 1]]), result([[0.5, 1]])), { found: [], lost: [], more: [], fewer: [0] });
  assert.deepEqual(await core.flips(run(1, 1), result([[0, 1, 3]]), result([[0.5, 1, 4]])), { found: [], lost: [], more: [0], fewer: [0] });
});

test("recall, precision and false alarms per hour", async () => {
  const [recall, precision, rate] = await core.estimates([[8, 2, 4, 1], [9, 1, 2, 2]]);
  assert.deepEqual([recall.value, precision.value, rate.value], [17 / 20, 17 / 23, 2]);
  for (const one of [recall, precision, rate]) assert.ok(one.lower < one.value && one.value < one.upper);
});
