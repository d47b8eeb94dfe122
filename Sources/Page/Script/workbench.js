// @ts-check
import { core, without } from "./core.js";
import { HOW_TO_POINT } from "./curve-picture.js";
import { prepared, pyramid } from "./drawing.js";
import { byId, elementsOf, make, say, sign } from "./elements.js";
import { errorList, jump, nameWalk, readChanges, select, selectOnMap, walkSwitch } from "./errors.js";
import { recompute } from "./figures.js";
import { listen } from "./gestures.js";
import { canLabel, labelForm, setEditing } from "./labels.js";
import { list, sorted } from "./list.js";
import { mapLegend, readUses } from "./map.js";
import { canRun, isDrawn, model, resultAsStored, usesOf } from "./model.js";
import { groups, overview, title, uselessModule, verdict } from "./overview.js";
import { parameters } from "./parameters.js";
import { adopt, now } from "./results.js";
import { actions, enterEntry, enterRun, entryOf, forgetRedraws, redraws, state, update } from "./store.js";
import { counted, lasting } from "./text.js";
import { plot, showWhole, zoom } from "./view.js";

let opening = Promise.resolve();

/**
 * @param {number} index
 */
export function openRun(index) {
  // A list that is about to be replaced by that of another detector.
  if (state.app !== null || model.runs[index].entry !== state.entry) return opening;
  opening = openNow(index);
  return opening;
}

/**
 * @param {number} index
 */
async function openNow(index) {
  const view = enterRun(index);
  Object.assign(plot, { chosen: null, result: null, signal: null, events: null, labels: [], labelTimes: [] });
  const run = model.runs[index];
  const trace = model.traces[run.trace];
  byId("trace-title").textContent = trace.id;
  byId("trace-facts").textContent = [trace.activity, trace.subject && `person ${trace.subject}`,
    trace.device, lasting(trace.seconds)].filter(Boolean).join(" · ");
  elementsOf("#list [data-run]").forEach((row) =>
    row.setAttribute("aria-current", String(Number(row.dataset.run) === index)));
  parameters();
  byId("why").textContent = "";
  if (!isDrawn(run)) {
    prepared(plot.canvas, 60);
    say(trace.data ? "The page does not draw the readings of this detector: see the figures above."
      : "The page does not have the readings of this trace: make it with --full-data.");
    errorList(); return;
  }
  // What is known is seen while a long trace is unpacked, and the signal while the detector runs.
  if (!core.open.has(run.trace)) await new Promise((resolve) => { setTimeout(resolve, 0); });
  if (view !== state.view) return;
  const [signal, labels, zones, places] = await Promise.all([
    core.signal(run.trace, entryOf().number).catch(without(null)), core.labels(run.trace, entryOf().task).catch(without(null)),
    core.zones(run.trace).catch(without([])), core.places(run.trace).catch(without([]))]);
  // Something else may have been opened in the meantime.
  if (view !== state.view) return;
  if (!signal || !labels) {
    prepared(plot.canvas, 60);
    elementsOf(".of-events, .of-labels").forEach((part) => { part.hidden = true; });
    errorList(); return;
  }
  Object.assign(plot, { signal, labels, labelTimes: [], zones, places, uses: usesOf(run),
    whole: Math.max(trace.seconds, 0.2), zoom: 1, shift: [0, 0], from: 0 });
  plot.to = plot.whole;
  plot.labelTimes = plot.labels.map((label) => label.onset / 1e9);
  const { times, values } = plot.signal;
  plot.levels = pyramid(values);
  const intervals = Float64Array.from({ length: Math.min(times.length - 1, 2000) }, (_, place) => times[place + 1] - times[place]).sort();
  // Of each stretch of readings two are drawn, anywhere in it.
  plot.interval = trace.whole ? intervals[intervals.length >> 1] || 1 : (2 * trace.seconds) / times.length;
  plot.gaps = [];
  for (let place = 1; place < times.length; place += 1) {
    if (times[place] - times[place - 1] > 3 * plot.interval) plot.gaps.push([times[place - 1], times[place]]);
  }
  const last = plot.levels[plot.levels.length - 1];
  plot.top = Math.max(1, ...last.high.filter((value) => Number.isFinite(value))) * 1.06;
  plot.median = Float32Array.from(values.slice(0, 5000)).sort()[Math.min(values.length, 5000) >> 1] || 0;
  if (times.length > 500000) {
    actions.draw();
    await new Promise((resolve) => { setTimeout(resolve, 0); });
    if (view !== state.view) return;
  }
  let [generation, result] = [-1, null];
  // Once more if parameters or labels have changed in the meantime.
  while (generation !== state.generation) {
    generation = state.generation;
    result = canRun(run) ? await now(index) : resultAsStored(run);
    if (view !== state.view) return;
  }
  await readChanges(result);
  const uses = await readUses();
  if (view !== state.view) return;
  Object.assign(plot, { result, ...uses });
  const isScored = Boolean(plot.result && plot.result.isScored);
  elementsOf(".of-events").forEach((part) => { part.hidden = !isScored; });
  elementsOf(".of-labels").forEach((part) => { part.hidden = !canLabel(run); });
  if (state.editing && !canLabel(run)) setEditing(false);
  mapLegend();
  byId("why").textContent = canRun(run) ? "" : whyStored(run, trace);
  actions.draw(); errorList(); labelForm();
}

