"""Checks that native traces open in the tools that other people use, as traces/FORMAT.md says.

    python3 Tests/Python/check_native.py [FILE...]

Without a file, all of traces/ is checked with h5py, and in the quick run the first trace of each
set of groups with xarray and ncdump, in the long run all of them.
Needs h5py, xarray and h5netcdf, and ncdump (Debian: netcdf-bin). Exits with 1 and says what is
wrong and where; prints one line for each file that is right.
"""

import re
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import xarray as xr

import long_tests

VECTOR = {"x": "f4", "y": "f4", "z": "f4"}
COLUMNS = {
    "acceleration": VECTOR,
    "user_acceleration": VECTOR,
    "rotation_rate": VECTOR,
    "heading": {"heading": "f8", "accuracy": "f8"},
    "pressure": {"pressure": "f8", "accuracy": "f8"},
    "odometer": {"distance": "f8", "accuracy": "f8"},
    "local": {"x": "f8", "y": "f8"},
    "location": dict.fromkeys(
        "latitude longitude altitude horizontal_accuracy speed speed_accuracy course".split(),
        "f8",
    ),
    "heartbeat": {"peer": "i4", "sequence": "i8"},
    "touch": {"x": "f8", "y": "f8", "phase": "i1", "pointer": "i4"},
    "action": {"action": "i1"},
    "place": {"latitude": "f8", "longitude": "f8", "radius": "f8", "rank": "i4"},
    "ignore": {"onset": "i8", "offset": "i8"},
    "reference/track": {"latitude": "f8", "longitude": "f8"},
}
REFERENCE = {
    "onset": "i8",
    "offset": "i8",
    "label": "i1 i4",
    "original_label": "i1 i4",
    "hand": "i1",
    "place": "i4",
    "value": "f8",
}
UNITS = {
    "acceleration": "m s-2",
    "user_acceleration": "m s-2",
    "rotation_rate": "rad s-1",
    "heading": "degree",
    "pressure": "Pa",
    "odometer": "m",
    "local": "m",
    "touch": "1",
    "latitude": "degrees_north",
    "longitude": "degrees_east",
    "altitude": "m",
    "horizontal_accuracy": "m",
    "speed": "m s-1",
    "speed_accuracy": "m s-1",
    "course": "degree",
    "radius": "m",
}
TIMES = {"time", "arrived", "onset", "offset"}
PRECISION = {"f4": 6, "f8": 15}


class Wrong(Exception):
    pass


def require(condition, place, message):
    if not condition:
        raise Wrong(f"{place}: {message}")


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def groups_with_columns(file):
    """Names of the groups that hold datasets, in order."""
    names = []
    file.visititems(
        lambda name, item: names.append(name)
        if isinstance(item, h5py.Group)
        and any(isinstance(child, h5py.Dataset) for child in item.values())
        else None
    )
    return sorted(names)


def expected_columns(group):
    if group in COLUMNS:
        return COLUMNS[group]
    if group.startswith("reference/"):
        return REFERENCE
    raise Wrong(f"/{group}: a group that traces/FORMAT.md does not name")


def dimension(group):
    """The name of the dataset that is the group's dimension."""
    if group == "place":
        return "id"
    if group == "ignore" or (group.startswith("reference/") and group != "reference/track"):
        return "event"
    return "time"


def check_root(file):
    attributes = {name: text(value) for name, value in file.attrs.items()}
    require(attributes.get("schema") == "shadowbox-trace/1", "/@schema", "not this format")
    require(attributes.get("Conventions") == "CF-1.8", "/@Conventions", "not CF-1.8")
    for name in ("id", "origin", "subject", "device", "placement", "handedness", "activity",
                 "recorded_at", "source", "license"):
        require(isinstance(attributes.get(name), str), f"/@{name}", "no text")
    require(file.attrs["end"].dtype == np.int64, "/@end", "not int64")
    require(file.attrs["epoch_known"].dtype == np.int8, "/@epoch_known", "not int8")
    sides = [file.attrs[name] for name in ("screen_width", "screen_height") if name in attributes]
    require(len(sides) in (0, 2), "/@screen_width", "one side of the screen")
    require(all(side.dtype == np.float64 for side in sides), "/@screen_width", "not float64")
    if "seed" in attributes:
        require(file.attrs["seed"].dtype == np.uint64, "/@seed", "not uint64")


def check_dataset(dataset, kinds, group, epoch):
    place = dataset.name
    name = place.rsplit("/", 1)[1]
    kind = dataset.dtype.str[1:]
    require(dataset.ndim == 1, place, f"{dataset.ndim} dimensions")
    require(kind in kinds.split(), place, f"type {kind}, expected {kinds}")
    require("long_name" in dataset.attrs, place, "no long_name")
    require(dataset.compression in (None, "gzip"), place, f"filter {dataset.compression}")
    if dataset.chunks:
        require(dataset.shuffle or dataset.dtype.itemsize == 1, place, "not shuffled")
    units = text(dataset.attrs.get("units", ""))
    if name in TIMES:
        require(units == f"nanoseconds since {epoch}", place, f"units '{units}'")
    elif kind in PRECISION and name != "value":
        require(units == UNITS.get(name, UNITS.get(group)), place, f"units '{units}'")
    if kind in PRECISION:
        require(np.isnan(dataset.attrs["_FillValue"]), place, "_FillValue is not NaN")
        require(dataset.attrs["precision"] == PRECISION[kind], place, "wrong precision")
    else:
        require("_FillValue" not in dataset.attrs, place, "integers with a _FillValue")
    if name in ("label", "original_label", "hand", "place", "action", "phase"):
        check_flags(dataset)


