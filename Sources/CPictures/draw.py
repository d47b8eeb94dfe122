"""Draws the pictures of `shadowbox sweep`, `shadowbox tune`, `shadowbox history` and `shadowbox replay`.

Reads from standard input what the command prints with `--format json`, or of `replay` what
ReplayPicture.swift writes. The argument is the format:
png, svg or pdf. Writes the image to standard output. Undefined figures are null and are left out.
"""

import bisect
import io
import json
import math
import sys
import textwrap

# What lies in the working directory must not take the place of a module.
sys.path = [folder for folder in sys.path if folder]

import matplotlib

matplotlib.use("Agg")

from matplotlib import patheffects, ticker
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.transforms import Bbox

# Okabe and Ito's palette, which people with any kind of colour vision can tell apart; without its
# yellow, which is hard to see on white. https://jfly.uni-koeln.de/color/
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
}


# ---------------------------------------------------------------- numbers and words


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
    """The data that all figures of the picture rest on."""
    hours = number(caption.get("hours"))
    parts = [
        caption["data"],
        plural(caption["traces"], "trace"),
        "hours not known" if hours is None else f"{hours:.3g} h scored",
        plural(caption["references"], "reference"),
    ]
    if caption["tolerance"]:
        side = "" if caption["tolerance"].endswith("after") else " from"
        parts.append(f"a detection may lie {caption['tolerance']}{side} its reference")
    return "  ·  ".join(parts)


def heading(figure, title, lines):
    """A title and lines below it, flush left, above all panels."""
    inch = 1 / figure.get_size_inches()[1]
    top = 1 - 0.12 * inch
    figure.text(0.012, top, title, ha="left", va="top", fontsize=15, fontweight="bold")
    top -= 0.31 * inch
    for line in lines:
        figure.text(0.012, top, line, ha="left", va="top", fontsize=10, color="#444444")
        top -= 0.22 * inch
    figure.get_layout_engine().set(rect=(0, 0, 1, top - 0.08 * inch))


# ---------------------------------------------------------------- false alarms per hour


class RateAxis:
    """A logarithmic axis of rates with a place for zero, left of a break."""

    def __init__(self, rates, upper_bounds, hours, gap=0.09):
        """`gap`: the distance of zero from the first rate, as a part of the axis."""
        positive = [rate for rate in rates if rate and rate > 0]
        self.has_zero = any(rate == 0 for rate in rates)
        # One false alarm in all hours is the lowest rate that could have been seen.
        lowest = min(positive, default=1 / hours if hours else 1)
        highest = max(positive + [bound for bound in upper_bounds if bound], default=lowest)
        self.first = 10 ** math.floor(math.log10(lowest) + 1e-9)
        self.last = max(highest * 1.3, self.first * 10)
        decades = math.log10(self.last / self.first)
        self.zero = self.first / 10 ** (gap * decades)
        self.start = self.zero / 10 ** (0.05 * decades) if self.has_zero else self.first
        self.hours = hours

    def place(self, rate):
        """Returns the place of a rate."""
        rate = number(rate)
        if rate is None:
            return None
        return max(rate, self.first) if rate > 0 else self.zero

    def whisker(self, rate):
        """Returns the place of an interval's lower end, at least the place of zero."""
        rate = number(rate)
        return self.start if not rate or rate < self.start else rate

    def label(self, text):
        if self.has_zero and self.hours:
            bound = -math.log(0.05) / self.hours
            seen = f"none was seen in {self.hours:.3g} h, so below {short(bound)}/h (95 %)"
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
        # A panel is wide, but not high.
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


# ---------------------------------------------------------------- parts of panels


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
    """Writes the name of each mark beside it, where it covers no other mark and no other name. The
    panels have their sizes only then."""
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
                    # A name that is not beside its mark has a line to it.
                    arrowprops=dict(arrowstyle="-", color=GREY, linewidth=0.8, shrinkA=0, shrinkB=4,
                                    relpos=(0 if right > 0 else 1, 0.5)) if abs(up) > 1 else None)
                text.set_in_layout(False)
                text.update_positions(renderer)
                # Without the line.
                box = Text.get_window_extent(text, renderer)
                covers = sum(box.overlaps(other) for index, other in enumerate(taken) if index != own)
                # Beyond the panel are titles and other panels' axes.
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
    """Keeps the names of marks for `name_marks`; those at one place have one name."""
    places = {}
    for mark in marks:
        place = x(mark["point"]), y(mark["point"])
        if None not in place:
            places.setdefault(place, []).append(mark["name"].removeprefix("preset "))
    figure = axes.get_figure()
    figure.named_marks = getattr(figure, "named_marks", []) + [
        (axes, [(place, ", ".join(names)) for place, names in places.items()])]


def without_tail(xs, ys):
    """Without the thresholds that find less than others which have no false alarm either."""
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


def colour(index):
    return PALETTE[index] if index < len(PALETTE) else PALE


def order(index):
    """Curves without a colour of their own lie below the others."""
    return 4 if index < len(PALETTE) else 2


def tried(curve):
    """Marks single thresholds with dots: the counts between them are not known."""
    few = not curve["is_exact"] and len(curve["points"]) <= 100 or len(curve["points"]) == 1
    return dict(marker=".", markersize=6) if few else {}


def nothing(axes, text):
    axes.set(xticks=[], yticks=[])
    axes.text(
        0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=GREY, wrap=True
    )


def remark(axes, picture, *names):
    """Writes into an empty panel why it is empty."""
    points = [p for curve in picture["curves"] for p in curve["points"]]
    points += [mark["point"] for mark in picture["marks"]]
    if columns(points, *names)[0]:
        return
    references = picture["caption"]["references"]
    text = "undefined" if references else "undefined: there is no reference to find"
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=GREY)


def rates_of(points):
    rates = [number(point.get("false_alarms")) for point in points]
    return [rate for rate in rates if rate is not None]


# ---------------------------------------------------------------- the picture of a sweep


