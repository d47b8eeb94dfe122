"""Writes match_events.json: what mir_eval and SciPy say about random events.

    python3 -m venv venv && venv/bin/pip install mir_eval==0.8.2 scipy==1.17.1
    venv/bin/python Tests/Fixtures/match_events.py > Tests/Fixtures/match_events.json

Times are ticks of 1/512 s, which doubles and nanoseconds both hold exactly. The smallest sum of
|difference| is that of scipy.optimize.linear_sum_assignment, where a pair beyond the window costs
more than all possible pairs together.
"""

import numpy as np
from fixture import show, versions
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


def main():
    random = np.random.default_rng(20240511)
    cases = []
    for _ in range(200):
        span = int(random.integers(40, 2000))
        references = sorted(random.integers(0, span, random.integers(1, 25)).tolist())
        detections = sorted(random.integers(0, span, random.integers(1, 25)).tolist())
        window = int(random.integers(0, 100))
        matches, distance = expected(references, detections, window)
        cases.append({
            "window": window, "references": references, "detections": detections,
            "matches": matches, "distance": distance,
        })
    show(
        program=versions("mir_eval", "scipy", "numpy"),
        command="python3 Tests/Fixtures/match_events.py > Tests/Fixtures/match_events.json",
        about="matches: the largest number of matches within the window (mir_eval). distance: the "
        "smallest sum of |difference| among all matchings of that size (SciPy). Times are ticks "
        "of 1/512 s.",
        cases=cases)


main()
