#!/usr/bin/env python3
"""Measures check-ins at stops on a diary of two phones' days, against a plain fence. Prints one page.

  .venv/bin/python Benchmarks/Recordings/visits.py folder [-o page.md] [--shadowbox program]

The folder has gps-visits (see recordings.py): days at 1 Hz, with a stop TRUE or FALSE for each fix, from a
diary that is precise to about a minute.

A stop is a stretch of TRUE of two minutes or more. Stops nearer than 60 m are one place, whose centre is the
median position of the longest. Each day is scored twice:

  other days   the places are those of all other days: nothing of the day is known
  all days     the places include the day's own: the centre is known, as on a map. More stops, but optimistic

A stop is a visit to the place within 60 m of which most of it was spent, if that is two minutes or more. A
visit is found if its onset lies in the stop, or up to a minute beside it. Shorter stops are ignored.

The plain fence is entered at 50 m, left at 75 m, and counts after 120 s. It is run twice, as an exec:
detector that is in this file: in `plain` the 120 s run until the person is 75 m away, in `plain, strict` they
begin again with each fix beyond 50 m. A day is better with fewer missed and wrong visits. Intervals of a
difference are for other days of these people: a bootstrap over the days. There are too few people for
anything else. Takes four minutes on two cores.
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from itertools import product
from pathlib import Path

from recordings import put

INNER, OUTER, DWELL = 50.0, 75.0, 120.0
SAME_PLACE = 60.0
TOLERANCE = 60
RADIUS = 60.0
FENCES = {"plain": 0, "plain, strict": 1}
STOPS = {
    "stops": {},
    "stops, left at once": {"exit-hold": "0 s"},
    # The shares of `fences`.
    "stops, surely in, probably out": {"confidence": 0.85, "exit-confidence": 0.15},
    "fences": None,
}
# The settings that are tried without a person, and judged on that person.
GRID = {
    "radius": [40, 50, 60, 75],
    "confidence": [0.7, 0.91],
    "exit-confidence": [0.015, 0.15],
    "dwell": [90, 120, 150],
    "exit-hold": [0, 30, 120],
}
RESAMPLES = 10_000


# The plain fence, as a program.


class Fence:
    """One place: entered at INNER, left at OUTER; a visit after DWELL."""

    def __init__(self, latitude, longitude, is_strict):
        self.latitude, self.longitude, self.is_strict = latitude, longitude, is_strict
        self.entered, self.is_visited = None, False

    def visit(self, time, latitude, longitude):
        """The time of entry in ns, if the fix makes a visit of it."""
        way = distance(self.latitude, self.longitude, latitude, longitude)
        if way >= OUTER or (self.is_strict and not self.is_visited and way > INNER):
            self.entered, self.is_visited = None, False
        elif self.entered is None and way <= INNER:
            self.entered = time
        if self.entered is None or self.is_visited or time - self.entered < DWELL * 1e9:
            return None
        self.is_visited = True
        return self.entered


def distance(latitude, longitude, other_latitude, other_longitude):
    """In metres, for places some kilometres apart: radii of curvature of WGS84 at the first one."""
    sine = math.sin(math.radians(latitude))
    root = math.sqrt(1 - 0.00669437999014 * sine * sine)
    east = math.radians(other_longitude - longitude) * math.cos(math.radians(latitude)) * 6378137 / root
    north = math.radians(other_latitude - latitude) * 6335439.327 / root**3
    return math.hypot(east, north)


def serve():
    """Answers as a detector: traces/FORMAT.md defines the lines."""
    print("shadowbox-detector/1\nname plain-fence\nchannel location\ntask visit\n"
          "parameter strict 0 0 1 - each fix beyond the inner radius starts the dwell again\nready",
          flush=True)  # fmt: skip
    for line in sys.stdin:
        word, *fields = line.split()
        if word == "start":
            fences, is_strict = {}, False
        elif word == "parameter":
            is_strict = float(fields[1]) > 0.5
        elif word == "place":
            fences[fields[0]] = Fence(float(fields[1]), float(fields[2]), is_strict)
        elif word == "sample":
            number, time, _, latitude, longitude = fields[:5]
            for place, fence in fences.items():
                entry = fence.visit(int(time), float(latitude), float(longitude))
                if entry is not None:
                    print("detect", number, entry, f"place={place}")
        elif word == "end":
            print("done", flush=True)


# Days, places and references.


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


class Day:
    def __init__(self, path):
        import h5py

        with h5py.File(path) as file:
            self.path = path
            self.subject = file.attrs["subject"].decode()
            self.epoch = file.attrs["recorded_at"].decode()
            self.seconds = float(file.attrs["end"]) / 1e9
            self.fixes = [
                (time / 1e9, latitude, longitude)
                for time, latitude, longitude in zip(*(
                    file[f"location/{column}"][:].tolist() for column in ("time", "latitude", "longitude")
                ))
            ]  # fmt: skip
            runs = file["reference/visit"]
            self.stops = [Stop(self, *run) for run in zip(runs["onset"][:].tolist(),
                                                          runs["offset"][:].tolist())]  # fmt: skip


class Stop:
    def __init__(self, day, onset, offset):
        self.day, self.onset, self.offset = day, onset / 1e9, offset / 1e9
        self.fixes = [fix for fix in day.fixes if self.onset <= fix[0] <= self.offset]
        self.centre = median(fix[1] for fix in self.fixes), median(fix[2] for fix in self.fixes)
        self.is_long = self.offset - self.onset >= 120

    def seconds_at(self, centre):
        """The time within SAME_PLACE of a place. A gap counts as a minute at most."""
        times = [fix[0] for fix in self.fixes]
        steps = [min(after - time, 60) for time, after in zip(times, [*times[1:], times[-1]])]
        return sum(step for step, fix in zip(steps, self.fixes)
                   if distance(*centre, fix[1], fix[2]) < SAME_PLACE)  # fmt: skip


def places_of(stops):
    centres = []
    for stop in sorted(stops, key=lambda stop: stop.onset - stop.offset):
        if all(distance(*centre, *stop.centre) >= SAME_PLACE for centre in centres):
            centres.append(stop.centre)
    return centres


def visits_of(day, centres):
    """The place, the onset and the offset of each visit of a day."""
    visits = []
    for stop in day.stops:
        if not stop.is_long or not centres:
            continue
        seconds = [stop.seconds_at(centre) for centre in centres]
        if max(seconds) >= 120:
            visits.append((seconds.index(max(seconds)), stop.onset, stop.offset))
    return visits


def write(day, centres, path):
    """Copies a day's trace, with places and visits. Returns the number of visits."""
    import h5py
    import numpy as np

    path.write_bytes(day.path.read_bytes())
    since = np.bytes_(f"nanoseconds since {day.epoch}")

    def columns(group, some):
        for name, (values, type, attributes) in some.items():
            dataset = group.create_dataset(name, data=np.array(values, type))
            for key, value in attributes.items():
                dataset.attrs[key] = value

    def times(values):
        return [round(value * 1e9) for value in values], "i8", {"units": since}

    def real(values, unit):
        return values, "f8", {"units": np.bytes_(unit), "_FillValue": np.nan}

    visits = visits_of(day, centres)
    short = [stop for stop in day.stops if not stop.is_long]
    with h5py.File(path, "r+") as file:
        del file["reference/visit"]
        visit = file.create_group("reference/visit")
        visit.attrs["tolerance"] = np.int64(TOLERANCE * 10**9)
        visit.attrs["definition"] = np.bytes_("a stop of a diary at this place")
        none = {"flag_values": np.array([-1], "i4"), "flag_meanings": np.bytes_("none")}
        columns(visit, {
            "onset": times([one[1] for one in visits]), "offset": times([one[2] for one in visits]),
            "place": ([one[0] for one in visits], "i4", none),
        })  # fmt: skip
        indices = range(len(centres))
        columns(file.create_group("place"), {
            "id": (indices, "i4", {}), "rank": (indices, "i4", {}),
            "latitude": real([centre[0] for centre in centres], "degrees_north"),
            "longitude": real([centre[1] for centre in centres], "degrees_east"),
            "radius": real([RADIUS for _ in centres], "m"),
        })  # fmt: skip
        columns(file.create_group("ignore"), {
            "onset": times([max(stop.onset - TOLERANCE, 0) for stop in short]),
            "offset": times([min(stop.offset + TOLERANCE, day.seconds) for stop in short]),
        })  # fmt: skip
    return len(visits)


