"""How panels and figures are drawn with matplotlib: what :mod:`bellwether.plot` is made of."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from bellwether import _arguments as arguments
from bellwether import _core

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKERS = {4: "s", 6: "o", 8: "^", 10: "v", 12: "D", 14: "p"}
_GREY = "#8a8a8a"
SMALL, _NORMAL, _LARGE = 8.0, 9.0, 11.0  # sizes of text
_LANE = 5.5  # height of a line of marks above a panel, in points


def pyplot() -> Any:
    """matplotlib.pyplot, imported when it is first needed."""
    try:
        from matplotlib import pyplot as found
    except ImportError:
        raise ImportError("figures need matplotlib: pip install 'bellwether[plot]' or matplotlib") from None
    return found


def write_files(module: str, figures: Callable[[str], dict[str, Any]]) -> None:
    """What ``python -m MODULE RESULTS DIRECTORY`` does, for the program where there is no gnuplot: every figure of the
    results as ID.svg and ID.pdf, the same files for the same results."""
    if len(sys.argv) != 3:
        sys.exit(f"python -m {module} RESULTS DIRECTORY")
    results, directory = sys.argv[1:]
    try:
        pyplot().switch_backend("Agg")
        pyplot().rcParams["svg.hashsalt"] = "bellwether"
        os.makedirs(directory, exist_ok=True)
        for id, figure in figures(results).items():
            figure.savefig(os.path.join(directory, f"{id}.svg"), metadata={"Date": None})
            figure.savefig(os.path.join(directory, f"{id}.pdf"), metadata={"CreationDate": None})
            print(f"{id}.svg\n{id}.pdf")
    except (ImportError, ValueError, OSError) as problem:
        sys.exit(str(problem))


def style(algorithm: str) -> dict[str, Any]:
    """How an algorithm looks, as keywords of matplotlib's `plot`: its family's colour and marker, its own dashes."""
    look = _core._style_of(arguments.text("algorithm", algorithm))
    dashes = [float(length) for length in look["dash"].split()]
    return {
        "color": look["light"],
        "linestyle": (0, tuple(dashes)) if dashes else "solid",
        "marker": _MARKERS.get(look["point"], "o"),
    }


def new_axes(ax: Axes | None) -> Axes:
    """Those given, or those of a new figure."""
    if ax is not None:
        return ax
    _, made = pyplot().subplots(figsize=(6.6, 4.2), layout="constrained")
    return made


def set_title(ax: Axes, title: str) -> None:
    """A title above the marks of what is off the scale."""
    ax.set_title(title, loc="left", fontsize=_LARGE, pad=8 + getattr(ax, "_bellwether_strip", 0))


def handle(algorithm: str, name: str) -> Any:
    """An algorithm's line in a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=name, markerfacecolor="white", markersize=4, linewidth=1.5, **style(algorithm))


def _label(text: str) -> str:
    """A label of a tic: powers are written base^{exponent}."""
    return "$" + text.replace("·", r"\cdot ") + "$" if "^{" in text else text


def _set_axis(axis: Any, model: dict[str, Any]) -> None:
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

    set_scale, set_limits = (
        (axis.axes.set_xscale, axis.axes.set_xlim)
        if axis.axis_name == "x"
        else (axis.axes.set_yscale, axis.axes.set_ylim)
    )
    if model["logarithm"]:
        set_scale("log", base=model["logarithm"])
    set_limits(model["low"], model["high"])
    major = [(at, label) for at, label in model["tics"] if label]
    axis.set_major_locator(FixedLocator([at for at, _ in major]))
    axis.set_major_formatter(FixedFormatter([_label(label) for _, label in major]))
    minor = [at for at, label in model["tics"] if not label]
    axis.set_minor_locator(FixedLocator(minor) if minor else NullLocator())
    axis.set_minor_formatter(FixedFormatter([""] * len(minor)))


