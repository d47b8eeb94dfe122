"""Checks that the notebooks hold no outputs and run on what the program writes.

    python3 Tests/Python/check_notebooks.py

Runs a small suite with the program in SHADOWBOX_EXECUTABLE, then the code of each notebook as one
program, without jupyter; needs h5py and matplotlib. Exits with 1 and says what is wrong.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUITE = """
schema: shadowbox-suite/1
name: notebooks
traces:
  motion: [{traces}/synthetic/punch-s03-right-hold.h5, {traces}/recorded/watch-55.h5]
  route: [{traces}/synthetic/route-s01.h5]
  fighters: [{traces}/synthetic/fight-s01.h5, {traces}/synthetic/fight-s02.h5]
entries:
  - {{detector: punch, traces: motion, gravity_filter: lowpass}}
  - {{detector: punch, preset: hitThat, traces: motion, gravity_filter: lowpass}}
  - {{detector: checkin, traces: route, policy: {{cancel: 0.1}}}}
apps:
  - {{app: fight, traces: fighters}}
  - {{app: hike, traces: route, policy: {{}}}}
"""
# What a notebook shows, counted.
PRELUDE = """
import matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot
shown = []
pyplot.show = lambda: shown.append(len(pyplot.gca().lines) + len(pyplot.gca().containers))
"""


def require(condition, place, message):
    if not condition:
        sys.exit(f"{place}: {message}")


def check(path, results):
    notebook = json.loads(path.read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    require(cells, path.name, "no code")
    for cell in cells:
        require(not cell["outputs"] and cell["execution_count"] is None, path.name,
                "it holds outputs; clear them before it is committed")
    code = "\n\n".join("".join(cell["source"]) for cell in cells)
    done = subprocess.run(
        [sys.executable, "-B", "-c", f"{PRELUDE}\n{code}\nassert shown and all(shown), shown\n"],
        env={**os.environ, "SHADOWBOX_RESULTS": str(results)}, capture_output=True, text=True,
    )
    require(done.returncode == 0, path.name, done.stderr)
    print(f"{path.name}: {len(cells)} cells ran")


def main():
    program = os.environ["SHADOWBOX_EXECUTABLE"]
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    require(notebooks, "notebooks", "none found")
    with tempfile.TemporaryDirectory() as folder:
        suite, results = Path(folder) / "suite.yml", Path(folder) / "results.h5"
        suite.write_text(SUITE.format(traces=ROOT / "traces"))
        done = subprocess.run([program, "run", suite, "--output", results, "--quiet"],
                              capture_output=True, text=True)
        require(done.returncode == 0, "shadowbox run", done.stderr)
        for path in notebooks:
            check(path, results)


if __name__ == "__main__":
    main()
