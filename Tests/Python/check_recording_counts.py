"""Compares how many readings `shadowbox convert` takes from recordings with what other programs count.

    SHADOWBOX_RECORDINGS=folder python3 Tests/Python/check_recording_counts.py
    python3 Tests/Python/check_recording_counts.py FOLDER [PATTERN...]

Every recording below the folder, a file or a folder of tables, is converted with one command; OPTIONS says which options a set needs,
and why. The other programs are pandas for CSV, gpxpy for GPX, fitdecode for FIT, an XML parser for
TCX and pynmea2 for NMEA. A row of the table: the file, the channel, our readings, the others'
records, and what the others' records are that become no reading:

  no-position   a record of FIT or TCX without latitude and longitude
  no-time       a track point without a time, where others have one
  void-fix      a time at which the receiver says that it has no fix
  no-value      a cell that is empty, where --nan-is-missing says that it may be
  damaged       a record with a wrong checksum or without its end

What is left is unexplained: exit code 1. Without a folder only the recorded tracks in traces/ are
compared. PATTERN names files, e.g. 'nmea/*'. The program under test is SHADOWBOX_EXECUTABLE, or
.build/release/shadowbox.
"""

import collections
import fnmatch
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import fitdecode
import gpxpy
import h5py
import pandas
import pynmea2

ROOT = Path(__file__).resolve().parent.parent.parent

IN_G = ["--gravity", "included"]
# What SOURCE.md of a set makes necessary: the first pattern that fits counts. A file that no
# pattern names needs no option.
OPTIONS = [
    # A date and a time in two columns.
    ("gps-races/*.csv", [
        "--map",
        "date=date,time=time,latitude=position_lat,longitude=position_long,"
        "altitude=enhanced_altitude,speed=enhanced_speed,distance=distance",
        # Three of its 3,402 lines have no position.
        "--nan-is-missing",
    ]),
    ("gps-loop-1710m/*.csv", [
        "--map",
        "time=time[iso],latitude=latitude,longitude=longitude,altitude=altitude,distance=distance",
    ]),
    ("gps-visits/*.csv", [
        "--map", "time=timestamp[iso],latitude=latitude,longitude=longitude",
        "--columns", "subject=user_id", "--reference-column", "stop", "--reference-task", "visit",
        "--no-event-label", "FALSE",
    ]),
    ("gps-onfoot/*.csv", ["--map", "time=timestamp[iso],local.x=x,local.y=y"]),
    ("gps-stops/preprocessed_*.csv", [
        "--map", "time=ts[iso],latitude=latitude,longitude=longitude,local.x=x,local.y=y",
    ]),
    ("gps-stops/*.csv", ["--map", "time=ts[iso],latitude=latitude,longitude=longitude"]),
    ("neg-umafall/*.csv", ["--map", "time=t,x=ax[g],y=ay[g],z=az[g]"] + IN_G),
    ("neg-waist200/*.csv", ["--map", "time=t,x=ax[g],y=ay[g],z=az[g]"] + IN_G),
    ("neg-watch50/*.csv", [
        "--map", "time=t,x=ax[g],y=ay[g],z=az[g]", "--split-by", "rec",
        "--columns", "subject=subject,activity=exercise,handedness=side",
    ] + IN_G),
    ("punch-glove25/*.csv", [
        "--map", 'time="epoch (ms)"[ms],x="X-Axis (g)"[g],y="Y-Axis (g)"[g],z="Z-Axis (g)"[g]',
        "--epoch", "unix",
    ] + IN_G),
    ("punch-phone100/*.csv", [
        "--map",
        "time=timestamp[ns],x=accX,y=accY,z=accZ,rotation_rate.x=gyrX,rotation_rate.y=gyrY,"
        "rotation_rate.z=gyrZ",
        "--epoch", "unix", "--reference-column", "label", "--no-event-label", "NoActivity",
        "--columns", "hand=hand",
    ] + IN_G),
]
# Recordings that are folders of tables, exports of phyphox, and what their tables hold.
FOLDERS = ["punch-phone50/*"]
TABLES = {
    "Linear_Acceleration.csv": "user_acceleration", "Accelerometer.csv": "acceleration",
    "Gyroscope.csv": "rotation_rate",
}
# Not recordings: licences and descriptions, what phyphox says of a recording, labels.
OTHERS = [
    "*/SOURCE.md", "README.md", "*/LICENSE*", "*/COPYING", "*/meta/time.csv", "*/meta/device.csv",
    "*/beats.tsv",
]


def recording_of(name):
    """The file itself, or the folder that it is a part of."""
    parents = [str(parent) for parent in Path(name).parents if fits(str(parent), FOLDERS)]
    return parents[-1] if parents else name


