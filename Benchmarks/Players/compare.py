#!/usr/bin/env python3
"""Plays the same devices with Shadowbox, with asyncio and with C++, interleaved, and compares.

    Benchmarks/Players/compare.py [--devices 100] [--seconds 5] [--rounds 3] [--stress N] [--check]

The table is on standard output, the progress on standard error. README.md describes it.
Exit codes: 0 done, 2 a target is not met (with --check), 64 wrong use, 65 a player's answer makes
no sense, 70 a player or the compiler failed, 74 file error, 130 interrupted.
"""

import argparse
import contextlib
import json
import math
import os
import platform
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

NOT_MET, WRONG_USE, BAD_DATA, CHILD_FAILED, FILE_ERROR = 2, 64, 65, 70, 74
INTERRUPTED, TERMINATED = 130, 143

PERCENTILES = ("p50", "p90", "p99", "p99_9", "max")


class Failure(Exception):
    """An error that ends the comparison, with its exit code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


# MARK: Players


@dataclass(frozen=True)
class Player:
    key: str
    label: str
    command: list[str]
    # What the answer must have under these names.
    expected: dict[str, object]
    accepted_codes: tuple[int, ...] = (0,)
    # The answer is what `shadowbox bench` prints, not an object with the fields of README.md.
    is_bench: bool = False


@dataclass(frozen=True)
class Run:
    """One run of one player. A percentile that the count does not support is None."""

    lateness_ns: dict[str, int | None]
    deliveries: int
    missed: int
    cpu_seconds: float
    # Until the player was done.
    wall_seconds: float
    # In which the readings are scheduled.
    seconds: float
    detections: int | None = None
    verdict: str | None = None

    @property
    def cpu_percent(self) -> float:
        """Of one core, for the same schedule: by the wall a player that waits on for something
        after its last reading would look cheaper."""
        return 100 * self.cpu_seconds / self.seconds


KEYS = ("cpp", "asyncio", "sleep", "sleep-then-spin")


def make_players(options: argparse.Namespace, cpp_program: Path) -> list[Player]:
    schedule = ["--devices", str(options.devices), "--seconds", f"{options.seconds:g}"]
    cpp = [str(cpp_program), *schedule]
    cpp_label = "C++ sleep_until"
    if options.timer_slack is not None:
        cpp += ["--timer-slack", str(options.timer_slack)]
        cpp_label += f", slack {options.timer_slack} ns"
    asyncio = [sys.executable, str(HERE / "asyncio_player.py"), *schedule]
    asyncio += ["--style", options.asyncio_style, "--selector", options.asyncio_selector]
    asyncio_label = f"asyncio {options.asyncio_style}"
    if options.asyncio_selector != "default":
        asyncio_label += f", {options.asyncio_selector}"
    expected = {"devices": options.devices}
    players = [
        Player("cpp", cpp_label, cpp, expected),
        Player("asyncio", asyncio_label, asyncio, expected),
    ]
    for mode in ("sleep", "sleep-then-spin"):
        command = [str(options.shadowbox), "bench", "--devices", str(options.devices)]
        command += ["--duration", f"{options.seconds:g}s", "--mode", mode, "--format", "json"]
        named = expected | {"mode": mode}
        # With 3 its timing is invalid: a result like any other.
        players.append(Player(mode, f"Shadowbox {mode}", command, named, (0, 3), is_bench=True))
    return [player for player in players if player.key in options.players]


def build_cpp_player(compiler: str, folder: Path) -> Path:
    program = folder / "sleep_until_player"
    source = HERE / "sleep_until_player.cpp"
    command = [*shlex.split(compiler), "-std=c++17", "-O2", "-pthread", "-o", str(program)]
    try:
        done = subprocess.run([*command, str(source)], capture_output=True, text=True)
    except OSError as error:
        raise Failure(
            FILE_ERROR, f"{compiler}: cannot be run: {error.strerror}; name a compiler by --cxx"
        ) from None
    if done.returncode != 0:
        raise Failure(CHILD_FAILED, f"{source.name}: does not compile:\n{done.stderr.strip()}")
    return program


def play(player: Player, seconds: float) -> Run:
    # A player that cannot keep up plays everything late: allow for it, but not without end.
    limit = 60 + 30 * seconds
    try:
        done = subprocess.run(
            player.command, capture_output=True, text=True, cwd=ROOT, timeout=limit
        )
    except OSError as error:
        raise Failure(
            FILE_ERROR, f"{player.command[0]}: cannot be run: {error.strerror}"
        ) from None
    except subprocess.TimeoutExpired:
        raise Failure(CHILD_FAILED, f"{player.label}: no end after {limit:g} s") from None
    if done.returncode not in player.accepted_codes:
        said = done.stderr.strip() or "without a word"
        command = shlex.join(player.command)
        raise Failure(CHILD_FAILED, f"{command}: ended with {done.returncode}: {said}")
    return parse_run(done.stdout, player)


def whole_number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def bench_fields(document: dict, player: Player) -> dict[str, object]:
    """The fields of README.md from what `shadowbox bench` prints, where it has them."""
    trials = document.get("trials")
    if not isinstance(trials, list) or len(trials) != 1 or not isinstance(trials[0], dict):
        raise Failure(BAD_DATA, f"{player.label}: trials: expected a list of one object")
    trial = trials[0]
    timing = trial.get("timing")
    if not isinstance(timing, dict):
        raise Failure(BAD_DATA, f"{player.label}: timing: expected an object")
    return {
        "devices": trial.get("devices"),
        "seconds": document.get("duration_seconds"),
        "detections": trial.get("detections"),
        # As of the rivals, of the process and not of one of its threads.
        "cpu_seconds": timing.get("process_cpu_seconds"),
    } | {
        name: timing.get(name)
        for name in ("mode", "deliveries", "missed", "lateness_ns", "wall_seconds", "verdict")
    }


def parse_run(text: str, player: Player) -> Run:
    """What a player printed; throws where a field is missing or makes no sense."""
    try:
        answer = json.loads(text)
    except json.JSONDecodeError as error:
        raise Failure(BAD_DATA, f"{player.label}: expected one JSON object: {error}") from None
    if not isinstance(answer, dict):
        raise Failure(BAD_DATA, f"{player.label}: expected one JSON object, found {text[:60]!r}")
    if player.is_bench:
        answer = bench_fields(answer, player)
    for name, value in player.expected.items():
        if answer.get(name) != value:
            found = json.dumps(answer.get(name))
            raise Failure(
                BAD_DATA, f"{player.label}: {name}: expected {json.dumps(value)}, found {found}"
            )

    def number(name: str, fields: dict, kinds: type = int | float):
        value = fields.get(name)
        if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value < math.inf:
            raise Failure(
                BAD_DATA,
                f"{player.label}: {name}: expected a number of at least 0,"
                f" found {json.dumps(value)}",
            )
        return value

    lateness = answer.get("lateness_ns")
    if not isinstance(lateness, dict):
        raise Failure(BAD_DATA, f"{player.label}: lateness_ns: expected an object")
    verdict = answer.get("verdict")
    if not isinstance(verdict, str | None):
        raise Failure(
            BAD_DATA, f"{player.label}: verdict: expected a text, found {json.dumps(verdict)}"
        )
    run = Run(
        lateness_ns={
            name: None if lateness.get(name) is None else number(name, lateness)
            for name in PERCENTILES
        },
        deliveries=number("deliveries", answer, int),
        missed=number("missed", answer, int),
        cpu_seconds=number("cpu_seconds", answer),
        wall_seconds=number("wall_seconds", answer),
        seconds=number("seconds", answer),
        detections=whole_number(answer.get("detections")),
        verdict=verdict,
    )
    if run.seconds == 0:
        raise Failure(BAD_DATA, f"{player.label}: seconds: expected more than 0")
    return run


# MARK: Arithmetic


@dataclass(frozen=True)
class Spread:
    median: float
    least: float
    most: float

    @staticmethod
    def of(values: list[float]) -> "Spread | None":
        """None without a value.

        >>> Spread.of([3, 1, 10])
        Spread(median=3, least=1, most=10)
        """
        return Spread(statistics.median(values), min(values), max(values)) if values else None


def interleaved(keys: list[str]) -> list[str]:
    """The order of one round: there and back, so that a steady drift hits all alike.

    >>> interleaved(["a", "b", "c"])
    ['a', 'b', 'c', 'c', 'b', 'a']
    """
    return keys + keys[::-1]


def quotient(numerator: float, denominator: float) -> float | None:
    """None where there is none."""
    return numerator / denominator if denominator else None


def ratios(ours: list[list[Run]], theirs: list[list[Run]]) -> list[float | None]:
    """p99 lateness, ours over theirs, one ratio per round: each side's mean over its two runs."""

    def mean_p99(runs: list[Run]) -> float:
        return statistics.fmean(run.lateness_ns["p99"] for run in runs)

    return [quotient(mean_p99(a), mean_p99(b)) for a, b in zip(ours, theirs, strict=True)]


