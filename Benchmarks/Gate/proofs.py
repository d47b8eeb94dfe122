#!/usr/bin/env python3
"""How often a comparison of speed raises a false alarm, and how often it detects a planted slowdown.

    Benchmarks/Gate/proofs.py equal --runs 149            equal programs: false alarms
    Benchmarks/Gate/proofs.py equal --runs 149 --load 1   a second program loads one core
    Benchmarks/Gate/proofs.py planted --runs 50           slowdowns of 3, 5 and 10 %
    Benchmarks/Gate/proofs.py suite --runs 149            equal programs, the default suite
    Benchmarks/Gate/proofs.py report                      the figures of all series so far

Each run is one comparison by `speedtrial`, of one entry with the detector `adjustable` (`suite`: all
entries of traces/suite.yml). The number of runs of a series is fixed when it begins and cannot be
changed. Every run is a line of JSON in out/gate/SERIES.jsonl: a stopped series continues
where it ended. An upper bound is Clopper and Pearson's, one-sided 95 %. `--program` names another
build than .build/release/speedtrial. Exit code 1: a program failed.
"""

import argparse
import json
import math
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRACE = "traces/synthetic/punch-s01-left.h5"
WORK = 1000
SLOWDOWNS = (0.03, 0.05, 0.10)
# The margins by which each run is judged afterwards: the plan's own ones, and a smaller one.
TIME_MARGINS = (0.05, 0.02, 0.0)


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(1)


