"""Checks that results files open in the tools that other people use, and say what was printed.

    python3 Tests/Python/check_results.py

Runs every detector of the default suite on a few of its traces with the program in
SHADOWBOX_EXECUTABLE; needs h5py, xarray, h5netcdf, netCDF4, and ncdump (Debian: netcdf-bin).
All groups are checked with h5py and as a tree; in the quick run the first group of each kind is
opened by itself as well, in the long run every group of two files with both engines of xarray.
Exits with 1 and says what is wrong.
"""

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5netcdf
import h5py
import numpy as np
import xarray as xr
from xarray.backends import H5NetCDFStore

import long_tests

ROOT = Path(__file__).resolve().parents[2]


def require(condition, place, message):
    if not condition:
        sys.exit(f"{place}: {message}")


# Every kind of task and of trace once: opening a group in xarray takes long.
SUITE = """
schema: shadowbox-suite/1
name: check
traces:
  motion: [{traces}/synthetic/punch-s03-right-hold.h5, {traces}/recorded/watch-55.h5]
  route: [{traces}/synthetic/route-s01.h5]
  runs: [{traces}/synthetic/track-run-s01.h5, {traces}/recorded/korita-zbevnica.h5]
  groups: [{traces}/synthetic/presence-s01.h5]
  fighters: [{traces}/synthetic/fight-s01.h5, {traces}/synthetic/fight-s02.h5]
  runner: [{traces}/synthetic/track-run-s01.h5]
entries:
  - {{detector: punch, traces: motion, gravity_filter: lowpass}}
  - {{detector: punch, preset: hitThat, traces: motion, gravity_filter: lowpass}}
  - {{name: 100 % / cards, detector: punch, preset: hitThatCards, traces: motion,
     gravity_filter: lowpass}}
  - {{name: late, detector: punch, traces: motion, gravity_filter: lowpass, device_rate: 50 Hz,
     delivery: {{preset: harsh, clock-step: 0 s, clock-drift: 0, seed: 4}}}}
  - {{detector: checkin, traces: route, policy: {{cancel: 0.1}}}}
  - {{detector: track, traces: runs}}
  - {{detector: presence, traces: groups}}
apps:
  - {{app: fight, traces: fighters, network: {{delay: 100 ms, loss: 0.1, seed: 3}}}}
  - {{name: as it was, app: fight, preset: hitThat, traces: fighters, seed: 5}}
  - {{app: hike, traces: route, policy: {{spread: 0.5}}}}
  - {{app: workout, traces: runner}}
"""


def run(program, output, *options):
    suite = output.parent / "suite.yml"
    suite.write_text(SUITE.format(traces=ROOT / "traces"))
    command = [program, "run", str(suite), "--output", str(output), "--quiet"]
    done = subprocess.run([*command, *options], capture_output=True, text=True)
    require(done.returncode == 0, "shadowbox run", done.stderr)
    return done.stdout


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def escaped(name):
    return name.replace("%", "%25").replace("/", "%2F")


def close(left, right):
    """A figure of HDF5 (NaN = undefined) against one of JSON (null = undefined)."""
    if right is None:
        # A bound that the data do not give is infinite there and null here.
        return not np.isfinite(left)
    return left == right or abs(left - right) <= 1e-12 * abs(right)


def cell(column, row):
    """The value of a column in a row; the word of a code."""
    if "flag_meanings" in column.attrs and column.dtype == np.int8:
        words = text(column.attrs["flag_meanings"]).split()
        return dict(zip(np.atleast_1d(column.attrs["flag_values"]), words))[column[row]]
    return text(column[row])


def check_figures(table, row, figures, prefix=""):
    """The figures of a run are those of JSON."""
    for name, figure in figures.items():
        column = prefix + name
        place = f"/runs/{column}, row {row}"
        require(column in table, place, "not in the file")
        require(table[column].shape == table["run"].shape, place, "not a value for each run")
        require(text(table[column].attrs["units"]) == (figure["unit"] or "1"), place, "another unit")
        require(close(table[column][row], figure["value"]), place, "another value")
        methods = text(table[column].attrs.get("interval_method", ""))
        if column + "_method" in table:
            method = cell(table[column + "_method"], row)
        else:
            method = methods or "none"
        require(method == figure.get("method", "none"), place, f"another method, {method}")
        require((not methods) == (column + "_lo" not in table), place, "bounds")
        if method == "none":
            continue
        for key, suffix in (("count", "_events"), ("clusters", "_clusters")):
            found = table[column + suffix][row] if column + suffix in table else -1
            require(found == figure.get(key, -1), place, f"another {key}")
        for suffix, key in (("_lo", "lower"), ("_hi", "upper")):
            require(close(table[column + suffix][row], figure[key]), place, f"another {key}")


@functools.cache
def columns_of_delivery(table):
    return [name for name in table if text(table[name].attrs.get("part")) == "delivery"]


