// @ts-check
// The stretch of time, or the part of a map, that the plot shows.
import { actions } from "./store.js";
import { clamp } from "./text.js";

/**
 * @typedef {import("./core.js").Signal} Signal
 * @typedef {import("./core.js").Label} Label
 * @typedef {{ name: string, start: number, signal: Signal | null, levels: import("./drawing.js").Level[] | null,
 *   top: number, places: import("./core.js").Place[], events: ShownEvent[] }} Lane
 * @typedef {import("./model.js").AppEvent & { at: number }} ShownEvent
 * @typedef {object} MapView
 * @property {HTMLCanvasElement} canvas
 * @property {Signal | null} signal
 * @property {import("./core.js").Place[]} places
 * @property {number} zoom
 * @property {number[]} shift
 * @property {string | null} uses
 * @property {number[]} [path] The true path.
 * @property {ShownEvent[]} [events] Those of an app.
 */

/**
 * What is drawn, and where: of a trace, or of an app with a lane for each person.
 * @type {MapView & { from: number, to: number, whole: number, top: number, levels: import("./drawing.js").Level[],
 *   labels: Label[], labelTimes: number[], zones: number[][], gaps: number[][], result: any, chosen: any, interval: number,
 *   median: number, dragged: { label: Label, isMoved: boolean } | null, lanes: Lane[] | null, map: MapView | null,
 *   mapPerson: number, onMap: ((time: number) => number[]) | null }}
 */
export const plot = { canvas: null, from: 0, to: 1, whole: 1, signal: null, levels: [], labels: [], labelTimes: [], zones: [],
  places: [], result: null, gaps: [], top: 1, chosen: null, interval: 1, median: 0, dragged: null, lanes: null, map: null,
  mapPerson: 0, onMap: null, zoom: 1, shift: [0, 0], uses: null, events: null };

/**
 * @param {number} from
 * @param {number} to in seconds
 */
export function setRange(from, to) {
  const length = clamp(to - from, 0.2, plot.whole);
  plot.from = clamp(from, 0, plot.whole - length);
  plot.to = plot.from + length;
  actions.draw();
}

export const isMap = () => Boolean(plot.signal && plot.signal.latitudes);

/**
 * @param {number} factor of the length that is shown
 * @param {number} [at] the time that stays where it is
 */
export function zoom(factor, at = (plot.from + plot.to) / 2) {
  if (isMap()) { zoomMap(plot, factor); return; }
  setRange(at - (at - plot.from) * factor, at + (plot.to - at) * factor);
}

/**
 * What is at a position of the canvas, by default its middle, stays there.
 * @param {MapView} map
 * @param {number} factor
 * @param {number[]} [at]
 */
export function zoomMap(map, factor, at = [map.canvas.clientWidth / 2, map.canvas.clientHeight / 2]) {
  const zoomed = clamp(map.zoom / factor, 1, 400);
  const middle = [map.canvas.clientWidth / 2, map.canvas.clientHeight / 2];
  map.shift = map.shift.map((shift, axis) => at[axis] - middle[axis] - (at[axis] - middle[axis] - shift) * (zoomed / map.zoom));
  map.zoom = zoomed;
  if (zoomed === 1) map.shift = [0, 0];
  actions.draw();
}

/**
 * @param {MapView} map
 * @param {number} x
 * @param {number} y in pixels
 */
export function moveMap(map, x, y) { map.shift = [map.shift[0] + x, map.shift[1] + y]; actions.draw(); }

export function showWhole() { [plot.zoom, plot.shift] = [1, [0, 0]]; setRange(0, plot.whole); }

/** @param {number} part of the length that is shown */
export function pan(part) {
  if (isMap()) { moveMap(plot, -part * 240, 0); return; }
  const step = part * (plot.to - plot.from);
  setRange(plot.from + step, plot.to + step);
}
