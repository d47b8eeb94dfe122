"""Writes three native traces with h5py alone, by the letter of traces/FORMAT.md.

    python3 -m venv venv && venv/bin/pip install h5py==3.14.0
    venv/bin/python Tests/Fixtures/by_h5py.py Tests/Fixtures

by-h5py.h5 (HDF5 1.14.6): what the Swift reader makes of another program's file is tested without
Python. oldest-format.h5: the same and a chunked channel in the oldest format of HDF5, whose
structures have no checksums, so that damage to it is found late; `soak` damages it.
counts-by-h5py.h5: a count instead of the punches.
"""

import pathlib
import sys

import h5py
import numpy as np

UNITS = "nanoseconds since 2022-05-01T10:00:03Z"


def column(group, name, values, **attributes):
    dataset = group.create_dataset(name, data=values, track_times=False)
    dataset.attrs.update(attributes)


def write(file):
    file.attrs.update(
        {
            "Conventions": "CF-1.8",
            "schema": "shadowbox-trace/1",
            "id": "by-h5py",
            "origin": "recorded",
            "subject": "Jürg",
            "recorded_at": "2022-05-01T10:00:03Z",
            "epoch_known": np.int8(1),
            "end": 30_000_000,
        }
    )
    group = file.create_group("acceleration")
    column(group, "time", np.array([0, 10_000_000, 20_000_000]), units=UNITS)
    # Wider than the reader's own columns: it rounds.
    for axis, values in {"x": [0.5, -1.25, np.nan], "y": [0, 1, 2], "z": [9.75, 9.5, 9.25]}.items():
        column(group, axis, np.array(values, "f8"), units="m s-2")
    group = file.create_group("heartbeat")
    column(group, "time", np.array([1, 2]), units=UNITS)
    column(group, "arrived", np.array([4, 4]), units=UNITS)
    column(group, "peer", np.array([7, -1], "i2"))
    group = file.create_group("reference/punch")
    group.attrs["tolerance"] = np.int32(250_000_000)
    column(group, "onset", np.array([5, 15]), units=UNITS)
    column(group, "offset", np.array([6, 15]), units=UNITS)
    column(
        group,
        "label",
        np.array([4, 2], "i1"),
        flag_values=np.array([2, 4], "i1"),
        flag_meanings="unlabelled left+20hook",
    )


def write_chunks(file):
    group = file.create_group("rotation_rate")
    column(group, "time", np.arange(2000), units=UNITS)
    for axis in "xyz":
        dataset = group.create_dataset(
            axis, data=np.arange(2000, dtype="f4"), chunks=(500,), shuffle=True, compression=4,
            track_times=False)
        dataset.attrs["units"] = "rad s-1"


def write_count(file):
    write(file)
    del file["reference/punch"]
    group = file.create_group("reference/count/punch")
    group.attrs.update({"count": np.int32(10), "definition": "as the boxer counted"})
    # Of a task whose events nobody counts: a reader lists it.
    file.create_group("reference/count/distance").attrs["count"] = 3


folder = pathlib.Path(sys.argv[1])
with h5py.File(folder / "by-h5py.h5", "w", libver="latest") as file:
    write(file)
with h5py.File(folder / "counts-by-h5py.h5", "w", libver="latest") as file:
    write_count(file)
with h5py.File(folder / "oldest-format.h5", "w", libver="earliest") as file:
    write(file)
    write_chunks(file)
