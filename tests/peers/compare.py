"""The numbers of `bellwether evaluate` beside those of SCOPE-RL and of the Open Bandit Pipeline on the same logs.

    python tests/peers/compare.py build/release/bin/bellwether tests/data/logs

Both get the action values that the estimates are cross-fitted with, row by row, computed here from the definitions.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from obp import ope as obp
from scope_rl.ope import discrete as scope_rl

FOLDS, LAMBDA, RIDGE = 5, 0.9, 1e-9
TOLERANCE = 1e-9  # relative; SCOPE-RL adds 1e-10 to its denominators


class Log:
    """A log of episodes that all end, as arrays."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        names = list(rows[0])

        def columns(prefix):
            chosen = [name for name in names if name.startswith(prefix) and name[len(prefix) :].isdigit()]
            return np.array([[float(row[name]) for name in chosen] for row in rows])

        self.x, self.target = columns("x"), columns("pi")
        self.reward, self.gamma, self.mu = (np.array([float(row[name]) for row in rows]) for name in ("reward", "gamma", "mu"))
        self.action = np.array([int(row["action"]) for row in rows])
        ends = np.flatnonzero(self.gamma == 0) + 1
        self.episodes = list(zip(np.concatenate([[0], ends[:-1]]), ends))
        self.rho = self.target[np.arange(len(rows)), self.action] / self.mu

    def blocks(self, shares):
        """x in every block, times the block's share."""
        return (shares[:, :, None] * self.x[:, None, :]).reshape(len(self.x), -1)


def cross_fitted_values(log):
    """q(s, a) of every row by least squares with cut traces on the other folds (src/logs/value_model.hpp)."""
    taken, expected = log.blocks(np.eye(log.target.shape[1])[log.action]), log.blocks(log.target)
    size = taken.shape[1]
    A, b = np.zeros((FOLDS, size, size)), np.zeros((FOLDS, size))
    for i, (first, end) in enumerate(log.episodes):
        trace = np.zeros(size)
        for t in range(first, end):
            decay = log.gamma[t - 1] * LAMBDA * min(1, log.rho[t]) if t > first else 0
            trace = taken[t] + decay * trace
            after = log.gamma[t] * expected[t + 1] if t + 1 < end else 0
            A[i % FOLDS] += np.outer(trace, taken[t] - after)
            b[i % FOLDS] += trace * log.reward[t]
    ridge = RIDGE * (log.x**2).sum() / log.x.shape[1] * np.eye(size)
    q = np.zeros(log.target.shape)
    for k in range(FOLDS):
        others = [fold for fold in range(FOLDS) if fold != k]
        w = np.linalg.solve(A[others].sum(axis=0) + ridge, b[others].sum(axis=0)).reshape(log.target.shape[1], -1)
        for first, end in log.episodes[k::FOLDS]:
            q[first:end] = log.x[first:end] @ w.T
    return q


def of_scope_rl(log, q):
    """Episodes of one length."""
    lengths = {end - first for first, end in log.episodes}
    assert len(lengths) == 1, lengths
    given = {
        "step_per_trajectory": int(lengths.pop()),
        "action": log.action,
        "reward": log.reward,
        "pscore": log.mu,
        "evaluation_policy_action_dist": log.target,
        "state_action_value_prediction": q,
        "gamma": float(log.gamma[0]),
    }
    estimators = {
        "is": scope_rl.TrajectoryWiseImportanceSampling,
        "pdis": scope_rl.PerDecisionImportanceSampling,
        "wis": scope_rl.SelfNormalizedTIS,
        "wpdis": scope_rl.SelfNormalizedPDIS,
        "dr-q": scope_rl.DoublyRobust,
        "wdr-q": scope_rl.SelfNormalizedDR,
    }
    return {name: float(estimator().estimate_policy_value(**given)) for name, estimator in estimators.items()}


def of_obp(log, q):
    """Episodes of one step."""
    given = {
        "reward": log.reward,
        "action": log.action,
        "position": np.zeros(len(log.reward), dtype=int),
        "pscore": log.mu,
        "action_dist": log.target[:, :, None],
        "estimated_rewards_by_reg_model": q[:, :, None],
    }
    estimators = {
        "is": obp.InverseProbabilityWeighting,
        "wis": obp.SelfNormalizedInverseProbabilityWeighting,
        "dr-q": obp.DoublyRobust,
        "wdr-q": obp.SelfNormalizedDoublyRobust,
    }
    return {name: float(estimator().estimate_policy_value(**given)) for name, estimator in estimators.items()}


def main(program, folder):
    worst = 0.0
    for name, peer, estimates_of in (("layers", "SCOPE-RL", of_scope_rl), ("bandit", "obp", of_obp)):
        path = Path(folder) / f"{name}.csv"
        with tempfile.TemporaryDirectory() as out:
            command = [program, "evaluate", str(path), "--json", "--no-report", "--quiet", "--out", out]
            ours = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["estimates"]
        log = Log(path)
        for estimate, theirs in estimates_of(log, cross_fitted_values(log)).items():
            difference = abs(ours[estimate]["estimate"] - theirs) / abs(theirs)
            worst = max(worst, difference)
            print(f"{name:8} {estimate:6} bellwether {ours[estimate]['estimate']:.15f}  {peer} {theirs:.15f}  {difference:.1e}")
    print(f"largest relative difference {worst:.1e}, and at most {TOLERANCE:g} is asked for")
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
