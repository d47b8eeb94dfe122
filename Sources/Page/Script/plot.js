// @ts-check
import { drawApp } from "./apps.js";
import { AREA, color, cross, dot, extremes, firstAtLeast, hatch, prepared, ring, scales, steps } from "./drawing.js";
import { changed } from "./errors.js";
import { chosenLabel } from "./labels.js";
import { drawMap } from "./map.js";
import { valuesOf } from "./model.js";
import { entryOf, runOf, state } from "./store.js";
import { clamp, isSet } from "./text.js";
import { plot } from "./view.js";

export function draw() {
  if (state.app !== null) { drawApp(); return; }
  if (!plot.canvas || !plot.signal) return;
  if (plot.signal.latitudes) { drawMap(); return; }
  const { context, width, height } = prepared(plot.canvas, 340);
  const { x, y, inner } = scales(plot, width, height);
  const bottom = height - AREA.bottom;
  context.save();
  context.beginPath(); context.rect(AREA.left, 0, inner, height); context.clip();
  for (const [from, to] of plot.zones) hatch(context, x(from), x(to), AREA.top, bottom);
  context.fillStyle = color("--zone");
  for (const [from, to] of plot.gaps) context.fillRect(x(from), AREA.top, Math.max(1, x(to) - x(from)), bottom - AREA.top);
  drawReferences(context, x, bottom);
  const flipped = changed();
  drawFlips(context, x, bottom, flipped);
  drawSignal(context, x, y, inner);
  drawThreshold(context, y, width);
  drawDetections(context, x, y);
  nameFlips(context, x, width, flipped);
  context.restore();
  drawAxes(context, x, y, width, bottom);
}

/**
 * Where the base and the head differ.
 * @param {CanvasRenderingContext2D} context
 * @param {(value: number) => number} x
 * @param {number} bottom
 * @param {{ time: number, kind: string }[]} all
 */
function drawFlips(context, x, bottom, all) {
  context.fillStyle = color("--flip"); context.globalAlpha = 0.7;
  for (const { time } of all) context.fillRect(x(time) - 5, AREA.top, 10, bottom - AREA.top);
  context.globalAlpha = 1;
}

/**
 * In words, where there is room for them.
 * @param {CanvasRenderingContext2D} context
 * @param {(value: number) => number} x
 * @param {number} width
 * @param {{ time: number, kind: string }[]} all
 */
