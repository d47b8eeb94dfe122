#!/usr/bin/env python3
"""Measures how time and memory of each command grow with what it reads.

    make growth                       each command and dimension at 1x, 10x and 100x
    make growth ARGS="--largest 10"   without 100x: two minutes
    make growth ARGS="score align"    only rows with one of these words

For each command and each dimension that a file can have without bound (labels, readings, recordings,
places, people, columns, …) the input is made three times: at 1x, 10x and 100x. Processor time and the
largest memory are those of the process and its children. The time of a start is subtracted. Ratios within
one run decide, not seconds: ten times the input may take MOST times the time and MOST_MEMORY times
the memory. Faster growth is a fault, unless the command refuses the input, which the row shows.

Exit codes: 0 all within, 1 a command failed, 2 something grows too fast.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SHADOWBOX = os.environ.get("SHADOWBOX_EXECUTABLE", str(ROOT / ".build/release/shadowbox"))
# Of one step of ten: n log n from 1,000 to 10,000 is 13.3, and what no longer fits into the caches takes
# longer; n to the power of 1.5 is 32 and n squared 100.
MOST, MOST_MEMORY = 25, 12
# Below these, a ratio is one of noise: seconds, and kB.
LEAST_TIME, LEAST_MEMORY = 0.15, 20_000


class Failed(Exception):
    pass


def measure(arguments, folder):
    """Processor seconds, kB and exit code of the program with its children."""
    with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as errors:
        process = subprocess.Popen(
            [SHADOWBOX, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
            stderr=errors, env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, process.returncode


def prepare(*arguments, folder):
    _, _, code = measure(arguments, folder)
    if code not in (0, 5):
        raise Failed(f"{' '.join(map(str, arguments))}: exit {code}: "
                     + (folder / "stderr").read_text()[-500:])


def table(path, header, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write(header + "\n")
        file.writelines(row + "\n" for row in rows)
    return path


# Inputs. Each function writes them into the folder and returns the arguments to measure.

def labels(folder, n, name="x", spacing=1.0, label=lambda i: "jab"):
    table(folder / "r.csv", "filename,onset,label",
          (f"{name},{i * spacing:.3f},{label(i)}" for i in range(n)))
    table(folder / "d.csv", "filename,onset,label",
          (f"{name},{i * spacing + 0.05:.3f},{label(i)}" for i in range(n)))
    return ["score", "--reference", "r.csv", "--detections", "d.csv",
            "--duration", f"{n * spacing + 10:.0f}s"]


def half_found(folder, n):
    arguments = labels(folder, n, spacing=0)
    table(folder / "d.csv", "filename,onset", ("x,0.05" for _ in range(n // 2)))
    return arguments


def intervals(folder, n, task, place=lambda i: i, others=()):
    for name, shift in (("r.csv", 0.0), ("d.csv", 1.0)):
        table(folder / name, "filename,onset,offset,place",
              (f"x,{i * 60 + shift:.1f},{i * 60 + 30 + shift:.1f},{place(i)}" for i in range(n)))
    return ["score", "--task", task, "--reference", "r.csv", "--detections", "d.csv",
            "--duration", f"{n * 60 + 100}s", *others]


def recordings(folder, n, each=10):
    for name, shift in (("r.csv", 0.0), ("d.csv", 0.05)):
        table(folder / name, "filename,onset",
              (f"x{i},{k + shift:.2f}" for i in range(n) for k in range(each)))
    return ["score", "--reference", "r.csv", "--detections", "d.csv", "--duration", "20s"]


def people(folder, n):
    arguments = recordings(folder, n, each=20)
    table(folder / "f.csv", "filename,subject,duration", (f"x{i},p{i},30" for i in range(n)))
    return arguments[:-2] + ["--files", "f.csv"]


def splits(folder, n):
    for name, shift in (("r.csv", 0.0), ("d.csv", 0.4)):
        table(folder / name, "filename,quantity,onset,value",
              (f"x,split,{i * 5 + shift:.1f},{i * 10}" for i in range(n)))
    return ["score", "--task", "track", "--reference", "r.csv", "--detections", "d.csv"]


def motion(folder, n, name="x", seed=1, columns=0):
    """n readings at 100 Hz with a blow each second, as CSV, and the arguments that convert it."""
    random = np.random.default_rng(seed)
    time = np.arange(n) * 10 + random.integers(0, 2, n)
    values = random.normal(0, 0.5, (n, 3)).round(3)
    values[50::100, 0] += 60
    with open(folder / f"{name}.csv", "w", encoding="utf-8") as file:
        file.write("t,x,y,z" + "".join(f",c{i}" for i in range(columns)) + "\n")
        more = ",1.5" * columns
        for start in range(0, n, 100_000):
            part = slice(start, start + 100_000)
            file.writelines(f"{t},{x},{y},{z}{more}\n" for t, (x, y, z)
                            in zip(time[part].tolist(), values[part].tolist()))
    return ["convert", f"{name}.csv", "--map", "time=t[ms],x=x,y=y,z=z", "--channel",
            "user_acceleration", "--gravity", "removed", "-o", f"{name}.h5", "--force"]


def native(folder, n, name="x", references=None, seed=1):
    arguments = motion(folder, n, name, seed)
    count = n // 100 if references is None else references
    step = n / 100 / (count + 1) if references else 1
    onsets = (f"{0.5 + i * step:.4f}" for i in range(count))
    table(folder / f"{name}.tsv", "filename\tonset\toffset\tevent_label",
          (f"{name}.csv\t{onset}\t{onset}\tjab" for onset in onsets))
    prepare(*arguments, "--reference", f"{name}.tsv", "--subject", f"p{seed}", folder=folder)
    (folder / f"{name}.csv").unlink()
    return f"{name}.h5"


def natives(folder, n, readings=400, people=None):
    """n traces of `readings` readings: by copies, whose ids are set by trim."""
    (folder / "traces").mkdir()
    csv = folder / "many.csv"
    random = np.random.default_rng(3)
    with open(csv, "w", encoding="utf-8") as file:
        file.write("t,x,y,z,who,person\n")
        for i in range(n):
            values = random.normal(0, 0.5, (readings, 3)).round(3)
            values[50::100, 0] += 60 + random.normal()
            for k, (x, y, z) in enumerate(values.tolist()):
                file.write(f"{k * 10},{x},{y},{z},r{i:05},p{i % (people or n)}\n")
    table(folder / "many.tsv", "filename\tonset\toffset\tevent_label",
          (f"many-r{i:05}\t{0.5 + k:.2f}\t{0.5 + k:.2f}\tjab"
           for i in range(n) for k in range(readings // 100)))
    return ["convert", "many.csv", "--map", "time=t[ms],x=x,y=y,z=z", "--channel",
            "user_acceleration", "--gravity", "removed", "--split-by", "who", "--columns",
            "subject=person", "--reference", "many.tsv", "-o", "traces", "--force"]


def made_natives(folder, n, **options):
    prepare(*natives(folder, n, **options), folder=folder)
    (folder / "many.csv").unlink()
    return "traces"


def gpx(folder, n, waypoints=0, attributes=0):
    extra = "".join(f' a{i}="1"' for i in range(attributes))
    with open(folder / "x.gpx", "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?><gpx version="1.1" creator="x" '
                   'xmlns="http://www.topografix.com/GPX/1/1">\n')
        for i in range(waypoints):
            file.write(f'<wpt lat="{46 + i % 1000 * 0.003:.4f}" lon="{14 + i // 1000 * 0.01:.4f}">'
                       f'<name>w{i}</name></wpt>\n')
        file.write("<trk><trkseg>\n")
        for i in range(n):
            hour, rest = divmod(i, 3600)
            day, hour = divmod(hour, 24)
            file.write(f'<trkpt lat="{46 + i * 1e-5 % 1:.5f}" lon="14.00000"{extra}><ele>300</ele>'
                       f"<time>2024-{1 + day // 28 % 12:02}-{1 + day % 28:02}T{hour:02}:"
                       f"{rest // 60:02}:{rest % 60:02}Z</time></trkpt>\n")
        file.write("</trkseg></trk></gpx>\n")
    return ["convert", "x.gpx", "-o", "x.h5", "--force"]


def converted(arguments, folder, *rest):
    prepare(*arguments, folder=folder)
    return list(rest)


def two(folder, n):
    """Two devices on one body, the second 3 s later."""
    random = np.random.default_rng(5)
    time = np.arange(n) * 20
    signal = np.convolve(random.normal(0, 4, n + 160), np.ones(9) / 9, "same")
    for name, lag in (("a", 0), ("b", 150)):
        values = np.stack([signal[lag:lag + n] + random.normal(0, 0.2, n) for _ in range(3)], 1)
        with open(folder / f"{name}.csv", "w", encoding="utf-8") as file:
            file.write("t,x,y,z\n")
            file.writelines(f"{t},{x:.3f},{y:.3f},{z:.3f}\n"
                            for t, (x, y, z) in zip(time.tolist(), values.tolist()))
        prepare("convert", f"{name}.csv", "--map", "time=t[ms],x=x,y=y,z=z", "--channel",
                "user_acceleration", "--gravity", "removed", "-o", f"{name}.h5", "--force",
                folder=folder)
        (folder / f"{name}.csv").unlink()
    return ["align", "a.h5", "b.h5"]


def parts(folder, n, readings):
    for i in range(n):
        prepare(*motion(folder, readings, f"p{i}", seed=i), folder=folder)
    return ["merge", *[f"p{i}.h5" for i in range(n)], "--append", "--gap", "1s", "-o", "m.h5",
            "--force"]


def suite(folder, n):
    native(folder, 2000)
    entries = "".join(
        f"  - {{name: e{i}, detector: punch, traces: all, parameters: {{threshold: {10 + i % 50}}}}}\n"
        for i in range(n))
    (folder / "s.yml").write_text(
        "schema: shadowbox-suite/1\ntraces: {all: [x.h5]}\nentries:\n" + entries)
    return ["run", "s.yml", "-o", "x-results.h5", "--force"]


def profile(folder, n):
    (folder / "day.yml").write_text("schema: shadowbox-day/1\nactivities:\n" + "".join(
        f"  a{i}: {12 / n:.9f}\n" for i in range(n)))
    return "day.yml"


def recorded(folder, n):
    """A plan from the results of n people."""
    def run(i):
        values = {"true_positives": 30, "false_positives": i % 7, "false_negatives": i % 5,
                  "scored_hours": 0.5}
        return {"entry": "a", "origin": "recorded", "subject": f"s{i}",
                "figures": {name: {"value": value} for name, value in values.items()}}
    (folder / "run.json").write_text(
        json.dumps({"schema": "shadowbox-run/2", "runs": [run(i) for i in range(n)]}))
    return ["plan", "--false-alarms", "6.5", "--from", "run.json"]


def compared(command, folder, n, people=None):
    """Two results of n recordings, whose detections differ."""
    traces = made_natives(folder, n, people=people)
    for name, threshold in (("a", 59.5), ("b", 60.5)):
        prepare("run", traces, "--detector", "punch", "--parameters", f"threshold={threshold}",
                "--force", "-o", f"{name}-results.h5", folder=folder)
    return command


def history(folder, n, two_days=False):
    """A history of n runs of 20 figures each, which is imported and shown; or of a timing that is slower
    on the second of two days."""
    def run(i):
        figures = [{"entry": "a", "origin": "recorded", "metric": "m", "kind": "timing", "unit": "1",
                    "value": (1 if i < n / 2 else 5) + 0.001 * (i * 7 % 11)}] if two_days else [
                   {"entry": "a", "origin": "recorded", "metric": f"m{k}", "kind": "accuracy",
                    "unit": "1", "value": 0.9 + 0.001 * ((i * 7 + k) % 11)} for k in range(20)]
        minutes = int(i * 2879 / n) if two_days else i + 1
        return {"run": {
            "id": f"{i:032x}", "commit": f"{i:040x}", "machine": "m", "source": "results",
            "suite": "s", "suite_sha256": "0" * 64, "tool_version": "0.1.0", "toolchain": "Swift",
            "time": f"2026-01-{1 + minutes // 1440 % 28:02}T{minutes // 60 % 24:02}:{minutes % 60:02}"
                    f":{minutes // 40320 % 60:02}.000Z", "figures": figures}}
    with open(folder / "runs.jsonl", "w", encoding="utf-8") as file:
        file.write('{"schema":"shadowbox-history-lines/1"}\n')
        file.writelines(json.dumps(run(i)) + "\n" for i in range(n))
    return ["history", "import", "runs.jsonl", "--history", "h.sqlite"]


READINGS, LABELS, TRACES = 100_000, 1000, 100
# These may grow faster: the command refuses more before they take long.
BOUNDED = {"labels at one time, half of them found (bounded)"}
# Command, dimension, number at 1x, and what makes the input.
CASES = [
    ("score events", "labels", LABELS, labels),
    ("score events", "labels at one time", LABELS, lambda f, n: labels(f, n, spacing=0)),
    ("score events", "labels at one time, half of them found (bounded)", LABELS,
     half_found),
    ("score events", "classes", 10, lambda f, n: labels(f, 10 * n, label=lambda i: f"c{i % n}")),
    ("score events", "intervals", LABELS, lambda f, n: intervals(f, n, "events")),
    ("score events", "recordings", TRACES, recordings),
    ("score events", "people", 10, people),
    ("score visits", "places", 100, lambda f, n: intervals(f, n, "visits")),
    ("score presence", "peers", 100, lambda f, n: intervals(f, n, "presence")),
    ("score presence", "intervals of a peer", LABELS,
     lambda f, n: intervals(f, n, "presence", lambda i: 1)),
    ("score track", "splits", LABELS, splits),
    ("convert CSV", "readings", READINGS, motion),
    ("convert CSV", "columns", 10, lambda f, n: motion(f, 1000, columns=n)),
    ("convert CSV", "recordings (--split-by)", TRACES, natives),
    ("convert CSV", "labels (--reference)", LABELS,
     lambda f, n: table(f / "l.tsv", "filename\tonset\toffset\tevent_label",
                        (f"x.csv\t{i / n * 100:.5f}\t{i / n * 100:.5f}\tjab" for i in range(n)))
     and motion(f, 10_000) + ["--reference", "l.tsv"]),
    ("convert GPX", "readings", READINGS // 10, gpx),
    ("convert GPX", "places", 100, lambda f, n: gpx(f, 100, waypoints=n) + ["--waypoints-as-places"]),
    ("convert GPX", "attributes of a tag", 100, lambda f, n: gpx(f, 2, attributes=n)),
    ("info", "readings", READINGS, lambda f, n: ["info", native(f, n)]),
    ("info", "recordings", TRACES, lambda f, n: ["info", made_natives(f, n)]),
    ("validate", "readings", READINGS, lambda f, n: ["validate", native(f, n)]),
    ("validate", "recordings", TRACES, lambda f, n: ["validate", made_natives(f, n)]),
    ("validate", "fixes", READINGS // 10,
     lambda f, n: converted(gpx(f, n), f, "validate", "x.h5")),
    ("export", "readings", READINGS,
     lambda f, n: ["export", native(f, n), "-o", "t.trace", "--force"]),
    ("trim", "readings", READINGS,
     lambda f, n: ["trim", native(f, n), "--from", "1s", "-o", "t.h5", "--force"]),
    ("resample", "readings", READINGS,
     lambda f, n: ["resample", native(f, n), "--rate", "50Hz", "-o", "t.h5", "--force"]),
    ("anonymize", "fixes", READINGS // 10,
     lambda f, n: converted(gpx(f, n), f, "anonymize", "x.h5", "-o", "t.h5", "--force")),
    ("merge", "readings", READINGS, lambda f, n: parts(f, 2, n)),
    ("merge", "parts", 10, lambda f, n: parts(f, n, 100)),
    ("merge", "places", LABELS,
     lambda f, n: converted(gpx(f, 100, waypoints=n) + ["--waypoints-as-places"], f, "merge", "x.h5",
                            "x.h5", "--append", "--gap", "1s", "-o", "t.h5", "--force")),
    ("align", "readings", READINGS, two),
    ("replay punch", "readings", READINGS, lambda f, n: ["replay", native(f, n), "--detector", "punch"]),
    ("replay checkin", "places", 100,
     lambda f, n: converted(gpx(f, 1000, waypoints=n) + ["--waypoints-as-places"], f, "replay", "x.h5",
                            "--detector", "checkin")),
    ("replay track", "fixes", READINGS // 10,
     lambda f, n: converted(gpx(f, n), f, "replay", "x.h5", "--detector", "track")),
    ("run", "readings", READINGS,
     lambda f, n: ["run", native(f, n), "--detector", "punch", "-o", "r.h5", "--force"]),
    ("run", "references", LABELS,
     lambda f, n: ["run", native(f, 10_000, references=n), "--detector", "punch", "-o", "r.h5",
                   "--force"]),
    ("run", "recordings", TRACES,
     lambda f, n: ["run", made_natives(f, n), "--detector", "punch", "-o", "r.h5", "--force"]),
    ("run", "people", 10, lambda f, n: ["run", made_natives(f, n), "--detector", "punch", "-o", "r.h5",
                                        "--force"]),
    ("run", "entries", 10, suite),
    ("info of results", "entries", 10, lambda f, n: prepare(*suite(f, n), folder=f)
     or ["info", "x-results.h5"]),
    ("compare", "recordings", TRACES,
     lambda f, n: compared(["compare", "a-results.h5", "b-results.h5"], f, n, people=5)),
    ("compare", "people", 10, lambda f, n: compared(["compare", "a-results.h5", "b-results.h5"], f, n)),
    ("gate", "people", 10,
     lambda f, n: compared(["gate", "--base-results", "a-results.h5", "--head-results", "b-results.h5"],
                           f, n)),
    ("rerun", "recordings", TRACES, lambda f, n: compared(["rerun", "a-results.h5"], f, n, people=5)),
    ("history import", "runs", TRACES, history),
    ("history", "runs", TRACES, lambda f, n: prepare(*history(f, n), folder=f)
     or ["history", "--history", "h.sqlite"]),
    ("history", "runs of a timing on two days", 20,
     lambda f, n: prepare(*history(f, n, two_days=True), folder=f) or ["history", "--history", "h.sqlite"]),
    ("run", "activities of a profile", LABELS,
     lambda f, n: ["run", native(f, 1000), "--detector", "punch", "--profile", profile(f, n), "-o",
                   "r.h5", "--force"]),
    ("plan", "people recorded", TRACES, recorded),
    ("sweep", "readings", READINGS, lambda f, n: ["sweep", native(f, n), "--detector", "punch"]),
    ("sweep", "references", LABELS,
     lambda f, n: ["sweep", native(f, 10_000, references=n), "--detector", "punch"]),
    ("sweep", "recordings", TRACES,
     lambda f, n: ["sweep", made_natives(f, n, people=5), "--detector", "punch"]),
    ("sweep", "people", 10, lambda f, n: ["sweep", made_natives(f, n), "--detector", "punch"]),
    ("tune", "readings", READINGS,
     lambda f, n: (native(f, n, "a", seed=1), native(f, n, "b", seed=2), native(f, n, "c", seed=3))
     and ["tune", "a.h5", "b.h5", "c.h5", "--detector", "punch", "--no-cache",
          "--allow-few-groups", "--max-false-alarms", "100000"]),
    ("tune", "recordings", TRACES,
     lambda f, n: ["tune", made_natives(f, n, people=5), "--detector", "punch", "--no-cache",
          "--max-false-alarms", "100000"]),
    ("tune", "people", 10,
     lambda f, n: ["tune", made_natives(f, n), "--detector", "punch", "--no-cache",
          "--max-false-alarms", "100000"]),
]


def apart(make, folder, n):
    """Makes the input in a process of its own: a child's largest memory is at least its parent's."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = {"arguments": [str(argument) for argument in make(folder, n)]}
        except BaseException as error:
            answer = {"failure": repr(error)}
        finally:
            os.write(writing, json.dumps(answer).encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        answer = json.loads(file.read() or "{}")
    os.waitpid(child, 0)
    if "arguments" not in answer:
        raise Failed(answer.get("failure", "the input could not be made"))
    return answer["arguments"]


def ratio(small, large, least):
    return None if large < least else large / max(small, least / 10)


def row(case, factors, start, scratch):
    """Measures one row; returns its text and whether it is within the limits."""
    command, dimension, unit, make = case
    times, sizes, refused = [], [], ""
    for factor in factors:
        with tempfile.TemporaryDirectory(dir=scratch) as name:
            folder = Path(name)
            arguments = apart(make, folder, unit * factor)
            time, size, code = measure(arguments, folder)
            if code == 65 and factor > 1 and not arguments[0] == "validate":
                refused = (folder / "stderr").read_text().strip().splitlines()[-1]
                break
            # A gate's FAIL, and validate's findings.
            judged = {"gate": 2, "validate": 65}.get(arguments[0])
            if code not in (0, 5, judged):
                raise Failed(f"{command} ({dimension}) x{factor}: exit {code}: "
                             + (folder / "stderr").read_text()[-500:])
            times.append(max(0.0, time - start[0]))
            sizes.append(size)
    grown = [ratio(a, b, LEAST_TIME) for a, b in zip(times, times[1:])]
    more = [ratio(a - start[1], b - start[1], LEAST_MEMORY) for a, b in zip(sizes, sizes[1:])]
    isWithin = all(value is None or value <= MOST or dimension in BOUNDED for value in grown) \
        and all(value is None or value <= MOST_MEMORY for value in more)
    cells = [f"{t:.2f}" for t in times] + ["-"] * (len(factors) - len(times))
    memory = [f"{s / 1024:.0f}" for s in sizes] + ["-"] * (len(factors) - len(sizes))
    ratios = ["-" if value is None else f"{value:.1f}" for value in grown]
    text = (f"| {command} | {dimension} | {unit:,} | " + " / ".join(cells) + " | "
            + " / ".join(memory) + " | " + " / ".join(ratios or ["-"]) + " |"
            + ("" if isWithin else " TOO FAST"))
    return text + (f"\n  refused: {refused}" if refused else ""), isWithin


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="only rows with one of these words")
    parser.add_argument("--largest", type=int, choices=(10, 100), default=100)
    options = parser.parse_args()
    factors = [factor for factor in (1, 10, 100) if factor <= options.largest]
    faults = 0
    with tempfile.TemporaryDirectory(prefix="growth-") as scratch:
        starts = [measure(["--version"], Path(scratch)) for _ in range(5)]
        start = (sorted(s[0] for s in starts)[2], starts[0][1])
        print("| command | dimension | 1x | processor time at " + ", ".join(f"{f}x" for f in factors)
              + " [s] | memory [MB] | time per step of ten |")
        print("|---|---|---|---|---|---|", flush=True)
        for case in CASES:
            name = f"{case[0]} {case[1]}"
            if options.words and not any(word in name for word in options.words):
                continue
            try:
                text, isWithin = row(case, factors, start, scratch)
            except Failed as error:
                print(error, file=sys.stderr)
                return 1
            faults += not isWithin
            print(text, flush=True)
    if faults:
        print(f"{faults} rows grow faster than {MOST} times per step of ten", file=sys.stderr)
    return 2 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
