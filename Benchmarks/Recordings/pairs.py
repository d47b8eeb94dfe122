#!/usr/bin/env python3
"""Measures what detectors make of two punches in quick succession, of one hand and of two. Prints one page.

  .venv/bin/python Benchmarks/Recordings/pairs.py folder [-o page.md]

The folder has punch-phone50 (see recordings.py): punches to a beat, 1.5 s apart or more, so that no two are
near. Each pair is made of two successive punches of a recording: the acceleration from 0.5 s before to 0.5 s
after the second one's peak is added to the first's, so that the peaks are as far apart as the table says. The
peaks are those of the preset peaks, over 30 m/s2. A punch is found if a detection is within 80 ms of its peak.
A hand that punches twice returns in between, which is faster than any of these punches does: life is easier.

A jab and a cross are of two hands, each of which has its device and its detector. Each recorded jab is paired
with a recorded cross. The device of a hand feels its own punch and a share of the other hand's, for an arm is
shaken by the body that punches. No recording here says how large that share is, so three are shown. A pair is
found if each device has one detection within 80 ms of its own peak; a detection elsewhere is an echo.
"""

import argparse
import csv
import io
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

from recordings import SHADOWBOX, put, shadowbox

KINDS = ["cross", "jab", "leadhook", "leadupper", "rearhook", "rearupper"]
PRESETS = ["default", "accuracy", "fast", "magnitude", "peaks", "hitThat"]
GAPS = [0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.75]
REACH = 0.5
PERIOD = 3.0
NEAR = 0.08


def detections(path, preset):
    """The times of what stays of a preset's detections, in seconds."""
    done = subprocess.run(
        [SHADOWBOX, "replay", path, "--detector", f"punch/{preset}", "--format", "csv", "--quiet"],
        capture_output=True, text=True, check=True)  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    taken = {row["onset"] for row in rows if row["kind"] == "withdrawn"}
    return np.array(sorted(float(row["onset"]) for row in rows
                           if row["kind"] == "punch" and row["onset"] not in taken))  # fmt: skip


def punches(path):
    """The acceleration around each peak, on one grid."""
    with h5py.File(path) as file:
        group = file["user_acceleration"]
        times = group["time"][:] / 1e9
        axes = np.stack([group[axis][:] for axis in "xyz"])
    grid = np.arange(-REACH, REACH + 1e-9, 0.02)
    for onset in detections(path, "peaks"):
        if times[0] < onset - REACH and onset + REACH < times[-1]:
            yield np.stack([np.interp(onset + grid, times, axis) for axis in axes])


def superpose(blows, out):
    """Writes a trace of blows: the time of each peak, the window around it, and its share."""
    grid = np.arange(0, max(peak for peak, _, _ in blows) + PERIOD, 0.02)
    signal = np.zeros((3, len(grid)))
    steps = np.arange(-REACH, REACH + 1e-9, 0.02)
    for peak, window, share in blows:
        for axis in range(3):
            signal[axis] += share * np.interp(grid - peak, steps, window[axis], left=0, right=0)
    np.savetxt(out.with_suffix(".csv"), np.column_stack([grid, signal.T]), delimiter=",",
               header="time[s],x[m/s2],y[m/s2],z[m/s2]", comments="")  # fmt: skip
    shadowbox("convert", out.with_suffix(".csv"), "--gravity", "removed", "--without", "punch",
              "-o", out, "--force")  # fmt: skip


def of_one_hand(sets, out):
    lines = ["| seconds between the peaks | pairs | preset | both found | one | none |",
             "|---|---:|---|---:|---:|---:|"]  # fmt: skip
    for gap in GAPS:
        counts = {preset: [0, 0, 0] for preset in PRESETS}
        for kind in KINDS:
            trace = out / f"pairs-{kind}.h5"
            twos = list(zip(sets[kind][0::2], sets[kind][1::2]))
            starts = [PERIOD * index + 1.2 for index in range(len(twos))]
            superpose([blow for start, (first, second) in zip(starts, twos)
                       for blow in [(start, first, 1), (start + gap, second, 1)]], trace)  # fmt: skip
            for preset in PRESETS:
                found = detections(trace, preset)
                for start in starts:
                    hits = sum(np.any(np.abs(found - peak) <= NEAR) for peak in [start, start + gap])
                    counts[preset][2 - hits] += 1
        for preset, (both, one, none) in counts.items():
            total = both + one + none
            lines.append(f"| {gap:g} | {total} | {preset} | {both / total:.3f} | "
                         f"{one / total:.3f} | {none / total:.3f} |")  # fmt: skip
    return lines


def of_two_hands(sets, out):
    lines = ["| seconds from jab to cross | pairs | share of the other's | preset | both found | "
             "jab | cross | echoes a pair |", "|---|---:|---:|---|---:|---:|---:|---:|"]  # fmt: skip
    twos = list(zip(sets["jab"], sets["cross"]))
    starts = [PERIOD * index + 1.2 for index in range(len(twos))]
    for gap in [0.15, 0.2, 0.25, 0.3]:
        for share in [0, 0.2, 0.4]:
            own = [(1, share), (share, 1)]
            devices = [out / "jab-device.h5", out / "cross-device.h5"]
            for trace, (jab, cross) in zip(devices, own):
                superpose([blow for start, (first, second) in zip(starts, twos)
                           for blow in [(start, first, jab), (start + gap, second, cross)]], trace)  # fmt: skip
            for preset in PRESETS:
                hits, echoes = [], 0
                for trace, lag in zip(devices, [0, gap]):
                    found = detections(trace, preset)
                    near = [np.abs(found - start - lag) <= NEAR for start in starts]
                    hits.append(np.array([np.any(some) for some in near]))
                    echoes += len(found) - sum(hits[-1])
                lines.append(f"| {gap:g} | {len(twos)} | {share:g} | {preset} | "
                             f"{np.mean(hits[0] & hits[1]):.3f} | {np.mean(hits[0]):.3f} | "
                             f"{np.mean(hits[1]):.3f} | {echoes / len(twos):.2f} |")  # fmt: skip
    return lines


def page(folder):
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory)
        sets = {}
        for kind in KINDS:
            name = f"{kind}_sub-01_run-01"
            shadowbox("convert", folder / "punch-phone50" / name, "--id", name, "--reference",
                      folder / "punch-phone50/beats.tsv", "--tolerance", "400ms",
                      "-o", out / f"{kind}.h5")  # fmt: skip
            sets[kind] = list(punches(out / f"{kind}.h5"))
        return "\n".join(["# Two punches of one hand", "", *of_one_hand(sets, out), "",
                          "# A jab and a cross, a device in each hand", "", *of_two_hands(sets, out), ""])  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    put(page(arguments.folder), arguments.output)
