#!/usr/bin/env python3
"""Measures the conversion of recordings compared with Python libraries.

Reads the same files alternately, each reader in its own process, and prints medians of CPU
time, ratios and the targets:

  GPX   `parse` (reads a GPX into columns), compared with gpxpy.parse, on 50 MB
  CSV   `shadowbox convert` to a native trace, compared with pandas.read_csv and h5py with gzip-1 of the
        same columns, on 50 MB
  --large  the same conversions of 1 GB each, and the most memory that they take

  make bench-formats [ARGS="--large"]
  .venv/bin/python Benchmarks/Formats/compare.py [--rounds N] [--large]

Ends with 0, or with 1 if a result is wrong or memory exceeds its bound; times never fail it.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import h5py
import inputs

ROOT = Path(__file__).resolve().parents[2]
SHADOWBOX = ROOT / ".build/release/shadowbox"
PARSE = ROOT / ".build/release/parse"
MAPPING = ["--map", "time=time,x=x,y=y,z=z", "--gravity", "included", "--epoch", "unix"]

CUT = 50_000_000
LARGE = 1_000_000_000
MOST_MEMORY = 150e6
GPXPY_TARGET = 50
PANDAS_TARGET = 1

# Straightforward programs. Both print the CPU time of the work, without the start of
# Python and its imports, and the rows. gpxpy parses with lxml where there is lxml, its fastest way.
GPXPY = """
import sys, time, gpxpy, lxml
start = time.process_time()
with open(sys.argv[1]) as file:
    gpx = gpxpy.parse(file)
print(time.process_time() - start, gpx.get_track_points_no())
"""
PANDAS = """
import sys, time, h5py, pandas
start = time.process_time()
table = pandas.read_csv(sys.argv[1])
with h5py.File(sys.argv[2], "w") as file:
    times = (table["time"] * 1e9).round().astype("int64")
    file.create_dataset("time", data=times, compression="gzip", compression_opts=1)
    for name in "xyz":
        column = table[name].astype("float32")
        file.create_dataset(name, data=column, compression="gzip", compression_opts=1)
