"""Draws the picture of `shadowbox replay`."""

import math

from matplotlib import ticker
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

from common import BLACK, BLUE, GREEN, GREY, PALE, PURPLE, SKY, VERMILION, heading


REPLAY_MARKS = {
    "found": dict(marker="o", markersize=6, color=BLUE),
    "missed": dict(marker="o", markersize=9, color=VERMILION, markerfacecolor="none", markeredgewidth=1.8),
    "false alarm": dict(marker="x", markersize=8, color=PURPLE, markeredgewidth=2),
    "event": dict(marker="s", markersize=5, color=BLACK),
}


def replay_marks(panel):
    """The kind and the event of each mark."""
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
        axes.plot(mark["time"], most * mark["height"], linestyle="none", zorder=5, **REPLAY_MARKS[name])
    axes.set(xlim=(panel["start"], panel["end"]), ylim=(0, 1.2 * most))


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


def draw(document):
    panels = document["panels"]
    maps = any(panel["path"] is not None for panel in panels)
    figure, axes = plt.subplots(
        len(panels), 1, figsize=(11, 1.1 + (5.2 if maps else 2.5) * len(panels)), squeeze=False,
        layout="constrained",
    )  # fmt: skip
    for place, panel in enumerate(panels):
        draw_panel = draw_signal_panel if panel["path"] is None else draw_path_panel
        draw_panel(axes[place, 0], panel)
        axes[place, 0].set_title(panel["title"])
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