def _beyond(panels: list[dict[str, Any]], high: float) -> list[str]:
    """The algorithms that some panel has off the scale: each has a line of marks above the panels."""
    off = [line["algorithm"] for panel in panels for line in panel["lines"] if not (line["y"] <= high).all()]
    return list(dict.fromkeys(off))


def draw_panel(
    ax: Axes,
    panel: dict[str, Any],
    row: dict[str, Any],
    names: dict[str, str],
    *,
    beyond: list[str] | None = None,
    labels: bool = False,
) -> None:
    """Lines, and above the upper edge the marks of what lies beyond it."""
    _set_axis(ax.xaxis, panel["x"])
    _set_axis(ax.yaxis, row["y"])
    ax.set_xlabel(panel["x"]["title"], fontsize=_NORMAL)
    ax.tick_params(labelsize=SMALL)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color="#e6e6e6", linewidth=0.6)
    ax.set_axisbelow(True)
    if row["initial_error"] is not None:
        ax.axhline(row["initial_error"], color=_GREY, linewidth=0.9, linestyle=(0, (1, 2)), zorder=1.5)
    low, high = row["y"]["low"], row["y"]["high"]
    if beyond is None:
        beyond = _beyond([panel], high)
    ax._bellwether_strip = _LANE * len(beyond)  # type: ignore[attr-defined]
    for line in panel["lines"]:
        look = style(line["algorithm"])
        (_draw_curve if panel["curves"] else _draw_points)(ax, line, look, low, high)
        if line["algorithm"] in beyond:
            _draw_marks(ax, line, look, high, beyond.index(line["algorithm"]), panel["curves"])
    if labels:
        _name_ends(ax, panel["lines"], names, row["y"])


def _shown(values: Any, low: float) -> Any:
    """What is below the axis is drawn on its edge; what is not finite is left out."""
    return np.where(np.isfinite(values), np.maximum(values, low), np.nan)


def _draw_curve(ax: Axes, line: dict[str, Any], look: dict[str, Any], low: float, high: float) -> None:
    x, y = line["x"], _shown(line["y"], low)
    error = np.where(y <= high, line["error"], np.nan)  # no band around what is off the scale
    ax.fill_between(x, np.maximum(y - error, low), y + error, color=look["color"], alpha=0.16, linewidth=0)
    ax.plot(x, y, color=look["color"], linestyle=look["linestyle"], linewidth=1.3)


def _draw_points(ax: Axes, line: dict[str, Any], look: dict[str, Any], low: float, high: float) -> None:
    x, y = line["x"], _shown(line["y"], low)
    error = np.where((y <= high) & np.isfinite(line["error"]), line["error"], 0)
    ax.errorbar(
        x, y, [y - np.maximum(y - error, low), error], fmt="none", ecolor=look["color"], elinewidth=0.8, alpha=0.7
    )
    ax.plot(x, y, linewidth=1.1, markersize=3.4, markerfacecolor="white", markeredgewidth=0.8, **look)
    if line["chosen"] is not None:
        ax.plot(x[line["chosen"]], y[line["chosen"]], marker=look["marker"], color=look["color"], markersize=5.2)
        if line["on_edge"]:
            ax.plot(
                x[line["chosen"]],
                y[line["chosen"]],
                marker="o",
                markersize=9,
                markerfacecolor="none",
                markeredgecolor=look["color"],
                markeredgewidth=0.8,
            )


def _draw_marks(ax: Axes, line: dict[str, Any], look: dict[str, Any], high: float, lane: int, curve: bool) -> None:
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    up = ScaledTranslation(0, (lane + 0.8) * _LANE / 72, ax.figure.dpi_scale_trans)
    place = blended_transform_factory(ax.transData, ax.transAxes) + up
    x, y = line["x"], line["y"]
    for which, marker in ((np.isfinite(y) & (y > high), "^"), (~np.isfinite(y), "x")):
        where = np.flatnonzero(which)
        if len(where) == 0:
            continue
        if curve:  # a mark where each excursion begins, and a line for as long as it lasts
            pieces = np.split(where, np.flatnonzero(np.diff(where) > 1) + 1)
            for piece in pieces:
                ax.plot(
                    x[piece], np.ones(len(piece)), color=look["color"], linewidth=0.8, transform=place, clip_on=False
                )
            where = np.array([piece[0] for piece in pieces])
        ax.plot(
            x[where],
            np.ones(len(where)),
            linestyle="none",
            marker=marker,
            color=look["color"],
            markersize=3.6,
            markeredgewidth=0.9,
            transform=place,
            clip_on=False,
        )


