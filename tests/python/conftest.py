"""What the tests share: example parameters, random streams, the recorded streams of tests/data."""

import csv
import os
import pathlib
import re
import signal

import numpy as np
import pytest

# Tests interrupt themselves. What a shell runs in the background ignores that, and so would all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def _examples():
    """By algorithm, the parameters of its row in tests/core/conformance_rows.hpp."""
    text = (DATA.parent / "core" / "conformance_rows.hpp").read_text()
    number = r"[\d.]+(?:e-?\d+)?"
    rows = re.findall(rf'\{{"([\w-]+)",\s*(\{{(?:\{{"[\w-]+", {number}\}}[,\s]*)+\}})', text)
    names = lambda name: "lambda_" if name == "lambda" else name.replace("-", "_")
    return {id: {names(name): float(value) for name, value in re.findall(rf'"([\w-]+)", ({number})', parameters)}
            for id, parameters in rows}


EXAMPLES = _examples()


class Stream:
    """Columns of a stream: step t goes from row t of X to row t of X_next."""

    def __init__(self, **columns):
        self.__dict__.update(columns)

    @property
    def steps(self):
        return len(self.rewards)

    def feed(self, learner, begin=0, end=None):
        """One step at a time; the predictions made before each."""
        predictions = []
        for t in range(begin, self.steps if end is None else end):
            if self.starts[t]:
                learner.start()
            predictions.append(learner.predict(self.X[t]))
            learner.step(self.X[t], self.rewards[t], self.gammas[t], self.X_next[t], self.rhos[t],
                         lambda_=self.lambdas[t], lambda_next=self.lambdas_next[t], interest=self.interests[t],
                         pi=self.pis[t], mu=self.mus[t])
        return np.array(predictions)

    def learn(self, learner, begin=0, end=None, **replaced):
        """The same in one call."""
        part = slice(begin, end)
        names = ["X", "rewards", "gammas", "rhos", "X_next", "lambdas", "lambdas_next", "interests", "pis", "mus", "starts"]
        columns = {name: getattr(self, name)[part] for name in names}
        columns.update(replaced)
        return learner.learn(columns.pop("X"), columns.pop("rewards"), columns.pop("gammas"), **columns)


def random_stream(steps, dimension, seed=0, on_policy=False, one_hot=False):
    """Off-policy unless asked otherwise, with ends of episodes, starts of segments and a lambda per state."""
    random = np.random.default_rng(seed)
    if one_hot:
        X = np.eye(dimension)[random.integers(dimension, size=steps + 1)]
    else:
        X = random.uniform(-0.8, 0.8, (steps + 1, dimension)) * (random.random((steps + 1, dimension)) < 0.6)
    lambdas = random.random(steps + 1)
    starts = random.random(steps) < 0.08
    X_next, lambdas_next = X[1:].copy(), lambdas[1:].copy()
    mus = random.uniform(0.25, 0.75, steps)
    pis = mus.copy() if on_policy else random.uniform(0, 1, steps)
    return Stream(X=X[:-1].copy(), X_next=X_next, rewards=random.uniform(-1, 1, steps),
                  gammas=np.where(random.random(steps) < 0.1, 0.0, random.random(steps)), rhos=pis / mus, pis=pis, mus=mus,
                  lambdas=lambdas[:-1].copy(), lambdas_next=lambdas_next, interests=random.uniform(0, 2, steps), starts=starts)


def golden_stream(name):
    """A recorded stream: the rows as they stand in the file, and which of them close a segment."""
    with open(DATA / name, newline="") as file:
        rows = list(csv.DictReader(file))
    closes = np.array([row["reward"] == "" for row in rows])
    column = lambda key: np.array([float(row[key] or "0") for row in rows])
    optional = lambda key: column(key)[:-1] if key in rows[0] else None
    X = np.array([[float(value) for name, value in row.items() if name.startswith("x")] for row in rows])
    starts = np.flatnonzero(closes[:-1]) + 1  # the row after one that closes a segment
    return Stream(X=X, rewards=column("reward")[:-1], gammas=column("gamma")[:-1], rhos=column("rho")[:-1],
                  pis=optional("pi"), mus=optional("mu"), lambdas=column("lambda"), interests=optional("interest"),
                  starts=starts)


@pytest.fixture
def program():
    """The command-line program of the same build."""
    # Comparisons with the program need one. ctest names that of the same build; a wheel is tested without.
    path = os.environ.get("BELLWETHER_PROGRAM")
    if not path or not os.path.exists(path):
        pytest.skip("BELLWETHER_PROGRAM names no program")
    return path
