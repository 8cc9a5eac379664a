"""Any sequence of calls, right and wrong ones: what is wrong is refused by an exception that Python knows and changes nothing,
and a learner that is copied and pickled all the time goes on as the one that is not, to the bit."""

import copy
import pickle
import random

import numpy as np
import pytest

import bellwether

REFUSALS = (ValueError, TypeError, IndexError, OverflowError, MemoryError)
ODD = [None, "x", -1, 0, 1, 2**31, 2**63, 2**70, 1e308, float("nan"), float("inf"), [], {}, b"x", object(), True, 1j]
ODD += [np.zeros((2, 2)), np.array([np.nan]), np.array(["a"]), np.zeros(0), np.int8(3), slice(None)]


def some_features(draw, dimension, form):
    if form == 0:
        return draw.randrange(dimension)
    if form == 1:
        return np.array(sorted(draw.sample(range(dimension), draw.randint(1, dimension))), dtype=np.int64)
    values = np.array([draw.choice([0.0, 0.5, -1.0, 1.0]) for _ in range(dimension)])
    return values if form == 2 else values.astype(np.float32)


def one_call(draw, learners, dimension, on_policy):
    """Makes the same right call of all of them."""
    kind = draw.randrange(5)
    if kind == 0:
        for learner in learners:
            learner.start()
    elif kind == 1:
        weights = np.array([draw.uniform(-1, 1) for _ in range(dimension)])
        for learner in learners:
            learner.weights = weights
    else:
        form = draw.randrange(4)
        x, x_next = some_features(draw, dimension, form), some_features(draw, dimension, form)
        mu = draw.choice([0.25, 0.5, 1.0])
        pi = mu if on_policy else draw.choice([0.0, 0.5, 1.0])
        numbers = {"reward": draw.uniform(-1, 1), "gamma": draw.choice([0.0, 0.5, 0.9]), "pi": pi, "mu": mu}
        if draw.randrange(2):
            numbers["lambda_"] = numbers["lambda_next"] = draw.choice([0.0, 0.5, 1.0])
        for learner in learners:
            learner.step(x=x, x_next=x_next, **numbers)


def one_wrong_call(draw, learner):
    """May be refused, or may happen to be right; it must come back."""
    before = learner.weights.tobytes()
    calls = [
        lambda: learner.step(x=draw.choice(ODD), reward=draw.choice(ODD), gamma=draw.choice(ODD), x_next=draw.choice(ODD)),
        lambda: learner.learn(draw.choice(ODD), rewards=draw.choice(ODD), gammas=draw.choice(ODD)),
        lambda: learner.predict(draw.choice(ODD)),
        lambda: setattr(learner, "weights", draw.choice(ODD)),
        lambda: bellwether.Learner(draw.choice(["td0", "gtd", 3, "none"]), draw.choice([None, "x", -1, 0, 2**40, 2**63, 2**70]), alpha=draw.choice(ODD)),
        lambda: bellwether.TileCoder(draw.choice(ODD), draw.choice(ODD)),
        lambda: bellwether.FourierBasis(draw.choice(ODD), draw.choice(ODD)),
        lambda: learner.__setstate__(draw.choice(ODD)),
    ]
    try:
        draw.choice(calls)()
    except REFUSALS as refused:
        assert str(refused)
        assert learner.weights.tobytes() == before, "what was refused changed something"


def a_learner(draw):
    algorithm = draw.choice(sorted(bellwether.algorithms()))
    info = bellwether.algorithms()[algorithm]
    names = {parameter.name for parameter in info.parameters}
    given = {"alpha": 0.05} if "alpha" in names else {}
    traces = draw.choice(["dense", "sparse"])
    return bellwether.Learner(algorithm, draw.randint(1, 9), traces=traces, **given), info.on_policy_only


@pytest.mark.parametrize("seed", range(40))
def test_right_calls_go_on_alike_and_wrong_ones_come_back(seed):
    draw = random.Random(seed)
    learner, on_policy = a_learner(draw)
    twin = copy.copy(learner)
    for _ in range(40):
        one_call(draw, [learner, twin], learner.dimension, on_policy)
        twin = draw.choice([lambda: twin, lambda: copy.deepcopy(twin), lambda: pickle.loads(pickle.dumps(twin))])()
        assert learner.weights.tobytes() == twin.weights.tobytes()
        one_wrong_call(draw, copy.copy(twin))


def test_damaged_pickles_come_back():
    draw = random.Random(1)
    learner, _ = a_learner(draw)
    whole = bytearray(pickle.dumps(learner))
    for _ in range(500):
        damaged = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            damaged[draw.randrange(len(damaged) // 2, len(damaged))] = draw.randrange(256)
        try:
            pickle.loads(bytes(damaged))
        except Exception as refused:  # pickle has many of its own
            assert not isinstance(refused, SystemError)
