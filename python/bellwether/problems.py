"""Problems with known answers: finite MDPs with two policies and features, solved exactly and sampled to the bit.

>>> problem = bellwether.problems.make("random-mdp", seed=3, features="binary")
>>> solution = problem.solve(lambda_=0.9)
>>> solution.rmsve(solution.fixed_point)
>>> stream = problem.sample(10_000)
>>> learner = bellwether.Learner("gtd", dimension=problem.dimension, alpha=0.01, eta=1.0, lambda_=0.9)
>>> learner.learn(stream.X, stream.rewards, stream.gammas, stream.rhos)
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bellwether import _arguments as arguments
from bellwether import _core

__all__ = [
    "AverageReward",
    "Emphatic",
    "ExpectedUpdate",
    "Problem",
    "Solution",
    "Stream",
    "from_arrays",
    "info",
    "load",
    "make",
    "names",
]

_LARGEST_SEED = 2**64 - 1
_LARGEST_NUMBER = 2**32 - 1


class Stream(NamedTuple):
    """A run under the behaviour policy, as :meth:`bellwether.Learner.learn` takes it.

    N steps lead through N + 1 states, so `X` and `states` have one row more than the rest.
    """

    X: NDArray[np.float64]
    """Features of S_0 … S_N, a row each."""
    rewards: NDArray[np.float64]
    """R_1 … R_N."""
    gammas: NDArray[np.float64]
    """Discounts γ_1 … γ_N; 0 where an episode ends."""
    rhos: NDArray[np.float64]
    """Importance ratios π/μ of the actions A_0 … A_{N-1}."""
    pis: NDArray[np.float64]
    """The target policy's probabilities of these actions."""
    mus: NDArray[np.float64]
    """The behaviour policy's probabilities of these actions."""
    states: NDArray[np.int64]
    """S_0 … S_N, counted from 0."""
    lambdas: NDArray[np.float64] | None
    """λ(S_0) … λ(S_N) where the problem has its own, else None."""
    interests: NDArray[np.float64] | None
    """I(S_0) … I(S_{N-1}) where some differs from 1, else None."""


class Emphatic(NamedTuple):
    """What ETD(λ, β) tends to: its mean update is b - A w."""

    m: NDArray[np.float64]
    """The emphasis of every state."""
    A: NDArray[np.float64]
    """A with the emphasis in place of the stationary distribution."""
    b: NDArray[np.float64]
    """b likewise."""
    fixed_point: NDArray[np.float64]
    """The weights at which the mean update is 0."""


class AverageReward(NamedTuple):
    """What a policy earns per step where there is no end, and by how much states are better than that."""

    reward: float
    """The average reward under the target policy."""
    values: NDArray[np.float64]
    """The differential values: (I - P) values = r_pi - reward with d·values = 0, without discounts."""
    d: NDArray[np.float64]
    """The stationary distribution under the target policy."""


class ExpectedUpdate(NamedTuple):
    """The mean update of an algorithm to first order in α: E[Δz] = α (g + G z) with z = (w, h)."""

    G: NDArray[np.float64]
    """The matrix."""
    g: NDArray[np.float64]
    """The constant part."""
    auxiliary: int
    """The length of h; 0 where the algorithm has no auxiliary weights."""