def draw_recall_panel(axes, picture, rates):
    axes.set_title("Recall against false alarms")
    for index, curve in reversed(list(enumerate(picture["curves"]))):
        xs, ys = without_tail(*columns(curve["points"], "false_alarms", "recall"))
        axes.plot([rates.place(x) for x in xs], ys, color=colour(index), linewidth=1.8,
                  zorder=order(index), **tried(curve))
    # What some false alarms allow to be found, more of them do too.
    draw_band(axes, banded_curve(picture), "false_alarms", "recall", rates.place, step="post")
    if number(picture.get("budget")):
        budget = rates.place(picture["budget"])
        axes.axvline(budget, color=BLACK, linestyle=(0, (4, 3)), linewidth=1.1, zorder=3)
    places = lambda p: rates.place(p.get("false_alarms")), lambda p: number(p.get("recall"))
    draw_marks(axes, picture["marks"], *places)
    note_names(axes, picture["marks"], *places)
    rates.apply(axes, rates.label("false alarms per recorded hour (log scale)"))
    axes.set_ylabel("recall")
    recall_limits(axes)
    handles = curve_handles(picture)
    if handles and line_count(handles) <= 4:
        axes.legend(handles=handles, loc="lower right")
    remark(axes, picture, "false_alarms", "recall")


def draw_band(axes, banded, across, figure, place, step=None):
    """The interval of a figure, along the better arm of the curve: a threshold that is too low
    finds less again, at the same place of the axis as one that is not."""
    if not banded:
        return
    curve, shade = banded
    best = {}
    # A parameter that is no score may find more at higher values: then there is no such arm.
    points = better_arm(curve["points"]) if curve["is_exact"] else curve["points"]
    for point in points:
        at, value = place(number(point.get(across))), number(point.get(figure))
        if at is None or value is None or not point.get(figure + "_interval"):
            continue
        if at not in best or value > best[at][0]:
            best[at] = (value, *bounds(point, figure + "_interval"))
    rows = [(at, low, high) for at, (_, low, high) in sorted(best.items())]
    if rows:
        axes.fill_between(*zip(*rows), color=shade, alpha=0.2, linewidth=0, zorder=1, step=step)


def better_arm(points):
    """From the highest threshold that finds the most on upwards."""
    recalls = [number(point.get("recall")) for point in points]
    known = [recall for recall in recalls if recall is not None]
    if not known:
        return []
    most = max(known)
    first = max(index for index, recall in enumerate(recalls) if recall == most)
    # Of those that find the most, all: they differ in their false alarms.
    while first > 0 and recalls[first - 1] == most:
        first -= 1
    return points[first:]


def banded_curve(picture):
    index = picture.get("banded")
    if index is None or not 0 <= index < len(picture["curves"]):
        return None
    return picture["curves"][index], colour(index)


def draw_precision_panel(axes, picture):
    axes.set_title("Precision against recall")
    for index, curve in reversed(list(enumerate(picture["curves"]))):
        xs, ys = columns(curve["points"], "recall", "precision")
        axes.plot(xs, ys, color=colour(index), linewidth=1.8, zorder=order(index),
                  **tried(curve))
    draw_band(axes, banded_curve(picture), "recall", "precision", number)
    draw_marks(axes, picture["marks"], lambda p: number(p.get("recall")),
               lambda p: number(p.get("precision")))
    axes.set_xlabel("recall")
    axes.set_ylabel("precision")
    recall_limits(axes, horizontal=True)
    recall_limits(axes)
    remark(axes, picture, "recall", "precision")


def draw_latency_panel(axes, picture):
    axes.set_title("Latency against recall")
    everything = [p for curve in picture["curves"] for p in curve["points"]]
    everything += [mark["point"] for mark in picture["marks"]]
    seconds = [
        abs(number(point.get(name)))
        for point in everything
        for name in ("latency_p50", "latency_p90")
        if number(point.get(name)) is not None
    ]
    axes.set_xlabel("recall")
    recall_limits(axes, horizontal=True)
    if not seconds:
        axes.set_ylabel("latency")
        found = any(point["true_positives"] for point in everything)
        nothing(axes, "not measured in this sweep" if found else "nothing was found")
        return
    scale, unit = (1000, "ms") if max(seconds) < 3 else (1, "s")
    for index, curve in reversed(list(enumerate(picture["curves"]))):
        for name, style in (("latency_p50", "-"), ("latency_p90", (0, (3, 2)))):
            xs, ys = columns(curve["points"], "recall", name)
            axes.plot(xs, [scale * y for y in ys], color=colour(index), linestyle=style,
                      linewidth=1.6, zorder=order(index))

    def scaled(name):
        return lambda p: None if number(p.get(name)) is None else scale * number(p[name])

    recall = lambda p: number(p.get("recall"))
    draw_marks(axes, picture["marks"], recall, scaled("latency_p50"))
    for mark in picture["marks"]:
        x, *ends = (get(mark["point"]) for get in
                    (recall, scaled("latency_p50"), scaled("latency_p90")))
        if None not in (x, *ends):
            axes.plot([x, x], ends, color=MARKS[mark["role"]]["color"], linewidth=1.2,
                      linestyle=(0, (3, 2)), marker="_", markersize=9, zorder=5)
    axes.set_ylabel(f"latency ({unit})")
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 0), high + 0.12 * (high - min(low, 0)))
    axes.legend(
        handles=[
            Line2D([], [], color=GREY, label="median"),
            Line2D([], [], color=GREY, linestyle=(0, (3, 2)), label="90th percentile"),
        ],
        loc="best",
    )


