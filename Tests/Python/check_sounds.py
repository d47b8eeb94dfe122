"""Checks what `shadowbox export` writes as WAV and as labels of Audacity.

    SHADOWBOX_EXECUTABLE=… python Tests/Python/check_sounds.py

SciPy reads the sound of a simulated recording, of a slower device and of one with a gap; NumPy
interpolates what h5py finds in the trace. `convert --reference` must read the labels back at the same
nanoseconds. Exits with 1 and says what is wrong.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy
from scipy.io import wavfile

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(os.environ["SHADOWBOX_EXECUTABLE"]).resolve())
TRACE = ROOT / "traces/synthetic/punch-s01-right.h5"


def require(condition, message):
    if not condition:
        sys.exit(message)


def shadowbox(folder, *arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    require(done.returncode == 0, f"shadowbox {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stderr


def readings(path, channel):
    with h5py.File(path) as file:
        group = file[channel]
        values = numpy.stack([group[axis][:] for axis in "xyz"], axis=1).astype(float)
        return group["time"][:], values


def check_sound(folder, trace, channel, rate, gap=None):
    """The sound is the signal on even times, silent in a gap and before and after the readings."""
    message = shadowbox(folder, "export", trace, "-o", "s.wav", "--channels", channel)
    found, sound = wavfile.read(folder / "s.wav")
    require(found == rate, f"{trace}: expected {rate} Hz, found {found}")
    times, values = readings(folder / trace, channel)
    magnitude = numpy.linalg.norm(values, axis=1)
    grid = numpy.round(numpy.arange(len(sound)) * 1e9 / rate)
    expected = numpy.stack([numpy.interp(grid, times, values[:, axis]) for axis in range(3)], axis=1)
    expected[(grid < times[0]) | (grid > times[-1])] = 0
    if gap:
        expected[(grid > gap[0]) & (grid < gap[1])] = 0
        require("silent in 1 gap" in message, message)
    else:
        require("silent" not in message, message)
    expected = numpy.column_stack([expected, numpy.linalg.norm(expected, axis=1)]) / magnitude.max()
    worst = numpy.abs(sound - expected).max()
    # Readings and sound have 24 bits.
    require(worst < 3e-7, f"{trace} {channel}: the sound is off by {worst}")
    require(numpy.abs(sound).max() <= 1, "louder than 1")


def with_gap(folder):
    """The trace without the readings from 100 s to 103 s."""
    with h5py.File(TRACE) as whole, h5py.File(folder / "gap.h5", "w") as part:
        for name in whole.attrs:
            part.attrs[name] = whole.attrs[name]
        for name in whole:
            whole.copy(name, part)
        times = part["user_acceleration/time"][:]
        keep = (times < 100_000_000_000) | (times > 103_000_000_000)
        for name in ["acceleration", "rotation_rate"]:
            del part[name]
        group = part["user_acceleration"]
        for name in list(group):
            column, attributes = group[name][:], dict(group[name].attrs)
            del group[name]
            group.create_dataset(name, data=column[keep])
            group[name].attrs.update(attributes)
        kept = times[keep]
        first = int(numpy.argmax(numpy.diff(kept)))
        return kept[first], kept[first + 1]


def check_labels(folder):
    shadowbox(folder, "export", TRACE, "-o", "l.txt", "--as", "audacity")
    shadowbox(folder, "convert", TRACE, "--reference", "l.txt", "-o", "back.h5")
    with h5py.File(TRACE) as one, h5py.File(folder / "back.h5") as other:
        for column in ["onset", "offset", "label"]:
            left, right = one[f"reference/punch/{column}"][:], other[f"reference/punch/{column}"][:]
            require(len(left) == 65 and (left == right).all(), f"labels: {column} differs")
    for line in (folder / "l.txt").read_text().splitlines():
        start, end, label = line.split("\t")
        require(0 <= float(start) <= float(end) <= 240 and label, f"labels: {line}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for channel in ["user_acceleration", "acceleration", "rotation_rate"]:
            check_sound(folder, os.path.relpath(TRACE, folder), channel, 100)
        shadowbox(folder, "resample", TRACE, "--rate", "25", "-o", "slow.h5")
        check_sound(folder, "slow.h5", "acceleration", 25)
        check_sound(folder, "gap.h5", "user_acceleration", 100, with_gap(folder))
        check_labels(folder)
    print("sounds are the signals, and labels come back")


if __name__ == "__main__":
    main()
