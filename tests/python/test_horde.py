"""bellwether.Horde: many predictions from one stream, each equal to a Learner of its own."""

import copy
import pickle

import numpy as np
import pytest

import bellwether

scipy_sparse = pytest.importorskip("scipy.sparse")

STEPS = 90
DIMENSION = 7
PREDICTIONS = 45


class Stream:
    """A random stream with signals of each prediction's own."""

    def __init__(self, kind="dense"):
        random = np.random.default_rng(3)
        dense = random.uniform(-0.8, 0.8, (STEPS + 1, DIMENSION)) * (random.random((STEPS + 1, DIMENSION)) < 0.6)
        self.X = {
            "dense": dense,
            "csr": scipy_sparse.csr_matrix(dense),
            "one-hot": random.integers(0, DIMENSION, STEPS + 1),
        }[kind]
        self.cumulants = random.uniform(-1, 1, (STEPS, PREDICTIONS))
        self.gammas = random.uniform(0, 1, (STEPS, PREDICTIONS)) * (random.random((STEPS, PREDICTIONS)) < 0.9)
        self.rhos = random.uniform(0, 2, (STEPS, PREDICTIONS))


def one_by_one(stream, id="gtd", cumulants=None, gammas=None, rhos=None, starts=None, **parameters):
    """Weights and predictions of as many learners."""
    full = lambda given, own: np.broadcast_to(own if given is None else given, (STEPS, PREDICTIONS))  # noqa: E731
    c, g, r = full(cumulants, stream.cumulants), full(gammas, stream.gammas), full(rhos, stream.rhos)
    weights, predictions = [], []
    for k in range(PREDICTIONS):
        own = {name: np.broadcast_to(value, (PREDICTIONS,))[k] for name, value in parameters.items()}
        learner = bellwether.Learner(id, DIMENSION, **own)
        predictions.append(learner.learn(stream.X, c[:, k].copy(), g[:, k].copy(), r[:, k].copy(), starts=starts))
        weights.append(learner.weights)
    return np.array(weights), np.array(predictions).T


@pytest.mark.parametrize("kind", ["dense", "csr", "one-hot"])
@pytest.mark.parametrize("id", ["gtd", "to-htd", "etd", "off-policy-td"])
def test_equals_learners(kind, id):
    stream = Stream(kind)
    parameters = {"alpha": np.geomspace(0.001, 0.1, PREDICTIONS), "lambda_": 0.7}
    horde = bellwether.Horde(id, DIMENSION, PREDICTIONS, **parameters)
    predictions = horde.learn(stream.X, stream.cumulants, stream.gammas, stream.rhos, starts=[40])
    weights, expected = one_by_one(stream, id, starts=[40], **parameters)
    assert np.array_equal(horde.weights, weights)
    assert np.array_equal(predictions, expected)


@pytest.mark.parametrize("threads", [1, 3])
def test_continues_over_calls(threads):
    stream = Stream()
    horde = bellwether.Horde("gtd", DIMENSION, PREDICTIONS, alpha=0.05, lambda_=0.7, threads=threads)
    cuts = [0, 1, 40, STEPS]
    for begin, end in zip(cuts, cuts[1:]):
        part = slice(begin, end)
        horde.learn(stream.X[begin : end + 1], stream.cumulants[part], stream.gammas[part], stream.rhos[part])
        horde = pickle.loads(pickle.dumps(horde)) if begin == 1 else copy.copy(horde)
    weights, _ = one_by_one(stream, alpha=0.05, lambda_=0.7)
    assert np.array_equal(horde.weights, weights)


def test_start_is_that_of_learners():
    stream = Stream()
    horde = bellwether.Horde("gtd", DIMENSION, PREDICTIONS, alpha=0.05, lambda_=0.7)
    arrays = stream.cumulants, stream.gammas, stream.rhos
    horde.learn(stream.X[:40], *(array[:39] for array in arrays))
    horde.start()
    horde = copy.deepcopy(horde)
    horde.learn(stream.X[40:], *(array[40:] for array in arrays))
    weights, _ = one_by_one(stream, starts=[40], alpha=0.05, lambda_=0.7)
    assert np.array_equal(horde.weights, weights)


def test_signals_broadcast():
    stream = Stream()
    by_prediction = np.linspace(0, 0.99, PREDICTIONS)
    by_step = np.linspace(0, 2, STEPS)[:, None]
    for gammas, rhos in [(by_prediction, by_step), (0.9, None), (by_step / 2, by_prediction)]:
        horde = bellwether.Horde("gtd", DIMENSION, PREDICTIONS, alpha=0.05)
        horde.learn(stream.X, stream.cumulants, gammas, rhos, predictions=False)
        weights, _ = one_by_one(stream, gammas=gammas, rhos=1 if rhos is None else rhos, alpha=0.05)
        assert np.array_equal(horde.weights, weights)


