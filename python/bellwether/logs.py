"""From a log to an answer: what a policy is worth by the log of another one, how sure, and whether the log can tell.

>>> log = bellwether.Log.read("log.csv")
>>> evaluation = bellwether.evaluate(log, behaviour="counts")
>>> evaluation.verdict, evaluation.answer
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bellwether import _arguments, _core
from bellwether._drawing import pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Behaviour", "Evaluation", "Greedy", "Log", "Softmax", "evaluate", "fit_behaviour"]

_FOLDS = 5  # segment i belongs to fold i mod 5, as everywhere


class Log:
    """A log: features, rewards and discounts step by step, and what is known of the policies.

    Make one with :meth:`from_arrays`, :meth:`from_frame` or :meth:`read`.
    """

    def __init__(self, core: _core._Log) -> None:
        self._core = core

    @classmethod
    def from_arrays(
        cls,
        X: Any,
        rewards: Any,
        gammas: Any,
        *,
        actions: Any = None,
        rhos: Any = None,
        pis: Any = None,
        mus: Any = None,
        X_next: Any = None,
        starts: Any = None,
    ) -> Log:
        """A log from arrays as ``Learner.learn`` takes them.

        N steps lead through N + 1 rows of ``X`` (N where the last discount is 0), or have their next features in
        ``X_next``. ``starts`` are the rows in which segments begin; without ``X_next`` the row before such a row closes a
        segment. ``pis`` and ``mus`` are the probabilities of the actions taken, or (rows, K) those of all actions.
        """
        features = np.ascontiguousarray(_arguments.array("X", X))
        reward = np.atleast_1d(_arguments.array("rewards", rewards))
        if features.ndim != 2:
            raise ValueError(f"X must have shape (rows, dimension), not {features.shape}")
        if reward.ndim != 1 or not len(reward):
            raise ValueError("rewards must have one number per step, and at least one")
        steps = len(reward)
        gamma = _arguments.broadcast("gammas", gammas, (steps,))
        begins = _begins(starts, steps)
        if X_next is None:
            return cls(_rows_that_follow(features, reward, gamma, begins, actions, rhos, pis, mus))
        following = np.ascontiguousarray(_arguments.array("X_next", X_next))
        if features.shape != following.shape or len(features) != steps:
            raise ValueError(f"X and X_next must have a row per step ({steps}), not {features.shape} and {following.shape}")
        return cls(_rows_with_next(features, following, reward, gamma, begins, actions, rhos, pis, mus))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        features: list[str],
        reward: str,
        gamma: str | float,
        action: str | None = None,
        episode: str | None = None,
        done: str | None = None,
        truncated: str | None = None,
        rho: str | None = None,
        pi: str | list[str] | None = None,
        mu: str | list[str] | None = None,
    ) -> Log:
        """A log from a data frame of pandas or Polars, by the names of its columns.

        ``gamma`` is a column or one number for all steps; a true ``done`` ends an episode. The state after a step is that
        of the next row. Where a segment ends without its end being known (a new ``episode``, a true ``truncated``, the
        last row), the last row closes it: its features are used, its reward is not.
        """

        def column(name: str) -> NDArray[np.float64]:
            try:
                return np.asarray(frame[name].to_numpy(), dtype=np.float64)
            except KeyError:
                raise ValueError(f"the frame has no column '{name}'") from None

        def policy(names: str | list[str] | None) -> NDArray[np.float64] | None:
            if names is None or isinstance(names, str):
                return None if names is None else column(names)
            return np.stack([column(name) for name in names], axis=1)

        rows = len(frame)
        discounts = np.full(rows, float(gamma)) if not isinstance(gamma, str) else column(gamma).copy()
        if done is not None:
            discounts[column(done) != 0] = 0
        cut = np.zeros(rows, dtype=bool)
        cut[-1:] = True
        if episode is not None:
            labels = frame[episode].to_numpy()
            cut[:-1] |= labels[1:] != labels[:-1]
        if truncated is not None:
            cut |= column(truncated) != 0
        cut &= discounts != 0
        X = np.stack([column(name) for name in features], axis=1)
        used = slice(0, rows - 1 if cut[-1] else rows)
        probabilities = {"pis": policy(pi), "mus": policy(mu)}
        return cls.from_arrays(
            X,
            column(reward)[used],
            discounts[used],
            actions=None if action is None else column(action)[used],
            rhos=None if rho is None else column(rho)[used],
            starts=np.flatnonzero(cut[:-1]) + 1,
            **{name: given if given is None or given.ndim == 2 else given[used] for name, given in probabilities.items()},
        )

    @classmethod
    def read(
        cls, path: Any, *, dimension: int | None = None, separator: str | None = None, split_gaps: bool = False
    ) -> Log:
        """A log from a file in the stream format: CSV or TSV, plain or packed by gzip."""
        return cls(_core._Log.read(_arguments.path("path", path), dimension, separator, bool(split_gaps)))

    def write(self, path: Any) -> None:
        """Write the log as CSV; reading it back gives the same log."""
        self._core.write(_arguments.path("path", path))

    @property
    def segments(self) -> int:
        """How many segments there are."""
        return int(self._core.segments)

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return int(self._core.steps)

    @property
    def dimension(self) -> int:
        """The length of feature vectors."""
        return int(self._core.dimension)

    @property
    def actions(self) -> int:
        """The number of actions; 0 where it is not known."""
        return int(self._core.actions)

    def __repr__(self) -> str:
        return f"<Log: {self.segments} segments, {self.steps} steps, {self.dimension} features, {self.actions} actions>"


def _begins(starts: Any, steps: int) -> NDArray[np.bool_]:
    begins = np.zeros(steps + 1, dtype=bool)
    if starts is None:
        return begins
    given = np.asarray(starts)
    if given.dtype == bool:
        if given.shape not in ((steps,), (steps + 1,)):
            raise ValueError(f"starts must have one entry per row, not shape {given.shape}")
        begins[: len(given)] = given
        return begins
    places = given.astype(np.int64).ravel()
    if places.size and (places.min() < 0 or places.max() > steps):
        raise ValueError(f"starts must be rows from 0 to {steps}")
    begins[places] = True
    return begins


def _column(name: str, given: Any, steps: int) -> NDArray[np.float64] | None:
    return None if given is None else _arguments.broadcast(name, given, (steps,))


def _policy(name: str, given: Any, steps: int, rows: int) -> tuple[Any, Any]:
    """Probabilities of the actions taken, and of all actions in every row."""
    if given is None:
        return None, None
    array = _arguments.array(name, given)
    if array.ndim < 2:
        return _column(name, array, steps), None
    if array.ndim != 2 or len(array) not in (steps, rows):
        raise ValueError(f"{name} must have shape ({steps},) or ({rows}, actions), not {array.shape}")
    if len(array) < rows:  # of a last row that is no step, nothing is known: any policy does where it is not read
        array = np.vstack([array, np.full((rows - len(array), array.shape[1]), 1 / array.shape[1])])
    return None, array


def _core_log(
    X: Any, reward: Any, gamma: Any, columns: dict[str, Any], segments: tuple[Any, Any, Any]
) -> _core._Log:
    wide = [columns[name] for name in ("target", "behaviour") if columns[name] is not None]
    actions = columns["actions"]
    if wide and actions is None:
        raise ValueError("actions are missing: probabilities of all actions say nothing of a step without them")
    if len(wide) == 2 and wide[0].shape[1] != wide[1].shape[1]:
        raise ValueError(f"pis know {wide[0].shape[1]} actions, mus {wide[1].shape[1]}")
    count = wide[0].shape[1] if wide else 0 if actions is None else int(np.max(actions)) + 1
    taken = np.arange(len(X)) if actions is None else np.asarray(actions, dtype=np.int64)
    if wide and actions is not None and taken.max() >= count:
        raise ValueError(f"action {taken.max()}: the policies know actions 0 to {count - 1}")
    for single, all_actions in (("pi", "target"), ("mu", "behaviour")):
        if columns[all_actions] is not None:
            columns[single] = columns[all_actions][np.arange(len(X)), taken]
    if columns["rhos"] is None and columns["pi"] is not None and columns["mu"] is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            columns["rhos"] = columns["pi"] / columns["mu"]
    first, steps, ended = segments
    return _core._Log(
        {
            "name": "log",
            "dimension": X.shape[1],
            "n_actions": count,
            "X": X,
            "rewards": reward,
            "gammas": gamma,
            "first": list(first),
            "steps": list(steps),
            "ended": list(ended),
            **columns,
        }
    )


def _whole(actions: Any, steps: int) -> Any:
    if actions is None:
        return None
    given = _arguments.exactly("actions", actions, (steps,))
    if np.any(given != np.floor(given)):
        raise ValueError("actions must be whole numbers from 0")
    return given


def _padded(numbers: Any, rows: int) -> Any:
    return None if numbers is None else np.concatenate([numbers, np.zeros(rows - len(numbers))])


def _rows_that_follow(
    X: Any, reward: Any, gamma: Any, begins: Any, actions: Any, rhos: Any, pis: Any, mus: Any
) -> _core._Log:
    steps, rows = len(reward), len(X)
    if rows != steps + 1 and not (rows == steps and gamma[-1] == 0):
        raise ValueError(f"X has {rows} rows and there are {steps} steps: it must have one row more, or X_next be given")
    ends = gamma == 0
    closes = np.zeros(steps, dtype=bool)
    closes[:] = begins[1:] & ~np.concatenate([[False], ends[:-1]]) & ~ends
    first, lengths, ended = [], [], []
    begin = 0
    for t in np.flatnonzero(ends | closes):
        count = t - begin + (0 if closes[t] else 1)
        if count > 0:
            first.append(begin)
            lengths.append(count)
            ended.append(not closes[t])
        begin = int(t) + 1
    if begin < steps:
        first.append(begin)
        lengths.append(steps - begin)
        ended.append(False)
    pi, target = _policy("pis", pis, steps, rows)
    mu, behaviour = _policy("mus", mus, steps, rows)
    columns = {
        "actions": _padded(_whole(actions, steps), rows),
        "rhos": _padded(_column("rhos", rhos, steps), rows),
        "pi": _padded(pi, rows),
        "mu": _padded(mu, rows),
        "target": target,
        "behaviour": behaviour,
    }
    return _core_log(X, _padded(reward, rows), _padded(gamma, rows), columns, (first, lengths, ended))


def _rows_with_next(
    X: Any, X_next: Any, reward: Any, gamma: Any, begins: Any, actions: Any, rhos: Any, pis: Any, mus: Any
) -> _core._Log:
    steps = len(reward)
    last = begins[1:] | (gamma == 0)
    last[-1] = True
    same = np.all(X_next[:-1] == X[1:], axis=1) | last[:-1]
    if not np.all(same):
        place = int(np.flatnonzero(~same)[0])
        raise ValueError(f"X_next[{place}] is not X[{place + 1}], and no segment ends there: starts must say where they begin")
    # Each segment that was cut off gets a row that closes it.
    cut = np.flatnonzero(last & (gamma != 0))
    where = cut + 1

    def spread(numbers: Any, closing: Any) -> Any:
        return None if numbers is None else np.insert(numbers, where, closing, axis=0)

    ends = np.flatnonzero(last)
    begin = np.concatenate([[0], ends[:-1] + 1])
    shift = np.searchsorted(cut, begin)  # closing rows before the segment
    pi, target = _policy("pis", pis, steps, steps)
    mu, behaviour = _policy("mus", mus, steps, steps)
    if target is not None and len(cut):  # π in the state after a step that was cut off is not known
        pi, target = _of(target, actions), None
    columns = {
        "actions": spread(_whole(actions, steps), 0),
        "rhos": spread(_column("rhos", rhos, steps), 0),
        "pi": spread(pi, 0),
        "mu": spread(mu, 0),
        "target": target,
        "behaviour": None if behaviour is None else spread(behaviour, 1 / behaviour.shape[1]),
    }
    segments = (begin + shift, ends - begin + 1, gamma[ends] == 0)
    return _core_log(spread(X, X_next[cut]), spread(reward, 0), spread(gamma, 0), columns, segments)


def _of(probabilities: Any, actions: Any) -> Any:
    array = np.asarray(probabilities, dtype=np.float64)
    return array[np.arange(len(array)), np.asarray(actions, dtype=np.int64)]


# ---- policies ----


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
        return _of(self.probabilities(X), actions)

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
    taken = np.asarray(_whole(actions, len(rows)), dtype=np.int64)
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
    loss = -np.log(np.maximum(1e-6, _of(held_out, taken))).mean()
    report = {
        "model": model if isinstance(model, str) else type(model).__name__,
        "held_out_log_loss": float(loss),
        "uniform_log_loss": math.log(count),
    }
    return Behaviour(whole, report, None if cross_fit is False else held_out)


# ---- evaluation ----


class Evaluation:
    """What a target policy is worth by a log, how sure that is, and whether the log can tell."""

    def __init__(self, core: _core._Evaluation) -> None:
        self._core = core
        self._json = json.loads(core.json)

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
    def diagnostics(self) -> dict[str, Any]:
        """Everything that ``evaluation.json`` has."""
        return dict(self._json)

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
        if what not in ("estimates", "effective-sample"):
            raise ValueError(f"plot draws 'estimates' or 'effective-sample', not {what!r}")
        if ax is None:
            ax = pyplot().subplots()[1]
        if what == "effective-sample":
            sample = self.effective_sample
            ax.plot(np.arange(1, len(sample) + 1), sample)
            ax.axvline(max(1, self._json["horizon"]), linestyle=":", color="grey")
            ax.set(xlabel="steps", ylabel="effective segments", yscale="log")
            return ax
        names = list(self._json["estimates"])[::-1]
        for place, name in enumerate(names):
            estimate = self._json["estimates"][name]
            colour = "C3" if self.answer and name == self._json["answer"] else "C0"
            ax.plot([estimate["lower"], estimate["upper"]], [place, place], color=colour)
            ax.plot([estimate["estimate"]], [place], "o", color=colour)
        ax.set_yticks(range(len(names)), names)
        ax.set_xlabel("worth of the target policy")
        ax.set_title(self.verdict)
        return ax

    def __str__(self) -> str:
        return str(self._core.text)

    def __repr__(self) -> str:
        return f"<Evaluation: {self.sentence}>"

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td>{html.escape(name)}</td>"
            + "".join(f"<td>{estimate[key]:.6g}</td>" for key in ("estimate", "se", "lower", "upper"))
            + "</tr>"
            for name, estimate in self._json["estimates"].items()
        )
        head = "<tr><th></th><th>estimate</th><th>se</th><th>lower</th><th>upper</th></tr>"
        return f"<p><b>{html.escape(self.sentence)}</b></p><table>{head}{cells}</table>"


def _target(target: Any, log: Log) -> tuple[Any, Any]:
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


def _behaviour(behaviour: Any, log: Log) -> tuple[str, Any]:
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

    Returns:
        An :class:`Evaluation`; ``print`` shows what the command shows.
    """
    if not isinstance(log, Log):
        if "segment_starts" in arrays:
            arrays["starts"] = arrays.pop("segment_starts")
        log = Log.from_arrays(log, *positional, **arrays)
    elif arrays:
        raise TypeError(f"{next(iter(arrays))} is part of the log")
    elif len(positional) > 2:
        raise TypeError("only the target and the behaviour may follow the log")
    elif positional:
        target, behaviour = (*positional, behaviour)[:2]
    if not 0 <= _arguments.number("lambda_", lambda_) <= 1:
        raise ValueError(f"lambda_ = {lambda_} is out of range: it must be in [0, 1]")
    if not 0 < _arguments.number("level", level) < 1:
        raise ValueError(f"level = {level} is out of range: it must be above 0 and below 1")
    policy, probabilities = _target(target, log)
    model, mus = _behaviour(behaviour, log)
    return Evaluation(
        _core._evaluate(
            log._core,
            {
                "target": policy,
                "probabilities": probabilities,
                "n_actions": 0 if probabilities is None else probabilities.shape[1],
                "behaviour": model,
                "mus": mus,
                "starts": starts if starts is None or isinstance(starts, str) else _rows(starts, "starts", log),
                "piece": None if piece is None else _arguments.count("piece", piece, 2, 2**40),
                "at": None if at is None else _rows(at, "at", log),
                "lambda": float(lambda_),
                "level": float(level),
            },
        )
    )


def _rows(given: Any, name: str, log: Log) -> NDArray[np.float64]:
    rows = _arguments.array(name, given)
    if rows.ndim != 2 or rows.shape[1] != log.dimension or not len(rows):
        raise ValueError(f"{name} must have shape (rows, {log.dimension}), not {rows.shape}")
    return rows
