"""Tables of figures by other programs that are committed as tests' expectations."""

import sys


def check(table, rows, differs):
    """Compares the lines with those of the file; with `--write`, makes the file again."""
    found = list(rows)
    if sys.argv[1:] == ["--write"]:
        table.write_text("\n".join(found) + "\n")
        return
    expected = table.read_text().splitlines()
    assert len(expected) == len(found), f"{len(expected)} lines, expected {len(found)}"
    for number, (left, right) in enumerate(zip(expected, found), 1):
        assert not differs(left, right), f"{table.name}:{number}: {left} is {right}"
    print(f"{len(found)} rows agree")
