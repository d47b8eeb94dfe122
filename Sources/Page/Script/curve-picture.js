// @ts-check
import { color, prepared, steps } from "./drawing.js";
import { byId } from "./elements.js";
import { change, parameters } from "./parameters.js";
import { entryOf, redraws, state } from "./store.js";
import { isSet, rate, share } from "./text.js";

export const HOW_TO_POINT = "Point at the line to read a threshold; click to use it.";

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import("./curve.js").Points} points
 * @param {import("./curve.js").Point} here the current point
 * @param {import("./model.js").Field} field the threshold
 * @param {{ points: import("./curve.js").Point[] } | null} plateau
 */
export function drawCurve(canvas, points, here, field, plateau) {
  redraws.curve = () => drawCurve(canvas, points, here, field, plateau);
  const { context, width, height } = prepared(canvas, 260);
  const presets = points.presets.filter((one) => one.isWhole);
  const all = [...points.line, ...presets, here].filter((one) => isSet(one.rate) && isSet(one.recall)
    && one.recall >= 0.5);
  if (!all.length) {
    context.fillStyle = color("--quiet"); context.fillText("No threshold here finds half of the references.", 12, 20);
    canvas.onclick = canvas.onpointermove = null;
    return;
  }
  const most = Math.max(10, ...all.map((one) => one.rate));
  const least = Math.min(0.9, ...all.map((one) => one.recall)) - 0.01;
  const [left, bottom] = [44, height - 34];
  const x = (value) => left + (Math.log10(1 + value) / Math.log10(1 + most)) * (width - left - 70);
  const y = (value) => bottom - ((value - least) / (1.02 - least)) * (bottom - 18);
  context.fillStyle = color("--quiet"); context.strokeStyle = color("--line"); context.lineWidth = 1;
  context.textAlign = "center";
  for (const mark of [0, 1, 10, 100, 1000, 10000].filter((one) => one <= most)) {
    context.beginPath(); context.moveTo(x(mark), 8); context.lineTo(x(mark), bottom); context.stroke();
    context.fillText(String(mark), x(mark), bottom + 14);
  }
  context.fillText("false alarms per hour", (left + width) / 2, height - 4);
  context.textAlign = "right";
  for (const mark of steps(least, 1, 4).marks) {
    context.beginPath(); context.moveTo(left, y(mark)); context.lineTo(width - 70, y(mark)); context.stroke();
    context.fillText(mark.toFixed(2), left - 6, y(mark) + 4);
  }
  context.textAlign = "left"; context.fillText("recall", 4, 10);
  if (state.budget <= most) {
    context.strokeStyle = color("--threshold"); context.lineWidth = 1.5; context.setLineDash([6, 4]);
    context.beginPath(); context.moveTo(x(state.budget), 8); context.lineTo(x(state.budget), bottom); context.stroke();
    context.setLineDash([]);
  }
  context.save();
  context.beginPath(); context.rect(left, 0, width - left, bottom); context.clip();
  if (plateau) {
    context.strokeStyle = color("--hit"); context.globalAlpha = 0.3;
    context.lineWidth = 12; context.lineCap = "round"; context.lineJoin = "round";
    context.beginPath();
    for (const one of plateau.points) context.lineTo(x(one.rate), y(one.recall));
    context.stroke();
    context.lineCap = "butt"; context.globalAlpha = 1;
    const middle = plateau.points[plateau.points.length >> 1];
    context.fillStyle = color("--quiet"); context.textAlign = "right";
    context.fillText("plateau", x(middle.rate) - 4, y(middle.recall) - 10);
  }
  context.strokeStyle = color("--signal"); context.lineWidth = 2;
  context.beginPath();
  // Only the best of the thresholds without false alarms: the others are a vertical line.
  const mostOfNone = Math.max(...points.line.filter((one) => one.rate === 0).map((one) => one.recall));
  points.line.filter((one) => one.rate > 0 || one.recall === mostOfNone).forEach((one, place) =>
    (place ? context.lineTo(x(one.rate), y(one.recall)) : context.moveTo(x(one.rate), y(one.recall))));
  context.stroke();
  context.restore();
  const taken = [];
  for (const one of presets.filter(({ recall }) => recall >= least)) {
    context.fillStyle = color("--ink");
    context.fillRect(x(one.rate) - 3, y(one.recall) - 3, 6, 6);
    let at = y(one.recall) + 4;
    const wide = context.measureText(one.name).width + 9;
    const isLast = x(one.rate) + wide > width;
    const [from, to] = isLast ? [x(one.rate) - wide, x(one.rate)] : [x(one.rate), x(one.rate) + wide];
    while (taken.some((other) => Math.abs(other.at - at) < 12 && from < other.to && other.from < to)) at += 12;
    taken.push({ from, to, at });
    context.textAlign = isLast ? "right" : "left";
    // A line behind the text ends next to it.
    context.strokeStyle = color("--paper"); context.lineWidth = 4; context.lineJoin = "round";
    context.strokeText(one.name, x(one.rate) + (isLast ? -7 : 7), at);
    context.fillText(one.name, x(one.rate) + (isLast ? -7 : 7), at);
  }
  context.fillStyle = color("--hit");
  context.beginPath(); context.arc(x(here.rate), y(here.recall), 6, 0, 7); context.fill();
  pointOut(canvas, points.line.map((one) => ({ ...one, at: [x(one.rate), y(one.recall)] })), field);
}

/**
 * Shows the figures of the threshold at the pointer; a click uses it.
 * @param {HTMLCanvasElement} canvas
 * @param {any[]} line
 * @param {import("./model.js").Field} field
 */
function pointOut(canvas, line, field) {
  const text = byId("curve-at");
  const near = (event) => {
    const box = canvas.getBoundingClientRect();
    const far = ({ at }) => Math.hypot(at[0] - (event.clientX - box.left), at[1] - (event.clientY - box.top));
    const best = line.reduce((least, one) => (least && far(least) <= far(one) ? least : one), null);
    return best && far(best) < 30 ? best : null;
  };
  const show = (one) => {
    canvas.style.cursor = one ? "pointer" : "";
    text.textContent = one ? `${field.name} ${Number(one.value.toPrecision(4))}: recall ${share(one.recall)}, `
      + `${rate(one.rate)} false alarms per hour` : HOW_TO_POINT;
  };
  canvas.onpointermove = (event) => show(near(event));
  canvas.onpointerleave = () => show(null);
  canvas.onclick = (event) => {
    const one = near(event);
    if (!one) return;
    change(entryOf().threshold, one.value); parameters();
  };
}