def _name_ends(ax: Axes, lines: list[dict[str, Any]], names: dict[str, str], y: dict[str, Any]) -> None:
    """The names of curves at their right ends, apart from each other, with leaders."""

    def place(value: float) -> float:
        value = min(max(value if np.isfinite(value) else y["high"], y["low"]), y["high"])
        if y["logarithm"]:
            return float(np.log(value / y["low"]) / np.log(y["high"] / y["low"]))
        return (value - y["low"]) / (y["high"] - y["low"])

    height = 1.12 * SMALL / 72 / (ax.get_window_extent().height / ax.figure.dpi)
    wanted = [place(line["y"][-1]) for line in lines]
    for line, at, moved in zip(lines, wanted, spread(wanted, height), strict=True):
        color = style(line["algorithm"])["color"]
        ax.annotate(
            names[line["algorithm"]],
            xy=(1, at),
            xytext=(1.045, moved),
            xycoords="axes fraction",
            textcoords="axes fraction",
            fontsize=SMALL,
            color=color,
            va="center",
            arrowprops={
                "arrowstyle": "-",
                "color": color,
                "linewidth": 0.5,
                "shrinkA": 1,
                "shrinkB": 0,
                "relpos": (0, 0.5),
            },
            annotation_clip=False,
        )


def spread(wanted: list[float], height: float) -> list[float]:
    """Near the wanted places, in their order, and so far from each other that nothing touches."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    groups: list[tuple[float, int]] = []  # (middle, members): those that would touch, around the mean of what they want

    def within(middle: float, members: int) -> tuple[float, int]:
        half = 0.5 * height * (members - 1)
        return max(min(middle, 1 - half), half), members

    for index in order:
        groups.append(within(wanted[index], 1))
        while len(groups) > 1:
            (one, count), (other, others) = groups[-2:]
            if other - one >= 0.5 * height * (count + others):
                break
            groups[-2:] = [within((one * count + other * others) / (count + others), count + others)]
    places = [middle + height * (k - 0.5 * (members - 1)) for middle, members in groups for k in range(members)]
    result = [0.0] * len(wanted)
    for index, at in zip(order, places, strict=True):
        result[index] = at
    return result


def draw_cells(ax: Axes, scores: Any, title: str, top: float) -> None:
    """Colours up to what the axis of the learning curves shows, and not over more than twelve decades."""
    from matplotlib.colors import LogNorm, Normalize

    finite = scores[np.isfinite(scores)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 1.0)
    highest, high = high, min(high, max(top, low), 1e12 * low if low > 0 else np.inf)
    norm = LogNorm(low, high) if low > 0 and high > 30 * low else Normalize(low, high)
    shown = np.ma.masked_invalid(scores)
    ax.set_facecolor("#dcdcdc")
    image = ax.imshow(shown, origin="lower", aspect="auto", cmap="viridis_r", norm=norm, interpolation="nearest")
    rows, columns = np.nonzero(np.isinf(scores))
    ax.plot(columns, rows, linestyle="none", marker="x", color="#7a7a7a", markersize=4, markeredgewidth=0.8)
    if len(finite):
        row, column = np.unravel_index(np.nanargmin(np.where(np.isfinite(scores), scores, np.inf)), scores.shape)
        ax.plot(column, row, marker="o", color="none", markeredgecolor="#d55e00", markersize=8, markeredgewidth=1.8)
    ax.tick_params(labelsize=SMALL)
    ax.figure.colorbar(image, ax=ax, label=title, extend="max" if highest > high else "neither")


# ---- Whole figures: everything is placed in inches.

_LEFT, _RIGHT, _TOP, _BOTTOM = 0.8, 0.2, 0.12, 0.12
_HEIGHT, _BELOW, _ABOVE = 2.35, 0.5, 0.42  # of a panel, of its numbers, of the row's title
_APART, _NUMBERS, _NAMES = 0.22, 0.55, 0.95  # between panels, for numbers at the left, for names of curves


def draw_figure(model: dict[str, Any]) -> Figure:
    """A title, a legend, rows of panels, a caption."""
    columns = max(len(row["panels"]) for row in model["rows"])
    breadth = 2.85 if columns >= 4 else 3.4 if columns == 3 else 4.4
    lefts, x = [], _LEFT
    curves = [
        any(c < len(row["panels"]) and row["panels"][c]["curves"] for row in model["rows"]) for c in range(columns)
    ]
    for c in range(columns):
        lefts.append(x)
        x += breadth + (_NAMES + _NUMBERS if curves[c] else _APART)
    width = x - (_NUMBERS if curves[-1] else _APART) + _RIGHT
    caption = textwrap.wrap(model["caption"], int((width - _LEFT) * 72 / (0.54 * SMALL)))
    per_line = max(1, int((width - _LEFT) / 1.55))
    lines = -(-len(model["legend"]) // per_line)
    head = _TOP + 0.3 + 0.22 * lines + 0.1
    order = [algorithm for algorithm, _ in model["legend"]]
    beyond = [sorted(_beyond(row["panels"], row["y"]["high"]), key=order.index) for row in model["rows"]]
    strips = [(_LANE * len(off) + 2) / 72 if off else 0.0 for off in beyond]
    height = head + sum(_ABOVE + strip + _HEIGHT + _BELOW for strip in strips) + 0.16 * len(caption) + _BOTTOM
    drawn = pyplot().figure(figsize=(width, height))
    drawn.text(_LEFT / width, 1 - _TOP / height, model["title"], fontsize=13, va="top", weight="bold")
    drawn.legend(
        handles=[handle(algorithm, name) for algorithm, name in model["legend"]],
        ncols=-(-len(model["legend"]) // lines) if lines else 1,
        loc="upper left",
        bbox_to_anchor=((_LEFT - 0.08) / width, 1 - (_TOP + 0.26) / height),
        borderaxespad=0,
        fontsize=_NORMAL,
        frameon=False,
        handlelength=3.4,
    )
    top = head
    for row, off, strip in zip(model["rows"], beyond, strips, strict=True):
        drawn.text(_LEFT / width, 1 - top / height, row["title"], fontsize=_LARGE, va="top")
        drawn.text(
            1 - _RIGHT / width, 1 - top / height, row["note"], fontsize=SMALL, va="top", ha="right", color="#555555"
        )
        top += _ABOVE + strip
        for c, panel in enumerate(row["panels"]):
            box = (lefts[c] / width, 1 - (top + _HEIGHT) / height, breadth / width, _HEIGHT / height)
            ax = drawn.add_axes(box)
            if not panel["lines"]:
                ax.set_axis_off()
                continue
            draw_panel(ax, panel, row, dict(model["legend"]), beyond=off, labels=panel["curves"])
            if panel["title"]:
                ax.set_title(panel["title"], fontsize=_NORMAL, loc="left", pad=3 + 72 * strip)
            if c == 0:
                ax.set_ylabel(row["y"]["title"], fontsize=_NORMAL)
            elif not curves[c - 1]:
                ax.tick_params(labelleft=False)
        top += _HEIGHT + _BELOW
    drawn.text(_LEFT / width, 1 - top / height, "\n".join(caption), fontsize=SMALL, va="top", color="#555555")
    return drawn