@dataclass(frozen=True)
class Target:
    ours: str
    theirs: str
    at_most: float


TARGETS = (
    Target("sleep", "cpp", 1.1),
    Target("sleep", "asyncio", 0.5),
    Target("sleep-then-spin", "cpp", 0.2),
)


@dataclass(frozen=True)
class Verdict:
    """Whether the median ratio of the rounds is at most the target."""

    target: Target
    ratio: Spread | None
    is_met: bool
    # Some rounds were within the target and some were not.
    is_split: bool


def judge(target: Target, found: list[float | None]) -> Verdict:
    ratio = Spread.of([value for value in found if value is not None])
    if ratio is None:
        return Verdict(target, None, False, False)
    is_split = ratio.least <= target.at_most < ratio.most
    return Verdict(target, ratio, ratio.median <= target.at_most, is_split)


# MARK: Measuring

# Ends by itself when the other end of its standard input is gone, so it outlives no one.
BUSY = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()
while True: pass
"""


@contextlib.contextmanager
def busy_processes(count: int) -> Iterator[list[subprocess.Popen]]:
    """Runs `count` busy processes, and always stops them."""
    processes = []
    try:
        for _ in range(count):
            command = [sys.executable, "-c", BUSY]
            processes.append(subprocess.Popen(command, stdin=subprocess.PIPE))
        yield processes
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()
            process.stdin.close()


def measure(players: list[Player], options: argparse.Namespace) -> dict[str, list[list[Run]]]:
    """The runs of each player: a list for each round."""
    runs = {player.key: [[] for _ in range(options.rounds)] for player in players}
    by_key = {player.key: player for player in players}
    total = 2 * len(players) * options.rounds
    done = 0
    for index in range(options.rounds):
        for key in interleaved(list(by_key)):
            run = play(by_key[key], options.seconds)
            if run.lateness_ns["p99"] is None:
                raise Failure(
                    BAD_DATA,
                    f"{by_key[key].label}: no p99 from {run.deliveries} deliveries;"
                    " take more --seconds or --devices",
                )
            runs[key][index].append(run)
            done += 1
            p99 = microseconds(run.lateness_ns["p99"])
            say(f"{done}/{total} {by_key[key].label}: p99 {p99} us", options)
    return runs


def check_schedules(runs: dict[str, list[list[Run]]]) -> None:
    """The other players have one schedule and equal receivers: their counts must be equal."""
    rivals = [run for key in ("cpp", "asyncio") for round in runs.get(key, []) for run in round]
    counts = {(run.deliveries, run.detections) for run in rivals}
    if len(counts) > 1:
        found = " and ".join(f"{d} with {n} detections" for d, n in sorted(counts))
        raise Failure(BAD_DATA, f"the other players' deliveries: expected the same, found {found}")


# MARK: Report


def say(message: str, options: argparse.Namespace) -> None:
    if not options.quiet:
        print(message, file=sys.stderr)


def microseconds(nanoseconds: float | None) -> str:
    return "-" if nanoseconds is None else f"{nanoseconds / 1000:.1f}"


def shown(spread: Spread | None, scale: float = 1, digits: int = 1) -> str:
    """`median (least-most)`.

    >>> shown(Spread(1500, 1000, 2500), scale=1e-3), shown(None)
    ('1.5 (1.0-2.5)', '-')
    """
    if spread is None:
        return "-"
    parts = (spread.median, spread.least, spread.most)
    median, least, most = (f"{part * scale:.{digits}f}" for part in parts)
    return f"{median} ({least}-{most})"


def flattened(rounds: list[list[Run]]) -> list[Run]:
    return [run for round in rounds for run in round]


def lateness_spread(runs: list[Run], name: str) -> Spread | None:
    values = [run.lateness_ns[name] for run in runs]
    return Spread.of([value for value in values if value is not None])


def table(rows: list[list[str]]) -> str:
    """Columns side by side; the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        first, *rest = (
            cell.rjust(width) if index else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *rest]).rstrip())
    return "\n".join(lines)


