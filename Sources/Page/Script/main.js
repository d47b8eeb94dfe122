// @ts-check
import { chooseApp, showEvent } from "./apps.js";
import { core, Fault } from "./core.js";
import { byId, make, say } from "./elements.js";
import { recompute } from "./figures.js";
import { addLabel, moveLabel, pickNext, removeLabel, undo } from "./labels.js";
import { canRun, model, valuesOf } from "./model.js";
import { faults, overview, title } from "./overview.js";
import { draw } from "./plot.js";
import { readFlips } from "./results.js";
import { actions, redraws, state } from "./store.js";
import { isMap, moveMap, pan, plot, showWhole, zoom } from "./view.js";
import { choose, openRun, visit } from "./workbench.js";

Object.assign(actions, { draw, recompute, openRun, choose, chooseApp });

/**
 * Visits the next error, change or event.
 * @param {1 | -1} direction
 */
function step(direction) {
  if (state.app !== null) showEvent(state.error + direction); else visit(direction);
}

document.addEventListener("keydown", (event) => {
  const { tagName, type } = /** @type {HTMLInputElement} */ (event.target);
  // A slider keeps its own keys; n and p go on while it has the focus.
  const isSlider = type === "range" && ["n", "p"].includes(event.key);
  if ((["INPUT", "SELECT", "TEXTAREA"].includes(tagName) && type !== "checkbox" && !isSlider) || event.altKey) return;
  if (!byId("plot")) return;
  if ((event.ctrlKey || event.metaKey) && event.key === "z") { undo(); event.preventDefault(); return; }
  if (event.ctrlKey || event.metaKey) return;
  const keys = { n: () => step(1), p: () => step(-1), "+": () => zoom(0.5), "-": () => zoom(2),
    0: showWhole, ArrowLeft: () => pan(-0.25), ArrowRight: () => pan(0.25) };
  if (isMap()) Object.assign(keys, { ArrowUp: () => moveMap(plot, 0, 60), ArrowDown: () => moveMap(plot, 0, -60) });
  if (state.editing) {
    Object.assign(keys, { Delete: removeLabel, Backspace: removeLabel, a: () => addLabel((plot.from + plot.to) / 2),
      "[": () => pickNext(-1), "]": () => pickNext(1) });
    if (event.shiftKey) Object.assign(keys, { ArrowLeft: () => moveLabel(-1), ArrowRight: () => moveLabel(1) });
  }
  if (keys[event.key]) { keys[event.key](); event.preventDefault(); }
});

function redrawAll() {
  draw();
  for (const again of [redraws.curve, redraws.delays]) if (again) again();
}

window.addEventListener("resize", redrawAll);

// Paper is white, also where the screen is dark.
for (const [event, isPaper] of /** @type {const} */ ([["beforeprint", true], ["afterprint", false]])) {
  window.addEventListener(event, () => { document.documentElement.classList.toggle("paper", isPaper); redrawAll(); });
}

window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);

// For the checks in a browser.
Object.assign(window, { shadowbox: { model, core, valuesOf, canRun } });

core.onFault = faults;

window.addEventListener("unhandledrejection", (event) => {
  // Shown by then.
  if (event.reason instanceof Fault) event.preventDefault(); else if (byId("message")) say(event.reason.message);
});

core.start().then(async () => {
  await readFlips();
  await (model.entries.length ? choose(0) : chooseApp(0));
}, (error) => {
  byId("app").replaceChildren(make("h1", {}, title()),
    make("p", { className: "warning" }, `The detectors cannot be started. ${error.message}`), overview());
});
