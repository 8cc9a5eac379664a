"""Logs, their evaluation, and fitted behaviours: the numbers of tests/data/logs from arrays, frames and files."""

import json
import pathlib
import subprocess

import numpy as np
import pytest

import bellwether

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "logs"
EXPECTED = json.loads((DATA / "expected.json").read_text())
LOGS = sorted(EXPECTED)


def arrays_of(name):
    table = np.genfromtxt(DATA / f"{name}.csv", delimiter=",", names=True)
    names = table.dtype.names

    def stack(prefix):
        columns = [table[column] for column in names if column[: len(prefix)] == prefix and column[len(prefix) :].isdigit()]
        return np.stack(columns, axis=1) if columns else None

    return table, stack("x"), stack("pi")


def log_from_arrays(name):
    table, X, pis = arrays_of(name)
    closing = np.isnan(table["reward"])
    last = -1 if closing[-1] else len(table)
    names = table.dtype.names
    return bellwether.Log.from_arrays(
        X,
        table["reward"][:last],
        table["gamma"][:last],
        actions=table["action"][:last],
        pis=pis,
        mus=table["mu"][:last] if "mu" in names else None,
    )


def behaviour_for(name):
    return "counts" if name in ("walk-unknown", "walk-unsupported") else None


@pytest.mark.parametrize("name", LOGS)
def test_arrays_and_files_have_the_expected_numbers(name):
    expected = EXPECTED[name]
    tolerance = 1e-7 if name == "chain" else 1e-9
    from_file = bellwether.evaluate(bellwether.Log.read(DATA / f"{name}.csv"), behaviour=behaviour_for(name))
    from_arrays = bellwether.evaluate(log_from_arrays(name), behaviour=behaviour_for(name))
    assert from_file.verdict == expected["verdict"]
    for estimate, numbers in expected["estimates"].items():
        for key, number in numbers.items():
            scale = max(abs(number), 1e-5 * expected["spread"])
            assert from_file.estimates[estimate][key] == pytest.approx(number, abs=tolerance * scale), (estimate, key)
    without_name = [{k: v for k, v in e.diagnostics.items() if k != "log"} for e in (from_file, from_arrays)]
    assert without_name[0] == without_name[1]  # to the bit


def test_result_has_what_it_says():
    evaluation = bellwether.evaluate(bellwether.Log.read(DATA / "random.csv"))
    assert evaluation.supported and evaluation.answer["lower"] < EXPECTED["random"]["truth"] < evaluation.answer["upper"]
    assert "0.64 (0.46 to 0.82)" in str(evaluation) and "0.64" in evaluation._repr_html_()
    assert evaluation.effective_sample.shape == (59,)
    values, errors = evaluation.values(np.eye(20))
    np.testing.assert_allclose(values, EXPECTED["random"]["weights"], rtol=1e-9)
    np.testing.assert_allclose(errors, EXPECTED["random"]["weights_se"], rtol=1e-9)
    assert bellwether.evaluate(bellwether.Log.read(DATA / "routes-small.csv")).answer is None


def test_command_has_the_same_bits(program, tmp_path):
    done = subprocess.run(
        [program, "evaluate", DATA / "walk.csv", "--json", "--out", tmp_path], capture_output=True, text=True, check=True
    )
    expected = json.loads(done.stdout)
    found = bellwether.evaluate(bellwether.Log.read(DATA / "walk.csv")).diagnostics
    assert found == expected


def test_written_log_reads_back_the_same(tmp_path):
    for name in ("walk", "continuing"):
        log = bellwether.Log.read(DATA / f"{name}.csv")
        log.write(tmp_path / "again.csv")
        again = bellwether.Log.read(tmp_path / "again.csv")
        assert bellwether.evaluate(again).estimates == bellwether.evaluate(log).estimates


