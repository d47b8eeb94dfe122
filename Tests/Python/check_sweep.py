"""Checks that sweeps open in the tools that other people use, and that their figures are right.

    python3 Tests/Python/check_sweep.py

Sweeps the punch detector over two synthetic people with the program in SHADOWBOX_EXECUTABLE, and
computes every interval and both areas anew, from the counts alone; needs h5py, xarray, h5netcdf,
SciPy and statsmodels. Exits with 1 and says what is wrong.
"""

import csv
import io
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
import xarray as xr
from scipy.stats import chi2
from statsmodels.stats.proportion import proportion_confint


def require(condition, message):
    if not condition:
        sys.exit(f"check_sweep: {message}")


def close(found, expected, what):
    if expected is None or math.isnan(expected):
        require(found is None or math.isnan(found), f"{what}: {found} where nothing is defined")
    else:
        require(found is not None and math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12),
                f"{what}: {found}, expected {expected}")


def run(program, folder, *arguments):
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
    require(done.returncode == 0, f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


# ---------------------------------------------------------------- the formulas


def wilson(hits, trials):
    """The estimate and Wilson's score interval."""
    if trials == 0:
        return math.nan, math.nan, math.nan
    return hits / trials, *proportion_confint(hits, trials, alpha=0.05, method="wilson")


def garwood(count, hours):
    """The rate and Garwood's exact interval (Biometrika 28, 1936)."""
    lower = chi2.ppf(0.025, 2 * count) / 2 if count else 0.0
    return count / hours, lower / hours, chi2.ppf(0.975, 2 * count + 2) / 2 / hours


def average_precision(hits, alarms, references):
    """For each number of references found, the best precision with so many or more."""
    total = 0.0
    for wanted in range(1, references + 1):
        total += max((h / (h + a) for h, a in zip(hits, alarms) if h >= wanted), default=0.0)
    return total / references


def mean_recall(hits, alarms, references, hours, low=1.0, high=1000.0):
    """The area under recall against the logarithm of the budget, between the rates at which it
    changes."""
    rates = [a / hours for a in alarms]
    edges = sorted({low, high, *(r for r in rates if low < r < high)})
    area = 0.0
    for left, right in zip(edges, edges[1:]):
        most = max((h for h, r in zip(hits, rates) if r <= left), default=0)
        area += most / references * math.log(right / left)
    return area / math.log(high / low)


# ---------------------------------------------------------------- the checks


def check_curve(curve, references, hours, every):
    hits, alarms = curve["true_positives"], curve["false_positives"]
    for index in range(0, len(hits), every):
        h, a = int(hits[index]), int(alarms[index])
        expected = {
            "recall": wilson(h, references), "precision": wilson(h, h + a),
            "false_alarms_per_hour": garwood(a, hours),
        }
        for name, figures in expected.items():
            for ending, figure in zip(["", "_lo", "_hi"], figures):
                close(float(curve[name + ending][index]), figure, f"{name}{ending} at {index}")
        f1 = 2 * h / (h + a + references) if h + a + references else math.nan
        close(float(curve["f1"][index]), f1, f"f1 at {index}")


def check_sweep(file, sweep, rows):
    """One setting: what JSON, HDF5 and CSV say, and what is right."""
    name = sweep["settings"]
    references, hours = sweep["curve"]["references"], sweep["curve"]["hours"]
    hits = sweep["curve"]["true_positives"]
    alarms = sweep["curve"]["false_positives"]
    close(sweep["average_precision"], average_precision(hits, alarms, references), name)
    close(sweep["mean_recall"], mean_recall(hits, alarms, references, hours), name)
    group = f"sweep/{name}"
    with xr.open_dataset(file, group=f"{group}/curve", engine="h5netcdf") as curve:
        require(curve["threshold"].dims == ("step",), curve["threshold"].dims)
        columns = {key: values for key, values in sweep["curve"].items() if isinstance(values, list)}
        require(set(curve.variables) == {"step", *columns}, f"{name}: {set(curve.variables)}")
        for column, values in columns.items():
            found = [None if math.isnan(value) else value for value in curve[column].values.tolist()]
            require(found == values, f"{name}: {column} differs in HDF5")
        check_curve({key: curve[key].values for key in curve.variables}, references, hours, 37)
    mine = [row for row in rows if row["settings"] == name]
    require([float(row["threshold"]) for row in mine] == sweep["curve"]["threshold"], "CSV")
    table = {key: [float(row[key] or "nan") for row in mine] for key in mine[0] if key != "settings"}
    check_curve(table, references, hours, 53)
    with h5py.File(file) as opened:
        parts = opened[f"{group}/recordings"]
        require(len(parts) == 2, list(parts))
        for threshold in [5.0, 30.0, 60.0]:
            index = np.searchsorted(sweep["curve"]["threshold"], threshold, side="right") - 1
            for column, whole in [("true_positives", hits), ("false_positives", alarms)]:
                total = sum(
                    int(p[column][np.searchsorted(p["threshold"][:], threshold, side="right") - 1])
                    for p in parts.values())
                require(total == whole[index], f"{name}: {column} at {threshold}")
        points = opened[f"{group}/operating_points"]
        require(list(points["threshold"][:])
                == [point["threshold"] for point in sweep["operating_points"]], "points")
    for point in sweep["operating_points"]:
        index = np.searchsorted(sweep["curve"]["threshold"], point["threshold"], side="right") - 1
        figures = {key: figure["value"] for key, figure in point["figures"].items()}
        # The run at the point itself, beside the curve that was made without one.
        require(figures["true_positives"] == hits[index], f"{name}: {point['name']}")
        require(figures["false_positives"] == alarms[index], f"{name}: {point['name']}")
    for budget in [1, 10, 100]:
        within = [h for h, a in zip(hits, alarms) if a <= budget * hours]
        point = [p for p in sweep["operating_points"] if p["name"] == f"at most {budget}.0/h"]
        point += [p for p in sweep["operating_points"] if p["name"] == f"at most {budget}/h"]
        if not within or max(within) == 0:
            require(not point, f"{name}: a point within {budget}/h")
        else:
            require(point[0]["figures"]["true_positives"]["value"] == max(within), f"{budget}/h")


def main():
    program = os.environ["SHADOWBOX_EXECUTABLE"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "traces").mkdir()
        for person in [1, 2]:
            run(program, folder, "synth", "punches", "--subject", str(person), "--duration", "60s",
                "-o", f"traces/p{person}.h5", "--quiet")
        options = ["sweep", "traces", "--gravity-filter", "lowpass", "--grid",
                   "refractory=0.2s,0.6s", "--quiet"]
        report = json.loads(
            run(program, folder, *options, "-o", "sweep.h5", "--csv", "sweep.csv", "--format", "json"))
        text = (Path(folder) / "sweep.csv").read_text()
        require(text == run(program, folder, *options, "--format", "csv"), "--csv is not as printed")
        rows = list(csv.DictReader(io.StringIO(text)))
        file = Path(folder) / "sweep.h5"
        with xr.open_datatree(file, engine="h5netcdf") as tree:
            require(tree.attrs["schema"] == "shadowbox-sweep/2", tree.attrs)
            require(len(json.loads(tree.attrs["recordings"])) == 2, tree.attrs["recordings"])
            require(set(tree["sweep"].children) == {s["settings"] for s in report["sweeps"]},
                    list(tree["sweep"].children))
        for sweep in report["sweeps"]:
            require(sweep["curve"]["is_exact"], sweep["settings"])
            check_sweep(file, sweep, rows)
    print("sweeps open in xarray and h5py, and their figures are right")


if __name__ == "__main__":
    main()
