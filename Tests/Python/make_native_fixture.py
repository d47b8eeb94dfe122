"""Writes a native trace with h5py alone, by the letter of traces/FORMAT.md, and prints it as base64.

Tests/TraceFormatsTests/Native/ForeignWriterTests.swift holds its output: that the Swift reader
reads what another program wrote is tested without Python.

    python3 Tests/Python/make_native_fixture.py
"""

import base64
import io

import h5py
import numpy as np

UNITS = "nanoseconds since 2022-05-01T10:00:03Z"


def column(group, name, values, **attributes):
    dataset = group.create_dataset(name, data=values, track_times=False)
    dataset.attrs.update(attributes)


buffer = io.BytesIO()
with h5py.File(buffer, "w", libver="latest") as file:
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
print(base64.encodebytes(buffer.getvalue()).decode(), end="")
