"""Figures of a study's results with matplotlib, laid out as those of the report.

>>> results = bellwether.load("results/quick")
>>> bellwether.plot.learning_curves(results, "off-binary")
>>> bellwether.plot.sensitivity(results, "off-binary", "alpha")
>>> bellwether.plot.figure(results, "off-policy").savefig("off-policy.pdf")

An algorithm has the same colour and line everywhere. What is off the scale is drawn above the upper edge: ▲ beyond the
axis, × where some run diverged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bellwether import _arguments as arguments
from bellwether import _core
from bellwether import _drawing as drawing
from bellwether._drawing import style
from bellwether.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["figure", "figures", "heatmap", "learning_curves", "sensitivity", "style"]


def learning_curves(
    results: Results, setting: str, metric: str | None = None, ax: Axes | None = None, *, legend: bool = True
) -> Axes:
    """The error over time of each algorithm's best configuration, with bands of ±1 standard error over runs.

    On fresh runs where there are some. `metric` is by default the setting's first; `ax` where to draw, by default a new
    figure; `legend` names the curves at their right ends.
    """
    model, row = _row(results, setting, metric)
    for panel in row["panels"]:
        if panel["curves"]:
            ax = drawing.new_axes(ax)
            drawing.draw_panel(ax, panel, row, dict(model["legend"]), labels=legend)
            ax.set_ylabel(row["y"]["title"])
            drawing.set_title(ax, row["title"])
            return ax
    raise ValueError(f"setting '{setting}' has no recorded learning curves")


def sensitivity(
    results: Results,
    setting: str,
    parameter: str,
    metric: str | None = None,
    ax: Axes | None = None,
    *,
    view: str = "reselected",
    legend: bool = True,
) -> Axes:
    """The score at each value of a parameter, the others selected again at each value.

    With the `view` "frozen", instead of "reselected", the others are as in the best configuration. That has a filled
    marker, ringed where it lies on the edge of its grid and better ones may lie beyond. Bars are ±1 standard error over
    runs. `metric` and `ax` as in :func:`learning_curves`.
    """
    if view not in ("reselected", "frozen"):
        raise ValueError(f"view: {view!r} is neither 'reselected' nor 'frozen'")
    model, row = _row(results, setting, metric, frozen=view == "frozen")
    name = arguments.core_name(arguments.text("parameter", parameter))
    if name not in results.parameters:
        raise ValueError(f"the study has no parameter '{parameter}'; it has {', '.join(results.parameters)}")
    for panel in row["panels"]:
        if not panel["curves"] and panel["lines"] and panel["x"]["title"] == _core._parameter_symbol(name):
            ax = drawing.new_axes(ax)
            names = dict(model["legend"])
            drawing.draw_panel(ax, panel, row, names)
            ax.set_ylabel(row["y"]["title"])
            drawing.set_title(ax, row["title"])
            if legend:
                handles = [drawing.handle(line["algorithm"], names[line["algorithm"]]) for line in panel["lines"]]
                ax.legend(
                    handles=handles,
                    fontsize=drawing.SMALL,
                    frameon=False,
                    loc="upper left",
                    bbox_to_anchor=(1.01, 1),
                    handlelength=3.2,
                )
            return ax
    raise ValueError(f"setting '{setting}' has one value of '{parameter}' at most: there is no sensitivity to show")


def heatmap(
    results: Results,
    setting: str,
    algorithm: str,
    x: str = "alpha",
    y: str = "lambda",
    metric: str | None = None,
    ax: Axes | None = None,
    **fixed: float,
) -> Axes:
    """The score of an algorithm over two parameters; a ring marks the lowest.

    Other parameters have the values given by keyword, and else those of the best configuration. Crossed cells: some run
    diverged. `metric` and `ax` as in :func:`learning_curves`.
    """
    table = _Scores(results, setting, algorithm, metric)
    x_name, y_name = (table.require(name) for name in (x, y))
    if x_name == y_name:
        raise ValueError(f"x and y are both '{x}': they must be two parameters")
    chosen = table.choose({arguments.core_name(n): arguments.number(n, v) for n, v in fixed.items()}, x_name, y_name)
    across, up = table.values(x_name), table.values(y_name)
    scores = np.full((len(up), len(across)), np.nan)
    scores[
        np.searchsorted(up, table.columns[y_name][chosen]), np.searchsorted(across, table.columns[x_name][chosen])
    ] = table.columns["score"][chosen]
    ax = drawing.new_axes(ax)
    model = results._core.figure_of(setting, table.metric)
    drawing.draw_cells(ax, scores, table.metric.upper(), model["rows"][0]["y"]["high"] if model else np.inf)
    for axis, name, values in ((ax.xaxis, x_name, across), (ax.yaxis, y_name, up)):
        step = -(-len(values) // 12)
        axis.set_ticks(np.arange(len(values))[::step], [f"{value:.3g}" for value in values[::step]])
        axis.set_label_text(_core._parameter_symbol(name))
    ax.tick_params(axis="x", rotation=45 if len(across) > 8 else 0)
    others = [f"{_core._parameter_symbol(n)} = {table.columns[n][chosen][0]:.4g}" for n in table.others(x_name, y_name)]
    drawing.set_title(ax, f"{setting}: {algorithm}" + (f", {', '.join(others)}" if others else ""))
    return ax


def figure(results: Results, id: str) -> Figure:
    """A figure of the study: a row per setting with its learning curves and the sensitivity to each parameter."""
    model = results._core.figure(arguments.text("id", id))
    if model is None:
        raise ValueError(f"there are no complete results yet of what figure '{id}' shows")
    return drawing.draw_figure(model)


def figures(results: Results) -> dict[str, Figure]:
    """Every figure of the study that has results, by its id."""
    models = {id: results._core.figure(id) for id in results._core.figure_ids()}
    return {id: drawing.draw_figure(model) for id, model in models.items() if model is not None}


# ---- What is drawn.


def _row(
    results: Results, setting: str, metric: str | None, *, frozen: bool = False
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The row of panels of one setting and metric, and the model of which it is part."""
    if not isinstance(results, Results):
        raise TypeError(f"results must be what bellwether.load() returns, not {results!r}")
    model = results._core.figure_of(
        arguments.text("setting", setting), arguments.text_or_none("metric", metric), frozen
    )
    if model is None:
        raise ValueError(f"setting '{setting}' has no complete results yet, or nothing to show: one configuration each")
    return model, model["rows"][0]


