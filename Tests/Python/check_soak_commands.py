#!/usr/bin/env python3
"""Runs commands with too little of the machine, with signals at any moment, and with extreme values.

    make soak                                           all of it, with the program that `make` built
    Tests/Python/check_soak_commands.py options --seed 7 --only 1234     one case again

limits   a random number of open files (3-64), processes (1-16) and bytes of address space: the command
         ends as ever, or with 74 and a message.
signals  INT, TERM, HUP or KILL at a random moment: the command ends with 130, or had ended.
options  a random option of a random command has an extreme value, or a random argument is damaged.

hostile, bombs, serve   what soak_hostile.py has: a folder of hostile files, packed bombs, slow clients.

After each case it looks at every file: inputs are unchanged, each output is one of those that the command
may write, nothing half written, nothing in the folder for temporary files, no process left behind. After KILL,
temporary and `.partial` files may be left. No case may end by a trap, hang, or say something that only its
programmer understands. The seed is printed; with --only a case is made again, and the folder of a fault is kept.

Exit codes: 0 no fault, 1 at least one.
"""

import argparse
import functools
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import soak_hostile
from long_tests import count

SHADOWBOX = os.environ.get(
    "SHADOWBOX_EXECUTABLE", str(Path(__file__).resolve().parents[2] / ".build/release/shadowbox"))
# Users without rights and without a name: each case has one of its own, whose processes are counted.
FIRST_USER, USERS = 200_000, 10_000
# The longest that a case may take before it is asked to end: seconds.
PATIENCE = 20
KNOWN = {0, 2, 3, 4, 5, 64, 65, 70, 74, 130}
# What a trap, a sanitiser or Foundation prints.
FOREIGN = re.compile(r"Fatal error|Stack dump|Crash:|libc\+\+abi|terminate called|NSError|swift::|"
                     r"\.swift:\d+|Optional\(|NSCocoaErrorDomain")
MAP = ["--map", "time=t,x=x,y=y,z=z", "--channel", "user_acceleration", "--gravity", "removed"]
DETECTOR = """#!/bin/sh
printf '%s\\n' shadowbox-detector/1 'name own' 'version 1' 'channel user_acceleration' 'task punch' ready
while read -r word rest; do [ "$word" = end ] && echo done; done
"""
GPX = ("<?xml version='1.0'?><gpx version='1.1' creator='x' xmlns='http://www.topografix.com/GPX/1/1'>"
       "<wpt lat='46.001' lon='14'><name>w</name></wpt><trk><trkseg>{}</trkseg></trk></gpx>")

