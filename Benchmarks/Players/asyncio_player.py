#!/usr/bin/env python3
"""A straightforward player with asyncio, in one of two styles.

    python3 asyncio_player.py --devices 100 --seconds 5 --style tasks

`tasks` has one task for each stream, `heap` one task that takes the next reading from a heap.
Prints one JSON object. README.md describes the schedule and the fields; sleep_until_player.cpp plays
the same schedule into the same receivers, so both must count the same detections.
"""

import argparse
import asyncio
import gc
import heapq
import json
import math
import resource
import selectors
import sys
import time
from array import array

SECOND = 1_000_000_000
MILLISECOND = 1_000_000

WRONG_USE = 64

# MARK: Receivers

# Ten seconds at 100 Hz: tremor, and every second a swing of 160 ms that peaks at 60 or 20 m s-2.
MOTION = [
    (
        0.5 * math.sin(0.7 * i),
        (60, 20)[i // 100 % 2] * math.sin(math.pi * (i % 100 - 40) / 16)
        if 40 <= i % 100 < 56
        else 0.0,
        0.5 * math.cos(0.9 * i),
    )
    for i in range(1000)
]

# A minute at 1 Hz: metres from the middle of a fence on a walk to and fro across it.
WALK = [40 * math.cos(2 * math.pi * i / 60) for i in range(60)]


class PunchReceiver:
    """The peak of the magnitude within 250 ms of the first sample over 30 m s-2; 400 ms
    refractory."""

    __slots__ = (
        "position is_below is_open opened peak_time refractory_end squared_peak detections".split()
    )

    SQUARED_THRESHOLD = 30.0**2
    PEAK_WINDOW = 250 * MILLISECOND
    REFRACTORY = 400 * MILLISECOND

    def __init__(self, position: int) -> None:
        self.position = position % len(MOTION)
        self.is_below = True
        self.is_open = False
        self.opened = self.peak_time = self.refractory_end = 0
        self.squared_peak = 0.0
        self.detections = 0

    def deliver(self, measured: int) -> None:
        x, y, z = MOTION[self.position]
        self.position = (self.position + 1) % len(MOTION)
        squared = x * x + y * y + z * z
        if self.is_open:
            if measured - self.opened <= self.PEAK_WINDOW:
                if squared > self.squared_peak:
                    self.squared_peak = squared
                    self.peak_time = measured
                return
            self.is_open = False
            self.refractory_end = self.peak_time + self.REFRACTORY
            self.detections += 1
        if squared <= self.SQUARED_THRESHOLD:
            self.is_below = True
        elif self.is_below and measured >= self.refractory_end:
            self.is_below = False
            self.is_open = True
            self.opened = self.peak_time = measured
            self.squared_peak = squared


class FenceReceiver:
    """Counts the entries into a fence of 15 m."""

    __slots__ = ("position", "was_inside", "detections")

    def __init__(self, position: int) -> None:
        self.position = position % len(WALK)
        self.was_inside = False
        self.detections = 0

    def deliver(self, measured: int) -> None:
        is_inside = abs(WALK[self.position]) <= 15
        self.position = (self.position + 1) % len(WALK)
        if is_inside and not self.was_inside:
            self.detections += 1
        self.was_inside = is_inside


class HeartbeatReceiver:
    """Counts the returns after more than three intervals without a heartbeat."""

    __slots__ = ("last_seen", "detections")

    def __init__(self) -> None:
        self.last_seen = 0
        self.detections = 0

    def deliver(self, measured: int) -> None:
        if measured - self.last_seen > 4500 * MILLISECOND:
            self.detections += 1
        self.last_seen = measured


# MARK: Schedule

ACCELEROMETER_PERIOD = 10 * MILLISECOND
LOCATION_PERIOD = 1 * SECOND
HEARTBEAT_PERIOD = 1500 * MILLISECOND


class Stream:
    """Readings at `first`, `first + period`, ... nanoseconds after the start."""

    __slots__ = ("receiver", "period", "first")

    def __init__(self, receiver, period: int, device: int, devices: int) -> None:
        self.receiver = receiver
        self.period = period
        # Each kind of stream is spread evenly over its period.
        self.first = period * device // devices


def make_streams(devices: int) -> list[Stream]:
    return [
        Stream(receiver, period, device, devices)
        for device in range(devices)
        for receiver, period in (
            (PunchReceiver(37 * device), ACCELEROMETER_PERIOD),
            (FenceReceiver(7 * device), LOCATION_PERIOD),
            (HeartbeatReceiver(), HEARTBEAT_PERIOD),
        )
    ]


def count_deliveries(streams: list[Stream], end: int) -> int:
    """Deliveries scheduled before `end` (ns after the start)."""
    return sum(len(range(stream.first, end, stream.period)) for stream in streams)


# MARK: Playing


class Record:
    """The lateness of every delivery in nanoseconds."""

    def __init__(self, count: int) -> None:
        self.lateness = array("q", bytes(8 * count))
        self.delivered = 0
        self.missed = 0

    def add(self, lateness: int, period: int) -> None:
        self.lateness[self.delivered] = lateness
        self.delivered += 1
        if lateness > period:
            self.missed += 1


async def play_stream(stream: Stream, start: int, end: int, record: Record) -> None:
    loop_time = asyncio.get_running_loop().time
    for due in range(stream.first, end, stream.period):
        scheduled = start + due
        # 0 where it is late: the other streams get their turn all the same.
        await asyncio.sleep(max(0.0, scheduled * 1e-9 - loop_time()))
        record.add(time.monotonic_ns() - scheduled, stream.period)
        stream.receiver.deliver(due)


async def play_heap(streams: list[Stream], start: int, end: int, record: Record) -> None:
    loop_time = asyncio.get_running_loop().time
    heap = [(stream.first, index) for index, stream in enumerate(streams) if stream.first < end]
    heapq.heapify(heap)
    while heap:
        due, index = heap[0]
        stream = streams[index]
        scheduled = start + due
        delay = scheduled * 1e-9 - loop_time()
        if delay > 0:
            await asyncio.sleep(delay)
        record.add(time.monotonic_ns() - scheduled, stream.period)
        stream.receiver.deliver(due)
        if due + stream.period < end:
            heapq.heapreplace(heap, (due + stream.period, index))
        else:
            heapq.heappop(heap)


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def play(streams: list[Stream], end: int, style: str, record: Record) -> tuple[float, float]:
    """Plays all; returns the seconds of processor and of wall time from the start on."""
    # Tasks are made before the start: 0.1 s, and at 10,000 devices another 1.5 s.
    start = time.monotonic_ns() + 100 * MILLISECOND + 50_000 * len(streams)
    if style == "tasks":
        coroutines = [play_stream(stream, start, end, record) for stream in streams]
    else:
        coroutines = [play_heap(streams, start, end, record)]
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    # What exists now stays: the collector need not walk it while playing.
    gc.collect()
    gc.freeze()
    loop_time = asyncio.get_running_loop().time
    await asyncio.sleep((start - 5 * MILLISECOND) * 1e-9 - loop_time())
    cpu_before = cpu_seconds()
    await asyncio.gather(*tasks)
    return cpu_seconds() - cpu_before, (time.monotonic_ns() - start) * 1e-9


# MARK: Report


def percentile(ascending, per_mille: int) -> int | None:
    """The percentile by nearest rank, or None where fewer than ten values lie beyond it.

    >>> percentile(range(1, 1001), 990), percentile(range(1, 1000), 990)
    (990, None)
    """
    count = len(ascending)
    if count * (1000 - per_mille) < 10_000:
        return None
    return ascending[-(-count * per_mille // 1000) - 1]


def percentiles(lateness) -> dict[str, int | None]:
    ascending = sorted(lateness)
    ranks = {"p50": 500, "p90": 900, "p99": 990, "p99_9": 999}
    found = {name: percentile(ascending, per_mille) for name, per_mille in ranks.items()}
    return found | {"max": ascending[-1] if ascending else None}


def make_loop(selector: str) -> asyncio.AbstractEventLoop:
    """`default` is what `asyncio.run` takes: epoll on Linux, which waits whole milliseconds.

    `select` waits microseconds.
    """
    if selector == "select":
        return asyncio.SelectorEventLoop(selectors.SelectSelector())
    return asyncio.new_event_loop()


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        print(f"{self.prog}: {message}; see --help", file=sys.stderr)
        sys.exit(WRONG_USE)


def parse() -> argparse.Namespace:
    parser = Parser(description="Plays simulated devices with asyncio and prints how late it was.")
    parser.add_argument("--devices", type=int, default=100, help="default %(default)s")
    parser.add_argument("--seconds", type=float, default=5.0, help="default %(default)s")
    parser.add_argument("--style", choices=["tasks", "heap"], default="heap")
    parser.add_argument("--selector", choices=["default", "select"], default="default")
    options = parser.parse_args()
    if not 1 <= options.devices <= 100_000:
        parser.error(f"--devices: expected 1...100000, found {options.devices}")
    if not 0.001 <= options.seconds <= 3600:
        parser.error(f"--seconds: expected 0.001...3600, found {options.seconds}")
    return options


def main() -> None:
    options = parse()
    streams = make_streams(options.devices)
    end = round(options.seconds * SECOND)
    count = count_deliveries(streams, end)
    if count > 100_000_000:
        sys.exit("asyncio_player: more than 100 million deliveries; take fewer devices or seconds")
    record = Record(count)
    loop = make_loop(options.selector)
    try:
        cpu, wall = loop.run_until_complete(play(streams, end, options.style, record))
    finally:
        loop.close()
    name = f"asyncio {options.style}"
    if options.selector != "default":
        name += f", {options.selector}"
    result = {
        "player": name,
        "devices": options.devices,
        "seconds": options.seconds,
        "deliveries": record.delivered,
        "missed": record.missed,
        "detections": sum(stream.receiver.detections for stream in streams),
        "lateness_ns": percentiles(record.lateness),
        "cpu_seconds": round(cpu, 6),
        "wall_seconds": round(wall, 6),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