def check_delivery(table, row, setting, run, place):
    require(setting["delivery"] == run["delivery"], place, "another delivery")
    is_ideal = run["delivery"] == "ideal"
    require(is_ideal == (setting["delivery_seed"] == ""), place, "a seed of nothing, or none")
    found = [name for name in columns_of_delivery(table) if not np.isnan(table[name][row])]
    require(is_ideal != bool(found), place, f"figures of an ideal delivery, or none: {found}")
    if is_ideal:
        return
    require(int(setting["delivery_seed"]) == run["delivery_seed"] == 4, place, "another seed")
    require(table["device_rate"][row] == run["device_rate_hz"] == 50, place, "another rate")
    check_figures(table, row, run["delivery_figures"], "readings_")
    count = {name: figure["value"] for name, figure in run["delivery_figures"].items()}
    left = sum(count[name] for name in ("delivered", "lost", "throttled", "dropped", "undelivered"))
    require(left - count["duplicated"] == count["recorded"], place, "counts do not add up")


def check_run(file, row, run):
    """The rows of /runs are in the order of JSON."""
    table = file["runs"]
    place = f"/runs, row {row}"
    for name in ("entry", "trace", "trace_sha256", "origin"):
        require(text(table[name][row]) == run[name], place, f"another {name}")
    settings = file["settings"]
    setting = {name: text(settings[name][table["setting"][row]]) for name in settings}
    require(setting["entry"] == run["entry"], place, "the settings of another entry")
    require(setting["detector"] == run["detector"], place, "another detector")
    require(json.loads(setting["parameters"]), place, "no parameters")
    require(table["detections"][row] == run["detections"], place, "another number of detections")
    check_delivery(table, row, setting, run, place)
    check_figures(table, row, run["figures"])
    check_figures(table, row, run["measurements"], "measured_")
    events = file["events"].get(escaped(run["entry"]), {})
    if "detections" not in events:
        require(run["detections"] == 0, place, "no detections")
        return
    detections = events["detections"]
    own = detections["run"][()] == row
    require(np.sum(own) == run["detections"], place, "another number of rows")
    place = f"{detections.name}, run {row}"
    for name in ("onset", "emitted", "newest_measured"):
        require(detections[name].dtype == np.int64, f"{place}, {name}", "not int64")
    emitted = detections["emitted"][own]
    require(np.all(np.diff(emitted) >= 0), place, "not in order")
    require(np.all(emitted >= detections["newest_measured"][own]), place, "seen before measured")
    if "true_positives" in run["figures"] and "outcome" in detections:
        outcomes = np.array(flag_names(detections["outcome"]))[own]
        hits = np.sum(outcomes == "true_positive")
        require(hits == run["figures"]["true_positives"]["value"], place, "another count of hits")
        matched = detections["match_index"][()]
        partners = np.array([], int)
        if "references" in events:
            partners = events["references"]["match_index"][()]
            mine = partners[events["references"]["run"][()] == row]
            require(np.sum(matched[own] >= 0) == np.sum(mine >= 0), place, "one-sided matches")
            require(np.all(own[mine[mine >= 0]]), place, "a partner in another run")
        for reference, partner in enumerate(partners):
            require(partner < 0 or matched[partner] == reference, place, "partners that differ")


def check_sizes(file):
    """No table is empty."""
    def require_rows(name, item):
        if isinstance(item, h5py.Dataset):
            require(item.size > 0, f"/{name}", "empty")

    for name in ("runs", "settings", "events"):
        file[name].visititems(lambda inner, item: require_rows(f"{name}/{inner}", item))


def check_summary(group, one):
    """The cells of an entry and origin, over all activities and classes, are the figures of JSON."""
    def position(name, value):
        return [text(item) for item in group[name][()]].index(value)

    place = f"/summary, {one['entry']} {one['origin']}"
    cell = (position("entry", one["entry"]), position("origin", one["origin"]),
            position("activity", "all"))
    for name, figure in one["figures"].items():
        label = name.rsplit("_", 1)[-1] if name.startswith(("precision_", "recall_", "f1_")) else ""
        labels = [text(item) for item in group["class"][()]]
        if label in labels:
            name = name[: -len(label) - 1]
        values = group[name][cell]
        at = (labels.index(label if label in labels else "all"),) if np.ndim(values) else ()
        require(close(values[at], figure["value"]), f"{place}/{name}", "another value")
        for suffix, key in (("_lo", "lower"), ("_hi", "upper")):
            if key in figure:
                found = float(group[name + suffix][cell][at])
                found = found if np.isfinite(found) else np.nan
                require(close(found, figure[key]), f"{place}/{name}{suffix}", "another bound")


def flag_names(dataset):
    """The words that a column's codes stand for, in their order in the column."""
    words = text(dataset.attrs["flag_meanings"]).split()
    flags = dict(zip(np.atleast_1d(dataset.attrs["flag_values"]), words))
    return [flags[code] for code in dataset[()]]