def draw_threshold_panels(upper, lower, picture, rates):
    caption = picture["caption"]
    upper.set_title("What the threshold does")
    for index, curve in reversed(list(enumerate(picture["curves"]))):
        style = "steps-post" if curve["is_exact"] else "default"
        xs, ys = columns(curve["points"], "threshold", "recall")
        upper.plot(xs, ys, color=colour(index), drawstyle=style, linewidth=1.6,
                   zorder=order(index), **tried(curve))
        xs, ys = columns(curve["points"], "threshold", "false_alarms")
        lower.plot(xs, [rates.place(y) for y in ys], color=colour(index), drawstyle=style,
                   linewidth=1.6, zorder=order(index), **tried(curve))
    if number(picture.get("budget")):
        budget = rates.place(picture["budget"])
        lower.axhline(budget, color=BLACK, linestyle=(0, (4, 3)), linewidth=1.1, zorder=3)
    draw_marks(upper, picture["marks"], lambda p: number(p["threshold"]),
               lambda p: number(p.get("recall")))
    draw_marks(lower, picture["marks"], lambda p: number(p["threshold"]),
               lambda p: rates.place(p.get("false_alarms")))
    upper.set_ylabel("recall")
    recall_limits(upper)
    upper.tick_params(labelbottom=False)
    lower.set_xlabel(threshold_label(caption))
    rates.apply(lower, "false alarms/h", horizontal=False)


def draw_curve(picture):
    caption = picture["caption"]
    handles, points = curve_handles(picture), mark_handles(caption, picture["marks"])
    # A few stand in the panel that has the curves.
    handles = handles if line_count(handles) > 4 else []
    lines = max(line_count(handles), 1 + line_count(points))
    figure = plt.figure(figsize=(12.4, 9.6 + 0.19 * max(0, lines - 6)), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1, wspace=0.04, hspace=0.05)
    grid = figure.add_gridspec(2, 2)
    heading(figure, f"{caption['detector']}: {what_is_swept(picture)}", [rests_on(caption)])
    everything = [p for curve in picture["curves"] for p in curve["points"]]
    everything += [mark["point"] for mark in picture["marks"]]
    budget = number(picture.get("budget"))
    shown = rates_of(everything) + ([budget] if budget else [])
    rates = RateAxis(shown, [], number(caption.get("hours")))
    draw_recall_panel(figure.add_subplot(grid[0, 0]), picture, rates)
    draw_precision_panel(figure.add_subplot(grid[0, 1]), picture)
    draw_latency_panel(figure.add_subplot(grid[1, 0]), picture)
    stack = grid[1, 1].subgridspec(2, 1, hspace=0.08)
    upper = figure.add_subplot(stack[0])
    low = RateAxis(shown, [], number(caption.get("hours")), gap=0.22)
    draw_threshold_panels(upper, figure.add_subplot(stack[1], sharex=upper), picture, low)
    if points:
        title = "Operating points"
        if len(picture["curves"]) > 1 and picture["curves"][0]["name"]:
            title += " of " + picture["curves"][0]["name"]
        figure.legend(handles=points, loc="outside lower left", title=wrapped(title),
                      alignment="left", title_fontsize=10)
    if handles:
        figure.legend(handles=handles, loc="outside lower right", alignment="left")
    return figure


def wrapped(text):
    """In lines of which two stand side by side below the panels."""
    return textwrap.fill(text, 72)


def line_count(handles):
    return sum(1 + handle.get_label().count("\n") for handle in handles)


def what_is_swept(picture):
    parameter = picture["caption"]["parameter"]
    if all(curve["is_exact"] for curve in picture["curves"]):
        return "every threshold" if parameter == "threshold" else f"every threshold ({parameter})"
    counts = {len(curve["points"]) for curve in picture["curves"]}
    values = plural(counts.pop(), "value") if len(counts) == 1 else "values"
    return f"{values} of {parameter}"


def curve_handles(picture):
    handles = []
    for index, curve in enumerate(picture["curves"][: len(PALETTE)]):
        area = number(curve.get("area"))
        whole = "all thresholds" if curve["is_exact"] else what_is_swept(picture)
        name = curve["name"] or (whole if area is not None else "")
        if name:
            label = name + (f" (average precision {area:.3f})" if area is not None else "")
            handles.append(
                Line2D([], [], color=colour(index), linewidth=2, label=wrapped(label)))
    rest = len(picture["curves"]) - len(PALETTE)
    if rest > 0:
        handles.append(Line2D([], [], color=PALE, linewidth=2, label=f"{rest} more"))
    banded = banded_curve(picture)
    if banded and any(point.get("recall_interval") for point in banded[0]["points"]):
        name = f" of {banded[0]['name']}" if banded[0]["name"] else ""
        handles.append(Patch(color=banded[1], alpha=0.2,
                             label=wrapped(f"95 % interval over events{name}")))
    budget = number(picture.get("budget"))
    if budget:
        handles.append(Line2D([], [], color=BLACK, linestyle=(0, (4, 3)), linewidth=1.1,
                              label=f"budget: {short(budget)} false alarms/h"))
    return handles


# ---------------------------------------------------------------- the picture of a tuning


ESTIMATES = {
    "naive": (BLUE, "o", "white", "resubstitution (biased)"),
    "nested": (GREEN, "o", GREEN, "cross-validated"),
}


def draw_estimate(axes, estimate, kind, rates):
    """A point with both of its intervals."""
    edge, marker, face, _ = ESTIMATES[kind]
    x, y = rates.place(estimate.get("false_alarms")), number(estimate.get("recall"))
    if x is None or y is None:
        return
    low, high = bounds(estimate, "false_alarms_interval")
    if high is not None:
        axes.plot([rates.whisker(low), min(high, rates.last)], [y, y], color=edge, linewidth=1.6,
                  zorder=5)
    low, high = bounds(estimate, "recall_interval")
    if high is not None:
        axes.plot([x, x], [low, high], color=edge, linewidth=1.6, zorder=5)
    # The chosen point lies where the naive estimate does, and on top of it.
    axes.plot(x, y, marker=marker, markersize=9, markerfacecolor=face, markeredgecolor=edge,
              markeredgewidth=2, zorder=5.5 if kind == "naive" else 7)


def estimate_handle(estimate, kind):
    edge, marker, face, words = ESTIMATES[kind]
    rate = number(estimate.get("false_alarms"))
    rate = f"{short(rate)} false alarms/h" if rate is not None else "false alarms/h unknown"
    label = f"{words}: recall {share(number(estimate.get('recall')))}, {rate}"
    return Line2D([], [], color=edge, linewidth=1.6, marker=marker, markersize=8,
                  markerfacecolor=face, markeredgecolor=edge, markeredgewidth=2, label=label)


