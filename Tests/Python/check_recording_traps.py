"""Holds what `shadowbox validate` finds in recordings to the traps that are known of them.

    SHADOWBOX_RECORDINGS=folder python3 Tests/Python/check_recording_traps.py
    python3 Tests/Python/check_recording_traps.py FOLDER

The traps are those that the descriptions of the sets name (SOURCE.md); how many readings each
concerns is counted here a second time, with pandas, gpxpy and by hand from the text. A row of the
table: the recording, the finding, what validate says, what is counted here. Exit code 1 where they
differ. The program under test is SHADOWBOX_EXECUTABLE, or .build/release/shadowbox.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import gpxpy
import numpy
import pandas

from check_recording_counts import ROOT, options_for

PROGRAM = os.environ.get("SHADOWBOX_EXECUTABLE", str(ROOT / ".build/release/shadowbox"))
GRAVITY = 9.80665


def findings(folder, name):
    """Those of all traces in a recording."""
    process = subprocess.run(
        [PROGRAM, "validate", str(folder / name), "--format", "json", "--quiet"]
        + options_for(name), capture_output=True, text=True)
    if process.returncode not in (0, 65):
        sys.exit(f"{name}: validate ended with {process.returncode}: {process.stderr}")
    return [f for file in json.loads(process.stdout)["files"] for f in file["findings"]]


def told(found, code, place=""):
    return sum(f["count"] for f in found if f["code"] == code and f["place"].startswith(place))


def seconds(found, code):
    return [round(f["start"], 2) for f in found if f["code"] == code]


def pause(folder, name):
    """Wall time between a PAUSE and the next START, less what experiment time says."""
    events = pandas.read_csv(folder / name / "meta/time.csv")
    starts, pauses = (events[events["event"] == kind] for kind in ("START", "PAUSE"))
    first = pandas.read_csv(
        next(p for p in (folder / name).glob("*.csv"))).iloc[:, 0].min()
    return [
        round(float(experiment - first), 2) for experiment, wall, later in zip(
            pauses["experiment time"], pauses["system time"], starts["system time"].iloc[1:])
        if later > wall]


def duplicated(folder, name, column):
    times = pandas.read_csv(folder / name)[column]
    return int((times.diff() == pandas.Timedelta(0)).sum() if times.dtype.kind == "M"
               else (times == times.shift()).sum())


def bad_checksums(folder, name):
    bad = 0
    for line in (folder / name).read_bytes().splitlines():
        start, star = line.find(b"$"), line.rfind(b"*")
        if line.startswith(b"#") or start < 0 or star < start:
            continue
        sums = 0
        for byte in line[start + 1:star]:
            sums ^= byte
        bad += f"{sums:02X}" != line[star + 1:star + 3].decode("ascii", "replace").upper()
    return bad


def distinct_times(folder, name):
    with open(folder / name, encoding="utf-8-sig") as file:
        tracks = gpxpy.parse(file).tracks
    points = [p for track in tracks for segment in track.segments for p in segment.points]
    return len({p.time for p in points}), len(points)


def holes(folder, name):
    """Intervals of more than three medians, and how many lie within one of a label's boundary."""
    table = pandas.read_csv(folder / name)
    times = table["timestamp"].to_numpy()
    gaps = numpy.flatnonzero(numpy.diff(times) > 3 * numpy.median(numpy.diff(times)))
    changes = numpy.flatnonzero(table["label"].to_numpy()[1:] != table["label"].to_numpy()[:-1])
    return sum(abs(changes - gap).min() <= 1 for gap in gaps) > len(gaps) / 2


def is_railed(folder, name, rail):
    table = pandas.read_csv(folder / name / "Accelerometer.csv")
    values = table.iloc[:, 1:].abs().to_numpy()
    return bool(((values > 0.99 * rail) & (values < 1.02 * rail)).sum(axis=0).max() > 100)


def rows(folder):
    """Recording, finding, told, counted."""
    for name in sorted(str(p.relative_to(folder)) for p in (folder / "punch-phone50").iterdir()
                       if p.is_dir()):
        found = findings(folder, name)
        yield name, "hidden-pause", seconds(found, "hidden-pause"), pause(folder, name)
        if "Preliminary" in name:
            yield (name, "saturation near 8 g", told(found, "saturation", "acceleration") > 100,
                   is_railed(folder, name, 8 * GRAVITY))
    for path in sorted((folder / "gps-visits").glob("*.csv")):
        name = str(path.relative_to(folder))
        yield (name, "duplicated-times", told(findings(folder, name), "duplicated-times"),
               duplicated(folder, name, "timestamp"))
    for path in sorted((folder / "neg-umafall").glob("*RIGHTPOCKET*.csv")):
        name = str(path.relative_to(folder))
        found = findings(folder, name)
        yield (name, "times that do not rise",
               told(found, "duplicated-times") + told(found, "batched-times")
               + told(found, "backward-times"),
               int((pandas.read_csv(path)["t"].diff() <= 0).sum()))
    for path in sorted((folder / "gpx-hikes").glob("*.gpx")):
        name = str(path.relative_to(folder))
        distinct, points = distinct_times(folder, name)
        yield (name, "few-distinct-times", told(findings(folder, name), "few-distinct-times") > 0,
               distinct < points / 10)
    for path in sorted((folder / "nmea").glob("*.log")):
        name = str(path.relative_to(folder))
        yield (name, "bad-checksum", told(findings(folder, name), "bad-checksum"),
               bad_checksums(folder, name))
    for path in sorted((folder / "punch-phone100").glob("*.csv")):
        name = str(path.relative_to(folder))
        found = findings(folder, name)
        yield (name, "leaking-labels", told(found, "leaking-labels", "acceleration") > 0,
               holes(folder, name))


def main():
    arguments = sys.argv[1:]
    folder = arguments[0] if arguments else os.environ.get("SHADOWBOX_RECORDINGS")
    if not folder:
        print("traps: skipped; name the recordings' folder in SHADOWBOX_RECORDINGS or as argument")
        return
    differences = 0
    for name, finding, said, counted in rows(Path(folder)):
        is_same = said == counted
        differences += not is_same
        print(f"{name:60}  {finding:24}  told {said!s:12}  counted {counted!s:12}"
              f"{'' if is_same else '  DIFFERENT'}")
    print(f"{differences} differences")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