def check_app(file, app):
    place = f"/apps/{escaped(app['entry'])}"
    group = file[place]
    for name in ("app", "preset", "network"):
        require(text(group.attrs[name]) == app[name], place, f"another {name}")
    require(group.attrs["seed"] == app["seed"], place, "another seed")
    people = group["people"]
    require(len(people["start"]) == len(app["people"]), f"{place}/people", "another number")
    for index, person in enumerate(app["people"]):
        require(text(people.attrs[f"trace_{index}"]) == person["trace"], place, "another trace")
        require(people["start"][index] / 1e9 == person["start"], place, "another start")
    outcomes = group["outcomes"]
    found = list(zip(flag_names(outcomes["name"]), outcomes["person"][()], outcomes["value"][()]))
    require(len(found) == len(app["outcomes"]) > 3, f"{place}/outcomes", "another number")
    for (name, person, value), one in zip(found, app["outcomes"]):
        wanted = (one["name"], -1 if one["person"] is None else one["person"])
        require((name, person) == wanted, f"{place}/outcomes", f"{name} of {person}, not {wanted}")
        require(close(value, one["value"]), f"{place}/outcomes", f"another {name}")
        if one["text"] is not None:
            suffix = "" if person < 0 else f"_{person}"
            require(
                text(group.attrs[f"text_{name}{suffix}"]) == one["text"], place, f"another {name}")
    events = group["events"]
    times = [event["time"] for event in app["events"]]
    require((events["time"][()] / 1e9).tolist() == times, f"{place}/events", "other times")
    kinds = [event["kind"] for event in app["events"]]
    require(flag_names(events["kind"]) == kinds, f"{place}/events", "other kinds")
    require(all(event["text"] for event in app["events"]), place, "an event without a sentence")


def kind_of(group):
    """The last part of its name, e.g. detections: runs have the same groups."""
    return group.rsplit("/", 1)[-1]


def check_xarray(path, file):
    names = []
    file.visititems(
        lambda name, item: names.append(name)
        if isinstance(item, h5py.Group)
        and any(isinstance(child, h5py.Dataset) for child in item.values())
        else None
    )
    # As a tree, h5netcdf takes ten times as long.
    for engine in ("h5netcdf", "netcdf4") if long_tests.ARE_WANTED else ("netcdf4",):
        with xr.open_datatree(path, engine=engine) as tree:
            for name in names:
                columns = set(tree[name].dataset.variables)
                require(columns == set(file[name]), f"/{name} in {engine}", f"columns {columns}")
    if not long_tests.ARE_WANTED:
        # The tree above has been opened by the other engine. This one reads the whole file for each
        # group that it opens by itself.
        with h5netcdf.File(path) as opened:
            for name in long_tests.first_of_each_kind(names, kind_of):
                columns = set(xr.open_dataset(H5NetCDFStore(opened, group=name)).variables)
                require(columns == set(file[name]), f"/{name} in h5netcdf", f"columns {columns}")
        return
    for engine in ("h5netcdf", "netcdf4"):
        for name in names:
            with xr.open_dataset(path, group=name, engine=engine) as dataset:
                columns = set(dataset.variables)
                require(columns == set(file[name]), f"/{name} in {engine}", f"columns {columns}")


def main():
    program = os.environ["SHADOWBOX_EXECUTABLE"]
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("1.h5", "2.h5", "host.h5")]
        document = json.loads(run(program, paths[0], "--format", "json", "--deterministic"))
        if long_tests.ARE_WANTED:
            run(program, paths[1], "--deterministic", "--threads", "1", "--batch", "7")
            same = paths[0].read_bytes() == paths[1].read_bytes()
            require(same, paths[1].name, "equal input gave other bytes")
            # With /host, which only --deterministic leaves out.
            run(program, paths[2])
        for path in paths[::2] if long_tests.ARE_WANTED else paths[:1]:
            with h5py.File(path) as file:
                require(text(file.attrs["schema"]) == "shadowbox-results/5", "/@schema", "another")
                require(("host" in file) == (path == paths[2]), "/host", "in the wrong file")
                require(len(file["runs/run"]) == len(document["runs"]), "/runs", "another number")
                for row, one in enumerate(document["runs"]):
                    check_run(file, row, one)
                check_sizes(file)
                require(len(document["apps"]) == 4, "apps", "another number")
                for one in document["apps"]:
                    check_app(file, one)
                for one in document["summaries"]:
                    check_summary(file["summary"], one)
                check_xarray(path, file)
            done = subprocess.run(["ncdump", "-h", path], capture_output=True, text=True)
            require(done.returncode == 0, "ncdump", done.stderr.strip())
            print(f"{path.name}: its groups are as h5py, xarray and ncdump want them")


if __name__ == "__main__":
    main()
