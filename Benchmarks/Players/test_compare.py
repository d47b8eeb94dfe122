"""The arithmetic of the comparison, and that the two other players play the same.

    python3 -m unittest Benchmarks/Players/test_compare.py

Nothing here depends on how late a player was.
"""

import contextlib
import doctest
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import asyncio_player
import compare

RIVAL = compare.Player("cpp", "C++ sleep_until", ["player"], {"devices": 4})
ANSWER = {
    "devices": 4,
    "seconds": 5.0,
    "deliveries": 2000,
    "missed": 3,
    "detections": 9,
    "lateness_ns": {"p50": 60_000, "p90": 80_000, "p99": 130_000, "p99_9": None, "max": 200_000},
    "cpu_seconds": 0.25,
    "wall_seconds": 5.5,
}

EXPECTED = {"devices": 4, "mode": "sleep"}
SHADOWBOX = compare.Player("sleep", "Shadowbox sleep", ["shadowbox"], EXPECTED, is_bench=True)
TIMING = {
    "mode": "sleep",
    "deliveries": 2000,
    "missed": 3,
    "lateness_ns": ANSWER["lateness_ns"],
    # Of the thread that plays, and of the process.
    "cpu_seconds": 0.125,
    "process_cpu_seconds": 0.25,
    "wall_seconds": 6.5,
    "verdict": "VALID",
}


def bench_answer(timing: object = TIMING, **trial: object) -> dict[str, object]:
    """What `shadowbox bench` prints."""
    trial = {"devices": 4, "detections": 9, "readings_per_second": 400.0, "timing": timing} | trial
    return {"capacity": None, "duration_seconds": 5, "lanes": [], "seed": 1, "trials": [trial]}


# Answers as `shadowbox bench` does, with the p99 from its environment.
FAKE_SHADOWBOX = """#!{python}
import json, os, sys
arguments = dict(zip(sys.argv[2::2], sys.argv[3::2]))
assert sys.argv[1] == "bench" and arguments["--format"] == "json", sys.argv
assert arguments["--duration"] == "0.5s", sys.argv
p99 = int(os.environ["FAKE_P99"])
timing = {{
    "mode": arguments["--mode"], "deliveries": 1000, "missed": 0, "wakes": 60,
    "lateness_ns": {{"p50": p99, "p90": p99, "p99": p99, "p99_9": None, "max": p99}},
    "cpu_seconds": 0.01, "process_cpu_seconds": 0.02, "wall_seconds": 1.9, "verdict": "INVALID"}}
print(json.dumps({{
    "capacity": None, "duration_seconds": 0.5, "lanes": [], "seed": 1, "trials": [
        {{"devices": int(arguments["--devices"]), "detections": 2, "timing": timing}}]}}))
sys.exit(3)
"""


def run_with(p99: int) -> compare.Run:
    lateness = ANSWER["lateness_ns"] | {"p99": p99}
    return compare.Run(lateness, deliveries=1, missed=0, cpu_seconds=1, wall_seconds=5, seconds=4)


def rounds_with(*pairs: tuple[int, int]) -> list[list[compare.Run]]:
    return [[run_with(p99) for p99 in pair] for pair in pairs]


class Arithmetic(unittest.TestCase):
    def test_examples_in_the_sources(self):
        for module in (compare, asyncio_player):
            failed, attempted = doctest.testmod(module)
            self.assertGreater(attempted, 0)
            self.assertEqual(failed, 0)

    def test_percentile_is_the_nearest_rank_that_the_count_supports(self):
        # By hand: position ceil(count * per mille / 1000), with ten values beyond it.
        cases = [
            (19, 500, None),
            (20, 500, 10),
            (21, 500, 11),
            (99, 900, None),
            (100, 900, 90),
            (101, 900, 91),
            (9_999, 999, None),
            (10_000, 999, 9_990),
            (10_001, 999, 9_991),
            (0, 500, None),
        ]
        for count, per_mille, expected in cases:
            with self.subTest(count=count, per_mille=per_mille):
                found = asyncio_player.percentile(range(1, count + 1), per_mille)
                self.assertEqual(found, expected)

    def test_ratio_of_a_round_is_that_of_the_means_of_its_runs(self):
        ours = rounds_with((10, 30), (40, 40), (1, 1))
        theirs = rounds_with((50, 30), (20, 20), (0, 0))
        self.assertEqual(compare.ratios(ours, theirs), [0.5, 2.0, None])

    def test_every_player_has_the_same_mean_place_in_a_round(self):
        order = compare.interleaved(list(compare.KEYS))
        self.assertEqual(len(order), 8)
        for key in compare.KEYS:
            places = [place for place, found in enumerate(order) if found == key]
            self.assertEqual(sum(places) / len(places), 3.5)

    def test_target(self):
        target = compare.Target("sleep", "cpp", 1.1)
        # ratios of the rounds: median, met, the rounds disagree
        cases = [
            ([1.1], 1.1, True, False),
            ([1.0, 1.1, 1.05], 1.05, True, False),
            ([1.0, 1.2, 1.1], 1.1, True, True),
            ([1.0, 1.2, 1.1001], 1.1001, False, True),
            ([2.0, 3.0], 2.5, False, False),
            ([None, 1.0], 1.0, True, False),
        ]
        for found, median, is_met, is_split in cases:
            with self.subTest(found=found):
                verdict = compare.judge(target, found)
                self.assertEqual(verdict.ratio.median, median)
                self.assertEqual((verdict.is_met, verdict.is_split), (is_met, is_split))

    def test_target_without_a_ratio_is_not_met(self):
        verdict = compare.judge(compare.TARGETS[0], [None, None])
        self.assertIsNone(verdict.ratio)
        self.assertFalse(verdict.is_met)

    def test_processor_share_is_of_one_core_over_the_schedule(self):
        self.assertEqual(run_with(1).cpu_percent, 25)


