"""Checks that nothing grows with the length of a gap or with the time that a clock shows.

    python3 Tests/Python/check_gaps.py

Recordings get a gap of a second, a day, a year and 50 years in their middle, and clocks of 1677, 1970 and 2262.
Every command that takes a recording plays them. What it prints and writes may be no more than with a gap of a
second, up to a factor that numbers with more digits need. Work is bounded by readings, events and deadlines, so
a limit of processor time a hundred times what a command takes stops only what would run for days. Two people
with clocks of 1970 and 2262 have the longest gap of all. Exits with 1 and says what is wrong.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy as np

from long_tests import ARE_WANTED

PROGRAM = os.environ["SHADOWBOX_EXECUTABLE"]
GAPS = {"second": 1, "day": 86_400, "year": 365 * 86_400, "50 years": 50 * 365 * 86_400}
CLOCKS = {"1970": "1970-01-01T00:00:00Z", "2262": "2262-04-10T00:00:00Z", "1677": "1677-09-22T00:00:00Z"}
# Seconds of a processor: only a hang takes them.
LIMIT = 20 if not PROGRAM.endswith("debug/shadowbox") else 200
TIMES = {"time", "arrived", "onset", "offset"}
SCENARIOS = {
    "a": ["punches", "--duration", "20s"], "b": ["punches", "--duration", "20s", "--subject", "2"],
    "w": ["walking", "--duration", "20s"], "f1": ["fight", "--duration", "20s"],
    "f2": ["fight", "--duration", "20s", "--subject", "2"], "r": ["route"], "t": ["track-run"],
    "d1": ["drags", "--duration", "30s"], "d2": ["drags", "--duration", "30s", "--subject", "2"],
    "p": ["presence", "--duration", "60s"]}
DAY = "schema: shadowbox-day/1\nactivities: {punching: 2, walking: 9.5}\n"
DELIVERIES = ["android-background-location", "ios-background", "harsh", "ideal:awake=0.001s,asleep=0.001s,tick=1e-9s",
              "ideal:batch-count=2,batch-latency=1e-9s,min-interval=1e-9s", "network-poor"]
PUNCH = ["--detector", "punch"]


def commands():
    """Arguments; OUT is a folder of the row's own."""
    for one in "arptw":
        yield ["info", f"{one}.h5", "--plot"]
        yield ["validate", f"{one}.h5"]
        yield ["replay", f"{one}.h5", "--policy", "--format", "csv"]
        yield ["export", f"{one}.h5", "-o", "OUT/x.trace"]
        yield ["convert", f"{one}.h5", "-o", "OUT/x.csv", "--channel", "user_acceleration"] if one in "aw" else [
            "convert", f"{one}.h5", "-o", "OUT/x.csv"]
        yield ["trim", f"{one}.h5", "--from", "1s", "-o", "OUT/x.h5"]
        yield ["anonymize", f"{one}.h5", "--move", "--shift-time", "--seed", "1", "-o", "OUT/x.h5"]
        yield ["bench", f"{one}.h5", "--devices", "2", "--duration", "0.1s"]
        yield ["merge", f"{one}.h5", f"{one}.h5", "--append", "--gap", "1s", "-o", "OUT/x.h5"]
        for delivery in DELIVERIES if ARE_WANTED else DELIVERIES[2:4]:
            yield ["replay", f"{one}.h5", "--delivery", delivery]
    yield ["run", "a.h5", "b.h5", "w.h5", *PUNCH, "--gravity-filter", "lowpass", "--full", "--profile", "day.yml", "-o",
           "OUT/r.h5", "--log", "OUT/r.log", "--errors", "OUT/e.csv", "--report", "OUT/r.html"]
    yield ["run", "r.h5", "-o", "OUT/r.h5", "--report", "OUT/r.html"]
    yield ["run", "t.h5", "-o", "OUT/r.h5", "--report", "OUT/r.html"]
    yield ["run", "p.h5", "-o", "OUT/r.h5", "--full"]
    yield ["sweep", "a.h5", "b.h5", *PUNCH, "-o", "OUT/s.h5"]
    yield ["tune", "a.h5", "b.h5", *PUNCH, "--confidence", "0.5", "-o", "OUT/t.json"]
    yield ["enroll", "a.h5", "-o", "OUT/e.json"]
    yield ["resample", "a.h5", "--rate", "25Hz", "-o", "OUT/x.h5"]
    yield ["resample", "a.h5", "--rate", "25Hz", "--fill-gaps", "-o", "OUT/x.h5"]
    yield ["replay", "a.h5", "--device-rate", "25Hz"]
    yield ["align", "a.h5", "a.h5"]
    yield ["export", "a.h5", "-o", "OUT/x.wav"]
    yield ["export", "a.h5", "--as", "audacity", "-o", "OUT/x.txt"]
    for ending in ("gpx", "kml", "geojson"):
        yield ["export", "t.h5", "-o", f"OUT/x.{ending}"]
    for app, people in {"fight": ["f1.h5", "f2.h5"], "fight/hitThat": ["f1.h5", "f2.h5"], "hike": ["r.h5"],
                        "hike/goHike": ["r.h5"], "workout": ["t.h5"], "workout/tri": ["t.h5"], "tictactoe": ["p.h5"],
                        "tictactoe/ticChatToe": ["p.h5"], "pictureguess": ["d1.h5", "d2.h5"],
                        "pictureguess/iPict": ["d1.h5", "d2.h5"]}.items():
        yield ["replay", "--app", app, *people, "--together", "--policy"]
        yield ["shrink", "--app", app, *people, "--together", "--policy", "--search", "2", "--count"]
    if ARE_WANTED:
        yield ["replay", "a.h5", "--picture", "OUT/x.svg"]
        yield ["replay", "t.h5", "--picture", "OUT/x.png"]
        yield ["sweep", "a.h5", *PUNCH, "--picture", "OUT/x.svg"]


