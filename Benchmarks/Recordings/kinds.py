#!/usr/bin/env python3
"""Measures how well the kinds of punches are named after a person has shown a few of each. Prints one page.

  .venv/bin/python Benchmarks/Recordings/kinds.py folder [-o page.md]

The folder has punch-phone50 and punch-phone100 (see recordings.py).

  punch-phone50   one person, six recordings, each of one kind. The examples of a draw are successive punches of
                  each recording; the punches from 30 s after them on are judged. One session on one day.
  punch-phone100  one person, light punches. The examples of a draw are successive punches of the recording in
                  which all kinds alternate; the three recordings of the same hand are judged.

Each figure is the mean of some draws (lowest to highest). Macro F1 is over straight, hook and uppercut: a punch
that is not named, or not found, is a miss of its kind. Of the punches that are found, some are unknown, some
are named wrongly.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import h5py

from recordings import SHADOWBOX, put, shadowbox

KINDS = ["cross", "jab", "leadhook", "leadupper", "rearhook", "rearupper"]
CLASSES = ["straight", "hook", "uppercut"]
LIGHT = ["--detector", "punch/light", "--gravity-filter", "lowpass"]
MAP = ("time=timestamp[ns],x=accX,y=accY,z=accZ,"
       "rotation_rate.x=gyrX,rotation_rate.y=gyrY,rotation_rate.z=gyrZ")  # fmt: skip


def convert_phone50(folder, out):
    for kind in KINDS:
        name = f"{kind}_sub-01_run-01"
        shadowbox("convert", folder / name, "--id", name, "--subject", "01", "--activity", "punching",
                  "--reference", folder / "beats.tsv", "--tolerance", "400ms",
                  "-o", out / f"{kind}.h5")  # fmt: skip


def convert_phone100(folder, out):
    for path in sorted(folder.glob("*left*.csv")):
        raw = out / f"raw-{path.stem}.h5"
        shadowbox("convert", path, "--id", path.stem, "--subject", "02", "--activity", "punching",
                  "--map", MAP, "--gravity", "included", "--reference-column", "label",
                  "--no-event-label", "NoActivity", "-o", raw)  # fmt: skip
        # Rows are missing where labels change.
        shadowbox("resample", raw, "--rate", "100Hz", "--method", "cubic", "-o", out / f"{path.stem}.h5")


def onsets(path):
    with h5py.File(path) as file:
        return file["reference/punch/onset"][:] / 1e9


def judge(examples, tests, count, out, options):
    """Returns the macro F1, and the shares of unknown and of wrong kinds among what is found."""
    profile = out / "profile.json"
    shadowbox("enroll", *examples, *options, "--per-kind", count, "-o", profile, "--force")
    done = subprocess.run(
        [SHADOWBOX, "run", *map(str, tests), *options, "--parameters", f"profile={profile}", "--format",
         "json", "--quiet", "--force", "-o", out / "kinds.h5"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    (summary,) = json.loads(done.stdout)["summaries"]
    figures = summary["figures"]

    def successes(name):
        return (figures[name]["value"] or 0) * figures[name]["count"]

    found = figures["true_positives"]["value"]
    right = sum(successes(f"recall_{name}") for name in CLASSES)
    named = sum(figures[f"precision_{name}"]["count"] for name in CLASSES)
    # False alarms may be named too.
    wrong = max(named - right - figures["false_positives"]["value"], 0)
    f1 = sum(figures[f"f1_{name}"]["value"] for name in CLASSES) / len(CLASSES)
    return f1, (found - right - wrong) / found, wrong / found


def phone50(folder, out, count, flags):
    """Draws of successive punches, the later ones judged."""
    convert_phone50(folder, out)
    for start in (0, 12, 24, 36, 48):
        examples, tests = [], []
        for kind in KINDS:
            # A beat lasts 2 s; a punch comes within 0.4 s of it.
            beats = onsets(out / f"{kind}.h5")
            # One more than is used, for a punch may be missed.
            first, last = beats[start] - 1, beats[start + count] + 1
            examples.append(out / f"examples-{kind}.h5")
            tests.append(out / f"tests-{kind}.h5")
            shadowbox("trim", out / f"{kind}.h5", "--from", f"{max(first, 0):.3f}s", "--to", f"{last:.3f}s",
                      "-o", examples[-1], "--force")  # fmt: skip
            shadowbox("trim", out / f"{kind}.h5", "--from", f"{last + 30:.3f}s", "-o", tests[-1], "--force")
        yield judge(examples, tests, count, out, flags)


def phone100(folder, out, count, flags):
    convert_phone100(folder, out)
    alternating = out / "all_left.h5"
    starts = onsets(alternating)
    tests = [out / f"{name}.h5" for name in ("hook_left_fast", "jab_left_slow", "uppercut_left_fast")]
    for first in range(10 - count):
        shadowbox("trim", alternating, "--from", f"{starts[3 * first] - 0.6:.3f}s", "-o", out / "examples.h5",
                  "--force")  # fmt: skip
        yield judge([out / "examples.h5"], tests, count, out, LIGHT + flags)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    lines = ["# Kinds of punches after examples", "",
             "| set | examples of each kind | draws | macro F1 | unknown | wrong |", "|---|---:|---:|---:|---:|---:|"]  # fmt: skip
    for name, draws in (("punch-phone50", phone50), ("punch-phone100", phone100)):
        for count in (3, 5, 8):
            with tempfile.TemporaryDirectory() as out:
                rows = list(draws(arguments.folder / name, Path(out), count, []))
            mean = [sum(column) / len(rows) for column in zip(*rows)]
            low, high = min(row[0] for row in rows), max(row[0] for row in rows)
            lines.append(f"| {name} | {count} | {len(rows)} | {mean[0]:.3f} ({low:.3f}-{high:.3f}) |"
                         f" {mean[1]:.3f} | {mean[2]:.3f} |")  # fmt: skip
    page = "\n".join(lines) + "\n"
    put(page, arguments.output)


if __name__ == "__main__":
    main()
