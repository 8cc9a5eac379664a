"""Running Gymnasium environments under a policy, for :mod:`bellwether.gym`."""

from __future__ import annotations

import copy
import numbers
from typing import Any, Iterator, NamedTuple

import numpy as np

# Probabilities that a network computed in single precision sum to 1 up to about this much.
_SUM_TOLERANCE = 1e-6


class Raw(NamedTuple):
    """A transition before its observations are encoded."""

    environment: int
    observation: Any
    action: Any
    pi: float
    mu: float
    rho: float
    reward: float
    gamma: float
    next_observation: Any
    start: bool
    truncated: bool


def has_densities(env) -> bool:
    """Whether the actions are continuous, so that policies give densities."""
    import gymnasium

    return isinstance(_action_space(env), gymnasium.spaces.Box)


def _is_vector(env) -> bool:
    import gymnasium

    return isinstance(env, gymnasium.vector.VectorEnv)


def _action_space(env) -> Any:
    """Of a vector environment: of one of its sub-environments."""
    return env.single_action_space if _is_vector(env) else env.action_space


def run(env, target, behaviour, gamma, steps, episodes, seed) -> Iterator[Raw]:
    """Checks the arguments now, and returns the transitions of one or several environments."""
    for name, count in (("steps", steps), ("episodes", episodes)):
        if count is not None and (not isinstance(count, numbers.Integral) or count < 1):
            raise ValueError(f"{name} must be a whole number of at least 1, not {count!r}")
    if seed is not None and (not isinstance(seed, numbers.Integral) or seed < 0):
        raise ValueError(f"seed must be a whole number of at least 0, not {seed!r}")
    if not callable(gamma):
        _checked_discount(gamma)
    if not (hasattr(env, "reset") and hasattr(env, "step") and hasattr(env, "action_space")):
        raise TypeError(f"env must be a Gymnasium environment, not {type(env).__name__}")
    policies = _Policies(target, behaviour, _action_space(env))
    run_it = _run_vector if _is_vector(env) else _run_single
    return run_it(env, policies, gamma, steps, episodes, seed)


def _run_single(env, policies, gamma, steps, episodes, seed) -> Iterator[Raw]:
    sequence = _Sequence(0, policies, gamma, steps, episodes, seed)
    while not sequence.over:
        observation, _ = env.reset(seed=None if seed is None else int(seed))
        seed = None  # the environment goes on with its own generator
        sequence.begin(observation)
        ended = False
        while not ended and not sequence.over:
            observation, reward, terminated, truncated, _ = env.step(sequence.act())
            ended = bool(terminated or truncated)
            yield sequence.arrive(observation, reward, terminated, truncated)


