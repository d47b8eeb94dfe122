"""Runs the rows of docs/originals.md: what each says of an original app, the program's log says.

    SHADOWBOX_EXECUTABLE=… python3 Tests/Python/check_originals.py

Above each table is the command to which a row adds options, and decisions in brackets. `not` before
what the log says stands for what it does not say. The tests of a row exist. The quick run takes the
first row of each table.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

import long_tests

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/originals.md"


def rows():
    """Yields the command, and the cells of each row below it."""
    text = PAGE.read_text().replace("\\\n", " ")
    for section in text.split("\n## ")[1:]:
        command = re.search(r"^shadowbox (.*)$", section, re.M)[1]
        for line in section.split("\n"):
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) == 4 and "`" in cells[1]:
                yield command, *cells


def check(command, sentence, given, expected, tests, known):
    options, _, decisions = given.strip("`").partition("[")
    words = shlex.split(command) + shlex.split(options)
    words += ["--decisions", "[" + decisions] if decisions else []
    done = subprocess.run([os.environ["SHADOWBOX_EXECUTABLE"], *words], cwd=ROOT,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{sentence}: {shlex.join(words)}: {done.stderr}")
    is_said = " ".join(expected.split("`")[1].split()) in " ".join(done.stdout.split())
    if is_said == expected.startswith("not"):
        raise SystemExit(f"{sentence}: expected {expected} of\n  shadowbox {shlex.join(words)}\n"
                         + done.stdout)
    for test in tests.split("`")[1::2]:
        if test not in known:
            raise SystemExit(f"{sentence}: there is no test {test}")


def declared_tests():
    names = set()
    for path in (ROOT / "Tests").rglob("*.swift"):
        for part in re.split(r"^(?:@Suite )?(?:private )?struct ", path.read_text(), flags=re.M)[1:]:
            suite = re.match(r"\w+", part)[0]
            names.add(suite)
            names |= {f"{suite}.{name}" for name in re.findall(r"func (\w+)", part)}
    return names


def main():
    known = declared_tests()
    tried = long_tests.first_of_each_kind(rows(), lambda row: row[0])
    for row in tried:
        check(*row, known)
    print(f"{len(tried)} sentences of the originals hold")


main()
