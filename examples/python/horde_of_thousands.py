# %% [markdown]
# # Two thousand predictions from one stream
#
# A robot drives around a ring of 50 places. At each place it sees a light of some brightness. How bright will it be soon, and
# how bright in the long run? How soon does it come to place 17? A horde asks thousands of such questions at once and learns
# all the answers from the same steps, each of them as if it were alone.

# %%
import sys
import tempfile
import time
from pathlib import Path

import matplotlib
import numpy as np

import bellwether

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

figure = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "horde.png"

# %% [markdown]
# The stream: it goes on by one place with probability 0.9 and back with 0.1. A step brings the place as a feature, its number,
# and 50 signals: 1 at the place where the robot arrives, 0 elsewhere.

# %%
places, steps = 50, 20_000
rng = np.random.default_rng(1)
walk = np.concatenate([[0], np.cumsum(np.where(rng.random(steps) < 0.9, 1, -1))]) % places
arrivals = np.eye(places)[walk[1:]]

# %% [markdown]
# The questions: for each place, and for 40 horizons from one step to a hundred, how much of it is ahead? A discount of γ looks
# 1/(1 − γ) steps far. 50 · 40 = 2,000 predictions, each with a cumulant and a discount of its own, (steps, 2000) and (2000,).

# %%
horizons = np.geomspace(1, 100, 40)
discounts = np.repeat(1 - 1 / horizons, places)
cumulants = np.tile(arrivals, len(horizons))
horde = bellwether.Horde("to-td", dimension=places, predictions=len(discounts), alpha=0.1, lambda_=0.9)
began = time.perf_counter()
horde.learn(walk, cumulants, discounts, predictions=False)
print(f"{len(discounts):,} predictions × {steps:,} steps in {time.perf_counter() - began:.1f} s, {horde.diverged.sum()} diverged")

# %% [markdown]
# The robot and its ring are simple enough to know the answers: with P the transitions, place j's prediction at i is
# entry (i, j) of (I − γP)⁻¹P.

# %%
P = 0.9 * np.roll(np.eye(places), 1, axis=1) + 0.1 * np.roll(np.eye(places), -1, axis=1)
worst = 0.0
for k, horizon in enumerate(horizons):
    exact = np.linalg.solve(np.eye(places) - (1 - 1 / horizon) * P, P)
    learned = horde.weights[k * places : (k + 1) * places].T
    worst = max(worst, float(np.sqrt(np.mean((learned - exact) ** 2) / np.mean(exact**2))))
print(f"the error, over the size of the answers: {worst:.3f} for the worst horizon")

# %% [markdown]
# What is known of place 17, from everywhere and for some horizons.

# %%
for k in range(0, len(horizons), 13):
    exact = np.linalg.solve(np.eye(places) - (1 - 1 / horizons[k]) * P, P)
    (line,) = plt.plot(horde.weights[k * places + 17], "o", markersize=4)
    plt.plot(exact[:, 17], color=line.get_color(), label=f"{horizons[k]:.0f} steps ahead")
plt.xlabel("the robot is at place")
plt.ylabel("place 17, discounted")
plt.legend(title="line: exact")
plt.savefig(figure)
print("figure:", figure)
