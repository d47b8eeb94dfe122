"""Checks the page of a report: the tests of its script by Node, and a page in Chromium.

Each is left out, with a line that says so, where Node or Chromium is not installed. In Chromium a page of
one trace is opened: no error on the console, n and p visit each error, and at another threshold the page's
counts are those of `run`. With a module that does not end, and without Workers, the page says so and has
its tables. The whole is in page_in_browser.py: `make browser`.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.argv[1:] = [os.environ["SHADOWBOX_EXECUTABLE"]]
from page_in_browser import LOOP, ROOT, TRAP, Browser, check_errors, counts_of, hostile, shadowbox  # noqa: E402

TRACE = "traces/synthetic/punch-s02-left.h5"
MOVE = """(async () => {
  const slider = document.querySelector("#parameters input[type=range]");
  slider.value = 55; slider.dispatchEvent(new Event("input"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  return [Number(document.getElementById("field-0").value), document.getElementById("counts").textContent]; })()"""


def check_script():
    if not shutil.which("node"):
        print("node is not installed: the tests of the page's script are left out")
        return
    tests = sorted(map(str, (ROOT / "Tests/Page").glob("*.test.mjs")))
    done = subprocess.run(["node", "--test", *tests], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    print("the tests of the page's script pass")


def check_back(browser):
    """The key p visits the errors before the last one, down to the first."""
    places = "[...document.querySelectorAll('#errors [aria-current=true]')].map((row) => Number(row.dataset.error))"
    last = browser.evaluate(places)[0]
    for place in range(last - 1, -1, -1):
        browser.key("p")
        browser.until(f"({places})[0] === {place}", seconds=5)


def check_threshold(browser, folder):
    threshold, shown = browser.evaluate(MOVE)
    text = shadowbox("run", TRACE, "--detector", "punch", "--gravity-filter", "lowpass", "--parameters",
                     f"threshold={threshold}", "--format", "json", "--quiet", "-o", folder / "at.h5")  # fmt: skip
    hits, alarms, misses = map(int, counts_of(json.loads(text)["runs"][0]))
    for part in [f"Recall: {hits} of {hits + misses}", f"False alarms/h: {alarms}"]:
        if part not in shown:
            sys.exit(f"threshold {threshold}: expected {part!r}, found {shown!r}")


# A second of the page takes half of one: enough for a busy machine to compile the module.
HURRY = "window.setInterval = ((real) => (tick, time) => real(tick, time / 2))(setInterval)"


def check_faults(browser, folder):
    text = (folder / "page.html").read_text()
    for name, page, message in [
        ("loop", hostile(browser, text, {"run": LOOP, "percentiles": TRAP}), "run of punch in the module: expected an answer within 10 s, found none; "),
        ("bare", text.replace("worker-src blob:; ", ""), "start of the module: expected an answer within 10 s, found no Worker"),
    ]:  # fmt: skip
        (folder / f"{name}.html").write_text(page)
        other = Browser(f"file://{folder}/{name}.html", folder / name, before=HURRY)
        other.until(f"document.querySelector('.warning')?.parentNode.textContent.includes({json.dumps(message)})", seconds=30)
        if name == "loop":
            # The picture, by a Worker of its own.
            other.until("document.getElementById('why')?.textContent.startsWith('The module failed in this detector')", seconds=30)
            if other.evaluate("document.getElementById('plot').clientHeight") < 300 or other.problems:
                sys.exit(f"a module that does not end: expected a picture, found {other.problems[:5]}")
            # Changed labels are those of the next Worker, too.
            labels = other.evaluate("""(async ({ core }) => { await core.setLabels(0, "punch", [{ onset: 1e9, offset: 1e9, label: "x" }]);
              await core.percentiles([1]).catch(() => {}); return core.labels(0, "punch"); })(window.shadowbox)""")
            if [one["label"] for one in labels] != ["x"]:
                sys.exit(f"labels after a fault: {labels[:5]}")
        if "Finds 70 of 72; " not in other.evaluate("document.querySelector('.overview').textContent"):
            sys.exit(f"{name}: {other.evaluate('document.body.textContent')[:600]}")
        other.process.kill()
        other.process.wait()


def check_page():
    if not shutil.which("chromium"):
        print("chromium is not installed: the page is not opened")
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        shadowbox("run", TRACE, "--detector", "punch", "--gravity-filter", "lowpass", "-o", folder / "r.h5",
                  "--report", folder / "page.html", "--quiet")  # fmt: skip
        browser = Browser(f"file://{folder}/page.html", folder)
        browser.until("document.querySelector('#counts b') !== null")
        check_errors(browser)
        check_back(browser)
        check_threshold(browser, folder)
        problems = browser.problems
        check_faults(browser, folder)
        browser.process.kill()
        browser.process.wait()
    if problems:
        sys.exit(f"the console has {problems[:5]}")
    print("a page in Chromium: errors, threshold and console are as expected")


check_script()
check_page()
