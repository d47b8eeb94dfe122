#!/usr/bin/env python3
"""Measures each preset of the detectors of punches, check-ins and tracks on every set of traces, and prints
one page.

  make accuracy [RECORDINGS=folder]
  .venv/bin/python Benchmarks/Recordings/accuracy.py [folder] [-o page.md]

Without a folder it measures on the traces of this project, and traces/ACCURACY.md is what it prints. With
one, on recordings of real people instead: recordings.py says which. All presets have the same settings
for all sets. positions.py says what check-ins and tracks are measured on.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import positions
from recordings import ROOT, SETS, SHADOWBOX, convert, found_sets, put

PRESETS = ["default", "accuracy", "fast", "magnitude", "peaks", "light", "hitThat", "hitThatCards"]
# As reported at once, and without what was withdrawn later.
ROWS = ["default", "accuracy", "fast", "fast, final", *PRESETS[3:]]
CORPUS = {
    "simulated punches": ["synthetic/punch-*.h5"],
    "simulated slow punches": ["synthetic/light-punches-*.h5"],
    "simulated, no punches": [f"synthetic/{name}-*.h5" for name in
                              ("walking", "running", "handling", "clapping", "stairs", "exercise")],  # fmt: skip
    "simulated falls": ["synthetic/falls-*.h5"],
    "watch exercises (recorded)": ["recorded/watch-*.h5"],
}


def measure(sets, folder):
    """Runs all presets on all sets. Returns the report of `shadowbox run`."""
    lines = ["schema: shadowbox-suite/1", "traces:"]
    for index, traces in enumerate(sets.values()):
        lines += [f"  set{index}:"] + [f"    - {json.dumps(str(path))}" for path in traces]
    lines.append("entries:")
    for index in range(len(sets)):
        for preset in PRESETS:
            lines.append(
                f"  - {{name: {index}/{preset}, detector: punch, preset: {preset}, traces: [set{index}],"
                " gravity_filter: lowpass}"
            )
    suite = folder / "accuracy.yml"
    suite.write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [SHADOWBOX, "run", suite, "--quiet", "--format", "json", "-o", folder / "accuracy.h5"],
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def number(figure, digits):
    value = (figure or {}).get("value")
    return "-" if value is None else f"{value:.{digits}f}"


def interval(figure, digits):
    if not figure or figure.get("lower") is None:
        return number(figure, digits)
    return f"{number(figure, digits)} ({figure['lower']:.{digits}f}-{figure['upper']:.{digits}f})"


def table(header, rows):
    """A Markdown table, its numbers to the right."""
    yield "| " + " | ".join(header) + " |"
    yield "|" + "|".join("---" if column == 0 else "---:" for column in range(len(header))) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def page(sets, report):
    names = list(sets)
    summaries = {summary["entry"]: summary["figures"] for summary in report["summaries"]}
    runs = defaultdict(list)
    for run in report["runs"]:
        index, preset = run["entry"].split("/")
        runs[names[int(index)], preset].append(run)

    def counts(run):
        return {key: run["figures"].get(key, {}).get("value") for key in
                ("true_positives", "false_negatives", "false_positives", "armed_hours")}  # fmt: skip

    yield "## Punches"
    yield ""
    rows = []
    for index, name in enumerate(names):
        for preset in ROWS:
            figures = summaries.get(f"{index}/{preset}", {})
            some = runs[name, preset]
            references = sum((counts(run)["true_positives"] or 0) + (counts(run)["false_negatives"] or 0)
                             for run in some)  # fmt: skip
            if not references:
                continue
            people = len({run["subject"] for run in some})
            rows.append([f"{name}: {preset}", str(people), str(int(references)),
                         interval(figures.get("recall"), 3), number(figures.get("precision"), 3),
                         number(figures.get("f1"), 3), number(figures.get("latency_p50"), 2)])  # fmt: skip
    yield from table(["set: preset", "people", "punches", "recall (95 %)", "precision", "F1",
                      "latency s, p50"], rows)  # fmt: skip

    yield ""
    yield "## False alarms per hour where nobody punches"
    yield ""
    rows = []
    activities = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    people, recordings = defaultdict(set), defaultdict(set)
    without_falls = defaultdict(lambda: [0.0, 0.0])
    for (name, preset), some in runs.items():
        for run in some:
            values = counts(run)
            if values["false_positives"] is None or values["armed_hours"] is None:
                continue
            if values["true_positives"] or values["false_negatives"]:
                continue
            key = (name, run["activity"])
            cells = [activities[key][preset]]
            if "fall" not in run["activity"].lower():
                cells.append(without_falls[preset])
            for cell in cells:
                cell[0] += values["false_positives"]
                cell[1] += values["armed_hours"]
            people[key].add(run["subject"])
            recordings[key].add(run["trace"])
    for (name, activity), cells in sorted(activities.items()):
        hours = cells[ROWS[0]][1]
        row = [f"{name}: {activity}", str(len(people[name, activity])), f"{hours:.2f}"]
        # A recording of the sets is one fall, a simulated trace is a series.
        if "fall" in activity.lower() and not name.startswith("simulated"):
            count = len(recordings[name, activity])
            row += [f"{cells[preset][0] / count:.2f} per fall" for preset in ROWS]
        else:
            row += [f"{cells[preset][0] / hours:.0f}" if hours else "-" for preset in ROWS]
        rows.append(row)
    total = [f"{without_falls[preset][0] / without_falls[preset][1]:.1f}" if without_falls[preset][1]
             else "-" for preset in ROWS]  # fmt: skip
    everyone = {person for key, some in people.items() if "fall" not in key[1].lower() for person in some}
    rows.append(["all, without falls", str(len(everyone)), f"{without_falls[ROWS[0]][1]:.2f}", *total])
    yield from table(["set: activity", "people", "hours", *ROWS], rows)

    counted = [name for name in names if "glove25" in name]
    for name in counted:
        yield ""
        yield f"## Counts of {name}"
        yield ""
        rows = []
        for preset in ROWS:
            errors, found, stated = [], 0, 0
            for run in runs[name, preset]:
                value = {key: run["figures"][key]["value"] for key in ("count_stated", "count_detected")}
                errors.append(abs(value["count_detected"] / value["count_stated"] - 1))
                found += int(value["count_detected"])
                stated += int(value["count_stated"])
            errors.sort()
            rows.append([preset, str(stated), str(found), f"{found / stated - 1:+.1%}",
                         f"{errors[len(errors) // 2]:.1%}"])  # fmt: skip
        yield from table(["preset", "stated", "found", "total error", "median error of a file"], rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        if options.folder:
            found = found_sets(options.folder, SETS)
            if not found:
                sys.exit(f"{options.folder}: expected {', '.join(SETS)}, found none of them")
            sets = {name: convert(options.folder, name, Path(temporary) / name) for name in found}
        else:
            sets = {
                name: [path for glob in globs for path in sorted((ROOT / "traces").glob(glob))]
                for name, globs in CORPUS.items()
            }
        folder = Path(temporary)
        lines = ["# Accuracy of the detectors", "",
                 "`make accuracy` makes this page. Intervals are for new people where there are enough of"
                 " them.", "", *page(sets, measure(sets, folder)),
                 *positions.sections(options.folder, folder, table)]  # fmt: skip
    text = "\n".join(lines) + "\n"
    put(text, options.output)


if __name__ == "__main__":
    main()
