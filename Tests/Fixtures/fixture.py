"""Prints a fixture: what another program says, and how it was made.

A fixture is a JSON object with the keys `program` (names and versions), `command` (what makes the
file again), `about` (what the figures mean) and lists of cases. Each case is a line of its own, so
that a change shows in a diff.
"""

import json
import platform
from importlib.metadata import version


def versions(*packages):
    """The named packages with their versions, e.g. "SciPy 1.17.1"; Python with its own."""
    return ", ".join(
        f"{name} {platform.python_version() if name == 'Python' else version(name)}"
        for name in packages
    )


def show(program, command, about, **lists):
    """Prints the fixture. `lists` are the named lists of cases."""
    print("{")
    for name, text in (("program", program), ("command", command), ("about", about)):
        print(f"  {json.dumps(name)}: {json.dumps(text)},")
    parts = []
    for name, cases in lists.items():
        rows = ",\n".join("    " + json.dumps(case, ensure_ascii=False) for case in cases)
        parts.append(f"  {json.dumps(name)}: [\n{rows}\n  ]")
    print(",\n".join(parts))
    print("}")
