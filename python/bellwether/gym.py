"""Streams from Gymnasium environments.

:func:`stream` runs an environment under a behaviour policy and returns what happened as arrays, with the importance
ratios of a target policy, ready for :meth:`bellwether.Learner.learn` and :func:`bellwether.sweep`::

    def mostly_left(observation):
        return [0.6, 0.4]

    def uniform(observation):
        return [0.5, 0.5]

    data = bellwether.gym.stream(env, mostly_left, uniform, features, 0.99, steps=10_000, seed=1)
    learner.learn(**data)

:func:`steps` gives the same transitions one by one, for learning while the environment runs.

A *termination* has discount 0: nothing comes after it. A *truncation* (a time limit) is not a termination: its
transition keeps the discount and bootstraps on the features of the final observation, and the step after it begins a
new segment. Each sub-environment of a vector environment is a sequence of its own; a stream has them one after the
other.
"""

from __future__ import annotations

import dataclasses
import numbers
from typing import Any, Callable, Iterator, NamedTuple

import numpy as np

from bellwether import _environments

__all__ = ["Stream", "Transition", "steps", "stream"]


class Transition(NamedTuple):
    """One step, as :func:`steps` yields it."""

    x: Any
    """Features of the observation, as :meth:`bellwether.Learner.step` takes them."""
    reward: float
    """The reward of the transition."""
    gamma: float
    """The discount of the transition: 0 where it terminates."""
    x_next: Any
    """Features of the observation that the transition leads to; the final one where it terminates or is truncated."""
    rho: float
    """The importance ratio pi / mu of the action."""
    pi: float
    """Probability (or density) of the action under the target policy."""
    mu: float
    """Probability (or density) of the action under the behaviour policy."""
    start: bool
    """Whether the step is the first after a reset: call ``learner.start()`` before it."""
    environment: int
    """Which sub-environment of a vector environment it comes from; 0 otherwise. Each needs a learner of its own."""
    observation: Any
    """The observation in which the action was taken."""
    action: Any
    """The action."""
    next_observation: Any
    """The observation that the transition leads to."""
    truncated: bool
    """Whether the episode was cut off here without a termination."""


@dataclasses.dataclass(frozen=True)
class Stream:
    """What happened, one entry per time step; ``learner.learn(**stream)`` learns from it.

    As a mapping it has the arguments of :meth:`bellwether.Learner.learn`: ``X``, ``X_next``, ``rewards``, ``gammas``,
    ``rhos``, ``pis``, ``mus`` and ``starts``; without ``pis`` and ``mus`` where they are densities. The other fields
    are attributes only.
    """

    X: Any
    """Features of every step's observation: vectors, or the indices of active features (whole numbers), or a CSR
    matrix."""
    X_next: Any
    """Features of the observation that each step leads to."""
    rewards: np.ndarray
    """Rewards."""
    gammas: np.ndarray
    """Discounts: 0 where an episode terminates."""
    rhos: np.ndarray
    """Importance ratios."""
    pis: np.ndarray
    """Probabilities (or densities) of the actions under the target policy."""
    mus: np.ndarray
    """Probabilities (or densities) of the actions under the behaviour policy."""
    starts: np.ndarray
    """True at the first step after every reset."""
    truncated: np.ndarray
    """True where an episode was cut off without a termination."""
    observations: Any
    """The observations in which the actions were taken: an array where they are numbers, else a list."""
    actions: Any
    """The actions: an array where they are numbers, else a list."""
    densities: bool = False
    """Whether `pis` and `mus` are densities of continuous actions; the ratios are all that can be learned from them."""

    def keys(self) -> tuple[str, ...]:
        """The names of the arguments of :meth:`bellwether.Learner.learn` that the stream holds."""
        names = ("X", "X_next", "rewards", "gammas", "rhos", "starts")
        return names if self.densities else names + ("pis", "mus")

    def __getitem__(self, name: str) -> Any:
        """One of the arguments by its name."""
        if name not in self.keys():
            raise KeyError(name)
        return getattr(self, name)

    def __len__(self) -> int:
        """The number of steps."""
        return len(self.rewards)