def lateness_table(players: list[Player], runs: dict[str, list[list[Run]]]) -> str:
    rows = [["lateness in us", "p50", "p90", "p99", "p99.9", "max"]]
    for player in players:
        own = flattened(runs[player.key])
        cells = [shown(lateness_spread(own, name), 1e-3) for name in PERCENTILES]
        rows.append([player.label, *cells])
    return table(rows)


def cost_table(players: list[Player], runs: dict[str, list[list[Run]]]) -> str:
    rows = [["", "CPU % of a core", "deliveries a run", "missed in all", "VALID runs"]]
    for player in players:
        own = flattened(runs[player.key])
        verdicts = [run.verdict for run in own if run.verdict is not None]
        valid = sum(verdict.upper() == "VALID" for verdict in verdicts)
        rows.append(
            [
                player.label,
                shown(Spread.of([run.cpu_percent for run in own])),
                f"{statistics.median(run.deliveries for run in own):.0f}",
                str(sum(run.missed for run in own)),
                f"{valid} of {len(verdicts)}" if verdicts else "-",
            ]
        )
    return table(rows)


def target_table(verdicts: list[Verdict], labels: dict[str, str]) -> str:
    rows = [["p99 lateness, ours / theirs", "ratio", "target", ""]]
    for verdict in verdicts:
        answer = "met" if verdict.is_met else "not met"
        if verdict.is_split:
            answer += ", the rounds disagree"
        rows.append(
            [
                f"{labels[verdict.target.ours]} / {labels[verdict.target.theirs]}",
                shown(verdict.ratio, digits=3),
                f"<= {verdict.target.at_most:g}",
                answer,
            ]
        )
    return table(rows)