def draw_choice_panel(axes, picture, rates):
    axes.set_title("All operating points with 95 % band, and the one chosen")
    xs, ys = without_tail(*columns(picture["curve"]["points"], "false_alarms", "recall"))
    axes.plot([rates.place(x) for x in xs], ys, color=SKY, linewidth=2, zorder=2,
              label="all thresholds, on the data it was tuned on")
    draw_band(axes, (picture["curve"], SKY), "false_alarms", "recall", rates.place, step="post")
    budget = number(picture.get("budget"))
    if budget is not None:
        edge = rates.place(budget)
        axes.axvspan(edge, rates.last, color="#F3F3F3", zorder=0)
        axes.axvline(edge, color=BLACK, linestyle=(0, (4, 3)), linewidth=1.1, zorder=3,
                     label=f"budget: {short(budget)} false alarms/h")
    places = lambda p: rates.place(p.get("false_alarms")), lambda p: number(p.get("recall"))
    draw_marks(axes, picture["marks"], *places)
    note_names(axes, picture["marks"], *places)
    draw_estimate(axes, picture["naive"], "naive", rates)
    if picture.get("nested"):
        draw_estimate(axes, picture["nested"], "nested", rates)
    rates.apply(axes, rates.label("false alarms per recorded hour (log scale)"))
    axes.set_ylabel("recall")
    recall_limits(axes)
    axes.legend(loc="lower right", framealpha=0.85, frameon=True, edgecolor="none")


def draw_plateau_panel(axes, picture):
    caption, plateau = picture["caption"], picture["plateau"]
    axes.set_title("How much the exact threshold matters")
    rows = [(number(p["threshold"]), number(p.get("objective"))) for p in plateau["objective"]]
    rows = [(x, math.nan if y is None else y) for x, y in rows if x is not None]
    if rows:
        axes.plot(*zip(*rows), color=BLUE, linewidth=1.8, drawstyle="steps-post", zorder=4,
                  label=picture["objective_axis"])
    lower, upper, middle = (number(plateau[name]) for name in ("lower", "upper", "middle"))
    if lower is not None and upper is not None:
        axes.axvspan(lower, upper, color=ORANGE, alpha=0.22, linewidth=0, zorder=1,
                     label=f"plateau: {short(lower)} to {threshold_text(caption, upper)}")
    if middle is not None:
        axes.axvline(middle, color=VERMILION, linewidth=1.8, zorder=5,
                     label=f"chosen: its middle, {threshold_text(caption, middle)}")
    folds = [number(value) for value in plateau["fold_thresholds"]]
    folds = [value for value in folds if value is not None]
    if folds:
        axes.plot(folds, [0.025] * len(folds), marker="|", markersize=15, markeredgewidth=1.6,
                  color=GREEN, linestyle="none", transform=axes.get_xaxis_transform(), zorder=6,
                  label=f"chosen without one {picture['group_kind']} ({len(folds)} times)")
    axes.set_xlabel(threshold_label(caption))
    axes.set_ylabel(picture["objective_axis"] + (
        "" if number(picture.get("budget")) is None else " (none where over the budget)"))
    ys = [y for _, y in rows if not math.isnan(y)]
    if ys and min(ys) >= 0 and max(ys) <= 1:
        axes.set_ylim(-0.08, 1.05)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="best", framealpha=0.85, frameon=True, edgecolor="none")
    else:
        nothing(axes, "no threshold was chosen")


def draw_rows(axes, names):
    """Rows of a dot plot, the first on top."""
    axes.set_yticks(range(len(names)), names, fontsize=9 if len(names) <= 16 else 6.5)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)


# The part of a dot plot's width that is for its dots; what they rest on is written in the rest.
DOTS = 0.76


def at_right(axes, row, text, count):
    axes.text(DOTS + 0.03, row, text, transform=axes.get_yaxis_transform(), va="center", ha="left",
              fontsize=8.5 if count <= 16 else 6.5, color="#444444")


def draw_group_panel(axes, picture):
    kind = picture["group_kind"]
    axes.set_title(f"Recall on each {kind}, tuned without it")
    groups = [group for group in picture["groups"] if group["references"]]
    others = len(picture["groups"]) - len(groups)
    more = f"\n{plural(others, 'more ' + kind)} with nothing to find" if others else ""
    axes.set_xlabel("recall, with 95 % interval" + more, x=DOTS / 2, ha="center")
    axes.set_xlim(-0.02, -0.02 + 1.04 / DOTS)
    axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    axes.spines["bottom"].set_bounds(-0.02, 1.02)
    if not groups:
        nothing(axes, "nothing to find" if others else "not cross-validated")
        return
    draw_rows(axes, [group["name"] for group in groups])
    pooled = number((picture.get("nested") or {}).get("recall"))
    if pooled is not None:
        axes.axvline(pooled, color=GREEN, linestyle=(0, (2, 2)), linewidth=1.2, zorder=2)
    for row, group in enumerate(groups):
        low, high = bounds(group, "recall_interval")
        if high is not None:
            axes.plot([low, high], [row, row], color=GREEN, linewidth=1.6, alpha=0.7, zorder=3)
        recall = number(group.get("recall"))
        if recall is not None:
            axes.plot(recall, row, marker="o", color=GREEN, markersize=6, zorder=4)
        rate = number(group.get("false_alarms"))
        rate = "" if rate is None else f",  {short(rate)} false/h"
        found = f"{group['true_positives']} of {group['references']}"
        at_right(axes, row, found + rate, len(groups))


