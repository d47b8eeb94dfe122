"""Checks what is written for CI services, and the two files that docs/ci.md offers.

    python3 Tests/Python/check_ci.py

Runs three entries of the default suite with the program in SHADOWBOX_EXECUTABLE and exports the
results in every format; ci_formats.py reads them. The figures must be those of `run`. The workflow
of GitHub and the configuration of GitLab are checked against the schemas that check-jsonschema has
built in. Needs no network. Exits with 1 and says what is wrong.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
from prometheus_client.openmetrics import parser as openmetrics

import ci_formats

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(os.environ["SHADOWBOX_EXECUTABLE"]).resolve())
ENTRIES = ["punch/default", "checkin/default", "track/default"]
FILES = {"junit": "a.junit.xml", "markdown": "a.summary.md", "open-metrics": "a.metrics.txt",
         "benchmark": "a.benchmark.json", "benchmark-bigger": "b.benchmark.json",
         "badge": "a.badge.json"}
SCHEMAS = {"github.yml": ["vendor.github-workflows"],
           "gitlab.yml": ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"]}


def shadowbox(*arguments, folder):
    done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"shadowbox {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def check_results(folder):
    only = [word for entry in ENTRIES for word in ("--only", entry)]
    output = shadowbox("run", ROOT / "traces/suite.yml", *only, "--quiet", "--format", "csv", "-o",
                       "results.h5", folder=folder)
    rows = [line.split(",") for line in output.splitlines()[1:]]
    truth = {(row[0], row[1], row[4]): float(row[5]) for row in rows if row[5]}
    for kind, name in FILES.items():
        shadowbox("export", "results.h5", "--as", kind, "-o", name, "--quiet", folder=folder)
        # An export is replaced by the next one.
        shadowbox("export", "results.h5", "--as", kind, "-o", name, "--quiet", folder=folder)
    counts = ci_formats.check_folder(folder)
    if sum(counts.values()) != len(FILES):
        sys.exit(f"export: {len(FILES)} files written, {sum(counts.values())} read")
    families = openmetrics.text_string_to_metric_families((folder / FILES["open-metrics"])
                                                          .read_text(encoding="utf-8"))
    found = {(sample.labels["entry"], sample.labels["origin"], family.name): sample.value
             for family in families if not family.documentation.startswith("The mean over people")
             for sample in family.samples if "entry" in sample.labels}
    compared = 0
    for (entry, origin, name), value in truth.items():
        for suffix in ("", "_ratio"):
            other = found.get((entry, origin, f"shadowbox_{name}{suffix}"))
            if other is not None:
                compared += 1
                if abs(other - value) > 1e-9 * max(1, abs(value)):
                    sys.exit(f"{entry} ({origin}): {name} is {value} in run, {other} in the metrics")
    if compared < 6:
        sys.exit(f"{compared} figures of run found in the metrics")


def rerun(results, folder):
    done = subprocess.run([PROGRAM, "rerun", results], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def check_rerun(folder):
    """A parameter that was another one than the run's own is named."""
    status, said = rerun("results.h5", folder)
    if status != 0 or "Identical" not in said:
        sys.exit(f"rerun of an unchanged file: {status}: {said}")
    # As if the program of then had another default: the stored values and the suite disagree.
    shutil.copy(folder / "results.h5", folder / "stored.h5")
    with h5py.File(folder / "stored.h5", "r+") as file:
        settings = file["settings"]
        for row, entry in enumerate(settings["entry"].asstr()):
            if entry != ENTRIES[0]:
                continue
            parameters = json.loads(settings["parameters"].asstr()[row])
            for one in parameters:
                if one["name"] == "threshold":
                    one["value"] = one["value"] * 2
            settings["parameters"][row] = json.dumps(parameters)
    status, said = rerun("stored.h5", folder)
    if status != 0 or "Changed: punch/default: threshold 80 m/s2 -> 40 m/s2" not in said:
        sys.exit(f"rerun of a file with another stored threshold: {status}: {said}")
    # As if somebody had edited the suite in the file: the detections differ as well.
    shutil.copy(folder / "results.h5", folder / "suite.h5")
    with h5py.File(folder / "suite.h5", "r+") as file:
        suite = json.loads(file.attrs["suite_definition"])
        for entry in suite["entries"]:
            if entry["detector"] == "punch":
                entry.setdefault("parameters", {})["threshold"] = 80
        file.attrs["suite_definition"] = json.dumps(suite)
    status, said = rerun("suite.h5", folder)
    if status != 2 or "threshold" not in said:
        sys.exit(f"rerun of a file with another threshold in its suite: {status}: {said}")


def check_examples():
    for name, (schema, *options) in SCHEMAS.items():
        done = subprocess.run(
            [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *options,
             str(ROOT / "docs/ci" / name)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"docs/ci/{name}: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    check_examples()
    with tempfile.TemporaryDirectory() as scratch:
        check_results(Path(scratch))
        check_rerun(Path(scratch))
