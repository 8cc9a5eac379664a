"""bellwether.plot on the Agg backend: what is drawn, where, and how it looks."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402

import bellwether  # noqa: E402
import bellwether.plot  # noqa: E402
from bellwether import _drawing  # noqa: E402

STUDY = """
name = "drawn"
seed = 3

[grids.g]
alpha = { base = 0.1, factor = 4, from = -3, to = 3 }
eta = { factor = 4, from = -2, to = 2 }
lambda = [0, 0.5, 0.9, 1]

[[settings]]
id = "random"
title = "Random MDPs"
domain = "random-mdp"
parameters = { states = 8 }
features = "binary"
steps = 120
instances = 2
runs = 4
metrics = ["mave"]
grid = "g"
algorithms = ["td0", "ptd", "gtd", "to-gtd", "to-etd"]

[[settings]]
id = "baird"
domain = "baird"
steps = 150
runs = 4
metrics = ["rmsve", "rmspbe"]
grid = "g"
algorithms = ["gtd", "off-policy-td"]

[[figures]]
id = "both"
title = "Both settings"
settings = ["random", "baird"]

[[figures]]
id = "projected"
settings = ["baird"]
metric = "rmspbe"
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    directory = tmp_path_factory.mktemp("drawn")
    (directory / "study.toml").write_text(STUDY)
    return bellwether.run(directory / "study.toml", out=directory / "out", progress=False)


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def colours(ax):
    return {matplotlib.colors.to_hex(line.get_color()) for line in ax.get_lines()}


def test_learning_curves(results):
    ax = bellwether.plot.learning_curves(results, "random")
    assert ax.get_xlabel() == "step" and ax.get_ylabel() == "MAVE" and ax.get_title(loc="left") == "Random MDPs"
    assert ax.get_xlim() == (0, 120)
    curves = results._core.figure_of("random", None)["rows"][0]["panels"][0]["lines"]
    assert [line["algorithm"] for line in curves] == ["td0", "ptd", "gtd", "to-gtd", "to-etd"]
    for line in curves:
        assert bellwether.plot.style(line["algorithm"])["color"] in colours(ax)
        drawn = [
            one
            for one in ax.get_lines()
            if len(one.get_xdata()) == len(line["x"]) and np.array_equal(one.get_ydata(), line["y"])
        ]
        assert len(drawn) == 1
    assert len(ax.collections) == 5  # a band each
    assert {text.get_text() for text in ax.texts} >= {"GTD(λ)", "PTD(λ)"}
    ax.figure.canvas.draw()


def test_curves_are_those_of_the_table(results):
    pytest.importorskip("pandas")
    fresh = results.curves.query("setting == 'random' and algorithm == 'gtd' and stage == 'fresh'")
    line = results._core.figure_of("random", "mave")["rows"][0]["panels"][0]["lines"][2]
    np.testing.assert_array_equal(line["y"], fresh["mean"])
    np.testing.assert_array_equal(line["error"], fresh["stderr"])


def test_drawing_into_given_axes(results):
    _, (left, right) = pyplot.subplots(1, 2)
    assert bellwether.plot.learning_curves(results, "random", ax=left, legend=False) is left
    assert bellwether.plot.sensitivity(results, "random", "alpha", ax=right, legend=False) is right
    assert not left.texts and right.get_legend() is None


def test_sensitivity(results):
    ax = bellwether.plot.sensitivity(results, "random", "alpha")
    assert ax.get_xscale() == "log" and ax.get_xlabel() == "α"
    assert len(ax.get_legend().get_texts()) == 5
    assert bellwether.plot.sensitivity(results, "random", "lambda_").get_xlabel() == "λ"
    etas = bellwether.plot.sensitivity(results, "random", "eta")
    assert len(etas.get_legend().get_texts()) == 2  # those that have it
    ax.figure.canvas.draw()


def test_sensitivity_reselected_is_never_worse_than_frozen(results):
    views = {
        frozen: {
            line["algorithm"]: line["y"]
            for panel in results._core.figure_of("random", None, frozen)["rows"][0]["panels"]
            if panel["x"]["title"] == "α"
            for line in panel["lines"]
        }
        for frozen in (False, True)
    }
    assert views[False].keys() == views[True].keys() and len(views[False]) == 5
    assert all((views[False][name] <= views[True][name]).all() for name in views[False])
    assert bellwether.plot.sensitivity(results, "random", "alpha", view="frozen").get_xlabel() == "α"


