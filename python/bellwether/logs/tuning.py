"""Which algorithm and parameters to learn with, by a log alone."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from bellwether import _arguments, _core, _streams
from bellwether.logs.policies import behaviour_arguments, target_arguments
from bellwether.logs.reading import Log

__all__ = ["Tuning", "tune"]


class Tuning:
    """Which algorithm and parameters to learn with, by a log alone, and how sure that is."""

    def __init__(self, text: str, found: dict[str, Any], rows: list[dict[str, Any]]) -> None:
        self._text, self._json, self._rows = text, found, rows

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

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        algorithm, parameters = self.best
        return f"<Tuning: {algorithm} {parameters}, z = {self.z:.1f}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"


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
    found, text, rows = _core._tune(
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
    return Tuning(text, json.loads(found), rows)
