"""The sections of check-ins, tracks and presence of `make accuracy`.

Simulated people are generated with their own number as the seed, separate from those of traces/: twelve routes and
twelve runs of each kind in the open and in a forest, six bicycle rides, six walks with long stops and 24 groups
of people in a chat. Recorded tracks with a known length are three runs of a loop and a marathon. visits.py
measures stops of a day.
"""

import csv
import itertools
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from recordings import SHADOWBOX, shadowbox

ROUTES = {"routes": "open", "routes in a forest": "forest"}
RUNS = {
    "road runs with pauses": ("road-run", "open", 12),
    "road runs in a forest": ("road-run", "forest", 12),
    "track runs": ("track-run", "open", 12),
    "track runs in a forest": ("track-run", "forest", 12),
    "bicycle rides": ("ride", "open", 6),
    "walks with long stops": ("route", "open", 6),
}
LENGTHS = {
    "gps-loop-1710m": ("a loop of 1,710 m, watch (recorded)", "1710m", [
        "--map", "time=time[iso],latitude=latitude[deg],longitude=longitude[deg]"]),
    "gps-races": ("a marathon, watch (recorded)", "42195m", [
        "--map", "time=instant[iso],latitude=position_lat[deg],longitude=position_long[deg],speed=enhanced_speed"]),
}  # fmt: skip


# The settings of the presence detector that are tried: a heavy tail wants a higher threshold.
SETTINGS = {
    "threshold": [4, 5, 6, 7, 8, 10], "minimum-silence": [4, 5, 6, 7, 8], "window": [200, 500, 1000],
    "tail-share": [0.05, 0.1, 0.2],
}  # fmt: skip


def made(scenario, surroundings, people, folder):
    def make(person):
        path = folder / f"{scenario}-{surroundings}-{person}.h5"
        if not path.exists():
            where = ["--surroundings", surroundings] if surroundings else []
            shadowbox("synth", scenario, "--subject", person, "--seed", person, *where, "-o", path)
        return path

    with ThreadPoolExecutor() as pool:
        return list(pool.map(make, people))


def with_instants(path, folder):
    """The file, or a copy in which date and time are one column."""
    rows = list(csv.DictReader(path.open()))
    if not rows or "date" not in rows[0]:
        return path
    for row in rows:
        row["instant"] = f"{row['date']}T{row['time']}Z"
    copy = folder / path.name
    with copy.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return copy


def recorded(recordings, folder):
    for name, (title, length, options) in LENGTHS.items():
        paths = sorted((recordings / name).glob("*.csv"))
        if not paths:
            print(f"missing: {name}", file=sys.stderr)
            continue
        traces = []
        for path in paths:
            path = with_instants(path, folder)
            traces.append(folder / f"{path.stem}.h5")
            shadowbox("convert", path, *options, "--true-distance", length, "-o", traces[-1])
        yield title, traces


def run(sets, detector, presets, folder, more=""):
    """The figures of each set and preset, by name: (value, lower, upper), and the number of traces.

    A preset may be one with parameters: `default {threshold: 4}`.
    """
    lines = ["schema: shadowbox-suite/1", "traces:"]
    for index, traces in enumerate(sets.values()):
        lines.append(f"  set{index}: [{', '.join(map(str, traces))}]")
    lines.append("entries:")
    for index in range(len(sets)):
        for preset in presets:
            name, _, parameters = preset.partition(" ")
            set_to = f", parameters: {parameters}" if parameters else ""
            lines.append(f"  - {{name: '{index}/{preset}', detector: {detector}, preset: {name}, "
                         f"traces: [set{index}]{set_to}{more}}}")  # fmt: skip
    suite = folder / f"{detector}.yml"
    suite.write_text("\n".join(lines) + "\n")
    done = subprocess.run([SHADOWBOX, "run", suite, "--quiet", "--format", "csv", "-o", folder / f"{detector}.h5"],
                          capture_output=True, text=True)  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    names = list(sets)
    figures = {}
    for row in csv.DictReader(done.stdout.splitlines()):
        index, preset = row["entry"].split("/", 1)
        values = [float(row[key]) if row[key] else None for key in ("value", "lower", "upper")]
        key = names[int(index)], preset
        figures.setdefault(key, {})[row["figure"]] = values
        figures[key]["traces"] = int(row["traces"])
    return figures


def cell(values, digits, sign=""):
    value, low, high = values
    if value is None:
        return "-"
    text = f"{value:{sign}.{digits}f}"
    return text if low is None or high is None else f"{text} ({low:{sign}.{digits}f} to {high:{sign}.{digits}f})"


