"""bellwether.sweep: every configuration is a Learner, to the bit, and scores are what they say."""

import math
import os
import signal
import sys
import threading

import numpy as np
import pytest

import bellwether

scipy_sparse = pytest.importorskip("scipy.sparse")

STEPS = 120
DIMENSION = 6


class Stream:
    """A random stream in every form of features that there is."""

    def __init__(self, kind="dense", on_policy=False):
        random = np.random.default_rng(7)
        self.dimension = DIMENSION
        dense = random.uniform(-0.8, 0.8, (STEPS + 1, DIMENSION)) * (random.random((STEPS + 1, DIMENSION)) < 0.6)
        self.X = {
            "dense": dense,
            "csr": scipy_sparse.csr_matrix(dense),
            "one-hot": random.integers(0, DIMENSION, STEPS + 1),
            "active": np.array([random.choice(DIMENSION, 2, replace=False) for _ in range(STEPS + 1)]),
        }[kind]
        self.rewards = random.uniform(-1, 1, STEPS)
        self.gammas = np.where(random.random(STEPS) < 0.1, 0.0, random.uniform(0.5, 0.95, STEPS))
        self.mus = random.uniform(0.25, 1, STEPS)
        self.pis = self.mus.copy() if on_policy else random.uniform(0, 1, STEPS)
        self.rhos = self.pis / self.mus
        self.interests = random.uniform(0, 2, STEPS)
        self.lambdas = random.uniform(0, 1, STEPS + 1)
        self.starts = [0, 30, 77]

    def learn(self, id, X=None, **arguments):
        """The weights and predictions of a Learner, with its parameters among the arguments."""
        names = [p.name for p in bellwether.algorithms()[id].parameters]
        parameters = {name: arguments.pop(name) for name in names if name in arguments}
        learner = bellwether.Learner(id, self.dimension, **parameters)
        X = self.X if X is None else X
        predictions = learner.learn(X, self.rewards, self.gammas, self.rhos, **arguments)
        return learner.weights, predictions


def returns(stream, ends=()):
    """G_t, and whether it is complete, from the definition."""
    values, known = np.zeros(STEPS), np.zeros(STEPS, dtype=bool)
    for t in range(STEPS):
        factor, total, k = 1.0, 0.0, t
        open_ = 1.0
        while True:
            total += factor * stream.rhos[k] * stream.rewards[k]
            factor *= stream.rhos[k] * stream.gammas[k]
            open_ *= stream.gammas[k]
            k += 1
            if open_ == 0 or k == STEPS or k in ends:
                break
        values[t], known[t] = total, open_ < 1e-6
    return values, known


KINDS = ["dense", "csr", "one-hot", "active"]
GRID = {"alpha": [0.01, 0.1], "lambda_": [0, 0.5, 0.9]}


@pytest.mark.parametrize("kind", KINDS)
def test_every_configuration_is_a_learner(kind):
    stream = Stream(kind)
    arguments = {"interests": stream.interests, "starts": stream.starts, "pis": stream.pis, "mus": stream.mus}
    ids = [id for id, info in bellwether.algorithms().items() if not info.on_policy_only and id not in ("abtd", "lstd")]
    table = bellwether.sweep(
        stream.X, stream.rewards, stream.gammas, stream.rhos, dimension=DIMENSION, algorithms=ids, truth=np.zeros(STEPS),
        weights=True, **GRID, **arguments,
    )  # fmt: skip
    assert set(table["algorithm"]) == set(ids)
    for row in table.to_dict("records"):
        parameters = {
            p.name: row[p.name.rstrip("_").replace("_", "-")] for p in bellwether.algorithms()[row["algorithm"]].parameters
        }
        weights, _ = stream.learn(row["algorithm"], **parameters, **arguments)
        assert np.array_equal(row["weights"], weights), row["algorithm"]
        assert row["diverged"] == (not np.isfinite(weights).all())