def fits(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def options_for(name):
    return next((found for pattern, found in OPTIONS if fits(name, [pattern])), [])


# What other programs count: a dictionary of channel to (records, reasons), reasons being how many
# of the records become no reading and why.


def mapping_of(options):
    """Targets and columns of --map, the columns by name or position."""
    text = options[options.index("--map") + 1]
    entries = re.findall(r'([a-z_.]+)=(?:"([^"]*)"|([^,\[]+))(?:\[[^\]]*\])?', text)
    return {target: quoted or bare for target, quoted, bare in entries}


def count_csv(path, options):
    table = pandas.read_csv(path)
    mapping = mapping_of(options)

    def column(name):
        return table.iloc[:, int(name[1:]) - 1] if name.startswith("#") else table[name]

    channels = {
        "location": ("latitude", "longitude"), "local": ("local.x", "local.y"),
        "odometer": ("distance",), "rotation_rate": tuple(f"rotation_rate.{a}" for a in "xyz"),
        axes_channel(options): ("x", "y", "z"),
    }
    counts = {}
    for channel, targets in channels.items():
        if not all(target in mapping for target in targets):
            continue
        known = column(mapping[targets[0]]).notna()
        for target in targets[1:]:
            known &= column(mapping[target]).notna()
        reason = "no-value" if "--nan-is-missing" in options else "damaged"
        counts[channel] = (len(table), {reason: int((~known).sum())})
    return counts


def axes_channel(options):
    return "user_acceleration" if "removed" in options else "acceleration"


def count_folder(path, _):
    tables = {channel: path / name for name, channel in TABLES.items() if (path / name).exists()}
    rows = {channel: pandas.read_csv(table) for channel, table in tables.items()}
    return {channel: (len(table), {"damaged": int(table.isna().any(axis=1).sum())})
            for channel, table in rows.items()}


def count_gpx(path, _):
    with open(path, encoding="utf-8-sig") as file:
        document = gpxpy.parse(file)
    points = [p for track in document.tracks for s in track.segments for p in s.points]
    untimed = sum(point.time is None for point in points)
    return {"location": (len(points), {"no-time": untimed})}


def count_fit(path, _):
    records = without = 0
    with fitdecode.FitReader(str(path)) as reader:
        for frame in reader:
            if frame.frame_type != fitdecode.FIT_FRAME_DATA or frame.name != "record":
                continue
            records += 1
            values = [
                frame.get_value(name) if frame.has_field(name) else None
                for name in ("position_lat", "position_long")
            ]
            without += None in values
    return {"location": (records, {"no-position": without})}


def count_tcx(path, _):
    points = list(ElementTree.parse(path).iter(
        "{http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2}Trackpoint"))
    without = sum(not any(child.tag.endswith("}Position") for child in point) for point in points)
    return {"location": (len(points), {"no-position": without})}


def count_nmea(path, _):
    """Fixes by time of the day: as many at a time as one kind of sentence comes at it."""
    times = {}
    damaged = 0
    for line in re.split(rb"[\r\n]+", path.read_bytes()):
        if line.startswith(b"#") or b"$" not in line:
            continue
        text = line[line.index(b"$"):].decode("latin-1")
        try:
            sentence = pynmea2.parse(text, check=True)
        except pynmea2.ChecksumError:
            damaged += 1
            continue
        except pynmea2.ParseError:
            # A sentence of a kind that it does not know, or no sentence.
            damaged += re.fullmatch(r"\$[A-Z0-9]+,[^*]*\*[0-9A-F]{2}\s*", text) is None
            continue
        kind = getattr(sentence, "sentence_type", "")
        if kind not in ("RMC", "GGA", "GLL", "GNS"):
            continue
        # Fields by position: what it makes of empty ones differs from kind to kind.
        time = sentence.data[4 if kind == "GLL" else 0]
        time = time and f"{float(time):.3f}"
        at = times.setdefault(time, {"counts": collections.Counter(), "minimum": None, "any": False})
        at["counts"][sentence.talker + kind] += 1
        void = {
            "RMC": lambda data: data[1] == "V", "GGA": lambda data: data[5] == "0",
            "GLL": lambda data: len(data) > 5 and data[5] == "V",
            "GNS": lambda data: set(data[5]) == {"N"},
        }[kind](sentence.data)
        at["any"] |= not void
        if kind == "RMC":
            at["minimum"] = not void
    records = voids = 0
    for at in times.values():
        count = max(at["counts"].values())
        records += count
        if not (at["any"] if at["minimum"] is None else at["minimum"]):
            voids += count
    return {"location": (records + damaged, {"void-fix": voids, "damaged": damaged})}


COUNTERS = {
    ".csv": count_csv, ".gpx": count_gpx, ".fit": count_fit, ".tcx": count_tcx, ".log": count_nmea,
}


def program():
    named = os.environ.get("SHADOWBOX_EXECUTABLE")
    return named or str(ROOT / ".build" / "release" / "shadowbox")


def convert(path, options, scratch):
    """Readings by channel, and how many losses and missing readings are told."""
    target = Path(scratch) / ("parts" if "--split-by" in options else "trace.h5")
    done = subprocess.run(
        [program(), "convert", str(path), "-o", str(target)] + options,
        stdin=subprocess.DEVNULL, capture_output=True, text=True)
    told = {
        "damaged": sum(map(int, re.findall(r"(\d+) damaged records?", done.stderr))),
        "missing": sum(map(int, re.findall(r"(\d+) missing samples?", done.stderr))),
    }
    if done.returncode not in (0, 5):
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()}")
    if (done.returncode == 5) != (told["damaged"] > 0):
        raise RuntimeError(f"exit code {done.returncode} with {told['damaged']} losses")
    counts = collections.Counter()
    traces = sorted(target.iterdir()) if target.is_dir() else [target]
    for trace in traces:
        with h5py.File(trace) as file:
            for name, group in file.items():
                if isinstance(group, h5py.Group) and "time" in group and "id" not in group:
                    counts[name] += len(group["time"])
        trace.unlink()
    if target.is_dir():
        target.rmdir()
    return counts, told


