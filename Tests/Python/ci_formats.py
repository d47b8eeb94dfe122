"""Reads files for CI services as other programs do, and says what is wrong.

    python3 Tests/Python/ci_formats.py FOLDER

*.junit.xml by lxml and junitparser, against the rules of the schema that Jenkins has for JUnit XML
(xunit plugin, junit-10.xsd); *.metrics.txt by the OpenMetrics parser of prometheus_client;
*.benchmark.json and *.badge.json against the fields that github-action-benchmark and shields.io
read; *.summary.md by markdown-it-py. Tests of the writers fill the folder. Exits with 1 and prints
what is wrong; prints how many files of each kind were read.
"""

import collections
import json
import re
import sys
from pathlib import Path

from junitparser import JUnitXml
from lxml import etree
from markdown_it import MarkdownIt
from prometheus_client.openmetrics import parser as openmetrics

# By element: the attributes that it needs, those that it may have, and its children. `*` = text.
JUNIT = {
    "testsuites": ((), ("name", "time", "tests", "failures", "errors"), ("testsuite",)),
    "testsuite": (("name", "tests", "failures", "errors"),
                  ("group", "time", "skipped", "timestamp", "hostname", "id", "package", "file",
                   "log", "url"),
                  ("testsuite", "properties", "testcase", "system-out", "system-err")),
    "properties": ((), (), ("property",)),
    "property": (("name", "value"), (), ()),
    "testcase": (("name",), ("time", "classname", "group"),
                 ("skipped", "error", "failure", "system-out", "system-err")),
    "failure": ((), ("type", "message"), ("*",)),
    "error": ((), ("type", "message"), ("*",)),
    "skipped": ((), ("type", "message"), ("*",)),
    "system-out": ((), (), ("*",)),
    "system-err": ((), (), ("*",)),
}
TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")
SUMMARY_LIMIT = 1024 * 1024
# The code in the summaries' own sentences.
COMMANDS = {"run", "compare", "gate -o", "compare -o"}
COLOURS = {"brightgreen", "green", "yellowgreen", "yellow", "orange", "red", "lightgrey", "blue"}


