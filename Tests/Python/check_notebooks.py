"""Checks that the notebooks are short, hold no outputs, and run on what the program writes.

    python3 Tests/Python/check_notebooks.py [--pictures FOLDER] [NOTEBOOK...]

Runs a small suite and a sweep with the program in SHADOWBOX_EXECUTABLE, then the cells of each
notebook in a process of its own, without jupyter. Each picture must have a title, labelled axes and
something drawn. With --pictures the traces are those of `make run`, pictures go to
FOLDER/notebook-NAME-N.png, and what a notebook prints goes to stdout; a file that the environment
names (SHADOWBOX_RESULTS, SHADOWBOX_SWEEP, SHADOWBOX_TRACE) is read instead. Needs h5py, xarray, pandas
and matplotlib. Exits with 1 and prints what is wrong.
"""

import argparse
import ast
import collections
import concurrent.futures
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import forks

ROOT = Path(__file__).resolve().parents[2]
MOST_CELLS = 14
# 700 pixels at the 100 dots per inch of a browser.
WIDEST = 7
LARGEST_PICTURE = 150_000
SUITE = """
schema: shadowbox-suite/1
name: notebooks
traces:
  motion: ["{traces}/synthetic/punch-s0[34]-*.h5", {traces}/recorded/watch-55.h5]
  route: [{traces}/synthetic/route-s01.h5]
  groups: [{traces}/synthetic/presence-s01.h5]
  fighters: [{traces}/synthetic/fight-s01.h5, {traces}/synthetic/fight-s02.h5]
entries:
  - {{detector: punch, traces: motion, gravity_filter: lowpass}}
  - {{detector: punch, preset: hitThat, traces: motion, gravity_filter: lowpass}}
  - {{detector: checkin, traces: route, policy: {{cancel: 0.1}}}}
  - {{detector: presence, traces: groups}}
apps:
  - {{app: fight, traces: fighters}}
  - {{app: hike, traces: route, policy: {{}}}}
"""
# Detectors that find nothing, or next to nothing: figures without a value, without an interval.
SILENT_SUITE = """
schema: shadowbox-suite/1
name: silent
traces:
  motion: ["{traces}/synthetic/punch-s03-*.h5"]
  walk: [{traces}/synthetic/walking-s01.h5]
  route: [{traces}/synthetic/route-s01.h5]
  groups: [{traces}/synthetic/presence-s01.h5]
entries:
  - {{name: silent, detector: punch, traces: motion, gravity_filter: lowpass, parameters: {{threshold: 2000 m/s2}}}}
  - {{name: nearly silent, detector: punch, traces: motion, gravity_filter: lowpass, parameters: {{threshold: 85 m/s2}}}}
  - {{name: walk, detector: punch, traces: walk, gravity_filter: lowpass}}
  - {{name: no visit, detector: checkin, traces: route, parameters: {{dwell: 3600 s}}, policy: {{}}}}
  - {{name: trusting, detector: presence, preset: ticChatToe, traces: groups, parameters: {{expiry: 3600 s}}}}
"""
SWEPT = ["punch-*", "walking-*", "running-*", "handling-*", "clapping-*", "stairs-*", "exercise-*"]
SWEPT_IN_SHORT = ["punch-s03-*", "punch-s04-*", "running-s01"]
# Traces for the notebook about positions: with a true path, and without one or any accuracy.
POSITIONS, BARE_POSITIONS = "synthetic/road-run-s01.h5", "recorded/cerknicko-jezero.h5"


def require(condition, place, message):
    if not condition:
        sys.exit(f"{place}: {message}")


# ---------------------------------------------------------------- in the process of a notebook


