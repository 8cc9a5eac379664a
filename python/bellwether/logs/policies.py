"""The policy that is asked about, and the one that acted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bellwether import _arguments, _core, _streams
from bellwether.logs.reading import Log, of_taken, whole_actions

__all__ = ["Behaviour", "Greedy", "Softmax", "fit_behaviour"]

_FOLDS = 5  # segment i belongs to fold i mod 5, as everywhere
_NEVER_ZERO = 0.005  # below which an action has no support in a fitted model that is never 0
_BINS = 10  # of equal counts, in a report
_LEAST_HELD_OUT = 1e-6  # an action that was not seen elsewhere must not cost everything


class Greedy:
    """The target that takes the action with the largest w_a·x, and any with probability ``epsilon``."""

    def __init__(self, weights: Any, epsilon: float = 0.0) -> None:
        self.weights = _arguments.array("weights", weights)
        self.epsilon = _arguments.number("epsilon", epsilon)
        if self.weights.ndim != 2:
            raise ValueError(f"weights must have shape (actions, dimension), not {self.weights.shape}")
        if not 0 <= self.epsilon <= 1:
            raise ValueError(f"epsilon = {epsilon} is out of range: it must be in [0, 1]")

    def _core_arguments(self) -> dict[str, Any]:
        return {"name": "greedy", "weights": self.weights, "epsilon": self.epsilon}


class Softmax:
    """The target that takes action a with a probability in proportion to exp(w_a·x / temperature)."""

    def __init__(self, weights: Any, temperature: float = 1.0) -> None:
        self.weights = _arguments.array("weights", weights)
        self.temperature = _arguments.number("temperature", temperature)
        if self.weights.ndim != 2:
            raise ValueError(f"weights must have shape (actions, dimension), not {self.weights.shape}")
        if not self.temperature > 0:
            raise ValueError(f"temperature = {temperature} is out of range: it must be above 0")

    def _core_arguments(self) -> dict[str, Any]:
        return {"name": "softmax", "weights": self.weights, "temperature": self.temperature}


class Behaviour:
    """A behaviour policy fitted to a log: probabilities of actions, and how well they fit."""

    def __init__(self, model: Any, report: dict[str, Any], held_out: NDArray[np.float64] | None) -> None:
        self._model = model
        self._held_out = held_out
        self.report = report

    def probabilities(self, X: Any) -> NDArray[np.float64]:
        """μ(a|x), an array (rows, actions)."""
        return np.asarray(self._model.probabilities(np.ascontiguousarray(_arguments.array("X", X))))

    def of(self, X: Any, actions: Any) -> NDArray[np.float64]:
        """μ of the actions taken."""
        return of_taken(self.probabilities(X), actions)

    @property
    def held_out(self) -> NDArray[np.float64] | None:
        """Of a cross-fitted model: μ in each row that it was fitted to, by the fit without that row's fold."""
        return self._held_out


