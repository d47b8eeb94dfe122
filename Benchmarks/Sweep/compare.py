#!/usr/bin/env python3
"""Measures the exact sweep of thresholds compared with a loop over NumPy and mir_eval.

  make bench-sweep [ARGS="--loops 1000"]
  .venv/bin/python Benchmarks/Sweep/compare.py [--samples N] [--references N] [--thresholds N]

Ten million samples with ten thousand references and a thousand thresholds:

  in memory   `sweeps` (the exact sweep, alternating with plain passes of the same build)
              beside a loop over thresholds: NumPy finds the events by the same rules, mir_eval
              matches them
  command     `shadowbox sweep` from a native trace to a CSV of the curve, as a process, beside the
              same loop without its reading

The loop takes a quarter of a second or more per threshold, so it is run for some of the thresholds,
evenly over the range (--loops), and its time is that of one times their number, which the figure states.
Its counts must equal ours: otherwise the comparison ends with 1. Times never fail it.
"""

import argparse
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import mir_eval
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SHADOWBOX = ROOT / ".build/release/shadowbox"
SWEEPS = ROOT / ".build/release/sweeps"
PASS_TARGET, MEMORY_TARGET, COMMAND_TARGET = 2.5, 1000, 100
WINDOW, REFRACTORY, TOLERANCE = 250_000_000, 400_000_000, 0.15


def detect(times, squares, threshold):
    """Onsets in seconds, by the default rules of the punch detector."""
    over = squares > np.float32(threshold) * np.float32(threshold)
    firing, resting = np.flatnonzero(over), np.flatnonzero(~over)
    onsets, ready = [], 0
    while True:
        next_firing = np.searchsorted(firing, ready)
        if next_firing == len(firing):
            return np.array(onsets) / 1e9
        first = firing[next_firing]
        behind = np.searchsorted(times, times[first] + WINDOW, side="right")
        peak = first + np.argmax(squares[first:behind])
        onsets.append(times[peak])
        next_rest = np.searchsorted(resting, behind)
        if next_rest == len(resting):
            return np.array(onsets) / 1e9
        free = np.searchsorted(times, times[peak] + REFRACTORY)
        ready = max(resting[next_rest], free)


def loop(path, thresholds):
    """Seconds for each threshold, and (hits, false alarms) at it."""
    with h5py.File(path) as file:
        group = file["user_acceleration"]
        times = group["time"][:]
        x, y, z = (group[name][:] for name in "xyz")
        references = file["reference/punch/onset"][:] / 1e9
    seconds, counts = [], []
    for threshold in thresholds:
        start = time.process_time()
        if not counts:
            squares = x * x + y * y + z * z
        onsets = detect(times, squares, threshold)
        hits = len(mir_eval.util.match_events(references, onsets, TOLERANCE))
        seconds.append(time.process_time() - start)
        counts.append((hits, len(onsets) - hits))
    return seconds, counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=10_000_000)
    parser.add_argument("--references", type=int, default=10_000)
    parser.add_argument("--thresholds", type=int, default=1000)
    parser.add_argument("--loops", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trace, curve = Path(folder, "punched-noise.h5"), Path(folder, "curve.csv")
        sizes = [options.samples, options.references, options.thresholds, options.rounds]
        ours = subprocess.run(
            [SWEEPS, trace, curve, *map(str, sizes)], capture_output=True, text=True
        )
        print(ours.stdout, end="")
        if ours.returncode != 0:
            sys.exit(f"sweeps ended with {ours.returncode}: {ours.stderr}")
        sweep = float(re.search(r"seconds_of_sweep (\S+)", ours.stdout)[1])
        rows = list(csv.DictReader(curve.open()))

        command = [SHADOWBOX, "sweep", trace, "--detector", "punch", "--quiet"]
        command += ["--threshold", f"threshold=10..60:{options.thresholds}"]
        walls = []
        for _ in range(5):
            table = Path(folder, "command.csv")
            start = time.perf_counter()
            subprocess.run([*command, "--csv", table], check=True, stdout=subprocess.DEVNULL)
            walls.append(time.perf_counter() - start)
        told = [
            (int(row["true_positives"]), int(row["false_positives"]))
            for row in csv.DictReader(table.open())
        ]

        chosen = np.unique(
            np.linspace(0, len(rows) - 1, min(options.loops, len(rows))).round().astype(int)
        )
        seconds, counts = loop(trace, [float(rows[index]["threshold"]) for index in chosen])

    expected = [(int(row["true_positives"]), int(row["false_positives"])) for row in rows]
    is_right = told == expected and counts == [expected[index] for index in chosen]
    whole = statistics.mean(seconds) * len(rows)
    note = "" if len(chosen) == len(rows) else f", from {len(chosen)} of them"
    wall = statistics.median(walls)
    print()
    print(f"NumPy {np.__version__} and mir_eval {mir_eval.__version__}, {len(rows)} thresholds{note}:")
    print(f"  {whole:.1f} s of CPU time ({min(seconds):.3f}-{max(seconds):.3f} s each)")
    print(f"in memory: {sweep * 1e3:.1f} ms, {whole / sweep:,.0f} times faster "
          f"(target {MEMORY_TARGET:,})")
    print(f"command, from a native trace: {wall:.2f} s of wall time "
          f"({min(walls):.2f}-{max(walls):.2f}), {whole / wall:,.0f} times faster "
          f"(target {COMMAND_TARGET})")
    print("hits and false alarms are the same" if is_right else "the counts DIFFER")
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
