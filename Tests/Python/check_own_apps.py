"""Checks that the Swift code of docs/own-apps.md is code that is compiled.

    python3 Tests/Python/check_own_apps.py

Each block of Swift is a part of a file in Sources or Tests, byte for byte, and the page links the
file. Exits with 1 and prints what is wrong.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/own-apps.md"


def main():
    text = PAGE.read_text()
    linked = [(PAGE.parent / path).resolve() for path in re.findall(r"\]\((\S+\.swift)\)", text)]
    blocks = re.findall(r"^```swift\n(.*?)^```$", text, re.M | re.S)
    if len(blocks) < 4:
        raise SystemExit(f"{PAGE.name}: expected the Swift code, found {len(blocks)} blocks")
    for block in blocks:
        if not any("\n" + block in path.read_text() for path in linked):
            raise SystemExit(f"{PAGE.name}: no Swift file that it links has\n{block}")


main()
