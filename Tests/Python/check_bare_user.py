"""Runs the program as a user without rights, name or home, from an install that nobody may write to and
with an empty environment: commands work, or say what they need.

Only root can become such a user; others run it with the empty environment alone. In the quick run one
command, in the long one all.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from long_tests import count

SHADOWBOX = os.environ["SHADOWBOX_EXECUTABLE"]
ROOT = Path(__file__).resolve().parents[2]
USER = 199_999
GPX = ("<?xml version='1.0'?><gpx version='1.1' creator='x' xmlns='http://www.topografix.com/GPX/1/1'>"
       "<trk><trkseg>{}</trkseg></trk></gpx>")


def become_nobody():
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(USER)
        os.setuid(USER)


def run(folder, program, arguments, environment):
    return subprocess.run(
        [program, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=300, preexec_fn=become_nobody)


def installed(folder):
    """A copy of the program and of some traces, which nobody may write to."""
    (folder / "bin").mkdir()
    program = shutil.copy(SHADOWBOX, folder / "bin/shadowbox")
    (folder / "traces").mkdir()
    for person in (1, 2, 3):
        for path in (ROOT / "traces/synthetic").glob(f"punch-s0{person}-right*.h5"):
            shutil.copy(path, folder / "traces")
    points = "".join(f"<trkpt lat='{46 + i * 1e-4}' lon='14'><time>2024-05-01T10:00:{i:02}Z</time></trkpt>"
                     for i in range(60))
    (folder / "x.gpx").write_text(GPX.format(points))
    subprocess.run(["gpsbabel", "-t", "-i", "gpx", "-f", "x.gpx", "-o", "garmin_fit", "-F", "x.fit"],
                   cwd=folder, check=True)
    for path in folder.rglob("*"):
        path.chmod(0o555 if path.is_dir() or path.parent.name == "bin" else 0o444)
    return program


def main():
    python = os.environ.get("SHADOWBOX_PYTHON", sys.executable)
    faults = []
    with tempfile.TemporaryDirectory(prefix="bare-") as name:
        folder = Path(name)
        program = installed(folder)
        work = folder / "work"
        work.mkdir()
        work.chmod(0o777)
        folder.chmod(0o555)
        os.environ.pop("HOME", None)
        tune = ["tune", "../traces", "--detector", "punch", "--gravity-filter", "lowpass", "-o", "t.json", "--confidence", "0.5"]
        # Arguments, exit codes, files, what a message says where it does not work.
        cases = [
            (["convert", "../x.fit", "-o", "f.h5"], {}, [0, 5], ["f.h5"], ""),
            (["run", "../traces", "--detector", "punch", "--gravity-filter", "lowpass", "-o", "r.h5"], {},
             [0], ["r.h5"], ""),
            (["run", "../traces", "--detector", "punch", "-o", "../r.h5"], {}, [74], [],
             "cannot be written to; choose another output"),
            (tune + ["--picture", "t.png"], {}, [0, 74], [], "a picture needs Python with matplotlib"),
            (tune + ["--picture", "t.png"], {"SHADOWBOX_PYTHON": python}, [0, 74], [],
             "a picture needs Python with matplotlib"),
            (tune, {}, [0], ["t.json"], ""),
        ]
        for arguments, environment, codes, files, words in cases[:count(1, len(cases))]:
            result = run(work, program, arguments, environment)
            said = f"{' '.join(arguments)}: exit {result.returncode}: {result.stderr[-400:]}"
            if result.returncode not in codes:
                faults.append(said)
            elif result.returncode != 0 and words not in result.stderr:
                faults.append(f"{said} (expected: {words})")
            faults += [f"{said}: no {file}" for file in files if not (work / file).exists()]
        folder.chmod(0o755)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