def compare(path, name, scratch):
    """Rows of the table, and whether all is explained."""
    options = options_for(name)
    try:
        ours, told = convert(path, options, scratch)
        counter = count_folder if path.is_dir() else COUNTERS[path.suffix.lower()]
        theirs = counter(path, options)
    except Exception as error:
        return [(name, "", "", "", "", "", f"{type(error).__name__}: {error}")], False
    rows, is_explained = [], True
    for channel in sorted(set(ours) | set(theirs)):
        records, reasons = theirs.get(channel, (0, {}))
        difference = records - sum(reasons.values()) - ours[channel]
        is_explained &= difference == 0
        why = ", ".join(f"{reason} {count}" for reason, count in reasons.items() if count)
        losses = told["damaged"] + told["missing"]
        rows.append((name, channel, ours[channel], records, losses, difference, why))
    # What the others find damaged must have been told as such, and nothing else.
    known = max(reasons.get("damaged", 0) + reasons.get("no-time", 0)
                for _, reasons in theirs.values())
    missing = sum(reasons.get("void-fix", 0) + reasons.get("no-value", 0)
                  for _, reasons in theirs.values())
    if (told["damaged"], told["missing"]) != (known, missing):
        rows.append((name, "told", told["damaged"] + told["missing"], known + missing, "", "",
                     f"damaged {told['damaged']}, missing {told['missing']} were told"))
        is_explained = False
    return rows, is_explained


def table(rows):
    head = ("file", "channel", "readings", "records", "told losses", "unexplained", "why")
    widths = [max(len(str(row[i])) for row in [head] + rows) for i in range(len(head) - 1)]
    for row in [head] + rows:
        cells = [
            str(cell).ljust(width) if index < 2 else str(cell).rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths))
        ]
        print("  ".join(cells + [str(row[-1])]).rstrip())


def main():
    arguments = sys.argv[1:]
    folder = arguments.pop(0) if arguments else os.environ.get("SHADOWBOX_RECORDINGS")
    if not folder:
        print("recordings: skipped; name their folder in SHADOWBOX_RECORDINGS or as the argument")
        folder = ROOT / "traces" / "recorded"
        arguments = ["*.gpx"]
    folder = Path(folder)
    if not folder.is_dir():
        sys.exit(f"{folder}: expected a folder of recordings, found none; check the path")
    names = sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
    names = [name for name in names if not arguments or fits(name, arguments)]
    others = [name for name in names if fits(name, OTHERS)]
    names = sorted({recording_of(name) for name in names})
    unknown = [name for name in names if name not in others and not (folder / name).is_dir()
               and Path(name).suffix.lower() not in COUNTERS]
    rows, bad = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            if name in others or name in unknown:
                continue
            found, is_explained = compare(folder / name, name, scratch)
            rows += found
            if not is_explained:
                bad.append(name)
    table(rows)
    readings = sum(row[2] for row in rows if isinstance(row[2], int) and row[1] != "told")
    recordings = len(set(names) - set(others))
    print(f"{recordings} recordings, {readings} readings, {len(others)} files that are no "
          f"recordings, {len(bad)} with unexplained differences")
    for name in unknown:
        print(f"{name}: no program is known to count its readings")
    sys.exit(1 if bad or unknown or not rows else 0)


if __name__ == "__main__":
    main()
