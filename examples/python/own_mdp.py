# %% [markdown]
# # A problem of my own
#
# A machine runs, wears out and breaks. How good is a maintenance plan, judged by a log of how the machine is run today? Before
# trusting an algorithm with the log, try it where the answer is known: write the machine down as a finite MDP, solve it
# exactly, and learn from samples of it.

# %%
import sys
import tempfile
from pathlib import Path

import matplotlib
import numpy as np

import bellwether

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

figure = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "own_mdp.png"

# %% [markdown]
# Three states (new, worn, broken) and two actions (run, repair): the probability of every next state, and what is earned on
# the way. The command line takes such a machine as a file: `bellwether solve examples/models/machine.toml`.

# %%
NEW, WORN, BROKEN = range(3)
RUN, REPAIR = range(2)
transitions = np.zeros((3, 2, 3))
rewards = np.zeros((3, 2, 3))
transitions[NEW, RUN, [NEW, WORN]], rewards[NEW, RUN] = [0.7, 0.3], 10
transitions[NEW, REPAIR, NEW], rewards[NEW, REPAIR] = 1, -2
transitions[WORN, RUN, [WORN, BROKEN]], rewards[WORN, RUN, [WORN, BROKEN]] = [0.6, 0.4], [8, 2]
transitions[WORN, REPAIR, NEW], rewards[WORN, REPAIR] = 1, -4
transitions[BROKEN, RUN, BROKEN] = 1
transitions[BROKEN, REPAIR, [NEW, WORN]], rewards[BROKEN, REPAIR] = [0.05, 0.95], -20
plan = [[0.9, 0.1], [0.2, 0.8], [0.0, 1.0]]  # repair what is worn
today = [[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]]
machine = bellwether.problems.from_arrays(transitions, rewards, 0.95, target=plan, behaviour=today, name="machine")

# %% [markdown]
# What there is to know of it, exactly: what the plan is worth from each state, and for each algorithm whether its mean update
# converges (a growth rate below 0).

# %%
solution = machine.solve(lambda_=0.8)
as_today = bellwether.problems.from_arrays(transitions, rewards, 0.95, target=today).solve()
print("worth of the plan:", np.round(solution.v, 1), "  of today's ways:", np.round(as_today.v, 1))
for algorithm in ("off-policy-td", "gtd", "to-etd-beta"):
    print(f"{algorithm:14} growth rate {solution.growth_rate(algorithm):+.3f}")

# %% [markdown]
# Learning it from 5,000 steps of today's ways, with every step size of a sweep.

# %%
stream = machine.sample(5_000, seed=1)
table = bellwether.sweep(
    stream.X, stream.rewards, stream.gammas, stream.rhos,
    algorithms=["off-policy-td", "gtd", "to-etd-beta"],
    alpha=0.5 ** np.arange(1, 10), lambda_=[0, 0.4, 0.8], truth=solution.v[stream.states[:-1]],
)  # fmt: skip
best = table.loc[table.groupby("algorithm", sort=False)["score"].idxmin()]
print(best[["algorithm", "alpha", "lambda", "score"]].to_string(index=False))

# %% [markdown]
# How the error of the values falls with the best of them.

# %%
for row in best.to_dict("records"):
    parameters = {"alpha": row["alpha"], "lambda_": row["lambda"]}
    learner = bellwether.Learner(row["algorithm"], dimension=3, **parameters)
    errors = []
    for t in range(5_000):
        learner.step(stream.X[t], stream.rewards[t], stream.gammas[t], stream.X[t + 1], stream.rhos[t])
        errors.append(solution.rmsve(learner.weights))
    print(f"{row['algorithm']:14} error {solution.rmsve(np.zeros(3)):.1f} -> {np.mean(errors[-1000:]):.1f}")
    plt.plot(errors, label=f"{row['algorithm']}, α = {row['alpha']:g}, λ = {row['lambda']:g}")
plt.xlabel("step")
plt.ylabel("root mean squared error of the values")
plt.legend()
plt.savefig(figure)
print("figure:", figure)