class Solution:
    """The exact solution of a problem for one λ. Arrays are read-only views; copy them to change them.

    With d the stationary distribution under the behaviour policy, D = diag(d), and P_pi the transitions under the
    target policy times their discounts: A = Xᵀ D (I - P_pi Λ)⁻¹ (I - P_pi) X, b = Xᵀ D (I - P_pi Λ)⁻¹ r_pi, C = Xᵀ D X.
    """

    def __init__(self, core: _core._Solution) -> None:
        """Made by :meth:`Problem.solve`."""
        self._core = core

    @property
    def d(self) -> NDArray[np.float64]:
        """The stationary distribution under the behaviour policy."""
        return self._core.d

    @property
    def v(self) -> NDArray[np.float64]:
        """The values under the target policy."""
        return self._core.v

    @property
    def X(self) -> NDArray[np.float64]:
        """The features, a row per state."""
        return self._core.X

    @property
    def lambda_(self) -> NDArray[np.float64]:
        """λ of every state."""
        return self._core.lambda_

    @property
    def interest(self) -> NDArray[np.float64]:
        """The interest in every state."""
        return self._core.interest

    @property
    def P_pi(self) -> NDArray[np.float64]:
        """Transitions under the target policy times their discounts."""
        return self._core.P_pi

    @property
    def P_mu(self) -> NDArray[np.float64]:
        """The same under the behaviour policy."""
        return self._core.P_mu

    @property
    def r_pi(self) -> NDArray[np.float64]:
        """Expected rewards under the target policy."""
        return self._core.r_pi

    @property
    def A(self) -> NDArray[np.float64]:
        """A of the mean update b - A w."""
        return self._core.A

    @property
    def A_mu(self) -> NDArray[np.float64]:
        """A with P_mu in place of P_pi."""
        return self._core.A_mu

    @property
    def b(self) -> NDArray[np.float64]:
        """b of the mean update b - A w."""
        return self._core.b

    @property
    def C(self) -> NDArray[np.float64]:
        """The features' second moments."""
        return self._core.C

    @property
    def fixed_point(self) -> NDArray[np.float64]:
        """The TD(λ) fixed point A⁺ b."""
        return self._core.fixed_point

    @property
    def projection(self) -> NDArray[np.float64]:
        """The best weights there are: the projection of v, weighted by d."""
        return self._core.projection

    @property
    def notes(self) -> list[str]:
        """Where a matrix was singular, and what stands in."""
        return self._core.notes

    def __repr__(self) -> str:
        """In short."""
        return f"<bellwether.problems.Solution of {len(self.d)} states, {len(self.b)} features>"

    def mave(self, w: ArrayLike) -> float | None:
        """The paper's normalised error Σ d |x·w - v| / |v|; None where some value is 0."""
        return self._core.mave(arguments.array("w", w))

    def msve(self, w: ArrayLike) -> float:
        """The mean squared value error Σ d (x·w - v)²."""
        return self._core.msve(arguments.array("w", w))

    def rmsve(self, w: ArrayLike) -> float:
        """The root of :meth:`msve`."""
        return self._core.rmsve(arguments.array("w", w))

    def mspbe(self, w: ArrayLike) -> float:
        """The mean squared projected Bellman error (b - A w)ᵀ C⁺ (b - A w)."""
        return self._core.mspbe(arguments.array("w", w))

    def rmspbe(self, w: ArrayLike) -> float:
        """The root of :meth:`mspbe`."""
        return self._core.rmspbe(arguments.array("w", w))

    def msbe(self, w: ArrayLike) -> float:
        """The mean squared Bellman error Σ d (r_pi + P_pi X w - X w)²."""
        return self._core.msbe(arguments.array("w", w))

    def return_variance(self, target_lambda: float = 1.0) -> NDArray[np.float64]:
        """The variance of the return of every state under the target policy, exactly.

        With `target_lambda` below 1 that of the λ-return from exact values. An outcome has one reward here: where rewards
        are random, the problem needs an outcome for each.
        """
        return self._core.return_variance(arguments.number("target_lambda", target_lambda))

    def average_reward(self) -> AverageReward:
        """The average reward under the target policy, and the differential values; discounts do not enter.

        ValueError where the chain under the target policy has several closed classes: there is no one average then.
        """
        return AverageReward(*self._core.average_reward())

    def emphatic(self, beta_scale: float = 0.5) -> Emphatic:
        """What ETD(λ, β) with β = beta_scale·γ tends to; beta_scale = 1 is ETD(λ)."""
        return Emphatic(*self._core.emphatic(arguments.number("beta_scale", beta_scale)))

    def expected_update(self, algorithm: str, **parameters: float) -> ExpectedUpdate | None:
        """The mean update of an algorithm; None where it is no linear system (LSTD, on-policy algorithms off-policy).

        Parameters that are not given have their defaults; step sizes have no influence, and λ is the solution's.
        """
        update = self._core.expected_update(arguments.text("algorithm", algorithm), arguments.parameters(parameters))
        return None if update is None else ExpectedUpdate(*update)

    def growth_rate(self, algorithm: str, **parameters: float) -> float | None:
        """How fast the mean update grows per unit of α: the largest real part of its eigenvalues.

        Below 0 the algorithm converges in expectation, above 0 it diverges. None as in :meth:`expected_update`.
        """
        return self._core.growth_rate(arguments.text("algorithm", algorithm), arguments.parameters(parameters))


