#!/usr/bin/env python3
"""Compares simulated traces with recordings of real people, by the distributions of what they consist of.

  .venv/bin/python Benchmarks/Recordings/synthetic.py folder [-o page.md] [--picture picture.png]
                                                      [--people 24] [--shadowbox program]

recordings.py says which sets the folder may hold; gps-visits, gps-two-devices, gps-loop-1710m, gps-formats
and nmea are used too. Of a recording, only medians and quartiles are shown, in the picture also the 5th and
95th percentiles.

Both sides have the same rate, because peaks depend on it: simulated people (1 to 6 are the people
of traces/synthetic) are sampled at the rate of the recordings, and 200 Hz is resampled to 50 Hz. Both sides are
measured by the same rules. Where one recording states gravity, both sides lose it by the low pass of `run`.

  peak         the highest magnitude without gravity, m/s2
  rise         from half of the peak to the peak, s
  duration     the time around the peak above half of it, s
  centroid     the mean frequency of the power within half a second of the peak, Hz
  quick share  the share of the power above 5 Hz there
  interval     from the event before, if within 3 s (not of punches to a beat)
  turning      the highest rotation rate within 0.3 s of the peak, rad/s
  impulse      the sum of the magnitude over 0.36 s around the peak, m/s
  opposite     the largest acceleration against the peak's direction in the 0.32 s before, m/s2
  around       the highest magnitude 0.44 to 0.18 s before and 0.18 to 0.3 s after, m/s2
  lull         the lowest magnitude 0.4 to 0.1 s before, m/s2
  rhythm       the highest autocorrelation of the magnitude at 0.25 to 0.75 s, in stretches of 4 s
  period       the lag of that

Events are the references, else (gloves) as many of the highest peaks as the file states. Steps are peaks that
are the highest within 0.2 s, claps series of five or more short peaks 0.2 to 0.6 s apart. A phone in the hand
is compared with a wrist, and with a waist only for the rhythm. Punches in the air are compared with the
simulated people who stop the fist with their muscles, gloves with those who hit a pad. There are no simulated
hooks and exercises. Positions are measured in stretches of a minute (standing: half a minute, stops of less
than a quarter of an hour) at 1 Hz without gaps of more than 2 s.

  white        the standard deviation per axis of white noise, by the covariance of neighbouring second
               differences, m (of a speed: m/s)
  unrest       the median second difference of the position in a stretch, m
  jump         the longest one, m
  way          the length of the path while standing, m/min
  spread       the 95th percentile of the distance from the median position while standing, m
  still        the share of fixes equal to the one before, while standing
  memory       the autocorrelation of the position at 5 s while standing
  across       the distance of a fix from the line of the other device or of the truth; of two devices
               divided by the root of 2, m
  speed        the stated speed while standing, m/s

A ratio of simulated to recorded is marked with * beyond 20 %. That of the quartile ranges is of ranges within
a person (or track), the median over people, because few people were recorded. Where nobody has five values
it is that of all values.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy as np

import recordings
from recordings import convert, found_sets, put, shadowbox

GRAVITY = 9.80665
LIMIT = 0.2
POSITIONS = {
    "gps-loop-1710m": ("*.csv", ["--map", "time=time[iso],latitude=latitude[deg],longitude=longitude[deg]"]),
    "gps-two-devices": ("*.gpx", []),
    "gps-formats": ("*.*", []),
    "nmea": ("*.log", []),
    "gps-visits": ("*.csv", ["--map",
        "time=timestamp[iso],latitude=latitude[deg],longitude=longitude[deg]",
        "--reference-column", "stop", "--reference-task", "visit", "--no-event-label", "FALSE"]),
}  # fmt: skip


# Motion.


class Motion:
    """Gravity-free acceleration of a trace."""

    def __init__(self, path, is_removed):
        with h5py.File(path) as file:
            group = file["user_acceleration" if is_removed else "acceleration"]
            self.times = group["time"][:] / 1e9
            self.vectors = np.stack([group[axis][:] for axis in "xyz"], 1).astype(float)
            self.subject = file.attrs["subject"].decode()
            self.activity = file.attrs["activity"].decode()
            self.references = []
            if "reference/punch" in file:
                punch = file["reference/punch"]
                codes = punch["label"]
                words = dict(zip(codes.attrs["flag_values"].tolist(), texts(codes.attrs["flag_meanings"])))
                self.references = list(zip(punch["onset"][:] / 1e9, punch["offset"][:] / 1e9,
                                           [words[code] for code in codes[:].tolist()]))  # fmt: skip
        keep = np.isfinite(self.vectors).all(1)
        keep &= np.diff(self.times, prepend=-1) > 0
        self.times, self.vectors = self.times[keep], self.vectors[keep]
        if not is_removed:
            self.vectors = without_gravity(self.times, self.vectors)
        self.magnitude = np.linalg.norm(self.vectors, axis=1)
        with h5py.File(path) as file:
            self.rotation = None
            if "rotation_rate" in file:
                group = file["rotation_rate"]
                rates = np.stack([group[axis][:] for axis in "xyz"], 1).astype(float)
                self.rotation = group["time"][:] / 1e9, np.linalg.norm(rates, axis=1)


def texts(value):
    return (value.decode() if isinstance(value, bytes) else str(value)).split()


def without_gravity(times, vectors, constant=0.7, band=0.4 * GRAVITY):
    """The low pass of `run --gravity-filter lowpass`: it pauses while the magnitude is far from 1 g."""
    gains = 1 - np.exp(-np.diff(times, prepend=times[0]) / constant)
    steady = np.abs(np.linalg.norm(vectors, axis=1) - GRAVITY) <= band
    result = np.empty_like(vectors)
    gravity = vectors[0].copy()
    for index in range(len(vectors)):
        if steady[index]:
            gravity += gains[index] * (vectors[index] - gravity)
        result[index] = vectors[index] - gravity
    return result


def highest(motion, start, end):
    first, last = np.searchsorted(motion.times, [start, end])
    return first + int(np.argmax(motion.magnitude[first:last])) if last > first else None


def peaks(motion, least, apart):
    """The samples that are at least so high, and the highest within so many seconds on either side."""
    values, times = motion.magnitude, motion.times
    found = []
    for index in np.flatnonzero(values >= least):
        first, last = np.searchsorted(times, [times[index] - apart, times[index] + apart])
        if index == first + np.argmax(values[first : last + 1]):
            found.append(int(index))
    return found


def crossing(motion, index, step, level):
    """The seconds from a sample to the first one below a level, interpolated; None at the end."""
    times, values = motion.times, motion.magnitude
    at = index
    while 0 <= at + step < len(values) and values[at + step] >= level:
        at += step
    if not 0 <= at + step < len(values):
        return None
    share = (values[at] - level) / (values[at] - values[at + step])
    return abs(times[at] + share * (times[at + step] - times[at]) - times[index])


def spectrum(motion, rate, start, end):
    """Frequencies and the power of all axes, with a Hann window; None across a gap."""
    first, last = np.searchsorted(motion.times, [start, end])
    times = motion.times[first:last]
    if last - first < 8 or np.diff(times).max() > 0.2 or times[-1] - times[0] < 0.8 * (end - start):
        return None
    grid = np.arange(times[0], times[-1], 1 / rate)
    even = np.stack([np.interp(grid, times, motion.vectors[first:last, axis]) for axis in range(3)], 1)
    even = (even - even.mean(0)) * np.hanning(len(grid))[:, None]
    power = (np.abs(np.fft.rfft(even, 256, axis=0)) ** 2).sum(1)
    return np.fft.rfftfreq(256, 1 / rate), power


def swing_figures(motion, index):
    """What the default punch detector looks at, in bins of 40 ms."""
    time, peak = motion.times[index], motion.vectors[index]
    edges = time + (np.arange(-12, 9) - 0.5) * 0.04
    bounds = np.searchsorted(motion.times, edges)
    vectors, heights = [], []
    for first, last in zip(bounds[:-1], bounds[1:]):
        if last == first:
            first, last = max(first - 1, 0), max(first, 1)
        vectors.append(motion.vectors[first:last].mean(0))
        heights.append(motion.magnitude[first:last].max())
    vectors, heights = np.array(vectors), np.array(heights)
    means = np.linalg.norm(vectors, axis=1)
    against = -(vectors[4:12] @ peak) / motion.magnitude[index]
    return {"impulse": means[8:17].sum() * 0.04, "opposite": max(against.max(), 0),
            "around": max(heights[1:8].max(), heights[17:20].max()), "lull": heights[2:10].min()}  # fmt: skip


def event_figures(motion, rate, indices):
    figures = defaultdict(list)
    for index in indices:
        peak, time = motion.magnitude[index], motion.times[index]
        before, after = (crossing(motion, index, step, peak / 2) for step in (-1, 1))
        figures["peak"].append(peak)
        if before is not None and after is not None:
            figures["rise"].append(before)
            figures["duration"].append(before + after)
        around = swing_figures(motion, index)
        for name, value in around.items():
            figures[name].append(value)
        if motion.rotation is not None:
            first, last = np.searchsorted(motion.rotation[0], [time - 0.3, time + 0.3])
            figures["turning"].append(motion.rotation[1][first:last].max(initial=0))
        made = spectrum(motion, rate, time - 0.5, time + 0.5)
        if made:
            frequencies, power = made
            figures["centroid"].append((frequencies * power).sum() / power.sum())
            figures["quick share"].append(power[frequencies > 5].sum() / power.sum())
    gaps = np.diff(motion.times[sorted(indices)]) if len(indices) > 1 else []
    figures["interval"] += [gap for gap in gaps if gap < 3]
    return figures


def rhythm_figures(motion, rate):
    figures = defaultdict(list)
    for start in np.arange(motion.times[0], motion.times[-1] - 4, 4):
        first, last = np.searchsorted(motion.times, [start, start + 4])
        times = motion.times[first:last]
        if last - first < 3 * rate or np.diff(times).max() > 0.2:
            continue
        even = np.interp(np.arange(start, times[-1], 1 / rate), times, motion.magnitude[first:last])
        if even.std() < 0.7:
            continue
        even = even - even.mean()
        lags = np.arange(round(0.25 * rate), round(0.75 * rate) + 1)
        heights = [np.dot(even[:-lag], even[lag:]) / np.sqrt((even[:-lag] ** 2).sum() * (even[lag:] ** 2).sum())
                   for lag in lags]  # fmt: skip
        best = int(np.argmax(heights))
        figures["rhythm"].append(heights[best])
        figures["period"].append(lags[best] / rate)
    return figures


def joined(some):
    result = defaultdict(list)
    for figures in some:
        for name, values in figures.items():
            result[name] += list(values)
    return result


def punch_figures(motion, rate, margin, label=None, count=None):
    if count:
        found = sorted(peaks(motion, 5, 0.3), key=lambda index: -motion.magnitude[index])[:count]
    else:
        found = [highest(motion, onset - margin, offset + margin)
                 for onset, offset, name in motion.references if label in (None, name)]  # fmt: skip
    figures = event_figures(motion, rate, sorted({index for index in found if index is not None}))
    if not count:
        del figures["interval"]
    return figures


def step_figures(motion, rate):
    return joined([event_figures(motion, rate, peaks(motion, 3, 0.2)), rhythm_figures(motion, rate)])


def clap_figures(motion, rate):
    """Series of five or more short peaks: clapping is not marked in the simulated traces."""
    found = peaks(motion, 12, 0.1)
    series, all_series = [], []
    for index in found:
        if series and not 0.2 <= motion.times[index] - motion.times[series[-1]] <= 0.6:
            all_series.append(series)
            series = []
        series.append(index)
    all_series.append(series)
    kept = []
    for series in all_series:
        figures = event_figures(motion, rate, series)
        if len(series) >= 5 and np.median(figures["duration"]) < 0.1:
            kept.append(figures)
    return joined(kept)


def fall_figures(motion, rate):
    """The highest peak of each 8 s in which something hits the ground."""
    found = peaks(motion, 15, 4)
    figures = event_figures(motion, rate, found)
    del figures["interval"]
    return figures


def level_figures(motion):
    """How lively stretches of 4 s are."""
    figures = defaultdict(list)
    for start in np.arange(motion.times[0], motion.times[-1] - 4, 4):
        first, last = np.searchsorted(motion.times, [start, start + 4])
        if last - first > 20:
            low, high = np.quantile(motion.magnitude[first:last], [0.5, 0.95])
            figures["level"].append(low)
            figures["high level"].append(high)
    return figures


# Positions.


class Track:
    """Fixes at whole seconds in metres, and the true path where the trace has one."""

    def __init__(self, path):
        with h5py.File(path) as file:
            group = file["location"]
            times = group["time"][:] / 1e9
            origin = np.nanmedian(group["latitude"][:]), np.nanmedian(group["longitude"][:])
            points = metres(group, origin)
            keep = np.isfinite(points).all(1) & (np.diff(times, prepend=-1) > 0)
            if "horizontal_accuracy" in group:
                keep &= ~(group["horizontal_accuracy"][:] < 0)
            speed = group["speed"][:] if "speed" in group else np.full(len(times), np.nan)
            self.times, self.points, self.speed = times[keep], points[keep], speed[keep]
            self.interval = float(np.median(np.diff(self.times))) if len(self.times) > 1 else 0
            self.truth = None
            if "reference/track" in file:
                truth = file["reference/track"]
                self.truth = truth["time"][:] / 1e9, metres(truth, origin)
            self.stops = []
            if "reference/visit" in file:
                stop = file["reference/visit"]
                self.stops = list(zip(stop["onset"][:] / 1e9, stop["offset"][:] / 1e9))
            self.recorded_at = np.datetime64(file.attrs["recorded_at"].decode().rstrip("Z"))
            self.origin = origin

    def stretches(self, seconds, starts=None, most=2):
        """Points and speeds at whole seconds, in stretches without gaps."""
        if starts is None:
            starts = np.arange(self.times[0], self.times[-1] - seconds + 1, seconds)
        for start in starts:
            first, last = np.searchsorted(self.times, [start - 1e-6, start + seconds])
            times = self.times[first:last]
            if last - first < seconds / most or np.diff(times).max(initial=0) > most:
                continue
            if times[0] > start + most or times[-1] < start + seconds - 1 - most:
                continue
            grid = np.arange(start, start + seconds)
            yield (grid, np.stack([np.interp(grid, times, self.points[first:last, axis])
                                   for axis in range(2)], 1),
                   np.interp(grid, times, self.speed[first:last]))  # fmt: skip


def metres(group, origin):
    latitude, longitude = group["latitude"][:], group["longitude"][:]
    sine = np.sin(np.radians(origin[0]))
    root = np.sqrt(1 - 0.00669437999014 * sine * sine)
    east = np.radians(longitude - origin[1]) * np.cos(np.radians(origin[0])) * 6378137 / root
    return np.stack([east, np.radians(latitude - origin[0]) * 6335439.327 / root**3], 1)


def white(values):
    """The standard deviation of white noise: neighbouring second differences have -4 times its variance."""
    second = np.diff(values, 2, axis=0)
    covariance = (second[:-1] * second[1:]).mean()
    return np.sqrt(max(-covariance / 4, 0))


def moving_figures(track):
    figures = defaultdict(list)
    for _, points, speed in track.stretches(60, most=2 if track.interval <= 1.5 else 0):
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        if not 0.8 < np.median(steps) < 8:
            continue
        unrest = np.linalg.norm(np.diff(points, 2, axis=0), axis=1)
        figures["white"].append(white(points))
        figures["unrest"].append(np.median(unrest))
        figures["jump"].append(unrest.max())
        if np.isfinite(speed).all():
            figures["speed white"].append(white(speed[:, None]))
    return figures


def standing_figures(track, spans):
    figures = defaultdict(list)
    for start, end in spans:
        for _, points, speed in track.stretches(30, np.arange(start, end - 30, 30)):
            centre = np.median(points, axis=0)
            distances = np.linalg.norm(points - centre, axis=1)
            steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
            figures["way"].append(steps.sum() * 60 / 29)
            figures["spread"].append(np.quantile(distances, 0.95))
            figures["still"].append((steps < 0.01).mean())
            apart = points - points.mean(0)
            total = (apart**2).sum()
            if total > 1e-6:
                figures["memory"].append((apart[:-5] * apart[5:]).sum() / total * 30 / 25)
            if np.isfinite(speed).all():
                figures["speed"] += list(speed)
    return figures


def true_stands(track):
    """The spans in which the true path does not move."""
    times, points = track.truth
    moving = np.linalg.norm(np.diff(points, axis=0), axis=1) > 0.02
    spans, start = [], None
    for index, is_moving in enumerate(moving):
        if not is_moving and start is None:
            start = times[index]
        if is_moving and start is not None:
            spans.append((start + 2, times[index] - 2))
            start = None
    if start is not None:
        spans.append((start + 2, times[-1]))
    return spans


def diary_stands(track):
    """The inner parts of stops, while the position stays within 30 m of their median."""
    spans = []
    for onset, offset in track.stops:
        if offset - onset > 900:
            continue
        first, last = np.searchsorted(track.times, [onset + 120, offset - 120])
        if last - first < 60:
            continue
        times, points = track.times[first:last], track.points[first:last]
        near = np.linalg.norm(points - np.median(points, axis=0), axis=1) < 30
        start = None
        for time, is_near in zip(times, near):
            if is_near and start is None:
                start = time
            if not is_near and start is not None:
                spans.append((start, time))
                start = None
        if start is not None:
            spans.append((start, times[-1]))
    return spans


def across(points, line):
    """The distance of each point from a line through the points of another track."""
    starts, ends = line[:-1], line[1:]
    ways = ends - starts
    squares = np.maximum((ways**2).sum(1), 1e-9)
    result = []
    for index, point in enumerate(points):
        shares = np.clip(((point - starts) * ways).sum(1) / squares, 0, 1)
        result.append(np.linalg.norm(point - starts - shares[:, None] * ways, axis=1).min())
    return np.array(result)


def across_truth(track):
    times, line = track.truth
    values = []
    for grid, points, _ in track.stretches(60):
        near = (times > grid[0] - 20) & (times < grid[-1] + 20)
        if np.linalg.norm(np.diff(line[near], axis=0), axis=1).sum() > 50:
            values += list(across(points[::5], line[near]))
    return {"across": values}


def across_devices(one, other):
    """Two devices on one body: both errors are in the distance, and a wrong clock is not."""
    shift = (other.recorded_at - one.recorded_at) / np.timedelta64(1, "s")
    scale = np.cos(np.radians(one.origin[0])) * 111320, 111195
    line = other.points + [(other.origin[1] - one.origin[1]) * scale[0],
                           (other.origin[0] - one.origin[0]) * scale[1]]  # fmt: skip
    times = other.times + shift
    values = []
    for grid, points, _ in one.stretches(60):
        near = (times > grid[0] - 20) & (times < grid[-1] + 20)
        if near.sum() > 5 and np.linalg.norm(np.diff(points, axis=0), axis=1).sum() > 50:
            values += list(across(points[::5], line[near]) / np.sqrt(2))
    return {"across": values}


# The two sides.


class Sides:
    def __init__(self, recorded, folder, people):
        self.recorded, self.folder = recorded, folder
        self.numbers = range(1, people + 1)
        # Subject.swift: every other pair of people hits a pad.
        self.pads = [number for number in self.numbers if number // 2 % 2 == 0]
        self.air = [number for number in self.numbers if number // 2 % 2 == 1]
        self.made = {}

    def convert(self, name):
        """The traces of a recorded set, converted once; none if it is missing."""
        if name not in self.made:
            is_there = (self.recorded / name).is_dir()
            out = self.folder / name
            if not is_there:
                print(f"missing: {name}", file=sys.stderr)
                self.made[name] = []
            elif name in POSITIONS:
                self.made[name] = self.convert_positions(name, out)
            else:
                self.made[name] = convert(self.recorded, name, out)
        return self.made[name]

    def convert_positions(self, name, out):
        out.mkdir()
        pattern, options = POSITIONS[name]
        for path in sorted((self.recorded / name).glob(pattern)):
            if path.suffix in (".csv", ".gpx", ".tcx", ".fit", ".log"):
                subprocess.run([recordings.SHADOWBOX, "convert", path, *options, "--quiet", "-o",
                                out / f"{path.name}.h5"], capture_output=True)  # fmt: skip
        return sorted(out.glob("*.h5"))

    def simulated(self, scenario, rate=None, options=(), numbers=None):
        """The traces of simulated people."""
        folder = self.folder / f"{scenario}-{rate}-{'-'.join(options)}"
        folder.mkdir(exist_ok=True)

        def make(person):
            path = folder / f"{person}.h5"
            if not path.exists():
                shadowbox("synth", scenario, "--subject", person, "--seed", person,
                          *(["--sample-rate", rate] if rate else []), *options, "-o", path)  # fmt: skip
            return path

        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(make, numbers or self.numbers))

    def resampled(self, paths, rate):
        folder = self.folder / f"resampled-{rate}"
        folder.mkdir(exist_ok=True)

        def make(path):
            output = folder / path.name
            if not output.exists():
                shadowbox("resample", path, "--rate", f"{rate}Hz", "--method", "cubic", "-o", output)
            return output

        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(make, paths))


def measured(paths, is_removed, figures_of):
    """The figures of each person."""
    people = defaultdict(list)
    for path in paths:
        motion = Motion(path, is_removed)
        people[motion.subject].append(figures_of(motion, path))
    return [joined(some) for some in people.values()]


def only(people, *names):
    return [{name: figures[name] for name in names} for figures in people]


def comparisons(sides):
    """The name, and the figures of each recorded and of each simulated person, of each pair of sets."""

    def punches(name, rate, paths, scenario, numbers, label=None, is_removed=False, margins=(0, 0.15)):
        def of_recorded(motion, path):
            count = int(path.stem.split("-n")[1][:3]) if "glove" in path.stem else None
            return punch_figures(motion, rate, margins[0], None, count)

        return (name, measured(paths, is_removed, of_recorded),
                measured(sides.simulated(scenario, rate, numbers=numbers), is_removed,
                         lambda motion, path: punch_figures(motion, rate, margins[1], label)))  # fmt: skip

    def starting(name, *starts):
        return [path for path in sides.convert(name) if path.name.startswith(starts)]

    # The phone's files of the person with references: the others have the names of iPhone recordings.
    yield punches("straights in the air, phone, 50 Hz", 50, starting("punch-phone50", "cross_", "jab_"),
                  "punches", sides.air, "straight", True, (0.4, 0.15))  # fmt: skip
    yield punches("uppercuts in the air, phone, 50 Hz", 50,
                  starting("punch-phone50", "leadupper_", "rearupper_"),
                  "punches", sides.air, "uppercut", True, (0.4, 0.15))  # fmt: skip
    yield punches("hooks in the air, phone, 50 Hz", 50,
                  starting("punch-phone50", "leadhook_", "rearhook_"),
                  "punches", sides.air, "hook", True, (0.4, 0.15))  # fmt: skip
    yield punches("light punches, phone, 100 Hz", 100, sides.convert("punch-phone100"), "light-punches", None,
                  margins=(0, 0.6))  # fmt: skip
    yield punches("straights, glove, 25 Hz", 25,
                  starting("punch-glove25", "glove-left-jab", "glove-right-cross"),
                  "punches", sides.pads, "straight")  # fmt: skip

    fall = sides.convert("neg-umafall")
    waist = sides.convert("neg-waist200") + sides.convert("neg-waist200-more")

    def steps(paths, rate, scenario):
        def figures(motion, path):
            return step_figures(motion, rate)

        return measured(paths, False, figures), measured(sides.simulated(scenario, rate), False, figures)

    def wrist(activity):
        return [path for path in fall if path.stem.startswith(activity) and "WRIST" in path.stem]

    def at_waist(*activities):
        return sides.resampled([path for path in waist if path.stem.startswith(activities)], 50)

    for name, activity, codes, scenario in (
        ("walking", "Walking", ("D01", "D02"), "walking"),
        ("jogging", "Jogging", ("D03", "D04"), "running"),
    ):
        yield f"{name}, wrist, 20 Hz", *steps(wrist(activity), 20, scenario)
        both = steps(at_waist(*codes), 50, scenario)
        yield f"{name}, waist, 50 Hz", *(only(side, "rhythm", "period") for side in both)

    def claps(motion, path):
        return clap_figures(motion, 20)

    yield ("clapping, wrist, 20 Hz", measured(wrist("Aplausing"), False, claps),
           measured(sides.simulated("clapping", 20), False, claps))  # fmt: skip

    def falls(motion, path):
        return fall_figures(motion, 20)

    yield ("staged falls, wrist, 20 Hz",
           measured([path for path in fall if "Fall_" in path.stem and "WRIST" in path.stem], False, falls),
           measured(sides.simulated("falls", 20), False, falls))  # fmt: skip

    def level(motion, path):
        return level_figures(motion)

    yield ("exercises, watch, 50 Hz", measured(sides.convert("neg-watch50"), False, level),
           measured(sides.simulated("exercise", 50), False, level))  # fmt: skip
    both = steps(at_waist("D05", "D06"), 50, "stairs")
    yield "stairs, waist, 50 Hz", *(only(side, "rhythm", "period") for side in both)

    yield from position_comparisons(sides)


def position_comparisons(sides):
    def tracks(paths):
        found = []
        for path in paths:
            with h5py.File(path) as file:
                if "location" not in file or len(file["location/time"]) < 40:
                    continue
            found.append(Track(path))
        return found

    visits = tracks(sides.convert("gps-visits"))
    pairs = sides.convert("gps-two-devices")
    watches = [track for track in tracks(sides.convert("gps-loop-1710m") + pairs
                                         + sides.convert("gps-formats")) if track.interval <= 1.5]  # fmt: skip
    receivers = [track for track in tracks(sides.convert("nmea"))
                 if np.linalg.norm(np.ptp(track.points, axis=0)) < 30 and track.interval == 1]  # fmt: skip

    def simulated(scenarios, where, is_watch):
        numbers = [number for number in sides.numbers if (number % 4 == 3) == is_watch][:6]
        return tracks(path for scenario in scenarios for path in
                      sides.simulated(scenario, options=("--surroundings", where), numbers=numbers))  # fmt: skip

    runs = "road-run", "track-run"
    phones = simulated(("route", *runs), "open", False)
    watched = simulated(runs, "open", True)

    def stands(some):
        return [standing_figures(track, true_stands(track)) for track in some]

    yield ("moving, watches and apps", list(map(moving_figures, watches)),
           list(map(moving_figures, watched)))  # fmt: skip
    yield ("moving, phones with a diary", list(map(moving_figures, visits)),
           list(map(moving_figures, phones)))  # fmt: skip
    yield ("standing, phones with a diary",
           [standing_figures(track, diary_stands(track)) for track in visits], stands(phones))  # fmt: skip
    yield ("standing, receivers", only([standing_figures(track, [(track.times[0], track.times[-1] + 1)])
                                        for track in receivers], "way", "spread", "still", "speed"),
           stands(simulated(("route", *runs), "open", True)))  # fmt: skip
    two = [(one, other) for one in pairs for other in pairs
           if one.name.endswith("polar.gpx.h5") and other.name.endswith("garmin.gpx.h5")
           and one.name[:10] == other.name[:10]]  # fmt: skip
    devices = [across_devices(Track(one), Track(other)) for one, other in two]
    both = [track for where in ("open", "forest") for track in simulated(runs, where, False)]
    yield "across, two devices", devices, list(map(across_truth, both))


# The page and the picture.


def quartiles(values):
    return [float(value) for value in np.quantile(values, [0.25, 0.5, 0.75])]


def marked(ratio):
    if not np.isfinite(ratio):
        return "-"
    return f"{ratio:.2f}" + ("*" if abs(ratio - 1) > LIMIT else "")


def share(one, other):
    return one / other if other > 1e-12 else np.nan


def pooled(people, figure):
    return [value for one in people for value in one.get(figure, [])]


def within(people, figure):
    """The quartile range within a person: the median over people."""
    ranges = [np.subtract(*np.quantile(one[figure], [0.75, 0.25])) for one in people
              if len(one.get(figure, [])) >= 5]  # fmt: skip
    return float(np.median(ranges)) if ranges else np.nan


def rows_of(results):
    for name, real, simulated in results:
        for figure in dict.fromkeys(key for one in real for key in one):
            sides = []
            for people in (real, simulated):
                values = pooled(people, figure)
                if len(values) < 5:
                    break
                count = sum(1 for one in people if len(one.get(figure, [])))
                sides.append((quartiles(values), len(values), count, within(people, figure)))
            if len(sides) == 2:
                (a, *_, own), (b, *_, other) = sides
                if np.isnan(own) or np.isnan(other):
                    own, other = a[2] - a[0], b[2] - b[0]
                yield name, figure, *sides, share(b[1], a[1]), share(other, own)


def is_near(ratio):
    return abs(ratio - 1) <= LIMIT


def page(rows):
    yield "# Simulated and recorded"
    yield ""
    yield "Median (first to third quartile) of all values; counts are values and people, or values and tracks."
    yield ""
    header = ["set", "figure", "recorded", "n, people", "simulated", "n, people", "ratio of medians",
              "of ranges within a person"]  # fmt: skip
    yield "| " + " | ".join(header) + " |"
    yield "|---|---|" + "---:|" * (len(header) - 2)
    for name, figure, real, simulated, medians, ranges in rows:
        cells = []
        for (low, middle, high), count, people, _ in (real, simulated):
            cells += [f"{middle:.3g} ({low:.3g}-{high:.3g})", f"{count}, {people}"]
        yield f"| {name} | {figure} | {' | '.join(cells)} | {marked(medians)} | {marked(ranges)} |"
    yield ""
    yield (f"Within 20 %: {sum(is_near(row[4]) for row in rows)} of {len(rows)} medians; with the range too:"
           f" {sum(is_near(row[4]) and is_near(row[5]) for row in rows)}.")  # fmt: skip


def draw(results, path):
    """Box plots of the figures: quartiles, and whiskers from the 5th to the 95th percentile."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    results = [(name, {key: [pooled(side, key) for side in sides] for key in
                       dict.fromkeys(key for one in sides[0] for key in one)}) for name, *sides in results]  # fmt: skip
    columns = max(len(figures) for _, figures in results)
    figure, axes = plt.subplots(len(results), columns, figsize=(2.1 * columns, 1.5 * len(results)),
                                squeeze=False)  # fmt: skip
    for row, (name, figures) in zip(axes, results):
        for axis in row:
            axis.set_visible(False)
        for axis, (key, some) in zip(row, figures.items()):
            if min(map(len, some)) < 5:
                continue
            axis.set_visible(True)
            boxes = axis.boxplot(some, vert=False, whis=(5, 95), showfliers=False, widths=0.6,
                                 patch_artist=True, medianprops={"color": "black"})  # fmt: skip
            for box, colour in zip(boxes["boxes"], ("#9ecae1", "#fdae6b")):
                box.set_facecolor(colour)
            axis.set_yticks([1, 2], ["recorded", "simulated"] if axis is row[0] else ["", ""], fontsize=7)
            axis.invert_yaxis()
            axis.tick_params(axis="x", labelsize=7)
            axis.set_title(f"{name}\n{key}" if axis is row[0] else key, fontsize=8, loc="left")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--people", type=int, default=24)
    parser.add_argument("--shadowbox", type=Path, default=recordings.SHADOWBOX)
    options = parser.parse_args()
    recordings.SHADOWBOX = options.shadowbox
    if not found_sets(options.folder, recordings.SETS):
        sys.exit(f"{options.folder}: expected {', '.join(recordings.SETS)}, found none of them")
    with tempfile.TemporaryDirectory() as temporary:
        sides = Sides(options.folder, Path(temporary), options.people)
        results = [one for one in comparisons(sides) if any(map(any, (side.values() for side in one[1])))]
    text = "\n".join(page(list(rows_of(results)))) + "\n"
    if options.picture:
        draw(results, options.picture)
    put(text, options.output)


if __name__ == "__main__":
    main()
