"""Writes MirEvalCases.swift: what mir_eval and SciPy say about random events.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install mir_eval==0.8.2 scipy==1.17.1
    /tmp/venv/bin/python Tests/Fixtures/match_events.py > Tests/ScoringTests/MirEvalCases.swift

Times are ticks of 1/512 s, which doubles and nanoseconds both hold exactly. `expected` is the
largest number of matches (mir_eval.util.match_events) and the smallest sum of |difference| in
ticks among all matchings of that size (scipy.optimize.linear_sum_assignment, where a pair beyond
the window costs more than all possible pairs together).
"""

import numpy as np
from mir_eval.util import match_events
from scipy.optimize import linear_sum_assignment

TICKS = 512
FAR = 10**9


def expected(references, detections, window):
    pairs = match_events(
        np.array(references) / TICKS, np.array(detections) / TICKS, window / TICKS
    )
    distance = np.abs(np.subtract.outer(references, detections))
    cost = np.where(distance <= window, distance, FAR)
    rows, columns = linear_sum_assignment(cost)
    chosen = cost[rows, columns]
    assert (chosen < FAR).sum() == len(pairs)
    return len(pairs), int(chosen[chosen < FAR].sum())


def line(name, numbers):
    """Numbers behind their name, wrapped to 98 columns."""
    lines = [name]
    for number in numbers:
        if len(lines[-1]) + 1 + len(str(number)) > 98:
            lines.append(name)
        lines[-1] += f" {number}"
    return "\n".join(lines)


def main():
    random = np.random.default_rng(20240511)
    blocks = []
    for _ in range(200):
        span = int(random.integers(40, 2000))
        references = sorted(random.integers(0, span, random.integers(1, 25)).tolist())
        detections = sorted(random.integers(0, span, random.integers(1, 25)).tolist())
        window = int(random.integers(0, 100))
        blocks.append(
            "\n".join(
                [
                    line("window", [window]),
                    line("reference", references),
                    line("detection", detections),
                    line("expected", expected(references, detections, window)),
                ]
            )
        )
    print("// Written by Tests/Fixtures/match_events.py; do not edit.")
    print('let mirEvalCases = """')
    for text in "\n\n".join(blocks).split("\n"):
        print(f"  {text}" if text else "")
    print('  """')


main()