class Problem:
    """A finite MDP with a target policy, a behaviour policy and features. There are no terminal states: the transition
    that ends an episode has discount 0 and leads to where the next one starts."""

    def __init__(self, core: _core._Problem, address: tuple[int, int, int], recipe: tuple[Any, ...]) -> None:
        """Made by :func:`make`, :func:`load` and :func:`from_arrays`."""
        self._core = core
        self._address = address
        self._recipe = recipe
        self._features: NDArray[np.float64] | None = None

    def __repr__(self) -> str:
        """In short."""
        policy = "on-policy" if self.on_policy else "off-policy"
        return (
            f"<bellwether.problems.Problem {self.name}: {self.states} states, {self.actions} actions, "
            f"{self.dimension} features, {policy}>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle has what the problem was made of, and makes it again."""
        return self._recipe

    @property
    def name(self) -> str:
        """What it is called."""
        return self._core.name

    @property
    def states(self) -> int:
        """How many states it has."""
        return self._core.states

    @property
    def actions(self) -> int:
        """How many actions it has."""
        return self._core.actions

    @property
    def dimension(self) -> int:
        """How many features it has."""
        return self._core.dimension

    @property
    def on_policy(self) -> bool:
        """Whether the behaviour policy is the target policy."""
        return self._core.on_policy

    @property
    def features(self) -> NDArray[np.float64]:
        """The features, a row per state (read-only)."""
        if self._features is None:
            self._features = self._core.features
            self._features.flags.writeable = False
        return self._features

    @property
    def target(self) -> NDArray[np.float64]:
        """π(a|s): a row per state."""
        return self._core.target

    @property
    def behaviour(self) -> NDArray[np.float64]:
        """μ(a|s): a row per state."""
        return self._core.behaviour

    @property
    def lambda_(self) -> NDArray[np.float64] | None:
        """λ of every state where the problem has its own, else None."""
        return self._core.lambda_

    @property
    def interest(self) -> NDArray[np.float64]:
        """The interest in every state."""
        return self._core.interest

    @property
    def initial_weights(self) -> NDArray[np.float64]:
        """The weights w_0 that a learner starts from."""
        return self._core.initial_weights

    @property
    def start(self) -> NDArray[np.float64]:
        """The distribution of the first state."""
        return self._core.start

    @property
    def changes_after(self) -> int:
        """After how many steps of a run the rewards change; 0: never."""
        return self._core.changes_after

    def after_change(self) -> Problem:
        """The problem as it is after its change, without a further one; the same problem where there is none."""
        return _after_change(self)

    def solve(self, lambda_: float = 0.0) -> Solution:
        """The exact solution for this λ (for the problem's own where it has one)."""
        return Solution(self._core.solve(arguments.number("lambda_", lambda_)))

    def sample(
        self, steps: int, seed: int | None = None, instance: int | None = None, run: int | None = None
    ) -> Stream:
        """A run of so many steps under the behaviour policy: the same to the bit as `bellwether sample` draws it.

        Seed, instance and run are those that the problem was made with (0 elsewhere) unless given. The first n steps do
        not depend on how many follow. Where a question is about some states only, steps out of the others are left out.
        """
        own = self._address
        states, rewards, gammas, rhos, pis, mus = self._core.sample(
            arguments.count("steps", steps, 1, _core._longest_run),
            own[0] if seed is None else arguments.count("seed", seed, 0, _LARGEST_SEED),
            own[1] if instance is None else arguments.count("instance", instance, 0, _LARGEST_NUMBER),
            own[2] if run is None else arguments.count("run", run, 0, _LARGEST_NUMBER),
        )
        lambdas, interest = self.lambda_, self.interest
        return Stream(
            X=self.features[states],
            rewards=rewards,
            gammas=gammas,
            rhos=rhos,
            pis=pis,
            mus=mus,
            states=states,
            lambdas=None if lambdas is None else lambdas[states],
            interests=None if np.all(interest == 1) else interest[states[:-1]],
        )


def names() -> list[str]:
    """The names of the built-in problems."""
    return list(_core._domain_names())


def info(name: str) -> dict[str, Any]:
    """What there is to know of a built-in problem: summary, source, features, parameters with default and range."""
    return _core._describe_domain(arguments.text("name", name))


def make(
    name: str,
    *,
    seed: int = 0,
    instance: int = 0,
    run: int = 0,
    features: str | None = None,
    policy: str = "off",
    **parameters: float,
) -> Problem:
    """A built-in problem.

    Instance k of a seed is one problem where the domain is random, the same with every kind of features; `run` matters
    only where features are drawn for every run. `features` is one of the domain's kinds, by default its first. With
    `policy="on"` the behaviour policy is the target policy. `parameters` are the domain's own: :func:`info` lists them.
    """
    arguments.text("name", name)
    arguments.text_or_none("features", features)
    if policy not in ("off", "on"):
        raise ValueError(f"policy: {policy!r} is neither 'off' nor 'on'")
    address = (
        arguments.count("seed", seed, 0, _LARGEST_SEED),
        arguments.count("instance", instance, 0, _LARGEST_NUMBER),
        arguments.count("run", run, 0, _LARGEST_NUMBER),
    )
    return _made(name, features or "", policy == "on", address, arguments.parameters(parameters))


def _made(
    name: str, features: str, on_policy: bool, address: tuple[int, int, int], parameters: dict[str, float]
) -> Problem:
    core = _core._make_problem(name, features, on_policy, *address, parameters)
    return Problem(core, address, (_made, (name, features, on_policy, address, parameters)))


def _after_change(problem: Problem) -> Problem:
    return Problem(problem._core.after_change(), problem._address, (_after_change, (problem,)))


def load(path: str | os.PathLike[str]) -> Problem:
    """The problem of a model file, TOML or JSON."""
    path = arguments.path("path", path)
    return Problem(_core._read_problem(path), (0, 0, 0), (load, (os.path.abspath(path),)))


def from_arrays(
    transitions: ArrayLike,
    rewards: ArrayLike,
    discounts: ArrayLike,
    target: ArrayLike | None = None,
    behaviour: ArrayLike | None = None,
    features: ArrayLike | None = None,
    *,
    lambda_: ArrayLike | None = None,
    interest: ArrayLike | None = None,
    initial_weights: ArrayLike | None = None,
    start: ArrayLike | None = None,
    name: str = "model",
) -> Problem:
    """The problem that arrays describe.

    `transitions[s, a, s']` are probabilities; for one action they may be a matrix. `rewards` and `discounts` have the
    same shape, or one that broadcasts to it. `target` and `behaviour` are the policies, a row per state; the behaviour
    policy is the target policy unless given, and the target policy may be left out where there is one action.
    `features` has a row per state, by default one feature per state. `lambda_` and `interest` are numbers or one per
    state.
    """
    transitions = arguments.array("transitions", transitions)
    if transitions.ndim == 2:
        transitions = transitions[:, None, :]
        rewards, discounts = (arguments.with_action(n, a) for n, a in (("rewards", rewards), ("discounts", discounts)))
    if transitions.ndim != 3 or transitions.shape[0] != transitions.shape[2] or 0 in transitions.shape:
        raise ValueError(f"transitions has the shape {transitions.shape}: it must be (states, actions, states)")
    states, actions, _ = transitions.shape
    if target is None:
        if actions > 1:
            raise ValueError(f"target is needed where there are several actions: {actions}")
        target = np.ones((states, 1))
    given = None if features is None else arguments.array("features", features)
    if given is not None and (given.ndim != 2 or given.shape[0] != states or given.shape[1] == 0):
        raise ValueError(f"features has the shape {given.shape}: it must have a row for each of the {states} states")
    dimension = states if given is None else given.shape[1]
    described = (
        str(name),
        np.ascontiguousarray(transitions),
        arguments.broadcast("rewards", rewards, transitions.shape),
        arguments.broadcast("discounts", discounts, transitions.shape),
        arguments.exactly("target", target, (states, actions)),
        None if behaviour is None else arguments.exactly("behaviour", behaviour, (states, actions)),
        given,
        None if lambda_ is None else arguments.broadcast("lambda_", lambda_, (states,)),
        None if interest is None else arguments.broadcast("interest", interest, (states,)),
        None if initial_weights is None else arguments.exactly("initial_weights", initial_weights, (dimension,)),
        None if start is None else arguments.exactly("start", start, (states,)),
    )
    return _of_arrays(*described)


def _of_arrays(*described: Any) -> Problem:
    return Problem(_core._problem_of_arrays(*described), (0, 0, 0), (_of_arrays, described))
