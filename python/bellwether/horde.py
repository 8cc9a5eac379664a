"""A horde: many predictions learned from one stream."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bellwether import _arguments, _core, _streams
from bellwether._algorithms import named

__all__ = ["Horde", "PredictionFile"]


def _by_prediction(algorithm: str, predictions: int, given: dict[str, Any]) -> tuple[str, dict[str, NDArray[np.float64]]]:
    """The algorithm's id, and all of its parameters with a value for each prediction."""
    info = named(algorithm)
    names = [parameter.name for parameter in info.parameters]
    unknown = [name for name in given if name not in names]
    if unknown:
        raise TypeError(f"{info.id} has no parameter {unknown[0]!r} (it has {', '.join(names)})")
    values = {}
    for parameter in info.parameters:
        value = given.get(parameter.name, parameter.default)
        if value is None:
            raise TypeError(f"{info.id} needs {parameter.name}: {parameter.help}, {parameter.range}")
        values[parameter.name] = _arguments.broadcast(parameter.name, value, (predictions,))
    return info.id, values


class Horde:
    """Many predictions learned from one stream, each with its own cumulant, discount and target policy.

    Prediction k learns what a Learner of its own would, to the bit; all of them in one call, in SIMD lanes and on all
    processors. With sparse rows (indices, or a SciPy matrix), predictions that agree in lambda_, gammas and rhos share
    their trace, and thousands of them cost little more than their weights do::

        horde = bellwether.Horde("gtd", dimension=30, predictions=100, alpha=0.01, lambda_=0.9)
        before = horde.learn(X, cumulants, gammas, rhos)     # (steps, predictions)
        horde.weights                                        # (predictions, dimension)

    learn() may be called as often as there is more of the stream; it goes on where it ended. Copies and pickles
    continue bit-identically.

    :param algorithm: the id of an algorithm.
    :param dimension: the length of feature vectors.
    :param predictions: how many there are.
    :param threads: one per processor unless given. The results do not depend on it.
    :param parameters: the algorithm's own: a number, or an array with one for each prediction.
    """

    def __init__(
        self, algorithm: str, dimension: int, predictions: int, *, threads: int | None = None, **parameters: Any
    ) -> None:
        """Make a horde with weights of zero."""
        self._dimension = _arguments.count("dimension", dimension, 1, 2**32 - 1)
        self._predictions = _arguments.count("predictions", predictions, 1, 2**32 - 1)
        self._threads = _streams.thread_count(threads)
        text = _arguments.text("algorithm", algorithm)
        self._algorithm, self._parameters = _by_prediction(text, self._predictions, parameters)
        values = np.array([*self._parameters.values()], dtype=np.float64)
        self._core = _core._Horde(self._algorithm, self._dimension, self._predictions, values)

    @property
    def algorithm(self) -> str:
        """The algorithm's id."""
        return self._algorithm

    @property
    def dimension(self) -> int:
        """The length of feature vectors."""
        return self._dimension

    @property
    def predictions(self) -> int:
        """The number of predictions."""
        return self._predictions

    @property
    def parameters(self) -> dict[str, NDArray[np.float64]]:
        """The algorithm's parameters by name, a value for each prediction."""
        return {name: values.copy() for name, values in self._parameters.items()}

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights as they are now, a row for each prediction: a copy."""
        return self._core.weights

    @property
    def diverged(self) -> NDArray[np.bool_]:
        """For each prediction, whether some weight of it is no longer finite."""
        return ~np.isfinite(self.weights).all(axis=1)

    def learn(
        self,
        X: Any,
        cumulants: Any,
        gammas: Any,
        rhos: Any = None,
        *,
        X_next: Any = None,
        lambdas: Any = None,
        lambdas_next: Any = None,
        interests: Any = None,
        pis: Any = None,
        mus: Any = None,
        starts: Any = None,
        predictions: bool = True,
    ) -> NDArray[np.float64] | None:
        """Learn from a stream, and return every prediction of every step, made before its update.

        :param X: the features, one row per time step, and ``X_next``, ``lambdas``, ``lambdas_next``, ``interests`` and
            ``starts``: as in Learner.learn.
        :param cumulants: what is predicted the discounted sum of, (steps, predictions). It and ``gammas``, ``rhos``,
            ``pis`` and ``mus`` may be anything that broadcasts to that: one number, one for each prediction
            (predictions,), one for each step (steps, 1).
        :param gammas: the continuation of each prediction; 0 ends an episode of it.
        :param rhos: the importance ratios of each prediction's target policy; 1 unless given.
        :param predictions: False returns None and saves the time and memory for them.
        :returns: a float64 array (steps, predictions), or None.

        Other Python threads run meanwhile. Ctrl-C stops between two steps: all predictions have learned from the same
        steps then.
        """
        return self._core.learn(
            {
                "X": X,
                "X_next": X_next,
                "cumulants": cumulants,
                "gammas": gammas,
                "rhos": rhos,
                "lambdas": lambdas,
                "lambdas_next": lambdas_next,
                "interests": interests,
                "pis": pis,
                "mus": mus,
                "starts": starts,
            },
            self._threads,
            bool(predictions),
        )

    def grow(self, predictions: int, **parameters: Any) -> None:
        """Add predictions, which begin with weights of zero; the others go on as if nothing had been.

        :param predictions: how many more.
        :param parameters: the algorithm's own, for these: a number, or an array with one for each.
        """
        added = _arguments.count("predictions", predictions, 1, 2**32 - 1 - self._predictions)
        values = _by_prediction(self._algorithm, added, parameters)[1]
        self._core.grow(added, np.array([*values.values()], dtype=np.float64))
        self._parameters = {name: np.concatenate([self._parameters[name], own]) for name, own in values.items()}
        self._predictions += added

    def start(self) -> None:
        """Begin a new segment, as after a truncation: traces are cleared, weights are kept."""
        self._core.start()

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The predictions for every row of X, (rows, predictions): the rows' products with the weights."""
        weights = self.weights
        if _streams.is_sparse(X):
            return np.asarray(X @ weights.T)
        rows = np.asarray(X)
        if rows.dtype.kind in "iu":
            if rows.size and not 0 <= rows.min() <= rows.max() < self._dimension:
                raise ValueError(f"X has an index that is not at least 0 and below the dimension {self._dimension}")
            chosen = weights.T[rows]
            return chosen if rows.ndim == 1 else chosen.sum(axis=1)
        if rows.ndim not in (1, 2) or rows.shape[-1] != self._dimension:
            raise ValueError(f"X must have shape (rows, {self._dimension}), not {rows.shape}")
        return rows @ weights.T

    def learner(self, prediction: int) -> _core.Learner:
        """A Learner that goes on with one of the predictions on its own."""
        at = _arguments.count("prediction", prediction, 0, self._predictions - 1)
        learner = _core.Learner.__new__(_core.Learner)
        learner.__setstate__(self._core.state(at))
        return learner

    def __len__(self) -> int:
        """The number of predictions."""
        return self._predictions

    def __repr__(self) -> str:
        """What it is."""
        return f"Horde({self._algorithm!r}, dimension={self._dimension}, predictions={self._predictions})"

    def __getstate__(self) -> dict[str, Any]:
        """The complete state."""
        return {
            "algorithm": self._algorithm,
            "dimension": self._dimension,
            "predictions": self._predictions,
            "parameters": self._parameters,
            "states": [self._core.state(k) for k in range(self._predictions)],
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.__init__(state["algorithm"], state["dimension"], state["predictions"], **state["parameters"])  # type: ignore[misc]
        for k, saved in enumerate(state["states"]):
            self._core.restore(k, saved)


class PredictionFile:
    """The predictions of a horde in a file, stretch after stretch: Parquet where its name ends in .parquet, else CSV.

    Columns are `step`, counted from 0 over all stretches, and one for each prediction, as `bellwether horde
    --predictions` writes them::

        with bellwether.PredictionFile("predictions.parquet", names=["light", "sound"], every=10) as file:
            for X, cumulants in stretches:
                file.write(horde.learn(X, cumulants, gammas=0.9))

    Parquet needs pyarrow. It is written a row group for each stretch, so that memory does not grow.

    :param names: of the predictions, all different.
    :param every: write only steps 0, every, 2·every, ...
    :param first_step: the number of the first step, where an earlier file ends.
    """

    def __init__(
        self, path: str | os.PathLike[str], names: Iterable[str], *, every: int = 1, first_step: int = 0
    ) -> None:
        """Open the file; what stands there is lost."""
        self._path = _arguments.path("path", path)
        self._names = [_arguments.text("names", name) for name in names]
        self._every = _arguments.count("every", every, 1, 2**63 - 1)
        self._step = _arguments.count("first_step", first_step, 0, 2**63 - 1)
        if len({"step", *self._names}) != len(self._names) + 1:
            raise ValueError("names: they must be different from each other and from 'step'")
        if any(sign in name for name in self._names for sign in ',"\n'):
            raise ValueError("names: they must be without commas, quotes and line ends")
        self._file: Any = None
        if self._path.endswith(".parquet"):
            try:
                import pyarrow
                import pyarrow.parquet
            except ImportError as problem:
                raise ImportError(
                    f"{self._path}: Parquet needs pyarrow (pip install pyarrow); a name that does not end in .parquet is CSV"
                ) from problem
            types = [("step", pyarrow.int64()), *((name, pyarrow.float64()) for name in self._names)]
            self._schema = pyarrow.schema(types)
            self._file = pyarrow.parquet.ParquetWriter(self._path, self._schema)
            self._write = self._write_parquet
        else:
            self._file = open(self._path, "w", encoding="utf-8", newline="\n")
            self._file.write(",".join(["step", *self._names]) + "\n")
            self._write = self._write_csv

    def write(self, predictions: ArrayLike) -> None:
        """Add the predictions of the steps that follow, an array (steps, predictions)."""
        rows = np.asarray(predictions, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != len(self._names):
            raise ValueError(
                f"predictions: an array of the shape {rows.shape}, where (steps, {len(self._names)}) is needed"
            )
        if self._file is None:
            raise ValueError(f"{self._path} is closed")
        steps = np.arange(self._step, self._step + len(rows))
        chosen = steps % self._every == 0
        self._step += len(rows)
        if chosen.any():
            self._write(steps[chosen], rows[chosen])

    def _write_parquet(self, steps: NDArray[np.int64], rows: NDArray[np.float64]) -> None:
        import pyarrow

        columns = [pyarrow.array(steps), *(pyarrow.array(column) for column in rows.T)]
        self._file.write_table(pyarrow.Table.from_arrays(columns, schema=self._schema))

    def _write_csv(self, steps: NDArray[np.int64], rows: NDArray[np.float64]) -> None:
        for step, row in zip(steps.tolist(), rows.tolist()):
            self._file.write(",".join([str(step), *(repr(number) for number in row)]) + "\n")

    def close(self) -> None:
        """Write what is left; further calls do nothing."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def __enter__(self) -> PredictionFile:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()
