"""The shared parts of the pictures of `shadowbox sweep`, `tune`, `history` and `replay`, and their output.

A module draws the document of the program (Picture in PictureDrawer.swift) and computes no figure.
Undefined figures are null and are left out.
"""

import io
import json
import math
import sys
import textwrap

# A file of the working directory must not replace a module.
sys.path = [folder for folder in sys.path if folder]

import matplotlib

matplotlib.use("Agg")

from matplotlib import patheffects, ticker
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox

# Okabe and Ito's palette for all kinds of colour vision, without its yellow, which is hard to see on
# white. https://jfly.uni-koeln.de/color/
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK, GREY, PALE = "#E69F00", "#56B4E9", "#000000", "#767676", "#DDDDDD"
PALETTE = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK]
MARKS = {
    "chosen": dict(marker="*", markersize=17, color=VERMILION),
    "preset": dict(marker="D", markersize=9, color=BLACK),
    "default": dict(marker="s", markersize=9, color=GREY),
    "other": dict(marker="o", markersize=8, color=PURPLE),
}
EDGE = dict(markeredgecolor="white", markeredgewidth=1.2, linestyle="none", zorder=6, clip_on=False)
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#EBEBEB",
    "grid.linewidth": 0.8,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "legend.frameon": False,
    "legend.fontsize": 9,
    "figure.facecolor": "white",
    "savefig.dpi": 150,
    "svg.hashsalt": "shadowbox",
    # A name with two dollar signs is no formula.
    "text.parse_math": False,
}


def number(value):
    """A finite number, or None."""
    if value is None:
        return None
    value = float(value)
    return value if math.isfinite(value) else None


def bounds(figure, name):
    interval = figure.get(name)
    return (interval["lower"], interval["upper"]) if interval else (None, None)


def short(value):
    """Three significant digits, with an exponent only for very small or large numbers."""
    if value is None:
        return "?"
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        digits = max(0, 2 - math.floor(math.log10(abs(value))))
        text = f"{value:.{digits}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.3g}"


def share(value):
    return "undefined" if value is None else f"{value:.3f}"


def unit_text(unit):
    return unit.replace("2", "²") if unit.startswith("m/s") else unit


def threshold_text(caption, value):
    if math.isinf(float(value)):
        return "none" if float(value) > 0 else "any"
    return " ".join(filter(None, [short(number(value)), unit_text(caption["unit"])]))


def threshold_label(caption):
    unit = unit_text(caption["unit"])
    return caption["parameter"] + (f" ({unit})" if unit else "")


def plural(count, noun):
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def rests_on(caption):
    """The data behind the figures of the picture."""
    hours = number(caption.get("hours"))
    parts = [
        caption["data"],
        plural(caption["traces"], "trace"),
        "hours not known" if hours is None else f"{hours:.3g} h scored",
        plural(caption["references"], "reference"),
    ]
    if caption["tolerance"]:
        side = "" if caption["tolerance"].endswith("after") else " from"
        parts.append(f"detections within {caption['tolerance']}{side} their references")
    return "  ·  ".join(parts)


def heading(figure, title, lines):
    """A title and lines below it, left-aligned, above all panels."""
    inch = 1 / figure.get_size_inches()[1]
    top = 1 - 0.12 * inch
    figure.text(0.012, top, title, ha="left", va="top", fontsize=15, fontweight="bold")
    top -= 0.31 * inch
    for line in lines:
        figure.text(0.012, top, line, ha="left", va="top", fontsize=10, color="#444444")
        top -= 0.22 * inch
    figure.get_layout_engine().set(rect=(0, 0, 1, top - 0.08 * inch))