# Name, arguments, the files and folders that it may write.
COMMANDS = [
    ("convert", ["convert", "short.csv", *MAP, "-o", "out/a.h5"], ["out/a.h5"]),
    ("convert to CSV", ["convert", "p1.h5", "-o", "out/a.csv"], ["out/a.csv"]),
    ("convert a folder", ["convert", "short.csv", *MAP, "--split-by", "who", "-o", "out/parts"],
     ["out/parts"]),
    ("convert GPX", ["convert", "walk.gpx", "--waypoints-as-places", "-o", "out/w.h5"], ["out/w.h5"]),
    ("info", ["info", "p1.h5", "walk.gpx"], []),
    ("info of results", ["info", "results.h5", "p1.h5", "--format", "json"], []),
    ("validate", ["validate", "p1.h5", "p2.h5", "--format", "json"], []),
    ("export", ["export", "p1.h5", "-o", "out/p.trace"], ["out/p.trace"]),
    ("resample", ["resample", "p1.h5", "--rate", "25Hz", "-o", "out/r.h5"], ["out/r.h5"]),
    ("trim", ["trim", "p1.h5", "--from", "1s", "-o", "out/t.h5"], ["out/t.h5"]),
    ("merge", ["merge", "p1.h5", "p2.h5", "--append", "--gap", "1s", "-o", "out/m.h5"], ["out/m.h5"]),
    ("align", ["align", "p1.h5", "p1.h5", "--max-offset", "0.2s"], []),
    ("anonymize", ["anonymize", "walk.h5", "--move", "--seed", "1", "-o", "out/n.h5"], ["out/n.h5"]),
    ("replay", ["replay", "p1.h5", "--detector", "punch", "--format", "csv"], []),
    ("replay paced", ["replay", "p1.h5", "--rate", "40x", "--timing", "out/t.txt"], ["out/t.txt"]),
    ("replay app", ["replay", "--app", "workout", "walk.h5"], []),
    ("run", ["run", "s.yml", "-o", "out/r.h5", "--log", "out/r.log"], ["out/r.h5", "out/r.log"]),
    ("run own", ["run", "p1.h5", "--detector", "exec:sh own.sh", "-o", "out/x.h5"], ["out/x.h5"]),
    ("sweep", ["sweep", "p1.h5", "p2.h5", "--detector", "punch", "-o", "out/s.h5"], ["out/s.h5"]),
    ("sweep with a picture", ["sweep", "p1.h5", "--detector", "punch", "--picture", "out/s.png"],
     ["out/s.png"]),
    ("tune", ["tune", "p1.h5", "p2.h5", "p3.h5", "--detector", "punch", "--confidence", "0.5", "--cache", "out/cache",
              "-o", "out/t.json", "--results", "out/t.h5"], ["out/t.json", "out/t.h5", "out/cache"]),
    ("score", ["score", "--reference", "labels.csv", "--detections", "labels.csv", "--duration", "20s"],
     []),
    ("run per day", ["run", "s.yml", "--profile", "day.yml", "-o", "out/d.h5"], ["out/d.h5"]),
    ("plan", ["plan", "--false-alarms", "10", "--expect", "4", "--minutes", "30"], []),
    ("plan from results", ["plan", "--recall", "0.5", "--expect", "0.9", "--from", "run.json"], []),
    ("plan from a results file", ["plan", "--recall", "0.5", "--expect", "0.9", "--from", "results.h5"],
     []),
    ("compare", ["compare", "results.h5", "results.h5", "-o", "out/c.h5",
                 "--flips", "out/c.csv"], ["out/c.h5", "out/c.csv"]),
    ("gate", ["gate", "s.yml", "--base-results", "results.h5"], []),
    ("rerun", ["rerun", "results.h5"], []),
    ("claim", ["plan", "--result", "3 in 5min", "--people", "4"], []),
    ("synth", ["synth", "punches", "--duration", "10s", "-o", "out/y.h5"], ["out/y.h5"]),
    ("bench", ["bench", "p1.h5", "--detector", "punch", "--devices", "3", "--duration", "0.2s",
               "--timing", "out/b.txt"], ["out/b.txt"]),
]

VALUES = [
    "", " ", "0", "-0", "-1", "1", "1e308", "-1e308", "1e309", "nan", "inf", "-inf", "1e-320",
    "9223372036854775807", "-9223372036854775808", "18446744073709551616", "0x10", "١٢", "1_000", "1,5",
    "+1", "1.", ".5", "a" * 70_000, "..", "/", ".", "-", "--", "=", ",", ":", ",,,", "a=", "=a", "a=b",
    "1..0", "0..0", "1..1e308:1000000", "-1e308..1e308", "0..1:0", "5s..1s", "1h", "1e9h", "-1s", "0s",
    "1e-9ns", "9e18ns", "1Hz", "0Hz", "1e300Hz", "threshold=1e308", "threshold=-1", "threshold=nan",
    "threshold=1,threshold=2", "x=1", "/dev/null", "/dev/zero", "/dev/full", "/dev/stdout",
    "/proc/self/mem", "/nowhere/x", "nowhere", "out", "p1.h5", "s.yml", "short.csv", "\x1b[2J", "%s%n",
    "🥊" * 3000, "e\u0301", "a\nb", "a\tb", "\\", "'", "\"", "$(touch pwned)", "`touch pwned`", ";", "*",
    "punch/none", "punch", "checkin", "exec:", "exec:false", "exec:sh own.sh", "gpsbabel:", "lowpass:0s",
    "lowpass:-1s,1g", "100ms@1s", "1e9s@0s", "location-5s:lost=2", "time=t", "time=t[iso],x=x,y=y,z=z",
    "46,14", "91,181", "f-beta:0", "cost:0:0", "all", "csv", "json", "table", "h5", "x" * 300 + ".h5",
]


