"""Wrong arguments: the exception that fits, with the argument's name and what would be right."""

import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import EXAMPLES

import bellwether


def make(*arguments, **named):
    return bellwether.Learner(*arguments, **named)


@pytest.mark.parametrize("arguments, named, error, words", [
    ((), {}, TypeError, "needs algorithm"),
    (("gtd",), dict(alpha=0.1), TypeError, "needs dimension"),
    (("gdt", 3), dict(alpha=0.1), ValueError, "unknown algorithm 'gdt'; did you mean 'gtd'?"),
    ((3, 3), dict(alpha=0.1), TypeError, "algorithm must be a str, not int"),
    (("gtd", 3), dict(alhpa=0.1), TypeError, "gtd has no parameter 'alhpa'; did you mean 'alpha'?"),
    (("gtd", 3), dict(alpha=0.1, dimensions=3), TypeError, "did you mean 'dimension'?"),
    (("td0", 3), dict(alpha=0.1, lambda_=0.9), TypeError, "td0 has no parameter 'lambda_'"),
    (("gtd", 3), {}, TypeError, "gtd needs alpha"),
    (("gtd", 3), dict(alpha=-1), ValueError, "alpha = -1 is out of range: it must be finite and "),
    (("gtd", 3), dict(alpha=float("nan")), ValueError, "alpha = nan is out of range"),
    (("gtd", 3), dict(alpha=0.1, lambda_=1.5), ValueError, "lambda_ = 1.5 is out of range: it must be finite and in [0, 1]"),
    (("gtd", 3), dict(alpha="0.1"), TypeError, "alpha must be a number, not str"),
    (("gtd", 3), dict(alpha=np.array([0.1])), TypeError, "alpha must be a number, not float64 array of shape (1,)"),
    (("gtd", 0), dict(alpha=0.1), ValueError, "dimension is 0: it must be at least 1"),
    (("gtd", -3), dict(alpha=0.1), ValueError, "dimension is -3"),
    (("gtd", 3.0), dict(alpha=0.1), TypeError, "dimension must be a whole number, not float"),
    (("gtd", 3, 0.1), {}, TypeError, "takes 2 arguments by position"),
    (("gtd", 3), dict(dimension=3, alpha=0.1), TypeError, "'dimension' twice"),
    (("gtd", 10**15), dict(alpha=0.1), MemoryError, "dimension 1000000000000000"),
    (("gtd", 10**30), dict(alpha=0.1), MemoryError, "dimension"),
    (("gtd", 3), dict(alpha=0.1, traces="thin"), ValueError, "traces must be 'dense' or 'sparse', not 'thin'"),
    (("gtd", 3), dict(alpha=0.1, trace_cutoff=0.1), ValueError, "trace_cutoff is for traces='sparse'"),
    (("gtd", 3), dict(alpha=0.1, traces="sparse", trace_cutoff=-1), ValueError, "trace_cutoff is -1"),
])
def test_making_one(arguments, named, error, words):
    with pytest.raises(error) as raised:
        make(*arguments, **named)
    assert words in str(raised.value)


x = np.zeros(3)