class _Neighbours:
    """Shares of actions among the k = ⌈√N⌉ nearest rows, of features with deviation 1."""

    def fit(self, X: Any, actions: Any, count: int) -> _Neighbours:
        deviation = X.std(axis=0)
        self._scale = np.where(deviation > 0, deviation, 1)
        self._rows, self._taken = X / self._scale, np.eye(count)[actions]
        return self

    def probabilities(self, X: Any) -> NDArray[np.float64]:
        k = math.ceil(math.sqrt(len(self._rows)))
        found = []
        for part in np.array_split(X / self._scale, max(1, len(X) // 256)):
            distances = ((part[:, None, :] - self._rows[None]) ** 2).sum(axis=2)
            nearest = np.argpartition(distances, k - 1, axis=1)[:, :k]
            found.append(self._taken[nearest].mean(axis=1))
        return np.concatenate(found)


class _Estimator:
    """Anything with fit and predict_proba."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator

    def fit(self, X: Any, actions: Any, count: int) -> _Estimator:
        import copy

        self._count = count
        self._fitted = copy.deepcopy(self._estimator).fit(X, actions)
        return self

    def probabilities(self, X: Any) -> NDArray[np.float64]:
        found = np.zeros((len(X), self._count))
        classes = getattr(self._fitted, "classes_", np.arange(self._count))
        found[:, np.asarray(classes, dtype=np.int64)] = self._fitted.predict_proba(X)
        return found


def fit_behaviour(X: Any, actions: Any, *, model: Any = "auto", segments: Any = None, cross_fit: bool | None = None) -> Behaviour:
    """Fit the policy that acted: μ(a|x).

    Args:
        X: Features, a row per step.
        actions: The actions taken, whole numbers from 0.
        model: ``"counts"`` (frequencies by distinct row), ``"logistic"``, ``"auto"`` (counts where rows repeat),
            ``"knn"``, or an object with ``fit`` and ``predict_proba``.
        segments: The segment of each step, which folds are made of; by default each step is its own.
        cross_fit: Whether probabilities in the rows fitted to come from fits without their fold. By default for ``"knn"``
            and objects; counts and logistic regression are better fitted to the data that they weight.
    """
    rows = np.ascontiguousarray(_arguments.array("X", X))
    if rows.ndim != 2:
        raise ValueError(f"X must have shape (rows, dimension), not {rows.shape}")
    taken = np.asarray(whole_actions(actions, len(rows)), dtype=np.int64)
    if len(np.unique(taken)) < 2:
        raise ValueError("only one action in the log: a behaviour cannot be fitted")
    count = int(taken.max()) + 1
    number = np.arange(len(rows)) if segments is None else np.unique(np.asarray(segments), return_inverse=True)[1]
    if model in ("auto", "counts", "logistic") and not cross_fit:
        fitted = _core._fit_behaviour(rows, taken, [int(k) for k in number], count, model)
        return Behaviour(fitted, fitted.report, None)
    if isinstance(model, str) and model not in ("auto", "counts", "logistic", "knn"):
        raise ValueError(f"model must be 'auto', 'counts', 'logistic', 'knn' or an object with fit and predict_proba, not {model!r}")

    def make(chosen: NDArray[np.bool_]) -> Any:
        if model == "knn":
            return _Neighbours().fit(rows[chosen], taken[chosen], count)
        if isinstance(model, str):
            return _core._fit_behaviour(rows[chosen], taken[chosen], [int(k) for k in number[chosen]], count, model)
        return _Estimator(model).fit(rows[chosen], taken[chosen], count)

    whole = make(np.ones(len(rows), dtype=bool))
    held_out = np.zeros((len(rows), count))
    for fold in range(_FOLDS):
        inside = number % _FOLDS == fold
        if inside.any():
            held_out[inside] = make(~inside).probabilities(rows[inside])
    used = whole.probabilities(rows) if cross_fit is False else held_out
    name = model if isinstance(model, str) else type(model).__name__
    return Behaviour(whole, _report(name, whole.probabilities(rows), held_out, used, taken), None if cross_fit is False else held_out)


def _report(name: str, fitted: Any, held_out: Any, used: Any, taken: Any) -> dict[str, Any]:
    """How well probabilities fit, with the names of the engine's own report."""
    steps, count = held_out.shape
    shares = np.bincount(taken, minlength=count) / steps
    order = np.argsort(held_out, axis=None, kind="stable")
    predicted, was_taken = held_out.ravel()[order], np.eye(count)[taken].ravel()[order]
    bounds = [order.size * k // _BINS for k in range(_BINS + 1)]
    bins = [
        (float(predicted[a:b].mean()), float(was_taken[a:b].mean()), b - a) for a, b in zip(bounds, bounds[1:]) if b > a
    ]
    return {
        "model": name,
        "log_loss": float(-np.log(np.maximum(_LEAST_HELD_OUT, of_taken(fitted, taken))).mean()),
        "held_out_log_loss": float(-np.log(np.maximum(_LEAST_HELD_OUT, of_taken(held_out, taken))).mean()),
        "marginal_log_loss": float(-(shares[shares > 0] * np.log(shares[shares > 0])).sum()),
        "uniform_log_loss": math.log(count),
        "calibration_error": sum(abs(p - t) * n for p, t, n in bins) / order.size,
        "smallest_taken": float(of_taken(used, taken).min()),
        "reliability": bins,
    }


def target_arguments(target: Any, log: Log) -> tuple[Any, Any]:
    """A named policy, or probabilities in every row."""
    if target is None:
        return None, None
    if isinstance(target, str):
        return {"name": target}, None
    if isinstance(target, (Greedy, Softmax)):
        if target.weights.shape[1] != log.dimension:
            raise ValueError(f"the target's weights have {target.weights.shape[1]} columns; the log has {log.dimension} features")
        return target._core_arguments(), None
    rows = log._core.rows
    return None, probabilities_in(rows, target(rows) if callable(target) else target)


def probabilities_in(rows: Any, target: Any) -> NDArray[np.float64]:
    """A target's probabilities, a row for each of the rows."""
    probabilities = _arguments.array("target", target)
    if probabilities.ndim != 2 or len(probabilities) != len(rows):
        raise ValueError(f"target must give an array of shape ({len(rows)}, actions), not {probabilities.shape}")
    return probabilities


def behaviour_arguments(behaviour: Any, log: Log) -> dict[str, Any]:
    """A model to fit, or probabilities in every step, and below which of them an action has no support."""
    given: dict[str, Any] = {"behaviour": "", "mus": None, "unsupported_below": 0.0}
    if behaviour is None or (isinstance(behaviour, str) and behaviour == "column"):
        return given
    if isinstance(behaviour, str):
        if behaviour not in ("auto", "counts", "logistic"):
            raise ValueError(f"behaviour must be 'column', 'auto', 'counts', 'logistic', a Behaviour or an array, not {behaviour!r}")
        return {**given, "behaviour": behaviour}
    if not isinstance(behaviour, Behaviour):
        return {**given, "mus": _arguments.array("behaviour", behaviour)}
    mus = behaviour.held_out
    if mus is None:
        mus = behaviour.probabilities(log._core.rows[log._core.step_rows])
    below = 0.0 if behaviour.report["model"] == "counts" else _NEVER_ZERO
    return {**given, "mus": mus, "unsupported_below": below}


def request_arguments(log: Log, target: Any, behaviour: Any, piece: int | None, threads: int | None) -> dict[str, Any]:
    """What evaluate and tune ask for alike."""
    policy, probabilities = target_arguments(target, log)
    return {
        "target": policy,
        "probabilities": probabilities,
        "n_actions": 0 if probabilities is None else probabilities.shape[1],
        **behaviour_arguments(behaviour, log),
        "piece": None if piece is None else _arguments.count("piece", piece, 2, 2**40),
        "threads": _streams.thread_count(threads),
    }
