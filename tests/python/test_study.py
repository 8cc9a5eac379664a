"""bellwether.run and bellwether.load: studies run, stopped, resumed, grown and read."""

import csv
import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

pd = pytest.importorskip("pandas")

import bellwether  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TINY = ROOT / "tests/data/tiny-study.toml"
PROGRAM = os.environ.get("BELLWETHER_PROGRAM")
needs_program = pytest.mark.skipif(
    not PROGRAM or not Path(PROGRAM).exists(), reason="BELLWETHER_PROGRAM does not name the program"
)
LONG = """
name = "long"
[grids.g]
alpha = { base = 0.1, factor = 2, from = -12, to = 3 }
eta = { factor = 2, from = -8, to = 8 }
lambda = [0, 0.3, 0.6, 0.9]
[[settings]]
id = "baird"
domain = "baird"
steps = 1000
runs = 100000
metrics = ["rmsve"]
grid = "g"
algorithms = ["gtd", "htd"]
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return bellwether.run(TINY, out=tmp_path_factory.mktemp("tiny") / "out", threads=2, progress=False)


def table_of(text):
    """A table with every number as float() reads it: pandas' own reader may be off by a bit."""
    header, *rows = csv.reader(io.StringIO(text))

    def column(cells):
        try:
            return [float(cell) if cell else np.nan for cell in cells]
        except ValueError:
            return list(cells)

    return pd.DataFrame({name: column(cells) for name, cells in zip(header, zip(*rows, strict=True), strict=True)})


def exported(directory, *options):
    text = subprocess.run(
        [PROGRAM, "export", str(directory), *options], check=True, capture_output=True, text=True
    ).stdout
    return table_of(text)


def test_tables(tiny):
    scores = tiny.scores
    assert list(scores.columns) == [
        "setting", "algorithm", "alpha", "lambda", "eta", "metric", "runs", "diverged", "score", "stderr"
    ]  # fmt: skip
    assert len(scores) == 2 * 9 + 6
    assert scores["runs"].dtype == scores["diverged"].dtype == np.int64
    row = scores[
        (scores.algorithm == "gtd") & (scores.metric == "rmsve") & (scores.alpha == 0.1) & (scores["lambda"] == 0.9)
    ]
    assert row.runs.item() == 3 and row.score.item() == pytest.approx(0.461169, abs=1e-6)
    assert scores[scores.algorithm == "td0"].eta.isna().all()
    assert np.isinf(scores[scores.alpha == 1e200].score).all()
    assert set(tiny.by_instance.columns) == {*scores.columns, "instance"}
    by_hand = tiny.by_instance.query("setting == 'random' and alpha < 1").groupby(["alpha", "lambda"]).score.mean()
    for (alpha, lambda_), score in by_hand.items():
        match = scores[(scores.setting == "random") & (scores.alpha == alpha) & (scores["lambda"] == lambda_)]
        assert match.score.item() == pytest.approx(score)
    curves = tiny.curves
    assert set(curves.stage) == {"selection", "fresh"}
    assert curves.query("setting == 'walk'").step.max() == 40
    assert (curves[curves.step == 0].groupby(["setting", "metric"])["mean"].nunique() == 1).all()
    assert tiny.parameters == ["alpha", "lambda", "eta"]
    assert tiny.study == TINY.read_text() and tiny.name == "tiny" and tiny.complete
    assert tiny.scores is tiny.scores  # read once


def test_settings(tiny):
    settings = tiny.settings.set_index("setting")
    assert list(settings.index) == ["walk", "random"]
    walk, random = settings.loc["walk"], settings.loc["random"]
    assert (walk.problem, walk.policy, walk.steps, walk.instances, walk.runs) == ("walk5", "off", 40, 1, 3)
    assert walk.metrics == ["rmsve", "mspbe"] and walk.algorithms == ["td0", "gtd"] and walk.configurations == 9
    assert (random.problem, random.features, random.fresh_runs) == ("random-mdp", "binary", 1)