def test_rows_stand_in_the_order_of_nested_loops():
    stream = Stream()
    etas = [0.5, 1, 2]
    table = bellwether.sweep(
        stream.X, stream.rewards, stream.gammas, stream.rhos, algorithms=["htd", "gtd"], truth=np.zeros(STEPS), eta=etas,
        weights=True, **GRID,
    )  # fmt: skip
    expected = [
        (id, alpha, eta, lambda_)
        for id in ("htd", "gtd") for alpha in GRID["alpha"] for eta in etas for lambda_ in GRID["lambda_"]
    ]  # fmt: skip
    assert list(zip(table["algorithm"], table["alpha"], table["eta"], table["lambda"])) == expected
    for row in (1, 20, 35):
        id, alpha, eta, lambda_ = expected[row]
        weights, _ = stream.learn(id, alpha=alpha, eta=eta, lambda_=lambda_)
        assert np.array_equal(table["weights"][row], weights)


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_of_rows_and_lambdas_of_states(kind):
    stream = Stream(kind)
    X, X_next = stream.X[:-1], stream.X[1:]
    by_row = {"lambdas": stream.lambdas}
    by_step = {"X_next": X_next, "lambdas": stream.lambdas[:-1], "lambdas_next": stream.lambdas[1:]}
    common = {"dimension": DIMENSION, "algorithms": "gtd", "alpha": 0.1, "truth": np.zeros(STEPS), "weights": True}
    followed = bellwether.sweep(stream.X, stream.rewards, stream.gammas, stream.rhos, **by_row, **common)
    paired = bellwether.sweep(X, stream.rewards, stream.gammas, stream.rhos, **by_step, **common)
    weights, _ = stream.learn("gtd", alpha=0.1, **by_row)
    assert np.array_equal(followed["weights"][0], weights)
    assert np.array_equal(paired["weights"][0], weights)


