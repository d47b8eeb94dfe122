"""Checks that `shadowbox score` counts what mir_eval counts, and matches as SciPy does.

    python3 Tests/Python/check_scoring.py

Scores random recordings, 150 in the quick run and 2,000 in the long one, with the program in
SHADOWBOX_EXECUTABLE. Their times are whole ticks of 1/512 s, which doubles and nanoseconds both
hold exactly, on grids so coarse that many pairs lie exactly on the edge of the tolerance. The number of matches, precision, recall and F1 must be those
of mir_eval.onset.f_measure; the pairs must be possible, and the sum of their differences the
smallest that scipy.optimize.linear_sum_assignment finds for so many. Exits with 1 and says what is
wrong.

Known differences, checked as such:
- Where a side has no event mir_eval says 0; here 0/0 is undefined (null).
- On decimal edges, such as a detection at 1.151 for a reference at 1.001 with 150 ms, mir_eval
  compares doubles (1.151 - 0.15 > 1.001) and loses many of the matches; here every one counts.
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import mir_eval
import numpy as np
import long_tests
from scipy.optimize import linear_sum_assignment

SEED = 20240611
CASES = long_tests.count(quick=150, long=2000)
TICKS = 512
WINDOWS = [0, 1, 2, 5, 8, 16, 26, 51, 77, 128]
FAR = 10**9


def require(condition, place, message):
    if not condition:
        sys.exit(f"{place}: {message}")


def make_cases(random):
    """Windows, references and detections in ticks, both in order."""
    cases = []
    for index in range(CASES):
        window = WINDOWS[index % len(WINDOWS)]
        span = int(random.integers(8, 2000))
        # A grid that divides the window: many distances are exactly the window.
        grid = int(random.choice([1, 1, max(1, window // 2), max(1, window)]))
        counts = random.integers(0, 30, 2) if index % 25 == 0 else random.integers(1, 30, 2)
        references, detections = (
            sorted((grid * random.integers(0, span // grid + 1, count)).tolist())
            for count in counts
        )
        cases.append((f"case-{index:04}", window, references, detections))
    return cases


def table(rows):
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(["filename", "onset"])
    writer.writerows(rows)
    return text.getvalue()


def seconds(ticks):
    """Exactly: a tick has nine decimals."""
    return f"{ticks * 1_953_125 // 10**9}.{ticks * 1_953_125 % 10**9:09}"


def score(folder, program, references, detections, tolerance):
    """The program's own document on tables of rows (filename, onset)."""
    for name, rows in (("reference", references), ("detections", detections)):
        (folder / f"{name}.tsv").write_text(table(rows))
    done = subprocess.run(
        [program, "score", "--reference", folder / "reference.tsv", "--detections",
         folder / "detections.tsv", "--tolerance", tolerance, "--format", "json", "--list",
         "--quiet"],
        capture_output=True, text=True,
    )
    require(done.returncode == 0, "shadowbox score", done.stderr)
    return json.loads(done.stdout)


def smallest_sum(references, detections, window):
    """The smallest sum of differences in ticks over the largest matchings."""
    distance = np.abs(np.subtract.outer(references, detections))
    cost = np.where(distance <= window, distance, FAR)
    chosen = cost[linear_sum_assignment(cost)]
    return int(chosen[chosen < FAR].sum())


def ticks_of(time):
    ticks = round(time * TICKS)
    require(abs(ticks / TICKS - time) < 1e-9, time, "no whole tick")
    return ticks


def check_pairs(case, events):
    """One to one, possible, and with the smallest sum."""
    name, window, references, detections = case
    pairs = [event for event in events if event["outcome"] == "true_positive"]
    sides = [
        ([ticks_of(pair["reference_onset"]) for pair in pairs], references),
        ([ticks_of(pair["detection_onset"]) for pair in pairs], detections),
    ]
    for taken, given in sides:
        for time in set(taken):
            require(taken.count(time) <= given.count(time), name, "an event is matched twice")
    differences = [abs(left - right) for left, right in zip(*(taken for taken, _ in sides))]
    require(all(d <= window for d in differences), name, "a pair lies beyond the tolerance")
    if references and detections:
        require(sum(differences) == smallest_sum(references, detections, window), name,
                "not the smallest sum")
    return sum(d == window for d in differences)


