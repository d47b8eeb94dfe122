// @ts-check
import { core, without } from "./core.js";
import { AREA, color, dot, extremes, firstAtLeast, prepared, pyramid, scales, steps } from "./drawing.js";
import { byId, elementsOf, make, number, say } from "./elements.js";
import { listen, listenToMap } from "./gestures.js";
import { drawMap } from "./map.js";
import { model } from "./model.js";
import { overview, title } from "./overview.js";
import { actions, enterApp, forgetRedraws, state, update } from "./store.js";
import { counted, isSet } from "./text.js";
import { plot, setRange, showWhole, zoom, zoomMap } from "./view.js";

// Heights with and without a signal.
const [LANE, THIN_LANE] = [92, 44];

/**
 * @param {import("./view.js").Lane} lane
 */
const laneHeight = (lane) => (lane.levels ? LANE : THIN_LANE);

// A lane for each person: the signal and the events of the phone.
export function drawApp() {
  if (!plot.canvas || !plot.lanes) return;
  const height = AREA.top + AREA.bottom + plot.lanes.reduce((sum, lane) => sum + laneHeight(lane), 0);
  const { context, width } = prepared(plot.canvas, height);
  const { x, inner } = scales(plot, width, height);
  context.save();
  context.beginPath(); context.rect(AREA.left - 8, 0, inner + 16, height); context.clip();
  let top = AREA.top;
  for (const lane of plot.lanes) { drawLane(context, lane, x, inner, top); top += laneHeight(lane); }
  context.restore();
  context.fillStyle = color("--quiet"); context.textAlign = "center";
  const time = steps(plot.from, plot.to, Math.max(2, width / 110));
  for (const mark of time.marks) {
    if (x(mark) > AREA.left + 12) context.fillText(`${mark.toFixed(time.digits)} s`, Math.min(x(mark), width - 18), height - 7);
  }
  if (plot.map) drawMap(plot.map);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./view.js").Lane} lane
 * @param {(value: number) => number} x
 * @param {number} inner
 * @param {number} top
 */
function drawLane(context, lane, x, inner, top) {
  const bottom = top + laneHeight(lane) - 8;
  context.strokeStyle = color("--line"); context.lineWidth = 1;
  context.beginPath(); context.moveTo(AREA.left, bottom); context.lineTo(AREA.left + inner, bottom); context.stroke();
  if (lane.levels) {
    const { times } = lane.signal;
    const y = (value) => bottom - (value / lane.top) * (LANE - 34);
    let start = firstAtLeast(times, plot.from - lane.start);
    context.strokeStyle = color("--signal");
    context.beginPath();
    for (let pixel = 0; pixel < inner; pixel += 1) {
      const until = plot.from + ((pixel + 1) / inner) * (plot.to - plot.from) - lane.start;
      const end = Math.max(start, firstAtLeast(times, until));
      if (end > start) {
        const [low, high] = extremes(lane.levels, start, end);
        context.moveTo(AREA.left + pixel + 0.5, y(low)); context.lineTo(AREA.left + pixel + 0.5, y(high) - 0.5);
      }
      start = end;
    }
    context.stroke();
  }
  context.font = "bold 12px system-ui, sans-serif"; context.textAlign = "left"; context.fillStyle = color("--ink");
  context.fillText(lane.name, AREA.left + 4, top + 2);
  context.font = "12px system-ui, sans-serif";
  drawEvents(context, lane.events.filter(({ at }) => at >= plot.from && at <= plot.to), x, AREA.left + inner, top + 18);
}

/**
 * Draws names where the next event leaves room.
 * @param {CanvasRenderingContext2D} context
 * @param {import("./view.js").ShownEvent[]} events
 * @param {(value: number) => number} x
 * @param {number} right
 * @param {number} y
 */
function drawEvents(context, events, x, right, y) {
  for (const event of events) {
    dot(context, x(event.at), y, event === plot.chosen ? 6 : 4);
    if (event === plot.chosen) { context.strokeStyle = color("--ink"); context.lineWidth = 2; context.stroke(); }
  }
  context.fillStyle = color("--ink");
  events.forEach((event, place) => {
    const [at, wide] = [x(event.at), context.measureText(event.kind).width + 12];
    const [before, after] = [place ? x(events[place - 1].at) : -Infinity, place + 1 < events.length ? x(events[place + 1].at) : Infinity];
    if (at + wide < Math.min(after - 4, right)) context.fillText(event.kind, at + 8, y + 4);
    else if (at + wide >= right && at - wide > before + 4) context.fillText(event.kind, at - wide + 2, y + 4);
  });
}

/**
 * @param {import("./model.js").App} app
 * @param {import("./model.js").Person} person
 * @param {number} index
 */
async function loadLane(app, person, index) {
  const lane = { name: person.name, start: person.start, signal: null, levels: null, top: 1, places: [],
    events: plot.events.filter((event) => event.person === index) };
  if (!isSet(person.trace) || !isSet(app.number) || !model.traces[person.trace].data) return lane;
  lane.signal = await core.signal(person.trace, app.number).catch(without(null));
  if (!lane.signal) return lane;
  lane.places = await core.places(person.trace).catch(without([]));
  const { values, latitudes, times } = lane.signal;
  if (latitudes || !times.length || !values.some((value) => Number.isFinite(value) && value > 0)) return lane;
  lane.levels = pyramid(values);
  const last = lane.levels[lane.levels.length - 1];
  lane.top = Math.max(1, ...last.high.filter((value) => Number.isFinite(value)));
  return lane;
}

/**
 * @param {number} place
 */
function pickMap(place) {
  const lane = plot.lanes[place];
  plot.map = { canvas: byId("app-map"), signal: { ...lane.signal,
    times: lane.signal.times.map((time) => time + lane.start) }, places: lane.places, zoom: 1, shift: [0, 0], uses: null,
  path: model.traces[model.apps[state.app].people[place].trace].true_path, events: lane.events };
  plot.mapPerson = place;
  actions.draw();
}

/**
 * @param {number} place
 */
export function showEvent(place) {
  // After the lanes exist.
  const event = plot.lanes && plot.events[place];
  if (!event) { if (plot.lanes) say("No further event."); return; }
  update({ error: place });
  plot.chosen = event;
  if (event.at < plot.from || event.at > plot.to) {
    const length = plot.to - plot.from;
    setRange(event.at - length / 2, event.at + length / 2);
  }
  if (plot.map && plot.mapPerson !== event.person && plot.lanes[event.person].signal) {
    byId("map-person").value = event.person; pickMap(event.person);
  }
  say(`${event.at.toFixed(1)} s: ${plot.lanes[event.person].name} ${event.text}`);
  actions.draw();
  elementsOf("#errors [data-error]").forEach((row) =>
    row.setAttribute("aria-current", String(Number(row.dataset.error) === place)));
}

/**
 * @param {number} time
 * @param {HTMLCanvasElement} canvas
 */
function selectEvent(time, canvas) {
  const near = ((plot.to - plot.from) * 8) / canvas.clientWidth;
  const found = plot.events.findIndex((event) => Math.abs(event.at - time) < near);
  if (found >= 0) showEvent(found);
}

/**
 * @param {import("./model.js").App} app
 */
function outcomeTable(app) {
  const heads = [...app.people.map(({ name }) => name), ...(app.outcomes.some(({ cells }) => cells[cells.length - 1]) ? ["all"] : [])];
  return make("details", {}, make("summary", {}, `Outcome${app.headline ? `: ${app.headline}` : ""}`), make("div", { className: "scroll outcomes" },
    make("table", { className: "narrow" }, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, ""),
      ...heads.map((head) => make("th", { scope: "col", className: "number" }, head)))),
    make("tbody", {}, ...app.outcomes.map((row) => make("tr", {}, make("th", { scope: "row" }, row.name,
      row.unit ? make("small", {}, ` ${row.unit}`) : null),
      ...heads.map((_, place) => number(row.cells[place]))))))));
}