def run_cells(path, folder):
    """Runs the code of a notebook as jupyter does, and checks each picture that it shows."""
    import matplotlib
    matplotlib.use("Agg")
    import pandas
    from matplotlib import pyplot
    from PIL import Image

    pandas.set_option("display.width", 120, "display.max_columns", 20, "display.max_colwidth", 40)
    shown = []

    def show():
        for figure in map(pyplot.figure, pyplot.get_fignums()):
            shown.append(figure)
            place = f"{path.name}, picture {len(shown)}"
            check_picture(figure, place)
            if folder:
                file = folder / f"notebook-{path.stem}-{len(shown)}.png"
                figure.savefig(file, dpi=150)
                # A palette is enough for lines and text, and takes a third of the bytes.
                Image.open(file).convert("RGB").quantize(128).save(file, optimize=True)
                require(file.stat().st_size < LARGEST_PICTURE, place,
                        f"{file.stat().st_size} bytes, less than {LARGEST_PICTURE} expected")
        pyplot.close("all")

    pyplot.show = show
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells(path)):
        if cell["cell_type"] != "code":
            continue
        code = ast.parse("".join(cell["source"]), f"{path.name}, cell {number}")
        # The value of a last expression is displayed.
        last = code.body.pop() if code.body and isinstance(code.body[-1], ast.Expr) else None
        exec(compile(code, f"{path.name}, cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"{path.name}, cell {number}", "eval"), names)
            if value is not None:
                print(value)
    require(shown, path.name, "it shows no picture")
    if "errors" in names and "SHADOWBOX_ERRORS" in os.environ:
        check_errors(names["errors"], os.environ["SHADOWBOX_ERRORS"])
    if "percentiles" in names:
        check_percentiles(names["percentiles"], names["summary"])


def check_picture(figure, place):
    from matplotlib.text import Text

    shown = [axes for axes in figure.axes if axes.get_visible()]
    drawn = [axes.lines or axes.collections or axes.patches or axes.images for axes in shown]
    require(shown and all(drawn), place, "an axis without anything on it")
    require(any(axes.get_title() for axes in shown) or figure.get_suptitle(), place, "no title")
    # Of panels with one axis in common only one names it.
    for side in ("x", "y"):
        for axes in shown:
            together = [axes, *getattr(axes, f"get_shared_{side}_axes")().get_siblings(axes)]
            require(any(getattr(one, f"get_{side}label")() for one in together), place,
                    f"no label of the {side} axis")
    # Also as a minus or a unit has them: "nan", "-inf", "nan s".
    for text in figure.findobj(Text):
        require(not re.search(r"\b(nan|inf)\b", text.get_text(), re.IGNORECASE), place,
                f"an undefined number: {text.get_text()!r}")
    require(figure.get_figwidth() <= WIDEST, place, f"wider than {WIDEST} inches")


def check_errors(errors, path):
    """Compares a notebook's rows of misses and false alarms with those of `run --errors`."""
    import pandas

    found = errors.groupby(["entry", "error"]).size()
    expected = pandas.read_csv(path).groupby(["entry", "error"]).size()
    found = found[found.index.get_level_values("entry").isin(expected.index.levels[0])]
    require(found.to_dict() == expected.to_dict(), "errors", f"expected\n{expected}\nfound\n{found}")


def check_percentiles(percentiles, summary):
    """Compares a notebook's percentiles of the latency with those of the file."""
    for (entry, origin), row in percentiles.iterrows():
        for name in ("p50", "p90", "p99"):
            expected = float(summary[f"latency_{name}"].sel(entry=entry, origin=origin)) * 1e3
            # Without enough latencies the file has none.
            require(expected != expected or abs(row[f"{name} ms"] - expected) < 1e-3, "percentiles",
                    f"{name} of {entry}, {origin}: expected {expected} ms, found {row[f'{name} ms']} ms")


# ---------------------------------------------------------------- all notebooks


def cells(path):
    return json.loads(path.read_text())["cells"]


def check_form(path):
    found = cells(path)
    code = [cell for cell in found if cell["cell_type"] == "code"]
    require(code, path.name, "no code")
    require(len(found) <= MOST_CELLS, path.name, f"{len(found)} cells, at most {MOST_CELLS} expected")
    require(found[0]["cell_type"] == "markdown" and found[0]["source"][0].startswith("# "), path.name,
            "the first cell must be text with a title")
    for cell in code:
        require(not cell["outputs"] and cell["execution_count"] is None, path.name,
                "it holds outputs; clear them before it is committed")


def start(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)
    require(done.returncode == 0, f"shadowbox {arguments[0]}", done.stderr)


def inputs(folder, isShort):
    """Writes what the notebooks read; returns it by the variable that names it."""
    program, traces = os.environ["SHADOWBOX_EXECUTABLE"], ROOT / "traces"
    results, sweep, errors = folder / "results.h5", folder / "sweep.h5", folder / "errors.csv"
    suite = traces / "suite.yml"
    if isShort:
        suite = folder / "suite.yml"
        suite.write_text(SUITE.format(traces=traces))
    names = SWEPT_IN_SHORT if isShort else SWEPT
    swept = sorted(file for name in names for file in (traces / "synthetic").glob(f"{name}.h5"))
    commands = [
        ["run", suite.relative_to(ROOT) if suite.is_relative_to(ROOT) else suite, "--output", results,
         "--errors", errors, "--quiet"],
        ["sweep", *swept, "--detector", "punch", "--gravity-filter", "lowpass", "--output", sweep, "--quiet"]]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda command: start(program, *command), commands))
    return {"SHADOWBOX_RESULTS": results, "SHADOWBOX_SWEEP": sweep, "SHADOWBOX_ERRORS": errors,
            "SHADOWBOX_TRACE": traces / POSITIONS}


