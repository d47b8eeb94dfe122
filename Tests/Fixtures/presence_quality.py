"""Writes presence_quality.json: the quality of random failure detectors on random timelines.

    python3 Tests/Fixtures/presence_quality.py > Tests/Fixtures/presence_quality.json

An independent way to the figures of Chen, Toueg and Aguilera (IEEE ToC 51, 2002): everything is
looked up tick by tick in arrays of states, where PresenceQuality works on intervals. Needs nothing
but Python; the random module's sequence for a seed has been the same since Python 3.2.
"""

import random

from fixture import show, versions

KINDS = {"P": True, "A": False}


def case(chance):
    end = chance.randrange(20, 120)
    references, detections = [], []
    for peer in range(chance.randrange(1, 4)):
        time = chance.randrange(-5, 15)
        while time < end + 5 and chance.random() < 0.85:
            offset = time + chance.randrange(1, 30)
            references.append((peer, time, offset))
            # Some touch, some overlap.
            time = offset + chance.choice([-2, 0, 1, 5, 12])
    for _ in range(chance.randrange(0, 25)):
        detections.append(
            (chance.randrange(0, 4), chance.choice("PA"), chance.randrange(0, end + 5))
        )
    zones = []
    for _ in range(chance.choice([0, 0, 1, 2])):
        onset = chance.randrange(-5, end)
        zones.append((onset, onset + chance.randrange(0, 15)))
    return end, references, detections, zones


def quality(end, references, detections, zones):
    ignored_instant = [any(a <= t <= b for a, b in zones) for t in range(end + 1)]
    ignored_tick = [any(a <= t < b for a, b in zones) for t in range(end)]
    departures = mistakes = arrivals = present = trusted = false_arrivals = 0
    detection_times, mistake_durations, arrival_times = [], [], []
    for peer in range(5):
        there = [any(p == peer and a <= t < b for p, a, b in references) for t in range(end)]
        out, state = [], False
        for t in range(end + 1):
            for p, kind, at in detections:
                if p == peer and at == t:
                    state = KINDS[kind]
            out.append(state)
        for t in range(end):
            came = there[t] and not (t > 0 and there[t - 1])
            left = t > 0 and there[t - 1] and not there[t]
            suspected = t > 0 and out[t - 1] and not out[t]
            seen = out[t] and not (t > 0 and out[t - 1])
            if there[t] and not ignored_tick[t]:
                present += 1
                trusted += out[t]
            if ignored_instant[t]:
                continue
            if came:
                arrivals += 1
                u = t
                while u < end and there[u] and not out[u]:
                    u += 1
                if u < end and there[u]:
                    arrival_times.append(u - t)
            if left:
                departures += 1
                back = next((u for u in range(t, end) if there[u]), end)
                since = t - 1
                while since > 0 and there[since - 1]:
                    since -= 1
                if not out[back - 1]:
                    s = back - 1
                    while s > 0 and not out[s - 1]:
                        s -= 1
                    # The last tick of trust is the one before the suspicion.
                    if s - 1 >= since:
                        detection_times.append(max(s - t, 0))
            if suspected and there[t]:
                mistakes += 1
                u = t
                while u < end and there[u] and not out[u]:
                    u += 1
                mistake_durations.append(u - t)
            if seen and not there[t]:
                false_arrivals += 1
    return (
        [departures, mistakes, arrivals, present, trusted, false_arrivals],
        sorted(detection_times),
        sorted(mistake_durations),
        sorted(arrival_times),
    )


COUNTS = [
    "departures", "mistakes", "arrivals", "present", "trusted", "falseArrivals",
]


def main():
    chance = random.Random(20020501)
    cases = []
    for _ in range(150):
        end, references, detections, zones = case(chance)
        counts, found, lasting, seen = quality(end, references, detections, zones)
        cases.append({
            "end": end,
            "references": [
                {"peer": peer, "onset": onset, "offset": offset}
                for peer, onset, offset in references
            ],
            "detections": [
                {"peer": peer, "isPresent": KINDS[kind], "emitted": emitted}
                for peer, kind, emitted in detections
            ],
            "zones": [{"onset": onset, "offset": offset} for onset, offset in zones],
            **dict(zip(COUNTS, counts)),
            "detectionTimes": found, "mistakeDurations": lasting, "arrivalTimes": seen,
        })
    show(
        program=versions("Python"),
        command="python3 Tests/Fixtures/presence_quality.py > Tests/Fixtures/presence_quality.json",
        about="The figures of Chen, Toueg and Aguilera (IEEE ToC 51, 2002), looked up tick by "
        "tick. Times and durations are ticks; present and trusted are numbers of ticks.",
        cases=cases)


main()