def test_a_ratio_that_the_probabilities_do_not_give_is_written(tmp_path):
    (tmp_path / "log.csv").write_text("x0,pi,mu,rho,reward,gamma\n1,0.333333,0.7,0.47619,1,0.9\n1,0.5,0.5,1,1,0\n")
    log = bellwether.Log.read(tmp_path / "log.csv")
    log.write(tmp_path / "again.csv")
    again = bellwether.Log.read(tmp_path / "again.csv")
    assert bellwether.evaluate(again).estimates == bellwether.evaluate(log).estimates


@pytest.mark.parametrize("ending", ["csv.gz", "tsv", "tsv.gz", "parquet", "feather", "arrow"])
def test_a_log_is_written_as_its_name_says(ending, tmp_path):
    if ending.split(".")[0] in ("parquet", "feather", "arrow"):
        pytest.importorskip("pyarrow")
    log = bellwether.Log.read(DATA / "continuing.csv")
    log.write(tmp_path / f"log.{ending}")
    assert [file.name for file in tmp_path.iterdir()] == [f"log.{ending}"]
    again = bellwether.Log.read(tmp_path / f"log.{ending}")
    assert bellwether.evaluate(again).estimates == bellwether.evaluate(log).estimates


def test_frames_are_the_arrays():
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(DATA / "walk.csv")
    features = [f"x{j}" for j in range(5)]
    log = bellwether.Log.from_frame(
        frame, features=features, reward="reward", gamma="gamma", action="action", pi=["pi0", "pi1"], mu="mu"
    )
    expected = bellwether.evaluate(bellwether.Log.read(DATA / "walk.csv"))
    assert bellwether.evaluate(log).estimates == expected.estimates
    # One discount and a column that ends episodes.
    frame["over"] = frame["gamma"] == 0
    log = bellwether.Log.from_frame(
        frame, features=features, reward="reward", gamma=1.0, done="over", action="action", pi=["pi0", "pi1"], mu="mu"
    )
    assert bellwether.evaluate(log).estimates == expected.estimates


def test_frame_that_is_cut_off_closes_with_its_last_row():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [1.0, 2, 3, 4, 5], "r": [1.0, 1, 1, 1, 1], "e": ["a", "a", "a", "b", "b"]})
    log = bellwether.Log.from_frame(frame, features=["x"], reward="r", gamma=0.5, episode="e")
    assert (log.segments, log.steps) == (2, 3)


def test_next_features_are_rows_of_their_own():
    X = np.array([[1.0], [2.0], [5.0]])
    X_next = np.array([[2.0], [3.0], [6.0]])
    log = bellwether.Log.from_arrays(X, [1.0, 1.0, 1.0], [0.9, 0.9, 0.0], X_next=X_next, starts=[0, 2])
    assert (log.segments, log.steps) == (2, 3)
    with pytest.raises(ValueError, match=r"X_next\[1\] is not X\[2\]"):
        bellwether.Log.from_arrays(X, [1.0, 1.0, 1.0], [0.9, 0.9, 0.0], X_next=X_next)


def test_targets_in_all_forms_agree():
    log = bellwether.Log.read(DATA / "random.csv")
    uniform = bellwether.evaluate(log, target="uniform").estimates
    rows = len(log._core.rows)
    assert bellwether.evaluate(log, target=np.full((rows, 3), 1 / 3)).estimates == uniform
    assert bellwether.evaluate(log, target=lambda X: np.full((len(X), 3), 1 / 3)).estimates == uniform
    assert bellwether.evaluate(log, target=bellwether.Softmax(np.zeros((3, 20)))).estimates == uniform
    greedy = bellwether.evaluate(log, target=bellwether.Greedy(np.zeros((3, 20)))).estimates
    assert greedy == bellwether.evaluate(log, target="always:0").estimates
    on_policy = bellwether.evaluate(log, target="behaviour")
    assert on_policy.estimates["is"]["estimate"] == pytest.approx(on_policy.estimates["wpdis"]["estimate"], rel=1e-12)


