"""Sweeps over a stream of one's own: many algorithms and parameters at once, each in a SIMD lane."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from bellwether import _arguments, _core, _streams

if TYPE_CHECKING:
    import pandas

__all__ = ["sweep"]


def _values(name: str, given: Any) -> list[float]:
    values = np.atleast_1d(_arguments.array(name, given))
    if values.ndim != 1:
        raise ValueError(f"{name} must be a number or a list of numbers, not an array of shape {values.shape}")
    return [float(value) for value in values]


def _ids(algorithms: Any) -> list[str]:
    if isinstance(algorithms, str):
        return [algorithms]
    if not isinstance(algorithms, Iterable):
        raise TypeError(f"algorithms must be the id of an algorithm or a list of ids, not {algorithms!r}")
    return [_arguments.text("algorithms", name) for name in algorithms]


def _table(ids: list[str], columns: dict[str, Any]) -> Any:
    columns["algorithm"] = np.array(ids, dtype=object)[columns["algorithm"]]
    try:
        import pandas
    except ImportError:
        return columns
    weights = columns.pop("weights", None)
    table = pandas.DataFrame(columns)
    if weights is not None:
        table["weights"] = list(weights)
    return table


def sweep(
    X: Any,
    rewards: Any,
    gammas: Any,
    rhos: Any = None,
    *,
    algorithms: str | Iterable[str],
    truth: Any = "returns",
    X_next: Any = None,
    starts: Any = None,
    lambdas: Any = None,
    lambdas_next: Any = None,
    interests: Any = None,
    pis: Any = None,
    mus: Any = None,
    dimension: int | None = None,
    evaluation: Any = None,
    evaluation_weights: Any = None,
    metric: str = "rmse",
    score: float = 0.5,
    every: int | None = None,
    initial_weights: Any = None,
    threads: int | None = None,
    device: str = "cpu",
    weights: bool = False,
    progress: Callable[[float], object] | None = None,
    **parameters: Any,
) -> pandas.DataFrame | dict[str, Any]:
    """Try algorithms and parameters on a stream: every combination learns from it, each in a SIMD lane.

    The stream is that of Learner.learn, and every configuration learns what a Learner would, to the bit::

        table = bellwether.sweep(X, rewards, gammas, rhos, algorithms=["gtd", "htd"], truth="returns",
                                 alpha=[0.001, 0.01, 0.1], eta=[0.5, 1, 2], lambda_=[0, 0.5, 0.9])
        table.sort_values("score").head()

    :param X: the features, one row per time step, with one row more than there are steps; or with ``X_next``, one row
        per step. Dense arrays, scipy.sparse CSR, and integers for the indices of features that are 1.
    :param rewards: one number per step, or one for all; so are ``gammas``, ``rhos``, ``interests``, ``pis``, ``mus``.
    :param algorithms: the id of an algorithm, or a list of them; on-policy ones are refused where a rho is not 1.
    :param truth: what predictions ought to be. ``"returns"``: the returns of the stream itself, by per-decision
        importance sampling, G_t = rho_t (R_{t+1} + gamma_{t+1} G_{t+1}) within a segment; only steps whose return is
        complete count, before an end with gamma = 0 or where the rest is discounted below 1e-6. An array with a value
        per step: the true values of the stream's own rows. With ``evaluation``, an array with a value per row of it.
    :param X_next: the features of the next states, row by row.
    :param starts: the rows of X that begin a new segment, as in Learner.learn.
    :param lambdas: lambda of every row of X (with ``X_next``: of every step, and ``lambdas_next`` beside it); the
        configuration's lambda unless given.
    :param dimension: the number of features, where X holds indices; one more than the largest index unless given.
    :param evaluation: rows of features to measure the weights on, after the update of a step. Without them, the
        prediction of a step before its update is compared with the truth of that step.
    :param evaluation_weights: how much each row of ``evaluation`` counts; all the same unless given.
    :param metric: "rmse", "mse" or "mae". With ``evaluation`` the score is the mean of that over the steps that count;
        else that over all of them.
    :param score: the share of the stream, from its end, that counts.
    :param every: with ``evaluation``, the steps from one evaluation to the next; a hundred evaluations unless given.
    :param initial_weights: the weights to begin with; zero unless given.
    :param threads: one per processor unless given. The result does not depend on it.
    :param device: where to learn: "cpu", "cuda", "cuda:1", or "auto", which is "cuda" where that can be had. The result
        does not depend on it. What a card cannot take (the least-squares algorithms, too many features) is learned on
        the processor, with a RuntimeWarning that says so; there progress comes by large steps, and Ctrl-C waits for
        configurations that are under way.
    :param weights: whether to add a column with the final weights.
    :param progress: a function of the share that is done, called several times a second and at the end.
    :param parameters: values of the algorithms' parameters, a number or a list each: ``alpha``, ``eta``, ``lambda_``,
        ``beta_scale`` and so on. An algorithm takes those that it has, with defaults for the others.
    :returns: a DataFrame with a row per configuration, algorithm by algorithm and with the last of its parameters
        changing first: ``algorithm``, its parameters (``alpha``, ``eta``, ``lambda``,
        ...; NaN where an algorithm has no such parameter), ``score``, ``diverged``, and ``weights`` where asked for. A
        configuration whose weights are not finite at the end has diverged, with an infinite score. Without pandas, a
        dict of arrays.
    """
    if isinstance(truth, str):
        if truth != "returns":
            raise ValueError(f"truth must be 'returns' or an array, not {truth!r}")
        if evaluation is not None:
            raise ValueError("evaluation needs an array of true values as truth: 'returns' are those of the stream's own rows")
    if evaluation is None and evaluation_weights is not None:
        raise ValueError("evaluation_weights go with evaluation")
    if evaluation is None and every is not None:
        raise ValueError("every goes with evaluation")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function of the share that is done, not {progress!r}")
    ids, columns, _ = _core._sweep(
        {
            "X": X,
            "X_next": X_next,
            "dimension": _streams.dimension_of(dimension, X=X, X_next=X_next, evaluation=evaluation),
            "rewards": rewards,
            "gammas": gammas,
            "rhos": rhos,
            "lambdas": lambdas,
            "lambdas_next": lambdas_next,
            "interests": interests,
            "pis": pis,
            "mus": mus,
            "starts": starts,
            "algorithms": _ids(algorithms),
            "parameters": {_arguments.core_name(name): _values(name, given) for name, given in parameters.items()},
            "truth": truth,
            "evaluation": evaluation,
            "evaluation_weights": evaluation_weights,
            "every": 0 if every is None else _arguments.count("every", every, 1, 2**62),
            "metric": _arguments.text("metric", metric),
            "score": _arguments.number("score", score),
            "initial_weights": initial_weights,
            "threads": _streams.thread_count(threads),
            "device": _arguments.text("device", device),
            "weights": bool(weights),
            "progress": progress,
        }
    )
    return _table(ids, columns)