def stream(
    env: Any,
    target: Any,
    behaviour: Any,
    features: Any,
    gamma: float | Callable[[Any, Any, Any], float],
    *,
    steps: int | None = None,
    episodes: int | None = None,
    seed: int | None = None,
    dimension: int | None = None,
) -> Stream:
    """Runs an environment under the behaviour policy and returns the stream of its transitions.

    env: a Gymnasium environment, or a vector environment with any way of resetting its sub-environments. It is reset at
        the beginning and not closed at the end.
    target, behaviour: policies. For discrete actions a function from an observation to the probabilities of the
        actions; for any actions an object with ``sample(observation, rng)`` and ``probability(observation, action)``,
        the probability or density. The target is never sampled. ``behaviour=None`` behaves as the target does.
    features: a :class:`bellwether.TileCoder` or :class:`bellwether.FourierBasis`, or a function from an observation to
        a vector; with `dimension`, to the indices of the features that are 1, or to one index.
    gamma: the discount, or a function of (observation, action, next observation). Terminations have 0 in any case.
    steps, episodes: how much: a number of steps, or of whole episodes; with both, what comes first. The
        sub-environments of a vector environment share it evenly, each with whole episodes of its own, so that short
        ones get no preference.
    seed: of the environment and of the behaviour's draws. Sub-environment i has the stream that a single environment
        has with ``seed + i``.
    dimension: the number of features, where `features` gives indices.
    """
    if steps is None and episodes is None:
        raise ValueError("steps or episodes must be given: a stream has an end")
    encoder = _Encoder(features, dimension)
    sequences: dict[int, list[_environments.Raw]] = {}
    for step in _environments.run(env, target, behaviour, gamma, steps, episodes, seed):
        sequences.setdefault(step.environment, []).append(step)
    raw = [step for environment in sorted(sequences) for step in sequences[environment]]

    # Within a segment the next observation is the following one, and is encoded once.
    observations, rows, starts = [], [], [step.start for step in raw]
    for step in raw:
        if step.start:
            observations.append(step.observation)
        rows.append(len(observations) - 1)
        observations.append(step.next_observation)
    encoded = encoder.batch(observations)
    at = np.asarray(rows, dtype=np.intp)
    return Stream(
        X=encoded[at],
        X_next=encoded[at + 1],
        rewards=np.array([step.reward for step in raw], dtype=np.float64),
        gammas=np.array([step.gamma for step in raw], dtype=np.float64),
        rhos=np.array([step.rho for step in raw], dtype=np.float64),
        pis=np.array([step.pi for step in raw], dtype=np.float64),
        mus=np.array([step.mu for step in raw], dtype=np.float64),
        starts=np.array(starts, dtype=bool),
        truncated=np.array([step.truncated for step in raw], dtype=bool),
        observations=_together([step.observation for step in raw]),
        actions=_together([step.action for step in raw]),
        densities=_environments.has_densities(env),
    )


def steps(
    env: Any,
    target: Any,
    behaviour: Any,
    features: Any,
    gamma: float | Callable[[Any, Any, Any], float],
    *,
    steps: int | None = None,
    episodes: int | None = None,
    seed: int | None = None,
    dimension: int | None = None,
) -> Iterator[Transition]:
    """Yields the transitions of :func:`stream` one by one, without end where neither `steps` nor `episodes` is given.

    ::

        for t in bellwether.gym.steps(env, target, behaviour, features, 0.99, steps=10_000, seed=1):
            if t.start:
                learner.start()
            learner.step(t.x, t.reward, t.gamma, t.x_next, t.rho)

    A vector environment interleaves its sub-environments: each needs a learner of its own (``t.environment``), or the
    traces of one would run into the other.
    """
    encoder = _Encoder(features, dimension)
    run = _environments.run(env, target, behaviour, gamma, steps, episodes, seed)

    def transitions() -> Iterator[Transition]:
        latest: dict[int, Any] = {}
        for step in run:
            x = encoder.one(step.observation) if step.start else latest[step.environment]
            latest[step.environment] = x_next = encoder.one(step.next_observation)
            yield Transition(
                x, step.reward, step.gamma, x_next, step.rho, step.pi, step.mu, step.start, step.environment,
                step.observation, step.action, step.next_observation, step.truncated,
            )  # fmt: skip

    return transitions()