def _run_vector(env, policies, gamma, steps, episodes, seed) -> Iterator[Raw]:
    from gymnasium.vector.utils import concatenate, create_empty_array, iterate

    count = env.num_envs
    sequences = []
    for i in range(count):
        share = [None if n is None else n // count + (i < n % count) for n in (steps, episodes)]
        sequences.append(_Sequence(i, policies, gamma, *share, None if seed is None else seed + i))
    mode = _reset_mode(env)
    observations, _ = env.reset(seed=None if seed is None else int(seed))
    for sequence, observation in zip(sequences, iterate(env.observation_space, observations)):
        sequence.begin(observation)

    resetting = np.zeros(count, dtype=bool)  # in mode NextStep: the coming step resets, and its action is not taken
    actions = [None] * count
    while not all(sequence.over for sequence in sequences):
        for i, sequence in enumerate(sequences):
            if not resetting[i]:
                actions[i] = sequence.act()
        batch = concatenate(env.single_action_space, actions, create_empty_array(env.single_action_space, n=count))
        observations, rewards, terminations, truncations, infos = env.step(batch)
        ends = np.logical_or(terminations, truncations)
        at_once = mode == "SameStep" or (mode is None and _has_final(infos))
        following = list(iterate(env.observation_space, observations))
        for i, sequence in enumerate(sequences):
            if resetting[i]:
                sequence.begin(following[i])
                continue
            last = _final(infos, i, terminations[i], following[i]) if ends[i] and at_once else following[i]
            if sequence.over:
                sequence.arrive(last, rewards[i], terminations[i], truncations[i])
            else:
                yield sequence.arrive(last, rewards[i], terminations[i], truncations[i])
            if ends[i] and at_once:
                sequence.begin(following[i])
        if mode == "Disabled" and ends.any():
            observations, _ = env.reset(options={"reset_mask": ends})
            for i, observation in enumerate(iterate(env.observation_space, observations)):
                if ends[i]:
                    sequences[i].begin(observation)
        resetting = ends if not at_once and mode != "Disabled" else np.zeros(count, dtype=bool)


def _reset_mode(env) -> str | None:
    """How a vector environment resets: "NextStep", "SameStep", "Disabled"; None where it does not say.

    Gymnasium 0.29 (same step) and 1.0 (next step) do not: there the final observations among the infos tell.
    """
    mode = (env.metadata or {}).get("autoreset_mode")
    mode = getattr(mode, "value", mode)
    if mode not in (None, "NextStep", "SameStep", "Disabled"):
        raise ValueError(f"env: unknown autoreset mode {mode!r}")
    return mode


def _has_final(infos) -> bool:
    return "final_obs" in infos or "final_observation" in infos


def _final(infos, i, terminated, following) -> Any:
    """The last observation of sub-environment i, which was reset in the same step."""

    def entry(values: Any) -> Any:
        if isinstance(values, dict):
            return {key: entry(value) for key, value in values.items() if not key.startswith("_")}
        return values[i]

    found = infos.get("final_obs", infos.get("final_observation"))  # the second is the name of 0.29
    final = None if found is None else entry(found)
    if final is None:
        if terminated:
            return following  # with discount 0 it does not matter
        raise ValueError(
            f"env: sub-environment {i} was truncated and reset in the same step, and its final observation is not "
            "among the infos"
        )
    return final


class _Sequence:
    """What one environment lives through: it takes actions and makes transitions of what comes back."""

    def __init__(self, environment, policies, gamma, steps, episodes, seed):
        self._environment = environment
        self._policies = policies
        self._gamma = gamma
        self._steps_left = steps
        self._episodes_left = episodes
        # A child of the seed: an environment seeds its own generator with the seed itself, and the draws of the two
        # would be one and the same.
        self._rng = np.random.default_rng(None if seed is None else np.random.SeedSequence(int(seed), spawn_key=(0,)))

    @property
    def over(self) -> bool:
        return self._steps_left == 0 or self._episodes_left == 0

    def begin(self, observation) -> None:
        self._observation = _copied(observation)
        self._start = True

    def act(self) -> Any:
        self._action, self._pi, self._mu, self._rho = self._policies.draw(self._observation, self._rng)
        return self._action

    def arrive(self, observation, reward, terminated, truncated) -> Raw:
        observation = _copied(observation)
        reward = float(reward)
        if not np.isfinite(reward):
            raise ValueError(f"env: the reward {reward} is not finite")
        if terminated:
            discount = 0.0
        elif callable(self._gamma):
            discount = _checked_discount(self._gamma(self._observation, self._action, observation))
        else:
            discount = float(self._gamma)
        step = Raw(
            self._environment, self._observation, self._action, self._pi, self._mu, self._rho, reward, discount,
            observation, self._start, bool(truncated and not terminated),
        )  # fmt: skip
        self._observation = observation
        self._start = False
        if self._steps_left is not None:
            self._steps_left = max(self._steps_left - 1, 0)
        if self._episodes_left is not None and (terminated or truncated):
            self._episodes_left = max(self._episodes_left - 1, 0)
        return step


class _Policies:
    """The two policies, checked wherever they are asked."""

    def __init__(self, target, behaviour, space):
        behaviour = target if behaviour is None else behaviour
        self._target = _policy(target, "target", space, sampled=False)
        self._behaviour = self._target if behaviour is target else _policy(behaviour, "behaviour", space, sampled=True)
        if self._behaviour is self._target:
            _policy(target, "behaviour", space, sampled=True)

    def draw(self, observation, rng) -> tuple[Any, float, float, float]:
        """An action of the behaviour policy, its two probabilities, and their ratio."""
        on_policy = self._behaviour is self._target
        if isinstance(self._behaviour, _Table):
            mus = self._behaviour.row(observation)
            if isinstance(self._target, _Table) and not on_policy:
                self._check_coverage(observation, mus)
            sums = np.cumsum(mus)
            index = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
            index = min(index, int(np.flatnonzero(mus)[-1]))  # where the product was rounded up to the sum
            action, mu = self._behaviour.action(index), float(mus[index])
        else:
            action = self._behaviour.sample(observation, rng)
            mu = self._behaviour.probability(observation, action)
            if not mu > 0:
                raise ValueError(f"behaviour: it drew the action {action!r}, and its probability({_text(observation)}, "
                                 f"action) is {mu}")  # fmt: skip
        pi = mu if on_policy else self._target.probability(observation, action)
        return action, pi, mu, pi / mu

    def _check_coverage(self, observation, mus) -> None:
        pis = self._target.row(observation)
        missing = np.flatnonzero((pis > 0) & (mus == 0))
        if missing.size:
            raise ValueError(
                f"behaviour: in {_text(observation)} the target policy takes action {self._target.action(missing[0])} "
                f"with probability {pis[missing[0]]:g} and the behaviour policy never does: its data cannot tell what "
                "the target is worth"
            )


def _policy(policy, role, space, sampled) -> _Table | _Object:
    import gymnasium

    if hasattr(policy, "probability"):
        if sampled and not hasattr(policy, "sample"):
            raise TypeError(f"{role}: it has probability(observation, action) and no sample(observation, rng)")
        return _Object(policy, role)
    if not callable(policy):
        raise TypeError(
            f"{role} must be a function from an observation to the probabilities of the actions, or an object with "
            f"sample(observation, rng) and probability(observation, action), not {type(policy).__name__}"
        )
    if not isinstance(space, gymnasium.spaces.Discrete):
        raise TypeError(
            f"{role}: the actions are {space}, not discrete, and call for an object with sample(observation, rng) and "
            "probability(observation, action)"
        )
    return _Table(policy, role, space)


class _Table:
    """A policy that gives the probabilities of all discrete actions."""

    def __init__(self, function, role, space):
        self._function = function
        self._role = role
        self._count = int(space.n)
        self._first = int(getattr(space, "start", 0))

    def row(self, observation) -> np.ndarray:
        row = np.asarray(self._function(observation), dtype=np.float64)
        if row.shape != (self._count,):
            raise ValueError(
                f"{self._role}: {_text(observation)} has probabilities of shape {row.shape}, not ({self._count},), one "
                "for each action"
            )
        if not (row >= 0).all() or not abs(row.sum() - 1) <= _SUM_TOLERANCE:
            raise ValueError(
                f"{self._role}: the probabilities {row.tolist()} in {_text(observation)} must be at least 0 and sum to "
                f"1, not to {row.sum():g}"
            )
        return row

    def action(self, index) -> int:
        return self._first + int(index)

    def probability(self, observation, action) -> float:
        return float(self.row(observation)[int(action) - self._first])


class _Object:
    """A policy that samples, and knows the probability or density of an action."""

    def __init__(self, policy, role):
        self._policy = policy
        self._role = role

    def sample(self, observation, rng) -> Any:
        return self._policy.sample(observation, rng)

    def probability(self, observation, action) -> float:
        value = float(self._policy.probability(observation, action))
        if not (value >= 0 and np.isfinite(value)):
            raise ValueError(
                f"{self._role}: probability({_text(observation)}, {action!r}) is {value}; it must be finite and at "
                "least 0"
            )
        return value


def _checked_discount(gamma) -> float:
    try:
        value = float(gamma)
    except (TypeError, ValueError):
        raise TypeError(f"gamma must be a number or a function, not {type(gamma).__name__}") from None
    if not 0 <= value <= 1:
        raise ValueError(f"gamma must be in [0, 1], not {value:g}")
    return value


def _copied(observation) -> Any:
    """Environments may write the next observation where the last one was."""
    if isinstance(observation, np.ndarray):
        return observation.copy()
    return copy.deepcopy(observation)


def _text(observation) -> str:
    """An observation in a message."""
    text = np.array2string(observation, threshold=8) if isinstance(observation, np.ndarray) else repr(observation)
    return "observation " + (text if len(text) <= 80 else text[:77] + "...")