# Runs and figures.


def entries():
    """The name, the detector, the preset and the parameters of each rule."""
    for name, strict in FENCES.items():
        program = f"exec:'{sys.executable}' '{Path(__file__).resolve()}' --serve"
        yield name, program, None, {"strict": strict}
    for name, parameters in STOPS.items():
        if parameters is None:
            yield name, "checkin", name, {}
        else:
            yield name, "checkin", "stops", parameters


def grid():
    for values in product(*GRID.values()):
        one = dict(zip(GRID, values))
        parameters = one | {"radius": f"{one['radius']} m", "uses-place-radius": False,
                            "dwell": f"{one['dwell']} s", "exit-hold": f"{one['exit-hold']} s"}  # fmt: skip
        yield ", ".join(f"{key} {value}" for key, value in one.items()), "checkin", "stops", parameters


def run(program, rules, traces, folder):
    """Returns, for each rule, the summary's figures and (subject, trace, figures) of each day."""
    lines = ["schema: shadowbox-suite/1", "traces:", "  days:"]
    lines += [f"    - {json.dumps(str(path))}" for path in traces] + ["entries:"]
    for name, detector, preset, parameters in rules:
        entry = {"name": name, "detector": detector, "traces": ["days"]}
        entry |= {"preset": preset} if preset else {}
        entry |= {"parameters": parameters} if parameters else {}
        lines.append(f"  - {json.dumps(entry)}")
    suite = folder / "visits.yml"
    suite.write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [program, "run", suite, "--quiet", "--format", "json", "--intervals", "these-people", "--force",
         "-o", folder / "visits.h5"], capture_output=True, text=True)  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    report = json.loads(done.stdout)
    summaries = {one["entry"]: one["figures"] for one in report["summaries"]}
    days = defaultdict(list)
    for one in report["runs"]:
        days[one["entry"]].append((one["subject"], one["trace"], one["figures"]))
    return {name: (summaries[name], sorted(days[name], key=lambda day: day[1])) for name, *_ in rules}


