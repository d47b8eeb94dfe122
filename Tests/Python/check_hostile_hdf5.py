"""Checks that a native trace, or a file of results, makes the program read no other file.

    python3 Tests/Python/check_hostile_hdf5.py

Makes traces whose groups, columns or values lie in other files, among them a pipe that nobody
writes to and a file of the system, and has the program in SHADOWBOX_EXECUTABLE read each: it must
refuse them at once, and name the object. Needs h5py. Exits with 1 and says what is wrong.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py

import long_tests

GOOD = Path(__file__).resolve().parents[2] / "traces/synthetic/punch-s01-left.h5"
GROUP = "user_acceleration"
COLUMN = f"{GROUP}/x"
COMMANDS = [
    ["info", "bad.h5"], ["validate", "bad.h5"], ["replay", "bad.h5"], ["sweep", "bad.h5"],
    ["convert", "bad.h5", "-o", "new.h5"], ["trim", "bad.h5", "--from", "1s", "-o", "new.h5"],
    ["tune", "bad.h5", "--allow-few-groups", "--no-cache"], ["run", "bad.h5", "-o", "r.h5"],
]


def link_group(file):
    del file[GROUP]
    file[GROUP] = h5py.ExternalLink("good.h5", f"/{GROUP}")


def link_column(file):
    del file[COLUMN]
    file[COLUMN] = h5py.ExternalLink("good.h5", f"/{COLUMN}")


def link_through_a_link(file):
    del file[COLUMN]
    file["elsewhere"] = h5py.ExternalLink("good.h5", "/")
    file[COLUMN] = h5py.SoftLink(f"/elsewhere/{COLUMN}")


def link_to_a_pipe(file):
    os.mkfifo("pipe.h5")
    del file[COLUMN]
    file[COLUMN] = h5py.ExternalLink("pipe.h5", f"/{COLUMN}")


def store_outside(file):
    count = len(file[COLUMN])
    del file[COLUMN]
    file.create_dataset(
        COLUMN, (count,), "f4", external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)])


def store_virtually(file):
    count = len(file[COLUMN])
    del file[COLUMN]
    layout = h5py.VirtualLayout((count,), "f4")
    layout[:] = h5py.VirtualSource("good.h5", COLUMN, shape=(count,))
    file.create_virtual_dataset(COLUMN, layout)


def link_summary(file):
    """Makes it a file of results, which `info` reads."""
    file.attrs["schema"] = "shadowbox-results/3"
    file["summary"] = h5py.ExternalLink("good.h5", f"/{GROUP}")


CHANGES = [
    (link_group, GROUP), (link_column, COLUMN), (link_through_a_link, COLUMN),
    (link_to_a_pipe, COLUMN), (store_outside, COLUMN), (store_virtually, COLUMN),
    (link_summary, "summary"),
]


def check(program, change, place):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in ("good.h5", "bad.h5"):
            shutil.copy(GOOD, name)
        with h5py.File("bad.h5", "r+") as file:
            change(file)
        # Of the quick run the first command of all changes, and all commands of the first.
        every = (long_tests.ARE_WANTED and change is not link_summary) or change is CHANGES[0][0]
        for command in COMMANDS if every else COMMANDS[:1]:
            done = subprocess.run(
                [program, *command], capture_output=True, text=True, timeout=60,
                stdin=subprocess.DEVNULL)
            what = f"{' '.join(command)} after {change.__name__}"
            said = done.stderr + done.stdout
            if done.returncode != 65:
                sys.exit(f"{what}: ended with {done.returncode}: {said}")
            if place not in said:
                sys.exit(f"{what}: {place} is not named: {said}")
            if "another file" not in said and change is not link_through_a_link:
                sys.exit(f"{what}: the reason is not told: {said}")
            if os.path.exists("new.h5"):
                sys.exit(f"{what}: it wrote a file")
        os.chdir("/")
    print(f"{change.__name__}: refused")


if __name__ == "__main__":
    for change, place in CHANGES:
        check(os.environ["SHADOWBOX_EXECUTABLE"], change, place)
