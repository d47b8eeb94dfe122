"""Runs the commands of docs/ci/github.yml and docs/ci/gitlab.yml, step by step, where a change has
ruined a threshold: the gate must fail with exit code 2, and write all its files.

    python3 Tests/Python/check_ci_workflow.py [--keep FOLDER]

A clone of this repository gets two commits: the suite with a parameter file, then the parameter file
with another threshold. `apt-get` is left out, and `swift build` puts the program in
SHADOWBOX_EXECUTABLE where a build would: all else runs as the services run it, with the shell and
the options of each. Only in the long run, or with --keep, which keeps what was written. Exits with 1
and says what is wrong.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ruamel.yaml import YAML

import ci_formats
import long_tests

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(os.environ["SHADOWBOX_EXECUTABLE"]).resolve())
SUITE = """schema: shadowbox-suite/1
name: planted
traces:
  punches: [synthetic/punch-*.h5]
entries:
  - {name: punch/default, detector: punch, traces: punches, gravity_filter: lowpass,
     parameters: punch.json}
"""
PARAMETERS = """{"schema": "shadowbox-parameters/1", "detector": "punch", "preset": "default",
 "parameters": [{"name": "threshold", "value": %s, "unit": "m/s2", "origin": "stated"}]}
"""
# What stands in for programs that need a network or an hour.
STUBS = {
    "apt-get": "exit 0\n",
    "swift": """[ "$1 $2 $3 $4" = "build -c release --product" ] || exit 64
folder=.; [ "${6:-}" != --package-path ] || folder=$7
mkdir -p "$folder/.build/release" && cp "$PLANTED_PROGRAM" "$folder/.build/release/$5"
""",
}


def fail(place, message):
    sys.exit(f"{place}: {message}")


def git(*arguments, folder):
    command = ["git", "-c", "user.name=test", "-c", "user.email=test@example.org", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"git {' '.join(arguments)}", done.stderr)
    return done.stdout.strip()


def plant(folder):
    """A clone whose branch `main` has the base, and whose HEAD is the change. Returns both."""
    git("clone", "--quiet", "--no-checkout", str(ROOT), str(folder), folder=folder.parent)
    git("config", "core.hooksPath", "/dev/null", folder=folder)
    git("checkout", "--quiet", "-B", "main", "HEAD", folder=folder)
    traces = folder / "traces"
    (traces / "suite.yml").write_text(SUITE)
    commits = []
    for threshold in (30, 150):
        (traces / "punch.json").write_text(PARAMETERS % threshold)
        git("add", "traces", folder=folder)
        git("commit", "--quiet", "-m", f"threshold {threshold}", folder=folder)
        commits.append(git("rev-parse", "HEAD", folder=folder))
    git("update-ref", "refs/remotes/origin/main", commits[0], folder=folder)
    return commits


def environment(scratch):
    tools = scratch / "tools"
    tools.mkdir(exist_ok=True)
    for name, text in STUBS.items():
        (tools / name).write_text("#!/usr/bin/env bash\n" + text)
        (tools / name).chmod(0o755)
    kept = {name: os.environ[name] for name in ("LANG", "LD_LIBRARY_PATH") if name in os.environ}
    return {**kept, "PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(scratch),
            "PLANTED_PROGRAM": PROGRAM, "CI": "true"}


def configuration(name):
    return YAML(typ="safe").load((ROOT / "docs/ci" / name).read_text(encoding="utf-8"))


# ---------------------------------------------------------------- GitHub


def filled(value, known):
    """The text with the expressions that the workflow uses."""
    def value_of(match):
        if match[1] not in known:
            fail("docs/ci/github.yml", f"unknown expression {match[1]}")
        return known[match[1]]
    return re.sub(r"\$\{\{ *(.*?) *\}\}", value_of, str(value))


def run_github(clone, scratch, base):
    workflow = configuration("github.yml")
    files = {name: scratch / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.touch()
    known = {"github.base_ref || github.ref_name": "main"}
    variables = {**environment(scratch), "GITHUB_ACTIONS": "true", **workflow["env"],
                 **{name: str(file) for name, file in files.items()}}
    failed, log = None, {}
    for step in workflow["jobs"]["gate"]["steps"]:
        if "run" not in step or (failed and step.get("if") != "always()"):
            continue
        own = {name: filled(value, known) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"], known)],
            cwd=clone, env={**variables, **own}, capture_output=True, text=True)
        log[step["name"]] = done
        if done.returncode != 0:
            failed = failed or step["name"]
        if "id" in step:
            for line in files["GITHUB_OUTPUT"].read_text().splitlines():
                name, _, value = line.partition("=")
                known[f"steps.{step['id']}.outputs.{name}"] = value
    if failed != "Gate" or log["Gate"].returncode != 2:
        done = log[failed] if failed else log["Gate"]
        fail("github.yml", f"step {failed}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    if known["steps.base.outputs.commit"] != base:
        fail("github.yml", f"base {known['steps.base.outputs.commit']}, expected {base}")
    if not re.search("^::error title=FAIL%3A recall of punch/default", log["Gate"].stderr, re.M):
        fail("github.yml", f"no annotation in {log['Gate'].stderr}")
    summary = files["GITHUB_STEP_SUMMARY"].read_text()
    if "\n## FAIL: " not in summary or "| punch/default (synthetic) |" not in summary:
        fail("github.yml", f"summary: {summary}")


# ---------------------------------------------------------------- GitLab


def run_gitlab(clone, scratch, base):
    job = configuration("gitlab.yml")["shadowbox"]
    variables = {**environment(scratch), "GITLAB_CI": "true", **job["variables"],
                 "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    script = "\n".join([*job["before_script"], *job["script"]])
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=clone, env=variables,
                          capture_output=True, text=True)
    if done.returncode != 2:
        fail("gitlab.yml", f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    if "::error" in done.stderr:
        fail("gitlab.yml", "annotations of GitHub")
    for report in job["artifacts"]["reports"].values():
        if not (clone / report).exists():
            fail("gitlab.yml", f"no {report}")


# ---------------------------------------------------------------- both


def check_files(place, clone, scratch):
    """The files of the gate, read by other programs."""
    read = scratch / "read"
    read.mkdir(exist_ok=True)
    names = {"gate.xml": "gate.junit.xml", "gate.txt": "gate.metrics.txt",
             "gate.md": "gate.summary.md"}
    for name, other in names.items():
        shutil.copy(clone / "out" / name, read / other)
    if sum(ci_formats.check_folder(read).values()) != len(names):
        fail(place, "a file is missing")
    if "<failure" not in (read / "gate.junit.xml").read_text():
        fail(place, "no failure in JUnit XML")
    for name in ("out/gate.h5", ".shadowbox/history.sqlite"):
        if not (clone / name).exists():
            fail(place, f"no {name}")


def main(keep):
    for place, run in (("github", run_github), ("gitlab", run_gitlab)):
        with tempfile.TemporaryDirectory() as folder:
            scratch = Path(folder)
            clone = scratch / "clone"
            base, _ = plant(clone)
            run(clone, scratch, base)
            check_files(place, clone, scratch)
            if keep:
                shutil.copytree(clone / "out", Path(keep) / place, dirs_exist_ok=True)


if __name__ == "__main__":
    folder = sys.argv[2] if sys.argv[1:2] == ["--keep"] else None
    if long_tests.ARE_WANTED or folder:
        main(folder)
