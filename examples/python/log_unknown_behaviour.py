# %% [markdown]
# # A log that does not say how likely its actions were
#
# Walkers over five places start in the middle and go left or right until they fall off: -1 on the left, 1 on the right.
# The ground is slippery: one step in ten goes the other way. They lean to the left, the more the further left they are;
# how much, the log does not say. What would a walker be worth who means to go right seven times out of ten?

# %%
import sys
import tempfile
from pathlib import Path

import numpy as np

import bellwether

page = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "walk.html"
places, walks, slip = 5, 400, 0.1
leaning = np.linspace(0.35, 0.5, places)  # probability to go right: the log's owner does not know it
right = 0.7  # that of the walker who is asked about

# %% [markdown]
# The log: where they were, what they did, what came of it. 0 is left, 1 is right.

# %%
rng = np.random.default_rng(1)
where, actions, rewards, gammas = [], [], [], []
for _ in range(walks):
    place = places // 2
    while 0 <= place < places:
        action = int(rng.random() < leaning[place])
        where.append(place)
        actions.append(action)
        place += (2 * action - 1) * (-1 if rng.random() < slip else 1)
        rewards.append(-1.0 if place < 0 else 1.0 if place == places else 0.0)
        gammas.append(float(0 <= place < places))
X = np.eye(places)[where]
log = bellwether.Log.from_arrays(X, rewards, gammas, actions=actions)
print(log)
print(f"the walkers of the log got {np.sum(rewards) / walks:+.3f} on average")

# %% [markdown]
# The behaviour is fitted: how often each action was taken in each place. The target is a function of the rows of features.


# %%
def walker(rows):
    """Probabilities of left and right."""
    return np.tile([1 - right, right], (len(rows), 1))


evaluation = bellwether.evaluate(log, target=walker, behaviour="counts")
print(evaluation)

# %% [markdown]
# The truth, from the equations of the walk: v(s) = (1 - p) v(s - 1) + p v(s + 1), where p is the share of the steps that
# end up on the right.

# %%
p = right * (1 - slip) + (1 - right) * slip
P = p * np.eye(places, k=1) + (1 - p) * np.eye(places, k=-1)
ends = np.zeros(places)
ends[0], ends[-1] = -(1 - p), p
truth = np.linalg.solve(np.eye(places) - P, ends)
values, errors = evaluation.values(np.eye(places))
answer = evaluation.answer
print(f"verdict: {evaluation.verdict}; answer {answer['estimate']:.3f}, truth {truth[places // 2]:.3f}")
for place in range(places):
    print(f"place {place}: {values[place]:+.3f} with a standard error of {errors[place]:.3f}, truth {truth[place]:+.3f}")

# %% [markdown]
# Everything on a page: how well the fitted behaviour is calibrated, what the log's walks count for after so many steps.

# %%
print("page:", evaluation.report(page))
