"""Checks what `shadowbox export` writes as GPX, GeoJSON and KML.

    SHADOWBOX_EXECUTABLE=… python Tests/Python/check_maps.py

A simulated run and a route are exported with the program in SHADOWBOX_EXECUTABLE. lxml, gpxpy, json
and gpsbabel read the files, and must find the fixes that h5py finds in the trace. Elements of GPX and
KML must be in the order of their schemas (topografix.com/GPX/1/1/gpx.xsd, OGC 07-147r2), with texts of
the right type; positions of GeoJSON as in RFC 7946. Exits with 1 and says what is wrong.
"""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

import gpxpy
import h5py
import lxml.etree
import numpy

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(os.environ["SHADOWBOX_EXECUTABLE"]).resolve())
START = datetime(2024, 6, 7, 12, tzinfo=timezone.utc)
GPX = "{http://www.topografix.com/GPX/1/1}"
KML = "{http://www.opengis.net/kml/2.2}"
GX = "{http://www.google.com/kml/ext/2.2}"
OWN = "{urn:shadowbox:gpx:1}"
DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")

# The elements of each type, in the order of the schema.
POINT = ("ele time magvar geoidheight name cmt desc src link sym type fix sat hdop vdop pdop "
         "ageofdgpsdata dgpsid extensions").split()
GPX_ORDER = {
    "gpx": "metadata wpt rte trk extensions".split(),
    "metadata": "name desc author copyright link time keywords bounds extensions".split(),
    "wpt": POINT, "trkpt": POINT,
    "trk": "name cmt desc src link number type extensions trkseg".split(),
    "trkseg": "trkpt extensions".split(),
}
FEATURE = ("name visibility open author link address phoneNumber Snippet description Camera LookAt "
           "TimeStamp TimeSpan styleUrl Style StyleMap Region ExtendedData").split()
SHAPES = "Point LineString LinearRing Polygon MultiGeometry Model Track".split()
KML_ORDER = {
    "Document": FEATURE + ["Schema", "FEATURES"], "Folder": FEATURE + ["FEATURES"],
    "Placemark": FEATURE + ["GEOMETRY"], "MultiGeometry": ["GEOMETRY"],
    "Style": "IconStyle LabelStyle LineStyle PolyStyle BalloonStyle ListStyle".split(),
    "IconStyle": "color colorMode scale heading Icon hotSpot".split(),
    "LineStyle": "color colorMode width".split(),
    "Polygon": "extrude tessellate altitudeMode outerBoundaryIs innerBoundaryIs".split(),
    "LineString": "extrude tessellate altitudeMode coordinates".split(),
    "TimeSpan": "begin end".split(), "Track": "altitudeMode when coord angles Model ExtendedData".split(),
}


def require(condition, message):
    if not condition:
        sys.exit(message)


def shadowbox(folder, *arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments), "--quiet"], cwd=folder,
                          capture_output=True, text=True, timeout=120)
    require(done.returncode == 0, f"shadowbox {' '.join(map(str, arguments))}: {done.stderr}")


def check_order(root, orders, name_of):
    for element in root.iter(lxml.etree.Element):
        order = orders.get(lxml.etree.QName(element).localname)
        if order is None:
            continue
        names = [name_of(child) for child in element]
        unknown = [name for name in names if name not in order]
        require(not unknown, f"{element.tag}: {unknown} are not in its schema")
        places = [order.index(name) for name in names]
        require(places == sorted(places), f"{element.tag}: {names} are out of order")


def expected(path):
    """The fixes of a trace: name to column, and times."""
    with h5py.File(path) as file:
        group = file["location"]
        columns = {name: group[name][:] for name in
                   ["latitude", "longitude", "altitude", "horizontal_accuracy", "speed"]}
        return columns, group["time"][:].tolist()


