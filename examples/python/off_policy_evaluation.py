# %% [markdown]
# # What is a policy worth that nobody has tried?
#
# `examples/data/walk.csv` is a log of 704 walks over five places. Each begins in the middle and goes left or right by
# the toss of a coin until it falls off: -1 on the left, 1 on the right. Would a walker who goes right with
# probability 0.6 do better? The log tells, although no such walker is in it: each row has the probability of its action
# under the policy that is asked about (`pi`) and under the one that acted (`mu`).

# %%
from pathlib import Path

import numpy as np

import bellwether

data = Path(__file__).resolve().parents[1] / "data"
log = np.genfromtxt(data / "walk.csv", delimiter=",", names=True)
truth = np.genfromtxt(data / "walk-values.csv", delimiter=",", names=True)["value"]

# %% [markdown]
# The stream: N steps lead through N + 1 rows of features. Where a walk ends (`gamma` 0) it does not matter what comes
# next, so the first row of the next walk serves; the last row of the log ends a walk, and any row serves for it.

# %%
X = np.stack([log[f"x{i}"] for i in range(5)], axis=1)
X = np.vstack([X, X[:1]])
rewards, gammas, pis, mus = (log[name] for name in ("reward", "gamma", "pi", "mu"))
print(f"{len(rewards)} steps, {np.sum(gammas == 0)} walks, mean reward at the end {rewards[gammas == 0].mean():+.3f}")

# %% [markdown]
# Every algorithm goes over the log twenty times, with a step size that falls with each pass.

# %%
passes = 20


def values(algorithm, ratios=True, alpha=0.05, **parameters):
    """The learned value of each place."""
    policies = {"pis": pis, "mus": mus} if ratios else {}
    weights = np.zeros(5)
    for k in range(passes):
        learner = bellwether.Learner(algorithm, dimension=5, alpha=alpha / (1 + k), **parameters)
        learner.weights = weights
        learner.learn(X, rewards, gammas, predictions=False, **policies)
        weights = learner.weights
    return weights


estimates = {
    "TD, as if on-policy": values("td", ratios=False, lambda_=0.8),
    "off-policy TD": values("off-policy-td", lambda_=0.8),
    "GTD": values("gtd", eta=0.1, lambda_=0.8),
    "true-online GTD": values("to-gtd", eta=0.1, lambda_=0.8),
    "HTD": values("htd", eta=0.1, lambda_=0.8),
    "tree backup": values("tb", lambda_=0.8),
}

# %%
print(f"{'':20}" + "".join(f"  place {i}" for i in range(5)) + "   error")
print(f"{'exact':20}" + "".join(f"{v:9.3f}" for v in truth))
errors = {}
for name, estimate in estimates.items():
    errors[name] = float(np.sqrt(np.mean((estimate - truth) ** 2)))
    print(f"{name:20}" + "".join(f"{v:9.3f}" for v in estimate) + f"{errors[name]:8.3f}")
