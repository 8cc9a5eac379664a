# %% [markdown]
# # A Gymnasium task with tile coding
#
# In MountainCar a weak engine has to get a car out of a valley, at a cost of 1 per step. The policy in question pushes
# in the direction in which the car moves, nine times out of ten. What does it cost from each position and velocity,
# with discount 0.99? The data come from a careless driver, who pushes that way seven times out of ten, and whom the
# environment stops after 200 steps. That is a truncation and not an end: the costs go on, unseen.

# %%
import sys
import tempfile
from pathlib import Path

import gymnasium
import matplotlib
import numpy as np

import bellwether

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

figure = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "mountain_car.png"
gamma = 0.99


def pushing(probability):
    """A policy that pushes in the direction of the velocity with this probability."""

    def policy(observation):
        row = np.full(3, (1 - probability) / 2)
        row[2 if observation[1] >= 0 else 0] = probability
        return row

    return policy


target, behaviour = pushing(0.9), pushing(0.7)

# %% [markdown]
# The stream: eight tilings of 8 x 8 tiles, importance ratios, truncations.

# %%
coder = bellwether.TileCoder(lower=[-1.2, -0.07], upper=[0.6, 0.07], tiles=[8, 8], tilings=8)
env = gymnasium.make("MountainCar-v0")
stream = bellwether.gym.stream(env, target, behaviour, coder, gamma, steps=60_000, seed=1)
print(
    f"{len(stream)} steps, {np.sum(stream.gammas == 0)} arrivals, {np.sum(stream.truncated)} truncations, "
    f"ratios from {stream.rhos.min():.2f} to {stream.rhos.max():.2f}"
)

# %% [markdown]
# GTD(λ) goes over it a few times, with smaller steps each time.

# %%
weights = np.zeros(coder.size)
for alpha in (0.05, 0.02, 0.01, 0.005):
    learner = bellwether.Learner("gtd", dimension=coder.size, alpha=alpha / 8, eta=0.01, lambda_=0.9)
    learner.weights = weights
    learner.learn(**stream, predictions=False)
    weights = learner.weights

# %% [markdown]
# The check: episodes of the target policy itself, without a time limit, and what it really cost from every step on.

# %%
endless = gymnasium.make("MountainCar-v0", max_episode_steps=100_000)
check = bellwether.gym.stream(endless, target, target, coder, gamma, episodes=100, seed=2)
costs = np.zeros(len(check) + 1)
for t in reversed(range(len(check))):
    costs[t] = check.rewards[t] + check.gammas[t] * costs[t + 1]
costs = costs[:-1]
predictions = learner.predict(check.X)
first = check.starts
print(f"from the start: predicted {predictions[first].mean():.1f}, Monte Carlo {costs[first].mean():.1f}")
print(f"over all steps: root mean squared difference {np.sqrt(np.mean((predictions - costs) ** 2)):.1f}")

# %%
plt.figure(figsize=(5, 5))
plt.plot(costs[::7], predictions[::7], ".", markersize=2)
plt.plot([costs.min(), 0], [costs.min(), 0], "k-", linewidth=1)
plt.xlabel("Monte Carlo return")
plt.ylabel("prediction")
plt.savefig(figure)
print("figure:", figure)
