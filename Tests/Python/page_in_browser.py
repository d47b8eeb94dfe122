"""Opens the page of a run in Chromium, from disk, and compares it with the program.

  .venv/bin/python Tests/Python/page_in_browser.py PROGRAM [TRACE …]
  .venv/bin/python Tests/Python/page_in_browser.py PROGRAM --own MODULE TRACE …
  .venv/bin/python Tests/Python/page_in_browser.py --certificate FOLDER

Without traces the default suite is run. It fails if
- the console has an error,
- the page's hits, false alarms and misses of a run are not those of the program, as it was run or, for
  the punch detector, with 20 thresholds on each of its traces, and with each preset,
- the highest recall in the budget, or the plateau, is not what the program's runs at those thresholds say,
- the key n does not visit each error of the first trace,
- the delays, the classes or the distances that the page shows are not those of the program,
- a label that is moved does not come back through `convert` at the same nanosecond,
- the key n does not visit the events of each app,
- a page of `report --serve` does not save its labels beside the trace,
- the page of a comparison does not show the changes that `compare` counts,
- the page of an external detector does not show at other thresholds what `run` counts there,
- what the page says of each fix is not what the program says.
With --own, the program is SwingExample and the module is built with its detector: the page runs it at 20
thresholds and with another time of rest as the program does, and does not run it where a module finds
something else than the run; one that does not end, traps or answers nonsense is named within the time limit.
Prints how long the detector takes for each trace. With a folder of `make certificate`, it runs what is
there in Chromium and compares the SHA-256 of the detections.
"""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py

SHADOWBOX = Path(sys.argv[1]).resolve()
ROOT = Path(__file__).resolve().parents[2]