def test_divergence_is_marked_above_the_edge(results):
    # Frozen, so that some value of α diverges.
    ax = bellwether.plot.sensitivity(results, "baird", "alpha", metric="rmsve", view="frozen")
    lines = results._core.figure_of("baird", "rmsve", True)["rows"][0]["panels"][0]["lines"]
    diverged = sum(int((~np.isfinite(line["y"])).sum()) for line in lines)
    crosses = [line for line in ax.get_lines() if line.get_marker() == "x"]
    assert diverged > 0 and sum(len(line.get_xdata()) for line in crosses) == diverged
    for line in crosses:
        if len(line.get_xdata()):
            assert not line.get_clip_on()
            places = line.get_transform().transform(line.get_xydata())
            assert (places[:, 1] > ax.get_window_extent().y1).all()


def test_heatmap(results):
    pd = pytest.importorskip("pandas")
    ax = bellwether.plot.heatmap(results, "random", "gtd")
    shown = ax.images[0].get_array()
    assert shown.shape == (4, 7)
    scores = results.scores[(results.scores.setting == "random") & (results.scores.algorithm == "gtd")]
    best = scores.loc[scores.score.idxmin()]
    part = scores[scores.eta == best.eta].pivot(index="lambda", columns="alpha", values="score").to_numpy()
    np.testing.assert_array_equal(np.ma.filled(shown, np.inf), part)
    assert "η" in ax.get_title(loc="left")
    other = bellwether.plot.heatmap(results, "random", "gtd", x="eta", y="alpha", lambda_=0.5)
    assert other.images[0].get_array().shape == (7, 5) and "λ = 0.5" in other.get_title(loc="left")
    ax.figure.canvas.draw()
    assert isinstance(scores, pd.DataFrame)


def test_figures_of_the_study(results):
    drawn = bellwether.plot.figures(results)
    assert list(drawn) == ["both", "projected"]
    both = drawn["both"]
    assert len(both.axes) == 8  # two rows of curves, α, η and λ
    assert both.texts[0].get_text() == "Both settings"
    assert len(both.legends[0].get_texts()) == 6
    for figure in drawn.values():
        figure.canvas.draw()
        assert_inside(figure)
    assert len(bellwether.plot.figure(results, "projected").axes) == 4


def assert_inside(figure):
    """Nothing is cut off at the border of the figure."""
    renderer = figure.canvas.get_renderer()
    box = figure.bbox
    for artist in [*figure.texts, *figure.legends, *figure.axes]:
        extent = artist.get_tightbbox(renderer)
        assert extent.x0 >= box.x0 - 1 and extent.x1 <= box.x1 + 1, artist
        assert extent.y0 >= box.y0 - 1 and extent.y1 <= box.y1 + 1, artist


def test_names_at_the_ends_do_not_touch():
    places = _drawing.spread([0.5, 0.5, 0.52, 0.1, 0.99, 1.0], 0.06)
    assert np.all(np.diff(np.sort(places)) >= 0.06 - 1e-12) and max(places) <= 1
    assert places[3] == 0.1 and _drawing.spread([], 0.1) == []


def test_styles_are_those_of_the_report():
    assert bellwether.plot.style("gtd") == {"color": "#0063a6", "linestyle": "solid", "marker": "s"}
    assert bellwether.plot.style("to-gtd")["linestyle"] == (0, (4.0, 2.0))
    assert bellwether.plot.style("nothing")["color"] == "#767676"