def counts(day):
    return [int((day[2].get(key) or {}).get("value") or 0)
            for key in ("true_positives", "false_negatives", "false_positives")]  # fmt: skip


def summed(days):
    return [sum(column) for column in zip(*map(counts, days))] or [0, 0, 0]


def f1(found, missed, wrong):
    return 2 * found / (2 * found + missed + wrong) if found + missed + wrong else math.nan


def difference(days, base):
    """The difference of F1 over the same days, with its interval, and on how many days it has a sign."""
    pairs = list(zip(map(counts, days), map(counts, base)))

    def of(some):
        sums = [[sum(column) for column in zip(*side)] for side in zip(*some)]
        return f1(*sums[0]) - f1(*sums[1])

    generator = random.Random(1)
    drawn = sorted(of(generator.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES))
    errors = [sum(one[1:]) - sum(other[1:]) for one, other in pairs]
    signs = f"{sum(error < 0 for error in errors)}, {sum(error > 0 for error in errors)}"
    low, high = drawn[round(0.025 * RESAMPLES)], drawn[round(0.975 * RESAMPLES) - 1]
    return f"{of(pairs):+.3f} ({low:+.3f} to {high:+.3f})", signs


def value(figures, key, digits, has_interval=False):
    figure = figures.get(key) or {}
    if figure.get("value") is None:
        return "-"
    text = f"{figure['value']:.{digits}f}"
    if has_interval and figure.get("lower") is not None:
        text += f" ({figure['lower']:.{digits}f}-{figure['upper']:.{digits}f})"
    return text


def table(header, rows):
    yield "| " + " | ".join(header) + " |"
    yield "|" + "|".join("---" if column == 0 else "---:" for column in range(len(header))) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def rules_table(results):
    rows = []
    for name, (figures, days) in results.items():
        found, missed, wrong = summed(days)
        rows.append([name, str(found), str(missed), str(wrong), value(figures, "recall", 3, True),
                     value(figures, "precision", 3, True), f"{f1(found, missed, wrong):.3f}",
                     value(figures, "false_visits_per_hour", 2, True),
                     value(figures, "entry_delay_p50", 0)]
                    + [text for base in FENCES for text in difference(days, results[base][1])])  # fmt: skip
    header = ["rule", "found", "missed", "wrong", "recall (95 %)", "precision (95 %)", "F1",
              "wrong per hour (95 %)", "entry delay s, p50"]  # fmt: skip
    for base in FENCES:
        header += [f"F1 less that of `{base}` (95 %)", "days better, worse"]
    yield from table(header, rows)


