"""What a policy is worth by the log of another one, how sure, and whether the log can tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bellwether import _algorithms, _arguments, _core
from bellwether.logs import showing
from bellwether.logs.policies import Behaviour, Greedy, Softmax, probabilities_in, request_arguments
from bellwether.logs.reading import Log

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Evaluation", "evaluate"]

_ARRAYS = ("rewards", "gammas", "actions", "rhos", "pis", "mus", "X_next", "starts", "segment_starts")  # of a log


class Evaluation(showing.LogResult):
    """What a target policy is worth by a log, how sure that is, and whether the log can tell."""

    @property
    def verdict(self) -> str:
        """``"supported"``, ``"depends on the features"``, or ``"cannot tell: ..."``."""
        return str(self._json["verdict"])

    @property
    def sentence(self) -> str:
        """The verdict in words, with what to do next where the log cannot tell."""
        return str(self._json["sentence"])

    @property
    def supported(self) -> bool:
        """Whether the log supports its answer without the help of features."""
        return self.verdict == "supported"

    @property
    def answer(self) -> dict[str, float] | None:
        """``estimate``, ``se``, ``lower`` and ``upper``; None where the log cannot tell."""
        value = self._json["value"]
        return None if value is None else {name: value[name] for name in ("estimate", "se", "lower", "upper")}

    @property
    def estimates(self) -> dict[str, dict[str, float]]:
        """Every estimate by name."""
        return dict(self._json["estimates"])

    @property
    def table(self) -> Any:
        """Every estimate as a pandas table."""
        from bellwether.results import _pandas

        return _pandas().DataFrame.from_dict(self._json["estimates"], orient="index")

    @property
    def tests(self) -> dict[str, list[float]]:
        """z and difference of each test."""
        return dict(self._json["tests"])

    @property
    def behaviour(self) -> dict[str, Any] | None:
        """How well a behaviour fits that was fitted to the log; else None."""
        return self._json.get("fitted")

    @property
    def effective_sample(self) -> NDArray[np.float64]:
        """Effective segments after 1, 2, ... steps."""
        return np.asarray(self._core.effective_sample)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights of the values of states."""
        return np.asarray(self._json["weights"])

    def values(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Values of rows of features, and their standard errors."""
        return self._core.values(np.ascontiguousarray(_arguments.array("X", X)))

    def plot(self, what: str = "estimates", ax: Axes | None = None) -> Axes:
        """Draw the estimates with their intervals, or ``"effective-sample"`` over the steps."""
        if what == "estimates":
            return showing.draw_estimates(self._json, ax)
        if what == "effective-sample":
            return showing.draw_effective_sample(self._json, self.effective_sample, ax)
        raise ValueError(f"plot draws 'estimates' or 'effective-sample', not {what!r}")

    def __repr__(self) -> str:
        return f"<Evaluation: {self.sentence}>"

    def _repr_html_(self) -> str:
        rows = [
            [name, *(showing.number(estimate[key]) for key in ("estimate", "se", "lower", "upper", "effective"))]
            for name, estimate, _ in showing.shown_estimates(self._json)
        ]
        return (
            showing.verdict_html(self.verdict, self.sentence)
            + showing.notes_html(self._json["notes"])
            + showing.table_html(["", "estimate", "se", "lower", "upper", "rests on"], rows)
        )


def evaluate(
    log: Any,
    *positional: Any,
    target: str | Greedy | Softmax | Callable[[Any], Any] | Any = None,
    behaviour: str | Behaviour | Any = None,
    starts: Any = None,
    piece: int | None = None,
    at: Any = None,
    lambda_: float = 0.9,
    level: float = 0.95,
    algorithm: str | None = None,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
    **arrays: Any,
) -> Evaluation:
    """What a target policy is worth, by the log of another one.

    Args:
        log: A :class:`Log`, which the target and the behaviour may follow; or rows of features, which rewards and
            discounts follow, with what else ``Log.from_arrays`` takes by name (``segment_starts`` for its ``starts``).
        target: None for the log's own columns; ``"uniform"``, ``"always:2"``, ``"behaviour"`` (on-policy); :class:`Greedy`
            or :class:`Softmax`; an array of probabilities (rows, actions), or a function of rows of features to one.
        behaviour: None or ``"column"`` for the log's own; ``"auto"``, ``"counts"`` or ``"logistic"`` to fit it; a
            :class:`Behaviour`; or an array of probabilities (steps, actions).
        starts: ``"segments"``, ``"all"``, or rows of features to average over. By default segments, or all rows of a log
            that never ends.
        piece: Cut segments into pieces of so many steps.
        at: Rows of features that ``values.csv`` would have; see also :meth:`Evaluation.values`.
        lambda_: Of the least squares' traces.
        level: Of the intervals.
        algorithm: A learner that goes along the log, for a row ``online``; its parameters follow by name (``alpha=0.01``),
            where ``lambda_`` is also that of the learner.
        threads: By default one per processor; the results are the same.
        progress: Called with the share that is done.

    Returns:
        An :class:`Evaluation`; ``print`` shows what the command shows.
    """
    online = None
    if algorithm is not None:
        parameters = {name: arrays.pop(name) for name in list(arrays) if name not in _ARRAYS}
        if any(parameter.name == "lambda_" for parameter in _algorithms.named(algorithm).parameters):
            parameters["lambda_"] = lambda_
        online = {
            "algorithm": algorithm,
            "parameters": {
                _arguments.core_name(name): _arguments.number(name, value) for name, value in parameters.items()
            },
        }
    if not isinstance(log, Log):
        if not positional and "rewards" not in arrays:
            raise TypeError(
                "evaluate takes a Log, or rows of features, rewards and discounts: bellwether.Log.read makes one of a file"
            )
        if "segment_starts" in arrays:
            arrays["starts"] = arrays.pop("segment_starts")
        log = Log.from_arrays(log, *positional, **arrays)
    elif arrays:
        name = next(iter(arrays))
        if name in _ARRAYS:
            raise TypeError(f"{name} is part of the log")
        raise TypeError(f"{name} is no argument of evaluate; a learner's parameter needs algorithm=")
    elif len(positional) > 2:
        raise TypeError("only the target and the behaviour may follow the log")
    elif positional:
        target, behaviour = (*positional, behaviour)[:2]
    if not 0 <= _arguments.number("lambda_", lambda_) <= 1:
        raise ValueError(f"lambda_ = {lambda_} is out of range: it must be in [0, 1]")
    if not 0 < _arguments.number("level", level) < 1:
        raise ValueError(f"level = {level} is out of range: it must be above 0 and below 1")
    return Evaluation(
        _core._evaluate(
            log._core,
            {
                **request_arguments(log, target, behaviour, piece, threads),
                "starts": starts if starts is None or isinstance(starts, str) else _rows(starts, "starts", log),
                "starts_target": _starts_target(starts, target, log),
                "at": None if at is None else _rows(at, "at", log),
                "lambda": float(lambda_),
                "level": float(level),
                "online": online,
                "progress": progress,
            },
        )
    )


def _starts_target(starts: Any, target: Any, log: Log) -> NDArray[np.float64] | None:
    """What a target that is a function does in rows of features to average over."""
    if starts is None or isinstance(starts, str) or not callable(target):
        return None
    rows = _rows(starts, "starts", log)
    return probabilities_in(rows, target(rows))


def _rows(given: Any, name: str, log: Log) -> NDArray[np.float64]:
    rows = _arguments.array(name, given)
    if rows.ndim != 2 or rows.shape[1] != log.dimension or not len(rows):
        raise ValueError(f"{name} must have shape (rows, {log.dimension}), not {rows.shape}")
    return rows