function nameFlips(context, x, width, all) {
  const seen = all.filter(({ time }) => time >= plot.from && time <= plot.to);
  if (seen.length > 12) return;
  context.fillStyle = color("--ink"); context.textAlign = "center";
  context.strokeStyle = color("--paper"); context.lineWidth = 4; context.lineJoin = "round";
  let last = -Infinity;
  for (const { time, kind } of seen) {
    if (x(time) - last < 100) continue;
    last = x(time);
    const at = clamp(last, AREA.left + 50, width - 58);
    context.strokeText(kind, at, AREA.top + 12); context.fillText(kind, at, AREA.top + 12);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {(value: number) => number} x
 * @param {number} bottom
 */
function drawReferences(context, x, bottom) {
  const run = runOf();
  const [early, late] = [run.tolerance_early || 0, run.tolerance_late || 0];
  const first = firstLabel(plot.from - late);
  // A pixel has one line of each kind, however many references it has.
  const lines = { "--quiet": new Set(), "--hit": new Set(), "--miss": new Set() };
  let covered = -Infinity;
  context.fillStyle = color("--chosen");
  for (let index = first; index < plot.labels.length; index += 1) {
    const [onset, offset] = [plot.labels[index].onset / 1e9, plot.labels[index].offset / 1e9];
    if (onset - early > plot.to) break;
    const [from, to] = [Math.max(covered, x(onset - early)), x(offset + late)];
    if (to > from) { context.fillRect(from, AREA.top, Math.max(1, to - from), bottom - AREA.top); covered = to; }
    const outcome = plot.result && plot.result.references[index];
    lines[outcome === undefined || outcome === null ? "--quiet" : outcome === 1 ? "--miss" : "--hit"].add(Math.round(x(onset)));
  }
  for (const [name, places] of Object.entries(lines)) {
    context.strokeStyle = color(name); context.lineWidth = 1;
    context.beginPath();
    for (const at of places) { context.moveTo(at, AREA.top); context.lineTo(at, bottom); }
    context.stroke();
  }
  for (const at of lines["--miss"]) ring(context, at, 14);
  const chosen = chosenLabel();
  if (chosen) {
    context.strokeStyle = color("--ink"); context.lineWidth = 3;
    context.beginPath(); context.moveTo(x(chosen.onset / 1e9), AREA.top); context.lineTo(x(chosen.onset / 1e9), bottom);
    context.stroke();
  }
}

/**
 * The first label that may be seen; an interval may have begun long before.
 * @param {number} time
 */
function firstLabel(time) {
  let first = firstAtLeast(plot.labelTimes, time);
  while (first > 0 && plot.labels[first - 1].offset / 1e9 >= time) first -= 1;
  return first;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {(value: number) => number} x
 * @param {(value: number) => number} y
 * @param {number} inner
 */
function drawSignal(context, x, y, inner) {
  const { times } = plot.signal;
  const [first, last] = [Math.max(0, firstAtLeast(times, plot.from) - 1),
    Math.min(times.length, firstAtLeast(times, plot.to) + 1)];
  context.strokeStyle = color("--signal"); context.lineWidth = 1;
  context.beginPath();
  if (last - first < 3 * inner) {
    let gap = true;
    for (let index = first; index < last; index += 1) {
      if (index > first && times[index] - times[index - 1] > 3 * plot.interval) gap = true;
      if (gap) context.moveTo(x(times[index]), y(plot.signal.values[index]));
      else context.lineTo(x(times[index]), y(plot.signal.values[index]));
      gap = false;
    }
  } else {
    let start = first;
    for (let pixel = 0; pixel < inner; pixel += 1) {
      const until = plot.from + ((pixel + 1) / inner) * (plot.to - plot.from);
      const end = Math.max(start, Math.min(last, firstAtLeast(times, until)));
      if (end > start) {
        const [low, high] = extremes(plot.levels, start, end);
        context.moveTo(AREA.left + pixel + 0.5, y(low));
        context.lineTo(AREA.left + pixel + 0.5, y(high) - 0.5);
      }
      start = end;
    }
  }
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {(value: number) => number} y
 * @param {number} width
 */
function drawThreshold(context, y, width) {
  const field = entryOf().threshold;
  if (!isSet(field) || entryOf().fields[field].unit !== "m/s2") return;
  const value = valuesOf(runOf(), state)[field];
  context.strokeStyle = color("--threshold"); context.lineWidth = 1.5; context.setLineDash([6, 4]);
  context.beginPath(); context.moveTo(AREA.left, y(value)); context.lineTo(width, y(value)); context.stroke();
  context.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {(value: number) => number} x
 * @param {(value: number) => number} y
 */
function drawDetections(context, x, y) {
  const { result } = plot;
  if (!result) return;
  const seen = new Set();
  result.onsets.forEach((onset, index) => {
    if (onset < plot.from || onset > plot.to) return;
    const at = [x(onset), y(Math.min(valueNear(onset), plot.top))];
    const place = `${Math.round(at[0])} ${Math.round(at[1])} ${result.outcomes[index]}`;
    if (seen.has(place)) return;
    seen.add(place);
    const outcome = result.outcomes[index];
    if (outcome === 0 || outcome === undefined) {
      dot(context, at[0], at[1], 4);
    } else if (outcome !== 3) cross(context, at[0], at[1], outcome === 2 ? 3 : 5);
  });
}

/**
 * @param {number} time
 */
function valueNear(time) {
  const { times, values } = plot.signal;
  if (!times.length) return 0;
  const place = firstAtLeast(times, time);
  return values[Math.min(place, values.length - 1)];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {(value: number) => number} x
 * @param {(value: number) => number} y
 * @param {number} width
 * @param {number} bottom
 */
function drawAxes(context, x, y, width, bottom) {
  context.fillStyle = color("--quiet"); context.strokeStyle = color("--line"); context.lineWidth = 1;
  context.textAlign = "center";
  const time = steps(plot.from, plot.to, Math.max(2, width / 110));
  for (const mark of time.marks) {
    if (x(mark) > AREA.left + 12) context.fillText(`${mark.toFixed(time.digits)} s`, Math.min(x(mark), width - 18), bottom + 15);
  }
  // Heartbeats and touches have no size.
  const { unit } = entryOf();
  if (!unit) return;
  context.textAlign = "right";
  const value = steps(0, plot.top, 4);
  for (const mark of value.marks) context.fillText(mark.toFixed(value.digits), AREA.left - 6, y(mark) + 4);
  context.textAlign = "left";
  context.fillText(unit === "m/s2" ? "m/s²" : unit, 4, 12);
}