def test_start_rows_ask_the_target_as_the_command_does(program, tmp_path):
    rows = np.eye(20)[[3, 7]]
    (tmp_path / "rows.csv").write_text(
        ",".join(f"x{j}" for j in range(20)) + "\n" + "".join(",".join(f"{x:g}" for x in row) + "\n" for row in rows)
    )
    done = subprocess.run(
        [program, "evaluate", DATA / "random.csv", "--json", "--no-report", "--out", tmp_path / "out"]
        + ["--target", "uniform", "--starts", tmp_path / "rows.csv"],
        capture_output=True,
        text=True,
    )
    expected = json.loads(done.stdout)["estimates"]
    log = bellwether.Log.read(DATA / "random.csv")
    assert "lstd-q" in expected
    assert bellwether.evaluate(log, target="uniform", starts=rows).estimates == expected
    assert bellwether.evaluate(log, target=lambda X: np.full((len(X), 3), 1 / 3), starts=rows).estimates == expected


def test_a_target_of_other_actions_is_refused():
    log = bellwether.Log.read(DATA / "random.csv")
    with pytest.raises(ValueError, match="the target knows 4 actions; the log's pis know 3"):
        bellwether.evaluate(log, target=lambda X: np.full((len(X), 4), 1 / 4))


def test_probabilities_after_the_last_step_are_not_made_up():
    generator = np.random.default_rng(4)
    X, actions, rewards = generator.normal(size=(401, 2)), generator.integers(2, size=400), generator.normal(size=400)
    starts, pis = np.arange(0, 400, 10), np.tile([0.3, 0.7], (401, 1))
    given = {"actions": actions, "starts": starts, "mus": np.full(400, 0.5)}
    with_all = bellwether.evaluate(bellwether.Log.from_arrays(X, rewards, 0.9, pis=pis, **given)).estimates
    with pytest.warns(UserWarning, match="pis has no row for the last row of X"):
        log = bellwether.Log.from_arrays(X, rewards, 0.9, pis=pis[:400], **given)
    without = bellwether.evaluate(log).estimates
    assert "lstd-q" in with_all and "lstd-q" not in without
    assert without["lstd"] == with_all["lstd"]


def test_progress_comes_to_its_end_and_may_stop_the_work():
    log, seen = bellwether.Log.read(DATA / "random.csv"), []
    bellwether.evaluate(log, algorithm="gtd", alpha=0.01, eta=1, progress=seen.append)
    assert seen == sorted(seen) and 0 <= seen[0] and 0.3 < seen[-1] <= 1

    def stop(done):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        bellwether.evaluate(log, progress=stop)


def test_fitted_behaviour():
    table, X, _ = arrays_of("walk-unknown")
    segments = np.concatenate([[0], np.cumsum(table["gamma"] == 0)[:-1]])
    fitted = bellwether.fit_behaviour(X, table["action"], segments=segments)
    assert fitted.report["model"] == "counts"
    np.testing.assert_allclose(fitted.probabilities(X).sum(axis=1), 1)
    for place in range(5):
        inside = X[:, place] == 1
        assert fitted.probabilities(X[inside])[0, 1] == pytest.approx(table["action"][inside].mean())
    log = bellwether.Log.read(DATA / "walk-unknown.csv")
    assert bellwether.evaluate(log, None, "counts").verdict == "supported"
    by_object = bellwether.evaluate(log, behaviour=fitted).estimates
    assert by_object == bellwether.evaluate(log, behaviour="counts").estimates
    for model in ("logistic", "knn"):
        other = bellwether.fit_behaviour(X, table["action"], model=model, segments=segments)
        assert other.report["held_out_log_loss"] < other.report["uniform_log_loss"]
        assert set(fitted.report) - set(other.report) <= {"ridge"}
        assert bellwether.evaluate(log, behaviour=other).verdict == "supported"