/**
 * @param {number} index
 */
export async function chooseApp(index) {
  forgetRedraws();
  const generation = enterApp(index);
  const app = model.apps[index];
  const events = app.events.map((event) => ({ ...event, at: event.time })).sort((a, b) => a.at - b.at);
  Object.assign(plot, { events, chosen: null, dragged: null, signal: null, lanes: null, map: null });
  plot.canvas = make("canvas", { tabIndex: 0, role: "img", id: "plot",
    "aria-label": "A lane for each person with the events, which are listed below" });
  listen(plot.canvas, { select: selectEvent });
  const map = make("canvas", { id: "app-map", role: "img", "aria-label": "The path of this person with the events" });
  listenToMap(map);
  const rows = events.map((event, place) => make("tr", { "data-error": place },
    make("td", { className: "number" }, make("button", { className: "link", onclick: () => showEvent(place) }, `${event.at.toFixed(1)} s`)),
    make("td", {}, app.people[event.person] ? app.people[event.person].name : ""), make("td", {}, event.kind), make("td", {}, event.text)));
  byId("app").replaceChildren(make("h1", {}, title()), overview(), make("h2", {}, `App ${app.name}`),
    make("p", {}, app.summary), make("p", { className: "quiet" }, [app.network && `Network: ${app.network}`,
      app.script && `people: ${app.script}`].filter(Boolean).join("; ")), plot.canvas,
    make("div", { className: "row controls" },
      make("button", { onclick: () => showEvent(state.error - 1) }, "Previous event (p)"),
      make("button", { onclick: () => showEvent(state.error + 1) }, "Next event (n)"),
      make("button", { onclick: () => zoom(0.5) }, "+"), make("button", { onclick: () => zoom(2) }, "−"),
      make("button", { onclick: showWhole }, "Whole (0)")),
    make("p", { id: "message", role: "status", "aria-live": "polite" }, "\u00a0"),
    make("div", { id: "map-box", hidden: true }, make("div", { className: "row controls" }, make("label", { htmlFor: "map-person" }, "Map of"),
      make("select", { id: "map-person", onchange: (event) => pickMap(Number(event.target.value)) },
        ...app.people.map(({ name }, place) => make("option", { value: place }, name))),
      .../** @type {const} */ ([["+", 0.5], ["−", 2]]).map(([name, factor]) => make("button", { "aria-label": factor < 1 ? "zoom in on the map" : "zoom out of the map",
        onclick: () => { if (plot.map) zoomMap(plot.map, factor); } }, name))),
    map),
    outcomeTable(app), make("details", { open: true }, make("summary", {}, counted(events.length, "event")),
      make("div", { className: "events" }, make("table", { id: "errors" }, make("tbody", {}, ...rows)))));
  const lanes = [];
  for (const [place, person] of app.people.entries()) {
    lanes.push(await loadLane(app, person, place));
    if (generation !== state.generation) return;
  }
  const ends = lanes.map((lane) => (lane.signal && lane.signal.times.length ? lane.start + lane.signal.times[lane.signal.times.length - 1] : 0));
  plot.whole = Math.max(1, ...ends, ...events.map((event) => event.at));
  Object.assign(plot, { lanes, from: 0, to: plot.whole });
  const first = lanes.findIndex((lane) => lane.signal && lane.signal.latitudes);
  byId("map-box").hidden = first < 0;
  if (first >= 0) { byId("map-person").value = first; pickMap(first); } else actions.draw();
}
