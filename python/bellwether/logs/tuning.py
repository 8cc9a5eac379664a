"""Which algorithm and parameters to learn with, by a log alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bellwether import _arguments, _core, _streams
from bellwether.logs import showing
from bellwether.logs.policies import behaviour_arguments, target_arguments
from bellwether.logs.reading import Log

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Tuning", "tune"]


class Tuning:
    """Which algorithm and parameters to learn with, by a log alone, and how sure that is."""

    def __init__(self, core: _core._Tuning) -> None:
        self._core = core
        self._json: dict[str, Any] = json.loads(core.json)
        self._rows = core.configurations

    @property
    def table(self) -> Any:
        """Every configuration as a pandas table, the best first; infinite scores are those of learners that diverged."""
        from bellwether.results import _pandas

        return _pandas().DataFrame(self._rows)

    @property
    def best(self) -> tuple[str, dict[str, float]]:
        """The algorithm and its parameters, by the names that ``Learner`` has for them."""
        row = self._rows[0]
        names = {"lambda": "lambda_"}
        parameters = {
            names.get(name, name.replace("-", "_")): float(value)
            for name, value in row.items()
            if name not in ("algorithm", "score")
        }
        return str(row["algorithm"]), parameters

    def learner(self, dimension: int) -> _core.Learner:
        """A learner with the best configuration, ready to go."""
        algorithm, parameters = self.best
        return _core.Learner(algorithm, dimension, **parameters)

    @property
    def can_tell(self) -> bool:
        """Whether the best configuration is clearly better than predicting 0."""
        return bool(self._json["can_tell"])

    @property
    def z(self) -> float:
        """By how many standard errors the best one is better than predicting 0."""
        return float(self._json["z_against_zero"])

    @property
    def indistinguishable(self) -> int:
        """How many configurations cannot be told from the best."""
        return int(self._json["indistinguishable"])

    @property
    def diagnostics(self) -> dict[str, Any]:
        """Everything that ``tune.json`` has."""
        return dict(self._json)

    def plot(self, parameter: str = "alpha", ax: Axes | None = None) -> Axes:
        """Draw the best score of each algorithm over the values of a parameter."""
        return showing.draw_scores(self._rows, self._json, _arguments.core_name(parameter), ax)

    def report(self, path: Any) -> Path:
        """Write the page that the command writes, one file that opens anywhere; a directory gets a ``report.html``."""
        return showing.write_page(self._core.page, path)

    def __str__(self) -> str:
        return str(self._core.text)

    def __repr__(self) -> str:
        algorithm, parameters = self.best
        return f"<Tuning: {algorithm} {parameters}, z = {self.z:.1f}>"

    def _repr_html_(self) -> str:
        names = list(dict.fromkeys(name for row in self._rows for name in row if name not in ("algorithm", "score")))
        rows = [
            [row["algorithm"], *(showing.number(row.get(name), 6) for name in names), showing.number(row["score"])]
            for row in self._rows[:10]
        ]
        algorithm, parameters = self.best
        values = ", ".join(f"{name} = {value:g}" for name, value in parameters.items())
        sentence = (
            f"{algorithm} with {values}: better than predicting 0 by {self.z:.1f} standard errors; "
            f"{self.indistinguishable} configurations cannot be told from it."
            if self.can_tell
            else f"Cannot tell: no configuration is clearly better than predicting 0 (z = {self.z:.1f}, and 2 is needed). "
            "Log more, or look at the features."
        )
        return showing.verdict_html("chosen" if self.can_tell else "cannot tell", sentence) + showing.table_html(
            ["", *names, showing.SCORES[self._json.get("score", "projected")]], rows
        )


def tune(
    log: Log,
    target: Any = None,
    behaviour: Any = None,
    *,
    algorithms: Any = None,
    piece: int | None = None,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
    **parameters: Any,
) -> Tuning:
    """Choose an algorithm and its parameters on a log alone, by the projected error on held-out segments.

    Args:
        log: A :class:`Log`.
        target: As :func:`evaluate` takes it.
        behaviour: As :func:`evaluate` takes it.
        algorithms: Ids; by default those that suit the log's ratios.
        piece: Cut segments into pieces of so many steps.
        threads: By default one per processor.
        progress: Called with the share that is done.
        **parameters: Values that replace parts of the grid: ``alpha=[0.1, 0.01]``, ``lambda_=0.9``.
    """
    if not isinstance(log, Log):
        raise TypeError("tune takes a Log: bellwether.Log.from_arrays makes one")
    policy, probabilities = target_arguments(target, log)
    model, mus = behaviour_arguments(behaviour, log)
    ids = [algorithms] if isinstance(algorithms, str) else list(algorithms or [])
    found = _core._tune(
        log._core,
        {
            "target": policy,
            "probabilities": probabilities,
            "n_actions": 0 if probabilities is None else probabilities.shape[1],
            "behaviour": model,
            "mus": mus,
            "algorithms": ids,
            "parameters": {
                _arguments.core_name(name): [float(value) for value in np.atleast_1d(_arguments.array(name, given))]
                for name, given in parameters.items()
            },
            "piece": None if piece is None else _arguments.count("piece", piece, 2, 2**40),
            "threads": _streams.thread_count(threads),
            "progress": progress,
        },
    )
    return Tuning(found)
