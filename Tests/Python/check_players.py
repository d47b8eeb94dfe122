"""Checks that Benchmarks/Players/compare.py reads what `shadowbox bench` prints, and its sums.

    python3 Tests/Python/check_players.py

Plays two devices for 300 ms in each mode with the program in SHADOWBOX_EXECUTABLE, by the command
that the comparison uses; how late it was does not matter. Needs nothing but Python.
Exits with 1 and says what is wrong.
"""

import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks" / "Players"))
import compare
import test_compare

DEVICES, SECONDS = 2, 0.3
# The rest of the tests takes a C++ compiler and half a minute: Benchmarks/Players/README.md.
QUICK_TESTS = (test_compare.Arithmetic, test_compare.Answers)


def require(condition, place, message):
    if not condition:
        sys.exit(f"{place}: {message}")


def check_run(player):
    try:
        run = compare.play(player, SECONDS)
    except compare.Failure as failure:
        sys.exit(str(failure))
    # 29 to 31 of each accelerometer; at most one position and one heartbeat of each device.
    count = run.deliveries
    require(DEVICES * 29 <= count <= DEVICES * 33, player.label, f"{count} deliveries")
    require(run.seconds == SECONDS, player.label, f"played for {run.seconds} s")
    require(run.cpu_seconds > 0, player.label, "no processor time")
    require(run.wall_seconds > 0, player.label, "no wall time")
    require(run.detections is not None, player.label, "detections are not counted")
    # 60 deliveries cannot make it valid.
    require(run.verdict in ("INSUFFICIENT", "INVALID"), player.label, f"verdict {run.verdict}")
    # Ten deliveries and more lie beyond the median, and fewer beyond p90.
    found = [name for name, value in run.lateness_ns.items() if value is not None]
    require(found == ["p50", "max"], player.label, f"lateness: {found} of {count} deliveries")
    print(f"{player.label}: {count} deliveries are read")


def check_arithmetic():
    load = unittest.defaultTestLoader.loadTestsFromTestCase
    suite = unittest.TestSuite(map(load, QUICK_TESTS))
    result = unittest.TextTestRunner(stream=sys.stdout).run(suite)
    require(result.testsRun > 0, "test_compare.py", "no tests")
    require(result.wasSuccessful(), "test_compare.py", "tests failed")


def main():
    program = os.environ["SHADOWBOX_EXECUTABLE"]
    arguments = ["--devices", str(DEVICES), "--seconds", str(SECONDS), "--shadowbox", program]
    options = compare.parse([*arguments, "--players", "sleep,sleep-then-spin"])
    players = compare.make_players(options, cpp_program=Path("not played"))
    require(len(players) == 2, "players", f"found {len(players)}")
    for player in players:
        check_run(player)
    check_arithmetic()


if __name__ == "__main__":
    main()