def test_the_report_of_a_cross_fitted_model_is_the_engines():
    table, X, _ = arrays_of("walk-unknown")
    segments = np.concatenate([[0], np.cumsum(table["gamma"] == 0)[:-1]])
    one, other = (
        bellwether.fit_behaviour(X, table["action"], model="counts", segments=segments, cross_fit=cross_fit).report
        for cross_fit in (False, True)
    )
    for name in ("log_loss", "held_out_log_loss", "marginal_log_loss", "uniform_log_loss", "calibration_error"):
        assert other[name] == pytest.approx(one[name], rel=1e-12)
    assert [bin_[2] for bin_ in other["reliability"]] == [bin_[2] for bin_ in one["reliability"]]


def test_a_fitted_model_supports_nothing_below_its_threshold():
    generator = np.random.default_rng(1)
    X = generator.normal(size=(2000, 1))
    actions = (generator.random(2000) < 1 / (1 + np.exp(4 - 4 * X[:, 0]))).astype(int)
    given = {"actions": actions, "segment_starts": np.arange(0, 2000, 10), "pis": np.tile([0.5, 0.5], (2001, 1))}
    arrays = np.vstack([X, [[0.0]]]), generator.normal(size=2000), 0.9
    by_name = bellwether.evaluate(*arrays, behaviour="logistic", **given)
    log = bellwether.Log.from_arrays(*arrays, **{("starts" if k == "segment_starts" else k): v for k, v in given.items()})
    rows = log._core.step_rows
    fitted = bellwether.fit_behaviour(X[rows], actions[rows], model="logistic", segments=rows // 10)
    by_object = bellwether.evaluate(log, behaviour=fitted)
    assert by_name.diagnostics["unsupported"] > 0.02
    assert by_object.diagnostics["unsupported"] == by_name.diagnostics["unsupported"]


def test_own_estimator_is_cross_fitted():
    class Shares:
        def fit(self, X, actions):
            self.classes_ = np.unique(actions)
            self.shares = np.array([(actions == a).mean() for a in self.classes_])
            return self

        def predict_proba(self, X):
            return np.tile(self.shares, (len(X), 1))

    X, actions = np.ones((50, 1)), np.arange(50) % 3
    fitted = bellwether.fit_behaviour(X, actions, model=Shares())
    assert fitted.held_out.shape == (50, 3)
    assert fitted.of(X, actions)[0] == pytest.approx((actions == 0).mean())


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"gammas": [0.9, 1.5, 0.0]}, r"step 1: gamma is 1.5"),
        ({"rewards": [0.0, float("nan"), 0.0]}, r"step 1: the reward is nan"),
        ({"rhos": [1.0, -1.0, 1.0]}, r"step 1: rho is -1"),
        ({"pis": [[0.5, 0.5]] * 3}, r"actions are missing"),
        ({"actions": [0, 1, 2], "pis": [[0.5, 0.5]] * 3}, r"action 2: the policies know actions 0 to 1"),
        ({"actions": [0, 1, 0], "pis": [[0.5, 0.4]] * 3}, r"add up to 0.9, not 1"),
        ({"X": [[1.0], [2.0], [float("inf")]]}, r"row 2: x0 is inf"),
        ({"gammas": [0.9, 0.9, 0.9]}, r"X has 3 rows and there are 3 steps"),
        ({"starts": [7]}, r"starts must be rows from 0 to 3"),
        ({"actions": [0, 1, 0], "pis": [[0.5, 0.5]] * 3, "mus": [0.5, 0.0, 0.5]}, r"step 1: mu is 0"),
    ],
)
def test_wrong_arrays_are_refused(change, problem):
    given = {"X": [[1.0], [2.0], [3.0]], "rewards": [0.0, 0.0, 1.0], "gammas": [0.9, 0.9, 0.0]} | change
    with pytest.raises(ValueError, match=problem):
        bellwether.Log.from_arrays(given.pop("X"), given.pop("rewards"), given.pop("gammas"), **given)


