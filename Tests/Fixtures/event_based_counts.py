"""Writes SedEvalCases.swift: what sed_eval's event-based metrics count of random labelled events.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install numpy==2.2.6 sed_eval==0.2.1
    /tmp/venv/bin/python Tests/Fixtures/event_based_counts.py > Tests/ScoringTests/SedEvalCases.swift

Times are ticks of 1/512 s, which doubles and nanoseconds both hold exactly. Onsets alone are
evaluated, within t_collar, by the optimal matching. `class` is the number of references, detections
and matches of one label, `all` that over all of them, where an event matches its own label alone.
sed_eval is not among Tests/Python/requirements.txt: it brings 400 MB of audio libraries with it.
"""

import numpy as np
import sed_eval

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


def main():
    random = np.random.default_rng(20240711)
    blocks = []
    for _ in range(200):
        span = int(random.integers(20, 600))
        window = int(random.integers(1, 60))
        references, detections = events(random, span), events(random, span)
        found = metrics(references, detections, window)
        lines = [f"window {window}"]
        for name, side in (("reference", references), ("detection", detections)):
            lines.append(" ".join([name, *(f"{label}{onset}" for label, onset in side)]))
        for label in LABELS:
            counts = found.class_wise[label]
            lines.append(f"class {label} " + " ".join(
                str(int(counts[name])) for name in ("Nref", "Nsys", "Ntp")))
        lines.append("all " + " ".join(
            str(int(found.overall[name])) for name in ("Nref", "Nsys", "Ntp")))
        blocks.append("\n".join(lines))
    print("// Written by Tests/Fixtures/event_based_counts.py; do not edit.")
    print('let sedEvalCases = """')
    for text in "\n\n".join(blocks).split("\n"):
        print(f"  {text}" if text else "")
    print('  """')


main()
