# %% [markdown]
# # Which step size for my data?
#
# A log is all there is: no simulator, and no true values. `bellwether.sweep` runs every configuration over the log,
# each in a SIMD lane, and compares what it predicts in each step, before it learns from the step, with what came of it: the
# return, weighted by the importance ratios. Returns are noisy, but the noise is the same for all configurations.

# %%
import sys
import tempfile
from pathlib import Path

import matplotlib
import numpy as np

import bellwether

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

figure = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "step_sizes.png"

# %% [markdown]
# The log of `off_policy_evaluation.py`: 704 walks over five places.

# %%
data = Path(__file__).resolve().parents[1] / "data"
log = np.genfromtxt(data / "walk.csv", delimiter=",", names=True)
X = np.stack([log[f"x{i}"] for i in range(5)], axis=1)
X = np.vstack([X, X[:1]])
stream = {"X": X, "rewards": log["reward"], "gammas": log["gamma"], "pis": log["pi"], "mus": log["mu"]}

# %%
grid = {
    "algorithms": ["off-policy-td", "gtd", "htd", "vtrace"],
    "alpha": 0.5 ** np.arange(0, 12),
    "eta": [0.01, 0.1, 1],
    "lambda_": [0, 0.5, 0.9, 1],
}
table = bellwether.sweep(**stream, **grid, truth="returns")
best = table.sort_values("score").groupby("algorithm", sort=False).first()
print(f"{len(table)} configurations over {len(log)} steps, {table['diverged'].sum()} diverged")
print(best[["alpha", "eta", "lambda", "score"]].to_string())

# %% [markdown]
# This walk is simple enough to know its true values: the choice can be checked. In earnest it cannot, and need not.

# %%
values = np.genfromtxt(data / "walk-values.csv", delimiter=",", names=True)["value"]
exact = bellwether.sweep(**stream, **grid, truth=X[:-1] @ values)
chosen = exact.loc[table["score"].idxmin()]
print(
    f"chosen by returns: {chosen['algorithm']} with alpha {chosen['alpha']:g}, true error {chosen['score']:.4f}; "
    f"the best there is {exact['score'].min():.4f}, the median {exact['score'].median():.4f}"
)

# %%
for algorithm, rows in table.groupby("algorithm", sort=False):
    by_alpha = rows.groupby("alpha")["score"].min()
    plt.plot(by_alpha.index, by_alpha.to_numpy(), "o-", label=algorithm)
plt.xscale("log", base=2)
plt.ylim(table["score"].min() * 0.98, table["score"].min() * 1.3)
plt.xlabel("step size, with the best of the other parameters")
plt.ylabel("root mean squared difference to the returns")
plt.legend()
plt.savefig(figure)
print("figure:", figure)
