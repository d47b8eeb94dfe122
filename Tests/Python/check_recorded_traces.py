"""The recorded GPX files are the ones that traces/SOURCES.md describes.

The distances are the oracle for the geodesy of the Swift side: geodesics on WGS84 by GeographicLib,
summed in file order. With --print the figures are printed instead of compared.
"""

import hashlib
import math
import sys
from pathlib import Path

import gpxpy
from geographiclib.geodesic import Geodesic

ROOT = Path(__file__).resolve().parent.parent.parent

# file: points, segments with points, summed geodesic within segments and across them (m)
EXPECTED = {
    "cerknicko-jezero.gpx": (296, 7, 4576.907484193157, 13675.760260132403),
    "korita-zbevnica.gpx": (513, 2, 6270.615683279002, 6291.0769291811275),
}


def length(points) -> float:
    """Metres along `points`, summed without rounding errors."""
    steps = zip(points, points[1:])
    return math.fsum(
        Geodesic.WGS84.Inverse(a.latitude, a.longitude, b.latitude, b.longitude)["s12"]
        for a, b in steps
    )


def figures(path: Path) -> tuple[int, int, float, float]:
    document = gpxpy.parse(path.read_text())
    segments = [s.points for t in document.tracks for s in t.segments if s.points]
    points = [point for segment in segments for point in segment]
    times = [point.time for point in points]
    assert None not in times, f"{path.name}: a track point without a time"
    assert times == sorted(set(times)), f"{path.name}: times do not increase"
    return len(points), len(segments), math.fsum(map(length, segments)), length(points)


def main() -> None:
    recorded = ROOT / "traces" / "recorded"
    sources = (ROOT / "traces" / "SOURCES.md").read_text()
    found = sorted(path.name for path in recorded.glob("*.gpx"))
    assert found == sorted(EXPECTED), f"expected {sorted(EXPECTED)}, found {found}"
    for name, expected in EXPECTED.items():
        path = recorded / name
        actual = figures(path)
        if "--print" in sys.argv:
            print(name, actual[0], actual[1], *(f"{value:.17g}" for value in actual[2:]))
            continue
        assert actual[:2] == expected[:2], f"{name}: expected {expected}, found {actual}"
        for mine, theirs in zip(expected[2:], actual[2:]):
            assert abs(mine - theirs) < 1e-6, f"{name}: expected {mine!r} m, found {theirs!r} m"
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert digest in sources, f"{name}: SHA-256 {digest} is not in traces/SOURCES.md"


if __name__ == "__main__":
    main()
