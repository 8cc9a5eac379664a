"""Learner: every algorithm, every form of features, one step at a time and a stream at once."""

import copy
import pickle

import numpy as np
import pytest
from conftest import EXAMPLES, random_stream

import bellwether

ON_POLICY = {name for name, info in bellwether.algorithms().items() if info.on_policy_only}


def example(algorithm, dimension=7, **options):
    return bellwether.Learner(algorithm, dimension, **EXAMPLES[algorithm], **options)


def stream_for(algorithm, dimension=7, steps=300, **options):
    return random_stream(steps, dimension, on_policy=algorithm in ON_POLICY, **options)


def near(a, b):
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)


every_algorithm = pytest.mark.parametrize("algorithm", EXAMPLES)


def test_the_examples_cover_the_registry():
    assert set(EXAMPLES) == set(bellwether.algorithms())


# ---- learning ----


@every_algorithm
@pytest.mark.parametrize("traces", ["dense", "sparse"])
def test_learn_gives_the_bits_of_step(algorithm, traces):
    stream = stream_for(algorithm)
    stepped, learned = example(algorithm, traces=traces), example(algorithm, traces=traces)
    assert stream.feed(stepped).tobytes() == stream.learn(learned).tobytes()
    assert stepped.weights.tobytes() == learned.weights.tobytes()
    assert np.any(learned.weights != 0)


@every_algorithm
def test_forms_of_features_agree(algorithm):
    stream = stream_for(algorithm, one_hot=True)
    dense, one_hot, active = example(algorithm), example(algorithm), example(algorithm)
    predictions = stream.learn(dense)
    index, index_next = stream.X.argmax(1), stream.X_next.argmax(1)
    # One-hot weights move along a trace in other roundings than dense ones.
    near(stream.learn(one_hot, X=index, X_next=index_next), predictions)
    near(stream.learn(active, X=index[:, None], X_next=index_next[:, None]), predictions)
    near(one_hot.weights, dense.weights)


@every_algorithm
@pytest.mark.parametrize("traces", ["dense", "sparse"])
@pytest.mark.parametrize("form", ["csr_matrix", "csr_array", "csc_matrix"])
def test_sparse_matrices_agree_with_dense(algorithm, traces, form):
    sparse = pytest.importorskip("scipy.sparse")
    stream = stream_for(algorithm)
    dense, learner = example(algorithm), example(algorithm, traces=traces)
    predictions = stream.learn(dense)
    make = getattr(sparse, form)
    near(stream.learn(learner, X=make(stream.X), X_next=make(stream.X_next)), predictions)
    near(learner.weights, dense.weights)


def test_sparse_matrices_with_wide_indices_and_unsorted_rows():
    sparse = pytest.importorskip("scipy.sparse")
    stream = stream_for("gtd")
    X = sparse.csr_matrix(stream.X)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    narrow, wide = example("gtd"), example("gtd")
    predictions = stream.learn(narrow, X=sparse.csr_matrix(stream.X), X_next=sparse.csr_matrix(stream.X_next))
    assert stream.learn(wide, X=X, X_next=sparse.csr_matrix(stream.X_next)).tobytes() == predictions.tobytes()
    turned = sparse.csr_matrix((X.data[:2][::-1], [1, 0], [0, 2]), shape=(1, 7))
    assert example("gtd").predict(turned).shape == (1,)


def test_a_step_takes_every_form_of_features():
    sparse = pytest.importorskip("scipy.sparse")
    x, x_next = np.eye(7)[3], np.eye(7)[5]
    forms = [(x, x_next), (3, 5), (np.int32(3), np.uint8(5)), (np.array([3]), np.array([5], np.uint32)),
             (sparse.csr_matrix(x), sparse.csr_matrix(x_next)), (list(x), tuple(x_next)), (x.astype(np.float32), x_next),
             (np.array(3), np.array(5))]
    expected = None
    for form in forms:
        learner = example("gtd")
        for _ in range(3):
            learner.step(form[0], 1, 0.9, form[1], 1.5)
        expected = learner.weights if expected is None else expected
        assert expected[3] > 0.05
        near(learner.weights, expected)


@every_algorithm
def test_rows_that_follow_each_other(algorithm):
    """X with one row more than steps is X and X_next; starts are rows, and the one before closes a segment."""
    stream = stream_for(algorithm, steps=200)
    rows = np.vstack([stream.X, stream.X_next[-1:]])
    lambdas = np.append(stream.lambdas, stream.lambdas_next[-1])
    stepped, learned = example(algorithm), example(algorithm)
    begins = set(np.flatnonzero(stream.starts))
    for t in range(200):
        if t in begins:
            stepped.start()
        if t + 1 not in begins:
            stepped.step(rows[t], stream.rewards[t], stream.gammas[t], rows[t + 1], stream.rhos[t], lambda_=lambdas[t],
                         lambda_next=lambdas[t + 1], interest=stream.interests[t], pi=stream.pis[t], mu=stream.mus[t])
    rewards = stream.rewards.copy()
    rewards[[t - 1 for t in begins if t > 0]] = np.nan  # not read
    gammas = stream.gammas.copy()
    gammas[[t - 1 for t in begins if t > 0]] = -1
    for starts in (stream.starts, np.flatnonzero(stream.starts), list(begins)):
        learned = example(algorithm)
        learned.learn(rows, rewards, gammas, stream.rhos, lambdas=lambdas, interests=stream.interests, pis=stream.pis,
                      mus=stream.mus, starts=starts)
        assert learned.weights.tobytes() == stepped.weights.tobytes()


