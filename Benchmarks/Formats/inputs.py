"""Recordings of any size to convert: the same bytes for the same size, whatever the machine.

>>> import io
>>> file = io.BytesIO()
>>> write_gpx(file, 2000)
>>> file.getvalue().count(b"</trkpt>") > 5
True
>>> file = io.BytesIO()
>>> write_csv(file, 200)
>>> file.getvalue().splitlines()[1]
b'1696409036.958328800,0.0012345678901234567,-0.5864197530864198,9.8066499999999994'
"""

import math
from collections.abc import Callable, Iterator
from typing import BinaryIO

GPX_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="compare.py" xmlns="http://www.topografix.com/GPX/1/1"
  xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
  <trk>
    <name>A long walk</name>
    <trkseg>
"""
GPX_TAIL = "    </trkseg>\n  </trk>\n</gpx>\n"
CSV_HEAD = "time,x,y,z\n"

# Lines are made in blocks of so many, which is faster than one by one.
BLOCK = 1000


def write_gpx(file: BinaryIO, size: int) -> None:
    """About `size` bytes: a walk of a point a second, in the four most common forms.

    A fifth of it has elevation and time alone (watches), the others add speed, course and hdop
    (GPX 1.0, which some programs write into 1.1 too), or speed in Garmin's extension next to a heart
    rate (which is listed as left out, because a trace has no place for it), or accuracy and speed in
    plain extensions.
    """
    fill(file, size, GPX_HEAD, gpx_points, GPX_TAIL)


def write_csv(file: BinaryIO, size: int) -> None:
    """About `size` bytes: 100 Hz of acceleration with the digits that a phone's doubles have."""
    fill(file, size, CSV_HEAD, csv_rows, "")


def fill(
    file: BinaryIO, size: int, head: str, blocks: Callable[[], Iterator[str]], tail: str
) -> None:
    rest = size - file.write(head.encode()) - len(tail)
    for block in blocks():
        rest -= file.write(block.encode())
        if rest <= 0:
            break
    file.write(tail.encode())


def civil(seconds: int) -> str:
    """A time of day on days that are counted from 2022-05-01, over 28 days a month."""
    days, rest = divmod(seconds, 86400)
    months, day = divmod(days, 28)
    years, month = divmod(months + 4, 12)
    hour, rest = divmod(rest, 3600)
    minute, second = divmod(rest, 60)
    return f"{2022 + years}-{month + 1:02}-{day + 1:02}T{hour:02}:{minute:02}:{second:02}"


def gpx_points() -> Iterator[str]:
    index = 0
    while True:
        points = []
        for index in range(index, index + BLOCK):
            phase = index * 1e-4
            latitude = 46.5 + 0.1 * math.sin(phase)
            longitude = 13.5 + 0.1 * math.cos(0.7 * phase)
            points.append(
                gpx_point(index, latitude, longitude, 600 + 200 * math.sin(phase / 3), civil(index))
            )
        index += 1
        yield "".join(points)


def gpx_point(index: int, latitude: float, longitude: float, elevation: float, time: str) -> str:
    kind = index // 100 % 5
    speed = 1.2 + 0.4 * math.sin(index * 0.01)
    course = index * 0.37 % 360
    if kind == 0:
        place = f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}">'
        return f"      {place}<ele>{elevation:.1f}</ele><time>{time}Z</time></trkpt>\n"
    if kind in (1, 2):
        inner = f"""        <course>{course:.1f}</course>
        <speed>{speed:.2f}</speed>
        <hdop>{0.8 + index % 7 / 10:.1f}</hdop>
"""
    elif kind == 3:
        inner = f"""        <extensions>
          <gpxtpx:TrackPointExtension>
            <gpxtpx:hr>{110 + index % 40}</gpxtpx:hr>
            <gpxtpx:speed>{speed:.3f}</gpxtpx:speed>
          </gpxtpx:TrackPointExtension>
        </extensions>
"""
    else:
        values = f"<accuracy>{3 + index % 9}</accuracy><speed>{speed:.6f}</speed>"
        inner = f"        <extensions>{values}</extensions>\n"
    fraction = f".{index * 37 % 1000:03}" if kind == 2 else ""
    return f"""      <trkpt lat="{latitude:.9f}" lon="{longitude:.9f}">
        <ele>{elevation:.3f}</ele>
        <time>{time}{fraction}Z</time>
{inner}      </trkpt>
"""


def csv_rows() -> Iterator[str]:
    start = 1_696_409_036_958_328_800
    index = 0
    # A generator of its own, because Python's may change (Numerical Recipes, 2nd ed., 7.1).
    state = 12345
    while True:
        rows = []
        for index in range(index, index + BLOCK):
            state = (1664525 * state + 1013904223) & 0xFFFFFFFF
            noise = state / 0xFFFFFFFF
            phase = index * 0.013
            x = 0.0012345678901234567 + 3 * math.sin(phase) * noise * (index > 0)
            y = -0.58641975308641975 + 0.02 * noise * (index > 0)
            z = 9.80665 + math.cos(phase * 0.31) * noise * (index > 0)
            time = start + index * 10_000_000 + state % 400_000 * (index > 0)
            rows.append(f"{time // 10**9}.{time % 10**9:09},{x:.17g},{y:.17g},{z:.17g}\n")
        index += 1
        yield "".join(rows)
