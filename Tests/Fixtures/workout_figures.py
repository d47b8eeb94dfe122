"""Writes workout_figures.json: what other programs say of weeks and of lines on a map.

    python3 -m venv venv && venv/bin/pip install polyline==2.0.4 tzdata==2026.6
    venv/bin/python Tests/Fixtures/workout_figures.py > Tests/Fixtures/workout_figures.json

Weeks (Tests/AppIOTests/WorkoutCalendarTests.swift): a time in Unix seconds, the first weekday as
`calendar` counts it (Monday = 0) and a zone of `zoneinfo` give the date of the week's first day and
the Unix seconds at which each of its days, and the next week, begin. There are weeks with a change
of the clocks (New York, Berlin, half an hour on Lord Howe, midnights that are skipped in São Paulo
and Cairo), and one across a year. Lines (Tests/AppsTests/Workout/EncodedPolylineTests.swift): the
example of the format's documentation, random walks and edges as `polyline` encodes them.
"""

import calendar
import random
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import polyline
from fixture import show, versions

WEEKS = [
    ("en_US", calendar.SUNDAY, "America/New_York", "2024-03-12T12:00"),
    ("en_US", calendar.SUNDAY, "America/New_York", "2024-11-03T01:30"),
    ("de_DE", calendar.MONDAY, "Europe/Berlin", "2024-03-31T23:59"),
    ("de_DE", calendar.MONDAY, "Europe/Berlin", "2024-10-27T00:00"),
    ("iso", calendar.MONDAY, "Australia/Lord_Howe", "2024-04-07T12:00"),
    ("en_US", calendar.SUNDAY, "America/Sao_Paulo", "2018-11-05T12:00"),
    ("ar_EG", calendar.SATURDAY, "Africa/Cairo", "2024-04-27T00:30"),
    ("de_DE", calendar.MONDAY, "Europe/Berlin", "2025-01-01T00:00"),
]


def first_instant(day, zone):
    """Unix seconds of the day's first instant: 01:00 where midnight is skipped."""
    midnight = datetime.combine(day, time(), zone)
    seconds = int(midnight.timestamp())
    while datetime.fromtimestamp(seconds, zone).date() < day:
        seconds += 900
    return seconds


def week(locale, first, name, text):
    zone = ZoneInfo(name)
    moment = datetime.fromisoformat(text).replace(tzinfo=zone)
    days = calendar.Calendar(first).monthdatescalendar(moment.year, moment.month)
    week = next(week for week in days if moment.date() in week)
    following = week[-1] + timedelta(days=1)
    return {
        "locale": locale, "zone": name, "time": int(moment.timestamp()), "date": str(week[0]),
        "starts": [first_instant(day, zone) for day in week + [following]],
    }


def line(precision, points):
    return {
        "precision": precision, "points": points, "text": polyline.encode(points, precision),
    }


def walks():
    generator = random.Random(7)
    for precision in (5, 6):
        for count in (1, 4):
            points = []
            latitude, longitude = generator.uniform(-80, 80), generator.uniform(-170, 170)
            for _ in range(count):
                points.append((round(latitude, 7), round(longitude, 7)))
                latitude += generator.uniform(-1, 1)
                longitude += generator.uniform(-1, 1)
            yield line(precision, points)


DOCUMENTED = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
EDGES = [(90, 180), (-90, -180), (0, 0), (1e-5, -1e-5)]

show(
    program=versions("polyline", "tzdata", "Python"),
    command="python3 Tests/Fixtures/workout_figures.py > Tests/Fixtures/workout_figures.json",
    about="weeks: the date of the first day of the week of a time, and the Unix seconds at which "
    "its days and the next week begin. lines: latitudes and longitudes in degrees and their "
    "encoded polyline.",
    weeks=[week(*row) for row in WEEKS],
    lines=[
        line(5, DOCUMENTED), *walks(), line(5, EDGES), line(6, EDGES),
    ])