def held_out(results, base):
    """The best setting without each person, judged on that person."""
    subjects = sorted({day[0] for day in base})
    rows, judged = [], []
    for person in subjects:

        def split(days, is_person):
            return [day for day in days if (day[0] == person) == is_person]

        def without(name):
            return f1(*summed(split(results[name][1], False)))

        best = max(map(without, results))
        ties = [name for name in results if without(name) >= best - 1e-9]
        # Of equal settings the middle one of the list, which is ordered.
        chosen = ties[len(ties) // 2]
        days = split(results[chosen][1], True)
        judged += days
        rows.append([person, f"{best:.3f}", str(len(ties)), chosen, *map(str, summed(days)),
                     f"{f1(*summed(days)):.3f}", f"{f1(*summed(split(base, True))):.3f}"])  # fmt: skip
    judged.sort(key=lambda day: day[1])
    text, signs = difference(judged, base)
    rows.append(["all", "", "", "", *map(str, summed(judged)), f"{f1(*summed(judged)):.3f}",
                 f"{f1(*summed(base)):.3f}"])  # fmt: skip
    yield from table(["left out", "F1 of the others", "equal settings", "chosen", "found", "missed", "wrong",
                      "F1", "F1 of `plain`"], rows)  # fmt: skip
    yield ""
    yield f"All, less `plain`: {text}; days better, worse: {signs}."


def page(program, recordings, folder):
    traces = folder / "converted"
    traces.mkdir()
    days = []
    for path in sorted(recordings.glob("*.csv")):
        name = path.stem.split("geodata-")[-1]
        output = traces / f"{name}.h5"
        done = subprocess.run(
            [program, "convert", path, "--map",
             "time=timestamp[iso],latitude=latitude[deg],longitude=longitude[deg]",
             "--columns", "subject=user_id", "--id", name, "--reference-column", "stop",
             "--reference-task", "visit", "--no-event-label", "FALSE", "--quiet", "-o", output],
            capture_output=True, text=True)  # fmt: skip
        if done.returncode not in (0, 5):
            sys.exit(done.stderr)
        days.append(Day(output))

    hours = sum(day.seconds for day in days) / 3600
    people = sorted({day.subject for day in days})
    stops = [stop for day in days for stop in day.stops if stop.is_long]
    yield "# Check-ins at stops"
    yield ""
    yield (f"{len(days)} days of {len(people)} ids ({', '.join(people)}), {hours:.1f} h, {len(stops)} stops of"
           " two minutes or more.")  # fmt: skip
    for which in ("other days", "all days"):
        made, visits, centres = [], 0, set()
        for day in days:
            some = [stop for stop in stops if which == "all days" or stop.day is not day]
            path = folder / which.replace(" ", "-") / day.path.name
            path.parent.mkdir(exist_ok=True)
            places = places_of(some)
            visits += write(day, places, path)
            centres |= {places[one[0]] for one in visits_of(day, places)}
            made.append(path)
        yield ""
        yield f"## Places of {which}: {visits} visits"
        yield ""
        results = run(program, list(entries()), made, folder)
        yield from rules_table(results)
        yield ""
        yield f"### Settings that were chosen without the person ({math.prod(map(len, GRID.values()))} tried)"
        yield ""
        yield from held_out(run(program, list(grid()), made, folder), results["plain"][1])


def main():
    root = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--shadowbox", type=Path, default=root / ".build/release/shadowbox")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve()
    recordings = (options.folder or Path()) / "gps-visits"
    if not options.folder or not list(recordings.glob("*.csv")):
        sys.exit(f"{recordings}: expected CSV files of days, found none")
    with tempfile.TemporaryDirectory() as temporary:
        text = "\n".join(page(options.shadowbox, recordings, Path(temporary))) + "\n"
    put(text, options.output)


if __name__ == "__main__":
    main()
