"""Checks the page of a report: the tests of its script by Node, and a page in Chromium.

Each is left out, with a line that says so, where Node or Chromium is not installed. In Chromium a page of
one trace is opened: no error on the console, n and p visit each error, and at another threshold the page's
counts are those of `run`. The whole is in page_in_browser.py: `make browser`.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.argv[1:] = [os.environ["SHADOWBOX_EXECUTABLE"]]
from page_in_browser import ROOT, Browser, check_errors, counts_of, shadowbox  # noqa: E402

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
        browser.process.kill()
        browser.process.wait()
    if problems:
        sys.exit(f"the console has {problems[:5]}")
    print("a page in Chromium: errors, threshold and console are as expected")


check_script()
check_page()
