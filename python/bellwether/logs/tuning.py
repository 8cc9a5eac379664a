"""Which algorithm and parameters to learn with, by a log alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from bellwether import _arguments, _core
from bellwether.logs import showing
from bellwether.logs.policies import request_arguments
from bellwether.logs.reading import Log

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Tuning", "tune"]

_NO_PARAMETERS = ("algorithm", "score", "fresh", "rupee")  # of the columns of the table


class Tuning(showing.LogResult):
    """Which algorithm and parameters to learn with, by a log alone, and how sure that is."""

    def __init__(self, core: _core._Tuning) -> None:
        super().__init__(core)
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
            if name not in _NO_PARAMETERS
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
        z = self._json["z_against_zero"]
        return math.inf if z is None else float(z)  # JSON has no infinity

    @property
    def indistinguishable(self) -> int:
        """How many configurations cannot be told from the best."""
        return int(self._json["indistinguishable"])

    def plot(self, parameter: str = "alpha", ax: Axes | None = None) -> Axes:
        """Draw the best score of each algorithm over the values of a parameter."""
        return showing.draw_scores(self._rows, self._json, _arguments.core_name(parameter), ax)

    def __repr__(self) -> str:
        algorithm, parameters = self.best
        return f"<Tuning: {algorithm} {parameters}, z = {self.z:.1f}>"

    def _repr_html_(self) -> str:
        names = list(dict.fromkeys(name for row in self._rows for name in row if name not in _NO_PARAMETERS))
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
            ["", *names, showing.SCORES[self._json["score"]]], rows
        )


def tune(
    log: Log,
    target: Any = None,
    behaviour: Any = None,
    *,
    algorithms: Any = None,
    score: str | None = None,
    fresh: float = 1 / 6,
    monitor: bool = False,
    piece: int | None = None,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
    **parameters: Any,
) -> Tuning:
    """Choose an algorithm and its parameters on a log alone, by its error on held-out segments.

    Args:
        log: A :class:`Log`.
        target: As :func:`evaluate` takes it.
        behaviour: As :func:`evaluate` takes it.
        algorithms: Ids; by default those that suit the log's ratios.
        score: ``"projected"``, ``"return"`` (against returns corrected by ratios and values) or ``"progressive"`` (the same
            before each update, in one pass). By default projected, or return with more than 2,000 features, which it cannot take.
        fresh: The share 1/m of segments, of 120 or more, that the choice does not see and is scored on; 0 for none.
        monitor: Whether the twenty best get a column ``rupee``, which nothing is chosen by.
        piece: Cut segments into pieces of so many steps.
        threads: By default one per processor.
        progress: Called with the share that is done.
        **parameters: Values that replace parts of the grid: ``alpha=[0.1, 0.01]``, ``lambda_=0.9``.
    """
    if not isinstance(log, Log):
        raise TypeError("tune takes a Log: bellwether.Log.read makes one of a file")
    share = _arguments.number("fresh", fresh)
    every = 0 if share == 0 else round(1 / share) if 0 < share <= 0.5 else -1
    if every < 0 or (every and abs(1 / every - share) > 1e-9):
        raise ValueError(f"fresh = {fresh} is out of range: it must be 0, or 1/m with m from 2")
    ids = [algorithms] if isinstance(algorithms, str) else list(algorithms or [])
    found = _core._tune(
        log._core,
        {
            **request_arguments(log, target, behaviour, piece, threads),
            "algorithms": ids,
            "score": score,
            "fresh": every,
            "monitor": bool(monitor),
            "parameters": {
                _arguments.core_name(name): [float(value) for value in np.atleast_1d(_arguments.array(name, given))]
                for name, given in parameters.items()
            },
            "progress": progress,
        },
    )
    return Tuning(found)
