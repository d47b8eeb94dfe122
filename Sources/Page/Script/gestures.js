// @ts-check
import { scales } from "./drawing.js";
import { addLabel, drag, drop, grab } from "./labels.js";
import { state } from "./store.js";
import { isMap, moveMap, plot, setRange, zoom, zoomMap } from "./view.js";

/**
 * @param {HTMLCanvasElement} canvas
 * @param {MouseEvent} event
 */
const positionIn = (canvas, event) => {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

/**
 * The map of an app: wheel, drag and two fingers.
 * @param {HTMLCanvasElement} canvas
 */
export function listenToMap(canvas) {
  const pointers = new Map();
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (plot.map) zoomMap(plot.map, event.deltaY > 0 ? 1.25 : 0.8, positionIn(canvas, event));
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, positionIn(canvas, event));
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last || !plot.map) return;
    const at = positionIn(canvas, event);
    const other = [...pointers].find(([id]) => id !== event.pointerId);
    if (other) {
      /** @param {number[]} at */
      const far = ([x, y]) => Math.max(Math.hypot(x - other[1][0], y - other[1][1]), 1);
      zoomMap(plot.map, far(last) / far(at), other[1]);
    } else moveMap(plot.map, at[0] - last[0], at[1] - last[1]);
    pointers.set(event.pointerId, at);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (/** @type {PointerEvent} */ event) => pointers.delete(event.pointerId));
}

/**
 * Wheel, drag, two fingers and a click on the plot.
 * @param {HTMLCanvasElement} canvas
 * @param {{ select: (time: number, canvas: HTMLCanvasElement) => void, selectOnMap?: (at: number[]) => void }} act
 */
export function listen(canvas, { select, selectOnMap }) {
  const pointers = new Map();
  const position = (event) => event.clientX - canvas.getBoundingClientRect().left;
  const timeAt = (pixel) => scales(plot, canvas.clientWidth, 340).time(pixel);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const factor = event.deltaY > 0 ? 1.25 : 0.8;
    if (isMap()) zoomMap(plot, factor, positionIn(canvas, event)); else zoom(factor, timeAt(position(event)));
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: position(event), y: event.clientY, moved: 0 });
    if (state.editing) grab(timeAt(position(event)), canvas);
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const [x, y] = [position(event), event.clientY];
    last.moved += Math.abs(x - last.x) + Math.abs(y - last.y);
    if (state.editing && plot.dragged) drag(timeAt(x));
    else if (pointers.size === 2) pinch(pointers, event.pointerId, x, timeAt);
    else if (isMap()) moveMap(plot, x - last.x, y - last.y);
    else {
      const step = ((last.x - x) / scales(plot, canvas.clientWidth, 340).inner) * (plot.to - plot.from);
      setRange(plot.from + step, plot.to + step);
    }
    last.x = x; last.y = y;
  });
  const end = (event) => {
    const last = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    if (plot.dragged) { drop(); return; }
    if (!last || last.moved >= 4 || state.editing) return;
    if (isMap()) selectOnMap(positionIn(canvas, event)); else select(timeAt(last.x), canvas);
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("dblclick", (event) => { if (state.editing) addLabel(timeAt(position(event))); });
}

/**
 * @param {Map<number, any>} pointers
 * @param {number} moving
 * @param {number} x
 * @param {(pixel: number) => number} timeAt
 */
function pinch(pointers, moving, x, timeAt) {
  const other = [...pointers].find(([id]) => id !== moving)[1];
  const last = pointers.get(moving);
  const [was, is] = [Math.abs(last.x - other.x), Math.abs(x - other.x)];
  if (was > 10 && is > 10) zoom(was / is, timeAt((x + other.x) / 2));
}
