#!/usr/bin/env python3
"""Does a tuned budget of false alarms hold for people who chose nothing?

  .venv/bin/python Benchmarks/Recordings/budget.py folder [--splits 100] [--people 13] [--budget 30]

Splits the people without punches (recordings.py says which sets) at random, tunes the punch detector on some
of them and on the person with timed punches, and counts the false alarms of the others at the threshold that
was chosen. Staged falls are left out. Prints how often the pooled rate of the others was within the budget,
and which thresholds were chosen. The splits have the seeds 1, 2, ...
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from recordings import SHADOWBOX, convert, found_sets, shadowbox

NEGATIVE = ["neg-watch50", "neg-umafall", "neg-waist200", "neg-waist200-more"]
DETECTOR = ["--detector", "punch", "--gravity-filter", "lowpass", "--quiet"]


def run(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode not in (0, 2):
        sys.exit(f"{' '.join(map(str, command[:3]))}: {done.stderr}")
    return done.stdout


def timed_punches(recordings, folder):
    """One person's punches: each recording counts as a person, or no fold would be without the person."""
    made = []
    for path in sorted(recordings.glob("*_sub-*")):
        if "nopunch" not in path.name:
            made.append(folder / f"{path.name}.h5")
            shadowbox("convert", path, "--id", path.name, "--subject", path.name,
                      "--activity", "punching", "--reference", recordings / "beats.tsv",
                      "--tolerance", "400ms", "-o", made[-1])  # fmt: skip
    return made


def by_person(traces, folder):
    """The traces of each person without the staged falls."""
    people = defaultdict(list)
    for start in range(0, len(traces), 500):
        some = traces[start : start + 500]
        report = json.loads(run([SHADOWBOX, "run", *some, *DETECTOR, "--format", "json",
                                 "-o", folder / "all.h5"]))  # fmt: skip
        names = {path.stem: path for path in some}
        for one in report["runs"]:
            if "fall" not in one["activity"].lower():
                people[one["subject"]].append(names[one["trace"]])
    return people


def split(people, punches, seed, options, folder):
    """Returns the chosen threshold, and the false alarms and hours of those who chose nothing."""
    names = sorted(people)
    random.Random(seed).shuffle(names)
    chosen = [path for name in names[: options.people] for path in people[name]]
    others = [path for name in names[options.people :] for path in people[name]]
    parameters = folder / "punch.json"
    run([SHADOWBOX, "tune", *punches, *chosen, *DETECTOR, "--group", "subject",
         "--max-false-alarms", options.budget, "--confidence", options.confidence, "--resamples", "100",
         "--method", "grid", "--search", "refractory=0.32s..0.32s:1", "--cache", folder / "cache",
         "--accept-loss", "--force", "-o", parameters])  # fmt: skip
    tuned = json.loads(parameters.read_text())
    threshold = next(p["value"] for p in tuned["parameters"] if p["name"] == "threshold")
    report = json.loads(run([SHADOWBOX, "run", *others, *DETECTOR, "--parameters",
                             f"threshold={threshold}", "--format", "json",
                             "-o", folder / "others.h5"]))  # fmt: skip
    figures = [one["figures"] for one in report["runs"]]
    alarms = sum(one["false_positives"]["value"] or 0 for one in figures)
    hours = sum(one["armed_hours"]["value"] or 0 for one in figures)
    return threshold, alarms, hours


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--splits", type=int, default=100)
    parser.add_argument("--people", type=int, default=13)
    parser.add_argument("--budget", type=float, default=30)
    parser.add_argument("--confidence", type=float, default=0.9)
    options = parser.parse_args()
    needed = ["punch-phone50", *NEGATIVE]
    if found_sets(options.folder, needed) != needed:
        sys.exit(f"{options.folder}: expected {', '.join(needed)}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        punches = timed_punches(options.folder / "punch-phone50", folder)
        traces = [path for name in NEGATIVE for path in convert(options.folder, name, folder / name)]
        people = by_person(traces, folder)
        print(f"{len(people)} people without punches, {options.people} of them tune", flush=True)
        kept, rates, thresholds = 0, [], []
        for seed in range(1, options.splits + 1):
            threshold, alarms, hours = split(people, punches, seed, options, folder)
            rates.append(alarms / hours)
            thresholds.append(threshold)
            kept += rates[-1] <= options.budget
            print(f"split {seed}: threshold {threshold:.2f} m/s2, {rates[-1]:.1f}/h in {hours:.2f} h",
                  flush=True)  # fmt: skip
    share = kept / options.splits
    error = math.sqrt(share * (1 - share) / options.splits)
    rates.sort()
    thresholds.sort()
    print(f"within {options.budget:g}/h: {kept} of {options.splits} splits ({share:.2f}, standard error"
          f" {error:.2f})")  # fmt: skip
    print(f"rate of the others: median {rates[len(rates) // 2]:.1f}/h, highest {rates[-1]:.1f}/h")
    print(f"threshold: {thresholds[0]:.1f} to {thresholds[-1]:.1f}, median"
          f" {thresholds[len(thresholds) // 2]:.1f} m/s2")  # fmt: skip


if __name__ == "__main__":
    main()