class RateAxis:
    """A logarithmic axis of rates with a place for zero before a break."""

    def __init__(self, rates, upper_bounds, caption, gap=0.09):
        """`gap`: the distance of zero from the first rate, as a part of the axis."""
        hours = caption.get("hours")
        positive = [rate for rate in rates if rate and rate > 0]
        self.has_zero = any(rate == 0 for rate in rates)
        # One false alarm in all hours is the lowest observable rate.
        lowest = min(positive, default=1 / hours if hours else 1)
        highest = max(positive + [bound for bound in upper_bounds if bound], default=lowest)
        self.first = 10 ** math.floor(math.log10(lowest) + 1e-9)
        self.last = max(highest * 1.3, self.first * 10)
        decades = math.log10(self.last / self.first)
        self.zero = self.first / 10 ** (gap * decades)
        self.start = self.zero / 10 ** (0.05 * decades) if self.has_zero else self.first
        self.hours, self.upper_if_none = hours, caption.get("upper_if_none")

    def place(self, rate):
        """Returns the place of a rate."""
        rate = number(rate)
        if rate is None:
            return None
        return max(rate, self.first) if rate > 0 else self.zero

    def whisker(self, rate):
        """Returns the place of an interval's lower end, at least the start of the axis."""
        rate = number(rate)
        return self.start if not rate or rate < self.start else rate

    def label(self, text):
        if self.has_zero and self.hours:
            seen = f"none in {self.hours:.3g} h, so below {short(self.upper_if_none)}/h (95 %)"
            return f"{text}\n0: {seen}"
        return text

    def apply(self, axes, text, horizontal=True, part=1):
        """Lays out the axis with the break and a tick for zero; `part` of its length is for rates."""
        axis = axes.xaxis if horizontal else axes.yaxis
        (axes.set_xscale if horizontal else axes.set_yscale)("log")
        end = self.start * (self.last / self.start) ** (1 / part)
        (axes.set_xlim if horizontal else axes.set_ylim)(self.start, end)
        axes.spines["bottom" if horizontal else "left"].set_bounds(self.start, self.last)
        if horizontal:
            axes.set_xlabel(text, x=part / 2, ha="center")
        else:
            axes.set_ylabel(text)
        lowest, highest = math.log10(self.first) + 1e-9, math.log10(self.last)
        decades = range(math.floor(lowest), 1 + math.floor(highest))
        # Panels are wider than high.
        steps = [1, 2, 5] if len(decades) <= (3 if horizontal else 1) else [1]
        ticks = [step * 10.0**decade for decade in decades for step in steps]
        ticks = [tick for tick in ticks if self.first <= tick <= self.last * 1.001]
        axis.set_minor_locator(ticker.NullLocator())
        names = [short(tick) for tick in ticks]
        if self.has_zero:
            ticks, names = [self.zero, *ticks], ["0", *names]
            middle = math.sqrt(self.zero * self.first)
            place = (middle, 0) if horizontal else (0, middle)
            transform = axes.get_xaxis_transform() if horizontal else axes.get_yaxis_transform()
            axes.text(
                *place, "//" if horizontal else "=", transform=transform, ha="center", va="center",
                fontsize=9, color=GREY, zorder=7, clip_on=False,
                bbox=dict(facecolor="white", edgecolor="none", pad=0.8),
            )
        axis.set_major_locator(ticker.FixedLocator(ticks))
        axis.set_major_formatter(ticker.FixedFormatter(names))


def columns(points, *names):
    """The named figures of the points that have them all."""
    rows = [[number(point.get(name)) for name in names] for point in points]
    rows = [row for row in rows if None not in row]
    return [list(column) for column in zip(*rows)] if rows else [[] for _ in names]


def recall_limits(axes, horizontal=False):
    (axes.set_xlim if horizontal else axes.set_ylim)(-0.02, 1.02)


def draw_marks(axes, marks, x, y):
    """Draws a marker where x(point) and y(point) are both defined."""
    for mark in marks:
        place = x(mark["point"]), y(mark["point"])
        if None not in place:
            axes.plot(*place, **MARKS[mark["role"]], **EDGE)


