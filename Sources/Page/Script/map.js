// @ts-check
import { core, without } from "./core.js";
import { color, cross, dot, firstAtLeast, prepared, ring } from "./drawing.js";
import { byId, make } from "./elements.js";
import { canRun, model, valuesOf } from "./model.js";
import { runOf, state } from "./store.js";
import { counted, distanceName, isSet } from "./text.js";
import { isMap, plot } from "./view.js";

/** @param {import("./view.js").MapView} [map] */
export function drawMap(map = { ...plot, path: model.traces[runOf().trace].true_path }) {
  const { context, width, height } = prepared(map.canvas, 420);
  const { latitudes, longitudes, accuracies, times } = map.signal;
  const valid = [];
  for (let index = 0; index < times.length; index += 1) {
    if (Number.isFinite(latitudes[index]) && Number.isFinite(longitudes[index]) && !(accuracies[index] < 0)) valid.push(index);
  }
  if (!valid.length) { context.fillStyle = color("--quiet"); context.fillText("No valid fix.", 12, 20); return; }
  const middle = (column) => {
    let [low, high] = [Infinity, -Infinity];
    for (const index of valid) { low = Math.min(low, column[index]); high = Math.max(high, column[index]); }
    return [low, high];
  };
  const [south, north] = middle(latitudes);
  const [west, east] = middle(longitudes);
  const metres = 111194.9;
  const narrow = Math.cos(((south + north) / 2) * (Math.PI / 180));
  const [wide, high] = [(east - west) * metres * narrow + 20, (north - south) * metres + 20];
  const scale = Math.min((width - 40) / wide, (height - 50) / high) * map.zoom;
  const across = (longitude) => width / 2 + map.shift[0] + (longitude - (west + east) / 2) * metres * narrow * scale;
  const upward = (latitude) => height / 2 + map.shift[1] - (latitude - (south + north) / 2) * metres * scale;
  const [x, y] = [(index) => across(longitudes[index]), (index) => upward(latitudes[index])];
  context.strokeStyle = color("--threshold"); context.lineWidth = 1.5; context.setLineDash([5, 4]);
  for (const place of map.places) {
    context.beginPath(); context.arc(across(place.longitude), upward(place.latitude), Math.max(place.radius * scale, 2), 0, 7);
    context.stroke();
  }
  context.setLineDash([]);
  context.strokeStyle = color("--line"); context.lineWidth = 1;
  if (valid.length < 2000 || map.zoom > 4) {
    for (const index of valid) {
      const radius = accuracies[index] * scale;
      if (!(radius > 3) || radius > width) continue;
      context.beginPath(); context.arc(x(index), y(index), radius, 0, 7); context.stroke();
    }
  }
  drawTruePath(context, across, upward, map.path);
  const used = map.uses && valid.some((index) => map.uses[index] === "a")
    ? valid.filter((index) => map.uses[index] === "a") : valid;
  context.strokeStyle = color("--hit"); context.lineWidth = 1.6;
  context.beginPath();
  used.forEach((index, place) => (place ? context.lineTo(x(index), y(index)) : context.moveTo(x(index), y(index))));
  context.stroke();
  drawRejected(context, x, y, valid, map.uses);
  drawOnMap(context, x, y, map);
  const unit = 10 ** Math.floor(Math.log10(140 / scale));
  const length = [5, 2, 1].map((factor) => factor * unit).find((one) => one * scale <= 140);
  context.fillStyle = color("--ink"); context.fillRect(16, height - 18, length * scale, 2);
  context.fillText(length >= 1000 ? `${length / 1000} km` : `${length} m`, 16, height - 24);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {(degrees: number) => number} across
 * @param {(degrees: number) => number} upward
 * @param {number[] | undefined} path
 */
function drawTruePath(context, across, upward, path) {
  if (!path) return;
  context.strokeStyle = color("--truth"); context.lineWidth = 8; context.lineJoin = "round";
  context.beginPath();
  for (let place = 0; place < path.length; place += 2) context.lineTo(across(path[place + 1]), upward(path[place]));
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {(value: number) => number} x
 * @param {(value: number) => number} y
 * @param {number[]} valid
 * @param {string | null} uses
 */
function drawRejected(context, x, y, valid, uses) {
  if (!uses) return;
  context.strokeStyle = color("--quiet"); context.lineWidth = 1.5;
  context.beginPath();
  for (const index of valid) {
    if (uses[index] !== "r") continue;
    context.moveTo(x(index) - 3, y(index)); context.lineTo(x(index) + 3, y(index));
    context.moveTo(x(index), y(index) - 3); context.lineTo(x(index), y(index) + 3);
  }
  context.stroke();
}

/** @returns {Promise<Partial<typeof plot>>} How the open run uses the fixes of its map. */
export const readUses = async () => (isMap() && canRun(runOf())
  ? core.uses(runOf(), valuesOf(runOf(), state)).catch(without({})) : {});

// What is drawn on the map, with the counts of fixes.
export function mapLegend() {
  const box = byId("map-legend");
  box.hidden = !(plot.signal && plot.signal.latitudes);
  if (box.hidden) return;
  const count = (use) => [...(plot.uses || "")].filter((one) => one === use).length;
  const part = (name, text) => make("span", {}, make("i", { className: name }), text);
  const fixes = plot.uses ? `${count("a")} accepted fixes` : "fixes";
  box.replaceChildren(...[
    model.traces[runOf().trace].true_path ? part("truth", "true path") : null, part("fixes", fixes),
    count("r") ? part("rejected", `+ ${counted(count("r"), "rejected fix").replace("fixs", "fixes")}`) : null,
    count("s") ? part("", `${count("s")} skipped: in a pause, or too near`) : null].filter(Boolean));
}

/**
 * What was found, missed and wrong, where the device was at that time; of a track, its splits.
 * @param {CanvasRenderingContext2D} context
 * @param {(value: number) => number} x
 * @param {(value: number) => number} y
 * @param {import("./view.js").MapView} map
 */
function drawOnMap(context, x, y, map) {
  const { times } = map.signal;
  /**
   * @param {number} time
   * @returns {[number, number]}
   */
  const at = (time) => {
    const index = Math.min(firstAtLeast(times, time), times.length - 1);
    return [x(index), y(index)];
  };
  if (map.events) { drawEventsOnMap(context, at, map.events); return; }
  plot.onMap = at;
  if (!plot.result) return;
  if (!plot.result.isScored) {
    context.fillStyle = color("--ink"); context.textAlign = "left";
    // One of those that would stand on each other; zooming shows the others.
    const kept = [];
    const { clientWidth: width, clientHeight: height } = context.canvas;
    plot.result.onsets.forEach((onset, index) => {
      const [left, top] = at(onset);
      if (left < 0 || left > width || top < 0 || top > height) return;
      if (kept.some((one) => Math.abs(one[0] - left) < 56 && Math.abs(one[1] - top) < 16)) return;
      kept.push([left, top]);
      context.fillRect(left - 3, top - 3, 6, 6);
      const name = distanceName(plot.result.peaks[index]);
      const long = context.measureText(name).width + 6;
      context.fillText(name, left + long > width ? left - long : left + 6, top + 4);
    });
    return;
  }
  plot.result.onsets.forEach((onset, index) => {
    const [left, top] = at(onset);
    if (plot.result.outcomes[index] === 0) dot(context, left, top, 5);
    else if (plot.result.outcomes[index] !== 3) cross(context, left, top, 5);
  });
  plot.result.references.forEach((outcome, index) => {
    if (outcome === 1 && plot.labels[index]) ring(context, ...at(plot.labels[index].onset / 1e9));
  });
  if (plot.chosen && isSet(plot.chosen.time)) {
    context.strokeStyle = color("--ink"); context.lineWidth = 2;
    context.beginPath(); context.arc(...at(plot.chosen.time), 12, 0, 7); context.stroke();
  }
}

/**
 * Names where they do not hide each other.
 * @param {CanvasRenderingContext2D} context
 * @param {(time: number) => number[]} at
 * @param {import("./view.js").ShownEvent[]} events
 */
function drawEventsOnMap(context, at, events) {
  const taken = [];
  context.textAlign = "left"; context.lineJoin = "round";
  for (const event of events) {
    const [left, top] = at(event.at);
    dot(context, left, top, event === plot.chosen ? 6 : 4);
    if (event === plot.chosen) { context.strokeStyle = color("--ink"); context.lineWidth = 2; context.stroke(); }
    if (event !== plot.chosen && taken.some(([x, y]) => Math.abs(x - left) < 70 && Math.abs(y - top) < 13)) continue;
    taken.push([left, top]);
    context.strokeStyle = color("--paper"); context.lineWidth = 4; context.strokeText(event.kind, left + 7, top + 4);
    context.fillStyle = color("--ink"); context.fillText(event.kind, left + 7, top + 4);
  }
}
