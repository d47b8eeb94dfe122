"""Uses the page of a run as people do, in Chromium: keys, labels, words to copy, one thing before the other
has ended.

  .venv/bin/python Tests/Python/page_by_hand.py PROGRAM

It fails if a key does something else than it says, a label is lost or changed unasked, the copied words do
not give the figures that are shown, a comparison of a file with itself is not computed, or the console has
an error.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from page_in_browser import ROOT, Browser, shadowbox

SUITE = f"""schema: shadowbox-suite/1
name: by hand
traces:
  punches: [{", ".join(str(ROOT / "traces/synthetic" / name) + ".h5" for name in
             ["punch-s01-left", "punch-s02-left", "punch-s05-right", "walking-s01"])}]
  drags: [{ROOT}/traces/synthetic/drags-s01.h5]
  routes: [{ROOT}/traces/synthetic/route-s01.h5]
entries:
  - {{name: punches, detector: punch, traces: [punches], parameters: {{threshold: 20, refractory: 0.3}}}}
  - {{name: drags, detector: tiledrag, traces: [drags]}}
  - {{name: places, detector: checkin, traces: [routes]}}
"""


class Hands(Browser):
    """Keys and clicks as a person's."""

    def __init__(self, url, folder):
        super().__init__(url, folder)
        self.until("document.querySelector('#counts b') !== null")
        self.settle()

    def text(self, name):
        return self.evaluate(f"document.getElementById('{name}').textContent")

    def press(self, text):
        self.evaluate(f"[...document.querySelectorAll('button')].find((one) => one.textContent === {json.dumps(text)}).click()")
        self.evaluate("document.activeElement.blur()")

    def keys(self, *names, modifiers=0):
        for name in names:
            more = {"text": name} if len(name) == 1 and not modifiers else {}
            for kind in ["keyDown", "keyUp"]:
                self.call("Input.dispatchKeyEvent", type=kind, key=name, modifiers=modifiers, **(more if kind == "keyDown" else {}))
            time.sleep(0.1)

    def click(self, x, y, count=1):
        for number in range(1, count + 1):
            for kind in ["mousePressed", "mouseReleased"]:
                self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=number)

    def canvas(self):
        return self.evaluate("""(() => { const plot = document.getElementById("plot"); plot.scrollIntoView({ block: "center" });
          const box = plot.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()""")

    def settle(self):
        """Waits until nothing that is shown changes."""
        last, since = None, time.monotonic()
        while time.monotonic() - since < 0.6:
            shown = [self.text(name) for name in ["counts", "within-more", "errors", "trace-title", "message"]]
            if shown != last:
                last, since = shown, time.monotonic()
            time.sleep(0.1)

    def onsets(self, trace=0, task="punch"):
        return self.evaluate(f"window.shadowbox.core.labels({trace}, '{task}').then((all) => all.map((one) => one.onset))")

    def end(self):
        problems = self.problems
        self.process.kill()
        self.process.wait()
        if problems:
            sys.exit(f"the console says: {problems[:3]}")


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: expected {expected!r}, found {found!r}")


