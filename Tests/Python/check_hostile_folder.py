"""Runs every command in a folder with every hostile file at once, and looks at what it starts and writes.

    python3 Tests/Python/check_hostile_folder.py [NAME...]

The folder is that of hostile_folder.py. Under strace each command may start only the program itself and the
helpers that it states, from folders of the system, and may write only its output, and files in the user's
own folders for temporary files and caches. Nothing may connect. Without strace it says so and is left out,
unless SHADOWBOX_REQUIRE_PYTHON is 1, as `make test` sets it. Exits with 1 and says what is wrong.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import hostile_folder
from hostile_folder import MAP
from long_tests import ARE_WANTED

PROGRAM = os.environ["SHADOWBOX_EXECUTABLE"]
GIT = re.compile(r"(/usr)?/(bin/git|lib/git-core/git[-a-z]*)")
GPSBABEL = re.compile(r"(/usr)?/bin/gpsbabel")
VALGRIND = re.compile(r"/usr/(bin/valgrind(\.bin)?|bin/strip|bin/[a-z0-9_-]*strip|lib(exec)?/valgrind/[-a-z0-9]+)")
SHELL = re.compile(r"(/usr)?/bin/(sh|dash|bash)")
# matplotlib asks for the fonts.
PYTHON = re.compile("|".join(map(re.escape, (sys.executable, os.path.realpath(sys.executable), "/usr/bin/fc-list"))))
OK, ANY = {0}, {0, 2, 3, 4, 5, 64, 65, 70, 74}
REFUSED = ANY - {0}
DETECTOR = ["--detector", "punch"]


def rows():
    """Name, arguments, outputs in the folder, helpers, exit codes."""
    yield "run", ["run", "s.yml", "-o", "out/r.h5", "--log", "out/r.log", "--errors", "out/e.csv", "--report",
                  "out/r.html"], ["out/r.h5", "out/r.log", "out/e.csv", "out/r.html"], [GIT], OK
    yield "run sh", ["run", "p1.h5", "--detector", "exec:sh ./own.sh", "-o", "out/o.h5"], ["out/o.h5"], [
        GIT, SHELL], OK
    yield "run outside", ["run", "p1.h5", *DETECTOR, "-o", "outside"], [], [GIT], REFUSED
    yield "run gone", ["run", "p1.h5", *DETECTOR, "--log", "gone", "-o", "out/g.h5"], ["out/g.h5"], [GIT], ANY
    yield "run parameters", ["run", "p1.h5", "--parameters", "hostile.json", "-o", "out/p.h5"], ["out/p.h5"], [
        GIT], REFUSED
    yield "compare", ["compare", "results.h5", "results.h5", "--flips", "out/f.csv", "-o", "out/c.h5"], [
        "out/f.csv", "out/c.h5"], [], OK
    yield "compare hostile", ["compare", "hostile.h5", "hostile.h5", "--report", "out/c.html"], ["out/c.html"], [], ANY
    yield "gate", ["gate", "s.yml", "--no-timing", "--base-results", "results.h5", "--junit", "out/j.xml",
                   "--summary", "out/s.md"], ["out/j.xml", "out/s.md"], [GIT], ANY
    yield "gate hostile", ["gate", "--base-results", "hostile.h5", "--head-results", "hostile.h5"], [], [GIT], ANY
    if ARE_WANTED:
        yield "gate valgrind", ["gate", "s.yml", "--base-build", PROGRAM, "--pairs", "8"], [], [GIT, VALGRIND], ANY
    yield "history", ["history", "--history", "history.sqlite"], ["history.sqlite"], [GIT], ANY
    yield "history add", ["history", "add", "results.h5", "--history", "out/h.sqlite"], ["out/h.sqlite"], [GIT], OK
    yield "history export", ["history", "export", "out/h.jsonl", "--history", "history.sqlite"], [
        "out/h.jsonl", "history.sqlite"], [GIT], OK
    yield "history import", ["history", "import", "history.jsonl", "--history", "out/i.sqlite"], [
        "out/i.sqlite"], [GIT], OK
    yield "report", ["report", "results.h5", "-o", "out/p.html"], ["out/p.html"], [], OK
    yield "report hostile", ["report", "hostile.h5", "-o", "out/q.html"], ["out/q.html"], [], ANY
    yield "rerun", ["rerun", "results.h5"], [], [GIT], OK
    yield "rerun hostile", ["rerun", "hostile.h5"], [], [GIT], REFUSED
    yield "bisect", ["bisect", "--good", "HEAD~1", "s.yml"], [".git/worktrees"], [GIT], ANY
    yield "run filters", ["run", "filters/s.yml", "-o", "out/l.h5"], ["out/l.h5"], [GIT], OK
    yield "replay", ["replay", "p1.h5", *DETECTOR], [], [], OK
    yield "replay picture", ["replay", "p1.h5", *DETECTOR, "--picture", "out/p.svg"], ["out/p.svg"], [PYTHON], OK
    yield "replay app", ["replay", "--app", "fight", "f1.h5", "f2.h5"], [], [], OK
    yield "shrink", ["shrink", "--app", "fight", "f1.h5", "f2.h5", "--search", "1"], [], [], ANY
    yield "bench", ["bench", "p1.h5", "--devices", "2", "--duration", "0.1s"], [], [], ANY
    yield "score", ["score", "-r", "labels.csv", "-d", "labels.csv", "--duration", "20s"], [], [], OK
    yield "sweep", ["sweep", "p1.h5", "p2.h5", *DETECTOR, "-o", "out/w.h5"], ["out/w.h5"], [GIT], OK
    yield "sweep picture", ["sweep", "p1.h5", *DETECTOR, "--picture", "out/w.png"], ["out/w.png"], [GIT, PYTHON], OK
    yield "tune", ["tune", "p1.h5", "p2.h5", *DETECTOR, "--confidence", "0.5", "-o", "out/t.json"], [
        "out/t.json"], [GIT], ANY
    yield "enroll", ["enroll", "p1.h5", "-o", "out/n.json"], ["out/n.json"], [GIT], ANY
    yield "plan", ["plan", "--recall", "0.5", "--expect", "0.9", "--from", "hostile.h5"], [], [], ANY
    yield "synth", ["synth", "punches", "--duration", "10s", "-o", "out/y.h5"], ["out/y.h5"], [], OK
    yield "info", ["info", "p1.h5", "walk.gpx", "results.h5", "hostile.h5", "sweep.h5"], [], [], OK
    yield "info kml", ["info", "walk.kml"], [], [GPSBABEL], OK
    yield "info folder", ["info", "."], [], [GPSBABEL], ANY
    yield "validate", ["validate", "p1.h5", "walk.gpx", "person1.csv"], [], [], ANY
    yield "validate folder", ["validate", "."], [], [GPSBABEL], ANY
    yield "convert", ["convert", "person1.csv", *MAP, "-o", "out/v.h5"], ["out/v.h5"], [], OK
    yield "convert kml", ["convert", "walk.kml", "-o", "out/k.h5"], ["out/k.h5"], [GPSBABEL], OK
    yield "resample", ["resample", "p1.h5", "--rate", "25Hz", "-o", "out/s.h5"], ["out/s.h5"], [], OK
    yield "trim", ["trim", "p1.h5", "--from", "1s", "-o", "out/m.h5"], ["out/m.h5"], [], OK
    yield "merge", ["merge", "p1.h5", "p2.h5", "--append", "--gap", "1s", "-o", "out/a.h5"], ["out/a.h5"], [], OK
    yield "align", ["align", "p1.h5", "p1.h5", "--max-offset", "0.2s"], [], [], OK
    yield "anonymize", ["anonymize", "walk.h5", "--move", "--seed", "1", "-o", "out/z.h5"], ["out/z.h5"], [], OK
    yield "export", ["export", "walk.h5", "-o", "out/x.gpx"], ["out/x.gpx"], [], OK
    yield "export junit", ["export", "hostile.h5", "--as", "junit", "-o", "out/x.xml"], ["out/x.xml"], [], OK


def subcommands():
    text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^  ([a-z]+) {2,}\S", text.split("SUBCOMMANDS:")[1], re.M))


def may_write(path, outputs, folder):
    """An output, its partial file beside it (or SQLite's journal), or a file of the user's own folders."""
    beside = {Path(folder, out) for out in outputs}
    path = Path(path)
    return (
        any(path.is_relative_to(out) or path.parent == out.parent and path.name.lstrip(".").startswith(out.name)
            for out in beside)
        or any(path.is_relative_to(Path(folder).parent / own) for own in ("home", "tmp"))
        or str(path) in ("/dev/null", "/dev/tty") or re.fullmatch(r"/proc/(self|\d+)/timerslack_ns", str(path))
        # A file that is open: it was looked at when it was opened.
        or re.fullmatch(r"/proc/self/fd/\d+", str(path))
        # A folder that is there already.
        or any(path == out.parent for out in beside))


def environment(base):
    return {
        "PATH": ":.:/usr/bin:/bin:", "HOME": str(base / "home"), "TMPDIR": str(base / "tmp"), "LC_ALL": "C.UTF-8",
        "XDG_CACHE_HOME": str(base / "home/cache"), "SHADOWBOX_PYTHON": sys.executable, "LESS": "", "PAGER": "less"}


def faults(row, folder, environment):
    name, arguments, outputs, helpers, codes = row
    code, errors, did = hostile_folder.shown(
        [PROGRAM, *arguments], folder, environment, 300 if VALGRIND in helpers else 20)
    own = {PROGRAM, os.path.realpath(PROGRAM), "/proc/self/exe"}
    if code not in codes:
        yield f"exit code {code}: {errors[-300:]}"
    for path in did.programs:
        if path not in own and not any(helper.fullmatch(path) for helper in helpers):
            yield f"started {path}"
    trap = Path(folder).parent / "trap"
    # A program that the command line names leaves its mark.
    allowed = {f"{trap}/{mark.name}" for mark in trap.glob("own.sh-*") if SHELL in helpers}
    for path in did.written:
        if path not in allowed and not may_write(path, outputs, folder):
            yield f"wrote {path}"
    for socket in did.sockets:
        yield f"connected to {socket}"
    for line in did.unread:
        yield f"strace says {line}"
    for mark in sorted(trap.iterdir()):
        if str(mark) not in allowed:
            yield f"trapped: {mark.name}"
        mark.unlink()
    if (Path(folder).parent / "victim").read_text() != "not ours\n":
        yield "the user's file outside is changed"
    if (through := Path(folder).parent / "made-through-a-link").exists():
        yield "made a file through a link"
        through.unlink()


def main():
    if not hostile_folder.is_there():
        print("check_hostile_folder: strace is not installed, or may not follow programs here: left out")
        return 1 if os.environ.get("SHADOWBOX_REQUIRE_PYTHON") == "1" and sys.platform == "linux" else 0
    table = list(rows())
    missing = subcommands() - {row[1][0] for row in table}
    if missing:
        sys.exit(f"no row for the commands {sorted(missing)}")
    count = 0
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        base = Path(os.path.realpath(name))
        folder = base / "folder"
        folder.mkdir()
        hostile_folder.make(folder, PROGRAM)
        for row in table:
            if sys.argv[1:] and row[0] not in sys.argv[1:]:
                continue
            for fault in dict.fromkeys(faults(row, folder, environment(base))):
                count += 1
                print(f"{row[0]}: {fault}")
    print(f"{len(table)} commands in a folder of {len(hostile_folder.dot_files('', ''))} configurations, "
          f"{len(hostile_folder.HELPERS)} programs and {len(hostile_folder.MODULES)} modules: {count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
