"""Checks which points of a curve the pictures draw.

    python3 Tests/Python/check_drawing.py

Takes a sweep as `shadowbox sweep --format json` prints it (SHADOWBOX_EXECUTABLE), and the functions
of Sources/CPictures/draw.py that pick its points. Exits with 1 and prints what is wrong.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRACE = ROOT / "traces/synthetic/punch-s01-left.h5"


def require(condition, message):
    if not condition:
        print(message, file=sys.stderr)
        raise SystemExit(1)


def drawing():
    path = ROOT / "Sources/CPictures/draw.py"
    spec = importlib.util.spec_from_file_location("draw", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_points(draw, curve):
    """Every figure of a point is that of its step: recounted from the hits and false alarms."""
    points = draw.curve_points(curve, range(len(curve["threshold"])))
    require(len(points) == len(curve["threshold"]) > 1000, "not all steps became points")
    for step, point in enumerate(points):
        hits, wrong = curve["true_positives"][step], curve["false_positives"][step]
        precision = hits / (hits + wrong) if hits + wrong else None
        require(point["threshold"] == curve["threshold"][step], f"step {step}: another threshold")
        require(point["recall"] == hits / curve["references"], f"step {step}: {point}")
        require(point["precision"] == precision, f"step {step}: {point}")
        rate = wrong / curve["hours"]
        require(abs(point["false_alarms"] - rate) <= 1e-9 * rate, f"step {step}: {point}")
        require((point["precision_interval"] is None) == (precision is None), f"step {step}: {point}")


def check_thinning(draw, curve):
    """What is left out moves no figure by a pixel; the ends and the steps with latencies stay."""
    count = len(curve["threshold"])
    kept = {count // 3, count // 2}
    steps = draw.visible_steps(curve, kept)
    require(steps == sorted(set(steps)), "the steps are not in order")
    require(steps[0] == 0 and steps[-1] == count - 1, f"the ends are {steps[0]} and {steps[-1]}")
    require(len(steps) < count, f"all {count} steps are drawn")
    if len(steps) < draw.MOST_POINTS:
        require(kept <= set(steps), "a step with latencies is left out")
        for left, right in zip(steps, steps[1:]):
            for name in ("true_positives", "false_positives"):
                for step in range(left, right):
                    then, now = curve[name][left], curve[name][step]
                    require(200 * abs(now - then) <= max(now, then), f"step {step} is visible")
    require(draw.evenly(7) == list(range(7)), "few steps were thinned")
    many = draw.evenly(100_000)
    require(len(many) == draw.MOST_POINTS and (many[0], many[-1]) == (0, 99_999), "evenly")


def main():
    command = [os.environ["SHADOWBOX_EXECUTABLE"], "sweep", str(TRACE), "--detector", "punch/magnitude",
               "--gravity-filter", "lowpass", "--format", "json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    require(done.returncode == 0, done.stderr)
    draw = drawing()
    for sweep in json.loads(done.stdout)["sweeps"]:
        check_points(draw, sweep["curve"])
        check_thinning(draw, sweep["curve"])
    print("pictures draw the steps of a curve as they are")


if __name__ == "__main__":
    main()