def check_labels(page):
    titles = ["punch-s01-left", "punch-s02-left"]
    page.press(titles[0])
    page.settle()
    before = page.onsets()
    page.keys("n", "Delete", "Backspace")
    page.keys("z", modifiers=2)
    expect(page.onsets(), before, "Delete while labels are not edited")

    # By keyboard: one is added, moved, chosen, removed and taken back.
    page.press("Edit labels")
    page.keys("a")
    page.settle()
    expect(len(page.onsets()), len(before) + 1, "the key a")
    added = (set(page.onsets()) - set(before)).pop()
    page.keys("ArrowRight", modifiers=8)
    page.settle()
    moved = (set(page.onsets()) - set(before)).pop()
    if not 0 < moved - added < 1e9:
        sys.exit(f"Shift and an arrow: from {added} to {moved}")
    page.press(titles[1])
    page.settle()
    page.press("Undo")
    page.press(titles[0])
    page.settle()
    expect((set(page.onsets()) - set(before)).pop(), moved, "Undo in another trace")
    page.keys("z", modifiers=2)
    page.settle()
    page.keys("z", modifiers=2)
    page.settle()
    expect(page.onsets(), before, "two steps back")
    page.keys("Delete")
    expect(page.onsets(), before, "Delete after a step back, when nothing is chosen")
    page.keys("0", "]", "Delete")
    page.settle()
    expect(len(page.onsets()), len(before) - 1, "a label chosen by ] and removed")
    page.keys("z", modifiers=2)
    page.settle()

    # A click on a label changes nothing; one beside the plot adds none outside of the recording.
    left, top, width, _ = page.canvas()
    length = page.evaluate("window.shadowbox.model.traces[0].seconds")
    page.click(left + 44 + before[0] / 1e9 / length * (width - 52), top + 150)
    page.settle()
    expect(page.evaluate("document.getElementById('label-undo').disabled"), True, "Undo after a mere click")
    page.click(left + 3, top + 150, 2)
    page.settle()
    expect(min(page.onsets()) >= 0, True, "a double-click in the margin")

    # A class that is being typed is saved by the first click.
    page.evaluate("window.saved = 0; URL.createObjectURL = ((make) => (blob) => { window.saved += 1; return make.call(URL, blob); })(URL.createObjectURL)")
    x, y = page.evaluate("""(() => { const field = document.getElementById("label-class"); field.scrollIntoView({ block: "center" });
      field.focus(); const box = [...document.querySelectorAll("button")].find((one) => one.textContent === "Save labels")
        .getBoundingClientRect(); return [box.left + 5, box.top + 5]; })()""")
    page.keys("j", "a", "b")
    page.click(x, y)
    page.settle()
    expect(page.evaluate("window.saved"), 1, "Save labels after a class was typed")
    page.press("Edit labels")

    # Only punches: convert takes no other labels.
    for entry in ["drags", "places"]:
        page.press(entry)
        page.settle()
        expect(page.evaluate("document.getElementById('edit').hidden"), True, f"Edit labels of {entry}")
        task = page.evaluate("window.shadowbox.model.entries.find((one) => one.name === '%s').task" % entry)
        trace = page.evaluate("window.shadowbox.model.traces.findIndex((one) => one.id === document.getElementById('trace-title').textContent)")
        known = page.onsets(trace, task)
        page.keys("n", "Delete")
        expect(page.onsets(trace, task), known, f"Delete on {entry}")


def check_overview(page):
    """Each detector with references has its recall and rate, and the words say the rate."""
    for name, recall, _, alarms, words in page.evaluate("""[...document.querySelectorAll(".overview tbody tr")].map((row) =>
        [...row.cells].map((cell) => cell.textContent))"""):
        if "–" in [recall.strip(), alarms.strip()] or "per hour" not in words:
            sys.exit(f"overview: {name}: {recall}, {alarms}, {words}")


def check_keys(page):
    page.press("punches")
    page.settle()
    # As the list has them: the errors of all traces, one after the other.
    order = page.evaluate("[...document.querySelectorAll('#list tbody button')].map((one) => one.textContent)")
    page.press(order[0])
    page.settle()
    all_errors = page.evaluate("""(async () => { const { model, core } = window.shadowbox, found = {};
      for (const run of model.entries[0].runs.map((index) => model.runs[index])) { const result = await core.run(run, run.values);
        found[model.traces[run.trace].id] = result.references.filter((one) => one === 1).length
          + result.outcomes.filter((one) => one === 1 || one === 2).length; }
      return found; })()""")
    # The slider has the focus, as after a drag.
    page.evaluate("document.querySelector('#parameters input[type=range]').focus()")
    for _ in range(sum(all_errors.values())):
        page.call("Input.dispatchKeyEvent", type="keyDown", key="n", text="n")
        page.call("Input.dispatchKeyEvent", type="keyUp", key="n")
    page.settle()
    expect(page.text("message").endswith(f" in {[one for one in order if all_errors[one]][-1]}"), True,
           f"n for all {sum(all_errors.values())} errors, quickly: {page.text('message')}")  # fmt: skip
    last = page.text("trace-title")
    page.keys("n")
    page.settle()
    expect([page.text("message"), page.text("trace-title")], ["No further error.", last], "n after the last error")
    # What is clicked last stays.
    page.press(order[1])
    page.settle()
    for _ in range(all_errors[order[1]]):
        page.keys("n")
    page.evaluate(f"""(() => {{ document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key: "n", bubbles: true }}));
      [...document.querySelectorAll("#list tbody button")].find((one) => one.textContent === "{order[0]}").click(); }})()""")
    page.settle()
    expect(page.text("trace-title"), order[0], "n and a click at once")