def describe_machine(compiler: str) -> dict[str, object]:
    model = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    version = subprocess.run(
        [*shlex.split(compiler), "--version"], capture_output=True, text=True
    ).stdout
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "compiler": version.partition("\n")[0],
    }


def document(
    options: argparse.Namespace,
    machine: dict[str, object],
    players: list[Player],
    runs: dict[str, list[list[Run]]],
    verdicts: list[Verdict],
) -> dict[str, object]:
    """All that was measured, for `--json`."""
    return {
        "machine": machine,
        "devices": options.devices,
        "seconds": options.seconds,
        "rounds": options.rounds,
        "stress": options.stress,
        "players": [
            {
                "key": player.key,
                "label": player.label,
                "command": [Path(player.command[0]).name, *player.command[1:]],
                "rounds": [[asdict(run) for run in round] for round in runs[player.key]],
            }
            for player in players
        ],
        "targets": [asdict(verdict) for verdict in verdicts],
    }


@contextlib.contextmanager
def output_file(path: Path | None) -> Iterator[Callable[[dict[str, object]], None]]:
    """What writes a document to `path`, or nowhere. A path that cannot be written fails at once,
    before anything is measured; an old file stays until the new one is whole."""
    if path is None:
        yield lambda _: None
        return
    partial = path.with_name(path.name + ".partial")

    def write(found: dict[str, object]) -> None:
        try:
            partial.write_text(json.dumps(found, indent=2) + "\n")
            partial.replace(path)
        except OSError as error:
            raise Failure(FILE_ERROR, f"{path}: cannot be written: {error.strerror}") from None

    try:
        partial.touch()
    except OSError as error:
        raise Failure(FILE_ERROR, f"{path}: cannot be written: {error.strerror}") from None
    try:
        yield write
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()