class Wrong(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Wrong(message)


def check_element(element):
    require(element.tag in JUNIT, f"element {element.tag}")
    needed, allowed, children = JUNIT[element.tag]
    names = set(element.attrib)
    require(names >= set(needed), f"{element.tag}: lacks {set(needed) - names}")
    require(names <= {*needed, *allowed}, f"{element.tag}: unknown {names - {*needed, *allowed}}")
    if "time" in names and element.tag != "testcase":
        require(TIME.fullmatch(element.get("time")), f"time {element.get('time')}")
    if "*" not in children:
        texts = [element.text, *(child.tail for child in element)]
        require(all(not (text or "").strip() for text in texts), f"{element.tag}: has text")
    for child in element:
        require(child.tag in children, f"{child.tag} in {element.tag}")
        check_element(child)


def check_junit(path):
    root = etree.parse(path).getroot()
    require(root.tag == "testsuites", f"root {root.tag}")
    check_element(root)
    read = JUnitXml.fromfile(str(path))
    suites = list(read)
    cases = [case for suite in suites for case in suite]
    require(len(cases) == len(root.findall(".//testcase")) > 0, "junitparser misses cases")
    kinds = collections.Counter(type(result).__name__ for case in cases for result in case.result)
    for kind, name in (("Failure", "failures"), ("Error", "errors"), ("Skipped", "skipped")):
        stated = sum(int(suite.get(name)) for suite in root)
        require(kinds[kind] == stated, f"{name}: {stated} stated, {kinds[kind]} found")
    require(read.tests is None or read.tests == len(cases), "tests of the root")


def check_metrics(path):
    families = list(openmetrics.text_string_to_metric_families(path.read_text(encoding="utf-8")))
    require(families, "no metric")
    for family in families:
        require(family.name.startswith("shadowbox_"), family.name)
        require(family.samples, f"{family.name}: no sample")
        if family.unit:
            require(family.name.endswith("_" + family.unit), f"{family.name}: {family.unit}")
        labels = [tuple(sorted(sample.labels.items())) for sample in family.samples]
        require(len(set(labels)) == len(labels), f"{family.name}: a sample twice")
        if family.unit == "ratio" and re.search("recall|precision|f1", family.name):
            require(all(0 <= sample.value <= 1 for sample in family.samples), family.name)


def check_benchmark(path):
    rows = json.loads(path.read_text(encoding="utf-8"))
    require(isinstance(rows, list), "no list")
    for row in rows:
        require(set(row) >= {"name", "unit", "value"}, f"{row}: lacks a field")
        require(set(row) <= {"name", "unit", "value", "range", "extra"}, f"{row}: unknown field")
        require(type(row["value"]) in (int, float), f"{row['value']}")
        require(all(isinstance(row[key], str) for key in row if key != "value"), f"{row}: no text")
    names = [row["name"] for row in rows]
    require(len(set(names)) == len(names), "a name twice")


def check_badge(path):
    badge = json.loads(path.read_text(encoding="utf-8"))
    require(set(badge) == {"schemaVersion", "label", "message", "color", "isError"}, f"{badge}")
    require(badge["schemaVersion"] == 1 and badge["message"] and badge["color"] in COLOURS,
            f"{badge}")
    require(isinstance(badge["isError"], bool), f"{badge}")


def check_summary(path):
    text = path.read_text(encoding="utf-8")
    require(len(text.encode()) <= SUMMARY_LIMIT, "too long")
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    require(tokens[0].content.strip() == "<!-- shadowbox-summary/1 -->", "no mark")
    headings = [tokens[place + 1].content for place, token in enumerate(tokens)
                if token.type == "heading_open"]
    require(headings and all(token.tag in ("h2", "h3") for token in tokens
                             if token.type == "heading_open"), "headings")
    # Only what the summary itself has: names add no markup.
    for token in tokens:
        require(token.type not in ("fence", "code_block", "blockquote_open", "hr",
                                   "ordered_list_open"), f"{token.type}: {token.content[:80]!r}")
        if token.type == "html_block":
            require(re.fullmatch(r"(<!--.*-->|<details><summary>[^<>]*</summary>|</details>)\s*",
                                 token.content), f"HTML {token.content[:80]!r}")
        for child in token.children or ():
            require(child.type in ("text", "strong_open", "strong_close", "softbreak",
                                   "text_special")
                    or child.type == "code_inline" and child.content in COMMANDS
                    # Between a sign and what would be a link with it.
                    or child.type == "html_inline" and child.content == "<!---->",
                    f"{child.type}: {token.content[:80]!r}")
    # A name as long as a table is wide does not add a cell.
    width = 0
    for token in tokens:
        if token.type == "tr_open":
            cells = 0
        elif token.type in ("td_open", "th_open"):
            cells += 1
        elif token.type == "tr_close":
            width = width or cells
            require(cells == width, f"{cells} cells of {width}")
        elif token.type == "table_close":
            width = 0


CHECKS = {".junit.xml": check_junit, ".metrics.txt": check_metrics,
          ".benchmark.json": check_benchmark, ".badge.json": check_badge,
          ".summary.md": check_summary}


def check_folder(folder):
    """Returns how many files of each kind were read."""
    counts = collections.Counter()
    for path in sorted(Path(folder).iterdir()):
        for ending, check in CHECKS.items():
            if path.name.endswith(ending):
                try:
                    check(path)
                except (Wrong, ValueError, etree.XMLSyntaxError) as error:
                    sys.exit(f"{path.name}: {error}")
                counts[ending] += 1
    return counts


if __name__ == "__main__":
    found = check_folder(sys.argv[1])
    if set(found) != set(CHECKS):
        sys.exit(f"{sys.argv[1]}: no file that ends in {sorted(set(CHECKS) - set(found))}")
    print(", ".join(f"{count} {ending}" for ending, count in sorted(found.items())))