def test_one_number_for_every_step():
    stream = stream_for("gtd")
    with_numbers, with_arrays = example("gtd"), example("gtd")
    with_numbers.learn(stream.X, 1, 0.9, 1.5)
    n = stream.steps - 1
    with_arrays.learn(stream.X, np.ones(n), np.full(n, 0.9), np.full(n, 1.5), predictions=False)
    assert with_numbers.weights.tobytes() == with_arrays.weights.tobytes()


def test_rho_comes_from_the_policies():
    stream = stream_for("gtd")
    given, made = example("gtd"), example("gtd")
    stream.learn(given)
    stream.learn(made, rhos=None)
    assert given.weights.tobytes() == made.weights.tobytes()
    stepped = example("gtd")
    stepped.step(0, 1, 0, 1, pi=0.25, mu=0.5)
    again = example("gtd")
    again.step(0, 1, 0, 1, 0.5)
    assert stepped.weights.tobytes() == again.weights.tobytes()


def test_no_steps_and_no_predictions():
    learner = example("gtd")
    assert learner.learn(np.zeros((1, 7)), [], []).shape == (0,)
    assert learner.learn(np.zeros((0, 7)), [], [], X_next=np.zeros((0, 7))).shape == (0,)
    assert learner.learn(np.ones((3, 7)), [1, 2], 0.9, predictions=False) is None


def test_arrays_of_other_forms_are_converted():
    stream = stream_for("gtd")
    plain = example("gtd")
    stream.learn(plain)
    read_only = stream.X.copy()
    read_only.setflags(write=False)
    every_other = np.repeat(stream.X, 2, axis=1)[:, ::2]
    misaligned = np.frombuffer(b"\0" + stream.X.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(stream.X.shape)
    for X in (read_only, np.asfortranarray(stream.X), every_other, misaligned, stream.X.astype(">f8"), stream.X.tolist()):
        learner = example("gtd")
        stream.learn(learner, X=X)
        assert learner.weights.tobytes() == plain.weights.tobytes()
    single = example("gtd")
    stream.learn(single, X=stream.X.astype(np.float32))
    np.testing.assert_allclose(single.weights, plain.weights, atol=1e-5)


def test_nan_rewards_are_learned_from_as_in_cpp():
    learner = example("gtd")
    assert not learner.diverged
    learner.step(0, float("nan"), 0.9, 1)
    assert learner.diverged


# ---- weights, copies ----


def test_weights_are_a_read_only_copy():
    learner = example("gtd")
    weights = learner.weights
    learner.step(0, 1, 0, 1)
    assert not weights.any() and learner.weights[0] != 0
    with pytest.raises(ValueError, match="read-only"):
        learner.weights[0] = 1
    given = np.arange(7.0)
    learner.weights = given
    given[:] = 0
    assert list(learner.weights) == [0, 1, 2, 3, 4, 5, 6]
    assert learner.predict(np.ones(7)) == 21
    with pytest.raises(ValueError, match=r"weights must have shape \(7,\), not \(8,\)"):
        learner.weights = np.zeros(8)


def test_predict():
    learner = example("gtd")
    learner.weights = np.arange(7.0)
    assert isinstance(learner.predict(np.ones(7)), float)
    assert learner.predict(3) == 3.0 and isinstance(learner.predict(np.int64(3)), float)
    assert learner.predict(np.array([1, 5])).tolist() == [1, 5]
    assert learner.predict(np.array([[1, 5], [0, 6]])).tolist() == [6, 6]
    assert learner.predict(np.eye(7)).tolist() == list(range(7))
    assert learner.predict([0, 0, 0, 0, 0, 0, 1.0]) == 6
    assert learner.predict(np.zeros((0, 7))).shape == (0,)


@every_algorithm
@pytest.mark.parametrize("traces", ["dense", "sparse"])
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda learner: pickle.loads(pickle.dumps(learner))])
def test_copies_continue_with_the_same_bits(algorithm, traces, duplicate):
    stream = stream_for(algorithm, one_hot=True)
    X, X_next = stream.X.argmax(1), stream.X_next.argmax(1)
    whole, first = example(algorithm, traces=traces, trace_cutoff=1e-9 if traces == "sparse" else 0), None
    stream.learn(whole, end=150, X=X[:150], X_next=X_next[:150])
    first = duplicate(whole)
    assert (first.algorithm, first.dimension, first.parameters) == (whole.algorithm, whole.dimension, whole.parameters)
    assert repr(first) == repr(whole)
    predictions = [stream.learn(learner, begin=150, X=X[150:], X_next=X_next[150:]) for learner in (whole, first)]
    assert predictions[0].tobytes() == predictions[1].tobytes()
    assert whole.weights.tobytes() == first.weights.tobytes()
    whole.start()
    assert pickle.dumps(whole) != pickle.dumps(first) or algorithm == "td0"


def test_a_broken_pickle_is_refused():
    state = example("gtd").__getstate__()
    learner = bellwether.Learner.__new__(bellwether.Learner)
    with pytest.raises(ValueError, match="cannot restore this learner"):
        learner.__setstate__(state[:-1])


def test_what_a_learner_says_of_itself():
    learner = bellwether.Learner("tdc", dimension=30, alpha=0.1, eta=1, lambda_=0.9)
    assert learner.algorithm == "gtd" and learner.dimension == 30 and not learner.diverged
    assert learner.parameters == {"alpha": 0.1, "eta": 1.0, "lambda_": 0.9}
    assert repr(learner) == "Learner('gtd', dimension=30, alpha=0.1, eta=1.0, lambda_=0.9)"
    assert repr(eval(repr(learner), {"Learner": bellwether.Learner})) == repr(learner)
    sparse = bellwether.Learner("td", 5, alpha=0.1, traces="sparse", trace_cutoff=1e-8)
    assert repr(sparse).endswith("traces='sparse', trace_cutoff=1e-08)")