class Answers(unittest.TestCase):
    def test_good_ones(self):
        cases = [(RIVAL, ANSWER, 5.5, None), (SHADOWBOX, bench_answer(), 6.5, "VALID")]
        for player, answer, wall, verdict in cases:
            with self.subTest(player=player.key):
                run = compare.parse_run(json.dumps(answer), player)
                self.assertEqual(run.lateness_ns, ANSWER["lateness_ns"])
                self.assertEqual((run.deliveries, run.missed, run.detections), (2000, 3, 9))
                self.assertEqual((run.wall_seconds, run.verdict), (wall, verdict))
                self.assertEqual(run.cpu_percent, 5)

    def test_too_few_deliveries_for_percentiles(self):
        lateness = {"p50": None, "p90": None, "p99": None, "p99_9": None, "max": 7}
        cases = [
            (RIVAL, ANSWER | {"lateness_ns": lateness}),
            (SHADOWBOX, bench_answer(TIMING | {"lateness_ns": lateness})),
        ]
        for player, answer in cases:
            with self.subTest(player=player.key):
                run = compare.parse_run(json.dumps(answer), player)
                self.assertEqual(run.lateness_ns, lateness)

    def test_bad_ones(self):
        lateness = ANSWER["lateness_ns"]
        cases = [
            ("", "one JSON object"),
            ("[1]", "one JSON object"),
            (ANSWER | {"devices": 5}, "devices: expected 4, found 5"),
            (ANSWER | {"lateness_ns": 7}, "lateness_ns: expected an object"),
            (ANSWER | {"lateness_ns": lateness | {"max": "1"}}, "max: expected a number"),
            (ANSWER | {"deliveries": 2.5}, "deliveries: expected a number"),
            (ANSWER | {"missed": -1}, "missed: expected a number of at least 0, found -1"),
            (ANSWER | {"missed": True}, "missed: expected a number"),
            (ANSWER | {"cpu_seconds": float("nan")}, "cpu_seconds: expected a number"),
            (ANSWER | {"wall_seconds": None}, "wall_seconds: expected a number"),
            (ANSWER | {"seconds": 0}, "seconds: expected more than 0"),
        ]
        self.check_refused(cases, RIVAL)

    def test_bad_ones_of_shadowbox(self):
        without_process = {k: v for k, v in TIMING.items() if k != "process_cpu_seconds"}
        cases = [
            (ANSWER, "trials: expected a list of one object"),
            (bench_answer() | {"trials": []}, "trials: expected a list of one object"),
            (bench_answer() | {"trials": [1]}, "trials: expected a list of one object"),
            (bench_answer() | {"trials": [{}, {}]}, "trials: expected a list of one object"),
            (bench_answer() | {"duration_seconds": "5"}, "seconds: expected a number"),
            (bench_answer(timing=None), "timing: expected an object"),
            (bench_answer(devices=5), "devices: expected 4, found 5"),
            (bench_answer(TIMING | {"mode": "busy"}), 'mode: expected "sleep", found "busy"'),
            (bench_answer(TIMING | {"verdict": 1}), "verdict: expected a text, found 1"),
            (bench_answer(without_process), "cpu_seconds: expected a number"),
        ]
        self.check_refused(cases, SHADOWBOX)

    def check_refused(self, cases: list[tuple[object, str]], player: compare.Player):
        for answer, message in cases:
            text = answer if isinstance(answer, str) else json.dumps(answer)
            with self.subTest(text=text), self.assertRaises(compare.Failure) as raised:
                compare.parse_run(text, player)
            self.assertEqual(raised.exception.code, compare.BAD_DATA)
            self.assertIn(message, str(raised.exception))


