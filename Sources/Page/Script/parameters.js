// @ts-check
import { core } from "./core.js";
import { byId, make, say } from "./elements.js";
import { canRun, hasFigures, model, valuesOf } from "./model.js";
import { actions, changeField, entryOf, runOf, state, usePreset } from "./store.js";
import { isSet, shown } from "./text.js";

/**
 * @param {number} index
 * @param {number} value
 */
export function change(index, value) {
  changeField(index, value);
  actions.recompute();
}

/**
 * @param {import("./model.js").Field} field
 * @param {number} index
 */
function fieldRow(field, index) {
  const value = valuesOf(runOf(), state)[index];
  const label = make("label", { htmlFor: `field-${index}`, title: field.summary }, field.name,
    field.unit ? make("small", {}, ` ${field.unit}`) : null);
  if (field.kind === "flag") {
    const box = make("input", { type: "checkbox", id: `field-${index}`, checked: value !== 0,
      onchange: () => change(index, box.checked ? 1 : 0) });
    return [label, box, make("span")];
  }
  if (field.kind === "choice") {
    const box = make("select", { id: `field-${index}`, onchange: () => change(index, Number(box.value)) },
      ...field.choices.map((name, place) => make("option", { value: place, selected: place === value }, name)));
    return [label, box, make("span")];
  }
  const curve = index === entryOf().threshold ? runOf().curve : null;
  const [low, high] = curve ? [curve.thresholds[0], curve.upper] : sliderRange(field, value);
  // Where nothing is known between them, the thresholds that were tried.
  const taken = async (next) => (curve && !curve.is_exact ? curve.thresholds[Math.max(await core.step(curve, next), 0)] : next);
  const box = make("input", { type: "number", id: `field-${index}`, value: shown(value, field), step: "any",
    min: field.low, max: field.high });
  const slider = make("input", { type: "range", min: low, max: high, step: (high - low) / 400, value,
    "aria-label": field.name, oninput: async () => {
      const next = await taken(Number(Number(slider.value).toPrecision(4)));
      box.value = shown(next, field); change(index, next);
    } });
  box.onchange = async () => {
    const [least, most] = curve ? [low, high] : [field.low, field.high];
    if (box.value === "" || !(Number(box.value) >= least && Number(box.value) <= most)) {
      say(`${field.name}: expected ${least} to ${most}`); return;
    }
    const next = await taken(Number(box.value));
    slider.value = next; change(index, next);
  };
  return [label, slider, box];
}

/**
 * @param {import("./model.js").Field} field
 * @param {number} value
 */
export function sliderRange(field, value) {
  const reach = Math.max(Math.abs(value) * 2, (field.high - field.low) / 1000);
  return [Math.max(field.low, value - reach), Math.min(field.high, value + reach)];
}

export function parameters() {
  const entry = entryOf();
  const box = byId("parameters");
  if (!hasFigures(runOf())) {
    box.replaceChildren();
    return;
  }
  const main = isSet(entry.threshold) ? entry.threshold : -1;
  if (!entry.runs.some((index) => canRun(model.runs[index]))) {
    box.replaceChildren(make("div", { className: "fields" }, ...fieldRow(entry.fields[main], main)),
      make("div", { className: "row controls" }, make("button", { onclick: () => use(null) }, "As it was run")));
    return;
  }
  const rows = entry.fields.map((field, index) => (field.kind === "profiles" ? [] : fieldRow(field, index)));
  const presets = entry.presets.map((preset, index) => make("button", { title: preset.summary,
    "aria-pressed": String(state.preset === index), onclick: () => use(index) }, preset.name));
  box.replaceChildren(
    make("div", { className: "row controls" }, make("span", { className: "quiet" }, "Preset"), ...presets,
      make("button", { onclick: () => use(null) }, "As it was run"),
      make("button", { onclick: copy }, "Copy as --parameters")),
    make("div", { className: "fields" }, ...(main >= 0 ? rows[main] : [])),
    make("details", { open: main < 0 }, make("summary", {}, "All parameters"),
      make("div", { className: "fields" }, ...rows.flatMap((row, index) => (index === main ? [] : row)))));
}

/**
 * @param {number | null} preset
 */
function use(preset) {
  usePreset(preset);
  parameters(); actions.recompute();
}

function copy() {
  const [entry, run] = [entryOf(), runOf()];
  // What differs from the preset on this trace: by the suite, by tuning, or by hand.
  const named = state.preset === null ? entry.presets.findIndex(({ name }) => name === entry.preset) : state.preset;
  const preset = named >= 0 ? run.presets[named] || entry.presets[named].values : [];
  const exact = (value, field) => (field.kind === "number" ? String(value) : shown(value, field));
  const parts = valuesOf(run, state).flatMap((value, index) => (isSet(value) && value !== preset[index]
    ? [`${entry.fields[index].name}=${exact(value, entry.fields[index])}`] : []));
  const text = `--detector ${entry.detector}${named >= 0 ? `/${entry.presets[named].name}` : ""}`
    + (parts.length ? ` --parameters ${parts.join(",")}` : "");
  const done = () => say(`Copied: ${text}`);
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => say(text)); else say(text);
}