def draw_activity_panel(axes, picture):
    activities = picture["activities"]
    axes.set_title("False alarms by activity" + (", cross-validated" if picture["groups"] else ""))
    if not activities:
        nothing(axes, "no activity is known")
        return
    uppers = [bounds(activity, "interval")[1] for activity in activities]
    rates = RateAxis(rates_of([dict(false_alarms=a.get("rate")) for a in activities]), uppers, None)
    draw_rows(axes, [activity["name"] or "not stated" for activity in activities])
    for row, activity in enumerate(activities):
        low, high = bounds(activity, "interval")
        if high is not None:
            start = rates.zero if not activity["count"] else max(low, rates.start)
            axes.plot([start, high], [row, row], color=PURPLE, linewidth=1.6, alpha=0.8, zorder=3)
        place = rates.place(activity.get("rate"))
        if place is not None:
            axes.plot(place, row, marker="o", color=PURPLE, markersize=6, zorder=4)
        at_right(axes, row, f"{activity['count']} in {short(number(activity['hours']))} h",
                 len(activities))
    rates.apply(axes, "false alarms per recorded hour, with 95 % interval (log scale)", part=DOTS)


def draw_tune(picture):
    caption = picture["caption"]
    findings = list(picture["findings"])
    if picture["is_optimistic"]:
        findings.append(
            f"Optimistic: one person may be in several {picture['group_kind']}s, and so in the tuning "
            "and in the test data.")
    rows = max(len(picture["groups"]), len(picture["activities"]))
    height = 10.2 + 0.21 * len(findings) + min(0.16 * max(0, rows - 12), 6)
    figure = plt.figure(figsize=(12.8, height), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1, wspace=0.05, hspace=0.05)
    heading(figure, f"{caption['detector']}, tuned: {picture['objective']}",
            [rests_on(caption), *findings])
    grid = figure.add_gridspec(2, 2)
    points = picture["curve"]["points"] + [mark["point"] for mark in picture["marks"]]
    estimates = [e for e in (picture["naive"], picture.get("nested")) if e]
    budget = number(picture.get("budget"))
    rates = RateAxis(
        rates_of(points + estimates) + ([budget] if budget is not None else []),
        [bounds(e, "false_alarms_interval")[1] for e in estimates], number(caption.get("hours")))
    draw_choice_panel(figure.add_subplot(grid[0, 0]), picture, rates)
    draw_plateau_panel(figure.add_subplot(grid[0, 1]), picture)
    draw_group_panel(figure.add_subplot(grid[1, 0]), picture)
    draw_activity_panel(figure.add_subplot(grid[1, 1]), picture)
    handles = []
    for kind in ("naive", "nested"):
        estimate = picture.get(kind) or {}
        if number(estimate.get("recall")) is not None:
            handles.append(estimate_handle(estimate, kind))
    if handles:
        figure.legend(handles=handles, loc="outside lower left", alignment="left")
    if picture["marks"]:
        figure.legend(handles=mark_handles(caption, picture["marks"]), loc="outside lower right",
                      alignment="left")
    return figure


# ---------------------------------------------------------------- the picture of a history


# The newest changes come first; further figures are counted.
MOST_SERIES = 12
# More names of commits would lie over each other.
MOST_NAMED_CHANGES = 6


def short_commit(commit):
    digits = len(commit) - len(commit.lstrip("0123456789abcdef"))
    return commit[:10] + commit[digits:] if digits >= 20 else commit[:20] or "commit unknown"


def series_title(series, differing):
    """The title of a panel; `differing` has the keys whose values are not the same in all panels."""
    figure, unit = series["figure"].replace("_", " "), series["unit"]
    name = figure if unit in ("", "1", "h-1") or figure.startswith(unit + " ") else f"{figure} ({unit})"
    return series["entry"] + (f", {series['origin']}" if series["origin"] else "") + f": {name}" + (
        f", of {series['suite'] or 'no suite'}" if "suite" in differing else "") + (
        f", on {series['branch'] or 'no branch'}" if "branch" in differing else "") + (
        f", on {series['machine']}" if series["machine"] else "")


def draw_levels(axes, series, places, end):
    """The medians between the changes; the figures themselves where there is no noise."""
    changes = [(places[c["run"]], c) for c in series["changes"] if c["run"] in places]
    hidden = [c for c in series["changes"] if c["run"] not in places]
    points = [p for p in series["points"] if number(p["value"]) is not None]
    starts = [places[points[0]["run"]] if points else 0, *(place for place, _ in changes)]
    levels = [c["after"] for _, c in changes]
    levels.insert(0, changes[0][1]["before"] if changes else hidden[-1]["after"] if hidden else None)
    for start, stop, level in zip(starts, [*starts[1:], end], levels):
        if number(level) is not None:
            axes.plot([start - 0.5, stop - 0.5], [level, level], color=BLACK, linewidth=1.1,
                      linestyle=(0, (4, 2)), zorder=5)


def draw_changes(axes, series, places, commits):
    shown = [c for c in series["changes"] if c["run"] in places]
    for position, change in enumerate(shown):
        place = places[change["run"]] - 0.5
        axes.axvline(place, color=VERMILION, linewidth=1.4, zorder=4)
        if position >= len(shown) - MOST_NAMED_CHANGES:
            late = place > 0.75 * max(len(places), 1)
            axes.annotate(
                short_commit(commits[change["run"]]), (place, 1), xycoords=("data", "axes fraction"),
                xytext=(-3 if late else 3, -2), textcoords="offset points", fontsize=7.5,
                color=VERMILION, va="top", ha="right" if late else "left", zorder=7,
                bbox=dict(facecolor="white", edgecolor="none", pad=0.6, alpha=0.8))


