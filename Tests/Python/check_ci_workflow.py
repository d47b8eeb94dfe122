"""Runs the commands of docs/ci/github.yml and docs/ci/gitlab.yml, step by step, as the services do.

    python3 Tests/Python/check_ci_workflow.py [--keep FOLDER]

Clones of this repository get commits of their own, with a small suite and a parameter file:

- a pull request with another threshold: the gate fails with exit code 2 and writes all its files;
- a push of two commits, of which the first has the other threshold: it fails too;
- the change that adds the suite: the suite is run, nothing is compared, and that is reported;
- the base of pushes without a usable commit before, such as a forced one.

`apt-get` is left out, and `swift build` puts the program in SHADOWBOX_EXECUTABLE where a build would:
all else runs with the shell and the options of each service. Only in the long run, or with --keep,
which keeps what was written. Exits with 1 and says what is wrong.
"""

import dataclasses
import json
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
    "swift": """if [ "$*" = --version ]; then echo "Swift version 0 (stub)"; exit 0; fi
[ "$1 $2 $3 $4" = "build -c release --product" ] || exit 64
folder=.; [ "${6:-}" != --package-path ] || folder=$7
mkdir -p "$folder/.build/release" && cp "$PLANTED_PROGRAM" "$folder/.build/release/$5"
""",
}
NO_COMMIT = 40 * "0"


@dataclasses.dataclass
class Event:
    """What a service says about a change; a push has no number."""

    base: str = ""
    before: str = NO_COMMIT
    number: int = 0


def fail(place, message):
    sys.exit(f"{place}: {message}")


def git(*arguments, folder):
    command = ["git", "-c", "user.name=test", "-c", "user.email=test@example.org", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"git {' '.join(arguments)}", done.stderr)
    return done.stdout.strip()


def plant(folder, thresholds):
    """A clone with a commit for each threshold, None being one without the suite. The last one is
    HEAD, the branch `main` of the service has all. Returns the commits."""
    git("clone", "--quiet", "--no-checkout", str(ROOT), str(folder), folder=folder.parent)
    git("config", "core.hooksPath", "/dev/null", folder=folder)
    git("checkout", "--quiet", "-B", "main", "HEAD", folder=folder)
    traces = folder / "traces"
    commits = []
    for number, threshold in enumerate(thresholds):
        (traces / "suite.yml").unlink(missing_ok=True)
        if threshold is not None:
            (traces / "suite.yml").write_text(SUITE)
            (traces / "punch.json").write_text(PARAMETERS % threshold)
        (folder / "number.txt").write_text(f"{number}\n")
        git("add", "--all", "traces", "number.txt", folder=folder)
        git("commit", "--quiet", "-m", f"threshold {threshold}", folder=folder)
        commits.append(git("rev-parse", "HEAD", folder=folder))
    move_main(folder, commits[-1])
    return commits


def move_main(clone, commit):
    """The branch `main` of the service has this commit as its newest."""
    git("update-ref", "refs/remotes/origin/main", commit, folder=clone)


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


def holds(condition, known, has_failed):
    """Whether a step runs."""
    parts = [part.strip() for part in condition.split("&&")] if condition else []
    if has_failed and "always()" not in parts:
        return False
    for part in parts:
        if part != "always()":
            name, operator, value = re.fullmatch(r"(\S+) ([!=]=) '(.*)'", part).groups()
            if (known.get(name, "") == value) != (operator == "=="):
                return False
    return True