def test_tuning_has_the_expected_numbers():
    expected = json.loads((DATA / "tune.json").read_text())
    for name in ("walk", "routes-small"):
        tuning = bellwether.tune(bellwether.Log.read(DATA / f"{name}.csv"), fresh=0)
        assert tuning.can_tell == (name == "walk")
        assert tuning.z == pytest.approx(expected[name]["z_against_zero"], rel=1e-9)
        assert tuning.indistinguishable == expected[name]["indistinguishable"]
        best = expected[name]["best"][0]
        algorithm, parameters = tuning.best
        assert (algorithm, parameters["alpha"], parameters["lambda_"]) == (best["algorithm"], best["alpha"], best["lambda"])
        assert tuning.diagnostics["best"][0]["score"] == pytest.approx(best["score"], abs=6e-11)
        learner = tuning.learner(5)
        assert learner.algorithm == algorithm
    part = bellwether.tune(bellwether.Log.read(DATA / "walk.csv"), algorithms="gtd", alpha=[0.1], eta=1, lambda_=[0, 0.5])
    assert part.diagnostics["configurations"] == 2
    with pytest.raises(ValueError, match="unknown algorithm 'gtdx'"):
        bellwether.tune(bellwether.Log.read(DATA / "walk.csv"), algorithms="gtdx")


def test_what_is_asked_wrongly_is_refused_by_its_name():
    log = bellwether.Log.read(DATA / "random.csv")
    for given, problem in [
        ((DATA / "random.csv",), "evaluate takes a Log, or rows of features, rewards and discounts"),
        ((5,), "evaluate takes a Log, or rows of features, rewards and discounts"),
    ]:
        with pytest.raises(TypeError, match=problem):
            bellwether.evaluate(*given)
    with pytest.raises(TypeError, match=r"a Log is made by Log.read\(path\), .*, not from a str"):
        bellwether.Log("random.csv")
    with pytest.raises(TypeError, match="alpha is no argument of evaluate; a learner's parameter needs algorithm="):
        bellwether.evaluate(log, alpha=0.1)
    with pytest.raises(TypeError, match="rhos is part of the log"):
        bellwether.evaluate(log, rhos=[1.0])
    with pytest.raises(ValueError, match="^target 'unifrom' is none of uniform, .*; did you mean 'uniform'"):
        bellwether.evaluate(log, target="unifrom")
    with pytest.raises(ValueError, match="^score 'returns' is none of projected, return, progressive"):
        bellwether.tune(log, score="returns")
    with pytest.raises(ValueError, match="td learns on-policy only, and rho is not 1 in every step"):
        bellwether.tune(log, algorithms="td")


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "log.csv"
    for content, problem in [
        (b"x0,reward,gamma\n\xff,1,0\n", r"log.csv:2:1: x0 is '\\xff', not a number"),
        ("x0,reward,gamma\n1,1,0\n".encode("utf-16"), "log.csv:1:4: a byte of 0: this is no text in UTF-8"),
        (b"x0;reward;gamma\n1;1;0\n", "log.csv:1:3: columns are separated by ';' here"),
    ]:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=problem):
            bellwether.Log.read(path)


def test_a_learner_stands_in_for_least_squares_of_too_many_features():
    X = np.zeros((40, 2001))
    X[:, 0] = 1
    log = bellwether.Log.from_arrays(X, np.arange(40.0) % 2, np.zeros(40), rhos=np.ones(40))
    with pytest.raises(ValueError, match="2001 features; least squares take at most 2000: name a learner"):
        bellwether.evaluate(log)
    found = bellwether.evaluate(log, algorithm="off-policy-td", alpha=0.1)
    assert found.supported and found.answer["estimate"] == pytest.approx(0.5, abs=0.02)
    values, errors = found.values(X[:1])
    assert values[0] == pytest.approx(found.weights[0]) and errors[0] > 0
    assert found.diagnostics["rank"] is None