/**
 * @param {import("./model.js").Run} run
 * @param {import("./model.js").Trace} trace
 */
function whyStored(run, trace) {
  const { unlike, refused } = entryOf();
  const why = refused || (unlike ? `This program detects something else than the file has, on ${counted(unlike, "run")}`
    : trace.whole ? "This detector does not run in the page"
      : `Drawn from ${trace.drawn.toLocaleString("en")} of ${trace.readings.toLocaleString("en")} readings (all: --full-data)`);
  return `${why}${run.stored ? ": the errors are those of the run" : ""}.${run.curve ? " The figures below follow the threshold, from a sweep." : ""}`;
}

function workbench() {
  plot.canvas = make("canvas", { tabIndex: 0, role: "img", id: "plot",
    "aria-label": "The signal with references and detections; the errors are listed below" });
  listen(plot.canvas, { select, selectOnMap });
  const edit = make("button", { className: "of-labels", id: "edit", "aria-pressed": "false",
    onclick: () => setEditing(!state.editing) }, "Edit labels");
  const legend = (kind, text) => make("span", {}, sign(kind), text);
  return make("section", { className: "workbench" }, list(), make("div", {},
    make("h2", { id: "trace-title" }, " "), make("p", { className: "quiet", id: "trace-facts" }, " "),
    plot.canvas, make("div", { className: "legend", id: "map-legend", hidden: true }),
    make("div", { className: "legend of-events" }, legend("hit", "found"), legend("miss", "missed"),
      legend("alarm", "false alarm"), make("span", { className: "of-labels" }, "band: tolerance around a reference"),
      model.comparison ? make("span", {}, make("i", { className: "flip" }), "changed") : null),
    make("div", { className: "row controls" },
      walkSwitch(), make("button", { className: "of-events", id: "previous", onclick: () => visit(-1) }),
      make("button", { className: "of-events", id: "next", onclick: () => visit(1) }),
      make("button", { onclick: () => zoom(0.5) }, "+"), make("button", { onclick: () => zoom(2) }, "−"),
      make("button", { onclick: showWhole }, "Whole (0)"), edit),
    make("p", { id: "why", className: "quiet" }),
    make("p", { id: "message", role: "status", "aria-live": "polite" }, " "),
    make("div", { id: "labels" }),
    make("div", { className: "counts", id: "counts" }), make("div", { id: "flips" }),
    make("div", { id: "parameters" }),
    make("div", { id: "curve-box", hidden: true }, make("h2", {}, "Recall against false alarms, all traces"),
      make("div", { className: "row controls" }, make("label", { htmlFor: "budget" }, "At most"),
        make("input", { type: "number", id: "budget", min: 0, step: "any", value: state.budget, onchange: ({ target }) => {
          const value = Number(target.value);
          if (target.value === "" || !Number.isFinite(value) || value < 0) {
            say("Budget: expected 0 or more false alarms per hour"); target.value = state.budget; return;
          }
          update({ budget: value });
          if (redraws.budget) redraws.budget();
        } }), make("span", {}, "false alarms per hour:"), make("b", { id: "within" }), make("span", { id: "within-more", className: "quiet" })),
      make("canvas", { id: "curve", className: "still", role: "img", "aria-label": "Curve of recall against false alarms per hour; the large dot is the current threshold" }),
      make("p", { id: "curve-at", className: "quiet" }, HOW_TO_POINT)),
    make("details", { id: "delay-box", hidden: true }, make("summary", {}, "Delays, all traces"),
      make("p", { id: "delay-text" }), make("canvas", { id: "delays", className: "still", role: "img",
        "aria-label": "Histogram of the delays of hits, and the share of all references reported within a delay" })),
    make("div", { id: "confusion" }),
    make("details", { open: true }, make("summary", { id: "errors-title" }),
      make("div", { className: "errors", id: "errors" }))));
}

/**
 * Visits the next error or change.
 * @param {1 | -1} direction
 */
export const visit = (direction) => jump(() => opening, direction);

/**
 * @param {number} index
 */
export async function choose(index) {
  forgetRedraws();
  const view = enterEntry(index);
  const app = byId("app");
  const entry = entryOf();
  // Before any label is edited.
  for (const one of model.entries) await adopt(one);
  if (view !== state.view) return;
  const isOnly = model.entries.length === 1;
  app.replaceChildren(make("h1", {}, title()), uselessModule(), overview(), isOnly ? "" : make("h2", {}, entry.name),
    isOnly ? "" : make("p", {}, verdict(entry)), groups(entry) || "", workbench());
  nameWalk();
  const first = sorted().find((run) => isDrawn(model.runs[run]));
  const run = first === undefined ? entry.runs[0] : first;
  await openRun(run);
  if (state.app === null && entryOf() === entry) await recompute();
}
