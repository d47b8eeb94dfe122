"""Writes geodesics.json: lengths of geodesics on WGS84 by GeographicLib.

    python3 -m venv venv && venv/bin/pip install geographiclib==2.1
    venv/bin/python Tests/Fixtures/geodesics.py > Tests/Fixtures/geodesics.json
"""

import random

from fixture import show, versions
from geographiclib.geodesic import Geodesic

wgs84, r, rows = Geodesic.WGS84, random.Random(1), []


def leg(length, lat=None):
    lat = r.uniform(-85, 85) if lat is None else lat
    lon = r.uniform(-180, 180)
    end = wgs84.Direct(lat, lon, r.uniform(-180, 180), length)
    rows.append((lat, lon, end["lat2"], end["lon2"]))


for length in (0, 1e-3, 1, 5, 49.9, 50.1, 500, 5e3, 5e4, 5e5, 5e6, 1.5e7):
    for _ in range(11):
        leg(length)
for length in (1, 50, 1e3, 1e5):  # near the poles
    for lat in (-90, -89.99999, -80, 79, 89.9, 90):
        leg(length, lat)
for step in (0, 1e-9, 1e-5, 0.01, 0.5, 1):  # near the antipode
    for lat in (0, 1e-6, -30, 60, 90):
        rows.append((lat, 10, -lat + step / 3, -170 + step))
for lat in (0, 0.5, -45, 80):  # across the date line
    rows.append((lat, 179.99999, lat, -179.99999))
    rows.append((lat, -179.9999, lat + 1e-4, 179.9999))
    rows.append((lat, 180, lat, -180))

show(
    program=versions("geographiclib", "Python"),
    command="python3 Tests/Fixtures/geodesics.py > Tests/Fixtures/geodesics.json",
    about="Latitudes and longitudes in degrees; length: of the geodesic on WGS84, in metres.",
    cases=[
        {
            "latitude1": float(row[0]), "longitude1": float(row[1]),
            "latitude2": float(row[2]), "longitude2": float(row[3]),
            "length": wgs84.Inverse(*row)["s12"],
        }
        for row in rows
    ])