@contextmanager
def loaded(count):
    """Keeps programs busy that never wait."""
    programs = [
        subprocess.Popen([sys.executable, "-c", "while True: sum(range(100000))"])
        for _ in range(count)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def words(options, slowdown, seed):
    """The command of one comparison."""
    command = [str(options.program), "--seed", str(seed), "--pairs", str(options.pairs)]
    if options.time_only:
        command.append("--time-only")
    if options.series_kind == "suite":
        shadowbox = options.shadowbox or options.program.parent / "shadowbox"
        return command + ["--base", str(shadowbox), "--", "traces/suite.yml"]
    work = [f"--parameters work={round(WORK * share)}" for share in (1, 1 + slowdown)]
    return command + [
        "--samples", "2000", f"--base-options={work[0]}", f"--head-options={work[1]}", "--",
        TRACE, "--detector", "adjustable", "--gravity-filter", "lowpass"]


def compare(options, slowdown, seed):
    result = subprocess.run(
        words(options, slowdown, seed), capture_output=True, text=True, cwd=ROOT)
    if result.returncode != 0:
        fail(f"{result.stderr.strip()}\nexit code {result.returncode}")
    found = json.loads(result.stdout)
    entries = [
        {"entry": one["entry"], "ratio": one["ratio"]["value"], "lower": one["ratio"]["lower"],
         "upper": one["ratio"]["upper"], "smallest": one["ratio"].get("smallest_effect"),
         "instructions": one.get("instruction_ratio"), "verdict": one["verdict"]}
        for one in found["entries"]]
    return {
        "seed": seed, "verdict": found["verdict"], "time": found["time_verdict"],
        "instructions": found.get("instruction_verdict"),
        "missing": found.get("instructions_missing"), "ratio": found["ratio"],
        "entries": entries, "load": found["load"], "plan": found["plan"]}


def read(path):
    lines = path.read_text().splitlines() if path.exists() else []
    # A run that was being written when the machine stopped is made again.
    rows = []
    for line in lines:
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return rows[0] if rows else None, rows[1:]


def series(options, name, slowdown):
    path = options.output / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    head, rows = read(path)
    plan = {"series": name, "kind": options.series_kind, "runs": options.runs, "slowdown": slowdown,
            "load": options.load, "pairs": options.pairs, "time_only": options.time_only}
    if head is not None and head != plan:
        fail(f"{path}: expected the series {head}, found {plan}; its size is fixed: remove the file "
             "to begin again")
    text = "".join(json.dumps(row) + "\n" for row in [plan, *rows])
    path.write_text(text)
    with loaded(options.load), path.open("a") as out:
        for number in range(len(rows), options.runs):
            row = compare(options, slowdown, number + 1)
            out.write(json.dumps(row) + "\n")
            out.flush()
            print(f"{name} {number + 1}/{options.runs}: {row['verdict']}", file=sys.stderr)


def upper_bound(count, runs):
    """The rate at which `count` or fewer events have a probability of 5 %."""
    if count >= runs:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        chance = sum(math.comb(runs, k) * rate**k * (1 - rate)**(runs - k) for k in range(count + 1))
        low, high = (rate, high) if chance > 0.05 else (low, rate)
    return high


def lower_bound(count, runs):
    return 1 - upper_bound(runs - count, runs)


def fails_in_time(row, margin):
    intervals = [row["ratio"], *row["entries"]]
    return any(one["lower"] > 1 + margin for one in intervals)


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else math.nan


def line(label, count, runs):
    return (f"  {label:44} {count:4} of {runs:4}  {count / runs:6.1%}"
            f"  (95 %: {lower_bound(count, runs):.3f} or more, {upper_bound(count, runs):.3f} or less)")


def report(path):
    head, rows = read(path)
    if not rows:
        return
    print(f"{head['series']}: {len(rows)} of {head['runs']} runs, planted {head['slowdown']:.0%}, "
          f"{head['load']} loading programs, {head['pairs']} pairs")
    loads = [row["load"][-1] for row in rows if row["load"]]
    print(f"  load of the machine, median and largest: {quantile(loads, 0.5):.2f}, "
          f"{max(loads, default=math.nan):.2f}")
    for verdict in ("pass", "fail", "improved", "inconclusive"):
        print(line(verdict.upper(), sum(row["verdict"] == verdict for row in rows), len(rows)))
    print(line("FAIL by instructions", sum(row["instructions"] == "fail" for row in rows), len(rows)))
    for margin in TIME_MARGINS:
        print(line(f"FAIL by time alone at a margin of {margin:.0%}",
                   sum(fails_in_time(row, margin) for row in rows), len(rows)))
    ratios = [one["ratio"] for row in rows for one in row["entries"]]
    smallest = [one["smallest"] for row in rows for one in row["entries"] if one["smallest"]]
    counts = [one["instructions"] for row in rows for one in row["entries"] if one["instructions"]]
    print(f"  ratio of time, 2.5 %, median, 97.5 %: {quantile(ratios, .025):.4f}, "
          f"{quantile(ratios, .5):.4f}, {quantile(ratios, .975):.4f}")
    print(f"  stated smallest slowdown that fails with power 0.8, median: {quantile(smallest, .5):.1%}")
    if counts:
        print(f"  ratio of instructions, least and largest: {min(counts):.6f}, {max(counts):.6f}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("series_kind", choices=["equal", "planted", "suite", "report"])
    parser.add_argument("--runs", type=int, default=149)
    parser.add_argument("--load", type=int, default=0, help="programs that load a core each")
    parser.add_argument("--pairs", type=int, default=16, help="pairs of processes in a comparison")
    parser.add_argument("--time-only", action="store_true", help="count no instructions")
    parser.add_argument("--program", type=Path, default=ROOT / ".build/release/speedtrial")
    parser.add_argument("--shadowbox", type=Path, help="the program that `suite` measures")
    parser.add_argument("--output", type=Path, default=ROOT / "out/gate")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if options.series_kind == "report":
        for path in sorted(options.output.glob("*.jsonl")):
            report(path)
        return
    if not options.program.is_file() or not os.access(options.program, os.X_OK):
        fail(f"{options.program}: expected a program; build it with "
             "swift build -c release --product speedtrial, and --product shadowbox")
    suffix = (f"-load{options.load}" if options.load else "") + (
        "-time" if options.time_only else "")
    if options.series_kind == "planted":
        for slowdown in SLOWDOWNS:
            series(options, f"planted-{round(100 * slowdown)}{suffix}", slowdown)
    else:
        series(options, options.series_kind + suffix, 0.0)


if __name__ == "__main__":
    main()