def draw_series(axes, series, runs, places, differing):
    axes.set_title("\n".join(textwrap.wrap(series_title(series, differing), 62)), fontsize=10)
    points = [p for p in series["points"] if number(p["value"]) is not None]
    if not points:
        nothing(axes, "undefined in all runs")
        return
    xs = [places[p["run"]] for p in points]
    ys = [p["value"] for p in points]
    # That of accuracy is about other people, and would hide what changed on these recordings.
    bounded = [p for p in points if series["kind"] == "timing"
               and number(p["lower"]) is not None and number(p["upper"]) is not None]
    if bounded:
        axes.vlines([places[p["run"]] for p in bounded], [p["lower"] for p in bounded],
                    [p["upper"] for p in bounded], color=SKY, alpha=0.45,
                    linewidth=max(0.6, min(4, 160 / len(runs))), zorder=2)
    axes.plot(xs, ys, linestyle="none", marker="o", color=BLUE, zorder=6,
              markersize=max(1.8, min(5.5, 260 / len(runs))), markeredgewidth=0)
    draw_levels(axes, series, places, len(runs))
    draw_changes(axes, series, places, {run["id"]: run["commit"] for run in runs})
    axes.set_xlim(-0.8, len(runs) - 0.2)
    axes.margins(y=0.12)
    ticks = range(0, len(runs), math.ceil(len(runs) / 5))
    axes.set_xticks(ticks, [runs[tick]["time"][:10] for tick in ticks])
    axes.ticklabel_format(axis="y", useOffset=False)


def shown_branches(branches):
    shown = [one["branch"] for one in branches if one["is_shown"]]
    if len(shown) != 1:
        return f" of {len(shown)} branches" if shown else ""
    if shown[0] is not None:
        return f" of branch {shown[0]}"
    return " without a branch" if len(branches) > 1 else " of Shadowbox"


