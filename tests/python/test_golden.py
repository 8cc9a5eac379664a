"""The recorded streams that the C++ core is tested with: the same weights, and the same bits as the program's."""

import csv
import subprocess

import numpy as np
import pytest
from conftest import DATA, golden_stream

import bellwether


def golden_runs():
    runs = {}
    with open(DATA / "weights.csv", newline="") as file:
        for row in csv.DictReader(file):
            runs.setdefault((row["stream"], row["algorithm"], row["parameters"]), []).append(float(row["weight"]))
    return [(*key, weights) for key, weights in runs.items()]


def learner_of(algorithm, parameters, dimension, **options):
    values = {}
    for pair in parameters.split():
        name, value = pair.split("=")
        name = name.replace("-", "_")
        values["lambda_" if name == "lambda" else name] = float(value)
    return bellwether.Learner(algorithm, dimension=dimension, **values, **options)


def learn(learner, stream, X):
    return learner.learn(X, stream.rewards, stream.gammas, stream.rhos, lambdas=stream.lambdas, interests=stream.interests,
                         pis=stream.pis, mus=stream.mus, starts=stream.starts)


@pytest.mark.parametrize("name, algorithm, parameters, weights", golden_runs())
def test_final_weights(name, algorithm, parameters, weights):
    stream = golden_stream(name)
    features = [stream.X]
    try:
        from scipy.sparse import csr_matrix
        features.append(csr_matrix(stream.X))
    except ImportError:
        pass
    for X in features:
        for traces in ("dense", "sparse"):
            learner = learner_of(algorithm, parameters, len(weights), traces=traces)
            learn(learner, stream, X)
            # As in tests/core/golden_test.cpp: relative to the largest weight, at least 1.
            scale = max(1.0, np.max(np.abs(weights)))
            assert np.max(np.abs(learner.weights - weights)) <= 1e-12 * scale


def test_the_golden_data_is_there():
    assert len({algorithm for _, algorithm, _, _ in golden_runs()}) >= 22


@pytest.mark.parametrize("name, algorithm, parameters", [run[:3] for run in golden_runs()])
def test_the_same_bits_as_the_program(program, tmp_path, name, algorithm, parameters):
    options = [word for pair in parameters.split() for word in ("--" + pair.split("=")[0], pair.split("=")[1])]
    subprocess.run([program, "learn", str(DATA / name), "--algorithm", algorithm, *options, "--quiet", "--weights",
                    str(tmp_path / "weights.csv"), "--predictions", str(tmp_path / "predictions.csv")], check=True)
    read = lambda file, column: np.array([float(row[column]) for row in csv.DictReader(open(tmp_path / file, newline=""))])
    stream = golden_stream(name)
    learner = learner_of(algorithm, parameters, stream.X.shape[1])
    predictions = learn(learner, stream, stream.X)
    learned = np.ones(len(stream.rewards), bool)
    learned[stream.starts - 1] = False  # the program predicts nothing for a row that closes a segment
    assert read("weights.csv", "weight").tobytes() == learner.weights.tobytes()
    assert read("predictions.csv", "prediction").tobytes() == predictions[learned].tobytes()