class Browser:
    """Chromium over its pipe: no port, no further library."""

    def __init__(self, url, folder, before=""):
        (theirs, self.write), (self.read, answers) = os.pipe(), os.pipe()

        def connect():
            # Copies first: an end may have the number that the other one gets.
            copies = [os.dup(theirs), os.dup(answers)]
            os.dup2(copies[0], 3)
            os.dup2(copies[1], 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={folder}/profile", "--window-size=1280,1000", "about:blank"],
            preexec_fn=connect, close_fds=False, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs)
        os.close(answers)
        self.number, self.rest, self.problems, self.session = 0, b"", [], None
        pages = self.call("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in pages if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ["Runtime", "Log", "Page"]:
            self.call(f"{domain}.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.call("Page.navigate", url=url)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.rest:
            piece = os.read(self.read, 1 << 20)
            if not piece:
                sys.exit("chromium ended")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        kind, detail = message.get("method"), message.get("params", {})
        if kind == "Runtime.exceptionThrown":
            what = detail["exceptionDetails"]
            self.problems.append(f"{what['text']} {what.get('exception', {}).get('description', '')}")
        elif kind == "Runtime.consoleAPICalled" and detail["type"] in ("error", "warning"):
            self.problems.append(str(detail["args"]))
        elif kind == "Log.entryAdded" and detail["entry"]["level"] == "error":
            self.problems.append(detail["entry"]["text"])
        return message

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"in the page: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, script, seconds=60):
        end = time.monotonic() + seconds
        while not self.evaluate(script):
            if time.monotonic() > end:
                sys.exit(f"in the page, after {seconds} s: expected {script}")
            time.sleep(0.1)

    def key(self, text):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=text, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=text)


def shadowbox(*arguments):
    done = subprocess.run([SHADOWBOX, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"shadowbox {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def hostile(browser, text, bodies):
    """The text of a page with another module: functions with other code."""
    head, rest = text.split('id="module">', 1)
    module, rest = rest.split("</script>", 1)
    script = (ROOT / "Tests/Page/hostile.mjs").read_text().replace("export ", "")
    return f'{head}id="module">{browser.evaluate(f"({script})({json.dumps(module)}, {json.dumps(bodies)})")}</script>{rest}'


# The code of a function that does not end.
LOOP = [3, 64, 12, 0, 11, 0]

AS_RUN = """(async () => {
  const { model, core, canRun } = window.shadowbox, found = [];
  for (const run of model.runs) {
    const entry = model.entries[run.entry];
    if (!canRun(run)) continue;
    await core.load(run.trace);
    const start = performance.now(), result = await core.run(run, run.values);
    if (result.isScored) found.push({ entry: entry.name, trace: model.traces[run.trace].id,
      seconds: model.traces[run.trace].seconds, ms: performance.now() - start,
      page: [result.hits, result.alarms, result.misses], program: [run.hits, run.false_alarms, run.misses] });
  }
  return found; })()"""

AT_THRESHOLDS = """(async (entries, thresholds) => {
  const { model, core } = window.shadowbox, found = [];
  for (const run of model.runs) {
    const entry = model.entries[run.entry];
    if (entry.name !== entries || entry.threshold === undefined) continue;
    await core.load(run.trace);
    for (const threshold of thresholds) {
      const values = run.values.map((value, index) => (index === entry.threshold ? threshold : value));
      const result = await core.run(run, values);
      found.push([model.traces[run.trace].id, threshold, result.hits, result.alarms, result.misses]);
    }
  }
  return found; })"""


def check_runs(browser):
    runs = browser.evaluate(AS_RUN)
    wrong = [run for run in runs if run["page"] != run["program"]]
    if wrong or not runs:
        sys.exit(f"{len(wrong)} of {len(runs)} runs differ, e.g. {wrong[:3]}")
    slowest = max(runs, key=lambda run: run["ms"] / max(run["seconds"], 1))
    print(f"{len(runs)} runs: the page's counts are the program's; slowest by length "
          f"{slowest['ms']:.1f} ms for {slowest['seconds']:.0f} s ({slowest['entry']})")  # fmt: skip


def punch_traces(browser):
    """The traces of the suite on which the default punch detector runs."""
    return browser.evaluate("""(() => { const { model } = window.shadowbox;
      return [...new Set(model.runs.filter((run) => model.entries[run.entry].name === "punch/default")
        .map((run) => model.traces[run.trace].path))]; })()""")


def check_thresholds(browser, traces, folder):
    thresholds = [10 + 4 * step for step in range(20)]
    found = browser.evaluate(f"({AT_THRESHOLDS})('punch/default', {thresholds})")
    page = {(trace, threshold): counts for trace, threshold, *counts in found}
    if len(page) != len(traces) * len(thresholds):
        sys.exit(f"{len(page)} runs in the page, {len(traces)} traces at {len(thresholds)} thresholds")
    for threshold in thresholds:
        text = shadowbox("run", *traces, "--detector", "punch", "--gravity-filter", "lowpass",
                         "--parameters", f"threshold={threshold}", "--format", "json", "--quiet",
                         "-o", folder / "at.h5")  # fmt: skip
        for run in json.loads(text)["runs"]:
            program = counts_of(run)
            if page[run["trace"], threshold] != program:
                sys.exit(f"{run['trace']} at {threshold}: page {page[run['trace'], threshold]}, "
                         f"program {program}")  # fmt: skip
    print(f"{len(page)} runs at {len(thresholds)} thresholds: the page's counts are the program's")


AT_PRESETS = """(async () => {
  const { model, core, valuesOf, canRun } = window.shadowbox, found = [];
  for (const run of model.runs) {
    const entry = model.entries[run.entry];
    if (entry.name !== "punch/default" || !canRun(run)) continue;
    await core.load(run.trace);
    for (const [index, preset] of entry.presets.entries()) {
      const result = await core.run(run, valuesOf(run, { preset: index, changes: new Map() }));
      found.push([model.traces[run.trace].id, preset.name, result.hits, result.alarms, result.misses]);
    }
  }
  return found; })()"""


def counts_of(run):
    return [run["figures"][name]["value"] for name in
            ["true_positives", "false_positives", "false_negatives"]]  # fmt: skip


def check_presets(browser, traces, folder):
    found = browser.evaluate(AT_PRESETS)
    page = {(trace, preset): counts for trace, preset, *counts in found}
    for preset in {preset for _, preset in page}:
        text = shadowbox("run", *traces, "--detector", f"punch/{preset}", "--gravity-filter", "lowpass",
                         "--format", "json", "--quiet", "-o", folder / "at.h5")  # fmt: skip
        for run in json.loads(text)["runs"]:
            program = counts_of(run)
            if run["entry"] == f"punch/{preset}" and page[run["trace"], preset] != program:
                sys.exit(f"{run['trace']} with {preset}: page {page[run['trace'], preset]}, "
                         f"program {program}")  # fmt: skip
    print(f"{len(page)} runs with presets: the page's counts are the program's")


# Of each entry: the delays of hits, how many have the right class, and the distances; and the program's.
SHOWN = """(async () => {
  const { model, core, canRun } = window.shadowbox, found = [];
  for (const entry of model.entries) {
    const one = { name: entry.name, delays: [], matched: 0, distances: [], figures: {} };
    for (const figure of entry.figures) one.figures[figure.name] = figure.value;
    for (const run of entry.runs.map((index) => model.runs[index]).filter(canRun)) {
      await core.load(run.trace);
      const result = await core.run(run, run.values);
      one.delays.push(...result.delays);
      one.matched += result.confusion.counts.reduce((sum, count) => sum + count, 0);
      if (result.track.length) one.distances.push([...result.track]);
    }
    found.push(one);
  }
  return found; })()"""


def check_shown(browser):
    compared = [0, 0]
    for entry in browser.evaluate(SHOWN):
        name, figures = entry["name"], entry["figures"]
        if figures.get("latency_count") and entry["delays"]:
            delays = sorted(entry["delays"])
            for part, percent in [(0.5, 50), (0.9, 90), (0.99, 99)]:
                at = delays[-int(-(part * len(delays)) // 1) - 1]
                expected = figures.get(f"latency_p{percent}")
                if expected is not None and abs(at - expected) > 1e-9:
                    sys.exit(f"{name}: p{percent} of the delays is {at} s, the program's {expected}")
            if entry["matched"] not in (0, figures["latency_count"]):
                sys.exit(f"{name}: {entry['matched']} hits by class, {figures['latency_count']} hits")
            compared[0] += 1
        errors = [100 * (one[0] / one[1] - 1) for one in entry["distances"] if one[1]]
        expected = figures.get("distance_error_bias")
        if errors and expected is not None:
            if abs(sum(errors) / len(errors) - expected) > 1e-9:
                sys.exit(f"{name}: {errors} % in the page, {expected} % the program's mean")
            compared[1] += 1
    print(f"delays of {compared[0]} entries and distances of {compared[1]} are the program's")


def check_plateau(browser, traces, folder):
    """The best threshold and the plateau that the page states, by runs of the program."""
    budget = 120
    browser.evaluate(f"""(() => {{ const field = document.getElementById('budget');
      field.value = {budget}; field.dispatchEvent(new Event('change')); }})()""")
    text, since = "", time.monotonic()
    while time.monotonic() - since < 3:
        shown = browser.evaluate("document.getElementById('within-more').textContent")
        if shown != text:
            text, since = shown, time.monotonic()
        time.sleep(0.2)
    stated = re.fullmatch(r"threshold (\S+), (\S+) per hour; plateau (\S+) to (\S+), recall from (\S+)", text)
    if not stated:
        sys.exit(f"plateau: found {text!r}")
    best, rate, low, high, least = map(float, stated.groups())

    def at(threshold):
        result = json.loads(shadowbox("run", *traces, "--detector", "punch", "--gravity-filter", "lowpass", "--parameters",
                                      f"threshold={threshold}", "--format", "json", "--quiet", "-o", folder / "at.h5"))
        people, alarms, hours = {}, 0, 0
        for run in result["runs"]:
            hits, false, misses = counts_of(run)
            sums = people.setdefault(run["subject"], [0, 0])
            sums[0] += hits
            sums[1] += hits + misses
            alarms += false
            hours += run["figures"]["scored_hours"]["value"]
        found, count = (sum(one[place] for one in people.values()) for place in (0, 1))
        left = [(found - one[0]) / (count - one[1]) for one in people.values() if one[1]]
        mean = sum(left) / len(left)
        error = ((len(left) - 1) / len(left) * sum((one - mean) ** 2 for one in left)) ** 0.5
        return found / count, alarms / hours, error

    recall, alarms, error = at(best)
    expected = recall - min(error, 0.02 * recall)
    if abs(alarms - rate) > (0.051 if rate < 100 else 0.51) or abs(expected - least) > 0.00051:
        sys.exit(f"best: page {text}; program recall {recall}, {alarms}/h, least {expected}")
    for threshold in [low, (low + high) / 2, high]:
        inside, alarms, _ = at(threshold)
        if inside < least - 0.00051 or alarms > budget:
            sys.exit(f"plateau {text}: at {threshold} recall {inside}, {alarms}/h")
    for threshold in [low * 0.97, high * 1.03]:
        outside, alarms, _ = at(threshold)
        if outside > least + 0.00051 and alarms <= budget:
            sys.exit(f"plateau {text}: it goes on at {threshold} with recall {outside}, {alarms}/h")
    print(f"the plateau is the program's: {text}")


CERTIFICATE = """<!doctype html><title>certificate</title><script>
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const [program, input] = [bytes("PROGRAM"), bytes("INPUT")], output = [];
let place = 0, memory = null;
const vectors = (address, count) => Array.from({ length: count }, (_, index) => {
  const view = new DataView(memory.buffer);
  return new Uint8Array(memory.buffer, view.getUint32(address + 8 * index, true),
    view.getUint32(address + 8 * index + 4, true));
});
const done = (address, count) => { new DataView(memory.buffer).setUint32(address, count, true); return 0; };
const system = new Proxy({
  fd_read: (file, address, count, result) => {
    let read = 0;
    for (const space of vectors(address, count)) {
      const part = input.subarray(place, place + space.length);
      space.set(part); place += part.length; read += part.length;
    }
    return done(result, read);
  },
  fd_write: (file, address, count, result) => {
    let written = 0;
    for (const part of vectors(address, count)) { output.push(part.slice()); written += part.length; }
    return done(result, written);
  },
}, { get: (known, name) => known[name] || (() => 0) });
(async () => {
  const { instance } = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: system });
  memory = instance.exports.memory;
  instance.exports._start();
  const digest = await crypto.subtle.digest("SHA-256", await new Blob(output).arrayBuffer());
  window.digest = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
})();
</script>"""


def check_certificate(folder):
    expected = (ROOT / "Tests/Fixtures/certificate.txt").read_text().split()[1]
    page = CERTIFICATE
    for name, file in [("PROGRAM", "certificate.wasm"), ("INPUT", "input")]:
        page = page.replace(f'"{name}"', f'"{base64.b64encode((folder / file).read_bytes()).decode()}"')
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        path = Path(name) / "certificate.html"
        path.write_text(page)
        browser = Browser(f"file://{path}", name)
        browser.until("window.digest !== undefined")
        found = browser.evaluate("window.digest")
        browser.process.kill()
        browser.process.wait()
    if found != expected:
        sys.exit(f"chromium: expected detections with SHA-256 {expected}, found {found}")
    print(f"chromium: the same detections to the bit, SHA-256 {expected}")


def check_errors(browser):
    count = browser.evaluate("document.querySelectorAll('#errors [data-error]').length")
    first = browser.evaluate("document.getElementById('trace-title').textContent")
    seen = set()
    for _ in range(count):
        browser.key("n")
        time.sleep(0.05)
        seen.add(browser.evaluate("document.getElementById('message').textContent"))
    if count == 0 or len(seen) != count or not all(text.endswith(first) for text in seen):
        sys.exit(f"{first}: expected {count} errors by the key n, found {len(seen)}")
    print(f"the key n visits all {count} errors of {first}")


MOVE = """(async () => {
  const { model, core } = window.shadowbox;
  let saved = null;
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => { saved = blob; return make.call(URL, blob); };
  const press = (text) => [...document.querySelectorAll("button")].find((one) => one.textContent === text).click();
  press("Edit labels");
  const plot = document.getElementById("plot"), box = plot.getBoundingClientRect();
  const title = document.getElementById("trace-title").textContent;
  const trace = model.traces.findIndex((one) => one.id === title);
  const [label] = await core.labels(trace, "punch");
  const x = box.left + 44 + (label.onset / 1e9 / model.traces[trace].seconds) * (box.width - 52);
  const send = (type, at) => plot.dispatchEvent(new PointerEvent(type, { clientX: at, clientY: box.top + 150,
    pointerId: 1, bubbles: true }));
  plot.setPointerCapture = () => {};
  send("pointerdown", x); send("pointermove", x + 4); send("pointerup", x + 4);
  await new Promise((resolve) => setTimeout(resolve, 500));
  press("Save labels");
  return [trace, label.onset, await saved.text(), (await core.labels(trace, "punch")).map((one) => one.onset)]; })()"""


def check_labels(browser, traces, folder):
    browser.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: '0' }))")
    trace, before, saved, after = browser.evaluate(MOVE)
    path = next(one for one in traces if str(one) == browser.evaluate(
        f"window.shadowbox.model.traces[{trace}].path"))  # fmt: skip
    (folder / "labels.csv").write_text(saved)
    shadowbox("convert", path, "--reference", folder / "labels.csv", "-o", folder / "labelled.h5", "--quiet")
    with h5py.File(folder / "labelled.h5") as file:
        onsets = [int(onset) for onset in file["reference/punch/onset"][:]]
    if before in onsets or onsets != [int(onset) for onset in after]:
        sys.exit(f"labels: expected {after[:3]}, found {onsets[:3]}")
    print(f"{len(onsets)} labels, one of them moved, come back at the same nanosecond")


PRESS = """(text) => [...document.querySelectorAll("button")].find((one) => one.textContent === text).click()"""


def check_served(traces, folder):
    """The labels of a page of `report --serve` are written beside their trace."""
    copy = folder / "served.h5"
    copy.write_bytes((ROOT / traces[0]).read_bytes())
    shadowbox("run", copy, "--detector", "punch", "-o", folder / "served-r.h5", "--quiet")
    with subprocess.Popen([SHADOWBOX, "report", folder / "served-r.h5", "--serve", "--quiet"],
                          stdout=subprocess.PIPE, text=True) as server:  # fmt: skip
        try:
            browser = Browser(server.stdout.readline().strip(), folder / "served")
            browser.until("document.querySelector('#counts b') !== null")
            browser.evaluate(f"({PRESS})('Edit labels')")
            browser.evaluate(f"({PRESS})('Save labels')")
            browser.until("document.getElementById('message').textContent.startsWith('Saved ')")
            saved = (folder / "served.labels.csv").read_text().splitlines()
            if browser.problems:
                sys.exit(f"the console says: {browser.problems[:5]}")
            browser.process.kill()
            browser.process.wait()
        finally:
            server.kill()
    with h5py.File(copy) as file:
        onsets = [int(onset) for onset in file["reference/punch/onset"][:]]
    if [int(line.split(",")[0]) for line in saved[1:]] != onsets:
        sys.exit(f"served labels: expected {onsets[:3]}, found {saved[:4]}")
    print(f"{len(onsets)} labels of a served page are beside the trace")


AT_SLIDER = """(async (value) => {
  const slider = document.querySelector("#parameters input[type=range]");
  slider.value = value; slider.dispatchEvent(new Event("input"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const text = document.getElementById("counts").textContent;
  return [Number(document.getElementById("field-0").value), text]; })"""


def check_external(traces, folder):
    """The slider of a detector that does not run in the page goes through the thresholds of a sweep."""
    detector = "exec:Tests/Examples/exec/swing.py"
    page = folder / "exec.html"
    shadowbox("run", *traces, "--detector", detector, "--report", page, "-o", folder / "exec.h5", "--quiet")
    browser = Browser(f"file://{page}", folder / "exec")
    browser.until("document.querySelector('#counts b') !== null")
    for asked in [15, 47, 80]:
        threshold, shown = browser.evaluate(f"({AT_SLIDER})({asked})")
        whole = browser.evaluate("window.shadowbox.model.runs[0].curve.thresholds")
        exact = min(whole, key=lambda one: abs(one - threshold))
        text = shadowbox("run", *traces, "--detector", detector, "--parameters", f"threshold={exact}",
                         "--format", "json", "--quiet", "-o", folder / "exec-at.h5")  # fmt: skip
        counts = [counts_of(run) for run in json.loads(text)["runs"]]
        expected = [sum(one[0] for one in counts), sum(one[0] + one[2] for one in counts)]
        rate = sum(one[1] for one in counts)
        parts = [f"Recall: {expected[0]} of {expected[1]}", f"False alarms/h: {rate}"]
        if not all(part in shown for part in parts):
            sys.exit(f"{detector} at {exact}: page {shown}, program {parts}")
    if browser.problems:
        sys.exit(f"the console says: {browser.problems[:5]}")
    browser.process.kill()
    browser.process.wait()
    print("an external detector's counts follow the threshold")


AT_VALUES = """(async (all) => {
  const { model, core, canRun } = window.shadowbox, found = [];
  for (const values of all) {
    const counts = [];
    for (const run of model.runs) {
      if (!canRun(run)) continue;
      await core.load(run.trace);
      const result = await core.run(run, values);
      counts.push([result.hits, result.alarms, result.misses]);
    }
    found.push(counts);
  }
  return found; })"""


def check_own(module, traces, folder):
    """A module that was built with the example's detector runs it; one of other rules is refused."""
    what = [*traces, "--detector", "swing", "--quiet"]
    page, results = folder / "own.html", folder / "own.h5"
    shadowbox("run", *what, "-o", results, "--report", page, "--module", module)
    browser = Browser(f"file://{page}", folder / "own")
    browser.until("document.querySelector('#counts b') !== null")
    asked = [[threshold, 0.4] for threshold in range(12, 88, 4)] + [[30, 0.9]]
    shown = browser.evaluate(f"({AT_VALUES})({json.dumps(asked)})")
    for (threshold, rest), counts in zip(asked, shown, strict=True):
        text = shadowbox("run", *what, "--parameters", f"threshold={threshold},rest={rest}", "--format", "json",
                         "-o", folder / "own-at.h5")  # fmt: skip
        expected = [counts_of(run) for run in json.loads(text)["runs"]]
        if counts != expected:
            sys.exit(f"swing at {threshold}, {rest}: page {counts}, program {expected}")
    if browser.problems:
        sys.exit(f"the console says: {browser.problems[:5]}")
    browser.process.kill()
    browser.process.wait()
    shadowbox("report", results, "-o", page, "--module", module)
    text = page.read_text()
    check_endless(text, folder)
    # As if the run were of another state of the detector.
    changed = text.replace('"emitted":[', '"emitted":[0.125,', 1)
    assert changed != text
    page.write_text(changed)
    browser = Browser(f"file://{page}", folder / "refused")
    browser.until("document.querySelector('#why') !== null && document.querySelector('#why').textContent !== ''")
    why = browser.evaluate("document.querySelector('#why').textContent")
    if "detects something else than the run, on 1 trace;" not in why or browser.evaluate(f"({AT_VALUES})([[30, 0.4]])") != [[]]:
        sys.exit(f"a module of other rules: {why}")
    browser.process.kill()
    browser.process.wait()
    print(f"a detector of one's own runs in the page: {len(asked)} settings on {len(traces)} traces")


# A place that no memory has, and a trap.
BEYOND, TRAP = [65, 240, 255, 255, 255, 7], [0]


def check_endless(text, folder):
    """A custom detector that does not end, traps, or answers nonsense; the page has the rest."""
    page, maker = folder / "endless.html", Browser("about:blank", folder / "maker")
    texts = {found: hostile(maker, text, {"run": code}) for found, code in [("none", LOOP), ("a trap: unreachable", TRAP)]}
    texts["Invalid"] = hostile(maker, text, {"values": BEYOND})
    maker.process.kill()
    maker.process.wait()
    for place, (found, changed) in enumerate(texts.items()):
        page.write_text(changed)
        start = time.monotonic()
        browser = Browser(f"file://{page}", folder / f"endless-{place}")
        message = f"run of swing in the module: expected an answer within 10 s, found {found}"
        browser.until(f"document.getElementById('faults')?.textContent.startsWith({json.dumps(message)})", 30)
        browser.until("document.getElementById('why')?.textContent.startsWith('The module failed in this detector')")
        print(f"a detector with a fault ({found}) is named after {time.monotonic() - start:.1f} s")
        # The picture and the errors of the run, and its figures by threshold from a sweep.
        browser.until("document.querySelector('#counts b') !== null")
        check_errors(browser)
        if browser.evaluate("document.getElementById('plot').clientHeight") < 300 or browser.problems:
            sys.exit(f"{found}: expected a picture and no problem, found {browser.problems[:5]}")
        browser.process.kill()
        browser.process.wait()


USES = """(async () => {
  const { model, core, canRun } = window.shadowbox;
  let [same, other] = [0, 0];
  for (const run of model.runs) {
    if (!run.uses || !canRun(run)) continue;
    await core.load(run.trace);
    const kept = run.uses.replace(/([a-z])([0-9]+)/g, (_, use, count) => use.repeat(Number(count)));
    if ((await core.uses(run, run.values)).uses === kept) same += 1; else other += 1;
  }
  return [same, other]; })()"""


def check_uses(browser):
    same, other = browser.evaluate(USES)
    if other or not same:
        sys.exit(f"fixes: {other} of {same + other} runs differ")
    print(f"what is made of each fix is the program's, of {same} runs")


def check_apps(browser):
    """Each app of the suite is opened; n visits its first events."""
    apps = browser.evaluate("window.shadowbox.model.apps.map((app) => [app.name, app.events.length])")
    for name, count in apps:
        browser.evaluate(f"[...document.querySelectorAll('button.link')].find((one) => one.textContent === {json.dumps(name)}).click()")  # fmt: skip
        browser.until("document.querySelectorAll('#errors [data-error]').length === " + str(count))
        time.sleep(1)
        for place in range(min(count, 3)):
            browser.key("n")
            time.sleep(0.05)
            shown = browser.evaluate("[...document.querySelectorAll('#errors [aria-current=true]')].map((row) => row.dataset.error)")
            if shown != [str(place)]:
                sys.exit(f"{name}: expected event {place}, found {shown}")
    if not apps:
        sys.exit("the default suite has no app on its page")
    print(f"{len(apps)} apps, {sum(count for _, count in apps)} events")


def check_comparison(traces, folder):
    """The page of `compare --report`: two thresholds on the traces."""
    files = [folder / "base.h5", folder / "head.h5"]
    for file, threshold in zip(files, [30, 26]):
        shadowbox("run", *traces, "--detector", "punch/magnitude", "--gravity-filter", "lowpass", "--parameters",
                  f"threshold={threshold}", "-o", file, "--quiet")  # fmt: skip
    page = folder / "compared.html"
    entry = json.loads(shadowbox("compare", *files, "--format", "json", "--report", page, "--quiet"))["entries"][0]
    browser = Browser(f"file://{page}", folder / "other")
    browser.until("document.querySelector('#flips p') !== null")
    shown = browser.evaluate("document.querySelector('#flips p').textContent")
    lost, found = len(entry["lost_references"]), len(entry["found_references"])
    parts = [f"{count} {word} that" for count, word in [(found, "found"), (lost, "missed")] if count]
    if not parts or not all(part in shown for part in parts):
        sys.exit(f"comparison: expected {parts}, found {shown}")
    check_errors(browser)
    if browser.problems:
        sys.exit(f"the console says: {browser.problems[:5]}")
    browser.process.kill()
    browser.process.wait()
    print(f"the page of a comparison shows {lost} lost and {found} found references")


def main():
    if sys.argv[1] == "--certificate":
        check_certificate(Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if sys.argv[2:3] == ["--own"]:
            check_own(Path(sys.argv[3]).resolve(), [Path(one) for one in sys.argv[4:]], folder)
            return
        traces = [Path(one) for one in sys.argv[2:]]
        what = [*traces, "--detector", "punch", "--gravity-filter", "lowpass"] if traces else []
        shadowbox("run", *what, "-o", folder / "r.h5", "--report", folder / "page.html", "--quiet")
        browser = Browser(f"file://{folder}/page.html", folder)
        browser.until("document.querySelector('#errors table, #errors p') !== null")
        browser.until("document.querySelector('#counts b') !== null")
        check_runs(browser)
        check_shown(browser)
        if not traces:
            check_thresholds(browser, punch_traces(browser), folder)
            check_uses(browser)
            check_apps(browser)
        if traces:
            check_thresholds(browser, traces, folder)
            check_presets(browser, traces, folder)
            check_plateau(browser, traces, folder)
            check_errors(browser)
            check_labels(browser, traces, folder)
            check_comparison(traces, folder)
            check_served(traces, folder)
            check_external(traces[:3], folder)
        if browser.problems:
            sys.exit(f"the console says: {browser.problems[:5]}")
        browser.process.kill()
        browser.process.wait()
        print("no error on the console")


if __name__ == "__main__":
    main()
