#!/usr/bin/env python3
"""Measures how the punch detector finds punches that follow each other quickly, and whether it reports one twice.
Prints one page.

  .venv/bin/python Benchmarks/Recordings/series.py [-o page.md]

Fourteen simulated people punch in series and apart. A punch is found as `run` scores it; the table is by the time
to the nearest other punch of the same hand. Five of them punch again at other rates of the sensor; a detection
within the tolerance of a reference that another one has found is a duplicate. No recording is needed. Takes half
a minute on two cores.
"""

import argparse
import csv
import subprocess
import tempfile
from pathlib import Path

import h5py

from recordings import SHADOWBOX, put

PRESETS = ["default", "magnitude"]
RATES = [25, 50, 100, 200, 400, 800]
INTERVALS = [(0.2, 0.3), (0.3, 0.4), (0.4, 0.5), (0.5, 1), (1, float("inf"))]
# Soft and hard punches of all kinds, in series and apart.
STEPS = [True, False, True, True, False]


def call(*arguments):
    done = subprocess.run([SHADOWBOX, *map(str, arguments), "--quiet"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"shadowbox {' '.join(map(str, arguments))}\n{done.stderr}")


def people(folder, name, subjects, count, rate=100):
    """Traces of these people, with so many punches in each step."""
    lines = ["schema: shadowbox-scenarios/1", "scenarios:", f"  - name: {name}", f"    subjects: {subjects}",
             "    seed: 11", f"    sample_rate: {rate} Hz", "    steps:", "      - stand: 3 s"]  # fmt: skip
    for series in STEPS:
        lines += [f"      - punch: {count}", f"        series: {'true' if series else 'false'}", "      - stand: 2 s"]
    (folder / f"{name}.yml").write_text("\n".join(lines) + "\n")
    call("synth", folder / f"{name}.yml", "-o", folder / name)
    return sorted((folder / name).glob("*.h5"))


def judged(folder, traces, preset):
    """The references' times in s by trace; the errors as `run --errors` lists them."""
    call("run", *traces, "--detector", f"punch/{preset}", "--gravity-filter", "lowpass", "-o", folder / "r.h5",
         "--errors", folder / "errors.csv", "--force")  # fmt: skip
    with (folder / "errors.csv").open(newline="") as file:
        errors = list(csv.DictReader(file))
    times = {}
    for trace in traces:
        with h5py.File(trace) as file:
            times[trace.stem] = [int(onset) for onset in file["reference/punch/onset"][:]]
    return times, errors


def interval_of(times, place):
    """The place among INTERVALS of the time to the nearest other punch."""
    near = [abs(times[place] - times[other]) / 1e9 for other in (place - 1, place + 1) if 0 <= other < len(times)]
    return next((index for index, (low, high) in enumerate(INTERVALS) if low <= min(near) < high), None)


def series_table(folder):
    traces = people(folder, "series", "1..14", 25)
    counts, found = [0] * len(INTERVALS), {}
    for preset in PRESETS:
        times, errors = judged(folder, traces, preset)
        missed = {(one["trace"], round(1e9 * float(one["time"]))) for one in errors if one["error"] == "missed"}
        found[preset], counts = [0] * len(INTERVALS), [0] * len(INTERVALS)
        for trace, onsets in times.items():
            for place, onset in enumerate(onsets):
                index = interval_of(onsets, place)
                if index is None:
                    raise SystemExit(f"{trace}: two punches within 0.2 s at {onset}")
                counts[index] += 1
                found[preset][index] += (trace, onset) not in missed
    lines = ["| seconds to the nearest punch | punches | " + " | ".join(f"`{one}`" for one in PRESETS) + " |",
             "|---|---:|" + "---:|" * len(PRESETS)]  # fmt: skip
    for index, (low, high) in enumerate(INTERVALS):
        if counts[index]:
            span = "more" if high == float("inf") else f"{low} to {high}"
            shares = " | ".join(f"{found[one][index] / counts[index]:.3f}" for one in PRESETS)
            lines.append(f"| {span} | {counts[index]} | {shares} |")
    return f"{sum(counts)} punches of {len(traces)} people.\n\n" + "\n".join(lines) + "\n"


def duplicate_table(folder):
    lines = ["| Hz | punches | duplicates | missed |", "|---:|---:|---:|---:|"]
    for rate in RATES:
        traces = people(folder, f"rate-{rate}", "1..5", 14, min(rate, 400))
        if rate > 400:  # No simulated sensor is faster.
            for trace in traces:
                call("resample", trace, "--rate", rate, "-o", folder / trace.name)
            traces = [folder / trace.name for trace in traces]
        times, errors = judged(folder, traces, "default")
        kinds = [one["error"] for one in errors]
        lines.append(f"| {rate} | {sum(map(len, times.values()))} | {kinds.count('duplicate')} | "
                     f"{kinds.count('missed')} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, help="the page to write")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = f"# Quick series\n\n{series_table(folder)}\n## Duplicates of `default`\n\n{duplicate_table(folder)}"
    put(page, options.output)


if __name__ == "__main__":
    main()