@needs_program
def test_tables_are_those_of_the_program(tiny, tmp_path):
    for frame, options in [
        (tiny.scores, []),
        (tiny.by_instance, ["--by-instance"]),
        (tiny.curves, ["--curves"]),
    ]:
        expected = exported(tiny.directory, *options)
        pd.testing.assert_frame_equal(frame, expected, check_exact=True, check_dtype=False)
    # and the program's own run of it is the same
    subprocess.run(
        [PROGRAM, "run", str(TINY), "--out", str(tmp_path / "out"), "--quiet"], check=True, capture_output=True
    )
    pd.testing.assert_frame_equal(tiny.curves, bellwether.load(tmp_path / "out").curves, check_exact=True)
    subprocess.run(
        [PROGRAM, "report", str(tmp_path / "out"), "--quiet", "--no-figures"], check=True, capture_output=True
    )
    for name in ("best", "sensitivity", "sensitivity-areas", "robust", "tuning", "differences", "distribution"):
        expected = table_of((tmp_path / f"out/tables/{name}.csv").read_text())
        pd.testing.assert_frame_equal(tiny.table(name), expected, check_exact=True, check_dtype=False, obj=name)


def test_questions_apart(tmp_path):
    study = tmp_path / "rooms.toml"
    study.write_text(
        "[[settings]]\nid = 'rooms'\ndomain = 'rooms'\nquestions = [6, 1]\nsteps = 300\nruns = 2\nmetrics = ['rmsve']\n"
        "record = false\ngrid = { alpha = [0.25, 0.5] }\nalgorithms = ['off-policy-td']\n"
    )
    results = bellwether.run(study, out=tmp_path / "out", threads=1, progress=False)
    table = results.by_question
    assert list(table.columns) == [*results.scores.columns[:-4], "question", *results.scores.columns[-4:]]
    mean = table[table["question"].isna()]
    assert list(mean["score"]) == list(results.scores["score"])
    apart = table.groupby("alpha")["score"].apply(lambda scores: scores.iloc[1:].mean())
    assert list(apart) == pytest.approx(list(mean["score"]), rel=1e-12)


def test_best(tiny):
    best = tiny.best
    assert len(best) == 5  # (rmsve, mspbe) × (td0, gtd), and ptd
    for row in best.to_dict("records"):
        scores = tiny.scores.query(f"setting == '{row['setting']}' and metric == '{row['metric']}'")
        scores = scores[scores.algorithm == row["algorithm"]]
        assert row["selection_score"] == scores.score.min()
        assert scores.loc[scores.score.idxmin(), "alpha"] == row["alpha"]
        assert row["fresh_low"] <= row["fresh_score"] <= row["fresh_high"]
    probabilities = best.groupby(["setting", "metric"]).first_probability.sum()
    np.testing.assert_allclose(probabilities, 1)
    assert set(tiny.sensitivity.parameter) == {"alpha", "lambda", "eta"}


def test_run_scores(tiny):
    fresh = tiny.run_scores("walk", "rmsve")
    assert list(fresh) == ["td0", "gtd"] and fresh["gtd"].shape == (3, 1)
    best = tiny.best.query("setting == 'walk' and metric == 'rmsve'").set_index("algorithm")
    for algorithm, scores in fresh.items():
        assert scores.mean() == pytest.approx(best.loc[algorithm, "fresh_score"])
    selection = tiny.run_scores("random", stage="selection")["ptd"]
    assert selection.shape == (2, 2)
    assert selection.mean() == pytest.approx(tiny.best.query("setting == 'random'").selection_score.item())


def test_resume_and_growth_are_the_same_as_all_at_once(tiny, tmp_path):
    parts = tmp_path / "parts"
    first = bellwether.run(TINY, out=parts, settings="random", instances=1, record=False, threads=1, progress=False)
    assert not first.complete and set(first.scores.setting) == {"random"} and len(first.curves) == 0
    second = bellwether.run(
        str(TINY), out=str(parts), settings=["random", "walk"], runs=1, isa="portable", progress=False
    )
    assert second.scores.query("setting == 'walk'").runs.max() == 1
    third = bellwether.run(TINY, out=parts, progress=False)
    assert third.complete
    pd.testing.assert_frame_equal(third.scores, tiny.scores, check_exact=True)
    pd.testing.assert_frame_equal(third.curves, tiny.curves, check_exact=True)
    grown = bellwether.run(TINY, out=parts, runs=5, progress=False)
    assert grown.scores.query("metric == 'rmsve'").runs.min() == 5
    assert first.scores.runs.max() == 2  # what was read stays as it was
    nothing = []
    bellwether.run(TINY, out=parts, progress=lambda *said: nothing.append(said))
    assert nothing == []


