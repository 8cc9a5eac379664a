# %% [markdown]
# # A dataset of CartPole in Minari's format, with tile coding
#
# A pole stands on a cart. The cart is pushed left or right at every step, and the episode ends when the pole has fallen
# by 12 degrees. The dataset comes from a careless controller that pushes to the side to which the pole leans, three times
# out of four. What would one be worth that also looks at how fast the pole moves, and is less careless?

# %%
import os
import sys
import tempfile
from pathlib import Path

import gymnasium
import minari
import numpy as np
from minari.data_collector import EpisodeBuffer

import bellwether

page = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "cartpole.html"
os.environ["MINARI_DATASETS_PATH"] = tempfile.mkdtemp()  # where Minari keeps datasets: here, for this example only
gamma, episodes = 0.98, 500


def careless(observations):
    """The behaviour: probabilities of left and right, a row for each observation."""
    right = np.where(observations[:, 2] > 0, 0.75, 0.25)
    return np.column_stack([1 - right, right])


def attentive(observations):
    """The target."""
    right = np.where(observations[:, 2] + 0.3 * observations[:, 3] > 0, 0.85, 0.15)
    return np.column_stack([1 - right, right])


def play(env, policy, seed):
    """An episode: observations, one more than actions and rewards, and whether the pole fell."""
    random = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    observations, actions, rewards, fell, over = [observation], [], [], False, False
    while not (fell or over):
        actions.append(int(random.random() < policy(observations[-1][None])[0, 1]))
        observation, reward, fell, over, _ = env.step(actions[-1])
        observations.append(observation)
        rewards.append(float(reward))
    return np.array(observations), np.array(actions), np.array(rewards), fell


# %% [markdown]
# The dataset, made here; any dataset of Minari's with discrete actions will do, by its id.

# %%
env = gymnasium.make("CartPole-v1")
played = [play(env, careless, seed) for seed in range(episodes)]
dataset = minari.create_dataset_from_buffers(
    "cartpole/careless-v0",
    [
        EpisodeBuffer(
            id=number,
            observations=observations,
            actions=actions,
            rewards=list(rewards),
            terminations=[False] * (len(rewards) - 1) + [fell],
            truncations=[False] * (len(rewards) - 1) + [not fell],
        )
        for number, (observations, actions, rewards, fell) in enumerate(played)
    ],
    env=env,
    eval_env="CartPole-v1",
    algorithm_name="careless",
    description="A controller that pushes to the side to which the pole leans, three times out of four",
)

# %% [markdown]
# Angle and angular velocity in four tilings of 6 x 6 tiles (and one more to shift them): 196 features. The reward is 1 as
# long as the pole stands; a fall has discount 0.

# %%
coder = bellwether.TileCoder(lower=[-0.21, -2.5], upper=[0.21, 2.5], tiles=[6, 6], tilings=4)


def features(observations):
    """Vectors of zeros and ones, of a whole episode at once."""
    rows = np.zeros((len(observations), coder.size))
    np.put_along_axis(rows, coder.encode(np.float64(observations[:, 2:])).astype(np.int64), 1, axis=1)
    return rows


features.batch = True
log = bellwether.Log.from_minari("cartpole/careless-v0", features, gamma)
print(log)

# %% [markdown]
# Datasets of Minari's have no probabilities. Both policies are known here, in every state; the behaviour could be fitted
# as well (`behaviour="logistic"`). After some steps none of the episodes is like one of the target's: what comes later
# rests on learned values, and the verdict says so.

# %%
steps = np.concatenate([observations[:-1] for observations, *_ in played])
rows = np.concatenate([observations[:-1] if fell else observations for observations, *_, fell in played])
evaluation = bellwether.evaluate(log, target=attentive(rows), behaviour=careless(steps))
print(evaluation)
print("page:", evaluation.report(page))

# %% [markdown]
# The check that a log's owner does not have: the target itself.

# %%
checked = [play(env, attentive, seed) for seed in range(episodes, episodes + 300)]


def returns(found):
    """What each episode got, discounted."""
    return np.array([rewards @ gamma ** np.arange(len(rewards)) for _, _, rewards, _ in found])


own, of_target, answer = returns(played), returns(checked), evaluation.answer
print(
    f"verdict {evaluation.verdict}: {answer['estimate']:.2f} ({answer['lower']:.2f} to {answer['upper']:.2f}), "
    f"the target itself got {of_target.mean():.2f} with a standard error of {of_target.std() / len(of_target) ** 0.5:.2f}"
)
print(f"the log's own controller got {own.mean():.2f}")
