"""Tile coding and the Fourier basis of the core, in batches."""

import pickle

import numpy as np
import pytest

import bellwether


def mountain_car():
    return bellwether.TileCoder([-1.2, -0.07], [0.6, 0.07], tiles=8, tilings=8)


def some_inputs(count=200):
    random = np.random.default_rng(1)
    return random.uniform([-1.3, -0.08], [0.7, 0.08], (count, 2))


def test_tiles():
    coder = mountain_car()
    inputs = some_inputs()
    indices = coder.encode(inputs)
    assert (coder.inputs, coder.tilings, coder.active, coder.size, coder.hashed) == (2, 8, 8, 8 * 9 * 9, False)
    assert indices.shape == (200, 8) and indices.dtype == np.uint32
    assert (np.diff(indices.astype(int), axis=1) > 0).all() and indices.max() < coder.size
    assert (indices // 81 == np.arange(8)).all()  # one tile of every tiling
    assert coder.encode(inputs[3]).tolist() == indices[3].tolist()
    assert coder.encode([-9, -9]).tolist() == coder.encode([-1.2, -0.07]).tolist()
    # Near inputs share tiles, far ones none.
    near = np.intersect1d(coder.encode([0.0, 0.0]), coder.encode([0.03, 0.0]))
    assert 4 <= near.size < 8
    assert np.intersect1d(coder.encode([-1.0, 0.0]), coder.encode([0.5, 0.0])).size == 0


def test_tiles_by_hand():
    # One tiling of four tiles: the index is the interval.
    coder = bellwether.TileCoder(0, 4, 4, tilings=1, bias=True)
    assert coder.encode([[0.5], [1.5], [3.99], [4.0], [np.nan]]).tolist() == [[0, 4], [1, 4], [3, 4], [3, 4], [0, 4]]
    angle = bellwether.TileCoder([-np.pi], [np.pi], 8, wraps=True)
    assert angle.size == 64
    assert angle.encode([-np.pi + 0.01]).tolist() == angle.encode([np.pi + 0.01]).tolist()
    hashed = bellwether.TileCoder([0] * 6, [1] * 6, 10, tilings=4, memory=1024)
    assert hashed.hashed and hashed.size == 1024


def test_tiles_as_features():
    sparse = pytest.importorskip("scipy.sparse")
    coder = mountain_car()
    inputs = some_inputs()
    indices, csr = coder.encode(inputs), coder.csr(inputs)
    assert sparse.issparse(csr) and csr.format == "csr" and csr.shape == (200, coder.size)
    dense = np.zeros((200, coder.size))
    np.put_along_axis(dense, indices.astype(np.int64), 1.0, axis=1)
    assert (csr.toarray() == dense).all()
    learners = [bellwether.Learner("gtd", coder.size, alpha=0.01, eta=0.5, lambda_=0.9, traces="sparse") for _ in range(4)]
    rewards = np.random.default_rng(2).random(199)
    predictions = learners[0].learn(indices, rewards, 0.9)
    assert learners[1].learn(csr, rewards, 0.9).tobytes() == predictions.tobytes()
    assert learners[2].learn(indices.astype(np.int64), rewards, 0.9).tobytes() == predictions.tobytes()
    for t in range(199):
        learners[3].step(indices[t], rewards[t], 0.9, indices[t + 1])
    assert learners[3].weights.tobytes() == learners[0].weights.tobytes()
    np.testing.assert_allclose(learners[0].predict(indices), dense @ learners[0].weights, rtol=0, atol=1e-12)


def test_fourier_basis():
    basis = bellwether.FourierBasis([-1.2, -0.07], [0.6, 0.07], order=3)
    inputs = some_inputs()
    features = basis.encode(inputs)
    assert (basis.inputs, basis.order, basis.size) == (2, 3, 16)
    assert basis.coefficients.tolist() == [[i, j] for i in range(4) for j in range(4)]
    unit = np.clip((inputs - [-1.2, -0.07]) / [1.8, 0.14], 0, 1)
    np.testing.assert_allclose(features, np.cos(np.pi * unit @ basis.coefficients.T), rtol=0, atol=1e-14)
    assert basis.encode(inputs[0]).tobytes() == features[0].tobytes()
    scales = basis.step_size_scales
    assert scales[0] == 1 and scales[1] == 1 and scales[5] == 1 / np.sqrt(2)
    scaled = bellwether.FourierBasis([-1.2, -0.07], [0.6, 0.07], 3, scaled=True)
    np.testing.assert_allclose(scaled.encode(inputs), features * np.sqrt(scales), rtol=0, atol=1e-15)


def test_pickles():
    for coder in (mountain_car(), bellwether.FourierBasis([-1.2, -0.07], [0.6, 0.07], 2, scaled=True)):
        again = pickle.loads(pickle.dumps(coder))
        assert again.encode(some_inputs()).tobytes() == coder.encode(some_inputs()).tobytes()


@pytest.mark.parametrize("make, error, words", [
    (lambda: bellwether.TileCoder([0, 0], [1], 8), ValueError, "upper must be one value, or 2, one for every input"),
    (lambda: bellwether.TileCoder([0, 0], [1, 0], 8), ValueError, "input 1: the lower bound must be below the upper bound"),
    (lambda: bellwether.TileCoder(0, 1, 0), ValueError, "tiles must be whole numbers of at least 1"),
    (lambda: bellwether.TileCoder(0, 1, 2.5), ValueError, "tiles must be whole numbers of at least 1"),
    (lambda: bellwether.TileCoder(0, 1, "a"), TypeError, "tiles must be an array of numbers"),
    (lambda: bellwether.TileCoder(0, 1, 4, tilings=0), ValueError, "tilings is 0: it must be at least 1"),
    (lambda: bellwether.TileCoder(0, 1, 4, tilings=8, memory=4), ValueError, "8 tilings do not fit a memory of 4"),
    (lambda: mountain_car().encode(np.zeros((3, 3))), ValueError, "inputs must have shape (rows, 2) or (2,), not (3, 3)"),
    (lambda: bellwether.FourierBasis(0, 1, order=0), ValueError, "order is 0: it must be at least 1"),
    (lambda: bellwether.FourierBasis(0, np.inf), ValueError, "the bounds must be finite"),
])
def test_refusals(make, error, words):
    with pytest.raises(error) as raised:
        make()
    assert words in str(raised.value)
