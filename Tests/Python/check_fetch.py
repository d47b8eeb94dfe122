"""traces/fetch.py cuts GPX files without touching what it keeps, and verifies what it reads."""

import doctest
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "traces"))
import fetch

TIMED = b"<trk>\n<trkpt><time>2010</time></trkpt>\n</trk>\n"
UNTIMED = b"<trk>\n<trkpt/>\n</trk>\n"

CUTS = [
    (b"", b""),
    (b"<gpx>\n</gpx>\n", b"<gpx>\n</gpx>\n"),
    (b"<gpx><time/>\n" + UNTIMED + b"</gpx>\n", b"<gpx><time/>\n</gpx>\n"),
    (UNTIMED + TIMED + UNTIMED, TIMED),
    (TIMED + b"\r\n" + TIMED, TIMED + b"\r\n" + TIMED),
]


def main() -> None:
    failed, attempted = doctest.testmod(fetch)
    assert attempted > 0 and failed == 0
    for whole, expected in CUTS:
        found = fetch.without_untimed_tracks(whole)
        assert found == expected, f"{whole}: expected {expected}, found {found}"
    try:
        fetch.verified(fetch.LAKE, b"another file")
    except SystemExit as error:
        assert "expected SHA-256" in str(error)
    else:
        raise AssertionError("a file with another digest was accepted")


if __name__ == "__main__":
    main()
