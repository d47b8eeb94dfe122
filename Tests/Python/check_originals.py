"""Runs the rows of docs/originals.md: what each says of an original app, the program's log says.

    SHADOWBOX_EXECUTABLE=… python3 Tests/Python/check_originals.py

A row has a sentence, what is added to the command above the table (options, and decisions in
brackets) or a command of its own, what the log says, what is added to it (or `instead` of it) so
that the log does not say that, and tests, which must exist. `not` before words of the log: it does
not say them. The quick run takes the first row of each table.
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
    """Yields the command above each table, and the cells of each row below it.

    Rows of two cells, a sentence and its tests, have no command.
    """
    text = PAGE.read_text().replace("\\\n", " ")
    for section in text.split("\n## ")[1:]:
        command = re.search(r"^shadowbox (.*)$", section, re.M)
        for line in section.split("\n"):
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) in (2, 5) and "`" in cells[-1]:
                yield command and command[1], *cells


def words_of(command, *cells):
    """Returns the command with what the cells add; the last decisions count."""
    decisions = ""
    for cell in cells:
        options, bracket, list_of_them = cell.strip("`").partition("[")
        decisions = "[" + list_of_them if bracket else decisions
        command = options if options.startswith("shadowbox ") else f"{command} {options}"
    words = shlex.split(command.removeprefix("shadowbox "))
    return words + (["--decisions", decisions] if decisions.strip("[]") else [])


def holds(expected, words):
    """Returns whether the program says what a cell expects, and what it says."""
    done = subprocess.run([os.environ["SHADOWBOX_EXECUTABLE"], *words], cwd=ROOT,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(words)}: {done.stderr}")
    said = " ".join((done.stdout + done.stderr).split())
    return all((" ".join(text.split()) in said) != bool(negation)
               for negation, text in re.findall(r"(not )?`([^`]*)`", expected)), done.stdout


def check(command, sentence, given, expected, otherwise):
    words = words_of(command, given)
    is_said, log = holds(expected, words)
    if not is_said:
        raise SystemExit(f"{sentence}: expected {expected} of\n  shadowbox {shlex.join(words)}\n"
                         + log)
    if otherwise:
        words = words_of(command, *([] if otherwise.startswith("instead") else [given]),
                         otherwise.removeprefix("instead "))
        if holds(expected, words)[0]:
            raise SystemExit(f"{sentence}: {expected} too of\n  shadowbox {shlex.join(words)}")


def declared_tests():
    """Returns the names of the tests in Swift, as `Suite.function`."""
    names = set()
    for path in (ROOT / "Tests").rglob("*.swift"):
        text = path.read_text()
        for part in re.split(r"^(?:@Suite.*)?(?:private )?struct ", text, flags=re.M)[1:]:
            suite = re.match(r"\w+", part)[0]
            names |= {f"{suite}.{name}" for name in re.findall(r"@Test.*?func (\w+)", part, re.S)}
    return names


def main():
    known = declared_tests()
    tried = long_tests.first_of_each_kind(rows(), lambda row: row[0])
    for command, sentence, *shown, tests in tried:
        if command:
            check(command, sentence, *shown)
        for test in tests.split("`")[1::2]:
            if test not in known:
                raise SystemExit(f"{sentence}: there is no test {test}")
    print(f"{len(tried)} sentences of the originals hold")


main()