def name_marks(figure):
    """Writes the name of each mark next to it without covering other marks and names. Called last,
    because panels have their final sizes only then."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    for axes, names in getattr(figure, "named_marks", []):
        dots = [axes.transData.transform(place) for place, _ in names]
        taken = [Bbox.from_bounds(x - 8, y - 8, 16, 16) for x, y in dots]
        for own, ((x, y), (place, name)) in enumerate(zip(dots, names)):
            best = None
            sides = [(right, up) for up in (-1, 1, -2.4, 2.4, -3.8, -5.2, -6.6) for right in (1, -1)]
            for right, up in sides:
                text = axes.annotate(
                    name, place, xytext=(7 * right, 8 * up), textcoords="offset points", fontsize=8.5,
                    ha="left" if right > 0 else "right", va="center", zorder=8, annotation_clip=False,
                    path_effects=[patheffects.withStroke(linewidth=2.5, foreground="white")],
                    # A line connects a distant name with its mark.
                    arrowprops=dict(arrowstyle="-", color=GREY, linewidth=0.8, shrinkA=0, shrinkB=4,
                                    relpos=(0 if right > 0 else 1, 0.5)) if abs(up) > 1 else None)
                text.set_in_layout(False)
                text.update_positions(renderer)
                # Without the line.
                box = Text.get_window_extent(text, renderer)
                covers = sum(box.overlaps(other) for index, other in enumerate(taken) if index != own)
                # Outside the panel are titles and the axes of other panels.
                covers += 2 * (box.x0 < axes.bbox.x0 or box.x1 > axes.bbox.x1 + 4
                               or box.y0 < axes.bbox.y0 or box.y1 > axes.bbox.y1 + 7)
                if best is None or covers < best[0]:
                    if best:
                        best[1].remove()
                    best = (covers, text, box)
                else:
                    text.remove()
                if covers == 0:
                    break
            taken.append(best[2])


def note_names(axes, marks, x, y):
    """Keeps the names of marks for `name_marks`; marks at the same place share a name."""
    places = {}
    for mark in marks:
        place = x(mark["point"]), y(mark["point"])
        if None not in place:
            places.setdefault(place, []).append(mark["name"].removeprefix("preset "))
    figure = axes.get_figure()
    figure.named_marks = getattr(figure, "named_marks", []) + [
        (axes, [(place, ", ".join(names)) for place, names in places.items()])]


def without_tail(xs, ys):
    """Of the thresholds without false alarms only the best."""
    most = max((y for x, y in zip(xs, ys) if x == 0), default=None)
    rows = [(x, y) for x, y in zip(xs, ys) if x != 0 or y == most]
    return [list(column) for column in zip(*rows)] if rows else [[], []]


def mark_name(caption, mark):
    point = mark["point"]
    rate = number(point.get("false_alarms"))
    rate = f"{short(rate)} false alarms/h" if rate is not None else "false alarms/h unknown"
    return (
        f"{mark['name']}: {threshold_text(caption, point['threshold'])}, "
        f"recall {share(point.get('recall'))}, {rate}"
    )


def mark_handles(caption, marks):
    """One line per mark; marks at the same place share one."""
    places = {}
    for mark in marks:
        place = (mark["role"], json.dumps(mark["point"], sort_keys=True))
        places.setdefault(place, []).append(mark)
    merged = [
        {**alike[0], "name": ", ".join(mark["name"] for mark in alike)}
        for alike in places.values()
    ]
    return [
        Line2D([], [], label=wrapped(mark_name(caption, mark)), **{**MARKS[mark["role"]], **EDGE})
        for mark in merged
    ]


def wrapped(text):
    """In lines that fit side by side in two columns."""
    return textwrap.fill(text, 72)


def tried(curve):
    """Dots for single thresholds, because the counts between them are not known."""
    few = not curve["is_exact"] and len(curve["points"]) <= 100 or len(curve["points"]) == 1
    return dict(marker=".", markersize=6) if few else {}


def nothing(axes, text):
    axes.set(xticks=[], yticks=[])
    axes.text(
        0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=GREY, wrap=True
    )


def rates_of(points):
    rates = [number(point.get("false_alarms")) for point in points]
    return [rate for rate in rates if rate is not None]


def write(draw, form):
    """Draws the document from standard input and writes a png, svg or pdf to standard output."""
    document = json.load(sys.stdin)
    # Defaults instead of the user's matplotlibrc, so that pictures look the same everywhere.
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(STYLE)
    figure = draw(document)
    name_marks(figure)
    image = io.BytesIO()
    undated = {"png": None, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    figure.savefig(image, format=form, metadata=undated[form])
    sys.stdout.buffer.write(image.getvalue())