@pytest.mark.parametrize("algorithm, arguments, named, error, words", [
    ("gtd", (), {}, TypeError, "step() needs x"),
    ("gtd", (x, 1, 0.9), {}, TypeError, "step() needs x_next"),
    ("gtd", (x, 1, 0.9, x, 1, 1), {}, TypeError, "takes 5 arguments by position"),
    ("gtd", (x, 1, 0.9, x), dict(reward=1), TypeError, "'reward' twice"),
    ("gtd", (x, 1, 0.9, x), dict(lamda_=1), TypeError, "no argument 'lamda_'; did you mean 'lambda_'?"),
    ("gtd", (np.zeros(4), 1, 0.9, x), {}, ValueError, "x must have shape (3,), not (4,)"),
    ("gtd", (x, 1, 0.9, np.zeros((1, 3))), {}, ValueError, "x_next must have shape (3,), not (1, 3)"),
    ("gtd", (3, 1, 0.9, 0), {}, ValueError, "x is the index 3: it must be at least 0 and below the dimension 3"),
    ("gtd", (0, 1, 0.9, -1), {}, ValueError, "x_next is the index -1"),
    ("gtd", (0, 1, 0.9, 10**30), {}, ValueError, "x_next is the index 1000000000"),
    ("gtd", (x, 1, 0.9, 0), {}, TypeError, "x and x_next must be of the same kind"),
    ("gtd", (np.array([0, 0]), 1, 0.9, np.array([0, 1])), {}, ValueError, "index 0 twice (integers are the indices"),
    ("gtd", (np.array([0, 3]), 1, 0.9, np.array([0, 1])), {}, ValueError, "has the index 3"),
    ("gtd", (np.array([0, -1], np.int32), 1, 0.9, np.array([0, 1])), {}, ValueError, "the index -1"),
    ("gtd", ("abc", 1, 0.9, x), {}, TypeError, "x must be an array of numbers, not str"),
    ("gtd", (None, 1, 0.9, x), {}, TypeError, "x must be an array of numbers, not None"),
    ("gtd", (x * 1j, 1, 0.9, x), {}, TypeError, "x must be an array of numbers, not complex128 array of shape (3,)"),
    ("gtd", (x, "1", 0.9, x), {}, TypeError, "reward must be a number, not str"),
    ("gtd", (x, None, 0.9, x), {}, TypeError, "reward must be a number, not None"),
    ("gtd", (x, 1, 1.1, x), {}, ValueError, "gamma is 1.1: it must be in [0, 1]"),
    ("gtd", (x, 1, float("nan"), x), {}, ValueError, "gamma is nan"),
    ("gtd", (x, 1, 0.9, x, -1), {}, ValueError, "rho is -1: it must be finite and at least 0"),
    ("gtd", (x, 1, 0.9, x), dict(pi=0.5), ValueError, "mu is missing"),
    ("gtd", (x, 1, 0.9, x), dict(pi=0.5, mu=0.0), ValueError, "mu is 0: it must be above 0"),
    ("gtd", (x, 1, 0.9, x, 2), dict(pi=0.5, mu=0.5), ValueError, "rho is 2, but pi/mu is 1"),
    ("gtd", (x, 1, 0.9, x), dict(lambda_=2), ValueError, "lambda_ is 2: it must be in [0, 1]"),
    ("gtd", (x, 1, 0.9, x), dict(interest=-1), ValueError, "interest is -1"),
    ("td", (x, 1, 0.9, x, 0.5), {}, ValueError, "td learns on-policy only, where rho is 1"),
    ("tb", (x, 1, 0.9, x, 0.5), {}, ValueError, "tb needs pi and mu"),
])
def test_a_step(algorithm, arguments, named, error, words):
    learner = make(algorithm, 3, **EXAMPLES[algorithm])
    with pytest.raises(error) as raised:
        learner.step(*arguments, **named)
    assert words in str(raised.value)
    assert not learner.weights.any()


X = np.zeros((5, 3))
r = np.zeros(4)


@pytest.mark.parametrize("algorithm, arguments, named, error, words", [
    ("gtd", (np.zeros((5, 4)), r, r), {}, ValueError, "X must have shape (rows, 3), not (5, 4)"),
    ("gtd", (np.zeros(5), r, r), {}, ValueError, "X must have shape (rows, 3), not (5,)"),
    ("gtd", (np.zeros((0, 3)), [], []), {}, ValueError, "X has no rows"),
    ("gtd", (np.array([0, 1, 3, 0, 0]), r, r), {}, ValueError, "X has the index 3"),
    ("gtd", (np.array([0, 1, -3, 0, 0]), r, r), {}, ValueError, "X has the index -3"),
    ("gtd", (np.eye(3, dtype=int), r[:2], r[:2]), {}, ValueError, "twice (integers are the indices"),
    ("gtd", (X.astype(str), r, r), {}, TypeError, "X must be an array of numbers"),
    ("gtd", ([[1.0], [1.0, 2.0]], 1, 1), {}, TypeError, "X must be an array"),
    ("gtd", (X, r[:3], r), {}, ValueError, "rewards must have shape (4,), one number per step, not (3,)"),
    ("gtd", (X, r, np.full(4, 2.0)), {}, ValueError, "gammas[0] is 2: it must be in [0, 1]"),
    ("gtd", (X, r, r, [1, 1, np.nan, 1]), {}, ValueError, "rhos[2] is nan: it must be finite and at least 0"),
    ("gtd", (X, r, r, -1), {}, ValueError, "rhos is -1"),
    ("gtd", (X, "r", r), {}, TypeError, "rewards must be an array of numbers"),
    ("gtd", (X, r, r), dict(lambdas=np.ones(4)), ValueError, "lambdas must have shape (5,)"),
    ("gtd", (X, r, r), dict(lambdas=[1, 1, 1, 1, 2]), ValueError, "lambdas[4] is 2"),
    ("gtd", (X, r, r), dict(lambdas_next=r), ValueError, "lambdas_next goes with X_next"),
    ("gtd", (X[1:], r, r), dict(X_next=X), ValueError, "X_next has 5 rows, X has 4"),
    ("gtd", (X[1:], r, r), dict(X_next=np.zeros(4, int)), TypeError, "X and X_next must be of the same kind"),
    ("gtd", (X[1:], r, r), dict(X_next=X[1:], lambdas=r), ValueError, "lambdas and lambdas_next come together"),
    ("gtd", (X, r, r), dict(starts=[5]), ValueError, "starts[0] is 5: it must be at least 0 and below 5"),
    ("gtd", (X[1:], r, r), dict(X_next=X[1:], starts=[4]), ValueError, "starts[0] is 4"),
    ("gtd", (X, r, r), dict(starts=[0.5]), TypeError, "starts must be"),
    ("gtd", (X, r, r), dict(starts=[True, False]), ValueError, "starts has 2 booleans for 4 steps"),
    ("gtd", (X, r, r), dict(pis=r), ValueError, "mus are missing"),
    ("gtd", (X, r, r, 2.0), dict(pis=r + 0.5, mus=r + 0.5), ValueError, "rhos[0] is 2, but pis/mus is 1"),
    ("tb", (X, r, r), {}, ValueError, "tb needs pis and mus"),
    ("to-td", (X, r, r, [1, 1, 1, 2]), {}, ValueError, "rhos[3] is 2: to-td learns on-policy only"),
])
def test_a_stream(algorithm, arguments, named, error, words):
    learner = make(algorithm, 3, **EXAMPLES[algorithm])
    with pytest.raises(error) as raised:
        learner.learn(*arguments, **named)
    assert words in str(raised.value)
    assert not learner.weights.any()


