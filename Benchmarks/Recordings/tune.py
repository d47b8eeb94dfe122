#!/usr/bin/env python3
"""Tunes the punch detector on recordings of real people, from their files to a parameter file.

  make tune-recordings RECORDINGS=folder [ARGS="--max-false-alarms 30"]
  .venv/bin/python Benchmarks/Recordings/tune.py folder [-o out/recorded] [options of tune]

recordings.py says which sets the folder may hold. Sets with times of punches, or without punches, are used.

Two people alone have references of single punches, so groups are recordings and the figures are
optimistic for a person who was not recorded: `tune` warns of it. Ends with the exit code of `tune`.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from recordings import ROOT, SHADOWBOX, convert, found_sets

SETS = ["punch-phone50", "punch-phone100", "neg-watch50", "neg-umafall", "neg-waist200"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "out/recorded")
    options, more = parser.parse_known_args()
    found = found_sets(options.folder, SETS)
    if "punch-phone50" not in found:
        sys.exit(f"{options.folder}: expected punch-phone50, found none: nothing to tune on")

    with tempfile.TemporaryDirectory() as temporary:
        traces = [
            trace
            for name in found
            for trace in convert(options.folder, name, Path(temporary) / name)
        ]
        print(f"{len(traces)} recordings of {', '.join(found)}", file=sys.stderr)
        command = [SHADOWBOX, "tune", *traces, "--detector", "punch", "--gravity-filter", "lowpass"]
        command += ["--group", "recording", "--threshold", "threshold=5..150"]
        if not any(text.startswith(("--max-false", "--objective")) for text in more):
            command += ["--max-false-alarms", "30"]
        if "--search" not in more:
            command += ["--search", "refractory=0.32s..1s"]
        if "--trials" not in more:
            command += ["--trials", "16"]
        command += ["-o", options.output / "punch.json", "--results", options.output / "tune.h5"]
        command += ["--picture", options.output / "tune.png", *more]
        sys.exit(subprocess.run(command).returncode)


if __name__ == "__main__":
    main()