def prepare(folder):
    """The inputs of all cases."""
    rows = "".join(f"{i / 100},{60 if i % 100 == 50 else i % 7 / 10},{i % 5 / 9},0.1,w{i // 200}\n"
                   for i in range(600))
    (folder / "short.csv").write_text("t,x,y,z,who\n" + rows)
    (folder / "labels.csv").write_text(
        "filename,onset\n" + "".join(f"p{k},{0.5 + i}\n" for k in (1, 2, 3) for i in range(6)))
    points = "".join(f"<trkpt lat='{46 + i * 1e-5:.5f}' lon='14'><time>2024-05-01T10:{i // 60:02}:"
                     f"{i % 60:02}Z</time></trkpt>" for i in range(120))
    (folder / "walk.gpx").write_text(GPX.format(points))
    (folder / "own.sh").write_text(DETECTOR)
    (folder / "s.yml").write_text("schema: shadowbox-suite/1\ntraces: {all: [p1.h5, p2.h5]}\nentries:\n"
                                  "  - {name: a, detector: punch, traces: all}\n")
    (folder / "day.yml").write_text("schema: shadowbox-day/1\nactivities: {walking: 2, sitting: 9.5}\n")
    (folder / "run.json").write_text(json.dumps({"schema": "shadowbox-run/2", "runs": [
        {"entry": "a", "origin": "recorded", "subject": f"s{k}", "figures": {
            name: {"value": value} for name, value in [
                ("true_positives", 20 + k), ("false_positives", k), ("false_negatives", 3),
                ("scored_hours", 0.5)]}} for k in range(4)]}))
    # Data of three people: equal ones are refused.
    for k in (1, 2, 3):
        noise = random.Random(k)
        (folder / f"person{k}.csv").write_text("t,x,y,z,who\n" + "".join(
            f"{i / 100},{60 if i % 100 == 50 else noise.uniform(0, 1):.3f},"
            f"{noise.uniform(0, 1):.3f},{noise.uniform(0, 1):.3f},w{i // 200}\n" for i in range(600)))
    made = [["convert", f"person{k}.csv", *MAP, "--id", f"p{k}", "--subject", f"s{k}", "--reference",
             "labels.csv", "-o", f"p{k}.h5"] for k in (1, 2, 3)]
    made += [["convert", "walk.gpx", "-o", "walk.h5"], ["run", "s.yml", "-o", "results.h5"]]
    for arguments in made:
        subprocess.run([SHADOWBOX, *arguments, "--quiet"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
    for path in [folder, *folder.iterdir()]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


@functools.cache
def options_of(command):
    """The options of a command that take a value, by its help."""
    text = subprocess.run([SHADOWBOX, command, "--help"], capture_output=True, text=True).stdout
    return sorted(set(re.findall(r"^  (?:-\w, )?(--[a-z-]+) <", text, re.M)))


class Case:
    """One run of a command in a folder of its own."""

    def __init__(self, mode, seed, number, inputs):
        self.random = random.Random(f"{mode} {seed} {number}")
        self.mode, self.number, self.inputs = mode, number, inputs
        name, arguments, self.outputs = self.random.choice(COMMANDS)
        self.name, self.arguments = name, list(arguments)
        self.limits, self.signal, self.delay = {}, None, None
        if mode == "limits":
            self.limits = {
                resource.RLIMIT_NOFILE: self.random.randint(3, 64),
                resource.RLIMIT_NPROC: self.random.randint(1, 16) if os.getuid() == 0 else None,
                resource.RLIMIT_AS: self.random.choice([None, 1 << self.random.randint(26, 36)])}
            # One is tight, or all are.
            if self.random.random() < 0.6:
                kept = self.random.choice(list(self.limits))
                self.limits = {kept: self.limits[kept]}
        elif mode == "signals":
            self.signal = self.random.choice(["INT", "TERM", "HUP", "KILL"])
            self.delay = self.random.random() ** 2 * 0.6
        else:
            self.damage()

    def damage(self):
        known = options_of(self.arguments[0])
        for _ in range(self.random.choice([1, 1, 1, 2, 3])):
            value = self.random.choice(VALUES)
            if known and self.random.random() < 0.8:
                option = self.random.choice(known)
                if option == "--output" and not value.startswith(("/dev", "/proc", "/nowhere")):
                    value = "out/" + value.replace("/", "_")
                if option in self.arguments[:-1] and self.random.random() < 0.7:
                    self.arguments[self.arguments.index(option) + 1] = value
                else:
                    self.arguments += [option, value]
            else:
                place = self.random.randrange(1, len(self.arguments) + 1)
                self.arguments.insert(place, value)

    def text(self):
        limits = {resource.RLIMIT_NOFILE: "files", resource.RLIMIT_NPROC: "processes",
                  resource.RLIMIT_AS: "bytes"}
        how = [f"{limits[key]}={value}" for key, value in self.limits.items() if value is not None]
        if self.signal:
            how.append(f"{self.signal} after {self.delay:.3f} s")
        shown = [a if len(a) < 60 else a[:20] + "…" for a in self.arguments]
        return f"{self.mode} {self.number}: {' '.join(how)} shadowbox {shown}"

    def restrict(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # No value fills the disk.
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
        for key, value in self.limits.items():
            if value is not None:
                resource.setrlimit(key, (value, value))
        if self.limits and os.getuid() == 0:
            os.setgroups([])
            os.setgid(FIRST_USER + self.number % USERS)
            os.setuid(FIRST_USER + self.number % USERS)

    def run(self, keep=None):
        """Returns the fault, or None, and whether the case did what it is for."""
        with tempfile.TemporaryDirectory(prefix="case-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            os.chmod(folder, 0o777)
            for path in self.inputs.iterdir():
                shutil.copy2(path, folder / path.name)
            for new in ("out", "tmp", "home"):
                (folder / new).mkdir()
                os.chmod(folder / new, 0o777)
            fault, isHit = self.play(folder)
            if keep and fault:
                shutil.copytree(folder, keep, dirs_exist_ok=True)
        return fault, isHit

    def play(self, folder):
        before = contents(folder)
        environment = {
            "PATH": os.environ.get("PATH", ""), "TMPDIR": str(folder / "tmp"),
            "HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "home"),
            "SHADOWBOX_PYTHON": sys.executable, "LC_ALL": "C.UTF-8"}
        with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as errors:
            try:
                process = subprocess.Popen(
                    [SHADOWBOX, *self.arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                    stderr=errors, env=environment, start_new_session=True, preexec_fn=self.restrict)
            except OSError:
                # With so little not even a program can be started.
                return None, False
            isLong = False
            if self.signal:
                time.sleep(self.delay)
                process.send_signal(getattr(signal, "SIG" + self.signal))
            try:
                code = process.wait(PATIENCE if self.mode != "options" else PATIENCE / 4)
            except subprocess.TimeoutExpired:
                isLong = True
                process.terminate()
                try:
                    code = process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    return "it hangs and ignores TERM", False
        errors = (folder / "stderr").read_text(errors="replace")
        for stream in ("stdout", "stderr"):
            (folder / stream).unlink()
        fault = self.ending(code, errors, isLong) or self.leftovers(
            before, contents(folder), process.pid, isKilled=code < 0)
        isHit = code == 74 if self.mode == "limits" else (
            code == 130 or code < 0 if self.mode == "signals" else code in (64, 65, 74))
        return (f"{fault} (exit {code}): {errors[-600:]}" if fault else None), isHit

    def ending(self, code, errors, isLong):
        if FOREIGN.search(errors):
            return "it says what only its programmer understands"
        if isLong:
            # Extreme values may mean a lot of work; nothing else does.
            return None if self.mode == "options" and code == 130 else "it takes too long"
        # KILL; or any, before the program has begun to listen.
        if self.signal and code == -getattr(signal, "SIG" + self.signal):
            return None
        if self.limits and code == 127 and "error while loading shared libraries" in errors:
            # The program has not begun.
            return None
        if code not in KNOWN:
            return "a trap"
        if code == 130 and not self.signal:
            return "interrupted by nobody"
        if code in (64, 65, 70, 74) and not errors.strip():
            return "no message"
        if self.mode == "limits" and code not in (0, 3, 5, 70, 74):
            return "a wrong cause"
        return None

    def leftovers(self, before, after, session, isKilled):
        for path, digest in before.items():
            if after.get(path) != digest:
                return f"the input {path} has changed"
        for path in sorted(set(after) - set(before)):
            isPartial = path.endswith(".partial")
            if isPartial and not isKilled:
                return f"{path} is half written"
            isTemporary = path.startswith("tmp/")
            if isTemporary and not isKilled:
                return f"{path} is left"
            if path == "pwned":
                return "a value was run"
            isKnown = any(path == out or path.startswith(out + "/") for out in self.outputs)
            # An extreme value may be the name of an output.
            isAllowed = isKnown or isPartial or isTemporary or path.startswith("home/")
            if not isAllowed and self.mode != "options":
                return f"{path} is no output of this command"
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            if not living(session):
                return None
            time.sleep(0.05)
        return f"processes are left: {living(session)}"


def contents(folder):
    """Each entry with its digest, or its kind."""
    found = {}
    for path in folder.rglob("*"):
        if path.name in ("stdout", "stderr"):
            continue
        isFile = path.is_file() and not path.is_symlink()
        found[str(path.relative_to(folder))] = (
            hashlib.sha256(path.read_bytes()).hexdigest() if isFile
            else "folder" if path.is_dir() else "neither file nor folder")
    return found


def living(session):
    """The processes of a session that have not ended."""
    found = []
    for entry in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if fields[3] == str(session) and fields[0] not in "ZX":
            found.append(int(entry))
    return found


def soak(mode, number, seed, first, inputs, keep):
    faults, hits = [], 0
    cases = [Case(mode, seed, first + i, inputs) for i in range(number)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, (fault, isHit) in zip(cases, pool.map(lambda case: case.run(keep), cases)):
            hits += isHit
            if fault:
                faults.append(f"{case.text()}\n    {fault}")
    done = {"limits": "refused with 74", "signals": "ended by the signal", "options": "refused"}[mode]
    print(f"{mode}: {number} cases of {len(COMMANDS)} command lines, seed {seed}: {hits} {done}, "
          f"{len(faults)} faults", flush=True)
    for fault in faults[:20]:
        print("  " + fault)
    return len(faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modes", nargs="*", metavar="limits|signals|options|hostile|bombs|serve")
    parser.add_argument("--cases", type=int, help="how many of each")
    parser.add_argument("--seed", type=int, help="default: 11 among the tests, else random")
    parser.add_argument("--only", type=int, help="only the case of this number; keeps its folder")
    arguments = parser.parse_args()
    if arguments.seed is None:
        # A test that fails at random tells nothing about the change that it is run for.
        arguments.seed = random.randrange(1 << 32) if arguments.cases else 11
    numbers = {"limits": count(1, 100), "signals": count(1, 100), "options": count(2, 500),
               "hostile": count(1, 100), "bombs": count(1, 20), "serve": count(1, 10)}
    if set(arguments.modes) - set(numbers):
        parser.error(f"expected some of {', '.join(numbers)}")
    faults = 0
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        os.chmod(name, 0o755)
        inputs = prepare(Path(name))
        for mode in arguments.modes or numbers:
            only = arguments.only is not None
            number = 1 if only else arguments.cases or numbers[mode]
            if mode in soak_hostile.CASES:
                faults += soak_hostile.soak(mode, number, arguments.seed, arguments.only or 0)
                continue
            keep = Path("out/soak") / f"{mode}-{arguments.only}" if only else None
            faults += soak(mode, number, arguments.seed, arguments.only or 0, inputs, keep)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