def draw_history(document):
    runs = document["runs"]
    places = {run["id"]: index for index, run in enumerate(runs)}
    times = {run["id"]: run["time"] for run in runs}

    def newest(series):
        return max((times.get(c["run"], "") for c in series["changes"]), default="")

    series = sorted(document["series"], key=newest, reverse=True)[:MOST_SERIES]
    columns = 1 if len(series) <= 2 else 2
    rows = max(1, math.ceil(len(series) / columns))
    figure = plt.figure(figsize=(12.8, 1.7 + 2.55 * rows), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08, wspace=0.04, hspace=0.04)
    lines = [plural(len(runs), "run") + shown_branches(document["branches"])]
    if runs:
        lines[0] += f", {runs[0]['time'][:10]} to {runs[-1]['time'][:10]}; one dot per run"
    if len(series) < len(document["series"]):
        lines.append(f"{len(series)} of {len(document['series'])} figures: those that changed last")
    heading(figure, "History", lines)
    if not runs or not series:
        nothing(figure.add_subplot(), "no runs")
        return figure
    grid = figure.add_gridspec(rows, columns)
    differing = {key for key in ("suite", "branch") if len({one[key] for one in series}) > 1}
    for index, one in enumerate(series):
        draw_series(figure.add_subplot(grid[index // columns, index % columns]), one, runs, places,
                    differing)
    kinds = [
        Line2D([], [], color=BLUE, marker="o", linestyle="none", label="value"),
        Line2D([], [], color=SKY, linewidth=4, alpha=0.45, label="95 % interval of timing"),
        Line2D([], [], color=BLACK, linestyle=(0, (4, 2)), label="median between changes"),
        Line2D([], [], color=VERMILION, label="change, with its commit"),
    ]
    figure.legend(handles=kinds, loc="outside lower left", ncols=4)
    return figure


# ---------------------------------------------------------------- from documents to pictures


# A panel has fewer pixels than this, and more points show nothing more.
MOST_POINTS = 4000
# Of more groups than this, those with the fewest false alarms are drawn as one.
MOST_GROUPS = 30
NORMAL_QUANTILE = 1.959963984540054


def value(figure):
    return figure["value"]


def interval(figure):
    lower, upper = figure.get("lower"), figure.get("upper")
    return None if lower is None or upper is None else dict(lower=lower, upper=upper)


def wilson(hits, trials):
    """Wilson's score interval (JASA 22, 1927), for the groups that are drawn as one."""
    if not trials:
        return None
    share, square = hits / trials, NORMAL_QUANTILE**2
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = NORMAL_QUANTILE / (1 + square / trials) * math.sqrt(
        share * (1 - share) / trials + square / (4 * trials**2))
    return dict(lower=0 if hits == 0 else middle - half, upper=1 if hits == trials else middle + half)


def tolerance_text(document):
    def time(seconds):
        return f"{seconds * 1000:.10g} ms" if seconds < 10 else f"{seconds:.10g} s"

    parts = [document, *document.get("sweeps", [])]
    pairs = {(t["early"], t["late"]) for part in parts for t in part.get("tolerances", [])}
    return " or ".join(
        time(early) if early == late else f"{time(early)} before to {time(late)} after"
        for early, late in sorted(pairs))


def caption_of(document, curve, traces, parameter, unit):
    return dict(
        detector=document["title"], data=document["data"], traces=traces, parameter=parameter,
        unit=unit, references=curve["references"], hours=curve["hours"],
        tolerance=tolerance_text(document))


def setting_point(setting):
    """A threshold with the figures of a run at it."""
    figures = setting["figures"]
    names = dict(false_alarms="false_alarms_per_hour")
    wanted = ["recall", "precision", "false_alarms", "latency_p50", "latency_p90", "true_positives",
              "false_positives"]
    point = {name: value(figures[names.get(name, name)]) for name in wanted}
    return dict(point, threshold=setting["threshold"])


def curve_points(curve, steps, latencies=None):
    """Steps of a curve as points, with the latencies of the steps where they are known."""
    points = []
    for step in steps:
        point = {name: curve[name][step] for name in (
            "threshold", "true_positives", "false_positives", "recall", "precision")}
        point["false_alarms"] = curve["false_alarms_per_hour"][step]
        for name in ("recall", "precision"):
            point[name + "_interval"] = interval(
                dict(lower=curve[name + "_lo"][step], upper=curve[name + "_hi"][step]))
        points.append(dict(point, **(latencies or {}).get(step, {})))
    return points


def evenly(count):
    """The steps of a curve, at most so many that a panel can show, both ends among them."""
    if count <= MOST_POINTS:
        return list(range(count))
    return [index * (count - 1) // (MOST_POINTS - 1) for index in range(MOST_POINTS)]


def visible_steps(curve, kept):
    """Leaves out what moves a figure by less than a pixel: the threshold by a hundredth, and both
    counts by a two-hundredth."""
    visible = []
    thresholds, count = curve["threshold"], len(curve["threshold"])

    def moved(name, step, last):
        now, then = curve[name][step], curve[name][last]
        return 200 * abs(now - then) > max(now, then)

    for step in range(count):
        last = visible[-1] if visible else None
        if (last is None or step + 1 == count or step in kept or moved("true_positives", step, last)
                or moved("false_positives", step, last)
                or thresholds[step] > 1.01 * thresholds[last]):
            visible.append(step)
    return [visible[index] for index in evenly(len(visible))]


def step_at(curve, threshold):
    """The step of a threshold, or None if the curve does not cover it."""
    step = bisect.bisect_right(curve["threshold"], threshold) - 1
    if step < 0 or threshold > curve["upper"]:
        return None
    return step if curve["is_exact"] or curve["threshold"][step] == threshold else None


def sweep_curve(sweep, name):
    curve, latencies = sweep["curve"], {}
    for run in sweep["latencies"]:
        step = step_at(curve, run["threshold"])
        if step is not None:
            latencies.setdefault(step, {
                name: value(run["figures"][name]) for name in ("latency_p50", "latency_p90")})
    return dict(
        name=name, area=sweep["average_precision"], is_exact=curve["is_exact"],
        points=curve_points(curve, visible_steps(curve, latencies), latencies))


def sweep_picture(document):
    sweeps = document["sweeps"]
    return dict(
        caption=caption_of(
            document, sweeps[0]["curve"], len(document["recordings"]), document["threshold"],
            document["threshold_unit"]),
        curves=[sweep_curve(sweep, sweep["settings"] if len(sweeps) > 1 else "")
                for sweep in sweeps],
        banded=0,
        marks=[
            dict(name=point["name"], role="preset" if point["name"] == "preset" else "other",
                 point=setting_point(point))
            for point in sweeps[0]["operating_points"]
        ])


def estimate_of(setting):
    figures = setting["figures"]
    return dict(
        recall=value(figures["recall"]), recall_interval=interval(figures["recall"]),
        false_alarms=value(figures["false_alarms_per_hour"]),
        false_alarms_interval=interval(figures["false_alarms_per_hour"]))


def group_of(name, folds):
    if len(folds) == 1:
        figures = folds[0]["figures"]
        return dict(
            estimate_of(folds[0]), name=name, references=int(value(figures["references"])),
            true_positives=int(value(figures["true_positives"])))

    def total(figure):
        return sum(value(fold["figures"][figure]) for fold in folds)

    references, found, hours = total("references"), total("true_positives"), total("hours")
    return dict(
        name=name, references=int(references), true_positives=int(found),
        recall=found / references if references else None,
        recall_interval=wilson(found, references),
        false_alarms=total("false_positives") / hours if hours > 0 else None)


def groups_of(folds):
    """One group per fold. Of too many the first have references, then the most false alarms."""
    if len(folds) <= MOST_GROUPS:
        return [group_of(fold["name"], [fold]) for fold in folds]

    def rank(index):
        figures = folds[index]["figures"]
        return (value(figures["references"]) == 0, -value(figures["false_positives"]), index)

    ranked = sorted(range(len(folds)), key=rank)
    shown, others = sorted(ranked[: MOST_GROUPS - 1]), sorted(ranked[MOST_GROUPS - 1 :])
    return [group_of(folds[index]["name"], [folds[index]]) for index in shown] + [
        group_of(f"{len(others)} others", [folds[index] for index in others])]


def preset_mark(document, setting):
    name = setting["name"].removeprefix("preset ")
    role = "preset" if name == document["preset"] else "default" if name == "default" else "other"
    return dict(name=setting["name"], role=role, point=setting_point(setting))


def tune_picture(document):
    curve, threshold = document["curve"], document["threshold"]
    steps = evenly(len(curve["threshold"]))
    chosen = dict(name="chosen", role="chosen", point=setting_point(document["resubstitution"]))
    nested = document["cross_validated"]
    return dict(
        caption=caption_of(
            document, curve, sum(not r["is_test_set"] for r in document["recordings"]),
            threshold["parameter"], threshold["unit"]),
        objective=document["objective"], objective_axis=document["objective_axis"],
        budget=document["budget"],
        curve=dict(points=curve_points(curve, steps), is_exact=curve["is_exact"]),
        marks=[chosen] + [preset_mark(document, setting) for setting in document["presets"]],
        naive=estimate_of(document["resubstitution"]), nested=nested and estimate_of(nested),
        plateau=dict(
            objective=[dict(threshold=curve["threshold"][step], objective=curve["objective"][step])
                       for step in steps],
            lower=threshold["plateau"]["lower"], upper=threshold["plateau"]["upper"],
            middle=threshold["value"],
            fold_thresholds=[fold["threshold"] for fold in document["folds"]]),
        groups=groups_of(document["folds"]), group_kind=document["grouped_by"],
        is_optimistic=document["is_optimistic"],
        activities=[
            dict(name=a["activity"], count=a["count"], hours=a["hours"],
                 rate=value(a["false_alarms_per_hour"]),
                 interval=interval(a["false_alarms_per_hour"]))
            for a in document["false_alarms_by_activity"]
        ],
        findings=[text[:1].upper() + text[1:] for text in document["findings"]])


# ---------------------------------------------------------------- the program


# ---------------------------------------------------------------- a replay


def outcomes_of(panel):
    """The words for what was found, e.g. `64 references: 63 found, 1 missed; 2 false alarms`."""
    references, events = panel["references"], panel["events"]
    judged = [event["outcome"] for event in events if event["outcome"]]
    if not judged and not any(one["outcome"] for one in references):
        return plural(len(events), "event")
    missed = sum(one["outcome"] == "missed" for one in references)
    wrong = sum(outcome in ("false_positive", "duplicate") for outcome in judged)
    found = sum(outcome == "true_positive" for outcome in judged)
    others = plural(len(events) - len(judged), "other event") if len(events) > len(judged) else ""
    return "; ".join(filter(None, [
        f"{plural(len(references), 'reference')}: {found} found, {missed} missed", plural(wrong, "false alarm"),
        others]))  # fmt: skip


REPLAY_MARKS = {
    "found": dict(marker="o", markersize=6, color=BLUE),
    "missed": dict(marker="o", markersize=9, color=VERMILION, markerfacecolor="none", markeredgewidth=1.8),
    "false alarm": dict(marker="x", markersize=8, color=PURPLE, markeredgewidth=2),
    "event": dict(marker="s", markersize=5, color=BLACK),
}


def replay_marks(panel):
    """What is marked: its name among the marks, the time, and the position where there is one."""
    names = {"true_positive": "found", "false_positive": "false alarm", "duplicate": "false alarm", None: "event"}
    marks = [(names[event["outcome"]], event) for event in panel["events"] if event["outcome"] in names]
    return marks + [("missed", one) for one in panel["references"] if one["outcome"] == "missed"]


def draw_signal_panel(axes, panel):
    signal = panel["signal"]
    most = 1.0
    if signal and signal["times"]:
        most = max(signal["high"])
        axes.fill_between(signal["times"], signal["low"], signal["high"], color=GREY, linewidth=0.6, zorder=3)
        axes.set_ylabel("m/s²")
    else:
        axes.set_yticks([])
    for start, end in panel["ignored"]:
        axes.axvspan(start, end, facecolor="none", edgecolor=PALE, hatch="//", linewidth=0)
    for one in panel["references"]:
        axes.axvline(one["time"], color=SKY, linewidth=0.9, zorder=1.5)
        if one["end"] > one["time"]:
            axes.axvspan(one["time"], one["end"], color=SKY, alpha=0.18, linewidth=0)
    if panel["threshold"] is not None and panel["threshold"] < 3 * most:
        axes.axhline(panel["threshold"], color=GREEN, linewidth=1.3, linestyle="--")
    for name, mark in replay_marks(panel):
        height = most * (1.1 if name == "missed" else peak_near(signal, mark["time"], most))
        axes.plot(mark["time"], height, linestyle="none", zorder=5, **REPLAY_MARKS[name])
    axes.set(xlim=(panel["start"], panel["end"]), ylim=(0, 1.2 * most))


def peak_near(signal, time, most):
    """The height of the signal there, as a share of its highest peak."""
    if not signal or not signal["times"]:
        return 0.5
    place = min(bisect.bisect_left(signal["times"], time), len(signal["times"]) - 1)
    return max(signal["high"][max(place - 1, 0) : place + 2]) / most


def draw_path_panel(axes, panel):
    north, east = [point[0] for point in panel["path"]], [point[1] for point in panel["path"]]
    axes.plot(east, north, color=GREY, linewidth=1.4)
    named = []
    reach = (max(north) - min(north), max(east) - min(east)) if north else (0, 0)
    for name, mark in replay_marks(panel):
        if not mark["position"]:
            continue
        y, x = mark["position"]
        axes.plot(x, y, linestyle="none", zorder=4 if name == "event" else 5, **REPLAY_MARKS[name])
        # Names that would hide each other are left out.
        is_free = all(abs(y - other[0]) > reach[0] / 40 or abs(x - other[1]) > reach[1] / 8 for other in named)
        if name == "event" and is_free:
            named.append((y, x))
            axes.annotate(mark["kind"], (x, y), (8, -3), textcoords="offset points", fontsize=8)
    if north:
        axes.set_aspect(1 / max(math.cos(math.radians(sum(north) / len(north))), 0.01))
    axes.set(xlabel="longitude (°)", ylabel="latitude (°)")
    axes.ticklabel_format(useOffset=False)
    axes.xaxis.set_major_locator(ticker.MaxNLocator(5))


def draw_replay(document):
    panels = document["panels"]
    maps = any(panel["path"] is not None for panel in panels)
    figure, axes = plt.subplots(
        len(panels), 1, figsize=(11, 1.1 + (5.2 if maps else 2.5) * len(panels)), squeeze=False,
        layout="constrained",
    )  # fmt: skip
    for place, panel in enumerate(panels):
        draw = draw_signal_panel if panel["path"] is None else draw_path_panel
        draw(axes[place, 0], panel)
        axes[place, 0].set_title(f"{panel['trace']}: {outcomes_of(panel)}")
    if not maps:
        axes[-1, 0].set_xlabel("time (s)")
    used = {name for panel in panels for name, _ in replay_marks(panel)}
    handles = [Line2D([], [], linestyle="none", label=name, **style) for name, style in REPLAY_MARKS.items() if name in used]
    if any(panel["references"] for panel in panels) and not maps:
        handles.append(Line2D([], [], color=SKY, label="reference"))
    if any(panel["threshold"] is not None for panel in panels):
        handles.append(Line2D([], [], color=GREEN, linestyle="--", label="threshold"))
    figure.legend(handles=handles, loc="outside lower center", ncols=max(1, len(handles)))
    left_out = document["left_out"]
    heading(figure, document["title"], [f"{left_out} more {'trace is' if left_out == 1 else 'traces are'} not drawn"] if left_out else [])
    return figure


def main():
    document = json.load(sys.stdin)
    # Defaults, not the user's own matplotlibrc: a picture looks the same everywhere.
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(STYLE)
    if document["schema"].startswith("shadowbox-sweep/"):
        figure = draw_curve(sweep_picture(document))
    elif document["schema"].startswith("shadowbox-history/"):
        figure = draw_history(document)
    elif document["schema"].startswith("shadowbox-replay-picture/"):
        figure = draw_replay(document)
    else:
        figure = draw_tune(tune_picture(document))
    name_marks(figure)
    image = io.BytesIO()
    undated = {"png": None, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    form = sys.argv[1]
    figure.savefig(image, format=form, metadata=undated[form])
    sys.stdout.buffer.write(image.getvalue())


if __name__ == "__main__":
    main()