class Rivals(unittest.TestCase):
    """The C++ player against the schedule and the receivers of the Python one."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        compiler = os.environ.get("CXX") or "g++"
        self.program = compare.build_cpp_player(compiler, self.folder)

    def test_same_deliveries_detections_and_percentiles(self):
        samples = self.folder / "samples"
        # Neither 20 nor the length divides a period; long enough for several punches each.
        for devices, seconds in [(20, 2.013), (7, 3.5)]:
            with self.subTest(devices=devices):
                command = [self.program, "--devices", str(devices), "--seconds", str(seconds)]
                text = subprocess.check_output([*command, "--samples", samples], text=True)
                found = json.loads(text)
                streams = asyncio_player.make_streams(devices)
                end = round(seconds * asyncio_player.SECOND)
                for stream in streams:
                    for due in range(stream.first, end, stream.period):
                        stream.receiver.deliver(due)
                detections = sum(stream.receiver.detections for stream in streams)
                self.assertGreater(detections, devices)
                self.assertEqual(found["detections"], detections)
                lateness = [int(line) for line in samples.read_text().splitlines()]
                self.assertEqual(len(lateness), asyncio_player.count_deliveries(streams, end))
                self.assertEqual(found["deliveries"], len(lateness))
                self.assertEqual(found["lateness_ns"], asyncio_player.percentiles(lateness))
                self.assertGreaterEqual(min(lateness), 0)

    def test_wrong_use(self):
        python = [sys.executable, str(compare.HERE / "asyncio_player.py")]
        for command in ([str(self.program)], python):
            for arguments in (["--devices", "0"], ["--devices", "x"], ["--seconds", "nan"], ["-x"]):
                with self.subTest(command=command[-1], arguments=arguments):
                    done = subprocess.run([*command, *arguments], capture_output=True, text=True)
                    self.assertEqual((done.returncode, done.stdout), (compare.WRONG_USE, ""))
                    self.assertNotEqual(done.stderr, "")


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.shadowbox = self.folder / "shadowbox"

    def compare(self, *arguments: str, p99: int = 1) -> tuple[int, str, str]:
        self.shadowbox.write_text(FAKE_SHADOWBOX.format(python=sys.executable))
        self.shadowbox.chmod(0o755)
        return self.main("--shadowbox", str(self.shadowbox), *arguments, p99=p99)

    def main(self, *arguments: str, p99: int = 1) -> tuple[int, str, str]:
        short = ["compare.py", "--devices", "20", "--seconds", "0.5", "--rounds", "1"]
        output, talk = io.StringIO(), io.StringIO()
        with (
            mock.patch.object(sys, "argv", [*short, *arguments]),
            mock.patch.dict(os.environ, FAKE_P99=str(p99)),
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(talk),
        ):
            try:
                code = compare.main()
            except SystemExit as exit:
                code = exit.code
        return code, output.getvalue(), talk.getvalue()

    def test_ahead(self):
        file = self.folder / "out.json"
        code, output, talk = self.compare("--check", "--json", str(file), p99=1)
        self.assertEqual(code, 0, talk)
        self.assertEqual(output.count(" met\n"), 3, output)
        self.assertIn("0 of 2", output)
        found = json.loads(file.read_text())
        self.assertEqual([player["key"] for player in found["players"]], list(compare.KEYS))
        self.assertTrue(all(target["is_met"] for target in found["targets"]))
        self.assertEqual(sorted(self.folder.iterdir()), [file, self.shadowbox])

    def test_behind(self):
        behind = 10**12
        code, output, _ = self.compare(p99=behind)
        self.assertEqual(code, 0)
        self.assertEqual(output.count("not met\n"), 3, output)
        code, _, _ = self.compare("--check", "--quiet", p99=behind)
        self.assertEqual(code, compare.NOT_MET)

    def test_failures(self):
        missing = str(self.folder / "none")
        fails = str(self.folder / "fails")
        Path(fails).write_text("#!/bin/sh\necho no such trace >&2\nexit 65\n")
        Path(fails).chmod(0o755)
        cases = [
            (["--shadowbox", missing], compare.FILE_ERROR, "none: expected the program"),
            (["--shadowbox", str(self.folder)], compare.FILE_ERROR, "expected the program"),
            (
                ["--shadowbox", fails, "--players", "sleep"],
                compare.CHILD_FAILED,
                "ended with 65: no such trace",
            ),
            (
                ["--players", "cpp", "--json", f"{missing}/out.json"],
                compare.FILE_ERROR,
                "out.json: cannot be written",
            ),
            (["--players", "cpp", "--cxx", missing], compare.FILE_ERROR, "none: cannot be run"),
            (["--players", "cpp", "--cxx", "false"], compare.CHILD_FAILED, "does not compile"),
            (["--players", "cpp", "--seconds", "0.01"], compare.BAD_DATA, "no p99"),
            (["--players", "java"], compare.WRONG_USE, "found 'java'"),
            (["--players", "cpp", "--check"], compare.WRONG_USE, "needs all players"),
            (["--rounds", "0"], compare.WRONG_USE, "--rounds: expected 1...1000, found 0"),
        ]
        for arguments, expected, message in cases:
            with self.subTest(arguments=arguments):
                code, output, talk = self.main(*arguments)
                self.assertEqual((code, output), (expected, ""), talk)
                self.assertIn(message, talk)

    def test_busy_processes_are_stopped(self):
        with self.assertRaises(KeyboardInterrupt), compare.busy_processes(2) as processes:
            self.assertEqual([process.poll() for process in processes], [None, None])
            raise KeyboardInterrupt
        self.assertTrue(all(process.returncode is not None for process in processes))

    def test_busy_process_ends_with_the_one_that_started_it(self):
        with compare.busy_processes(1) as (process,):
            # What the system does when the starter is killed.
            process.stdin.close()
            self.assertEqual(process.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main()