def sections(recordings, folder, table):
    """The lines of both sections. `recordings` may be None."""
    sets = {f"simulated {name}": made("route", where, range(21, 33), folder) for name, where in ROUTES.items()}
    sets["all simulated routes"] = list(itertools.chain(*sets.values()))
    figures = run(sets, "checkin", ["default", "careful", "goHike"], folder,
                  ", policy: {confirm_after: 3 s, continue_after: 5 s}")  # fmt: skip
    yield ""
    yield "## Check-ins"
    yield ""
    yield "By a person who confirms after 3 s and goes on 5 s later, in the order of the route."
    yield ""
    header = ["set: preset", "people", "visits", "recall (95 %)", "precision", "F1", "delay s, p50", "p90"]
    yield from table(header, (
        [f"{name}: {preset}", str(some["traces"]), f"{some['references'][0]:.0f}", cell(some["recall"], 3),
         f"{some['precision'][0]:.3f}", f"{some['f1'][0]:.3f}", f"{some['entry_delay_p50'][0]:.1f}",
         f"{some['entry_delay_p90'][0]:.1f}"]
        for (name, preset), some in figures.items()))  # fmt: skip

    sets = {f"simulated {name}": made(kind, where, range(1, count + 1), folder)
            for name, (kind, where, count) in RUNS.items()}  # fmt: skip
    sets.update(recorded(recordings, folder) if recordings else [])
    figures = run(sets, "track", ["default", "tri", "raw"], folder)
    yield ""
    yield "## Tracks"
    yield ""
    yield "Errors of the distance and of the moving time in per cent of the true ones."
    yield ""
    header = ["set: preset", "tracks", "distance, mean (95 %)", "mean of absolute values", "moving time, mean"]
    yield from table(header, (
        [f"{name}: {preset}", str(some["traces"]), cell(some["distance_error_bias"], 2, "+"),
         f"{some['distance_error_mean_absolute'][0]:.2f}",
         cell(some["moving_time_error_bias"][:1] + [None, None], 1, "+")
         if "moving_time_error_bias" in some else "-"]
        for (name, preset), some in figures.items()))  # fmt: skip

    yield from presence(folder, table)


def presence(folder, table):
    """The presets on all groups, and what a search on half of them finds, on the other half."""
    groups = made("presence", None, range(21, 45), folder)
    figures = run({"groups": groups}, "presence", ["default", "ticChatToe", "phi"], folder)
    yield ""
    yield "## Presence"
    yield ""
    yield "24 simulated groups of people in a chat, an hour each."
    yield ""
    header = ["preset", "departures found", "detection s, mean (95 %)", "p50", "p90", "mistakes per hour (95 %)",
              "query accuracy"]  # fmt: skip

    def row(name, some):
        return [name, f"{some['departures_found'][0]:.3f}", cell(some["detection_time_mean"], 2),
                f"{some['detection_time_p50'][0]:.2f}", f"{some['detection_time_p90'][0]:.2f}",
                cell(some["mistakes_per_hour"], 2), f"{some['query_accuracy'][0]:.5f}"]  # fmt: skip

    yield from table(header, [row(preset, some) for (_, preset), some in figures.items()])

    names = ["default {" + ", ".join(f"{key}: {value}" for key, value in zip(SETTINGS, values)) + "}"
             for values in itertools.product(*SETTINGS.values())]  # fmt: skip
    chosen, fresh = groups[::2], groups[1::2]
    tried = run({"chosen": chosen}, "presence", ["default", *names], folder)
    own = tried["chosen", "default"]

    def beats(some, other):
        return (some["mistakes_per_hour"][0] <= other["mistakes_per_hour"][0]
                and some["detection_time_mean"][0] <= other["detection_time_mean"][0]
                and some["departures_found"][0] >= other["departures_found"][0])  # fmt: skip

    better = [name for name in names if beats(tried["chosen", name], own)
              and tried["chosen", name]["mistakes_per_hour"][0] < own["mistakes_per_hour"][0]]  # fmt: skip
    better.sort(key=lambda name: tried["chosen", name]["mistakes_per_hour"][0])
    yield ""
    yield (f"Of {len(names)} settings of the default, {len(better)} make fewer mistakes on twelve of the groups, find"
           " departures no later, and no fewer of them.")  # fmt: skip
    if not better:
        return
    checked = run({"fresh": fresh}, "presence", ["default", *better[:3]], folder)
    yield "The first three of them on the other twelve:"
    yield ""
    yield from table(header, [row(name, some) for (_, name), some in checked.items()])