def check_case(case, figures, events):
    name, window, references, detections = case
    arrays = [np.array(times) / TICKS for times in (references, detections)]
    matches = 0
    if references and detections:
        matches = len(mir_eval.util.match_events(*arrays, window / TICKS))
        f1, precision, recall = mir_eval.onset.f_measure(*arrays, window=window / TICKS)
    else:
        precision = 0.0 if detections else None
        recall = 0.0 if references else None
        f1 = 0.0 if references or detections else None
    value = {figure: found["value"] for figure, found in figures.items()}
    expected = [matches, len(detections) - matches, len(references) - matches]
    names = ["true_positives", "false_positives", "false_negatives"]
    require([value[figure] for figure in names] == expected, name,
            f"{[value[figure] for figure in names]}, mir_eval counts {expected}")
    for figure, theirs in (("precision", precision), ("recall", recall), ("f1", f1)):
        ours = value[figure]
        same = ours is theirs if theirs is None else ours is not None and abs(ours - theirs) < 1e-12
        require(same, name, f"{figure} {ours}, mir_eval says {theirs}")
    return check_pairs(case, events)


def check_random(folder, program):
    cases = make_cases(np.random.default_rng(SEED))
    matches = edges = 0
    for window in WINDOWS:
        mine = [case for case in cases if case[1] == window]
        rows = [[(name, seconds(t)) for name, _, *sides in mine for t in sides[side]]
                for side in range(2)]
        document = score(folder, program, *rows, f"{seconds(window)}s")
        files = {one["file"]: one["figures"] for one in document["files"]}
        events = defaultdict(list)
        for event in document["events"]:
            events[event["file"]].append(event)
        for case in mine:
            if case[0] in files:
                edges += check_case(case, files[case[0]], events[case[0]])
            else:
                require(not case[2] and not case[3], case[0], "not scored")
        pooled = document["summaries"][0]["figures"]
        total = sum(one["true_positives"]["value"] for one in files.values())
        require(pooled["true_positives"]["value"] == total, "pooled", "another sum of matches")
        matches += total
    require(edges > CASES / 2, "cases", f"only {edges} matches lie on an edge")
    print(f"{len(cases)} recordings (seed {SEED}), {int(matches)} matches of which {edges} lie "
          "exactly on the edge: as mir_eval counts and SciPy sums")


def check_decimal_edges(folder, program):
    """Detections exactly 150 ms late, written in decimals."""
    names = [f"edge-{step:03}" for step in range(1000)]
    onsets = [(name, f"{1 + step / 1000:.3f}") for step, name in enumerate(names)]
    late = [(name, f"{1.15 + step / 1000:.3f}") for step, name in enumerate(names)]
    document = score(folder, program, onsets, late, "150ms")
    ours = document["summaries"][0]["figures"]["true_positives"]["value"]
    require(ours == len(names), "decimal edges", f"{ours} of {len(names)} matches")
    theirs = sum(
        len(mir_eval.util.match_events(np.array([float(one)]), np.array([float(other)]), 0.15))
        for (_, one), (_, other) in zip(onsets, late)
    )
    require(0 < theirs < len(names), "decimal edges", f"mir_eval finds {theirs}")
    print(f"{len(names)} decimal edges: all are matches here, mir_eval has {theirs} of them")


def main():
    program = os.environ["SHADOWBOX_EXECUTABLE"]
    with tempfile.TemporaryDirectory() as folder:
        check_random(Path(folder), program)
        check_decimal_edges(Path(folder), program)


if __name__ == "__main__":
    main()