def nanoseconds(text):
    require(DATE.fullmatch(text), f"{text} is no date")
    whole = datetime.strptime(text[:19], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    fraction = text[20:-1] if "." in text else ""
    return ((whole - START) // timedelta(seconds=1)) * 10**9 + int(fraction.ljust(9, "0") or 0)


def same(found, column, what):
    require(numpy.array_equal(numpy.array(found, dtype=float), column, equal_nan=True),
            f"{what} differs")


# ---------------------------------------------------------------- GPX


def check_gpx(path, trace, uses):
    root = lxml.etree.parse(path).getroot()
    check_order(root, GPX_ORDER, lambda child: lxml.etree.QName(child).localname)
    for element in root.iter(f"{GPX}ele", f"{OWN}*"):
        if element.tag != f"{OWN}use":
            require(DECIMAL.fullmatch(element.text), f"{path}: {element.text} is no xsd:decimal")
    for point in root.iter(f"{GPX}wpt", f"{GPX}trkpt"):
        latitude, longitude = point.get("lat"), point.get("lon")
        require(DECIMAL.fullmatch(latitude) and abs(float(latitude)) <= 90, f"lat {latitude}")
        require(DECIMAL.fullmatch(longitude) and -180 <= float(longitude) < 180, f"lon {longitude}")
    require(not list(root.iter(f"{GPX}hdop")), f"{path}: an accuracy in metres is no HDOP")
    columns, times = expected(trace)
    points = list(root.find(f"{GPX}trk").iter(f"{GPX}trkpt"))

    def texts(name):
        found = [next(point.iter("{*}" + name), None) for point in points]
        return [math.nan if each is None else float(each.text) for each in found]

    require([nanoseconds(point.findtext(f"{GPX}time")) for point in points] == times,
            f"{path}: times differ")
    same([point.get("lat") for point in points], columns["latitude"], f"{path}: latitude")
    same([point.get("lon") for point in points], columns["longitude"], f"{path}: longitude")
    same(texts("ele"), columns["altitude"], f"{path}: elevation")
    same(texts("accuracy"), columns["horizontal_accuracy"], f"{path}: accuracy")
    same(texts("speed"), columns["speed"], f"{path}: speed")
    require([next(point.iter(f"{OWN}use")).text for point in points] == uses,
            f"{path}: other fixes are accepted than in the GeoJSON")
    read = gpxpy.parse(path.read_text(encoding="utf-8"))
    require(len(read.tracks) == 2 and len(read.tracks[1].segments[0].points) > 100,
            f"{path}: gpxpy finds no true path")
    require(len(read.waypoints) == len(list(root.iter(f"{GPX}wpt"))), f"{path}: waypoints")
    return [waypoint.name for waypoint in read.waypoints]


# ---------------------------------------------------------------- GeoJSON


def positions(geometry):
    """The positions of a geometry, in one list."""
    coordinates = geometry["coordinates"]
    if geometry["type"] == "Point":
        return [coordinates]
    if geometry["type"] == "LineString":
        return coordinates
    return [position for part in coordinates for position in part]


def check_geojson(path, trace):
    document = json.loads(path.read_text(encoding="utf-8"), parse_constant=sys.exit)
    require(document["type"] == "FeatureCollection", f"{path}: {document['type']}")
    for feature in document["features"]:
        for longitude, latitude, *altitude in positions(feature["geometry"]):
            require(abs(longitude) <= 180 and abs(latitude) <= 90 and len(altitude) <= 1,
                    f"{path}: a position of {feature['properties']}")
        if feature["geometry"]["type"] == "Polygon":
            ring = numpy.array(feature["geometry"]["coordinates"][0])
            area = (ring[:-1, 0] * ring[1:, 1] - ring[1:, 0] * ring[:-1, 1]).sum()
            require(len(ring) >= 4 and (ring[0] == ring[-1]).all() and area > 0,
                    f"{path}: a ring that is not closed and counterclockwise")
    fixes = [feature for feature in document["features"]
             if feature["properties"]["kind"] == "fix"]
    columns, times = expected(trace)
    places = [feature["geometry"]["coordinates"] for feature in fixes]
    same([place[0] for place in places], columns["longitude"], f"{path}: longitude")
    same([place[1] for place in places], columns["latitude"], f"{path}: latitude")
    same([place[2] if len(place) > 2 else math.nan for place in places], columns["altitude"],
         f"{path}: altitude")
    facts = [feature["properties"] for feature in fixes]
    same([fact.get("accuracy_m", math.nan) for fact in facts], columns["horizontal_accuracy"],
         f"{path}: accuracy")
    require([nanoseconds(fact["time"]) for fact in facts] == times, f"{path}: times differ")
    track = document["features"][0]["properties"]
    return [fact["use"] for fact in facts], {each["name"]: each["value"]
                                             for each in track["measurements"]}


# ---------------------------------------------------------------- KML


def check_kml(path, trace):
    root = lxml.etree.parse(path).getroot()

    def name_of(child):
        name = lxml.etree.QName(child).localname
        parent = lxml.etree.QName(child.getparent()).localname
        if name in SHAPES:
            return "GEOMETRY"
        return "FEATURES" if name in ("Placemark", "Folder") and parent != "Track" else name

    check_order(root, KML_ORDER, name_of)
    styles = {f"#{style.get('id')}" for style in root.iter(f"{KML}Style")}
    used = {url.text for url in root.iter(f"{KML}styleUrl")}
    require(used <= styles and "#accepted" in used, f"{path}: styles {used} of {styles}")
    columns, times = expected(trace)
    track = next(root.iter(f"{GX}Track"))
    require([nanoseconds(when.text) for when in track.iter(f"{KML}when")] == times,
            f"{path}: times differ")
    found = numpy.array([coord.text.split() for coord in track.iter(f"{GX}coord")], dtype=float)
    same(found[:, 0], columns["longitude"], f"{path}: longitude")
    same(found[:, 1], columns["latitude"], f"{path}: latitude")


# ---------------------------------------------------------------- gpsbabel


def check_gpsbabel(path, kind, trace):
    """gpsbabel prints positions with six decimals, and times in whole seconds."""
    done = subprocess.run(["gpsbabel", "-t", "-i", kind, "-f", path, "-o", "unicsv,utc=0", "-F", "-"],
                          capture_output=True, text=True, timeout=60)
    require(done.returncode == 0, f"gpsbabel: {done.stderr}")
    header, *rows = [line.split(",") for line in done.stdout.splitlines()]
    columns, _ = expected(trace)
    count = len(columns["latitude"])
    require(len(rows) >= count, f"gpsbabel finds {len(rows)} points in {path}")
    for name, column in [("Latitude", "latitude"), ("Longitude", "longitude")]:
        found = numpy.array([row[header.index(name)] for row in rows[:count]], dtype=float)
        require((abs(found - columns[column]) < 1e-6).all(), f"gpsbabel: {name} differs in {path}")


def check(folder, scenario, detector):
    trace = folder / f"{scenario}.h5"
    shadowbox(folder, "synth", scenario, "-o", trace)
    # Simulated traces have no date; with one, everything has a time.
    files = {kind: folder / f"{scenario}.{kind}" for kind in ["gpx", "geojson", "kml"]}
    for path in files.values():
        shadowbox(folder, "export", trace, "-o", path, "--start", START.isoformat(), "--detector",
                  detector, *(["--policy"] if detector == "checkin" else []))
    uses, measurements = check_geojson(files["geojson"], trace)
    names = check_gpx(files["gpx"], trace, uses)
    check_kml(files["kml"], trace)
    if detector == "track":
        require(measurements["accepted"] == uses.count("accepted")
                and measurements["refused"] == uses.count("rejected"), "uses are not those counted")
        require([name for name in names if name.startswith("km")]
                == [f"km {index}" for index in range(1, 11)], f"splits: {names}")
    else:
        require(any(name.startswith("prompt at place") for name in names), f"prompts: {names}")
    if shutil.which("gpsbabel"):
        check_gpsbabel(files["gpx"], "gpx", trace)
        check_gpsbabel(files["kml"], "kml", trace)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check(Path(folder), "road-run", "track")
        check(Path(folder), "route", "checkin")


if __name__ == "__main__":
    main()
