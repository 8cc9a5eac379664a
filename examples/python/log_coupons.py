# %% [markdown]
# # Should we send more coupons?
#
# A shop writes to its customers every week, with or without a coupon. Who gets one is decided by people, by rules that
# nobody wrote down. Now somebody wants to send coupons to those who have not bought for a while, and hardly any to those
# who buy anyway. What would that be worth? Nobody has tried, but there is a log. This is the example of docs/evaluate.md.

# %%
import sys
import tempfile
from pathlib import Path

import numpy as np

import bellwether

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp())
NEW, REGULAR, DORMANT, GONE = range(4)
discount = 0.95  # a euro next week is worth 95 cents today

# %% [markdown]
# How customers really behave, which nobody in the shop knows: where they go from each state, without and with a coupon.

# %%
moves = np.array(
    [
        [[0.0, 0.40, 0.40, 0.20], [0.0, 0.60, 0.30, 0.10]],
        [[0.0, 0.78, 0.15, 0.07], [0.0, 0.82, 0.11, 0.07]],
        [[0.0, 0.08, 0.62, 0.30], [0.0, 0.30, 0.50, 0.20]],
    ]
)
spent, coupon = 20.0, 5.0  # by one who buys, on average; and what a coupon takes off
habit = np.array([0.5, 0.3, 0.3])  # how often people sent one, by the customer's state
plan = np.array([0.5, 0.1, 0.8])  # how often the new policy would

# %% [markdown]
# The log: three columns say what a customer is, then what was done and what came of it. `gamma` is the discount, and 0
# when the customer leaves for good. `pi0` and `pi1` are what the new policy would do there.

# %%
rng = np.random.default_rng(1)


def customers(count, probabilities):
    """Their weeks: state, action, reward, discount."""
    weeks = []
    for _ in range(count):
        state = NEW
        while state != GONE:
            action = int(rng.random() < probabilities[state])
            after = int(np.sum(rng.random() > np.cumsum(moves[state, action])[:-1]))
            bought = 2 * spent * rng.random() - coupon * action if after == REGULAR else 0.0
            weeks.append((state, action, round(bought, 2), discount if after != GONE else 0.0))
            state = after
    return weeks


def write(file, weeks, policy):
    """The log as CSV, with the probabilities of a policy."""
    with open(folder / file, "w", encoding="utf-8") as out:
        out.write("x0,x1,x2,action,reward,gamma,pi0,pi1\n")
        for state, action, reward, gamma in weeks:
            x = ",".join(str(int(state == place)) for place in (NEW, REGULAR, DORMANT))
            out.write(f"{x},{action},{reward},{gamma},{1 - policy[state]:g},{policy[state]:g}\n")


weeks = customers(1_000, habit)
write("coupons.csv", weeks, plan)

# %% [markdown]
# The question, as `bellwether evaluate coupons.csv --behaviour counts` asks it. What the shop does today is worth the
# average of the log itself.

# %%
log = bellwether.Log.read(folder / "coupons.csv")
today = bellwether.evaluate(log, target="behaviour")
evaluation = bellwether.evaluate(log, behaviour="counts")
print(evaluation)
print(f"today: {today.answer['estimate']:.1f} ({today.answer['lower']:.1f} to {today.answer['upper']:.1f})")
print("page:", evaluation.report(folder / "coupons.html"))

# %% [markdown]
# A bolder plan, a coupon for everyone every week, is further from what the log shows: the verdict says what that costs.

# %%
write("everyone.csv", weeks, np.ones(3))
everyone = bellwether.evaluate(bellwether.Log.read(folder / "everyone.csv"), behaviour="counts")
print(everyone.sentence)

# %% [markdown]
# And had nobody ever sent a coupon to those who have not bought for a while, no log of theirs could tell.

# %%
write("never.csv", customers(1_000, np.array([0.5, 0.3, 0.0])), plan)
never = bellwether.evaluate(bellwether.Log.read(folder / "never.csv"), behaviour="counts")
print(never.sentence)

# %% [markdown]
# The truth, by the equations of the chain: v = r + γ P v.


# %%
def truth(policy):
    """What a new customer is worth."""
    weights = np.stack([1 - policy, policy], axis=1)
    P = np.einsum("sa,sat->st", weights, moves)
    r = sum(weights[:, a] * moves[:, a, REGULAR] * (spent - coupon * a) for a in range(2))
    return np.linalg.solve(np.eye(3) - discount * P[:, :3], r)[NEW]


print(f"truth: today {truth(habit):.1f}, the plan {truth(plan):.1f}, everyone {truth(np.ones(3)):.1f}")
