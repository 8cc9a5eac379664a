# %% [markdown]
# # A log of CartPole, with tile coding
#
# A pole stands on a cart. The cart is pushed left or right at every step, and the episode ends when the pole has fallen
# by 12 degrees. The log comes from a careless controller that pushes to the side to which the pole leans, three times
# out of four. What would one be worth that also looks at how fast the pole moves, and is less careless?

# %%
import sys
import tempfile
from pathlib import Path

import gymnasium
import numpy as np

import bellwether

page = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "cartpole.html"
gamma, episodes = 0.98, 500


def careless(observation):
    """The behaviour: probabilities of left and right."""
    return [0.25, 0.75] if observation[2] > 0 else [0.75, 0.25]


def attentive(observation):
    """The target."""
    return [0.15, 0.85] if observation[2] + 0.3 * observation[3] > 0 else [0.85, 0.15]


# %% [markdown]
# Angle and angular velocity in four tilings of 6 x 6 tiles (and one more to shift them): 196 features. The reward is 1 as long as the pole stands; a
# fall has discount 0.

# %%
coder = bellwether.TileCoder(lower=[-0.21, -2.5], upper=[0.21, 2.5], tiles=[6, 6], tilings=4)


def features(observation):
    """A vector of zeros and ones."""
    x = np.zeros(coder.size)
    x[coder.encode(observation[2:])] = 1
    return x


env = gymnasium.make("CartPole-v1")
seen = bellwether.gym.stream(env, attentive, careless, features, gamma, episodes=episodes, seed=1)
log = bellwether.Log.from_arrays(
    seen.X, seen.rewards, seen.gammas, X_next=seen.X_next, starts=seen.starts, actions=seen.actions, pis=seen.pis, mus=seen.mus
)
print(log)

# %% [markdown]
# After some steps none of the episodes is like one of the target's: what comes later rests on learned values, and the
# verdict says so.

# %%
evaluation = bellwether.evaluate(log)
print(evaluation)
print("page:", evaluation.report(page))

# %% [markdown]
# The check that a log's owner does not have: the target itself.

# %%
check = bellwether.gym.stream(env, attentive, attentive, features, gamma, episodes=300, seed=2)


def returns(stream):
    """What each episode got, discounted."""
    found, discount = [], 1.0
    for reward, discount_after, start in zip(stream.rewards, stream.gammas, stream.starts):
        if start:
            found.append(0.0)
            discount = 1.0
        found[-1] += discount * reward
        discount *= discount_after
    return np.array(found)


own, of_target, answer = returns(seen), returns(check), evaluation.answer
print(
    f"verdict {evaluation.verdict}: {answer['estimate']:.2f} ({answer['lower']:.2f} to {answer['upper']:.2f}), "
    f"the target itself got {of_target.mean():.2f} with a standard error of {of_target.std() / len(of_target) ** 0.5:.2f}"
)
print(f"the log's own controller got {own.mean():.2f}")
