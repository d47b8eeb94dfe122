"""Draws the picture of `shadowbox history`."""

import math
import textwrap

from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

from common import BLACK, BLUE, SKY, VERMILION, heading, nothing, number, plural


# Those with the newest changes; further figures are counted.
MOST_SERIES = 12
# More names of commits would overlap.
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
    """The medians between the changes; without noise the figures themselves."""
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
    # Intervals of accuracy are for other people, and would hide changes on these recordings.
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


def draw(document):
    runs = document["runs"]
    places = {run["id"]: index for index, run in enumerate(runs)}

    def newest(series):
        return max((places.get(c["run"], -1) for c in series["changes"]), default=-1)

    series = sorted(document["series"], key=newest, reverse=True)[:MOST_SERIES]
    columns = 1 if len(series) <= 2 else 2
    rows = max(1, math.ceil(len(series) / columns))
    figure = plt.figure(figsize=(12.8, 1.7 + 2.55 * rows), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08, wspace=0.04, hspace=0.04)
    lines = [plural(len(runs), "run") + shown_branches(document["branches"])]
    if runs:
        days = sorted(run["time"][:10] for run in runs)
        order = ", in the order of commits" if document["order"] == "commits" else ""
        lines[0] += f", {days[0]} to {days[-1]}; one dot per run{order}"
    if len(series) < len(document["series"]):
        lines.append(f"{len(series)} of {len(document['series'])} figures, those with the newest changes")
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
