"""Checks that every command in README.md and docs/ runs, and prints what the page shows.

    python3 Tests/Python/check_documented_commands.py [--update] [PAGE...]

Each page runs in a folder of its own, its blocks in order. The folder holds `traces`, `Tests` and
`notebooks` as links, `shadowbox` on the PATH (SHADOWBOX_EXECUTABLE), and the files that
`make_recordings` writes. The info string of a fenced block says what is done with it:

    sh          run by bash; the exit code must be 0, or N after a line
                `# exit code N`, or one of two after `# exit code N, or M`
    text        the output of the block before, compared; a line `...` stands for any lines,
                and after the comment `<!-- varies -->` or a block `shell` nothing is compared
    python run  run by Python
    r run       run by R, where it is installed with the package ncdf4
    LANGUAGE FILE, e.g. `yaml mine.yml`: written to that file
    shell       shown and not run: only `make`, `apt-get`, `git` and `swift`
    others      not run, and must hold no `shadowbox` command; `plain` for text that no block before
                prints

Without a PAGE these are README.md and docs/, in the long run and with --update; the quick run takes
none. Options that the prose names are checked against the program's own list. `--update` writes the
real output into the `text` blocks. Exits with 1 and prints what is wrong.
"""

import concurrent.futures
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import long_tests

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(```+)(.*)$")
NOT_RUN = ("make", "sudo", "apt-get", "git", "swift", "cd", "export", ".venv/bin/", "Sources/")
# Options of programs that are not shadowbox, and of `make ... ARGS=`.
FOREIGN_OPTIONS = {"--filter", "--package-path", "--large", "--seconds", "--full", "--help"}
VARIES = "<!-- varies -->"


def fail(place, message):
    raise SystemExit(f"{place}: {message}")


# ---------------------------------------------------------------- pages


class Block:
    def __init__(self, info, lines, line, varies):
        self.info, _, self.file = info.strip().partition(" ")
        self.lines, self.line, self.varies = lines, line, varies

    @property
    def end(self):
        """The number of the closing fence's line, from 1."""
        return self.line + len(self.lines) + 1


def blocks(text):
    """The fenced blocks of a page; a block's line is that of its opening fence, from 1."""
    found, opened, varies = [], None, False
    for number, line in enumerate(text.split("\n"), 1):
        match = FENCE.match(line)
        if opened is None:
            if match:
                opened = (match[2], [], number, varies, match[1])
            elif line.strip():
                varies = line.strip() == VARIES
        elif match and match[1] == opened[4] and not match[2].strip():
            found.append(Block(*opened[:4]))
            opened, varies = None, False
        else:
            opened[1].append(line)
    if opened:
        fail(f"line {opened[2]}", "the block is not closed")
    return found


def prose(text):
    """The lines outside of fenced blocks, with their numbers."""
    inside = {n for block in blocks(text) for n in range(block.line, block.end + 1)}
    return [(n, line) for n, line in enumerate(text.split("\n"), 1) if n not in inside]


# ---------------------------------------------------------------- rules that need no run


def check_rules(page, text, options, targets):
    name = page.relative_to(ROOT)
    for block in blocks(text):
        for offset, line in enumerate(block.lines, 1):
            place, word = f"{name}:{block.line + offset}", line.strip().removeprefix("$ ")
            if offset > 1 and block.lines[offset - 2].endswith("\\"):
                continue
            if block.info == "shell" and word and not word.startswith(("#", *NOT_RUN)):
                fail(place, f"`{word}` is not run; put it into a block `sh`")
            if block.info != "sh" and re.match(r"(\S*/)?shadowbox\s(?!\s*->)", word):
                fail(place, f"`{word}` is not run; put it into a block `sh`")
            made = re.match(r"make ([a-z-]+)", word)
            if block.info == "shell" and made and made[1] not in targets:
                fail(place, f"the Makefile has no target {made[1]}")
    for number, line in prose(text):
        for code in re.findall(r"`([^`]+)`", line):
            place = f"{name}:{number}"
            called = re.match(r"shadowbox ([a-z]+)", code)
            if called and called[1] not in options:
                fail(place, f"`{code}`: shadowbox has no command {called[1]}")
            if code.startswith(("shadowbox", "--", *(f"{command} " for command in options))):
                known = set().union(*options.values()) | FOREIGN_OPTIONS
                for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", code):
                    if option not in known:
                        fail(place, f"`{code}`: no command has the option {option}")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", line):
            if not (page.parent / target).exists():
                fail(f"{name}:{number}", f"the link {target} leads nowhere")


def known_options(program):
    """The options of each command, by the program's own account."""
    done = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True)
    root = json.loads(done.stdout)["command"]
    found = {"help": set()}
    for command in root["subcommands"]:
        found[command["commandName"]] = {
            "--" + name["name"]
            for one in [command, *command.get("subcommands", [])]
            for argument in one.get("arguments", [])
            for name in argument.get("names", []) if name["kind"] == "long"
        }
    return found


def make_targets():
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


# ---------------------------------------------------------------- what a new user has


def make_recordings(folder, program):
    """Recordings of simulated people as a phone's app exports them, with labels."""
    (folder / "recordings").mkdir()
    labels = ["filename\tonset\toffset\tevent_label"]
    for name, trace in [("monday", "punch-s01-right"), ("tuesday", "punch-s05-right")]:
        minute = folder / "minute.h5"
        subprocess.run([program, "trim", ROOT / f"traces/synthetic/{trace}.h5", "-o", minute,
                        "--to", "60s", "--quiet"], check=True)
        labels += write_sensor_logger(minute, folder / f"recordings/{name}.zip", name)
        minute.unlink()
    (folder / "labels.tsv").write_text("\n".join(labels) + "\n")
    shutil.copy(ROOT / "traces/recorded/cerknicko-jezero.gpx", folder / "recordings/walk.gpx")


def link(folder, program):
    for name in ("traces", "Tests", "notebooks"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "bin").mkdir()
    (folder / "bin/shadowbox").symlink_to(program)


def write_sensor_logger(trace, archive, name):
    """Writes the minute of a native trace as Sensor Logger exports it; returns its labels' rows."""
    import h5py

    def words(column):
        meanings = column.attrs["flag_meanings"]
        meanings = meanings.decode() if isinstance(meanings, bytes) else meanings
        return dict(zip(column.attrs["flag_values"].tolist(), meanings.split()))

    with h5py.File(trace) as file:
        start, sensor = 1_718_000_000_000_000_000, file["acceleration"]
        columns = [sensor[column][:].tolist() for column in ("time", "z", "y", "x")]
        rows = [f"{start + time},{time / 1e9:.9f},{z:.6f},{y:.6f},{x:.6f}"
                for time, z, y, x in zip(*columns)]
        reference = file["reference/punch"]
        names = words(reference["label"])
        labels = [f"{name}\t{onset / 1e9:.3f}\t\t{names[label]}" for onset, label in
                  zip(reference["onset"][:].tolist(), reference["label"][:].tolist())]
    # A fixed date, so that equal input gives equal bytes.
    table = zipfile.ZipInfo("TotalAcceleration.csv", (2024, 6, 10, 0, 0, 0))
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(table, "time,seconds_elapsed,z,y,x\n" + "\n".join(rows) + "\n",
                      zipfile.ZIP_DEFLATED)
    return labels


# ---------------------------------------------------------------- the results files


def undescribed(text, folder):
    """What the HDF5 files in a folder hold and a page does not name, as `code`."""
    import h5py

    named = {name for code in re.findall(r"`([^`\n]+)`", text) for name in re.split(r"[/ ,]+", code)}
    patterns = "|".join(re.sub("<[a-z]+>", "[^/]+", re.escape(name)) for name in named
                        if name and not name.startswith("<"))
    # Of a percentile the page names the time alone.
    is_described = functools.cache(
        re.compile(f"({patterns})((_p50|_p90)?(_lo|_hi|_events|_clusters|_method)?|_count)").fullmatch)
    own = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"}

    found = {}
    for path in sorted(folder.glob("*.h5")):
        with h5py.File(path) as file:
            if "trace" in str(file.attrs["schema"]):
                continue
            items = [("/", file)]
            file.visititems(lambda name, item: items.append((name, item)))
            for name, item in items:
                # The names of entries, traces and recordings are the user's.
                words = list(item.attrs)
                words += [name.split("/")[-1]] if isinstance(item, h5py.Dataset) else []
                for word in words:
                    if word not in own and not is_described(word):
                        found.setdefault(word, f"{word}, e.g. of {name} in {path.name}")
    return list(found.values())


# ---------------------------------------------------------------- running


def run(block, folder, environment, place):
    script = "\n".join(block.lines)
    wanted = re.search(r"^# exit code (\d+)(?:, or (\d+))?", script, re.MULTILINE)
    done = subprocess.run(
        ["bash", "-c", "set -eo pipefail\n" + script], cwd=folder, env=environment, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
    )
    allowed = {int(code) for code in wanted.groups() if code} if wanted else {0}
    if done.returncode not in allowed:
        fail(place, f"exit code {done.returncode}, expected {allowed}\n{script}\n{done.stdout}")
    return done.stdout.rstrip("\n").split("\n")


def same(line):
    """A line without what varies from machine to machine, and without the padding of columns."""
    line = re.sub(r"-{3,}", "---", line.rstrip())
    line = re.sub(r"(\(version [\d.]+), commit [\w-]+\)", r"\1)", line)
    line = re.sub(r"in \d[\d.]* s( on \d+ threads?)?", "in N s", line)
    return re.sub(r" +", " ", line)


def first_difference(shown, found):
    """The index of the first shown line that the output lacks; None where all is there.

    What stands between two `...` must follow in one piece.
    """
    parts, start = [[]], 0
    for index, line in enumerate(shown):
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append((index, same(line)))
    output = [same(line) for line in found]
    for number, part in enumerate(parts):
        lines = [line for _, line in part]
        places = [0] if number == 0 else range(start, len(output) - len(lines) + 1)
        if number > 0 and number == len(parts) - 1:
            places = [max(start, len(output) - len(lines))]
        for place in places:
            if output[place:place + len(lines)] == lines:
                start = place + len(lines)
                break
        else:
            return next((i for n, (i, line) in enumerate(part)
                         if line not in output[start:]), part[0][0])
    return None if len(parts) > 1 or start == len(output) else len(shown) - 1


def updated(shown, found):
    """The real output, cut where the page cuts it; None where that is for a person to decide."""
    dots = [index for index, line in enumerate(shown) if line.strip() == "..."]
    if not dots or len(shown) == 1:
        return found
    if len(dots) > 1:
        return None
    head, tail = dots[0], len(shown) - dots[-1] - 1
    return found[:head] + ["..."] + (found[-tail:] if tail else [])


@functools.cache
def has_r():
    """Whether blocks of R can be run; no other check needs R."""
    program = shutil.which("Rscript")
    load = ["--vanilla", "-e", "library(ncdf4)"]
    return program is not None and not subprocess.run([program, *load], capture_output=True).returncode


def check_page(page, program, options, targets, update):
    text = page.read_text()
    name, lines, shift, ran = page.relative_to(ROOT), text.split("\n"), 0, 0
    began = time.monotonic()
    try:
        check_rules(page, text, options, targets)
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            link(folder, program)
            environment = {
                **os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "XDG_CACHE_HOME": place,
                "SHADOWBOX_PYTHON": sys.executable,
                "PATH": f"{folder}/bin:{Path(sys.executable).parent}:{os.environ['PATH']}",
            }
            if "recordings/" in text or " recordings" in text:
                make_recordings(folder, program)
            output = []
            for block in blocks(text):
                at = f"{name}:{block.line}"
                if block.info == "shell":
                    output = None
                elif block.info == "r":
                    if has_r():
                        block.lines = ["Rscript - <<'END'", *block.lines, "END"]
                        output, ran = run(block, folder, environment, at), ran + 1
                    else:
                        output = None
                elif block.file == "run":
                    block.lines = ["python3 -W ignore - <<'END'", *block.lines, "END"]
                    output, ran = run(block, folder, environment, at), ran + 1
                elif block.file:
                    (folder / block.file).write_text("\n".join(block.lines) + "\n")
                elif block.info == "sh":
                    output, ran = run(block, folder, environment, at), ran + 1
                elif block.info == "text" and output is not None:
                    new = updated(block.lines, output) if update else None
                    if new is not None:
                        kept = {same(line) for line in block.lines} & {same(line) for line in output}
                        if any(line.strip() for line in block.lines) and not any(kept):
                            fail(at, "the block before prints not one of these lines; `plain` is for"
                                     " text of other origin")
                        lines[block.line + shift:block.end - 1 + shift] = new
                        shift += len(new) - len(block.lines)
                        continue
                    wrong = None if block.varies else first_difference(block.lines, output)
                    if wrong is not None:
                        fail(f"{name}:{block.line + wrong + 1}",
                             f"expected\n  {block.lines[wrong]}\nfound\n"
                             + "\n".join(f"  {line}" for line in output)
                             + "\nrun this check with --update, and read what it changes")
            missing = undescribed(text, folder) if page.stem == "results-schema" else []
            if missing:
                fail(name, "not described:\n  " + "\n  ".join(missing[:40]))
    except SystemExit as error:
        return str(error)
    if update:
        page.write_text("\n".join(lines))
    print(f"{name}: {ran} blocks ran in {time.monotonic() - began:.1f} s")
    return None


def main():
    arguments = sys.argv[1:]
    update = "--update" in arguments
    named = [Path(argument).resolve() for argument in arguments if argument != "--update"]
    program = str(Path(os.environ["SHADOWBOX_EXECUTABLE"]).resolve())
    docs = sorted((ROOT / "docs").glob("*.md"))
    isWanted = update or long_tests.ARE_WANTED
    pages = named or ([ROOT / "README.md", *docs] if isWanted else [])
    options, targets = known_options(program), make_targets()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(pool.map(
            lambda page: check_page(page, program, options, targets, update), pages))
    for fault in filter(None, faults):
        print(fault, file=sys.stderr)
    sys.exit(any(faults))


if __name__ == "__main__":
    main()
