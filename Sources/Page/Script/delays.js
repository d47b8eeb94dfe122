// @ts-check
import { core } from "./core.js";
import { axes, color, prepared, steps } from "./drawing.js";
import { byId, make, number } from "./elements.js";
import { redraws } from "./store.js";
import { clamp, counted, fixed } from "./text.js";

/**
 * The share of references that are reported within a delay, over a histogram of the hits.
 * @param {Map<number, import("./core.js").Result>} results
 */
export async function drawDelays(results) {
  const box = byId("delay-box");
  const all = [...results.values()].flatMap((result) => [...result.delays]).sort((a, b) => a - b);
  const missed = [...results.values()].reduce((sum, result) => sum + result.misses, 0);
  box.hidden = all.length < 2;
  const again = () => drawDelays(results);
  redraws.delays = again;
  box.ontoggle = again;
  if (box.hidden || !box.open) return;
  const [first, half, most90, last] = await core.percentiles(all);
  if (redraws.delays !== again) return;
  const unit = Math.abs(most90) < 0.1 ? 3 : Math.abs(most90) < 10 ? 2 : 0;
  const text = (time) => `${fixed(time, unit).replace("-", "−")} s`;
  byId("delay-text").textContent = `Of ${counted(all.length, "hit")}: half within ${text(half)} of the`
    + ` reference, p90 ${text(most90)}, p99 ${text(last)}; ${counted(missed, "reference")} missed.`;
  const { context, width, height } = prepared(byId("delays"), 200);
  const [left, right, bottom] = [44, width - 12, height - 34];
  const span = last - first;
  const [from, to] = [Math.min(first - 0.1 * span, 0), last + 0.15 * span + 1e-3];
  const x = (time) => left + ((clamp(time, from, to) - from) / (to - from)) * (right - left);
  const y = (part) => bottom - part * (bottom - 16);
  const bins = new Array(Math.min(40, Math.max(8, Math.floor(Math.sqrt(all.length))))).fill(0);
  for (const time of all) {
    bins[clamp(Math.floor(((time - from) / (to - from)) * bins.length), 0, bins.length - 1)] += 1;
  }
  const most = Math.max(...bins);
  context.fillStyle = color("--chosen");
  bins.forEach((count, place) => {
    const [start, end] = [place, place + 1].map((at) => left + (at / bins.length) * (right - left));
    context.fillRect(start + 0.5, y(0.9 * count / most), Math.max(end - start - 1, 1), bottom - y(0.9 * count / most));
  });
  axes(context, { x, y, left, right, bottom, times: steps(from, to, Math.max(2, width / 130)), shares: [0, 0.5, 1] });
  context.textAlign = "center"; context.fillText("from the reference to the report, s", (left + right) / 2, height - 4);
  context.textAlign = "left"; context.fillText("share of all references reported within the delay (bars: histogram)", left, 10);
  context.strokeStyle = color("--hit"); context.lineWidth = 2;
  context.beginPath(); context.moveTo(x(from), y(0));
  all.forEach((time, place) => {
    context.lineTo(x(time), y(place / (all.length + missed))); context.lineTo(x(time), y((place + 1) / (all.length + missed)));
  });
  context.lineTo(x(to), y(all.length / (all.length + missed)));
  context.stroke();
}

/**
 * The detected classes of the hits.
 * @param {Map<number, import("./core.js").Result>} results
 */
export function confusionTable(results) {
  const box = byId("confusion");
  const sums = new Map();
  const [rows, columns] = [new Set(), new Set()];
  for (const { confusion } of results.values()) {
    confusion.classes.forEach((row, at) => confusion.classes.forEach((column, place) => {
      const count = confusion.counts[at * confusion.classes.length + place];
      if (!count) return;
      rows.add(row); columns.add(column);
      const key = JSON.stringify([row, column]);
      sums.set(key, (sums.get(key) || 0) + count);
    }));
  }
  // Without classes if all hits have the same label.
  if (columns.size < 2) { box.replaceChildren(); return; }
  const inOrder = (names) => [...names].sort();
  const name = (text) => text || "no class";
  box.replaceChildren(make("details", {}, make("summary", {}, "Hits by class"), make("div", { className: "scroll" },
    make("table", { className: "narrow" }, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Reference \\ detected"),
      ...inOrder(columns).map((column) => make("th", { scope: "col", className: "number" }, name(column))))),
    make("tbody", {}, ...inOrder(rows).map((row) => make("tr", {}, make("th", { scope: "row" }, name(row)),
      ...inOrder(columns).map((column) => number(String(sums.get(JSON.stringify([row, column])) || 0))))))))));
}
