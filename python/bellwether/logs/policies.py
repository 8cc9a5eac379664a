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
    loss = -np.log(np.maximum(1e-6, of_taken(held_out, taken))).mean()
    report = {
        "model": model if isinstance(model, str) else type(model).__name__,
        "held_out_log_loss": float(loss),
        "uniform_log_loss": math.log(count),
    }
    return Behaviour(whole, report, None if cross_fit is False else held_out)


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
    probabilities = _arguments.array("target", target(rows) if callable(target) else target)
    if probabilities.ndim != 2 or len(probabilities) != len(rows):
        raise ValueError(f"target must give an array of shape ({len(rows)}, actions), not {probabilities.shape}")
    return None, probabilities


def behaviour_arguments(behaviour: Any, log: Log) -> tuple[str, Any]:
    """A model to fit, or probabilities in every step."""
    if behaviour is None or (isinstance(behaviour, str) and behaviour == "column"):
        return "", None
    if isinstance(behaviour, str):
        if behaviour not in ("auto", "counts", "logistic"):
            raise ValueError(f"behaviour must be 'column', 'auto', 'counts', 'logistic', a Behaviour or an array, not {behaviour!r}")
        return behaviour, None
    if isinstance(behaviour, Behaviour):
        if behaviour.held_out is not None:
            return "", behaviour.held_out
        return "", behaviour.probabilities(log._core.rows[log._core.step_rows])
    return "", _arguments.array("behaviour", behaviour)


def request_arguments(log: Log, target: Any, behaviour: Any, piece: int | None, threads: int | None) -> dict[str, Any]:
    """What evaluate and tune ask for alike."""
    policy, probabilities = target_arguments(target, log)
    model, mus = behaviour_arguments(behaviour, log)
    return {
        "target": policy,
        "probabilities": probabilities,
        "n_actions": 0 if probabilities is None else probabilities.shape[1],
        "behaviour": model,
        "mus": mus,
        "piece": None if piece is None else _arguments.count("piece", piece, 2, 2**40),
        "threads": _streams.thread_count(threads),
    }