class _Encoder:
    """Features of observations, one at a time or all at once."""

    def __init__(self, features, dimension):
        from bellwether import FourierBasis, TileCoder

        self._features = features
        self._dimension = dimension
        self._length = None
        if isinstance(features, (FourierBasis, TileCoder)):
            if dimension is not None:
                raise ValueError(f"dimension is {features.size} for this {type(features).__name__}, and is not given")
        elif not callable(features):
            raise TypeError(
                "features must be a TileCoder, a FourierBasis, or a function from an observation to a vector, not "
                f"{type(features).__name__}"
            )
        elif dimension is not None and (not isinstance(dimension, numbers.Integral) or dimension < 1):
            raise ValueError(f"dimension must be a whole number of at least 1, not {dimension!r}")
        self._coder = isinstance(features, (FourierBasis, TileCoder))

    def one(self, observation) -> Any:
        """Features as Learner.step takes them: a vector, the indices of those that are 1, or one index."""
        if self._coder:
            return self._features.encode(self._inputs(observation))
        return self._vector(observation) if self._dimension is None else self._indices(observation)

    def batch(self, observations: list) -> Any:
        """One row for every observation: vectors, indices, or a CSR matrix where the number of indices varies."""
        if self._coder:
            return self._features.encode(np.stack([self._inputs(observation) for observation in observations]))
        if self._dimension is None:
            return np.stack([self._vector(observation) for observation in observations])
        rows = [self._indices(observation) for observation in observations]
        sizes = {np.shape(row) for row in rows}
        if len(sizes) == 1 and sizes != {(0,)}:
            return np.stack(rows)
        from scipy.sparse import csr_matrix

        rows = [np.atleast_1d(row) for row in rows]
        ends = np.cumsum([0] + [len(row) for row in rows])
        indices = np.concatenate(rows)
        return csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(rows), int(self._dimension)))

    def _inputs(self, observation) -> np.ndarray:
        try:
            inputs = np.asarray(observation, dtype=np.float64).reshape(-1)
        except (TypeError, ValueError):
            raise TypeError(
                f"features: a {type(self._features).__name__} takes numbers, and the observation is of type "
                f"{type(observation).__name__}; a function may select its parts"
            ) from None
        if len(inputs) != self._features.inputs:
            raise ValueError(
                f"features: the observation has {len(inputs)} numbers, and the {type(self._features).__name__} has "
                f"{self._features.inputs} inputs"
            )
        return inputs

    def _vector(self, observation) -> np.ndarray:
        vector = np.asarray(self._features(observation), dtype=np.float64)
        if vector.ndim != 1:
            raise ValueError(
                f"features: it gave an array of shape {vector.shape}, not a vector; where it gives the indices of "
                "active features, dimension says how many there are"
            )
        self._length = len(vector) if self._length is None else self._length
        if len(vector) != self._length:
            raise ValueError(f"features: it gave {len(vector)} features after {self._length}")
        return vector

    def _indices(self, observation) -> np.ndarray:
        given = np.asarray(self._features(observation))
        given = given.astype(np.int64) if given.size == 0 else given
        if given.ndim > 1 or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"features: with a dimension it must give whole numbers, not {given.tolist()}")
        indices = np.sort(given, axis=None)
        if given.size and not (indices[0] >= 0 and indices[-1] < self._dimension and (np.diff(indices) > 0).all()):
            raise ValueError(
                f"features: the indices {given.tolist()} must be different, at least 0 and below the dimension "
                f"{self._dimension}"
            )
        return indices.reshape(given.shape)


def _together(values: list) -> Any:
    """An array where all values are numbers or arrays of one shape, else the list."""
    if all(isinstance(value, (numbers.Number, np.ndarray, np.generic)) for value in values):
        if len({np.shape(value) for value in values}) == 1:
            return np.array(values)
    return values