def test_policies_give_the_ratios():
    stream = Stream()
    random = np.random.default_rng(1)
    pis, mus = random.uniform(0, 1, (STEPS, PREDICTIONS)), random.uniform(0.2, 1, (STEPS, 1))
    horde = bellwether.Horde("tb", DIMENSION, PREDICTIONS, alpha=0.05, lambda_=0.5)
    horde.learn(stream.X, stream.cumulants, 0.9, pis=pis, mus=mus)
    for k in (0, PREDICTIONS - 1):
        learner = bellwether.Learner("tb", DIMENSION, alpha=0.05, lambda_=0.5)
        learner.learn(stream.X, stream.cumulants[:, k].copy(), 0.9, pis=pis[:, k].copy(), mus=mus[:, 0].copy())
        assert np.array_equal(horde.weights[k], learner.weights)


def test_a_learner_goes_on_with_one_prediction():
    stream = Stream()
    horde = bellwether.Horde("gtd", DIMENSION, PREDICTIONS, alpha=0.05, lambda_=0.7)
    horde.learn(stream.X[:41], stream.cumulants[:40], stream.gammas[:40], stream.rhos[:40])
    learner = horde.learner(17)
    rest = slice(40, STEPS)
    horde.learn(stream.X[40:], stream.cumulants[rest], stream.gammas[rest], stream.rhos[rest])
    learner.learn(*(a[rest, 17].copy() if a.ndim == 2 and a.shape[1] == PREDICTIONS else a[40:]
                    for a in (stream.X, stream.cumulants, stream.gammas, stream.rhos)))  # fmt: skip
    assert np.array_equal(horde.weights[17], learner.weights)


@pytest.mark.parametrize("kind", ["dense", "csr", "one-hot"])
def test_predict(kind):
    stream = Stream(kind)
    horde = bellwether.Horde("gtd", DIMENSION, PREDICTIONS, alpha=0.05)
    horde.learn(stream.X, stream.cumulants, stream.gammas)
    predictions = horde.predict(stream.X)
    assert predictions.shape == (STEPS + 1, PREDICTIONS)
    # A product of matrices sums in another order.
    assert predictions[:, 3] == pytest.approx(horde.learner(3).predict(stream.X), rel=1e-12, abs=1e-14)
    if kind == "one-hot":
        pairs = np.array([[0, 2], [3, 1]])
        assert horde.predict(pairs)[0] == pytest.approx(horde.weights[:, 0] + horde.weights[:, 2], rel=1e-12)


def test_diverged():
    stream = Stream()
    alpha = np.where(np.arange(PREDICTIONS) == 4, 1e300, 0.01)
    horde = bellwether.Horde("gtd", DIMENSION, PREDICTIONS, alpha=alpha)
    horde.learn(stream.X, stream.cumulants, stream.gammas, stream.rhos)
    assert horde.diverged.tolist() == [k == 4 for k in range(PREDICTIONS)]


def test_what_it_says_of_itself():
    horde = bellwether.Horde("tdc", 3, 2, alpha=[0.1, 0.2])
    assert (horde.algorithm, horde.dimension, horde.predictions, len(horde)) == ("gtd", 3, 2, 2)
    assert horde.parameters["alpha"].tolist() == [0.1, 0.2]
    assert horde.parameters["eta"].tolist() == [1, 1]
    assert repr(horde) == "Horde('gtd', dimension=3, predictions=2)"
    assert horde.weights.tolist() == [[0, 0, 0]] * 2


def test_refusals():
    make = bellwether.Horde
    with pytest.raises(ValueError, match="unknown algorithm 'gdt'"):
        make("gdt", 3, 2, alpha=0.1)
    with pytest.raises(TypeError, match="gtd needs alpha"):
        make("gtd", 3, 2)
    with pytest.raises(TypeError, match="gtd has no parameter 'zeta'"):
        make("gtd", 3, 2, alpha=0.1, zeta=1)
    with pytest.raises(ValueError, match="alpha = -1 is out of range"):
        make("gtd", 3, 2, alpha=[0.1, -1])
    with pytest.raises(ValueError, match=r"alpha has the shape \(3,\)"):
        make("gtd", 3, 2, alpha=[1, 2, 3])
    with pytest.raises(ValueError, match="predictions = 0 is out of range"):
        make("gtd", 3, 0, alpha=0.1)
    horde, X, zero = make("gtd", 3, 2, alpha=0.1), np.zeros((5, 3)), np.zeros((4, 2))
    with pytest.raises(ValueError, match=r"cumulants must have shape \(4, 2\) or broadcast to that"):
        horde.learn(X, np.zeros((4, 3)), 0.9)
    with pytest.raises(ValueError, match=r"gammas\[1\] is 1.5"):
        horde.learn(X, zero, [0.5, 1.5])
    with pytest.raises(ValueError, match=r"X must have shape \(rows, 3\)"):
        horde.learn(np.zeros((5, 4)), zero, 0.9)
    with pytest.raises(ValueError, match="learns on-policy only"):
        make("td", 3, 2, alpha=0.1).learn(X, zero, 0.9, 2.0)
    with pytest.raises(ValueError, match="cannot restore this horde"):
        horde._core.restore(0, make("gtd", 4, 2, alpha=0.1)._core.state(0))
    with pytest.raises(ValueError, match="prediction = 2 is out of range"):
        horde.learner(2)


