// @ts-check
import { core } from "./core.js";
import { firstAtLeast, scales } from "./drawing.js";
import { byId, make, say } from "./elements.js";
import { canRun, model } from "./model.js";
import { forgetResults } from "./results.js";
import { actions, countEdit, entryOf, runOf, state, update } from "./store.js";
import { clamp, counted } from "./text.js";
import { isMap, plot, setRange } from "./view.js";

// The labels as they were, by trace and task.
const undone = new Map();

/**
 * Of punches: `convert --reference` takes no others. A comparison shows what two files say.
 * @param {import("./model.js").Run} run
 */
export const canLabel = (run) => canRun(run) && model.entries[run.entry].task === "punch" && !isMap() && !model.comparison;

/**
 * @param {boolean} on
 */
export function setEditing(on) {
  update({ editing: on });
  const button = byId("edit");
  if (button) button.setAttribute("aria-pressed", String(on));
  labelForm();
}

function past() {
  const key = `${runOf().trace} ${entryOf().task}`;
  if (!undone.has(key)) undone.set(key, []);
  return undone.get(key);
}

/**
 * @param {number} time
 * @param {HTMLCanvasElement} canvas
 */
function nearestLabel(time, canvas) {
  const near = ((plot.to - plot.from) * 10) / canvas.clientWidth;
  let [best, distance] = [-1, near];
  plot.labels.forEach((label, index) => {
    const far = Math.abs(label.onset / 1e9 - time);
    if (far < distance) [best, distance] = [index, far];
  });
  return best;
}

function keep() { past().push(plot.labels.map((label) => ({ ...label }))); }

/**
 * @param {number} index
 */
function chooseLabel(index) {
  plot.chosen = plot.labels[index] ? { label: index } : null;
  labelForm(); actions.draw();
}

/**
 * @param {number} time
 * @param {HTMLCanvasElement} canvas
 */
export function grab(time, canvas) {
  const index = nearestLabel(time, canvas);
  plot.dragged = index >= 0 ? { label: plot.labels[index], isMoved: false } : null;
  chooseLabel(index);
}

/**
 * @param {import("./core.js").Label} label
 * @param {number} onset
 */
function moveTo(label, onset) {
  const length = label.offset - label.onset;
  label.onset = Math.round(clamp(onset, 0, plot.whole * 1e9));
  label.offset = label.onset + length;
}

/**
 * @param {number} time
 */
export function drag(time) {
  if (!plot.dragged.isMoved) { keep(); plot.dragged.isMoved = true; }
  moveTo(plot.dragged.label, time * 1e9);
  plot.labelTimes = [];
  actions.draw();
}

export function drop() {
  const { isMoved } = plot.dragged;
  plot.dragged = null;
  if (isMoved) relabel();
}

/**
 * @param {number} time
 */
export function addLabel(time) {
  if (!plot.signal) return;
  keep();
  const onset = Math.round(clamp(time, 0, plot.whole) * 1e9);
  const label = { onset, offset: onset, label: "" };
  plot.labels.push(label);
  relabel(label);
}

export function chosenLabel() { return plot.chosen ? plot.labels[plot.chosen.label] : undefined; }

export function removeLabel() {
  if (!state.editing || !chosenLabel()) return;
  keep(); plot.labels.splice(plot.chosen.label, 1); plot.chosen = null; relabel();
}

export function undo() {
  if (!state.editing || !plot.signal || !past().length) return;
  plot.labels = past().pop(); plot.chosen = null; relabel();
}

/**
 * By keyboard: the next label, in view; and a step of a pixel.
 * @param {number} direction
 */
export function pickNext(direction) {
  const { label } = plot.chosen || {};
  const middle = firstAtLeast(plot.labelTimes, (plot.from + plot.to) / 2);
  const index = label === undefined ? middle - (direction < 0 ? 1 : 0) : label + direction;
  if (!plot.labels[index]) return;
  const time = plot.labels[index].onset / 1e9;
  const half = (plot.to - plot.from) / 2;
  if (time < plot.from || time > plot.to) setRange(time - half, time + half);
  chooseLabel(index);
  say(`label ${index + 1} of ${plot.labels.length} at ${time.toFixed(3)} s${plot.labels[index].label ? `, ${plot.labels[index].label}` : ""}`);
}

