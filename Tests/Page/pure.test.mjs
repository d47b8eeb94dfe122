// What the page's script computes itself: places on a canvas, words, what is chosen.
import assert from "node:assert/strict";
import test from "node:test";
import "./page.mjs";

const script = "../../Sources/Page/Script";
const drawing = await import(`${script}/drawing.js`);
const text = await import(`${script}/text.js`);
const { canRun, hasFigures, model, usesOf, valuesOf } = await import(`${script}/model.js`);
const store = await import(`${script}/store.js`);
const { personOf, sumsByPerson, countFlips, flipWords } = await import(`${script}/results.js`);
const { sliderRange } = await import(`${script}/parameters.js`);
const { errors } = await import(`${script}/errors.js`);
const { plot, setRange, zoom } = await import(`${script}/view.js`);

test("numbers as text", () => {
  assert.equal(text.fixed(null, 1), "–");
  assert.equal(text.fixed(NaN, 1), "–");
  assert.equal(text.share(0.12345), "0.123");
  assert.equal(text.rate(9.96), "10.0");
  assert.equal(text.rate(123.4), "123");
  assert.equal(text.counted(1, "trace"), "1 trace");
  assert.equal(text.counted(0, "trace"), "0 traces");
  assert.equal(text.lasting(999), "999 s");
  assert.equal(text.lasting(1200), "20 min");
  assert.equal(text.lasting(36000), "10.0 h");
  assert.equal(text.distanceName(2000), "2 km");
  assert.equal(text.distanceName(1609.344), "1 mi");
  assert.equal(text.short(12.34567), 12.35);
  assert.equal(text.shown(1, { kind: "flag" }), "true");
  assert.equal(text.shown(1, { kind: "choice", choices: ["x", "y"] }), "y");
  assert.deepEqual([text.isSet(0), text.isSet(null), text.isSet(Infinity)], [true, false, false]);
});

test("the least and the greatest value of a stretch", () => {
  const values = Float32Array.from({ length: 5000 }, (_, index) => Math.sin(index * 12.9898) * 100);
  const levels = drawing.pyramid(values);
  assert.ok(levels.length > 1 && levels.at(-1).low.length <= 512);
  for (const [start, end] of [[0, 1], [7, 9], [0, 5000], [123, 4567], [4000, 4100]]) {
    const [low, high] = drawing.extremes(levels, start, end);
    const part = values.slice(start, end);
    assert.ok(low <= Math.min(...part) && high >= Math.max(...part), `${start} ${end}`);
  }
  assert.deepEqual(drawing.extremes(levels, 0, 5000), [Math.min(...values), Math.max(...values)]);
});

test("the first time at or after one", () => {
  const times = [0, 1, 1, 2, 5];
  for (const time of [-1, 0, 0.5, 1, 3, 5, 6]) {
    const expected = times.findIndex((one) => one >= time);
    assert.equal(drawing.firstAtLeast(times, time), expected < 0 ? times.length : expected);
  }
});

test("round marks of an axis", () => {
  assert.deepEqual(drawing.steps(0, 10, 5), { marks: [0, 2, 4, 6, 8, 10], digits: 0 });
  // 50 years from the start, a step of a nanosecond is nothing; nor is one of 1 at 1e17.
  assert.equal(drawing.steps(1576800000, 1576800000 + 3e-7, 8).marks.length, 9);
  assert.equal(drawing.steps(1e17, 1e17 + 16, 4).marks.length, 5);
  const { marks, digits } = drawing.steps(0.13, 0.31, 4);
  assert.deepEqual(marks.map((one) => one.toFixed(digits)), ["0.15", "0.20", "0.25", "0.30"]);
});

test("times go to the canvas and back", () => {
  const { x, y, time, inner } = drawing.scales({ from: 5, to: 25, top: 40 }, 852, 340);
  assert.equal(inner, 800);
  assert.equal(x(5), drawing.AREA.left);
  assert.equal(x(25), 852 - drawing.AREA.right);
  assert.equal(y(0), 340 - drawing.AREA.bottom);
  assert.equal(y(40), drawing.AREA.top);
  for (const at of [5, 11.25, 25]) assert.ok(Math.abs(time(x(at)) - at) < 1e-12);
});

test("the parameters of a run", () => {
  const [run, other] = model.runs;
  assert.deepEqual(valuesOf(run, store.AS_RUN), [20, 0.3]);
  assert.deepEqual(valuesOf(run, { preset: 1, changes: new Map() }), [26, 0.4]);
  assert.deepEqual(valuesOf(other, { preset: 1, changes: new Map([[0, 7]]) }), [7, 0.4]);
  assert.deepEqual([canRun(run), canRun(other), hasFigures(other)], [true, false, false]);
  assert.equal(usesOf({ uses: "a3r1s2" }), "aaarss");
});

test("what is chosen", () => {
  assert.equal(store.isChanged(), false);
  const { generation, view } = store.state;
  store.changeField(0, 31);
  assert.ok(store.isChanged());
  store.usePreset(1);
  assert.equal(store.state.changes.size, 0);
  assert.equal(store.enterRun(1), view + 1);
  assert.equal(store.state.error, -1);
  store.enterEntry(0);
  assert.deepEqual([store.state.preset, store.state.app, store.isChanged()], [null, null, false]);
  assert.equal(store.state.generation, generation + 1);
  store.enterApp(2);
  assert.equal(store.state.app, 2);
  store.enterEntry(0);
  store.enterRun(0);
});

test("sums of people", () => {
  const results = new Map([[0, { hits: 1, misses: 2, alarms: 3, hours: 0.5 }], [1, { hits: 4, misses: 0, alarms: 1, hours: 1 }]]);
  assert.deepEqual([personOf(0), personOf(1)], ["anna", "trace 1"]);
  assert.deepEqual(sumsByPerson(results), [[1, 2, 3, 0.5], [4, 0, 1, 1]]);
});

test("flips in words", () => {
  const none = countFlips({ found: [], lost: [], more: [], fewer: [] });
  assert.equal(flipWords(none), "");
  assert.equal(flipWords(countFlips({ found: [1], lost: [2, 3], more: [0], fewer: [] })),
    "1 found that was missed, 2 missed that were found, 1 new false alarm");
});

test("the range of a slider", () => {
  assert.deepEqual(sliderRange({ low: 0, high: 200 }, 30), [0, 90]);
  assert.deepEqual(sliderRange({ low: 0, high: 200 }, 0), [0, 0.2]);
});

test("the errors of a run in the order of time", () => {
  plot.labels = [{ onset: 1e9, offset: 1e9, label: "jab" }, { onset: 3e9, offset: 3e9, label: "" }];
  plot.result = { isScored: true, references: [1, 0], onsets: [0.5, 2, 3, 4], outcomes: [1, 2, 0, 3], peaks: [20, NaN, 30, 40] };
  assert.deepEqual(errors().map(({ time, kind, text: words }) => [time, kind, words]),
    [[0.5, "false alarm", "20.0"], [1, "missed", "jab"], [2, "duplicate", ""]]);
  Object.assign(plot, { labels: [], result: null });
});

test("the stretch that is shown stays within the trace", () => {
  plot.whole = 60;
  setRange(-5, 10);
  assert.deepEqual([plot.from, plot.to], [0, 15]);
  zoom(0.5, 5);
  assert.deepEqual([plot.from, plot.to], [2.5, 10]);
  setRange(59, 59.01);
  assert.ok(Math.abs(plot.to - plot.from - 0.2) < 1e-9 && plot.to <= 60);
});
