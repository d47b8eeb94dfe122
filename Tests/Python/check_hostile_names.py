"""Checks that files with names that nobody expects open in other people's tools.

    python3 Tests/Python/check_hostile_names.py

Traces, people, classes, entries and programs have names with slashes, names that look like bounds of other
figures, and names longer than netCDF takes. Every command of the program in SHADOWBOX_EXECUTABLE that
writes HDF5 must write a file that h5py, netCDF4 and xarray open, and that `info` reads with these names.
Exits with 1 and says what is wrong.
"""

import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import netCDF4
import numpy as np
import xarray as xr

TRACES = Path(__file__).resolve().parents[2] / "traces/synthetic"
LONG = "exec:" + "deep/" * 80
LABELS = ["a/b", "hi", "lo", "x", "x_lo", "x_lo_lo", "100%", "å", "y" * 300, "\n", "all"]
IDS = ["a/b", "..", "walk.2024 " + "z" * 280, "x"]
PROGRAM = """#!/bin/sh
echo 'shadowbox-detector/1'
echo 'name hostile'
echo 'channel user_acceleration'
echo 'task punch'
echo 'ready'
while read -r line; do
  case "$line" in
    end*)
      echo 'measure x 1 m'
      echo 'measure x_lo 3 m'
      echo 'measure {long} 4 m'
      echo 'done';;
  esac
done
"""


def require(condition, place, message):
    if not condition:
        sys.exit(f"{place}: {message}")


def word(name):
    """A word of flag_meanings, see docs/results-schema.md."""
    def escaped(character):
        is_plain = character.isascii() and (character.isalnum() or character in "_-.@")
        return character if is_plain else "".join(f"+{byte:02X}" for byte in character.encode())
    return "".join(map(escaped, name))


def run(folder, *arguments, status=0):
    program = os.environ["SHADOWBOX_EXECUTABLE"]
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
    require(done.returncode == status, " ".join(arguments)[:200], done.stderr)
    return done.stdout


def make_trace(folder, file, source, name):
    """A trace with that id whose events have all the labels."""
    run(folder, "convert", str(TRACES / source), "-o", file, "--id", name, "--subject", name, "-q")
    with h5py.File(folder / file, "r+") as trace:
        label = trace["reference/punch/label"]
        label[...] = [number % len(LABELS) + 1 for number in range(len(label))]
        label.attrs["flag_values"] = np.arange(len(LABELS) + 1, dtype=label.dtype)
        label.attrs["flag_meanings"] = " ".join(["unlabelled", *map(word, LABELS)])


def check_file(path):
    """Every name is short enough, and all three libraries find the same groups and variables."""
    names = set()
    with h5py.File(path) as file:
        def visit(name, item):
            parts = name.split("/")
            require(all(0 < len(part.encode()) <= 255 for part in parts), path.name, name)
            names.add(name)
            if isinstance(item, h5py.Dataset):
                item[()]
        file.visititems(visit)
    found = set()

    def walk(group, prefix):
        for name, variable in group.variables.items():
            variable[...]
            found.add(prefix + name)
        for name, inner in group.groups.items():
            found.add(prefix + name)
            walk(inner, prefix + name + "/")
    with netCDF4.Dataset(path) as file:
        walk(file, "")
    require(found == names, path.name, f"netCDF4 has others: {sorted(found ^ names)[:3]}")
    for engine in ("netcdf4", "h5netcdf"):
        with xr.open_datatree(path, engine=engine) as tree:
            for node in tree.subtree:
                node.load()


def figures(folder, file):
    """The names of all figures that info reads, by entry or point."""
    info = json.loads(run(folder, "info", file, "--format", "json"))
    return {entry["name"]: set(entry["figures"]) for entry in info["results"][0]["entries"]}


def check_classes(found, place):
    for label in LABELS[:-1]:
        require(f"recall_{label}" in found, place, f"no recall of the class {label[:40]}")


def check_runs(folder, traces):
    program = folder / "hostile.sh"
    program.write_text(PROGRAM.replace("{long}", "m" * 60))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    deep = folder / ("d" * 120) / ("e" * 120)
    deep.mkdir(parents=True)
    (deep / "hostile.sh").symlink_to(program)
    entries = ["a/b", "x", "x_lo", LONG, LONG + "!", "..", "all"]
    suite = ["schema: shadowbox-suite/1", "traces:", f"  t: {json.dumps(traces)}", "entries:"]
    suite += [f"  - {{detector: punch, traces: t, name: {json.dumps(name)}}}" for name in entries]
    command = json.dumps(f"exec:{deep}/hostile.sh {deep}/hostile.sh")
    suite += [f"  - {{detector: {command}, traces: t}}"]
    (folder / "suite.yml").write_text("\n".join(suite) + "\n")
    run(folder, "run", "suite.yml", "-o", "run.h5", "--quiet")
    check_file(folder / "run.h5")
    found = figures(folder, "run.h5")
    require(set(entries) <= set(found), "run.h5", f"other entries: {list(found)}")
    check_classes(found["x_lo"], "run.h5")
    run(folder, "compare", "run.h5", "run.h5", "-o", "compare.h5", "--quiet")
    check_file(folder / "compare.h5")
    # Without a difference, each run is found again by its names.
    done = json.loads(run(folder, "compare", "run.h5", "run.h5", "--format", "json"))
    require(done["identical"] is True, "compare", "a file differs from itself")
    run(folder, "rerun", "run.h5", "--allow-programs", "-o", "rerun.h5", "--quiet")
    check_file(folder / "rerun.h5")


def check_thresholds(folder, traces):
    run(folder, "sweep", *traces, "-o", "sweep.h5", "--grid", "refractory=0.2s,0.3s", "--quiet")
    check_file(folder / "sweep.h5")
    points = {name: found for name, found in figures(folder, "sweep.h5").items() if "preset" in name}
    require(points, "sweep.h5", "no operating point of the preset")
    for found in points.values():
        check_classes(found, "sweep.h5")
    tune = ["tune", *traces, "-o", "tune.json", "--results", "tune.h5", "--allow-few-groups"]
    tune += ["--no-cache", "--quiet", "--resamples", "100", "--objective", "f1"]
    run(folder, *tune, "--search", "refractory=0.2s..0.3s:2", "--method", "grid")
    check_file(folder / "tune.h5")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = ["punch-s01-left.h5", "punch-s02-right.h5", "punch-s06-left.h5", "punch-s05-right.h5"]
        traces = [f"t{number}.h5" for number in range(len(IDS))]
        for file, source, own in zip(traces, sources, IDS):
            make_trace(folder, file, source, own)
            check_file(folder / file)
            info = json.loads(run(folder, "info", file, "--format", "json"))
            require(info["traces"][0]["id"] == own, file, "info prints another id")
        check_runs(folder, traces)
        check_thresholds(folder, traces)
    print("files with names that nobody expects open with h5py, netCDF4 and xarray")


if __name__ == "__main__":
    main()