def test_a_reading_is_another_study(tmp_path):
    (tmp_path / "study.toml").write_text(TINY.read_text())
    (tmp_path / "readings.toml").write_text(
        '[[readings]]\nid = "seeded"\nstatement = "Another seed."\nseed = 4\n', encoding="utf-8"
    )
    file = tmp_path / "study.toml"
    as_it_is = bellwether.run(file, out=tmp_path / "as-it-is", progress=False)
    seeded = bellwether.run(file, out=tmp_path / "seeded", reading="seeded", progress=False)
    assert seeded.name.endswith("-seeded")
    assert not seeded.scores.score.equals(as_it_is.scores.score)
    with pytest.raises(ValueError, match="did you mean 'seeded'"):
        bellwether.run(file, out=tmp_path / "none", reading="seded", progress=False)


def test_progress_is_told(tmp_path):
    said = []
    bellwether.run(TINY, out=tmp_path / "out", progress=lambda phase, done, total: said.append((phase, done, total)))
    phases = list(dict.fromkeys(phase for phase, _, _ in said))
    assert phases == ["sweep", "recording"]
    for phase in phases:
        done = [d for p, d, _ in said if p == phase]
        assert done == sorted(done) and done[0] == 0
        assert done[-1] == next(total for p, _, total in said if p == phase)


def test_exceptions_of_the_callback_stop_and_come_through(tmp_path):
    class Enough(Exception):
        pass

    def listener(phase, done, total):
        if phase == "recording":
            raise Enough("no more")

    with pytest.raises(Enough, match="no more"):
        bellwether.run(TINY, out=tmp_path / "out", progress=listener)
    assert len(bellwether.load(tmp_path / "out").scores) == 24  # the sweep is kept
    assert bellwether.run(TINY, out=tmp_path / "out", progress=False).complete  # and nothing holds the lock


def test_ctrl_c_stops_soon_and_keeps_what_is_done(tmp_path):
    study = tmp_path / "long.toml"
    study.write_text(LONG)
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(1.0, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        bellwether.run(study, out=tmp_path / "out", threads=2, progress=False)
    assert time.monotonic() - sent[0] < 20  # a fraction of a second, where the whole takes minutes
    results = bellwether.load(tmp_path / "out")
    assert len(results.scores) > 0 and not results.complete
    before = results.scores.runs.sum()
    timer = threading.Timer(1.0, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        bellwether.run(study, out=tmp_path / "out", threads=1, progress=False)
    assert bellwether.load(tmp_path / "out").scores.runs.sum() >= before


def test_other_threads_go_on_meanwhile(tmp_path):
    study = tmp_path / "long.toml"
    study.write_text(LONG.replace("runs = 100000", "runs = 40"))
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        bellwether.run(study, out=tmp_path / "out", threads=1, record=False, progress=False)
    finally:
        stop.set()
        thread.join()
    assert len(ticks) > 5


def test_one_run_at_a_time(tmp_path):
    study = tmp_path / "long.toml"
    study.write_text(LONG)
    errors = []

    def listener(phase, done, total):
        if done > 0:
            try:
                bellwether.run(study, out=tmp_path / "out", progress=False)
            except ValueError as error:
                errors.append(str(error))
                raise

    with pytest.raises(ValueError, match="is running this study"):
        bellwether.run(study, out=tmp_path / "out", threads=1, progress=listener)
    assert len(errors) == 1


def test_results_are_pickled_by_their_place(tiny):
    pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(tiny)).scores, tiny.scores)
    assert "tiny" in repr(tiny)


