"""Checks that the examples in the doc comments of the core are what ExampleTests runs.

    python3 Tests/Python/check_examples.py [--update]

Each block ```swift of a doc comment is a function of Tests/ExampleTests/DocExamples.swift. There
`expression  // 3` checks that the expression is 3; numbers are compared with the digits that are written.
With --update the file is written anew. Exits with 1 and prints what is wrong.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ["TraceModel", "Detectors", "Replay", "Scoring", "Evaluation"]
EXAMPLES = ROOT / "Tests/ExampleTests/DocExamples.swift"
# These need a detector of the reader's own; Tests/Examples and docs/own-detectors.md have one.
OWN = ("SwingDetector", "MyDetector", "static func score(of detection")
FENCE = re.compile(r"^ *///[ ]*```(\w*)\n(.*?)^ *///[ ]*```\n", re.MULTILINE | re.DOTALL)
RESULT = re.compile(r"^(?:(?:let|var) (\w+) = )?(\S.*?)  // (.*)$")


def checked(line):
    """The line of an example as a statement, with a check of its result."""
    found = RESULT.match(line)
    if not found:
        return [line]
    name, expression, result = found.groups()
    quoted = result.replace("\\", "\\\\").replace('"', '\\"')
    if name:
        return [f"let {name} = {expression}", f'expect({name}, "{quoted}")']
    return [f'expect({expression}, "{quoted}")']


def functions():
    for target in TARGETS:
        for path in sorted((ROOT / "Sources" / target).rglob("*.swift")):
            for count, block in enumerate(FENCE.finditer(path.read_text()), 1):
                lines = [re.sub(r"^ */// ?", "", line) for line in block[2].splitlines()]
                if any(own in block[2] for own in OWN):
                    continue
                name = re.sub(r"\W", "_", path.stem)
                effects = "async throws" if "await " in block[2] else "throws"
                yield [f"  @Test func {target.lower()}_{name}_{count}() {effects} {{", *(
                    ("    " + text).rstrip() for line in lines for text in checked(line)), "  }"]


def main():
    blocks = list(functions())
    text = "\n".join([
        "// swift-format-ignore-file", "// Written by Tests/Python/check_examples.py --update.", "",
        *(f"import {target}" for target in TARGETS), "import Testing", "",
        "/// The examples of doc comments.", "@Suite struct DocExamples {",
        "\n\n".join("\n".join(block) for block in blocks), "}", ""])
    if "--update" in sys.argv[1:]:
        EXAMPLES.write_text(text)
    elif EXAMPLES.read_text() != text:
        print(f"{EXAMPLES.relative_to(ROOT)} is not what the doc comments say: run "
              "python3 Tests/Python/check_examples.py --update", file=sys.stderr)
        return 1
    print(f"{len(blocks)} examples of doc comments are run")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