def check_flags(dataset):
    values = np.atleast_1d(dataset.attrs["flag_values"])
    words = text(dataset.attrs["flag_meanings"]).split(" ")
    place = dataset.name
    require(values.dtype == dataset.dtype, place, "flag_values of another type")
    require(len(values) == len(words), place, "as many flag_meanings as flag_values")
    for word in words:
        require(re.fullmatch(r"[A-Za-z0-9_.+@-]+", word), place, f"flag meaning '{word}'")
    if not place.endswith("/place"):
        require(np.isin(dataset[()], values).all(), place, "a code without a meaning")


def check_group(file, group, epoch):
    """The group as h5py sees it."""
    item = file[group]
    columns = expected_columns(group)
    scale = item[dimension(group)]
    require(scale.is_scale, scale.name, "not a dimension scale")
    kinds = {dimension(group): "i4" if group == "place" else "i8", **columns}
    if "arrived" in item:
        kinds["arrived"] = "i8"
    require(set(item) == set(kinds), item.name, f"columns {sorted(item)}")
    for name, kind in kinds.items():
        dataset = item[name]
        check_dataset(dataset, kind, group, epoch)
        require(dataset.shape == scale.shape, dataset.name, "another length than its dimension")
        if name != dimension(group):
            require(dataset.dims[0][0] == scale, dataset.name, "not attached to its dimension")


def check_decoding(item, dataset, group, epoch):
    """The group as xarray decodes it: every time to the nanosecond, every number as it is."""
    zero = np.datetime64(epoch.removesuffix("Z"), "ns")
    require(list(dataset.sizes) == [dimension(group)], item.name, f"xarray: {dataset.sizes}")
    for name, column in item.items():
        decoded = dataset[name]
        place = f"{column.name} in xarray"
        require(decoded.dims == (dimension(group),), place, f"dimensions {decoded.dims}")
        raw = column[()]
        if name in TIMES:
            require(decoded.dtype == np.dtype("datetime64[ns]"), place, f"type {decoded.dtype}")
            counted = (decoded.values - zero).astype("i8")
            require(np.array_equal(counted, raw), place, "times lost digits")
        else:
            require(decoded.dtype == column.dtype, place, f"type {decoded.dtype}")
            same = np.array_equal(decoded.values, raw, equal_nan=raw.dtype.kind == "f")
            require(same, place, "other values")
    for name, value in item.attrs.items():
        require(dataset.attrs[name] == text(value), f"{item.name}@{name}", "other in xarray")


def check_ncdump(path, file):
    done = subprocess.run(["ncdump", "-h", path], capture_output=True, text=True)
    require(done.returncode == 0, "ncdump", done.stderr.strip())
    for group in groups_with_columns(file):
        name = group.rsplit("/", 1)[-1]
        require(re.search(rf"\bgroup: {name} {{", done.stdout), f"/{group}", "not in ncdump")
    require('schema = "shadowbox-trace/1"' in done.stdout, "/@schema", "not in ncdump")


def check_counts(file):
    """A count of events is a group without columns."""
    for task, group in file.get("reference/count", {}).items():
        place = f"{group.name}@count"
        require(task in ("punch", "visit", "drop"), group.name, "a task without countable events")
        require(task not in file["reference"], group.name, "both a count and the events")
        require(group.attrs["count"].dtype == np.int64, place, "not int64")
        require(group.attrs["count"] >= 0, place, "negative")


def columns_of(path):
    """The names of its groups and their columns."""
    with h5py.File(path) as file:
        return tuple((group, tuple(sorted(file[group]))) for group in groups_with_columns(file))


def check_with_h5py(path):
    with h5py.File(path) as file:
        check_root(file)
        check_counts(file)
        for group in groups_with_columns(file):
            check_group(file, group, text(file.attrs["recorded_at"]))


def check_with_others(path):
    with h5py.File(path) as file:
        epoch = text(file.attrs["recorded_at"])
        groups = groups_with_columns(file)
        with xr.open_datatree(path, engine="h5netcdf") as tree:
            require(tree.attrs["id"] == text(file.attrs["id"]), "/@id", "other in xarray")
            for group in groups:
                check_decoding(file[group], tree[group].dataset, group, epoch)
        for group in groups:
            with xr.open_dataset(path, group=group, engine="h5netcdf") as dataset:
                check_decoding(file[group], dataset, group, epoch)
        check_ncdump(path, file)
        print(f"{path}: {len(groups)} groups are as h5py, xarray and ncdump want them")


def main(paths):
    chosen = paths
    if not paths:
        folder = Path(__file__).resolve().parents[2] / "traces"
        paths = sorted(map(str, folder.glob("*/*.h5")))
        chosen = long_tests.first_of_each_kind(paths, columns_of)
    if not paths:
        sys.exit("no traces to check")
    for path in paths:
        try:
            check_with_h5py(path)
            if path in chosen:
                check_with_others(path)
        except (Wrong, KeyError, OSError, ValueError, ImportError) as error:
            sys.exit(f"{path}: {error}")
    print(f"{len(paths)} traces are as h5py wants them")


if __name__ == "__main__":
    main(sys.argv[1:])