def test_a_bar_where_there_is_a_terminal(tmp_path, monkeypatch):
    pytest.importorskip("tqdm")
    seen = io.StringIO()
    monkeypatch.setattr(seen, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stderr", seen)
    bellwether.run(TINY, out=tmp_path / "out")
    assert "sweep" in seen.getvalue() and "recording" in seen.getvalue() and "100%" in seen.getvalue()


def test_silent_elsewhere(tmp_path, capfd):
    bellwether.run(TINY, out=tmp_path / "out")
    assert capfd.readouterr() == ("", "")


def test_tables_without_pandas(tiny, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install 'bellwether.data.' or pandas"):
        bellwether.load(tiny.directory).scores  # noqa: B018
    assert bellwether.load(tiny.directory).run_scores("walk")["td0"].shape == (3, 1)  # which needs NumPy alone


def bad_study(tmp_path, old, new):
    path = tmp_path / "bad.toml"
    path.write_text(TINY.read_text().replace(old, new))
    return bellwether.run(path, out=tmp_path / "out", progress=False)


WRONG = [
    (lambda t, d: bellwether.run("/nowhere/study.toml", out=d), ValueError, "/nowhere/study.toml"),
    (lambda t, d: bellwether.run(5), TypeError, "study must be a path"),
    (lambda t, d: bellwether.run(TINY, out=5), TypeError, "out must be a path"),
    (lambda t, d: bellwether.run(TINY, out=d, threads=0), ValueError, "threads = 0 is out of range"),
    (lambda t, d: bellwether.run(TINY, out=d, threads=1.5), TypeError, "threads must be a whole number"),
    (lambda t, d: bellwether.run(TINY, out=d, runs=-1), ValueError, "runs = -1 is out of range"),
    (lambda t, d: bellwether.run(TINY, out=d, instances="3"), TypeError, "instances must be a whole number"),
    (lambda t, d: bellwether.run(TINY, out=d, settings="wlak"), ValueError, "no setting 'wlak'; did you mean 'walk'"),
    (lambda t, d: bellwether.run(TINY, out=d, settings=[3]), TypeError, "settings must be a text"),
    (lambda t, d: bellwether.run(TINY, out=d, isa="mmx"), ValueError, "isa: 'mmx' is not an instruction set"),
    (lambda t, d: bellwether.run(TINY, out=d, device="gpu"), ValueError, "device: 'gpu' is not a device"),
    (lambda t, d: bellwether.run(TINY, out=d, progress=3), TypeError, "progress must be a function"),
    (lambda t, d: bad_study(d, '"gtd"', '"gdt"'), ValueError, "did you mean 'gtd'"),
    (lambda t, d: bellwether.run(TINY, out="/proc/nowhere"), RuntimeError, "/proc/nowhere"),
    (lambda t, d: bellwether.load(d), ValueError, "no results"),
    (lambda t, d: bellwether.load(None), TypeError, "directory must be a path"),
    (lambda t, d: t.run_scores("wlak"), ValueError, "did you mean 'walk'"),
    (lambda t, d: t.run_scores("walk", "mave"), ValueError, "setting 'walk' has no metric 'mave'"),
    (lambda t, d: t.run_scores("walk", stage="best"), ValueError, "stage"),
    (lambda t, d: t.run_scores(3), TypeError, "setting must be a text"),
    (lambda t, d: t.table("bset"), ValueError, "did you mean 'best'"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_wrong_is_said(tiny, tmp_path, number):
    call, error, message = WRONG[number]
    with pytest.raises(error) as raised:
        call(tiny, tmp_path)
    assert message in str(raised.value)


def test_another_study_needs_another_directory(tiny, tmp_path):
    path = tmp_path / "other.toml"
    path.write_text(TINY.read_text().replace("seed = 5", "seed = 6"))
    with pytest.raises(ValueError, match="seed"):
        bellwether.run(path, out=tiny.directory, progress=False)


def test_nothing_recorded_is_said(tmp_path):
    results = bellwether.run(TINY, out=tmp_path / "out", record=False, progress=False)
    with pytest.raises(ValueError, match="nothing was recorded on fresh runs of setting 'walk'"):
        results.run_scores("walk")
    assert results.best.fresh_score.isna().all()


def test_ctrl_c_while_intervals_are_found(tmp_path):
    """Which takes long where there are many instances and configurations."""
    study = tmp_path / "wide.toml"
    study.write_text(
        LONG.replace('domain = "baird"', 'domain = "random-mdp"\nparameters = { states = 4 }\ninstances = 300')
        .replace("steps = 1000", "steps = 2")
        .replace("runs = 100000", "runs = 1")
        .replace('["rmsve"]', '["mave"]')
    )
    results = bellwether.run(study, out=tmp_path / "out", progress=False)
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        results.best  # noqa: B018
        time.sleep(10)
    assert time.monotonic() - began < 8  # at once, not after the rest and the pause
    assert len(results.best) == 2  # it went on meanwhile
