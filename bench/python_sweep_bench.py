"""How much of a call's time bellwether.sweep and Horde.learn spend outside of the C++ engine, as ratios in one run.

    PYTHONPATH=build/release/python python3 bench/python_sweep_bench.py

The engine's time is taken in C++ around the same work on the same data, within the same call. Learners one by one are
timed beside it: what a loop over Learner.learn would cost. What a call costs besides is half a millisecond, and two
passes over the features.
"""

import statistics
import time

import numpy as np

import bellwether
from bellwether import _core

ROUNDS = 5
STEPS = 20_000
DIMENSION = 30
GRID = {"alpha": np.geomspace(1e-4, 1e-2, 64), "eta": [0.5, 1.0, 2.0, 4.0], "lambda_": [0.0, 0.9]}


def stream(kind):
    """Features, rewards, discounts and ratios."""
    random = np.random.default_rng(1)
    if kind == "one-hot":
        X = random.integers(0, DIMENSION, STEPS + 1)
    elif kind == "active":
        X = np.array([random.choice(DIMENSION, 8, replace=False) for _ in range(STEPS + 1)], dtype=np.int32)
    else:
        X = random.uniform(-1, 1, (STEPS + 1, DIMENSION))
    gammas = np.where(random.random(STEPS) < 0.05, 0.0, 0.95)
    return X, random.uniform(-1, 1, STEPS), gammas, random.uniform(0.5, 1.5, STEPS)


def sweep_ratio(kind, algorithm):
    """Seconds of the call, and of the engine within it; medians over the rounds, and the median of the ratios."""
    engine, measured = _core._sweep, []

    def timed(arguments):
        result = engine(arguments)
        measured.append(result[2])
        return result

    data = stream(kind)
    names = {parameter.name for parameter in bellwether.algorithms()[algorithm].parameters}
    grid = {name: values for name, values in GRID.items() if name in names}
    calls = []
    _core._sweep = timed
    try:
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            table = bellwether.sweep(*data, dimension=DIMENSION, algorithms=algorithm, truth="returns", threads=1, **grid)
            calls.append(time.perf_counter() - begin)
    finally:
        _core._sweep = engine
    ratios = [call / inside for call, inside in zip(calls, measured)]
    return len(table), statistics.median(calls), statistics.median(ratios)


def learner_seconds(kind, algorithm):
    """Seconds of one Learner.learn over the same stream."""
    data, taken = stream(kind), []
    for _ in range(ROUNDS):
        learner = bellwether.Learner(algorithm, DIMENSION, alpha=0.001)
        begin = time.perf_counter()
        learner.learn(*data)
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken)


def horde_seconds(predictions):
    """Seconds of Horde.learn, and of as many learners, over a dense stream with cumulants of their own."""
    X, _, gammas, rhos = stream("dense")
    cumulants = np.random.default_rng(2).uniform(-1, 1, (STEPS, predictions))
    columns = [np.ascontiguousarray(cumulants[:, k]) for k in range(predictions)]
    hordes, learners = [], []
    for _ in range(ROUNDS):
        horde = bellwether.Horde("gtd", DIMENSION, predictions, alpha=0.001, lambda_=0.9, threads=1)
        begin = time.perf_counter()
        horde.learn(X, cumulants, gammas[:, None], rhos[:, None])
        hordes.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        for column in columns:
            bellwether.Learner("gtd", DIMENSION, alpha=0.001, lambda_=0.9).learn(X, column, gammas, rhos)
        learners.append(time.perf_counter() - begin)
    return statistics.median(hordes), statistics.median(learners)


def main():
    """Print the ratios."""
    print(f"{STEPS} steps, d = {DIMENSION}, one thread, medians of {ROUNDS}")
    for kind in ("one-hot", "active", "dense"):
        for algorithm in ("off-policy-td", "gtd", "htd", "to-htd"):
            count, call, ratio = sweep_ratio(kind, algorithm)
            alone = learner_seconds(kind, algorithm)
            print(
                f"sweep {kind:8} {algorithm:14} {count:4} configurations: {call * 1e3:7.1f} ms,"
                f" {call / count / STEPS * 1e9:6.2f} ns per agent-step, call / engine = {ratio:.3f},"
                f" learners one by one / call = {alone * count / call:.1f}"
            )
    for predictions in (16, 200):
        together, alone = horde_seconds(predictions)
        print(
            f"horde of {predictions:3} predictions: {together * 1e3:7.1f} ms,"
            f" learners one by one / horde = {alone / together:.1f}"
        )


if __name__ == "__main__":
    main()
