"""The two runs of the checks, as Tests/TestSupport/LongTests.swift has them.

`make test` is quick; `make test-long` sets SHADOWBOX_LONG_TESTS=1 and has the full counts. A check
that is started by hand is quick.
"""

import os

ARE_WANTED = os.environ.get("SHADOWBOX_LONG_TESTS") == "1"


def count(quick, long):
    """Returns how many cases this run tries."""
    return long if ARE_WANTED else quick


def first_of_each_kind(items, kind):
    """Returns all items in the long run; in the quick one the first of each kind, in their order.

    `kind` is a function of an item.
    """
    if ARE_WANTED:
        return list(items)
    found = {}
    for item in items:
        found.setdefault(kind(item), item)
    return list(found.values())