# MARK: Command


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        print(f"{self.prog}: {message}; see --help", file=sys.stderr)
        sys.exit(WRONG_USE)


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = Parser(description="Compares the lateness of Shadowbox with that of other players.")
    add = parser.add_argument
    add("--devices", type=int, default=100, help="default %(default)s")
    add("--seconds", type=float, default=5.0, help="of each run; default %(default)s")
    add("--rounds", type=int, default=3, help="each plays every player twice; default %(default)s")
    add("--stress", type=int, default=0, metavar="N", help="busy processes at the same time")
    add(
        "--shadowbox",
        type=Path,
        default=ROOT / ".build" / "release" / "shadowbox",
        metavar="PROGRAM",
        help="default .build/release/shadowbox",
    )
    add("--cxx", default=os.environ.get("CXX") or "g++", help="compiler; default $CXX or g++")
    add(
        "--players",
        type=lambda text: text.split(","),
        default=list(KEYS),
        metavar="LIST",
        help=f"of {','.join(KEYS)}; default all",
    )
    add("--timer-slack", type=int, metavar="NS", help="for the C++ player (Linux)")
    add("--asyncio-style", choices=["tasks", "heap"], default="heap")
    add("--asyncio-selector", choices=["default", "select"], default="default")
    add("--json", type=Path, metavar="FILE", help="write every run and ratio")
    add("--check", action="store_true", help="exit with 2 if a target is not met")
    add("--quiet", action="store_true", help="no progress")
    options = parser.parse_args(arguments)
    ranges = [
        ("--devices", options.devices, 1, 100_000),
        ("--seconds", options.seconds, 0.001, 3600),
        ("--rounds", options.rounds, 1, 1000),
        ("--stress", options.stress, 0, 1000),
    ]
    for name, value, least, most in ranges:
        if not least <= value <= most:
            parser.error(f"{name}: expected {least}...{most}, found {value}")
    for key in options.players:
        if key not in KEYS:
            parser.error(f"--players: expected some of {', '.join(KEYS)}, found '{key}'")
    if options.check and set(options.players) != set(KEYS):
        parser.error("--check needs all players")
    options.shadowbox = options.shadowbox.absolute()
    return options


def require_shadowbox(options: argparse.Namespace) -> None:
    if not {"sleep", "sleep-then-spin"} & set(options.players):
        return
    if not os.access(options.shadowbox, os.X_OK) or options.shadowbox.is_dir():
        raise Failure(
            FILE_ERROR,
            f"{options.shadowbox}: expected the program, found none; build it with `make build`"
            " or name it by --shadowbox",
        )


def compare(options: argparse.Namespace) -> int:
    require_shadowbox(options)
    with output_file(options.json) as write, tempfile.TemporaryDirectory() as folder:
        # Before the compiler runs, whose load would otherwise be reported.
        load = os.getloadavg()[0]
        players = make_players(options, build_cpp_player(options.cxx, Path(folder)))
        if load > 0.5:
            say(f"the machine is busy (load {load:.1f}): expect noise in all figures", options)
        with busy_processes(options.stress):
            runs = measure(players, options)
        loads = {"load_before": load, "load_after": os.getloadavg()[0]}
        machine = describe_machine(options.cxx) | loads
        check_schedules(runs)
        verdicts = [
            judge(target, ratios(runs[target.ours], runs[target.theirs]))
            for target in TARGETS
            if target.ours in runs and target.theirs in runs
        ]
        write(document(options, machine, players, runs, verdicts))
        print_report(options, machine, players, runs, verdicts)
    return NOT_MET if options.check and not all(v.is_met for v in verdicts) else 0


def print_report(
    options: argparse.Namespace,
    machine: dict[str, object],
    players: list[Player],
    runs: dict[str, list[list[Run]]],
    verdicts: list[Verdict],
) -> None:
    print(
        f"{options.devices} devices, {options.seconds:g} s a run, {options.rounds} rounds of two"
        f" runs each, {options.stress} busy processes at the same time\n"
        f"{machine['processor']}, {machine['cores']} cores, {machine['system']},"
        f" load {machine['load_before']:.1f} before and {machine['load_after']:.1f} after\n"
        f"{machine['compiler']}; Python {machine['python']}\n\n"
        f"{lateness_table(players, runs)}\n\n{cost_table(players, runs)}"
    )
    if verdicts:
        labels = {player.key: player.label for player in players}
        print(f"\n{target_table(verdicts, labels)}")
    print("\nMedian (least-most): of the runs, in the last table of the rounds.")


def main() -> int:
    # As an interrupt does, so that what was started is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    options = parse()
    try:
        return compare(options)
    except Failure as failure:
        print(f"compare.py: {failure}", file=sys.stderr)
        return failure.code
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
