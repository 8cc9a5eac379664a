# %% [markdown]
# # Baird's counterexample
#
# Seven states, eight weights, all rewards 0: the values are 0, and can be represented. Off-policy TD diverges all the
# same; gradient methods do not: they descend on the projected Bellman error.

# %%
import sys
import tempfile
from pathlib import Path

import matplotlib

import bellwether

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

figure = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "baird.png"

# %%
problem = bellwether.problems.make("baird")
solution, stream = problem.solve(), problem.sample(2000, seed=1)
algorithms = {"off-policy-td": {}, "gtd": {"eta": 16}, "gtd2-mp": {"eta": 16}, "tdrc": {}}
errors = {}
for algorithm, parameters in algorithms.items():
    learner = bellwether.Learner(algorithm, dimension=8, alpha=0.01, **parameters)
    learner.weights = problem.initial_weights
    error = errors[algorithm] = [solution.rmspbe(learner.weights)]
    for t in range(2000):
        learner.step(stream.X[t], stream.rewards[t], stream.gammas[t], stream.X[t + 1], stream.rhos[t])
        error.append(solution.rmspbe(learner.weights))
    plt.semilogy(error, label=algorithm)
plt.xlabel("step")
plt.ylabel("root mean squared projected Bellman error")
plt.legend()
plt.savefig(figure)

# %% [markdown]
# What the mean update says beforehand: below 0 it converges, above 0 it diverges.

# %%
for algorithm, parameters in algorithms.items():
    rate = solution.growth_rate(algorithm, **parameters)
    print(f"{algorithm:14} error {errors[algorithm][0]:.2f} -> {errors[algorithm][-1]:.3g}, growth rate {rate:+.1e}")
print("figure:", figure)