def test_figures_without_matplotlib(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install 'bellwether.plot.' or matplotlib"):
        bellwether.plot.learning_curves(results, "random")


WRONG = [
    (lambda p, r: p.learning_curves(r, "radnom"), ValueError, "did you mean 'random'"),
    (lambda p, r: p.learning_curves(r, "random", "rmsve"), ValueError, "has no metric 'rmsve'"),
    (lambda p, r: p.learning_curves("results", "random"), TypeError, "bellwether.load()"),
    (lambda p, r: p.sensitivity(r, "random", "alhpa"), ValueError, "no parameter 'alhpa'; it has alpha"),
    (lambda p, r: p.sensitivity(r, "random", 3), TypeError, "parameter must be a text"),
    (lambda p, r: p.sensitivity(r, "random", "alpha", view="cold"), ValueError, "neither 'reselected' nor 'frozen'"),
    (lambda p, r: p.heatmap(r, "random", "htd"), ValueError, "setting 'random' has no algorithm 'htd'; there is td0"),
    (lambda p, r: p.heatmap(r, "nowhere", "gtd"), ValueError, "setting 'nowhere'; there is random, baird"),
    (lambda p, r: p.heatmap(r, "random", "td0"), ValueError, "td0 has no parameter 'lambda'"),
    (lambda p, r: p.heatmap(r, "random", "gtd", x="eta", y="eta"), ValueError, "they must be two parameters"),
    (lambda p, r: p.heatmap(r, "random", "gtd", eta=3), ValueError, "eta = 3 is not a value of the study"),
    (lambda p, r: p.heatmap(r, "random", "gtd", alpha=0.1), ValueError, "alpha is an axis"),
    (lambda p, r: p.heatmap(r, "random", "gtd", metric="msve"), ValueError, "has no metric 'msve'"),
    (lambda p, r: p.figure(r, "bth"), ValueError, "did you mean 'both'"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_wrong_is_said(results, number):
    call, error, message = WRONG[number]
    with pytest.raises(error) as raised:
        call(bellwether.plot, results)
    assert message in str(raised.value)


def test_what_is_not_there_is_said(results, tmp_path):
    study = Path(results.directory).parent / "study.toml"
    part = bellwether.run(study, out=tmp_path / "out", settings="baird", record=False, progress=False)
    with pytest.raises(ValueError, match="no recorded learning curves"):
        bellwether.plot.learning_curves(part, "baird")
    with pytest.raises(ValueError, match="no complete results"):
        bellwether.plot.sensitivity(part, "random", "alpha")
    assert bellwether.plot.sensitivity(part, "baird", "alpha") is not None


def test_the_program_has_its_figures_drawn_here_where_there_is_no_gnuplot(results, program, tmp_path):
    shutil.copytree(results.directory, tmp_path / "out")
    environment = {**os.environ, "BELLWETHER_GNUPLOT": str(tmp_path / "none"), "BELLWETHER_PYTHON": sys.executable}
    (tmp_path / "bellwether.py").write_text("raise SystemExit('a module of the folder it was called in')")

    def report():
        command = [program, "report", tmp_path / "out", "--quiet"]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        files = sorted(path for path in (tmp_path / "out/figures").iterdir())
        return done.stderr, {path.name: path.read_bytes() for path in files}

    said, first = report()
    assert set(first) == {f"{id}.{ending}" for id in bellwether.plot.figures(results) for ending in ("svg", "pdf")}
    assert "all but the overviews, which matplotlib has drawn" in said
    assert all(content.startswith((b"<?xml", b"%PDF")) for content in first.values())
    assert report()[1] == first  # the same results, the same files
    pyplot.close("all")
    environment["BELLWETHER_PYTHON"] = "false"  # one without the package
    shutil.rmtree(tmp_path / "out/figures")
    said, figures = report()
    assert not figures and "matplotlib" not in said and "install gnuplot" in said


@pytest.mark.parametrize(
    "command, ids", [("evaluate", {"estimates", "effective-sample"}), ("tune", {"score-alpha"})], ids=["evaluate", "tune"]
)
def test_figures_of_logs_are_drawn_here_too(program, tmp_path, command, ids):
    log = Path(__file__).parents[1] / "data/logs/bandit.csv"
    environment = {**os.environ, "BELLWETHER_GNUPLOT": str(tmp_path / "none"), "BELLWETHER_PYTHON": sys.executable}
    arguments = [command, log, "--target", "uniform", "--out", tmp_path / "out", "--quiet"]
    done = subprocess.run([program, *arguments], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode in (0, 1) and not done.stderr  # 1 where the log cannot tell
    drawn = {path.name: path.read_bytes() for path in (tmp_path / "out/figures").iterdir()}
    assert set(drawn) == {f"{id}.{ending}" for id in ids for ending in ("svg", "pdf")}
    assert all(content.startswith((b"<?xml", b"%PDF")) for content in drawn.values())