@pytest.mark.parametrize("metric", ["rmse", "mse", "mae"])
def test_scores_by_returns(metric):
    stream = Stream()
    table = bellwether.sweep(
        stream.X, stream.rewards, stream.gammas, stream.rhos, algorithms=["gtd", "off-policy-td"], truth="returns",
        metric=metric, score=0.25, **GRID,
    )  # fmt: skip
    values, known = returns(stream)
    counts = known & (np.arange(STEPS) >= STEPS - STEPS // 4)
    assert 0 < counts.sum() <= STEPS // 4
    for row in table.to_dict("records"):
        eta = {"eta": row["eta"]} if row["algorithm"] == "gtd" else {}
        _, predictions = stream.learn(row["algorithm"], alpha=row["alpha"], lambda_=row["lambda"], **eta)
        errors = predictions[counts] - values[counts]
        expected = np.abs(errors).mean() if metric == "mae" else (errors**2).mean()
        # The sums are in another order, and so are the products within a return.
        assert row["score"] == pytest.approx(math.sqrt(expected) if metric == "rmse" else expected, rel=1e-12)


def test_returns_end_with_their_segment():
    stream = Stream()
    stream.gammas[:] = 0.9
    stream.gammas[59] = 0
    common = {"algorithms": "gtd", "alpha": 0.05, "truth": "returns", "score": 1.0}
    table = bellwether.sweep(stream.X, stream.rewards, stream.gammas, stream.rhos, starts=[30], **common)
    values, known = returns(stream)
    known[:30] = False  # their segment was cut; 0.9**30 is not small
    known[60:] = False
    _, predictions = stream.learn("gtd", alpha=0.05, starts=[30])
    expected = np.sqrt(((predictions - values)[known] ** 2).mean())
    assert known.sum() == 30
    assert table["score"][0] == pytest.approx(expected, rel=1e-12)


def test_scores_by_true_values_of_the_streams_rows():
    stream = Stream()
    truth = np.linspace(-1, 1, STEPS + 1)
    common = {"algorithms": "gtd", "alpha": 0.05, "metric": "mse"}
    table = bellwether.sweep(stream.X, stream.rewards, stream.gammas, stream.rhos, truth=truth, **common)
    other = bellwether.sweep(stream.X, stream.rewards, stream.gammas, stream.rhos, truth=truth[:-1], **common)
    _, predictions = stream.learn("gtd", alpha=0.05)
    assert table["score"][0] == pytest.approx(((predictions - truth[:-1])[STEPS // 2 :] ** 2).mean(), rel=1e-12)
    assert table.equals(other)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_on_an_evaluation_set(kind):
    stream = Stream(kind)
    rows = stream.X[:9]
    truth = np.linspace(-1, 1, 9)
    counts = np.array([1.0, 0, 2, 1, 1, 1, 0, 1, 1])
    table = bellwether.sweep(
        stream.X, stream.rewards, stream.gammas, stream.rhos, dimension=DIMENSION, algorithms="gtd", alpha=0.05,
        truth=truth, evaluation=rows, evaluation_weights=counts, every=10, score=0.5,
    )  # fmt: skip
    learner = bellwether.Learner("gtd", DIMENSION, alpha=0.05)
    errors = []
    for t in range(STEPS):
        learner.learn(stream.X[t : t + 2], stream.rewards[t], stream.gammas[t], stream.rhos[t])
        if t >= STEPS // 2 and (STEPS - 1 - t) % 10 == 0:
            errors.append(np.sqrt((counts * (learner.predict(rows) - truth) ** 2).sum() / counts.sum()))
    assert len(errors) == 6
    assert table["score"][0] == pytest.approx(np.mean(errors), rel=1e-12)


def test_the_table():
    stream = Stream(on_policy=True)
    table = bellwether.sweep(
        stream.X, stream.rewards, stream.gammas, algorithms=["td", "etd-beta"], truth="returns",
        alpha=[0.1, 1e12], beta_scale=[0.2, 0.4], lambda_=0.5,
    )  # fmt: skip
    assert list(table.columns) == ["algorithm", "alpha", "lambda", "beta-scale", "score", "diverged"]
    assert list(table["algorithm"]) == ["td"] * 2 + ["etd-beta"] * 4
    assert table["beta-scale"].isna().tolist() == [True] * 2 + [False] * 4
    assert table["diverged"].dtype == bool
    assert table["diverged"].tolist() == [False, True, False, False, True, True]
    assert np.isinf(table["score"][table["diverged"]]).all()


def test_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    stream = Stream()
    columns = bellwether.sweep(
        stream.X, stream.rewards, stream.gammas, algorithms="td", alpha=[0.1, 0.2], truth="returns", weights=True
    )
    assert list(columns) == ["algorithm", "alpha", "lambda", "score", "diverged", "weights"]
    assert columns["weights"].shape == (2, DIMENSION)


def test_threads_change_nothing():
    stream = Stream()
    grid = {"alpha": np.geomspace(1e-3, 10, 25), "eta": [0.1, 1, 4], "lambda_": [0, 0.5, 1]}
    common = {"algorithms": ["gtd", "htd"], "truth": "returns", **grid}
    tables = [
        bellwether.sweep(stream.X, stream.rewards, stream.gammas, stream.rhos, threads=threads, **common)
        for threads in (1, 2, 7)
    ]
    assert len(tables[0]) == 2 * 25 * 9
    assert tables[0].equals(tables[1])
    assert tables[0].equals(tables[2])


def test_initial_weights():
    stream = Stream()
    start = np.arange(DIMENSION, dtype=float)
    table = bellwether.sweep(
        stream.X, stream.rewards, stream.gammas, algorithms="td", alpha=0, truth="returns", initial_weights=start, weights=True
    )
    assert np.array_equal(table["weights"][0], start)


def test_progress_and_its_exceptions():
    stream = Stream()
    seen = []
    common = {"algorithms": "gtd", "truth": "returns", "alpha": np.geomspace(1e-3, 1, 300)}
    bellwether.sweep(stream.X, stream.rewards, stream.gammas, stream.rhos, progress=seen.append, **common)
    assert seen == sorted(seen)
    assert seen[-1] == 1

    def stop(share):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        bellwether.sweep(stream.X, stream.rewards, stream.gammas, stream.rhos, progress=stop, **common)


def test_ctrl_c():
    random = np.random.default_rng(1)
    X = random.uniform(-1, 1, (200_001, 20))
    rewards = random.uniform(-1, 1, 200_000)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            # Minutes of work.
            bellwether.sweep(X, rewards, 0.9, algorithms="td", truth="returns", alpha=np.geomspace(1e-6, 1e-4, 20_000))
    finally:
        timer.join()


@pytest.mark.filterwarnings("ignore:lstd is run on the processor")
@pytest.mark.parametrize("kind", ["dense", "csr", "one-hot", "active"])
def test_does_not_depend_on_the_device(kind):
    """With a card this is about the card; else "auto" is "cpu"."""
    stream = Stream(kind)
    tables = [
        bellwether.sweep(
            stream.X, stream.rewards, stream.gammas, stream.rhos, algorithms=["gtd", "swift-td", "lstd"], truth="returns",
            dimension=DIMENSION, starts=stream.starts, alpha=np.geomspace(1e-3, 1e3, 40), lambda_=[0, 0.9], device=device,
            weights=True,
        )  # fmt: skip
        for device in ("cpu", "auto")
    ]
    for column in tables[0]:
        np.testing.assert_array_equal(np.stack(tables[0][column]), np.stack(tables[1][column]))


def refused(error, message, **changes):
    stream = Stream()
    arguments = {
        "X": stream.X, "rewards": stream.rewards, "gammas": stream.gammas, "rhos": stream.rhos, "algorithms": "gtd",
        "alpha": 0.1, "truth": "returns", **changes,
    }  # fmt: skip
    with pytest.raises(error) as caught:
        bellwether.sweep(**arguments)
    assert message in str(caught.value)


def test_refusals():
    refused(ValueError, "td learns on-policy only", algorithms="td")
    refused(ValueError, "unknown algorithm 'gdt'", algorithms="gdt")
    refused(ValueError, "no algorithm is given", algorithms=[])
    refused(TypeError, "algorithms must be a text", algorithms=[3])
    refused(ValueError, "none of the algorithms has a parameter 'zeta'", zeta=1)
    refused(ValueError, "alpha = -1 is out of range", alpha=[0.1, -1])
    refused(ValueError, "alpha has no values", alpha=[])
    refused(TypeError, "alpha must be an array of numbers", alpha="much")
    refused(ValueError, "rewards must have shape (120,)", rewards=np.zeros(7))
    refused(TypeError, "gammas must be an array of numbers", gammas=None)
    refused(ValueError, "gammas is 1.5", gammas=1.5)
    refused(ValueError, "rewards[3] is nan", rewards=np.where(np.arange(STEPS) == 3, np.nan, 0.0))
    refused(ValueError, "metric must be", metric="rmsd")
    refused(ValueError, "device: 'gpu' is not a device", device="gpu")
    refused(TypeError, "device must be a text", device=0)
    refused(ValueError, "score = 2 is out of range", score=2)
    refused(ValueError, "truth must be 'returns' or an array", truth="values")
    refused(ValueError, "truth must have one value per step", truth=np.zeros(5))
    refused(ValueError, "evaluation needs an array", evaluation=np.zeros((3, DIMENSION)))
    refused(ValueError, "truth must have one number per row", evaluation=np.zeros((3, DIMENSION)), truth=[1.0])
    refused(ValueError, "every goes with evaluation", every=3)
    refused(ValueError, "no step that would be scored has a known truth", gammas=1.0)
    refused(ValueError, "tb needs pis and mus", algorithms="tb")
    refused(ValueError, "mus are missing", pis=np.full(STEPS, 0.5))
    refused(ValueError, "but pis/mus is", pis=np.full(STEPS, 0.5), mus=np.full(STEPS, 0.5))
    refused(ValueError, "starts[0] is 500", starts=[500])
    refused(ValueError, "threads = 0 is out of range", threads=0)
    refused(TypeError, "progress must be a function", progress=3)
    refused(ValueError, "X must be finite", X=np.full((STEPS + 1, DIMENSION), np.inf))


def test_rows_between_segments_are_not_read():
    stream = Stream()
    stream.rewards[29] = stream.gammas[29] = stream.rhos[29] = np.nan
    table = bellwether.sweep(
        stream.X, stream.rewards, stream.gammas, stream.rhos, starts=[30], algorithms="gtd", alpha=0.1, truth="returns",
        weights=True,
    )  # fmt: skip
    weights, _ = stream.learn("gtd", alpha=0.1, starts=[30])
    assert np.isfinite(weights).all()
    assert np.array_equal(table["weights"][0], weights)