class GitHub:
    name = "github.yml"

    def __init__(self, clone, scratch, event):
        self.workflow = configuration(self.name)
        self.clone, self.scratch = clone, scratch
        self.files = {name: scratch / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in self.files.values():
            file.write_text("")
        self.known = {
            "github.base_ref": "main" if event.number else "", "github.event.before": event.before,
            "github.event.repository.default_branch": "main",
            "github.event_name": "pull_request" if event.number else "push"}
        self.branch = f"{event.number}/merge" if event.number else "main"
        self.variables = {
            **environment(scratch), "GITHUB_ACTIONS": "true", "GITHUB_REF_NAME": self.branch,
            **self.workflow["env"], **{name: str(file) for name, file in self.files.items()}}
        self.machine = self.workflow["env"]["MACHINE"]

    def step(self, step):
        own = {name: filled(value, self.known) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c",
             filled(step["run"], self.known)],
            cwd=self.clone, env={**self.variables, **own}, capture_output=True, text=True)
        if "id" in step:
            for line in self.files["GITHUB_OUTPUT"].read_text().splitlines():
                name, _, value = line.partition("=")
                self.known[f"steps.{step['id']}.outputs.{name}"] = value
        return done

    def base(self):
        step = next(step for step in self.workflow["jobs"]["gate"]["steps"] if step.get("id") == "base")
        done = self.step(step)
        if done.returncode != 0:
            fail(self.name, done.stderr)
        return self.known["steps.base.outputs.program"].partition("-")[0]

    def run(self):
        """Returns the exit code and the output of all steps."""
        status, log = 0, ""
        for step in self.workflow["jobs"]["gate"]["steps"]:
            if "run" in step and holds(step.get("if"), self.known, status != 0):
                done = self.step(step)
                log += f"\n{step['name']}:\n{done.stdout}{done.stderr}"
                status = status or done.returncode
        # Every step that stores something must know its key.
        for step in self.workflow["jobs"]["gate"]["steps"]:
            if "key" in step.get("with", {}):
                known = {"github.run_id": "1", "github.run_attempt": "1", **self.known}
                if "--" in filled(step["with"]["key"], known):
                    fail(self.name, f"{step['name']}: the key has an empty part")
        return status, log

    def check_failure(self, log):
        if not re.search("^::error title=FAIL%3A recall of punch/default", log, re.M):
            fail(self.name, f"no annotation in {log}")
        self.check_summary("\n## FAIL: ")

    def check_first(self, log):
        if not re.search("^::warning::The base has no traces/suite.yml", log, re.M):
            fail(self.name, f"no warning in {log}")
        self.check_summary("punch/default")

    def check_summary(self, text):
        summary = self.files["GITHUB_STEP_SUMMARY"].read_text()
        if text not in summary or "punch/default (synthetic)" not in summary:
            fail(self.name, f"summary: {summary}")


# ---------------------------------------------------------------- GitLab


class GitLab:
    name = "gitlab.yml"

    def __init__(self, clone, scratch, event):
        self.job, self.clone = configuration(self.name)["shadowbox"], clone
        known = {"CI_DEFAULT_BRANCH": "main", "CI_MERGE_REQUEST_IID": str(event.number)}
        rule = self.job["rules"][0 if event.number else 1]
        self.branch = re.sub(r"\$(\w+)", lambda match: known[match[1]], rule["variables"]["BRANCH"])
        self.machine = self.job["variables"]["MACHINE"]
        self.variables = {
            **environment(scratch), "GITLAB_CI": "true", **self.job["variables"],
            "BRANCH": self.branch, "CI_DEFAULT_BRANCH": "main",
            "CI_COMMIT_BEFORE_SHA": NO_COMMIT if event.number else event.before}
        if event.number:
            self.variables["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = event.base

    def script(self, lines):
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", "\n".join(lines)], cwd=self.clone,
            env=self.variables, capture_output=True, text=True)

    def base(self):
        done = self.script([self.job["script"][0], 'echo "$base"'])
        if done.returncode != 0:
            fail(self.name, done.stderr)
        return done.stdout.strip()

    def run(self):
        done = self.script([*self.job["before_script"], *self.job["script"]])
        return done.returncode, done.stdout + done.stderr

    def check_failure(self, log):
        if "::error" in log:
            fail(self.name, "annotations of GitHub")

    def check_first(self, log):
        if "warning: the base has no traces/suite.yml" not in log:
            fail(self.name, f"no warning in {log}")


