"""A log from arrays, frames and files."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bellwether import _arguments, _core
from bellwether.logs import columns, minari

__all__ = ["Log"]


class Log:
    """A log: features, rewards and discounts step by step, and what is known of the policies.

    Make one with :meth:`from_arrays`, :meth:`from_frame`, :meth:`from_minari` or :meth:`read`.
    """

    def __init__(self, core: _core._Log) -> None:
        if not isinstance(core, _core._Log):
            made = "Log.read(path), Log.from_frame, Log.from_arrays or Log.from_minari"
            raise TypeError(f"a Log is made by {made}, not from a {type(core).__name__}")
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
        """A log from a table of pandas, Polars or Arrow (anything with ``__arrow_c_stream__``), by the names of its columns.

        ``gamma`` is a column or one number for all steps; a true ``done`` ends an episode. The state after a step is that
        of the next row. Where a segment ends without its end being known (a new ``episode``, a true ``truncated``, the
        last row), the last row closes it: its features are used, its reward is not.
        """

        def column(name: str) -> NDArray[np.float64]:
            return columns.column(frame, name)

        def policy(names: str | list[str] | None) -> NDArray[np.float64] | None:
            if names is None or isinstance(names, str):
                return None if names is None else column(names)
            return np.stack([column(name) for name in names], axis=1)

        rows = columns.row_count(frame)
        discounts = np.full(rows, float(gamma)) if not isinstance(gamma, str) else column(gamma).copy()
        if done is not None:
            discounts[column(done) != 0] = 0
        cut = np.zeros(rows, dtype=bool)
        cut[-1:] = True
        if episode is not None:
            labels = columns.labels(frame, episode)
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
        """A log from a file in the stream format: CSV or TSV, plain or packed by gzip; Parquet, Feather or Arrow.

        The last three have the columns of the stream format, one number in each; a row that closes a segment has none
        but its features (and ``pi0`` ...).
        """
        place = Path(_arguments.path("path", path))
        if place.suffix.lower() in columns.ARROW_FILES:
            if not place.exists():
                raise ValueError(f"{place}: there is no such file")
            return cls(_log_of_columns(columns.read_columns(place), str(place), split_gaps))
        return cls(_core._Log.read(str(place), dimension, separator, bool(split_gaps)))

    @classmethod
    def from_minari(cls, dataset: Any, features: Any, gamma: float, *, actions: Any = None) -> Log:
        """A log from a dataset in Minari's format.

        Args:
            dataset: A ``MinariDataset``, the id of one, or the path of its folder (read by h5py where Minari is not
                installed).
            features: A :class:`bellwether.TileCoder` or :class:`bellwether.FourierBasis`, or a function of an observation
                to a vector; of a whole stack of them where it has an attribute ``batch`` that is true.
            gamma: The discount; an episode's last step has 0 where it terminated.
            actions: Where actions are not whole numbers from 0: a function of an episode's actions to such.
        """
        return minari.read(cls, dataset, features, gamma, actions)

    def write(self, path: Any) -> None:
        """Write the log as CSV, or as what the path ends with: ``.tsv``, ``.parquet``, ``.feather``, ``.arrow``; ``.gz`` packs it.

        Reading it back gives the same log. The file appears whole or not at all.
        """
        place = Path(_arguments.path("path", path))
        packed = place.suffix.lower() == ".gz"
        kind = (place.with_suffix("") if packed else place).suffix.lower()
        if packed and kind in columns.ARROW_FILES:
            raise ValueError(f"{place}: only CSV and TSV are packed by gzip")
        if not packed and kind not in (".tsv", *columns.ARROW_FILES):
            self._core.write(str(place))
            return
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}-") as beside:
            plain, made = Path(beside) / "log.csv", Path(beside) / place.name
            self._core.write(str(plain))
            columns.write_as(plain, made, kind)
            made.replace(place)

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


_COLUMNS = ("reward", "gamma", "rho", "pi", "mu", "lambda", "interest", "action", "episode", "time")


def _numbered(found: dict[str, Any], prefix: str, name: str) -> Any:
    """Columns x0, x1, ... as an array; None where there are none."""
    count = sum(column.startswith(prefix) and column[len(prefix) :].isdigit() for column in found)
    if not count:
        return None
    missing = next((k for k in range(count) if f"{prefix}{k}" not in found), None)
    if missing is not None:
        raise ValueError(f"{name}: a gap in the {prefix} columns: '{prefix}{missing}' is missing")
    return np.stack([found[f"{prefix}{k}"] for k in range(count)], axis=1)


def _refuse_unknown(found: dict[str, Any], name: str) -> None:
    for given in found:
        numbered = any(given.startswith(prefix) and given[len(prefix) :].isdigit() for prefix in ("x", "pi", "mu"))
        if given not in _COLUMNS and not numbered:
            raise ValueError(f"{name}: unknown column '{given}' (known: x0 x1 ..., {', '.join(_COLUMNS)}, pi0 ..., mu0 ...)")
    for needed in ("reward", "gamma"):
        if needed not in found:
            raise ValueError(f"{name}: missing column: '{needed}'")


def _log_of_columns(found: dict[str, Any], name: str, split_gaps: bool) -> _core._Log:
    """Rows in the columns of the stream format; those without a reward and a discount close a segment."""
    _refuse_unknown(found, name)
    X = _numbered(found, "x", name)
    if X is None:
        raise ValueError(f"{name}: missing column: x0, x1, ...")
    reward, gamma = found["reward"], found["gamma"]
    closes = np.isnan(reward) & np.isnan(gamma)
    ends = closes | (gamma == 0)
    if not len(reward) or closes.all():
        raise ValueError(f"{name}: no step is left: every row closes a segment")
    within = np.concatenate([[False], ~ends[:-1]])  # the row before goes on to this one
    if "episode" in found:
        new = np.concatenate([[False], found["episode"][1:] != found["episode"][:-1]])
        if np.any(new & within):
            row = int(np.flatnonzero(new & within)[0])
            raise ValueError(
                f"{name}: row {row}: episode {found['episode'][row]} begins, and the segment before it ends without gamma 0 "
                "and without a closing row (features only): the state after its last step is not known"
            )
    gaps = np.zeros(len(reward))
    if "time" in found:
        passed = np.diff(found["time"], prepend=found["time"][0])
        if np.any(within & (passed < 1)):
            row = int(np.flatnonzero(within & (passed < 1))[0])
            raise ValueError(
                f"{name}: row {row}: time goes from {found['time'][row - 1]:g} to {found['time'][row]:g} within an episode"
            )
        gaps[within] = passed[within] - 1
    if split_gaps:  # the state after the step before a gap is missing: that row closes its segment
        before = np.flatnonzero(gaps > 0) - 1
        closes[before] = ends[before] = True
    if not ends[-1]:
        raise ValueError(
            f"{name}: the last segment ends without gamma 0 and without a closing row (features only): the state after its "
            "last step is not known"
        )
    last = np.flatnonzero(ends)
    first = np.concatenate([[0], last[:-1] + 1])
    steps = last - first + np.where(closes[last], 0, 1)
    there = steps > 0

    def of_steps(column: str) -> Any:
        return None if column not in found else np.where(closes, 0, found[column])

    if "action" in found:
        whole_actions(of_steps("action"), len(reward))
    columns_found = {
        "actions": of_steps("action"),
        "rhos": of_steps("rho"),
        "pi": of_steps("pi"),
        "mu": of_steps("mu"),
        "target": _numbered(found, "pi", name),
        "behaviour": _numbered(found, "mu", name),
    }
    segments = (first[there].tolist(), steps[there].tolist(), (~closes[last[there]]).tolist())
    return _core_log(
        np.ascontiguousarray(X), of_steps("reward"), of_steps("gamma"), columns_found, segments, name, int(gaps.sum())
    )


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


def _taken_only(pis: Any, actions: Any, steps: int) -> Any:
    """π of the actions taken, where π in the state after the last step, which was cut off, is not known."""
    if pis is None or np.ndim(pis) < 2 or len(pis) != steps or actions is None:
        return pis
    warnings.warn(
        "pis has no row for the last row of X: values of actions are left out, which read the target's probabilities there",
        stacklevel=4,
    )
    return of_taken(_arguments.array("pis", pis), whole_actions(actions, steps))


def _core_log(
    X: Any,
    reward: Any,
    gamma: Any,
    columns: dict[str, Any],
    segments: tuple[Any, Any, Any],
    name: str = "log",
    missing_steps: int = 0,
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
            "name": name,
            "missing_steps": missing_steps,
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


def whole_actions(actions: Any, steps: int) -> Any:
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
    if rows > steps and not ended[-1]:
        pis = _taken_only(pis, actions, steps)
    pi, target = _policy("pis", pis, steps, rows)
    mu, behaviour = _policy("mus", mus, steps, rows)
    columns = {
        "actions": _padded(whole_actions(actions, steps), rows),
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
        pi, target = of_taken(target, actions), None
    columns = {
        "actions": spread(whole_actions(actions, steps), 0),
        "rhos": spread(_column("rhos", rhos, steps), 0),
        "pi": spread(pi, 0),
        "mu": spread(mu, 0),
        "target": target,
        "behaviour": None if behaviour is None else spread(behaviour, 1 / behaviour.shape[1]),
    }
    segments = (begin + shift, ends - begin + 1, gamma[ends] == 0)
    return _core_log(spread(X, X_next[cut]), spread(reward, 0), spread(gamma, 0), columns, segments)


def of_taken(probabilities: Any, actions: Any) -> Any:
    array = np.asarray(probabilities, dtype=np.float64)
    return array[np.arange(len(array)), np.asarray(actions, dtype=np.int64)]