/**
 * @param {number} direction
 */
export function moveLabel(direction) {
  const label = chosenLabel();
  if (!label) return;
  keep();
  moveTo(label, label.onset + (direction * 1e9 * (plot.to - plot.from)) / scales(plot, plot.canvas.clientWidth, 340).inner);
  relabel();
  say(`label at ${(label.onset / 1e9).toFixed(3)} s`);
}

function relabel(chosen = chosenLabel()) {
  plot.labels.sort((a, b) => a.onset - b.onset || a.offset - b.offset);
  if (chosen) plot.chosen = { label: plot.labels.indexOf(chosen) };
  plot.labelTimes = plot.labels.map((label) => label.onset / 1e9);
  core.setLabels(runOf().trace, entryOf().task, plot.labels);
  countEdit();
  forgetResults();
  actions.recompute(); labelForm();
}

/**
 * No movement within 0.3 s that stands out: probably a slip of the hand.
 * @param {import("./core.js").Label} label
 */
function isStill(label) {
  const { times, values } = plot.signal;
  const [from, to] = [firstAtLeast(times, label.onset / 1e9 - 0.3), firstAtLeast(times, label.offset / 1e9 + 0.3)];
  let most = 0;
  for (let place = from; place < to; place += 1) most = Math.max(most, values[place]);
  return most < plot.median + 3;
}

export function labelForm() {
  const box = byId("labels");
  if (!state.editing || !plot.signal) { box.replaceChildren(); return; }
  // Made once: a click must find the button under it that it began on.
  if (!box.firstChild) {
    const field = make("input", { type: "text", id: "label-class", onchange: () => {
      const label = chosenLabel();
      if (label && label.label !== field.value) { keep(); label.label = field.value; relabel(); }
    } });
    box.replaceChildren(
      make("p", { className: "quiet" }, "Drag a line to move it; double-click to add one. Keys: a adds one in the middle,"
        + " [ and ] select, Shift with an arrow moves by a pixel, Delete removes, Ctrl+Z undoes."),
      make("div", { className: "row" }, make("label", { htmlFor: "label-class" }, "Class"), field,
        make("button", { id: "label-remove", onclick: removeLabel }, "Remove"),
        make("button", { id: "label-undo", onclick: undo }, "Undo"),
        make("button", { onclick: saveLabels }, "Save labels"),
        make("span", { className: "warning", id: "label-still" })));
  }
  const label = chosenLabel();
  const field = byId("label-class");
  if (document.activeElement !== field || !label) field.value = label ? label.label : "";
  field.disabled = !label;
  byId("label-remove").disabled = !label;
  byId("label-undo").disabled = !past().length;
  const still = plot.labels.filter(isStill).length;
  byId("label-still").textContent = still ? `${counted(still, "label")} without movement near it` : "";
}

function saveLabels() {
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = plot.labels.map((label) => `${label.onset},${label.offset},${quoted(label.label)}`);
  const text = ["onset_ns,offset_ns,label", ...rows, ""].join("\n");
  if (model.is_served) { sendLabels(text); return; }
  const file = new Blob([text], { type: "text/csv" });
  const link = make("a", { href: URL.createObjectURL(file), download: `${model.traces[runOf().trace].id}-labels.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * To `report --serve`, which writes them beside the trace.
 * @param {string} text
 */
async function sendLabels(text) {
  try {
    const answer = await fetch(`labels?trace=${runOf().trace}`, { method: "POST", body: text });
    say(`${answer.ok ? "" : "Not saved: "}${await answer.text()}`);
  } catch (error) { say(`Not saved: ${error.message}. Is shadowbox report --serve still running?`); }
}
