"""How results of logs are looked at: pages, tables in notebooks, charts."""

from __future__ import annotations

import html
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bellwether import _arguments
from bellwether._drawing import new_axes, style

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

_ACCENT, _MUTED, _FAINT = "#1f5f8b", "#7a858f", "#e6e6e6"
_TONES = {"supported": "#0d6b4f", "chosen": "#0d6b4f", "depends on the features": "#1f5f8b"}
_CANNOT_TELL = "#9c3a00"

SCORES = {"projected": "projected error", "return": "error of returns", "progressive": "error while learning"}


def write_page(page: str, path: Any) -> Path:
    """Write a page; a directory gets a report.html."""
    if not page:
        raise RuntimeError("this package was built without Node.js, which makes the page")
    place = Path(_arguments.path("path", path))
    if place.is_dir():
        place = place / "report.html"
    place.write_text(page, encoding="utf-8")
    return place


class LogResult:
    """What an evaluation and a tuning have in common."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self._json: dict[str, Any] = json.loads(core.json)

    @property
    def diagnostics(self) -> dict[str, Any]:
        """Everything that the command's JSON file has."""
        return dict(self._json)

    def report(self, path: Any) -> Path:
        """Write the page that the command writes, one file that opens anywhere; a directory gets a ``report.html``."""
        return write_page(self._core.page, path)

    def __str__(self) -> str:
        return str(self._core.text)


def verdict_html(verdict: str, sentence: str) -> str:
    """The verdict with its colour, and its sentence. Nothing of a log that cannot tell stands in bold."""
    colour = _TONES.get(verdict, _CANNOT_TELL)
    can_tell = verdict in _TONES
    words = f"<b>{html.escape(sentence)}</b>" if can_tell else html.escape(sentence)
    return (
        f'<div style="border-left:4px solid {colour};padding:2px 0 2px 12px;margin:4px 0 8px">'
        f'<span style="color:{colour};font-weight:600">{html.escape(verdict)}</span><br>{words}</div>'
    )


def table_html(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of texts, the first of each row being its name."""
    head = "".join(f"<th>{html.escape(text)}</th>" for text in heads)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="text-align:{"right" if place else "left"}">{html.escape(text)}</td>' for place, text in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def notes_html(notes: Iterable[str]) -> str:
    """A list, or nothing."""
    items = "".join(f"<li>{html.escape(note)}</li>" for note in notes)
    return f"<ul>{items}</ul>" if items else ""


def number(value: float | None, digits: int = 4) -> str:
    """As on the page; a dash where there is none."""
    return "–" if value is None or not math.isfinite(value) else f"{value:.{digits}g}"


def _tidy(ax: Axes) -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)


def shown_estimates(evaluation: dict[str, Any]) -> list[tuple[str, dict[str, Any], bool]]:
    """Every estimate once, as people call it, and whether it is the answer."""
    return [
        (
            f"answer: {method['name']}" if method["answer"] else method["name"],
            evaluation["estimates"][method["estimate"]],
            method["answer"],
        )
        for method in evaluation["methods"]
    ]


def draw_estimates(evaluation: dict[str, Any], ax: Axes | None) -> Axes:
    """Estimates and their intervals on one axis; an interval that would squash the others ends in an arrow."""
    ax = new_axes(ax)
    rows = [row for row in shown_estimates(evaluation)[::-1] if row[1]["estimate"] is not None]
    halves = [row["upper"] - row["estimate"] for _, row, _ in rows if row["upper"] is not None]
    reach = 4 * float(np.median(halves)) if halves else 0.0
    for place, (_, row, is_answer) in enumerate(rows):
        look = {"color": _ACCENT if is_answer else _MUTED}
        at, ends = row["estimate"], []
        for end, sign in ((row["lower"], "<"), (row["upper"], ">")):
            far = at + (reach if sign == ">" else -reach)
            is_cut = end is None or abs(end - at) > reach
            ends.append(far if is_cut else end)
            if is_cut:
                ax.plot([far], [place], sign, markersize=5, **look)
        ax.plot(ends, [place, place], linewidth=3 if is_answer else 1.8, **look)
        ax.plot([at], [place], "o", markersize=8 if is_answer else 5.5, **look)
    ax.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    for label, (_, _, is_answer) in zip(ax.get_yticklabels(), rows):
        label.set_fontweight("bold" if is_answer else "normal")
    ax.set_xlabel("worth of the target policy")
    ax.set_title(evaluation["verdict"], loc="left")
    ax.grid(axis="x", color=_FAINT, linewidth=0.8)
    ax.tick_params(axis="y", length=0)
    _tidy(ax)
    return ax


def draw_effective_sample(evaluation: dict[str, Any], sample: Any, ax: Axes | None) -> Axes:
    """What the segments count for after 1, 2, ... steps, and how far that is enough."""
    ax = new_axes(ax)
    steps = np.arange(1, len(sample) + 1)
    ax.plot(steps, sample, color=_ACCENT, marker="o" if len(sample) <= 40 else None, markersize=3.5)
    if 0 < evaluation["horizon"] < len(sample):
        ax.axvline(evaluation["horizon"], color=_MUTED, linewidth=0.9, linestyle=(0, (1, 2)))
    ax.set(xlabel="steps", ylabel="effective segments", yscale="log")
    if len(sample) > 1:
        ax.set_xscale("log")
    ax.set_title(f"weighted horizon: {evaluation['horizon']} of {len(sample)} steps", loc="left")
    ax.grid(axis="y", color=_FAINT, linewidth=0.8)
    _tidy(ax)
    return ax


def draw_scores(rows: list[dict[str, Any]], tuning: dict[str, Any], parameter: str, ax: Axes | None) -> Axes:
    """The best score of each algorithm at each value of a parameter."""
    ax = new_axes(ax)
    best: dict[str, dict[float, float]] = {}
    for row in rows:
        if parameter in row:
            of = best.setdefault(row["algorithm"], {})
            of[row[parameter]] = min(of.get(row[parameter], math.inf), row["score"])
    if not best:
        raise ValueError(f"none of the algorithms has a parameter {parameter!r}")
    zero = tuning["score_of_zero_final"]
    for algorithm, scores in best.items():
        values = sorted(scores)
        drawn = [scores[value] if scores[value] <= 1.2 * zero else math.nan for value in values]
        ax.plot(values, drawn, label=algorithm, markersize=4, linewidth=1.5, **style(algorithm))
    for level, name in ((zero, "predicting 0"), (tuning["score_of_least_squares"], "LSTD")):
        if level is not None:
            ax.axhline(level, color=_MUTED, linewidth=0.9, linestyle=(0, (1, 2)))
            ax.annotate(name, (1, level), xycoords=("axes fraction", "data"), ha="right", va="bottom", color=_MUTED, fontsize=8)
    positive = [value for scores in best.values() for value in scores if value > 0]
    if positive and max(positive) >= 16 * min(positive):
        ax.set_xscale("log", base=2)
    ax.set(xlabel=parameter, ylabel=SCORES[tuning["score"]], yscale="log")
    ax.set_title("others selected again at each value", loc="left", fontsize=9)
    ax.grid(axis="y", color=_FAINT, linewidth=0.8)
    ax.legend(fontsize=8, frameon=False)
    _tidy(ax)
    return ax
