"""What is looked at of an evaluation and a tuning: pages and their data, notebooks, charts."""

import json
import pathlib
import re

import numpy as np
import pytest

import bellwether

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "logs"


def evaluated(name):
    return bellwether.evaluate(bellwether.Log.read(DATA / f"{name}.csv"))


@pytest.fixture(scope="module")
def random():
    return evaluated("random")


@pytest.fixture(scope="module")
def unsure():
    return evaluated("routes-small")


@pytest.fixture(scope="module")
def tuning():
    return bellwether.tune(bellwether.Log.read(DATA / "random.csv"), fresh=0)


def page_of(result, path):
    """The data in the page that a result writes."""
    try:
        written = result.report(path)
    except RuntimeError as problem:
        if "without Node.js" not in str(problem):
            raise
        pytest.skip(str(problem))
    assert written == path
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="report-data">(.*?)</script>', text, re.DOTALL).group(1))


def test_page_of_an_evaluation_has_its_numbers(random, tmp_path):
    data = page_of(random, tmp_path / "page.html")
    assert data["kind"] == "evaluation" and data["program"] == f"bellwether {bellwether.__version__}"
    assert data["evaluation"] == random.diagnostics
    steps, sizes = np.array(data["effectiveSample"]).T
    np.testing.assert_array_equal(steps, np.arange(1, 60))
    np.testing.assert_allclose(sizes, random.effective_sample, rtol=1e-6)
    states, errors = random.values(np.eye(20))
    for row in data["values"]:
        ((place, one),) = row["features"]
        assert one == 1 and row["value"] == pytest.approx(states[place], rel=1e-6)
        assert row["se"] == pytest.approx(errors[place], rel=1e-6)
    assert sum(row["count"] for row in data["values"]) == random.diagnostics["steps"]


def test_page_counts_the_ratios_of_the_log(random, tmp_path):
    table = np.genfromtxt(DATA / "random.csv", delimiter=",", names=True)
    pi = np.stack([table[f"pi{k}"] for k in range(3)], axis=1)[np.arange(len(table)), table["action"].astype(int)]
    ratios = pi / table["mu"]
    found = page_of(random, tmp_path / "page.html")["ratios"]
    assert found["zeros"] == np.sum(ratios == 0)
    edges = 2.0 ** (np.arange(2 * found["doublings"] * found["perDoubling"] + 1) / found["perDoubling"] - found["doublings"])
    np.testing.assert_array_equal(found["counts"], np.histogram(ratios[ratios > 0], edges)[0])


def test_page_has_the_drift_of_the_rewards(random, tmp_path):
    table = np.genfromtxt(DATA / "random.csv", delimiter=",", names=True)
    ends = np.flatnonzero(table["gamma"] == 0)
    means = np.array([part.mean() for part in np.split(table["reward"], ends + 1)[:-1]])
    path = np.cumsum(means - means.mean()) / (means.std(ddof=1) * np.sqrt(len(means)))
    drift = {entry["of"]: entry for entry in page_of(random, tmp_path / "page.html")["drift"]}
    assert list(drift) == ["answer", "rewards", "behaviour"]
    assert drift["rewards"]["statistic"] == pytest.approx(np.abs(path).max(), rel=1e-6)
    assert drift["rewards"]["segment"] == np.abs(path).argmax()
    np.testing.assert_allclose(drift["rewards"]["path"], path[1::2], atol=1e-6)  # 200 of 400 segments