def test_broken_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    learner = make("gtd", 3, alpha=0.1)
    with pytest.raises(ValueError, match=r"X must have shape \(rows, 3\), not \(2, 4\)"):
        learner.learn(sparse.csr_matrix(np.ones((2, 4))), 1, 1)
    twice = sparse.csr_matrix((np.ones(2), [1, 1], [0, 2, 2]), shape=(2, 3))
    with pytest.raises(ValueError, match="row 0 the index 1 twice; sum_duplicates"):
        learner.learn(twice, 1, 1)
    for attribute, value in [("indices", [0, 7, 1]), ("indptr", [0, 9, 3]), ("indptr", [0, 2, 9]), ("data", [1.0])]:
        broken = sparse.csr_matrix(np.array([[1.0, 1, 0], [0, 1, 0]]))
        setattr(broken, attribute, np.array(value, getattr(broken, attribute).dtype))
        with pytest.raises(ValueError, match="X (has in row|is a broken CSR)"):
            learner.learn(broken, 1, 1)
    with pytest.raises(ValueError, match="x must have one row, not 2"):
        learner.step(sparse.csr_matrix(np.eye(3)[:2]), 1, 1, sparse.csr_matrix(np.eye(3)[:1]))


def test_a_learner_that_was_never_made():
    learner = bellwether.Learner.__new__(bellwether.Learner)
    with pytest.raises(TypeError, match="__init__"):
        learner.step(0, 1, 0, 1)


# ---- threads and signals ----


def long_stream():
    X = np.random.default_rng(0).random((20_000, 200))
    return make("lstd", 200, lambda_=0.5), X


def test_other_threads_run_meanwhile():
    learner, X = long_stream()
    done = threading.Event()
    thread = threading.Thread(target=lambda: (learner.learn(X, 1, 0.9), done.set()))
    thread.start()
    beats, refused = 0, False
    while not done.is_set():
        beats += 1
        try:
            learner.start()
        except RuntimeError as error:
            refused = refused or "learning in another call" in str(error)
        time.sleep(0.001)
    thread.join()
    assert beats > 5 and refused
    learner.start()


def test_ctrl_c_stops_between_two_steps():
    script = textwrap.dedent("""
        import os, signal, sys, threading, time
        import numpy as np
        import bellwether
        X = np.random.default_rng(0).random((200_000, 300))
        learner = bellwether.Learner("lstd", 300, lambda_=0.5)
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        try:
            learner.learn(X, 1, 0.9)
        except KeyboardInterrupt:
            assert time.monotonic() - begin < 5
            assert np.isfinite(learner.weights).all() and learner.weights.any()
            learner.step(X[0], 1, 0.9, X[1])
            print("stopped")
    """)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert run.stdout == "stopped\n", run.stderr
