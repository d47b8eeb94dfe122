"""Runs checks, each in a process of its own: Tests/PythonTests starts it.

Reads names such as check_sweep.py from standard input, one a line. Runs each as `python3 -B` runs it
and prints its exit code and what it has printed, as a line of JSON. What most checks import is imported
once.
"""

import contextlib
import importlib
import json
import runpy
import sys
from pathlib import Path

import forks

FOLDER = Path(__file__).resolve().parent
LIBRARIES = ["gpxpy", "h5py", "h5netcdf", "matplotlib.pyplot", "numpy", "pandas", "scipy.stats",
             "statsmodels.duration.survfunc", "xarray"]


def run(path):
    sys.argv = [str(path)]
    runpy.run_path(str(path), run_name="__main__")


def main():
    for library in LIBRARIES:
        # The checks that need it say what is missing.
        with contextlib.suppress(ImportError):
            importlib.import_module(library)
    for line in sys.stdin:
        status, output, errors = forks.Fork(run, FOLDER / line.strip()).wait()
        print(json.dumps({"status": status, "output": output + errors}), flush=True)


if __name__ == "__main__":
    main()
