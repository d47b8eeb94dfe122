"""Compares the change points of `shadowbox history` with those of Apache Otava on the same series.

    PYTHON Benchmarks/History/compare_with_otava.py PROGRAM [SERIES]

PYTHON has apache-otava 0.8 and numpy; SERIES is the number of series per row (default 100). The series
are simulated with a fixed seed: 100 runs each of mean 100 and standard deviation 1, as one timing figure
of 100 commits would be. Both programs are read after each run, as a CI job does, and once at the end.

Otava's own settings: a window of 50 and p below 0.001.
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from otava.series import AnalysisOptions, Metric, Series

RUNS = 100
SEED = 17
# A change is found where it is reported at most so many runs from its place.
NEAR = 10


def normal(random):
    return random.standard_normal(RUNS)


def heavy(random):
    return random.standard_t(2, RUNS)


def outliers(random):
    return random.standard_normal(RUNS) + 15 * (random.random(RUNS) < 0.05)


def autocorrelated(random):
    values = random.standard_normal(RUNS)
    for index in range(1, RUNS):
        values[index] = 0.5 * values[index - 1] + math.sqrt(0.75) * values[index]
    return values


def after(place, size):
    return size * (np.arange(RUNS) >= place)


def drift(slope):
    return slope * np.maximum(0, np.arange(RUNS) - 50)


# Name, noise, what is added, and the places of the changes; a drift has a span.
ROWS = [
    ("no change, normal", normal, 0, []),
    ("no change, Student's t with 2 degrees of freedom", heavy, 0, []),
    ("no change, 5 % of runs far too slow", outliers, 0, []),
    ("no change, rounded to whole numbers", lambda r: np.round(normal(r)), 0, []),
    ("no change, neighbours correlated by 0.5", autocorrelated, 0, []),
    ("step of 1 sigma at run 50", normal, after(50, 1), [(50, 50)]),
    ("step of 2 sigma at run 50", normal, after(50, 2), [(50, 50)]),
    ("step of 5 sigma at run 50", normal, after(50, 5), [(50, 50)]),
    ("step of 5 sigma at run 20", normal, after(20, 5), [(20, 20)]),
    ("step of 5 sigma at run 50, 5 % far too slow", outliers, after(50, 5), [(50, 50)]),
    ("up by 3 sigma at 35, back at 70", normal, after(35, 3) - after(70, 3), [(35, 35), (70, 70)]),
    ("drift of 0.1 sigma per run from run 50", normal, drift(0.1), [(50, 99)]),
]


def is_near(index, span):
    return span[0] - NEAR <= index <= span[1] + NEAR


def ours(program, values):
    """The changes of a series, which is a history of its own, as (place, run that shows it)."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [{"schema": "shadowbox-history-lines/1"}]
        for run in range(RUNS):
            figure = dict(entry="e", origin="", metric="ns_per_sample", kind="timing",
                          value=float(values[run]), unit="ns")
            lines.append({"run": dict(
                id=f"{run:03}", time=f"2026-01-01T00:{run // 60:02}:{run % 60:02}Z", commit=f"{run}",
                machine="simulated", tool_version="", toolchain="", suite="", suite_sha256="",
                source="gate", figures=[figure])})
        path = Path(folder) / "lines.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)))
        database = str(Path(folder) / "history.sqlite")
        subprocess.run([program, "history", "import", path, "--history", database, "--quiet"],
                       check=True)
        document = json.loads(subprocess.run(
            [program, "history", "--format", "json", "--history", database],
            check=True, capture_output=True).stdout)
    return [(int(c["run"]), int(c["seen_run"])) for c in document["series"][0]["changes"]]


def otava(values):
    data = [float(value) for value in values]
    series = Series("test", None, list(range(len(data))), {"m": Metric(1, 1.0, "ns")}, {"m": data}, {})
    return [point.index for point in series.analyze(AnalysisOptions()).change_points["m"]]


def otava_read_daily(values):
    """All places that any reading reports, each with the run after which it is first reported."""
    seen = {}
    for count in range(2, RUNS + 1):
        for index in otava(values[:count]):
            seen.setdefault(index, count - 1)
    return sorted((index, run) for index, run in seen.items())


def count(changes, spans):
    """Whether there is a false alarm, and for each span when it is found: runs after its begin."""
    false = any(not any(is_near(index, span) for span in spans) for index, _ in changes)
    found = []
    for span in spans:
        seen = [run for index, run in changes if is_near(index, span)]
        found.append(max(0, min(seen) - span[0] + 1) if seen else None)
    return false, found


def cells(results, spans):
    false = sum(result[0] for result in results)
    if not spans:
        return f"{false}", "", ""
    found = [delay for result in results for delay in result[1] if delay is not None]
    delay = f"{np.median(found):.0f}" if found else "-"
    return f"{false}", f"{len(found)} of {len(results) * len(spans)}", delay


def main():
    program = sys.argv[1]
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    print(f"{number} series of {RUNS} runs per row, seed {SEED}.\n")
    print("| series | shadowbox: false alarms | found | delay | Otava, read after each run: false alarms "
          "| found | delay | Otava, read at the end: false alarms | found |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row, (name, noise, added, spans) in enumerate(ROWS):
        random = np.random.default_rng([SEED, row])
        series = [100 + noise(random) + added for _ in range(number)]
        own = [count(ours(program, values), spans) for values in series]
        daily = [count(otava_read_daily(values), spans) for values in series]
        final = [count([(index, RUNS - 1) for index in otava(values)], spans) for values in series]
        print("| " + " | ".join(
            [name, *cells(own, spans), *cells(daily, spans), *cells(final, spans)[:2]]) + " |",
              flush=True)


if __name__ == "__main__":
    main()
