"""Checks `shadowbox convert` on the recordings of Benchmarks/Formats against gpxpy,
lxml and pandas.

    SHADOWBOX_EXECUTABLE=… python Tests/Python/check_conversions.py

Every value must be the one that the other program reads, to the last bit; times to the microsecond
that theirs have. Exits with 1 and says what is wrong.
"""

import doctest
import os
import subprocess
import sys
import tempfile
from datetime import timedelta, timezone
from pathlib import Path

import gpxpy
import h5py
import lxml.etree
import numpy
import pandas

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks" / "Formats"))
import inputs

SIZE = 400_000


def require(condition, message):
    if not condition:
        sys.exit(message)


def convert(source: Path, *options: str) -> Path:
    target = source.with_suffix(".h5")
    program = os.environ["SHADOWBOX_EXECUTABLE"]
    subprocess.run(
        [program, "convert", source, "-o", target, "--quiet", *options], check=True, timeout=120
    )
    return target


def numbers(source: Path, name: str) -> list[float]:
    """What stands in each point in an element of that name, at any depth; NaN = none.

    gpxpy knows speed and course in GPX 1.0 only, and no extension by its meaning.
    """
    points = lxml.etree.parse(source).iter("{*}trkpt")
    found = [next(point.iter("{*}" + name), None) for point in points]
    return [numpy.nan if each is None else float(each.text) for each in found]


def check_gpx(folder: Path) -> None:
    source = folder / "walk.gpx"
    with source.open("wb") as file:
        inputs.write_gpx(file, SIZE)
    points = [point for point, *_ in gpxpy.parse(source.read_text()).walk()]
    require(len(points) > 1000, f"only {len(points)} points were made")

    zero = min(point.time for point in points)
    expected = {
        "latitude": [point.latitude for point in points],
        "longitude": [point.longitude for point in points],
        "altitude": [point.elevation for point in points],
        "speed": numbers(source, "speed"),
        "course": numbers(source, "course"),
        "horizontal_accuracy": numbers(source, "accuracy"),
    }
    with h5py.File(convert(source)) as file:
        group = file["location"]
        times = [(point.time - zero) // timedelta(microseconds=1) for point in points]
        require(group["time"][:].tolist() == [1000 * time for time in times], "GPX: times differ")
        start = zero.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        require(file.attrs["recorded_at"] in (start, start.encode()), f"GPX: no start at {start}")
        for name, values in expected.items():
            require(
                numpy.array_equal(group[name][:], numpy.array(values), equal_nan=True),
                f"GPX: {name} differs",
            )


def check_csv(folder: Path) -> None:
    source = folder / "phone.csv"
    with source.open("wb") as file:
        inputs.write_csv(file, SIZE)
    table = pandas.read_csv(source, float_precision="round_trip", dtype={"time": str})
    require(len(table) > 4000, f"only {len(table)} rows were made")
    # All have nine decimals.
    times = table["time"].str.replace(".", "", regex=False).astype("int64")
    options = ["--map", "time=time,x=x,y=y,z=z", "--gravity", "included", "--epoch", "unix"]
    with h5py.File(convert(source, *options)) as file:
        group = file["acceleration"]
        require((group["time"][:] == times - times.min()).all(), "CSV: times differ")
        for name in "xyz":
            require(
                (group[name][:] == table[name].astype("float32")).all(), f"CSV: {name} differs"
            )


def main() -> None:
    failures, _ = doctest.testmod(inputs)
    require(failures == 0, "the examples of inputs.py fail")
    with tempfile.TemporaryDirectory() as folder:
        check_gpx(Path(folder))
        check_csv(Path(folder))


if __name__ == "__main__":
    main()