def silent_inputs(folder):
    """Results and a sweep of which many figures are undefined."""
    program, traces = os.environ["SHADOWBOX_EXECUTABLE"], ROOT / "traces"
    suite, results, sweep = folder / "silent.yml", folder / "silent.h5", folder / "silent-sweep.h5"
    suite.write_text(SILENT_SUITE.format(traces=traces))
    start(program, "run", suite, "--output", results, "--quiet")
    start(program, "sweep", traces / "synthetic/punch-s03-right-hold.h5", "--detector", "punch",
          "--gravity-filter", "lowpass", "--output", sweep, "--quiet")
    # No threshold keeps this budget.
    return {"SHADOWBOX_RESULTS": results, "SHADOWBOX_SWEEP": sweep, "SHADOWBOX_BUDGET": "0"}


def started(path, environment, pictures):
    """Starts a notebook in a process of its own."""
    def run():
        os.chdir(path.parent)
        os.environ.update({name: str(value) for name, value in environment.items()})
        run_cells(path, pictures)

    return forks.Fork(run)


def finish(path, process, isShown):
    """Waits for the end of a notebook's process."""
    status, output, errors = process.wait()
    require(status == 0, "notebooks", errors.strip())
    require(not errors, path.name, f"a warning\n{errors}")
    if isShown:
        print(output)
    print(f"{path.name}: {len(cells(path))} cells ran")


def run_all(jobs, pictures):
    """Runs notebooks, each with what the environment names, two at a time."""
    # So that not every process has to import them.
    for library in ("h5netcdf", "matplotlib.pyplot", "pandas", "xarray"):
        importlib.import_module(library)
    running = collections.deque()
    for path, environment in jobs:
        if len(running) == 2:
            finish(*running.popleft(), pictures)
        running.append((path, started(path, environment, pictures)))
    while running:
        finish(*running.popleft(), pictures)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER")
    parser.add_argument("notebooks", nargs="*", metavar="NOTEBOOK")
    options = parser.parse_args()
    pictures = options.pictures and options.pictures.absolute()

    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    if options.notebooks:
        wanted = [Path(name).stem for name in options.notebooks]
        unknown = set(wanted) - {path.stem for path in notebooks}
        require(not unknown, "notebooks", f"there is no {', '.join(sorted(unknown))}")
        notebooks = [path for path in notebooks if path.stem in wanted]
    require(notebooks, "notebooks", "none found")
    for path in notebooks:
        check_form(path)
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)

    with tempfile.TemporaryDirectory() as folder:
        environment = inputs(Path(folder), isShort=not pictures)
        if pictures:
            stated = {name: Path(os.environ[name]).absolute() for name in environment if name in os.environ}
            environment |= stated
            if "SHADOWBOX_RESULTS" in stated:
                del environment["SHADOWBOX_ERRORS"]  # those are of the suite that was run here
        jobs = [(path, environment) for path in notebooks]
        if not pictures:
            bare = {**environment, "SHADOWBOX_TRACE": ROOT / "traces" / BARE_POSITIONS}
            jobs += [(path, bare) for path in notebooks if "SHADOWBOX_TRACE" in path.read_text()]
            silent = silent_inputs(Path(folder))
            jobs += [(path, silent) for path in notebooks if "SHADOWBOX_TRACE" not in path.read_text()]
        run_all(jobs, pictures)


if __name__ == "__main__":
    main()