@pytest.mark.parametrize("kind", ["csr", "one-hot"])
@pytest.mark.parametrize("id", ["gtd", "off-policy-td", "to-gtd"])
def test_equals_learners_where_traces_are_shared(kind, id):
    stream = Stream(kind)
    gammas = np.where(np.arange(PREDICTIONS) % 2, 0.9, 0.5)
    rhos = stream.rhos[:, :1]
    horde = bellwether.Horde(id, DIMENSION, PREDICTIONS, alpha=0.05, lambda_=0.7)
    predictions = horde.learn(stream.X, stream.cumulants, gammas, rhos, starts=[40])
    weights, expected = one_by_one(stream, id, gammas=gammas, rhos=rhos, starts=[40], alpha=0.05, lambda_=0.7)
    assert np.array_equal(horde.weights, weights)
    assert np.array_equal(predictions, expected)
    copied = pickle.loads(pickle.dumps(horde))
    for each in horde, copied:
        each.learn(stream.X, stream.cumulants, gammas, rhos, predictions=False)
    assert np.array_equal(horde.weights, copied.weights)


def test_grows():
    stream = Stream("csr")
    horde = bellwether.Horde("gtd", DIMENSION, 40, alpha=0.05, lambda_=0.7)
    horde.learn(stream.X[:31], stream.cumulants[:30, :40], 0.9)
    horde.grow(PREDICTIONS - 40, alpha=0.02, lambda_=0.7)
    assert len(horde) == PREDICTIONS
    assert horde.parameters["alpha"][[39, 40]].tolist() == [0.05, 0.02]
    horde.learn(stream.X[30:], stream.cumulants[30:], 0.9)
    old = bellwether.Learner("gtd", DIMENSION, alpha=0.05, lambda_=0.7)
    old.learn(stream.X, stream.cumulants[:, 3].copy(), 0.9)
    new = bellwether.Learner("gtd", DIMENSION, alpha=0.02, lambda_=0.7)
    new.learn(stream.X[30:], stream.cumulants[30:, 42].copy(), 0.9)
    assert np.array_equal(horde.weights[3], old.weights)
    assert np.array_equal(horde.weights[42], new.weights)


def test_predictions_as_csv(tmp_path):
    stream = Stream()
    horde = bellwether.Horde("gtd", DIMENSION, PREDICTIONS, alpha=0.01)
    before = horde.learn(stream.X, stream.cumulants, stream.gammas, stream.rhos)
    names = [f"p{k}" for k in range(PREDICTIONS)]
    with bellwether.PredictionFile(tmp_path / "p.csv", names, every=7) as file:
        file.write(before[:40])
        file.write(before[40:])
    lines = (tmp_path / "p.csv").read_text().splitlines()
    assert lines[0] == ",".join(["step", *names])
    numbers = np.array([[float(cell) for cell in line.split(",")] for line in lines[1:]])
    assert np.array_equal(numbers[:, 0], np.arange(0, STEPS, 7))
    assert np.array_equal(numbers[:, 1:], before[::7])  # every digit


def test_predictions_as_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = np.random.default_rng(1).normal(size=(100, 3))
    rows[5, 1] = np.inf
    with bellwether.PredictionFile(tmp_path / "p.parquet", ["a", "b", "c"], every=3, first_step=50) as file:
        file.write(rows[:30])
        file.write(rows[30:31])
        file.write(rows[31:])
    table = parquet.read_table(tmp_path / "p.parquet")
    assert table.column_names == ["step", "a", "b", "c"]
    steps = np.arange(50, 150)
    chosen = steps % 3 == 0
    assert np.array_equal(table["step"].to_numpy(), steps[chosen])
    for k, name in enumerate("abc"):
        assert np.array_equal(table[name].to_numpy(), rows[chosen, k])


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ImportError, match="Parquet needs pyarrow"):
        bellwether.PredictionFile(tmp_path / "p.parquet", ["a"])


def test_prediction_files_refuse_what_does_not_fit(tmp_path):
    for names in (["a", "a"], ["step"]):
        with pytest.raises(ValueError, match="different from each other"):
            bellwether.PredictionFile(tmp_path / "p.csv", names)
    with pytest.raises(ValueError, match="without commas"):
        bellwether.PredictionFile(tmp_path / "p.csv", ["a,b"])
    with pytest.raises(ValueError, match="every = 0"):
        bellwether.PredictionFile(tmp_path / "p.csv", ["a"], every=0)
    file = bellwether.PredictionFile(tmp_path / "p.csv", ["a", "b"])
    with pytest.raises(ValueError, match=r"the shape \(3,\), where \(steps, 2\)"):
        file.write([1, 2, 3])
    file.close()
    file.close()
    with pytest.raises(ValueError, match="is closed"):
        file.write([[1, 2]])
