"""Draws the picture of `shadowbox tune`."""

import math

from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

from common import (
    BLACK, BLUE, GREEN, ORANGE, PURPLE, RateAxis, SKY, VERMILION, bounds, columns, draw_marks,
    heading, mark_handles, note_names, nothing, number, plural, rates_of, recall_limits,
    rests_on, share, short, threshold_label, threshold_text, without_tail,
)
from recall import draw_band


ESTIMATES = {
    "naive": (BLUE, "o", "white", "same recordings (biased)"),
    "nested": (GREEN, "o", GREEN, "cross-validated"),
}


def draw_estimate(axes, estimate, kind, rates):
    """A point with both intervals."""
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
    # The naive estimate is below the mark of the choice.
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
    axes.set_title("All operating points with 95 % band, and the choice")
    xs, ys = without_tail(*columns(picture["curve"]["points"], "false_alarms", "recall"))
    axes.plot([rates.place(x) for x in xs], ys, color=SKY, linewidth=2, zorder=2,
              label="all thresholds, on the tuning data")
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
    rows = [(x, math.nan if y is None else y) for x, y in plateau["objective"]]
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
        "" if number(picture.get("budget")) is None else " (none beyond the budget)"))
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


# The part of a dot plot's width for dots; the rest has their counts.
DOTS = 0.76


def at_right(axes, row, text, count):
    axes.text(DOTS + 0.03, row, text, transform=axes.get_yaxis_transform(), va="center", ha="left",
              fontsize=8.5 if count <= 16 else 6.5, color="#444444")


def draw_group_panel(axes, picture):
    kind = picture["group_kind"]
    axes.set_title(f"Recall on each {kind}, tuned without it")
    groups = [group for group in picture["groups"] if group["references"]]
    others = len(picture["groups"]) - len(groups)
    more = f"\n{plural(others, 'more ' + kind)} without references" if others else ""
    axes.set_xlabel("recall, with 95 % interval" + more, x=DOTS / 2, ha="center")
    axes.set_xlim(-0.02, -0.02 + 1.04 / DOTS)
    axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    axes.spines["bottom"].set_bounds(-0.02, 1.02)
    if not groups:
        nothing(axes, "no references" if others else "not cross-validated")
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
    rates = RateAxis(rates_of([dict(false_alarms=a.get("rate")) for a in activities]), uppers, {})
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


def draw(picture):
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
        [bounds(e, "false_alarms_interval")[1] for e in estimates], caption)
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
