"""What Python costs, as ratios in one run: PYTHONPATH=build/release/python python3 bench/python_bench.py

learn against the same loop in C++ over the same arrays; step against a function bound by pybind11 that takes the same
arguments and does nothing, and against the barest call that the interpreter has, which does not even look at them; learn
against GTD(lambda) in plain NumPy. Every time is the best of many runs.
"""

import argparse
import copy
import time

import numpy as np

import bellwether
from bellwether import _core

GAMMA, RHO = 0.95, 1.1
PARAMETERS = {
    "gtd": dict(alpha=0.01, eta=0.1, lambda_=0.9),
    "td0": dict(alpha=0.01),
    "to-htd": dict(alpha=0.01, eta=0.1, lambda_=0.9),
}


def best(measure, repetitions):
    return min(measure() for _ in range(repetitions))


def nanoseconds_per(steps, work):
    begin = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - begin) / steps


def stream(steps, dimension):
    random = np.random.default_rng(0)
    return random.uniform(-1, 1, (steps + 1, dimension)) / np.sqrt(dimension), random.uniform(-1, 1, steps)


def learner_of(algorithm, dimension):
    return bellwether.Learner(algorithm, dimension, **PARAMETERS[algorithm])


def learn_against_cpp(algorithm, dimension, predictions, repetitions):
    steps = 1_000_000 // (dimension + 20)
    X, rewards = stream(steps, dimension)
    learner = learner_of(algorithm, dimension)
    gammas, rhos = np.full(steps, GAMMA), np.full(steps, RHO)
    python, cpp = [], []
    for _ in range(20 * repetitions):  # in turns, so that both see the same machine
        a, b = copy.copy(learner), copy.copy(learner)
        python.append(nanoseconds_per(steps, lambda: a.learn(X, rewards, gammas, rhos, predictions=predictions)))
        cpp.append(_core._time_learn(b, X, rewards, gammas, rhos, predictions))
    assert a.weights.tobytes() == b.weights.tobytes()
    return min(python), min(cpp)


def step_against_nothing(dimension, one_hot, repetitions):
    calls = 20_000
    learner = learner_of("gtd", dimension)
    x, x_next = (1, 2) if one_hot else stream(1, dimension)[0].copy()
    step, nothing, converted = learner.step, learner._do_nothing, _core._do_nothing_typed

    def loop(function):
        for _ in range(calls):
            function(x, 0.5, GAMMA, x_next, RHO)

    def bare():
        for _ in range(calls):
            pass

    functions = (step, nothing) if one_hot else (step, nothing, converted)
    times = [[nanoseconds_per(calls, lambda: loop(f)) for f in functions] for _ in range(10 * repetitions)]
    overhead = best(lambda: nanoseconds_per(calls, bare), repetitions)
    return [min(column) - overhead for column in zip(*times)]


def numpy_gtd(X, rewards, alpha, eta, lambda_):
    """GTD(lambda) as one writes it in NumPy."""
    dimension = X.shape[1]
    w, h, e = np.zeros(dimension), np.zeros(dimension), np.zeros(dimension)
    gamma = 0.0
    for t in range(len(rewards)):
        x, x_next = X[t], X[t + 1]
        delta = rewards[t] + GAMMA * (w @ x_next) - w @ x
        e = RHO * (x + gamma * lambda_ * e)
        w_step = alpha * (delta * e - GAMMA * (1 - lambda_) * (e @ h) * x_next)
        h = h + alpha * eta * (delta * e - (x @ h) * x)
        w = w + w_step
        gamma = GAMMA
    return w


def learn_against_numpy(dimension, repetitions):
    steps = 1_000_000 // (dimension + 20)
    X, rewards = stream(steps, dimension)
    learner = learner_of("gtd", dimension)
    learned = copy.copy(learner)
    learned.learn(X, rewards, GAMMA, RHO)
    np.testing.assert_allclose(learned.weights, numpy_gtd(X, rewards, **PARAMETERS["gtd"]), rtol=1e-9, atol=1e-12)

    def learn():
        copy.copy(learner).learn(X, rewards, GAMMA, RHO, predictions=False)

    return (best(lambda: nanoseconds_per(steps, learn), 20 * repetitions),
            best(lambda: nanoseconds_per(steps, lambda: numpy_gtd(X, rewards, **PARAMETERS["gtd"])), repetitions))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=7)
    repetitions = parser.parse_args().repetitions
    print(f"bellwether {bellwether.__version__}, NumPy {np.__version__}; nanoseconds per step, best of {repetitions}\n")
    print(f"{'':48}{'Python':>10}{'against':>10}{'ratio':>8}   bar")
    for algorithm in PARAMETERS:
        for dimension in (8, 30, 256):
            for predictions in (True, False):
                python, cpp = learn_against_cpp(algorithm, dimension, predictions, repetitions)
                name = f"learn {algorithm} d={dimension}{'' if predictions else ', no predictions'} / C++ loop"
                print(f"{name:48}{python:10.1f}{cpp:10.1f}{python / cpp:8.2f}   <= 1.1")
    for dimension in (8, 30):
        step, nothing, typed = step_against_nothing(dimension, False, repetitions)
        print(f"{f'step gtd d={dimension} / no-op that takes the arrays':48}{step:10.1f}{typed:10.1f}{step / typed:8.2f}   <= 3")
        print(f"{f'step gtd d={dimension} / call that reads nothing':48}{step:10.1f}{nothing:10.1f}{step / nothing:8.2f}")
    step, nothing = step_against_nothing(30, True, repetitions)
    print(f"{'step gtd d=30, one-hot / call that reads nothing':48}{step:10.1f}{nothing:10.1f}{step / nothing:8.2f}")
    for dimension in (30, 256):
        learn, plain = learn_against_numpy(dimension, max(2, repetitions // 2))
        print(f"{f'NumPy loop / learn gtd d={dimension}':48}{learn:10.1f}{plain:10.1f}{plain / learn:8.0f}   >= 100")


if __name__ == "__main__":
    main()