# ---------------------------------------------------------------- both


def check_files(service, clone, scratch, has_failure):
    """The files of the gate, read by other programs."""
    read = scratch / "read"
    read.mkdir(exist_ok=True)
    names = {"gate.xml": "gate.junit.xml", "gate.txt": "gate.metrics.txt",
             "gate.md": "gate.summary.md"}
    for name, other in names.items():
        shutil.copy(clone / "out" / name, read / other)
    if sum(ci_formats.check_folder(read).values()) != len(names):
        fail(service.name, "a file is missing")
    if ("<failure" in (read / "gate.junit.xml").read_text()) != has_failure:
        fail(service.name, f"a failure in JUnit XML: expected {has_failure}")
    if not (clone / "out/gate.h5").exists():
        fail(service.name, "no out/gate.h5")


def check_history(service, clone):
    """The run is in the history, with its branch and the kind of machine."""
    done = subprocess.run([PROGRAM, "history", "--all-branches", "--format", "json"], cwd=clone,
                          capture_output=True, text=True)
    runs = json.loads(done.stdout)["runs"] if done.returncode == 0 else done.stderr
    found = [(run.get("branch"), run["machine"]) for run in runs] if done.returncode == 0 else runs
    if found != [(service.branch, service.machine)]:
        fail(service.name, f"history: {found}, expected {service.branch} on {service.machine}")


def check_programs(service, clone, commits):
    """The programs of both commits are stored, for the next change."""
    found = {path.parent.name.partition("-")[0] for path in (clone / ".shadowbox/builds").glob("*/*")}
    if found != set(commits):
        fail(service.name, f"programs of {found}, expected those of {commits}")


def check_change(kind, thresholds, event, keep):
    """The last commit is the head; a gate of all commits after the first fails."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        clone = scratch / "clone"
        commits = plant(clone, thresholds)
        event = dataclasses.replace(event, base=commits[0], before=commits[0])
        if event.number:
            move_main(clone, commits[0])
        service = kind(clone, scratch, event)
        status, log = service.run()
        is_first = thresholds[0] is None
        if status != (0 if is_first else 2):
            fail(service.name, f"{thresholds}: exit code {status}\n{log}")
        (service.check_first if is_first else service.check_failure)(log)
        check_files(service, clone, scratch, not is_first)
        check_history(service, clone)
        check_programs(service, clone, [commits[-1]] + ([] if is_first else [commits[0]]))
        if keep and event.number:
            place = Path(keep) / service.name.partition(".")[0]
            shutil.copytree(clone / "out", place, dirs_exist_ok=True)


def check_bases(kind):
    """What a push is compared with: (the commit before, HEAD, the newest commit of `main`)."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        clone = scratch / "clone"
        one, two, three = plant(clone, (30, 30, 30))
        lost = 40 * "1"
        for before, main, expected in (
                (one, three, one), (two, three, two), (NO_COMMIT, three, two), (lost, three, two),
                # A new branch.
                (NO_COMMIT, one, one)):
            shutil.rmtree(clone / ".shadowbox", ignore_errors=True)
            git("worktree", "prune", folder=clone)
            move_main(clone, main)
            found = kind(clone, scratch, Event(before=before)).base()
            if found != expected:
                fail(kind.name, f"base {found}, expected {expected} for {before}")


def main(keep):
    for kind in (GitHub, GitLab):
        check_bases(kind)
        check_change(kind, (30, 150), Event(number=17), keep)
        # The first of two pushed commits has the regression.
        check_change(kind, (30, 150, 150), Event(), keep)
        check_change(kind, (None, 30), Event(), keep)


if __name__ == "__main__":
    folder = sys.argv[2] if sys.argv[1:2] == ["--keep"] else None
    if long_tests.ARE_WANTED or folder:
        main(folder)
