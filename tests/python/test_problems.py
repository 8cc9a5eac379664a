"""bellwether.problems: exact solutions against golden numbers, streams against the program, bad input."""

import copy
import json
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import bellwether
from bellwether import problems

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("BELLWETHER_PROGRAM")
needs_program = pytest.mark.skipif(
    not PROGRAM or not Path(PROGRAM).exists(), reason="BELLWETHER_PROGRAM does not name the program"
)
GOLDEN = 1e-10  # the golden numbers come from another linear algebra library: condition numbers take a few digits


@pytest.fixture(scope="module")
def golden():
    return json.loads((ROOT / "tests/data/mdp.json").read_text())


@pytest.fixture(scope="module")
def model_file(golden, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "golden.json"
    path.write_text(json.dumps({key: value for key, value in golden.items() if key != "expected"}))
    return path


def test_names_and_info_of_every_domain():
    assert {"random-mdp", "baird", "boyan", "walk5", "collision"} <= set(problems.names())
    for name in problems.names():
        facts = problems.info(name)
        assert facts["name"] == name and facts["summary"] and facts["source"] and facts["features"]
        for features in facts["features"]:
            problem = problems.make(name, features=features)
            assert problem.features.shape == (problem.states, problem.dimension)
            assert problem.target.shape == problem.behaviour.shape == (problem.states, problem.actions)
            np.testing.assert_allclose(problem.target.sum(axis=1), 1, rtol=1e-12)
            assert name in repr(problem)
    by_name = {p["name"]: p for p in problems.info("random-mdp")["parameters"]}
    assert by_name["states"]["default"] == 30 and by_name["states"]["whole"]
    assert by_name["gamma"]["range"] and by_name["target-probability"]["help"]


def test_defaults_are_those_of_the_declaration():
    problem = problems.make("random-mdp")
    assert (problem.states, problem.actions, problem.dimension) == (30, 3, 30)
    assert problems.make("random-mdp", states=7, aliased_states=2, features="aliased").states == 7
    assert not problem.on_policy
    assert problems.make("random-mdp", policy="on").on_policy


def test_instances_and_seeds_are_different_problems():
    def values(**where):
        return problems.make("random-mdp", states=6, **where).solve().v

    assert np.array_equal(values(seed=3, instance=1), values(seed=3, instance=1))
    assert not np.array_equal(values(seed=3, instance=1), values(seed=3, instance=2))
    assert not np.array_equal(values(seed=3), values(seed=4))


def test_solution_of_the_golden_model(golden, model_file):
    expected = golden["expected"]
    solution = problems.load(model_file).solve()
    for name, key in [
        ("d", "stationary"),
        ("v", "values"),
        ("A", "A"),
        ("b", "b"),
        ("A_mu", "A_mu"),
        ("C", "C"),
        ("fixed_point", "td_fixed_point"),
    ]:
        np.testing.assert_allclose(getattr(solution, name), expected[key], rtol=GOLDEN, atol=GOLDEN, err_msg=name)
    np.testing.assert_allclose(
        solution.emphatic(1).fixed_point, expected["emphatic_fixed_point"], rtol=GOLDEN, atol=GOLDEN
    )
    for error in ("mspbe", "msve", "mave"):
        assert getattr(solution, error)(expected["weights"]) == pytest.approx(expected[error], rel=GOLDEN)


def test_solution_by_numpy():
    """The definitions, written again in NumPy."""
    solution = problems.make("random-mdp", seed=3, instance=2, features="binary").solve(lambda_=0.6)
    d, v, X, P, r = solution.d, solution.v, solution.X, solution.P_pi, solution.r_pi
    D, identity = np.diag(d), np.eye(len(d))
    spread = np.linalg.inv(identity - P * solution.lambda_)
    close = {"rtol": 1e-9, "atol": 1e-12}
    np.testing.assert_allclose(d.sum(), 1, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.solve(identity - P, r), v, **close)
    np.testing.assert_allclose(X.T @ D @ spread @ (identity - P) @ X, solution.A, **close)
    np.testing.assert_allclose(X.T @ D @ spread @ r, solution.b, **close)
    np.testing.assert_allclose(X.T @ D @ X, solution.C, **close)
    np.testing.assert_allclose(solution.A @ solution.fixed_point, solution.b, **close)
    w = np.linspace(-1, 1, X.shape[1])
    assert solution.msve(w) == pytest.approx(d @ (X @ w - v) ** 2)
    assert solution.rmsve(w) == pytest.approx(solution.msve(w) ** 0.5)
    assert solution.rmspbe(w) == pytest.approx(solution.mspbe(w) ** 0.5)
    assert solution.msbe(w) == pytest.approx(d @ (r + P @ X @ w - X @ w) ** 2)
    assert solution.mave(w) == pytest.approx(d @ (np.abs(X @ w - v) / np.abs(v)))
    assert solution.rmsve(solution.projection) <= solution.rmsve(solution.fixed_point)
    assert solution.mspbe(solution.fixed_point) == pytest.approx(0, abs=1e-18)
    assert solution.notes == []


def test_return_statistics_of_the_golden_model(golden, model_file):
    expected = json.loads((ROOT / "tests/data/mdp-since2016.json").read_text())
    solution = problems.load(model_file).solve()
    close = {"rtol": GOLDEN, "atol": GOLDEN}
    np.testing.assert_allclose(solution.return_variance(), expected["variance"], **close)
    np.testing.assert_allclose(solution.return_variance(0.8), expected["variance_of_lambda_return_0_8"], **close)
    average = solution.average_reward()
    assert average.reward == pytest.approx(expected["average_reward"], rel=GOLDEN)
    np.testing.assert_allclose(average.values, expected["differential_values"], **close)
    np.testing.assert_allclose(average.d, expected["target_stationary"], **close)


def test_returns_have_the_variance_and_the_average_that_is_solved_for():
    """A coin, 1 or 0 at even odds: the return is a sum of independent terms."""
    coins = problems.from_arrays([[0.5, 0.5], [0.5, 0.5]], [[1, 0], [1, 0]], 0.9)
    np.testing.assert_allclose(coins.solve().return_variance(), 0.25 / (1 - 0.81), rtol=1e-12)
    np.testing.assert_allclose(coins.solve().return_variance(0), 0.25, rtol=1e-12)
    assert coins.solve().average_reward().reward == pytest.approx(0.5)
    np.testing.assert_allclose(coins.solve().average_reward().values, 0, atol=1e-12)


def test_rewards_that_change():
    """A run has the rewards of the time, and the problem after the change its own values."""
    plain = problems.make("random-mdp", seed=3, features="tabular")
    changing = problems.make("random-mdp", seed=3, features="tabular", redraw_after=40)
    assert (plain.changes_after, changing.changes_after) == (0, 40)
    later = pickle.loads(pickle.dumps(changing.after_change()))
    assert later.changes_after == 0
    whole, before, after = changing.sample(100), plain.sample(100), later.sample(100)
    np.testing.assert_array_equal(whole.states, after.states)
    np.testing.assert_array_equal(whole.rewards, np.where(np.arange(100) < 40, before.rewards, after.rewards))
    assert not np.array_equal(before.rewards, after.rewards)
    np.testing.assert_array_equal(changing.solve().v, plain.solve().v)
    assert not np.array_equal(later.solve().v, plain.solve().v)


def test_baird():
    """The published check values of the initial weights have ten digits."""
    problem = problems.make("baird")
    solution = problem.solve()
    assert solution.rmsve(problem.initial_weights) == pytest.approx(5.318431563, abs=1e-9)
    assert solution.rmspbe(problem.initial_weights) == pytest.approx(8.221407596, abs=1e-9)
    assert solution.mave(problem.initial_weights) is None  # the values are 0
    assert solution.notes  # C is singular
    assert solution.growth_rate("off-policy-td") > 0 > solution.growth_rate("gtd", eta=16)
    assert solution.growth_rate("td") is None  # on-policy only
    assert solution.expected_update("lstd") is None
    update = solution.expected_update("gtd", eta=1)
    assert update.G.shape == (16, 16) and update.g.shape == (16,) and update.auxiliary == 8
    np.testing.assert_array_equal(update.G[:8, :8], -solution.A)
    assert solution.expected_update("etd", alpha=0.1).auxiliary == 0


def test_expected_updates_have_the_fixed_point():
    solution = problems.make("random-mdp", features="tabular").solve(lambda_=0.5)
    for algorithm in ("td0", "ptd", "gtd", "htd", "gtd2", "to-gtd", "tb", "abtd"):
        assert solution.growth_rate(algorithm) < 0, algorithm
    update = solution.expected_update("gtd", eta=4)
    np.testing.assert_allclose(-np.linalg.solve(update.G, update.g)[:30], solution.fixed_point, rtol=1e-8)


def test_arrays_are_read_only_and_outlive_the_solution():
    d = problems.make("boyan").solve().d
    assert d.sum() == pytest.approx(1)
    with pytest.raises(ValueError):
        d[0] = 1
    with pytest.raises(ValueError):
        problems.make("boyan").features[0, 0] = 2


@needs_program
@pytest.mark.parametrize(
    "problem",
    [
        {"name": "random-mdp", "seed": 3, "instance": 2, "run": 5, "features": "binary"},
        {"name": "baird"},
        {"name": "walk5", "gamma": 0.9, "policy": "on", "run": 1},
        {"name": "collision", "seed": 18446744073709551615, "run": 7},
    ],
)
def test_sample_is_that_of_the_program(problem):
    options = [text for key, value in problem.items() if key != "name" for text in (f"--{key}", str(value))]
    text = subprocess.run(
        [PROGRAM, "sample", problem["name"], "--steps", "500", "--quiet", *options],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert_same(problems.make(**problem).sample(500), text)


@needs_program
def test_sample_of_a_model_is_that_of_the_program(model_file):
    run = ["--seed", "9", "--instance", "4", "--run", "2"]
    text = subprocess.run(
        [PROGRAM, "sample", str(model_file), "--steps", "300", *run], check=True, capture_output=True, text=True
    ).stdout
    stream = problems.load(model_file).sample(300, seed=9, instance=4, run=2)
    assert stream.lambdas is not None and stream.interests is not None
    assert_same(stream, text)


def assert_same(stream, text):
    """To the bit: the program writes numbers that read back as they were."""
    header, *lines = text.splitlines()
    columns = header.split(",")
    dimension = columns.index("reward")
    rows = [[float(cell) if cell else np.nan for cell in line.split(",")] for line in lines]
    table = np.array(rows)
    np.testing.assert_array_equal(stream.X, table[:, :dimension])
    for name, array in [
        ("reward", stream.rewards),
        ("gamma", stream.gammas),
        ("rho", stream.rhos),
        ("pi", stream.pis),
        ("mu", stream.mus),
    ]:
        np.testing.assert_array_equal(array, table[:-1, columns.index(name)], err_msg=name)
    for name, array in (("lambda", stream.lambdas), ("interest", stream.interests)):
        assert (array is None) == (name not in columns)
        if array is not None:
            np.testing.assert_array_equal(array, table[: len(array), columns.index(name)], err_msg=name)


def test_sample_is_addressed():
    problem = problems.make("random-mdp", seed=3, instance=1)
    stream = problem.sample(200)
    assert np.array_equal(stream.X, problem.sample(200, seed=3, instance=1, run=0).X)
    assert np.array_equal(stream.X[:51], problem.sample(50).X)
    assert not np.array_equal(stream.states, problem.sample(200, run=1).states)
    assert not np.array_equal(stream.states, problem.sample(200, seed=4).states)
    assert np.array_equal(stream.X, problem.features[stream.states])
    np.testing.assert_array_equal(stream.rhos, stream.pis / stream.mus)
    assert stream.lambdas is None and stream.interests is None
    assert len(stream.X) == len(stream.rewards) + 1 == 201


def test_sample_plugs_into_learn():
    problem = problems.make("walk5", features="dependent", policy="on")
    stream = problem.sample(200_000)
    solution = problem.solve(lambda_=0.5)
    learner = bellwether.Learner("lstd", dimension=problem.dimension, lambda_=0.5)
    learner.learn(stream.X, stream.rewards, stream.gammas, stream.rhos, pis=stream.pis, mus=stream.mus)
    # 200,000 steps: the noise of the estimate is near 1/sqrt(200,000) times a few
    assert solution.rmsve(learner.weights) == pytest.approx(solution.rmsve(solution.fixed_point), abs=0.02)


@needs_program
def test_sample_and_learn_are_those_of_the_program(model_file):
    """With λ and interest of every state."""
    sampled = subprocess.run([PROGRAM, "sample", str(model_file), "--steps", "1000"], check=True, capture_output=True)
    learn = [PROGRAM, "learn", "-", "--algorithm", "etd", "--alpha", "0.001", "--quiet"]
    table = subprocess.run(learn, check=True, capture_output=True, input=sampled.stdout).stdout.decode()
    stream = problems.load(model_file).sample(1000)
    learner = bellwether.Learner("etd", dimension=stream.X.shape[1], alpha=0.001)
    learner.learn(
        stream.X, stream.rewards, stream.gammas, stream.rhos, lambdas=stream.lambdas, interests=stream.interests
    )
    weights = [float(line.split(",")[1]) for line in table.splitlines()[1:]]
    np.testing.assert_array_equal(learner.weights, weights)


def test_arrays_describe_a_model(golden, model_file):
    states, actions = golden["states"], golden["actions"]
    P, R, gamma = (np.zeros((states, actions, states)) for _ in range(3))
    for t in golden["transitions"]:
        at = t["state"], t["action"], t["next"]
        P[at], R[at], gamma[at] = t["probability"], t.get("reward", 0), t["discount"]
    problem = problems.from_arrays(
        P,
        R,
        gamma,
        golden["target"],
        golden["behaviour"],
        golden["features"],
        lambda_=golden["lambda"],
        interest=golden["interest"],
        name="mine",
    )
    assert problem.name == "mine"
    ours, theirs = problem.solve(), problems.load(model_file).solve()
    for name in ("d", "v", "A", "b", "C"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    np.testing.assert_array_equal(problem.sample(100).rewards, problems.load(model_file).sample(100).rewards)

    chain = problems.from_arrays([[0.5, 0.5], [0, 1]], 1, 0.9)  # one action, one reward, tabular
    np.testing.assert_allclose(chain.solve().v, [10, 10], rtol=1e-12)


def test_pickle_and_copy_make_the_same_problem(model_file):
    for problem in (
        problems.make("random-mdp", seed=3, instance=1, features="binary", states=12),
        problems.load(model_file),
        problems.from_arrays([[0.5, 0.5], [0.1, 0.9]], 1, 0.9),
    ):
        for again in (pickle.loads(pickle.dumps(problem)), copy.deepcopy(problem)):
            np.testing.assert_array_equal(again.solve().v, problem.solve().v)
            np.testing.assert_array_equal(again.sample(50).X, problem.sample(50).X)


WRONG = [
    (lambda: problems.make("random-mpd"), ValueError, "did you mean 'random-mdp'"),
    (lambda: problems.make(3), TypeError, "name must be a text"),
    (lambda: problems.make("baird", features="tabulr"), ValueError, "baird has no features 'tabulr'"),
    (lambda: problems.make("baird", policy="both"), ValueError, "policy"),
    (lambda: problems.make("baird", gamma=1.5), ValueError, "gamma = 1.5 is out of range"),
    (lambda: problems.make("baird", gamma="high"), TypeError, "gamma must be a number"),
    (lambda: problems.make("baird", states=3), ValueError, "baird has no parameter 'states'"),
    (lambda: problems.make("random-mdp", states=3.5), ValueError, "not a whole number"),
    (lambda: problems.make("random-mdp", seed=-1), ValueError, "seed = -1 is out of range"),
    (lambda: problems.make("random-mdp", seed=1.0), TypeError, "seed must be a whole number"),
    (lambda: problems.make("random-mdp", instance=2**32), ValueError, "instance"),
    (lambda: problems.load("/nowhere/model.toml"), ValueError, "/nowhere/model.toml"),
    (lambda: problems.load(7), TypeError, "path must be a path"),
    (lambda: problems.make("baird").sample(0), ValueError, "steps = 0 is out of range"),
    (lambda: problems.make("baird").sample(True), TypeError, "steps must be a whole number"),
    (lambda: problems.make("baird").sample(10, run=-2), ValueError, "run = -2"),
    (lambda: problems.make("baird").solve(lambda_=1.01), ValueError, "lambda_ = 1.01 is out of range"),
    (lambda: problems.make("baird").solve(lambda_="0.5"), TypeError, "lambda_ must be a number"),
    (lambda: problems.make("baird").solve().rmsve([1, 2, 3]), ValueError, "one per feature is needed: 8"),
    (lambda: problems.make("baird").solve().rmsve("w"), TypeError, "w must be an array"),
    (lambda: problems.make("baird").solve().growth_rate("gdt"), ValueError, "did you mean 'gtd'"),
    (lambda: problems.make("baird").solve().growth_rate("gtd", et=1), ValueError, "gtd has no parameter 'et'"),
    (lambda: problems.make("baird").solve().growth_rate("gtd", eta=-1), ValueError, "eta = -1 is out of range"),
    (lambda: problems.make("baird").solve().emphatic(2), ValueError, "beta_scale = 2 is out of range"),
    (lambda: problems.make("baird").solve().return_variance(2), ValueError, "target_lambda = 2 is out of range"),
    (lambda: problems.make("baird").solve().return_variance("1"), TypeError, "target_lambda must be a number"),
    (
        # Under the target policy both states are traps.
        lambda: problems.from_arrays(
            [[[1, 0], [0, 1]], [[0, 1], [1, 0]]], 1, 0.9, [[1, 0], [1, 0]], [[0.5, 0.5], [0.5, 0.5]]
        )
        .solve()
        .average_reward(),
        ValueError,
        "closed classes",
    ),
    (lambda: problems.from_arrays([[0.5, 0.4], [0, 1]], 1, 0.9), ValueError, "sum"),
    (lambda: problems.from_arrays([0.5, 0.5], 1, 0.9), ValueError, "transitions has the shape"),
    (lambda: problems.from_arrays(np.ones((2, 3, 2)) / 2, 1, 0.9), ValueError, "target is needed"),
    (lambda: problems.from_arrays([[0.5, 0.5], [0, 1]], [1, 2, 3], 0.9), ValueError, "rewards has the shape"),
    (lambda: problems.from_arrays([[0.5, 0.5], [0, 1]], 1, 0.9, features=[[1], [2], [3]]), ValueError, "features has"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_wrong_is_said(number):
    call, error, message = WRONG[number]
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)


def test_errors_of_model_files_have_their_place(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("states = 1\ntransitions = [{ state = 0, next = 0, probability = 1.6 }]\n")
    with pytest.raises(ValueError) as raised:
        problems.load(path)
    assert f"{path}:2:" in str(raised.value) and "probability" in str(raised.value)
