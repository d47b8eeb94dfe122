#!/usr/bin/env python3
"""Tunes the punch detector on recordings of real people, from their files to a parameter file.

  make tune-recordings RECORDINGS=folder [ARGS="--max-false-alarms 30"]
  .venv/bin/python Benchmarks/Recordings/tune.py folder [-o out/recorded] [options of tune]

`folder` holds sets of recordings, each in a folder of its own; they are not part of this project, for
most have no licence. Those that are there are used, and missing ones are reported:

  punch-phone50    phyphox folders, punches to a beat: references in beats.tsv, 400 ms either side
  punch-phone100   CSV with gravity, a label for each sample: intervals; resampled first, for rows are
                   missing where labels change
  neg-watch50, neg-umafall, neg-waist200   CSV with gravity, no punch: what is found is a false alarm

Two people alone have references of single punches, so groups are recordings and the figures are
optimistic for a person who was not recorded: `tune` warns of it. Ends with the exit code of `tune`.
"""

import argparse
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHADOWBOX = ROOT / ".build/release/shadowbox"
ACTIVITIES = {
    "D01": "walking slowly", "D02": "walking quickly", "D03": "jogging slowly",
    "D04": "jogging quickly", "D05": "stairs slowly", "D06": "stairs quickly",
    "D18": "stumbling", "D19": "jumping",
}  # fmt: skip
GRAVITY = ["--map", "time=t,x=ax[g],y=ay[g],z=az[g]", "--gravity", "included"]


def shadowbox(*arguments):
    done = subprocess.run(
        [SHADOWBOX, *map(str, arguments), "--quiet"], capture_output=True, text=True
    )
    # 5: converted, with losses that are listed; they are in the counts of the recordings.
    if done.returncode not in (0, 5):
        sys.exit(f"shadowbox {' '.join(map(str, arguments))}\n{done.stderr}")


def phone50(folder, out):
    for path in sorted(folder.glob("*_sub-*")):
        is_punch = "nopunch" not in path.name
        reference = (
            ["--reference", folder / "beats.tsv", "--tolerance", "400ms"]
            if is_punch
            else ["--without", "punch"]
        )
        activity = "punching" if is_punch else "no punches"
        yield ["convert", path, "--id", path.name, "--subject", "01", "--activity", activity,
               *reference, "-o", out / f"{path.name}.h5"]  # fmt: skip


def phone100(folder, out):
    for path in sorted(folder.glob("*.csv")):
        name = f"phone100-{path.stem}"
        raw = out / "raw" / f"{name}.h5"
        shadowbox(
            "convert", path, "--id", name, "--subject", "02", "--activity", "punching",
            "--map", "time=timestamp[ns],x=accX,y=accY,z=accZ", "--gravity", "included",
            "--reference-column", "label", "--no-event-label", "NoActivity", "-o", raw,
        )  # fmt: skip
        yield ["resample", raw, "--rate", "100Hz", "--method", "cubic", "-o", out / f"{name}.h5"]


def watch(folder, out):
    yield ["convert", folder / "watch_shoulder_50hz.csv", *GRAVITY, "--id", "watch",
           "--split-by", "rec", "--columns", "subject=subject,activity=exercise",
           "--without", "punch", "-o", out / "watch"]  # fmt: skip


def umafall(folder, out):
    for path in sorted(folder.glob("*.csv")):
        activity, place, subject = path.stem.split("_")[:3]
        yield ["convert", path, *GRAVITY, "--id", path.stem, "--subject", f"umafall-{subject}",
               "--activity", f"{activity} ({place.lower()})", "--without", "punch",
               "-o", out / f"{path.stem}.h5"]  # fmt: skip


def waist(folder, out):
    for path in sorted(folder.glob("*.csv")):
        activity, subject = path.stem.split("_")[:2]
        yield ["convert", path, *GRAVITY, "--id", path.stem, "--subject", f"waist-{subject}",
               "--activity", ACTIVITIES.get(activity, activity), "--without", "punch",
               "-o", out / f"{path.stem}.h5"]  # fmt: skip


SETS = {
    "punch-phone50": phone50,
    "punch-phone100": phone100,
    "neg-watch50": watch,
    "neg-umafall": umafall,
    "neg-waist200": waist,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "out/recorded")
    options, more = parser.parse_known_args()
    found = [name for name in SETS if (options.folder / name).is_dir()]
    missing = [name for name in SETS if name not in found]
    if missing:
        print(f"missing: {', '.join(missing)}", file=sys.stderr)
    if "punch-phone50" not in found:
        sys.exit(f"{options.folder}: expected punch-phone50, found none: nothing to tune on")

    with tempfile.TemporaryDirectory() as temporary:
        out = Path(temporary)
        (out / "raw").mkdir()
        for name in found:
            with ThreadPoolExecutor() as pool:
                list(pool.map(lambda step: shadowbox(*step), SETS[name](options.folder / name, out)))
        traces = sorted(path for path in out.rglob("*.h5") if path.parent.name != "raw")
        print(f"{len(traces)} recordings of {', '.join(found)}", file=sys.stderr)
        command = [SHADOWBOX, "tune", *traces, "--detector", "punch", "--gravity-filter", "lowpass"]
        command += ["--group", "recording", "--threshold", "threshold=5..150"]
        if not any(text.startswith(("--max-false", "--objective")) for text in more):
            command += ["--max-false-alarms", "30"]
        if "--search" not in more:
            command += ["--search", "refractory=0.2s..1s", "--search", "peak-window=0.05s..0.5s"]
        if "--trials" not in more:
            command += ["--trials", "16"]
        command += ["-o", options.output / "punch.json", "--results", options.output / "tune.h5"]
        command += ["--picture", options.output / "tune.png", *more]
        sys.exit(subprocess.run(command).returncode)


if __name__ == "__main__":
    main()
