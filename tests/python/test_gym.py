"""bellwether.gym: transitions step by step, vector environments, policies, errors. Values: test_gym_values.py."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import bellwether.gym  # noqa: E402

MODES = [mode.value for mode in getattr(gymnasium.vector, "AutoresetMode", [])]


class Corridor(gymnasium.Env):
    """Places 0, 1, ...; action 1 goes on, action 0 stays. Leaving place `length` - 1 pays 1 and terminates."""

    observation_space = gymnasium.spaces.Box(0, 100, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, length, limit):
        self.length, self.limit = length, limit
        self.state = np.zeros(1, dtype=np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state[0], self.time = 0, 0
        return self.state, {}

    def step(self, action):
        self.state[0] += int(action)  # the observation before is overwritten: the stream has to copy it
        self.time += 1
        terminated = bool(self.state[0] == self.length)
        return self.state, float(terminated), terminated, self.time >= self.limit, {}


class Noise(gymnasium.Env):
    """The observation is a draw of the environment's generator."""

    observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float64)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.array([self.np_random.random()]), {}

    def step(self, action):
        return np.array([self.np_random.random()]), 0.0, False, False, {}


class Pull(gymnasium.Env):
    """A continuous action that is the next observation."""

    observation_space = gymnasium.spaces.Box(-10, 10, (1,), np.float64)
    action_space = gymnasium.spaces.Box(-10, 10, (1,), np.float64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.zeros(1), {}

    def step(self, action):
        return np.array(action, dtype=np.float64), float(action[0]), False, False, {}


class Normal:
    """A policy with normally distributed actions."""

    def __init__(self, mean, deviation):
        self.mean, self.deviation = mean, deviation

    def sample(self, observation, rng):
        return np.array([rng.normal(self.mean, self.deviation)])

    def probability(self, observation, action):
        z = (action[0] - self.mean) / self.deviation
        return float(np.exp(-z * z / 2) / (self.deviation * np.sqrt(2 * np.pi)))


def go_on(observation):
    return [0, 1]


def uniform(observation):
    return [0.5, 0.5]


def place(observation):
    return [1.0, float(observation[0])]


def same(one, other):
    """Whether two streams are equal to the bit."""
    for key in one.keys():
        np.testing.assert_array_equal(one[key], other[key], err_msg=key)
    np.testing.assert_array_equal(one.truncated, other.truncated)
    np.testing.assert_array_equal(one.observations, other.observations)
    np.testing.assert_array_equal(one.actions, other.actions)


def joined(streams):
    """Several streams, one after the other."""
    names = [name for name in bellwether.gym.Stream.__dataclass_fields__ if name != "densities"]
    return bellwether.gym.Stream(**{name: np.concatenate([getattr(s, name) for s in streams]) for name in names})


def test_a_termination_has_discount_zero():
    data = bellwether.gym.stream(Corridor(3, limit=100), go_on, go_on, place, 0.9, steps=7)
    assert data.X[:, 1].tolist() == [0, 1, 2, 0, 1, 2, 0]
    assert data.X_next[:, 1].tolist() == [1, 2, 3, 1, 2, 3, 1]
    assert data.rewards.tolist() == [0, 0, 1, 0, 0, 1, 0]
    assert data.gammas.tolist() == [0.9, 0.9, 0, 0.9, 0.9, 0, 0.9]
    assert data.starts.tolist() == [True, False, False, True, False, False, True]
    assert not data.truncated.any()
    assert len(data) == 7


def test_a_truncation_keeps_its_discount_and_bootstraps_on_the_final_observation():
    data = bellwether.gym.stream(Corridor(100, limit=3), go_on, go_on, place, 0.9, steps=7)
    assert data.X[:, 1].tolist() == [0, 1, 2, 0, 1, 2, 0]
    assert data.X_next[:, 1].tolist() == [1, 2, 3, 1, 2, 3, 1]  # 3, and not the 0 after the reset
    assert data.rewards.tolist() == [0] * 7
    assert data.gammas.tolist() == [0.9] * 7
    assert data.starts.tolist() == [True, False, False, True, False, False, True]
    assert data.truncated.tolist() == [False, False, True, False, False, True, False]


def test_a_termination_at_the_time_limit_is_a_termination():
    data = bellwether.gym.stream(Corridor(3, limit=3), go_on, go_on, place, 0.9, episodes=2)
    assert data.gammas.tolist() == [0.9, 0.9, 0, 0.9, 0.9, 0]
    assert not data.truncated.any()


def test_the_discount_may_depend_on_the_transition():
    def gamma(observation, action, next_observation):
        return 0.5 if next_observation[0] == 1 else 0.25

    data = bellwether.gym.stream(Corridor(3, limit=100), go_on, go_on, place, gamma, episodes=1)
    assert data.gammas.tolist() == [0.5, 0.25, 0]


def test_ratios_by_hand():
    def target(observation):
        return [0.5, 0.5] if observation[0] < 2 else [0.9, 0.1]

    def behaviour(observation):
        return [0.25, 0.75]

    data = bellwether.gym.stream(Corridor(4, limit=50), target, behaviour, place, 0.9, steps=8000, seed=3)
    early = data.observations[:, 0] < 2
    expected_pi = np.where(early, 0.5, np.where(data.actions == 1, 0.1, 0.9))
    expected_mu = np.where(data.actions == 1, 0.75, 0.25)
    np.testing.assert_array_equal(data.pis, expected_pi)
    np.testing.assert_array_equal(data.mus, expected_mu)
    np.testing.assert_array_equal(data.rhos, expected_pi / expected_mu)
    # 5 standard deviations of a mean of 8000 draws, of the actions and of the ratio, which has mean 1
    assert abs(np.mean(data.actions) - 0.75) < 5 * np.sqrt(0.75 * 0.25 / 8000)
    assert abs(np.mean(data.rhos) - 1) < 5 * np.std(data.rhos) / np.sqrt(8000)


@pytest.mark.parametrize("behaviour", [None, uniform])
def test_on_policy_the_ratio_is_one(behaviour):
    data = bellwether.gym.stream(Corridor(4, limit=50), uniform, behaviour, place, 0.9, steps=50, seed=3)
    assert (data.rhos == 1).all() and (data.pis == 0.5).all() and (data.mus == 0.5).all()


def test_continuous_actions_have_ratios_of_densities():
    target, behaviour = Normal(0.5, 1), Normal(0, 2)
    data = bellwether.gym.stream(Pull(), target, behaviour, lambda o: [1.0], 0.9, steps=2000, seed=1)
    a = data.rewards
    expected = 2 * np.exp(-((a - 0.5) ** 2) / 2 + a**2 / 8)
    np.testing.assert_allclose(data.rhos, expected, rtol=1e-12)  # a few roundings of exp
    # the importance-weighted mean of the action is the target's, within 5 standard errors
    assert data.densities and "pis" not in data.keys()
    weighted = data.rhos * a
    assert abs(weighted.mean() - 0.5) < 5 * weighted.std() / np.sqrt(2000)


def test_discrete_actions_that_do_not_start_at_zero():
    env = Corridor(4, limit=50)
    env.action_space = gymnasium.spaces.Discrete(2, start=-1)
    seen = []
    env.step, step = lambda action: (seen.append(action), step(action + 1))[1], env.step
    data = bellwether.gym.stream(env, lambda o: [0.25, 0.75], uniform, place, 0.9, steps=50, seed=1)
    assert set(seen) == {-1, 0} and data.actions.tolist() == seen
    np.testing.assert_array_equal(data.pis, np.where(data.actions == -1, 0.25, 0.75))


def test_one_by_one_is_the_same_as_at_once():
    arguments = (Corridor(4, limit=6), lambda o: [0.3, 0.7], uniform, place, 0.9)
    data = bellwether.gym.stream(*arguments, steps=60, seed=5)
    count = 0
    for i, t in enumerate(bellwether.gym.steps(*arguments, steps=60, seed=5)):
        assert np.array_equal(t.x, data.X[i]) and np.array_equal(t.x_next, data.X_next[i])
        assert (t.reward, t.gamma, t.rho) == (data.rewards[i], data.gammas[i], data.rhos[i])
        assert (t.pi, t.mu, t.start) == (data.pis[i], data.mus[i], data.starts[i])
        assert (t.action, t.truncated, t.environment) == (data.actions[i], data.truncated[i], 0)
        count += 1
    assert count == 60


def test_one_by_one_may_go_on_for_ever():
    endless = bellwether.gym.steps(Corridor(4, limit=6), uniform, uniform, place, 0.9)
    assert sum(1 for _ in zip(range(500), endless)) == 500


def test_seeds():
    def draw(seed):
        return bellwether.gym.stream(Noise(), uniform, uniform, lambda o: o, 0.9, steps=64, seed=seed)

    same(draw(1), draw(1))
    assert not np.array_equal(draw(1).X, draw(2).X)
    assert not np.array_equal(draw(1).actions, draw(2).actions)


def test_the_behaviour_draws_other_numbers_than_the_environment():
    # Both from default_rng(1), an action would be 1 exactly where the draw of its observation, or the next, is >= 0.5.
    data = bellwether.gym.stream(Noise(), uniform, uniform, lambda o: o, 0.9, steps=200, seed=1)
    for draws in (data.X[:, 0], data.X_next[:, 0]):
        agreement = np.mean((draws >= 0.5) == (data.actions == 1))
        assert 0.3 < agreement < 0.7  # more than 5 standard deviations of 200 coins around 1/2


def test_active_indices_make_sparse_rows():
    data = bellwether.gym.stream(
        Corridor(4, limit=6), uniform, uniform, lambda o: [5, int(o[0])], 0.9, steps=30, seed=1, dimension=6
    )
    dense = bellwether.gym.stream(
        Corridor(4, limit=6), uniform, uniform, lambda o: np.eye(6)[int(o[0])] + np.eye(6)[5], 0.9, steps=30, seed=1
    )
    assert data.X.shape == (30, 2) and np.issubdtype(data.X.dtype, np.integer)
    np.testing.assert_array_equal(np.eye(6)[data.X].sum(axis=1), dense.X)
    np.testing.assert_array_equal(np.eye(6)[data.X_next].sum(axis=1), dense.X_next)


def test_one_active_index():
    data = bellwether.gym.stream(
        Corridor(4, limit=6), uniform, uniform, lambda o: int(o[0]), 0.9, steps=30, seed=1, dimension=6
    )
    np.testing.assert_array_equal(data.X, data.observations[:, 0])


def test_rows_of_different_length_make_a_sparse_matrix():
    pytest.importorskip("scipy")
    data = bellwether.gym.stream(
        Corridor(4, limit=6), uniform, uniform, lambda o: list(range(int(o[0]))), 0.9, steps=30, seed=1, dimension=6
    )
    np.testing.assert_array_equal(data.X.toarray(), data.observations > np.arange(6))


def cartpole(limit=12):
    return gymnasium.make("CartPole-v1", max_episode_steps=limit)


def lean_right(observation):
    return [0.2, 0.8] if observation[2] > 0 else [0.7, 0.3]


def vector(mode=None, count=3, limit=12, **options):
    """CartPoles that both fall and run out of time."""
    if mode is not None:
        options["autoreset_mode"] = mode
    return gymnasium.vector.SyncVectorEnv([lambda: cartpole(limit)] * count, **options)


def singles(count=3, limit=12, **size):
    return joined(
        [
            bellwether.gym.stream(cartpole(limit), lean_right, uniform, lambda o: o, 0.9, seed=7 + i, **size)
            for i in range(count)
        ]
    )


@pytest.mark.parametrize("copies", [True, False])
@pytest.mark.parametrize("mode", [None, *MODES])
def test_a_vector_environment_is_its_environments_one_after_the_other(mode, copies):
    data = bellwether.gym.stream(
        vector(mode, copy=copies), lean_right, uniform, lambda o: o, 0.9, steps=300, seed=7
    )
    same(data, singles(steps=100))
    assert data.truncated.any() and (data.gammas == 0).any()


@pytest.mark.parametrize("mode", [None, *MODES])
def test_the_episodes_of_a_vector_environment_are_shared_out(mode):
    data = bellwether.gym.stream(vector(mode), lean_right, uniform, lambda o: o, 0.9, episodes=12, seed=7)
    same(data, singles(episodes=4))
    ends = data.truncated | (data.gammas == 0)
    assert data.starts.sum() == 12 and ends.sum() == 12


def test_an_uneven_share():
    data = bellwether.gym.stream(vector(), lean_right, uniform, lambda o: o, 0.9, steps=5, seed=7)
    expected = [
        bellwether.gym.stream(cartpole(), lean_right, uniform, lambda o: o, 0.9, steps=n, seed=7 + i)
        for i, n in enumerate([2, 2, 1])
    ]
    same(data, joined(expected))


class Silent(gymnasium.vector.VectorEnv):
    """Resets in the same step and does not say so, as vector environments of Gymnasium 0.29 do."""

    def __init__(self, name):
        self.inner, self.name = vector("SameStep"), name
        self.metadata = {}
        self.num_envs = self.inner.num_envs
        for space in ("observation_space", "action_space", "single_observation_space", "single_action_space"):
            setattr(self, space, getattr(self.inner, space))

    def reset(self, *, seed=None, options=None):
        return self.inner.reset(seed=seed, options=options)

    def step(self, actions):
        *rest, infos = self.inner.step(actions)
        final = infos.pop("final_obs", None)
        if final is not None and self.name is not None:
            infos[self.name] = final
        return (*rest, infos)


# The stand-in is made of an environment in the mode SameStep, which Gymnasium has from 1.0 on; with 0.29 the tests above
# run on the real thing.
@pytest.mark.skipif("SameStep" not in MODES, reason="this Gymnasium has one mode")
def test_a_vector_environment_in_the_manner_of_0_29():
    arguments = (lean_right, uniform, lambda o: o, 0.9)
    same(bellwether.gym.stream(Silent("final_observation"), *arguments, steps=300, seed=7), singles(steps=100))
    silent = Silent(None)
    silent.metadata = {"autoreset_mode": "SameStep"}
    with pytest.raises(ValueError, match="truncated and reset in the same step, and its final observation is not"):
        bellwether.gym.stream(silent, *arguments, steps=300, seed=7)


# make_vec of 0.29 does not know the argument that asks for CartPole's own vector environment.
@pytest.mark.skipif(gymnasium.__version__.startswith("0."), reason="another name of the mode")
def test_a_vector_environment_with_an_implementation_of_its_own():
    env = gymnasium.make_vec("CartPole-v1", num_envs=4, vectorization_mode="vector_entry_point")
    data = bellwether.gym.stream(env, lean_right, uniform, lambda o: o, 0.9, episodes=20, seed=1)
    ends = np.flatnonzero(data.gammas == 0)
    assert len(ends) == 20 and data.starts.sum() == 20 and data.starts[0]
    np.testing.assert_array_equal(np.flatnonzero(data.starts)[1:], ends[:-1] + 1)
    # every transition follows from the one before it, and a fall is one: |x| > 2.4 or |angle| > 12 degrees
    inside = ~data.starts[1:]
    np.testing.assert_array_equal(data.X[1:][inside], data.X_next[:-1][inside])
    fallen = (np.abs(data.X_next[:, 0]) > 2.4) | (np.abs(data.X_next[:, 2]) > 12 * np.pi / 180)
    np.testing.assert_array_equal(fallen, data.gammas == 0)


def test_transitions_of_a_vector_environment_say_whose_they_are():
    seen = list(bellwether.gym.steps(vector(), lean_right, uniform, lambda o: o, 0.9, steps=300, seed=7))
    reference = singles(steps=100)
    for environment in range(3):
        own = [t for t in seen if t.environment == environment]
        part = slice(100 * environment, 100 * environment + 100)
        np.testing.assert_array_equal([t.x for t in own], reference.X[part])
        np.testing.assert_array_equal([t.x_next for t in own], reference.X_next[part])
        np.testing.assert_array_equal([t.start for t in own], reference.starts[part])


class Stuck(Normal):
    """Draws what it says it never does."""

    def probability(self, observation, action):
        return 0.0


@pytest.mark.parametrize(
    "changes, error, message",
    [
        ({"behaviour": lambda o: [0.5, 0.4]}, ValueError, r"behaviour: .*sum to 1, not to 0.9"),
        ({"target": lambda o: [0.5, 0.6]}, ValueError, r"target: .*sum to 1, not to 1.1"),
        ({"target": lambda o: [1.5, -0.5]}, ValueError, r"target: .*at least 0"),
        ({"target": lambda o: [np.nan, 1]}, ValueError, r"target: .*at least 0"),
        ({"target": lambda o: [0.2, 0.3, 0.5]}, ValueError, r"target: .*shape \(3,\), not \(2,\)"),
        ({"behaviour": lambda o: 1.0}, ValueError, r"behaviour: .*shape \(\), not \(2,\)"),
        ({"behaviour": lambda o: [1, 0]}, ValueError, r"takes action 1 with probability 0.5 and .* never does"),
        ({"behaviour": "uniform"}, TypeError, r"behaviour must be a function"),
        ({"target": 3}, TypeError, r"target must be a function"),
        ({"behaviour": Stuck(0, 1)}, ValueError, r"behaviour: it drew the action .* is 0.0"),
        ({"env": Pull()}, TypeError, r"target: the actions are Box.*, not discrete"),
        ({"env": "CartPole-v1"}, TypeError, r"env must be a Gymnasium environment, not str"),
        ({"gamma": 1.5}, ValueError, r"gamma must be in \[0, 1\], not 1.5"),
        ({"gamma": lambda o, a, n: -1}, ValueError, r"gamma must be in \[0, 1\], not -1"),
        ({"gamma": "high"}, TypeError, r"gamma must be a number or a function, not str"),
        ({"steps": None}, ValueError, r"steps or episodes must be given"),
        ({"steps": 0}, ValueError, r"steps must be a whole number of at least 1, not 0"),
        ({"episodes": 2.5}, ValueError, r"episodes must be a whole number of at least 1, not 2.5"),
        ({"seed": -1}, ValueError, r"seed must be a whole number of at least 0, not -1"),
        ({"features": 3}, TypeError, r"features must be a TileCoder, a FourierBasis, or a function"),
        ({"features": lambda o: [[1.0]]}, ValueError, r"features: .*shape \(1, 1\), not a vector"),
        ({"features": lambda o: [1.0] * int(1 + o[0])}, ValueError, r"features: it gave 2 features after 1"),
        ({"features": lambda o: [4], "dimension": 4}, ValueError, r"below the dimension 4"),
        ({"features": lambda o: [1, 1], "dimension": 4}, ValueError, r"must be different"),
        ({"features": lambda o: [0.5], "dimension": 4}, ValueError, r"must give whole numbers"),
        ({"dimension": 0}, ValueError, r"dimension must be a whole number of at least 1, not 0"),
    ],
)
def test_errors(changes, error, message):
    arguments = dict(env=Corridor(4, limit=6), target=uniform, behaviour=lambda o: [0.4, 0.6])
    arguments.update(features=place, gamma=0.9, steps=20, seed=1)
    with pytest.raises(error, match=message):
        bellwether.gym.stream(**{**arguments, **changes})