class _Scores:
    """The scores of one algorithm in one setting and metric."""

    def __init__(self, results: Results, setting: str, algorithm: str, metric: str | None) -> None:
        if not isinstance(results, Results):
            raise TypeError(f"results must be what bellwether.load() returns, not {results!r}")
        everything = results._keep("score columns", lambda: results._core.exported(False, False))
        here = self._where(
            everything, "setting", arguments.text("setting", setting), "the study has no results of setting"
        )
        first = everything["metric"][1][everything["metric"][0][np.argmax(here)]]
        self.metric = first if metric is None else arguments.text("metric", metric)
        here &= self._where(everything, "metric", self.metric, f"setting '{setting}' has no metric", here)
        here &= self._where(
            everything,
            "algorithm",
            arguments.text("algorithm", algorithm),
            f"setting '{setting}' has no algorithm",
            here,
        )
        self.columns = {n: c[here] for n, c in everything.items() if not isinstance(c, tuple)}
        self.algorithm = algorithm
        self.parameters = [n for n in results.parameters if not np.isnan(self.columns[n]).any()]

    @staticmethod
    def _where(columns: dict[str, Any], name: str, wanted: str, problem: str, among: Any = None) -> Any:
        places, texts = columns[name]
        found = places == texts.index(wanted) if wanted in texts else np.zeros(len(places), bool)
        if not (found if among is None else found & among).any():
            known = texts if among is None else [texts[k] for k in dict.fromkeys(places[among].tolist())]
            raise ValueError(f"{problem} '{wanted}'; there is {', '.join(known)}")
        return found

    def require(self, parameter: str) -> str:
        name = arguments.core_name(arguments.text("parameter", parameter))
        if name not in self.parameters:
            raise ValueError(f"{self.algorithm} has no parameter '{parameter}'; it has {', '.join(self.parameters)}")
        return name

    def values(self, parameter: str) -> Any:
        return np.unique(self.columns[parameter])

    def others(self, *shown: str) -> list[str]:
        return [name for name in self.parameters if name not in shown]

    def choose(self, fixed: dict[str, float], *shown: str) -> Any:
        """The configurations with these values, and those of the best one elsewhere."""
        best = np.lexsort((self.columns["score"], self.columns["diverged"]))[0]
        chosen = np.ones(len(self.columns["score"]), bool)
        for name in fixed:
            self.require(name)
            if name in shown:
                raise ValueError(f"{name} is an axis of the map: it cannot be fixed")
        for name in self.others(*shown):
            value = fixed.get(name, self.columns[name][best])
            if value not in self.columns[name]:
                known = ", ".join(f"{v:.6g}" for v in self.values(name))
                raise ValueError(f"{name} = {value:.6g} is not a value of the study; there is {known}")
            chosen &= self.columns[name] == value
        return chosen


if __name__ == "__main__":
    drawing.write_files("bellwether.plot", lambda directory: figures(Results(directory)))
