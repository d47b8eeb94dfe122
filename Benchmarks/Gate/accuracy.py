#!/usr/bin/env python3
"""How often the accuracy half of a gate raises a false alarm although nothing differs.

    Benchmarks/Gate/accuracy.py [--runs 1000] [--program .build/release/shadowbox]

Each run is `gate traces/suite.yml` against the stored results of the same program, with the bound
`flips=0` and the standard ones in turn, on 1 to 4 threads. Every exit code but 0 is an alarm. A line of
JSON with the counts and the one-sided 95 % bound (Clopper and Pearson) goes to stdout. Exit codes: 0 no
alarm, 1 a program could not run, 2 alarms.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from proofs import ROOT, upper_bound


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--program", type=Path, default=ROOT / ".build/release/shadowbox")
    options = parser.parse_args()
    alarms = []
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base.h5"
        made = subprocess.run(
            [options.program, "run", "traces/suite.yml", "--deterministic", "--quiet", "-o", base],
            cwd=ROOT, stdout=subprocess.DEVNULL)
        if made.returncode != 0:
            sys.exit(1)
        for number in range(options.runs):
            bound = ["--bound", "flips=0"] if number % 2 else []
            done = subprocess.run(
                [options.program, "gate", "traces/suite.yml", "--base-results", base,
                 "--threads", str(number % 4 + 1), "--format", "csv", *bound],
                cwd=ROOT, capture_output=True, text=True)
            if done.returncode != 0:
                alarms.append({"run": number, "status": done.returncode, "errors": done.stderr})
            if (number + 1) % 50 == 0:
                print(f"{number + 1}/{options.runs}: {len(alarms)} alarms", file=sys.stderr)
    print(json.dumps({"runs": options.runs, "alarms": len(alarms),
                      "upper_bound": upper_bound(len(alarms), options.runs), "found": alarms}))
    sys.exit(2 if alarms else 0)


if __name__ == "__main__":
    main()