print(time.process_time() - start, len(table))
"""


@dataclass(frozen=True)
class Run:
    seconds: float
    # Bytes, of the process at its largest.
    memory: int
    # None where the program does not print it.
    rows: int | None


class Failure(Exception):
    pass


def run(command: list[str], *, is_timed_within: bool) -> Run:
    """Runs a command; it prints its seconds and rows, or the whole process is timed.

    Seconds are CPU time, of which no reader uses more than one core: what other programs do
    meanwhile does not count.
    """
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = usage.ru_utime + usage.ru_stime
        # Waited for already: the object must not wait again.
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Failure(f"{' '.join(command[:2])}: ended with {process.returncode}")
        rows = None
        if is_timed_within:
            output.seek(0)
            words = output.read().split()
            seconds, rows = float(words[0]), int(words[1])
    return Run(seconds, usage.ru_maxrss * 1024, rows)


def convert(source: Path, target: Path) -> list[str]:
    options = MAPPING if source.suffix == ".csv" else []
    return [str(SHADOWBOX), "convert", str(source), "-o", str(target), "--quiet", *options]


def in_turns(contenders: dict[str, tuple[list[str], bool]], rounds: int) -> dict[str, list[Run]]:
    """Runs each program once per round; a disturbance of the machine affects all equally."""
    runs = {name: [] for name in contenders}
    for index in range(rounds):
        for name, (command, is_timed_within) in contenders.items():
            runs[name].append(run(command, is_timed_within=is_timed_within))
            print(f"round {index + 1}/{rounds}: {name}", file=sys.stderr)
    found = {each.rows for of_one in runs.values() for each in of_one} - {None}
    if len(found) > 1:
        raise Failure(f"rows: expected the same for all, found {sorted(found)}")
    return runs


def report(runs: dict[str, list[Run]], size: int, ours: str, theirs: str, target: float) -> None:
    for name, of_one in runs.items():
        seconds = statistics.median(each.seconds for each in of_one)
        memory = max(each.memory for each in of_one)
        print(
            f"  {name:32} {seconds:8.3f} s  {size / seconds / 1e6:7.1f} MB/s"
            f"  {memory / 1e6:6.0f} MB of memory"
        )
    ratios = [b.seconds / a.seconds for a, b in zip(runs[ours], runs[theirs], strict=True)]
    ratio = statistics.median(ratios)
    print(
        f"  {ours} is {ratio:.1f} times as fast as {theirs}"
        f" ({min(ratios):.1f} to {max(ratios):.1f}); target {target}:"
        f" {'met' if ratio >= target else 'NOT met'}"
    )


def check_columns(ours: Path, theirs: Path) -> None:
    """Checks that the columns are equal, except for the rounding of times as doubles."""
    with h5py.File(ours) as a, h5py.File(theirs) as b:
        for name in "xyz":
            if not (a["acceleration"][name][:] == b[name][:]).all():
                raise Failure(f"{name}: expected the same values in both")
        times = b["time"][:] - b["time"][0]
        if abs(a["acceleration"]["time"][:] - times).max() > 1000:
            raise Failure("time: expected times that differ by 1 us at most")


def compare(folder: Path, rounds: int) -> None:
    python = sys.executable
    gpx, csv = folder / "cut.gpx", folder / "cut.csv"
    with gpx.open("wb") as file:
        inputs.write_gpx(file, CUT)
    with csv.open("wb") as file:
        inputs.write_csv(file, CUT)
    size = gpx.stat().st_size
    runs = in_turns(
        {
            "parse": ([str(PARSE), str(gpx)], True),
            "gpxpy": ([python, "-c", GPXPY, str(gpx)], True),
            "shadowbox convert": (convert(gpx, folder / "gpx.h5"), False),
        },
        rounds,
    )
    print(f"GPX, {size / 1e6:.0f} MB, medians of {rounds} rounds")
    report(runs, size, "parse", "gpxpy", GPXPY_TARGET)
    size = csv.stat().st_size
    runs = in_turns(
        {
            "shadowbox convert": (convert(csv, folder / "csv.h5"), False),
            "pandas and h5py": ([python, "-c", PANDAS, str(csv), str(folder / "pandas.h5")], True),
        },
        rounds,
    )
    check_columns(folder / "csv.h5", folder / "pandas.h5")
    print(f"CSV, {size / 1e6:.0f} MB, medians of {rounds} rounds; shadowbox from start to end")
    report(runs, size, "shadowbox convert", "pandas and h5py", PANDAS_TARGET)


def convert_large(folder: Path) -> bool:
    """Returns whether both conversions stay within their memory limit."""
    is_within = True
    for kind, write in {"gpx": inputs.write_gpx, "csv": inputs.write_csv}.items():
        source = folder / f"large.{kind}"
        with source.open("wb") as file:
            write(file, LARGE)
        size = source.stat().st_size
        done = run(convert(source, folder / "large.h5"), is_timed_within=False)
        source.unlink()
        print(
            f"{kind.upper()}, {size / 1e6:.0f} MB: {done.seconds:.1f} s,"
            f" {size / done.seconds / 1e6:.0f} MB/s, {done.memory / 1e6:.0f} MB of memory"
            f" at most; bound {MOST_MEMORY / 1e6:.0f} MB"
        )
        is_within = is_within and done.memory <= MOST_MEMORY
    return is_within


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each reader (5)")
    parser.add_argument("--large", action="store_true", help="convert 1 GB each as well")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: expected at least 1")
    try:
        with tempfile.TemporaryDirectory(dir=ROOT / "out") as folder:
            compare(Path(folder), options.rounds)
            is_within = convert_large(Path(folder)) if options.large else True
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0 if is_within else 1


if __name__ == "__main__":
    (ROOT / "out").mkdir(exist_ok=True)
    sys.exit(main())
