# %% [markdown]
# # A log that cannot tell, and what to log next time
#
# A shop shows one of three offers to each visitor. Its rules never show offer 2 to a visitor who comes back; somebody
# asks what it would be worth to show it to them now and then. No method can know: the log has no such case. What should
# the shop have done?

# %%
import numpy as np

import bellwether

rng = np.random.default_rng(3)
visitors = 2_000


def worth(returning, offer):
    """What an offer earns on average: known to nobody in the shop."""
    return np.where(returning == 1, np.array([1.0, 0.8, 1.6])[offer], np.array([0.5, 0.9, 0.7])[offer])


def rules(returning, exploration):
    """Probabilities of the offers: what the shop does, and a little of everything."""
    usual = np.where(returning[:, None] == 1, [0.5, 0.5, 0.0], [0.4, 0.3, 0.3])
    return (1 - exploration) * usual + exploration / 3


def visit(exploration):
    """A log: each visit is an episode of one step."""
    returning = rng.integers(0, 2, visitors)
    probabilities = rules(returning, exploration)
    offer = (rng.random((visitors, 1)) > probabilities.cumsum(axis=1)).sum(axis=1)
    earned = worth(returning, offer) + rng.normal(0, 0.5, visitors)
    X = np.eye(2)[returning]
    return bellwether.Log.from_arrays(X, earned, np.zeros(visitors), actions=offer, mus=probabilities)


# %% [markdown]
# The policy in question: offer 2 for one in four of those who come back, everything else as it is.


# %%
def asked(rows):
    """Probabilities of the offers for rows (new, returning)."""
    return np.where(rows[:, 1:] == 1, [0.375, 0.375, 0.25], [0.4, 0.3, 0.3])


evaluation = bellwether.evaluate(visit(exploration=0.0), target=asked)
print(evaluation.verdict)
print(evaluation.sentence)
print("an answer:", evaluation.answer)

# %% [markdown]
# Next time: each offer to one visitor in twenty, by chance, whatever the rules say. That costs little, and the same
# question has an answer.

# %%
evaluation = bellwether.evaluate(visit(exploration=0.05), target=asked)
answer = evaluation.answer
both = np.array([0, 1])
truth = float(np.mean((asked(np.eye(2)) * np.stack([worth(both, np.full(2, k)) for k in range(3)], axis=1)).sum(axis=1)))
print(evaluation.verdict)
print(evaluation.sentence)
print(f"interval {answer['lower']:.3f} to {answer['upper']:.3f}, truth {truth:.3f}")