def check_orders(page):
    """The worst false alarm: a click on the head of a column, and the first row."""
    page.press(page.evaluate("document.querySelector('#list tbody button').textContent"))
    page.settle()
    sizes = "[...document.querySelectorAll('#errors tbody tr')].map((row) => [row.cells[1].textContent, Number(row.cells[2].textContent)])"
    largest = max(size for kind, size in page.evaluate(sizes) if kind == "false alarm")
    page.press("Size")
    expect(page.evaluate(sizes)[0][1], largest, "the first error by size")
    page.evaluate("document.querySelector('#errors tbody button').click()")
    if f", {largest:.1f} in " not in page.text("message"):
        sys.exit(f"the worst false alarm has {largest}, found {page.text('message')}")
    column = "[...document.querySelectorAll('#list tbody tr')].map((row) => Number(row.cells[%d].textContent))"
    for place, name in [(1, "Missed"), (2, "False")]:
        page.press(name)
        found = page.evaluate(column % place)
        expect(found, sorted(found, reverse=True), f"traces by {name}")
    page.press("False ↓")
    page.press("Size ↓")


def check_words(page, folder):
    page.press(page.evaluate("document.querySelector('#list tbody button').textContent"))
    page.settle()
    page.press("Copy as --parameters")
    page.settle()
    words = page.text("message").removeprefix("Copied: ").split()
    expect(words[:2], ["--detector", "punch/default"], "copied words")
    traces = [str(ROOT / one["path"]) for one in page.evaluate(
        "window.shadowbox.model.entries[0].runs.map((run) => window.shadowbox.model.traces[window.shadowbox.model.runs[run].trace])")]
    text = shadowbox("run", *traces, *words, "--format", "json", "--quiet", "-o", folder / "words.h5")
    hits = sum(run["figures"]["true_positives"]["value"] for run in json.loads(text)["runs"])
    expect(page.text("counts").split(" of ")[0], f"Recall: {hits:.0f}", f"what the words {words} give")


def check_delays(page):
    page.evaluate("document.getElementById('delay-box').open = true")
    page.evaluate("(() => { const one = document.querySelector('#parameters input[type=range]'); one.value = 60; one.dispatchEvent(new Event('input')); })()")
    page.settle()
    hits = page.text("counts").split(" of ")[0].removeprefix("Recall: ")
    for state in ["false", "true"]:
        page.evaluate(f"document.getElementById('delay-box').open = {state}")
        page.settle()
    expect(page.text("delay-text").split()[1], hits, "hits of the delays, after the box was closed and opened")


def check_comparison(folder):
    """A file against itself: the default detector, whose detections have scores, is computed."""
    trace = ROOT / "traces/synthetic/punch-s01-left.h5"
    shadowbox("run", trace, "--detector", "punch", "-o", folder / "a.h5", "--quiet")
    shadowbox("compare", folder / "a.h5", folder / "a.h5", "--report", folder / "a.html", "--quiet")
    page = Hands(f"file://{folder}/a.html", folder / "compared")
    expect(page.text("why"), "", "why a comparison of a file with itself is not computed")
    expect(page.text("flips"), "Compared with the base: nothing.", "changes of a file against itself")
    expect(page.evaluate("document.getElementById('edit').hidden"), True, "Edit labels of a comparison")
    page.end()


def check_haste(folder):
    """Keys before the page is ready; entries and apps within a moment."""
    page = Browser(f"file://{folder}/page.html", folder / "haste")
    for _ in range(20):
        page.key("n")
    page.until("document.querySelector('#counts b') !== null")
    for pause in [0, 1, 5, 20]:
        page.evaluate(f"""(async () => {{
          for (const button of [...document.querySelectorAll(".overview button.link"), ...document.querySelectorAll("#list tbody button")]) {{
            button.click();
            document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key: "n", bubbles: true }}));
            await new Promise((resolve) => setTimeout(resolve, {pause}));
          }} }})()""")
    time.sleep(1)
    if page.problems:
        sys.exit(f"the console says: {page.problems[:3]}")
    page.process.kill()
    page.process.wait()


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "hands.yml").write_text(SUITE)
        shadowbox("run", folder / "hands.yml", "-o", folder / "r.h5", "--report", folder / "page.html", "--quiet")
        page = Hands(f"file://{folder}/page.html", folder / "hands")
        check_overview(page)
        check_labels(page)
        page.end()
        page = Hands(f"file://{folder}/page.html", folder / "keys")
        check_keys(page)
        check_orders(page)
        check_words(page, folder)
        check_delays(page)
        page.end()
        check_comparison(folder)
        check_haste(folder)
        print("the page holds under quick hands: labels, keys, words, delays, a comparison")


if __name__ == "__main__":
    main()
