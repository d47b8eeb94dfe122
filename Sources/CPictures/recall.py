"""Draws the picture of `shadowbox sweep`."""

from matplotlib import pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from common import (
    GREY, MARKS, PALE, PALETTE, RateAxis, bounds, columns, draw_marks, heading,
    mark_handles, note_names, nothing, number, plural, rates_of, recall_limits, rests_on,
    threshold_label, tried, without_tail, wrapped,
)


def colour(index):
    return PALETTE[index] if index < len(PALETTE) else PALE


def order(index):
    """Curves without their own colour are below the others."""
    return 4 if index < len(PALETTE) else 2


def remark(axes, picture, *names):
    """Explains an empty panel."""
    points = [p for curve in picture["curves"] for p in curve["points"]]
    points += [mark["point"] for mark in picture["marks"]]
    if columns(points, *names)[0]:
        return
    references = picture["caption"]["references"]
    text = "undefined" if references else "undefined: no references"
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color=GREY)


def draw_recall_panel(axes, picture, rates):
    axes.set_title("Recall against false alarms")
    for index, curve in reversed(list(enumerate(picture["curves"]))):
        xs, ys = without_tail(*columns(curve["points"], "false_alarms", "recall"))
        axes.plot([rates.place(x) for x in xs], ys, color=colour(index), linewidth=1.8,
                  zorder=order(index), **tried(curve))
    # With more false alarms allowed, recall does not fall.
    draw_band(axes, banded_curve(picture), "false_alarms", "recall", rates.place, step="post")
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
    """The interval of a figure, along the better arm of the curve: recall may fall again at low
    thresholds, at the same place of the axis."""
    curve, shade = banded
    best = {}
    # Only a score has such an arm: other parameters may find more at higher values.
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
    """The points from the best recall upwards."""
    recalls = [number(point.get("recall")) for point in points]
    known = [recall for recall in recalls if recall is not None]
    if not known:
        return []
    most = max(known)
    first = max(index for index, recall in enumerate(recalls) if recall == most)
    # All points with the best recall: they differ in false alarms.
    while first > 0 and recalls[first - 1] == most:
        first -= 1
    return points[first:]


def banded_curve(picture):
    return picture["curves"][0], colour(0)


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
        nothing(axes, "not measured in this sweep" if found else "no detections")
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
    upper.set_title("Effect of the threshold")
    for index, curve in reversed(list(enumerate(picture["curves"]))):
        style = "steps-post" if curve["is_exact"] else "default"
        xs, ys = columns(curve["points"], "threshold", "recall")
        upper.plot(xs, ys, color=colour(index), drawstyle=style, linewidth=1.6,
                   zorder=order(index), **tried(curve))
        xs, ys = columns(curve["points"], "threshold", "false_alarms")
        lower.plot(xs, [rates.place(y) for y in ys], color=colour(index), drawstyle=style,
                   linewidth=1.6, zorder=order(index), **tried(curve))
    draw_marks(upper, picture["marks"], lambda p: number(p["threshold"]),
               lambda p: number(p.get("recall")))
    draw_marks(lower, picture["marks"], lambda p: number(p["threshold"]),
               lambda p: rates.place(p.get("false_alarms")))
    upper.set_ylabel("recall")
    recall_limits(upper)
    upper.tick_params(labelbottom=False)
    lower.set_xlabel(threshold_label(caption))
    rates.apply(lower, "false alarms/h", horizontal=False)


def draw(picture):
    caption = picture["caption"]
    handles, points = curve_handles(picture), mark_handles(caption, picture["marks"])
    # A short legend is in the panel of the curves.
    handles = handles if line_count(handles) > 4 else []
    lines = max(line_count(handles), 1 + line_count(points))
    figure = plt.figure(figsize=(12.4, 9.6 + 0.19 * max(0, lines - 6)), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1, wspace=0.04, hspace=0.05)
    grid = figure.add_gridspec(2, 2)
    heading(figure, f"{caption['detector']}: {what_is_swept(picture)}", [rests_on(caption)])
    everything = [p for curve in picture["curves"] for p in curve["points"]]
    everything += [mark["point"] for mark in picture["marks"]]
    shown = rates_of(everything)
    rates = RateAxis(shown, [], caption)
    draw_recall_panel(figure.add_subplot(grid[0, 0]), picture, rates)
    draw_precision_panel(figure.add_subplot(grid[0, 1]), picture)
    draw_latency_panel(figure.add_subplot(grid[1, 0]), picture)
    stack = grid[1, 1].subgridspec(2, 1, hspace=0.08)
    upper = figure.add_subplot(stack[0])
    low = RateAxis(shown, [], caption, gap=0.22)
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
    whom = {point.get("recall_population") for point in banded[0]["points"]
            if point.get("recall_interval")} - {None}
    if whom:
        name = f" of {banded[0]['name']}" if banded[0]["name"] else ""
        people = " or ".join(sorted(whom)).replace("_", " ")
        handles.append(Patch(color=banded[1], alpha=0.2,
                             label=wrapped(f"95 % interval for {people}{name}")))
    return handles