def test_page_of_a_tuning_has_every_score(tuning, tmp_path):
    data = page_of(tuning, tmp_path / "page.html")
    assert data["kind"] == "tuning" and data["tuning"] == tuning.diagnostics
    names = [parameter["name"] for parameter in data["parameters"]]
    scores = {}
    for result in data["results"]:
        algorithm = data["algorithms"][result["algorithm"]]["id"]
        axes = [(names[axis["parameter"]], axis["values"]) for axis in result["grid"]]
        for number, score in enumerate(result["scores"]):
            place, key = number, [algorithm]
            for name, values in axes:  # the first parameter fastest
                key.append((name, values[place % len(values)]))
                place //= len(values)
            scores[(key[0], *sorted(key[1:], key=lambda one: names.index(one[0])))] = score
    rows = tuning._core.configurations
    assert len(scores) == len(rows) == 660
    for row in rows:
        algorithm, score = row.pop("algorithm"), row.pop("score")
        found = scores[(algorithm, *((name, row[name]) for name in names if name in row))]
        assert found == (pytest.approx(score, rel=1e-6) if np.isfinite(score) else None)
    best = data["results"][0]
    assert best["scores"][best["best"]] == min(score for score in scores.values() if score is not None)
    assert data["command"] in str(tuning)


def test_a_directory_gets_a_report(random, tmp_path):
    page_of(random, tmp_path / "page.html")
    assert random.report(tmp_path) == tmp_path / "report.html"
    assert (tmp_path / "report.html").read_bytes() == (tmp_path / "page.html").read_bytes()


def test_notebooks_show_the_verdict_and_no_bold_number_without_one(random, unsure, tuning):
    assert "<b>The log supports this answer: the target policy is worth 0.64 (0.46 to 0.82)" in random._repr_html_()
    assert "answer: weighted doubly robust (actions)" in random._repr_html_()
    shown = unsure._repr_html_()
    assert "cannot tell: features" in shown and "<b>" not in shown and "answer:" not in shown
    algorithm, parameters = tuning.best
    assert f"<b>{algorithm} with alpha = {parameters['alpha']:g}, lambda_ = {parameters['lambda_']:g}" in tuning._repr_html_()
    drowned = bellwether.tune(bellwether.Log.read(DATA / "routes-small.csv"), algorithms="gtd", alpha=0.1, lambda_=0.5)
    assert not drowned.can_tell and "<b>" not in drowned._repr_html_()


def test_names_are_shown_as_text():
    log = bellwether.Log.from_arrays(np.ones((30, 1)), np.arange(30.0), np.zeros(30))
    evaluation = bellwether.evaluate(log)
    evaluation._json["notes"] = ["<script>"]
    assert "<script>" not in evaluation._repr_html_() and "&lt;script&gt;" in evaluation._repr_html_()


def test_plots(random, unsure, tuning):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    labels = [label.get_text() for label in random.plot().get_yticklabels()]
    # Twelve estimates, of which the two answers are weighted doubly robust over the whole horizon.
    assert len(labels) == 10 and labels[-1] == "answer: weighted doubly robust (actions)"
    assert sum(label.startswith("answer") for label in labels) == 1
    unsure_labels = [label.get_text() for label in unsure.plot().get_yticklabels()]
    assert len(unsure_labels) == 12 and not any(label.startswith("answer") for label in unsure_labels)
    axes = random.plot("effective-sample")
    assert axes.get_xlabel() == "steps"
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), random.effective_sample)
    own = pyplot.subplots()[1]
    assert tuning.plot(ax=own) is own and own.get_xlabel() == "alpha"
    line = next(line for line in own.lines if line.get_label() == "vtrace")
    rows = [row for row in tuning._core.configurations if row["algorithm"] == "vtrace"]
    for value, score in zip(line.get_xdata(), line.get_ydata()):
        least = min(row["score"] for row in rows if row["alpha"] == value)
        assert score == least or (np.isnan(score) and least > tuning.diagnostics["score_of_zero_final"])
    assert tuning.plot("lambda_").get_xlabel() == "lambda"
    with pytest.raises(ValueError, match="plot draws 'estimates' or 'effective-sample', not 'x'"):
        random.plot("x")
    with pytest.raises(ValueError, match="none of the algorithms has a parameter 'zeta'"):
        tuning.plot("zeta")
    pyplot.close("all")
