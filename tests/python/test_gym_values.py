"""Values learned from streams of Gymnasium environments, next to Monte Carlo returns."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import bellwether  # noqa: E402
import bellwether.gym  # noqa: E402


def returns(stream):
    """The discounted sum of rewards from every step on, in a stream of whole episodes."""
    assert stream.gammas[-1] == 0 and not stream.truncated.any()
    sums = np.zeros(len(stream) + 1)
    for t in reversed(range(len(stream))):
        sums[t] = stream.rewards[t] + stream.gammas[t] * sums[t + 1]
    return sums[:-1]


def learned(algorithm, stream, dimension, alphas, **parameters):
    """A learner after one pass over the stream for each step size."""
    weights = np.zeros(dimension)
    for alpha in alphas:
        learner = bellwether.Learner(algorithm, dimension=dimension, alpha=alpha, **parameters)
        learner.weights = weights
        learner.learn(**stream, predictions=False)
        weights = learner.weights
    return learner


def balancing(probability):
    """Pushes the cart to where the pole falls, with this probability."""

    def policy(observation):
        falls_right = observation[2] + 0.2 * observation[3] > 0
        return [1 - probability, probability] if falls_right else [probability, 1 - probability]

    return policy


def pushing(probability):
    """Pushes the car in the direction in which it moves, with this probability."""

    def policy(observation):
        row = np.full(3, (1 - probability) / 2)
        row[2 if observation[1] >= 0 else 0] = probability
        return row

    return policy


def cart_coder():
    return bellwether.TileCoder([-2.4, -2, -0.21, -2], [2.4, 2, 0.21, 2], [3, 6, 6, 6], tilings=16)


def car_coder():
    return bellwether.TileCoder([-1.2, -0.07], [0.6, 0.07], [8, 8], tilings=8)


@pytest.fixture(scope="module")
def car():
    """MountainCar: a log of another policy, with a time limit, and whole episodes of the target policy."""
    coder = car_coder()
    env = gymnasium.make("MountainCar-v0")
    log = bellwether.gym.stream(env, pushing(0.9), pushing(0.7), coder, 0.99, steps=60_000, seed=1)
    endless = gymnasium.make("MountainCar-v0", max_episode_steps=1_000_000)
    check = bellwether.gym.stream(endless, pushing(0.9), None, coder, 0.99, episodes=100, seed=2)
    return coder, log, check


def test_mountain_car_off_policy(car):
    coder, log, check = car
    assert log.truncated.sum() > 100 and np.sum(log.gammas == 0) > 100
    truth = returns(check)
    alphas = [alpha / coder.active for alpha in (0.1, 0.05, 0.02, 0.01)]
    predictions = learned("gtd", log, coder.size, alphas, eta=0.01, lambda_=0.9).predict(check.X)

    # From the start the mean of 100 returns has a standard error of 0.55; 4 of them are 2.2, and the log, 60,000 steps
    # with ratios, adds about as much noise as 100 episodes do.
    assert abs(np.mean(predictions[check.starts]) - np.mean(truth[check.starts])) < 2.2 * np.sqrt(2)
    # Over all steps the returns (from about -90 to -1, deviation 22) scatter around their mean by 7: a prediction
    # cannot be nearer to them than that.
    assert np.sqrt(np.mean((predictions - truth) ** 2)) < 8.5
    assert np.corrcoef(predictions, truth)[0, 1] > 0.92


def test_without_ratios_it_is_the_behaviour_that_is_learned(car):
    coder, log, check = car
    alphas = [alpha / coder.active for alpha in (0.1, 0.05, 0.02, 0.01)]
    behaviour = dict(log, rhos=np.ones(len(log)), pis=None, mus=None)
    predictions = learned("td", behaviour, coder.size, alphas, lambda_=0.9).predict(check.X)
    # The careless driver takes about 85 discounted steps from the start, the target policy about 74.
    assert np.mean(predictions[check.starts]) < np.mean(returns(check)[check.starts]) - 5


@pytest.fixture(scope="module")
def cart():
    """CartPole: whole episodes of a policy that balances six times out of ten, about 40 steps each."""
    coder = cart_coder()
    endless = gymnasium.make("CartPole-v1", max_episode_steps=1_000_000)
    check = bellwether.gym.stream(endless, balancing(0.6), None, coder, 0.95, episodes=400, seed=2)
    return coder, check


def near(predictions, check):
    """Whether predictions agree with the returns of CartPole."""
    truth = returns(check)
    # From the start: the mean of 400 returns has a standard error of 0.17, and 4 of them are 0.68.
    assert abs(np.mean(predictions[check.starts]) - np.mean(truth[check.starts])) < 0.68
    # Over all steps, 12.3 on average: tiles that the log has hardly seen stay near the weights they began with, which
    # are zero. That costs about half a unit.
    assert abs(np.mean(predictions) - np.mean(truth)) < 1
    # The returns have a deviation of 5.5, and given the state one of 4.
    assert np.sqrt(np.mean((predictions - truth) ** 2)) < 4.5


def test_cart_pole_off_policy(cart):
    coder, check = cart
    env = gymnasium.make("CartPole-v1")
    log = bellwether.gym.stream(env, balancing(0.6), balancing(0.5), coder, 0.95, steps=60_000, seed=1)
    alphas = [alpha / coder.active for alpha in (0.3, 0.1, 0.05, 0.02, 0.01)]
    near(learned("gtd", log, coder.size, alphas, eta=0.01, lambda_=0.9).predict(check.X), check)


def test_a_vector_of_cart_poles_on_policy(cart):
    coder, check = cart
    # With a limit of 30 steps most episodes are cut off: the values are those of an endless pole all the same.
    envs = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make("CartPole-v1", max_episode_steps=30)] * 4)
    log = bellwether.gym.stream(envs, balancing(0.6), None, coder, 0.95, steps=60_000, seed=1)
    assert log.truncated.sum() > 500
    alphas = [alpha / coder.active for alpha in (0.3, 0.1, 0.05, 0.02, 0.01)]
    near(learned("to-td", log, coder.size, alphas, lambda_=0.9).predict(check.X), check)

    # Taken for terminations, the truncations say that nothing comes after 30 steps. That costs a third of the value.
    wrong = dict(log, gammas=np.where(log.truncated, 0, log.gammas))
    predictions = learned("to-td", wrong, coder.size, alphas, lambda_=0.9).predict(check.X)
    assert np.mean(predictions) < np.mean(returns(check)) - 3


def test_steps_learn_what_the_stream_does(cart):
    coder, check = cart
    arguments = (gymnasium.make("CartPole-v1", max_episode_steps=30), balancing(0.6), balancing(0.5), coder, 0.95)
    log = bellwether.gym.stream(*arguments, steps=1000, seed=1)
    at_once, one_by_one = (
        bellwether.Learner("gtd", dimension=coder.size, alpha=0.01, eta=0.1, lambda_=0.9) for _ in range(2)
    )
    at_once.learn(**log)
    for t in bellwether.gym.steps(*arguments, steps=1000, seed=1):
        if t.start:
            one_by_one.start()
        one_by_one.step(t.x, t.reward, t.gamma, t.x_next, t.rho)
    assert at_once.weights.tobytes() == one_by_one.weights.tobytes()


def test_a_stream_goes_into_a_sweep_as_it_is(cart):
    pytest.importorskip("pandas")
    coder, _ = cart
    envs = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make("CartPole-v1", max_episode_steps=30)] * 2)
    log = bellwether.gym.stream(envs, balancing(0.6), balancing(0.5), coder, 0.95, steps=2000, seed=1)
    table = bellwether.sweep(
        **log, algorithms=["gtd", "tb"], alpha=[0.001, 0.01], truth="returns", dimension=coder.size, weights=True
    )
    assert len(table) == 4 and np.isfinite(table["score"]).all()
    for row in table.itertuples():
        learner = bellwether.Learner(row.algorithm, dimension=coder.size, alpha=row.alpha)
        learner.learn(**log)
        np.testing.assert_array_equal(learner.weights, row.weights)
