"""Writes event_based_counts.json: what sed_eval's event-based metrics count of random events.

    python3 -m venv venv && venv/bin/pip install numpy==2.2.6 sed_eval==0.2.1
    venv/bin/python Tests/Fixtures/event_based_counts.py > Tests/Fixtures/event_based_counts.json

Times are ticks of 1/512 s, which doubles and nanoseconds both hold exactly. Onsets alone are
evaluated, within t_collar, by the optimal matching. sed_eval is not among
Tests/Python/requirements.txt: it brings 400 MB of audio libraries with it.
"""

import numpy as np
import sed_eval
from fixture import show, versions

TICKS = 512
LABELS = ["a", "b", "c"]


def metrics(references, detections, window):
    evaluated = sed_eval.sound_event.EventBasedMetrics(
        event_label_list=LABELS,
        t_collar=window / TICKS,
        evaluate_offset=False,
        event_matching_type="optimal",
    )
    sides = [
        [
            {"event_label": label, "onset": onset / TICKS, "offset": (onset + 1) / TICKS}
            for label, onset in events
        ]
        for events in (references, detections)
    ]
    evaluated.evaluate(*sides)
    return evaluated


def events(random, span):
    count = int(random.integers(1, 14))
    onsets = sorted(random.integers(0, span, count).tolist())
    return [(str(random.choice(LABELS)), onset) for onset in onsets]


def counts(found):
    return {
        "references": int(found["Nref"]), "detections": int(found["Nsys"]),
        "matches": int(found["Ntp"]),
    }


def main():
    random = np.random.default_rng(20240711)
    cases = []
    for _ in range(200):
        span = int(random.integers(20, 600))
        window = int(random.integers(1, 60))
        references, detections = events(random, span), events(random, span)
        found = metrics(references, detections, window)
        cases.append({
            "window": window,
            "references": [{"label": label, "onset": onset} for label, onset in references],
            "detections": [{"label": label, "onset": onset} for label, onset in detections],
            "classes": {label: counts(found.class_wise[label]) for label in LABELS},
            "all": counts(found.overall),
        })
    show(
        program=versions("sed_eval", "numpy"),
        command="python3 Tests/Fixtures/event_based_counts.py "
        "> Tests/Fixtures/event_based_counts.json",
        about="Counts of references, detections and matches: of one label, and of all, where an "
        "event matches its own label alone. Times are ticks of 1/512 s.",
        cases=cases)


main()
