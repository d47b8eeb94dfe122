"""Checks that a tuning's results open in the tools that other people use, and say what was printed.

    python3 Tests/Python/check_tuning.py

Tunes the punch detector on four synthetic people with the program in SHADOWBOX_EXECUTABLE; needs
h5py, xarray and h5netcdf. Exits with 1 and says what is wrong.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import xarray as xr


def require(condition, message):
    if not condition:
        sys.exit(f"check_tuning: {message}")


def run(program, folder, *arguments):
    # The cache of the person who runs it is neither filled nor searched.
    done = subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "XDG_CACHE_HOME": str(folder)})
    require(done.returncode == 0, f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def main():
    program = os.environ["SHADOWBOX_EXECUTABLE"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "traces").mkdir()
        for person in range(1, 5):
            run(program, folder, "synth", "punches", "--subject", str(person), "--duration", "60s",
                "-o", f"traces/p{person}.h5", "--quiet")
        report = json.loads(run(
            program, folder, "tune", "traces", "--detector", "punch", "--gravity-filter", "lowpass",
            "--threshold", "threshold=5..100", "--max-false-alarms", "240",
            "--search", "refractory=0.2s..0.8s",
            "--search", "retrigger=once-below-again,every-sample", "--trials", "4",
            "--resamples", "100", "--results", "tune.h5", "--format", "json", "--quiet"))
        file = Path(folder) / "tune.h5"
        with xr.open_dataset(file, engine="h5netcdf") as root:
            require(root.attrs["schema"] == "shadowbox-tuning/3", root.attrs)
            threshold = float(root.attrs["chosen_threshold"])
        require(threshold == report["threshold"]["value"], "the chosen threshold differs")
        with xr.open_dataset(file, group="curve", engine="h5netcdf") as curve:
            steps = curve["threshold"].values
            require(curve["threshold"].dims == ("step",), curve["threshold"].dims)
            require(np.all(np.diff(steps) > 0), "thresholds do not ascend")
            index = int(np.searchsorted(steps, threshold, side="right")) - 1
            for name in ["true_positives", "false_positives", "false_negatives"]:
                found = int(curve[name].values[index])
                wanted = report["resubstitution"]["figures"][name]["value"]
                require(found == wanted, f"{name}: {found} in the curve")
            within = curve["is_within_budget"].values
            require(within[index] == 1 and set(within) <= {0, 1}, "the choice breaks the budget")
            require(np.all(np.diff(within.astype(int)) >= 0), "a stricter threshold is not within")
            for name in ["threshold", "true_positives", "false_positives"]:
                require(list(curve[name].values) == report["curve"][name], f"{name} in JSON")
        with xr.open_dataset(file, group="folds", engine="h5netcdf") as folds:
            for name in ["true_positives", "false_positives", "false_negatives"]:
                found = int(folds[name].sum())
                wanted = report["cross_validated"]["figures"][name]["value"]
                require(found == wanted, f"{name}: {found} over the folds")
            names = folds["group"].attrs["flag_meanings"].split()
            require(set(names) >= {"sim01", "sim02", "sim03", "sim04"}, names)
        with xr.open_dataset(file, group="trials", engine="h5netcdf") as trials:
            require(trials.sizes["trial"] == report["trials"], "trials")
            require(np.isnan(trials["parameter_refractory"].values[0]), "the preset comes first")
        with xr.open_dataset(file, group="resamples", engine="h5netcdf") as resamples:
            drawn = resamples["threshold"].values
            require(len(drawn) + report["threshold"]["resamples_without_choice"] == 100, len(drawn))
            median = report["threshold"]["resamples"]["value"]
            require(abs(np.quantile(drawn, 0.5) - median) < 1e-9, "the median differs")
        with xr.open_dataset(file, group="pareto", engine="h5netcdf") as front:
            hits, alarms = front["true_positives"].values, front["false_positives"].values
            latency = front["latency_p50"].values
            for i in range(len(hits)):
                better = (hits >= hits[i]) & (alarms <= alarms[i]) & (latency <= latency[i])
                require(better.sum() == 1, f"point {i} is not on the front")
    print("tunings open in xarray and say what was printed")


if __name__ == "__main__":
    main()