def stretched(source, target, gap=0, clock=None):
    """A copy with a gap of so many seconds in its middle, or with another clock."""
    shutil.copy(source, target)
    with h5py.File(target, "r+") as file:
        found = []
        file.visititems(lambda name, item: found.append(item) if name.rsplit("/", 1)[-1] in TIMES else None)
        cut = max(item[-1] for item in found if item.name.endswith("/time")) // 2
        for item in found:
            times = item[...]
            times[times > cut] += gap * 10**9
            item[...] = times
            if clock and "units" in item.attrs:
                item.attrs["units"] = f"nanoseconds since {clock}"
        if "end" in file.attrs:
            file.attrs["end"] = np.int64(file.attrs["end"] + gap * 10**9)
        if clock:
            file.attrs["recorded_at"] = clock
            file.attrs["epoch_known"] = np.int8(1)


def restrict():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


def run(folder, number, arguments):
    """The exit code, and the bytes that a command prints and writes."""
    out = folder / f"out{number}"
    out.mkdir()
    arguments = [each.replace("OUT", out.name) for each in arguments]
    done = subprocess.run(
        [PROGRAM, *arguments], cwd=folder, capture_output=True, preexec_fn=restrict,
        env={**os.environ, "SHADOWBOX_PYTHON": sys.executable, "XDG_CACHE_HOME": str(folder / "cache")})
    size = len(done.stdout) + len(done.stderr) + sum(path.stat().st_size for path in out.rglob("*"))
    return done.returncode, size, done.stderr.decode(errors="replace")


def rows(folder, table):
    folder.joinpath("day.yml").write_text(DAY)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda each: run(folder, *each), enumerate(table)))


def main():
    faults, count, table = [], 0, list(commands())
    with tempfile.TemporaryDirectory(prefix="gaps-") as name:
        base = Path(name, "made")
        base.mkdir()
        for id_, scenario in SCENARIOS.items():
            subprocess.run([PROGRAM, "synth", *scenario, "-o", f"{id_}.h5", "--quiet"], cwd=base, check=True)
        variants = {gap: {"gap": GAPS[gap]} for gap in (GAPS if ARE_WANTED else ["second", "50 years"])}
        variants |= {clock: {"clock": CLOCKS[clock]} for clock in (CLOCKS if ARE_WANTED else [])}
        usual = None
        for variant, change in variants.items():
            folder = Path(name, variant)
            folder.mkdir()
            for source in base.iterdir():
                stretched(source, folder / source.name, **change)
            found = rows(folder, table)
            count += len(found)
            usual = usual or found
            for arguments, (code, size, errors), (_, before, _) in zip(table, found, usual):
                text = f"{variant}: {' '.join(arguments)}"
                if code not in (0, 2, 3, 64, 65):
                    faults.append(f"{text}: exit code {code}: {errors[-300:]}")
                elif size > 1.5 * before + 30_000:
                    faults.append(f"{text}: {size} bytes, with a gap of a second {before}")
        faults += apart(Path(name, "apart"), base)
    for fault in faults:
        print(fault)
    print(f"{count} commands with gaps and clocks: {len(faults)} faults")
    return 1 if faults else 0


def apart(folder, base):
    """People of one app, or devices of one run, with clocks of 1970 and 2262."""
    folder.mkdir()
    for id_ in SCENARIOS:
        for clock in ("1970", "2262"):
            stretched(base / f"{id_}.h5", folder / f"{id_}-{clock}.h5", clock=CLOCKS[clock])
    table = [["replay", "--app", app, f"{one}-1970.h5", f"{two}-2262.h5"] for app, one, two in [
        ("fight", "f1", "f2"), ("fight/hitThat", "f1", "f2"), ("hike", "r", "r"), ("workout", "t", "t"),
        ("tictactoe", "p", "p"), ("pictureguess", "d1", "d2")]]
    table += [["replay", "a-1970.h5", "b-2262.h5"], ["bench", "a-1970.h5", "b-2262.h5", "--duration", "0.1s"],
              ["align", "a-1970.h5", "a-2262.h5"], ["merge", "a-1970.h5", "a-2262.h5", "-o", "OUT/m.h5"],
              ["run", "a-1970.h5", "b-2262.h5", *PUNCH, "-o", "OUT/r.h5", "--report", "OUT/r.html"]]
    return [f"{' '.join(arguments)}: exit code {code}, {size} bytes: {errors[-200:]}"
            for arguments, (code, size, errors) in zip(table, rows(folder, table))
            if code not in (0, 3, 64, 65) or size > 2_000_000]


if __name__ == "__main__":
    sys.exit(main())
