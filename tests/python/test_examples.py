"""The scripts of examples/python run, draw what they say they draw, and find what they say they find."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"


def run(name, *arguments):
    """What the script prints."""
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def is_png(path):
    return path.read_bytes().startswith(b"\x89PNG")


def test_every_script_is_run_here():
    here = Path(__file__).read_text(encoding="utf-8")
    assert all(f'"{script.name}"' in here for script in EXAMPLES.glob("*.py"))


def test_off_policy_evaluation():
    printed = run("off_policy_evaluation.py")
    error = {line[:20].strip(): float(line.split()[-1]) for line in printed.splitlines()[3:]}
    # The log has 704 walks: the return of a walk has a standard deviation below 1, and its mean one below 0.04; with
    # ratios that vary, and for places that some walks never reach, twice that.
    assert all(error[name] < 0.1 for name in error if name != "TD, as if on-policy"), printed
    assert error["TD, as if on-policy"] > 0.2, printed


def test_baird(tmp_path):
    pytest.importorskip("matplotlib")
    printed = run("baird.py", tmp_path / "figure.png")
    final = {name: float(error) for name, error in re.findall(r"^(\S+) +error \S+ -> (\S+),", printed, re.MULTILINE)}
    # From 8.2: the one to 670, the others to 0.01.
    assert final.pop("off-policy-td") > 100, printed
    assert len(final) == 3 and all(error < 0.1 for error in final.values()), printed
    assert is_png(tmp_path / "figure.png")


def test_step_size_sweep(tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    printed = run("step_size_sweep.py", tmp_path / "figure.png")
    found = re.search(r"true error (\S+); the best there is (\S+), the median (\S+)", printed)
    error, best, median = map(float, found.groups())
    assert error < best + 0.1 * (median - best), printed
    assert is_png(tmp_path / "figure.png")


def test_gymnasium_tile_coding(tmp_path):
    pytest.importorskip("gymnasium")
    pytest.importorskip("matplotlib")
    printed = run("gymnasium_tile_coding.py", tmp_path / "figure.png")
    predicted, truth = map(float, re.search(r"predicted (\S+), Monte Carlo (\S+)", printed).groups())
    assert abs(predicted - truth) < 3, printed  # as in test_gym_values.py
    assert is_png(tmp_path / "figure.png")


def test_horde_of_thousands(tmp_path):
    pytest.importorskip("matplotlib")
    printed = run("horde_of_thousands.py", tmp_path / "figure.png")
    assert "2,000 predictions × 20,000 steps" in printed and ", 0 diverged" in printed, printed
    # Each state is visited 400 times; a constant step size of 0.1 keeps the noise of some 20 of them.
    assert float(re.search(r"answers: (\S+) for", printed).group(1)) < 0.2, printed
    assert is_png(tmp_path / "figure.png")


def test_own_mdp(tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    printed = run("own_mdp.py", tmp_path / "figure.png")
    # The plan's values, solved by hand: v = (I - 0.95 P_plan)⁻¹ r_plan.
    assert "worth of the plan: [114.7 102.7  78.2]" in printed, printed
    final = {name: float(error) for name, error in re.findall(r"^(\S+) +error 107.9 -> (\S+)$", printed, re.MULTILINE)}
    assert len(final) == 3 and all(error < 20 for error in final.values()), printed
    assert is_png(tmp_path / "figure.png")


def test_log_unknown_behaviour(tmp_path):
    printed = run("log_unknown_behaviour.py", tmp_path / "page.html")
    verdict, answer, truth = re.search(r"^verdict: (.*); answer (\S+), truth (\S+)$", printed, re.MULTILINE).groups()
    assert verdict == "supported", printed
    low, high = re.search(r"is worth \S+ \((\S+) to (\S+)\)", printed).groups()
    assert float(low) < float(truth) < float(high) and float(low) < float(answer) < float(high), printed
    # Its own walkers lose, the target wins: the log's average would be no answer.
    assert float(re.search(r"got (\S+) on average", printed).group(1)) < 0 < float(low), printed
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_log_coupons(tmp_path):
    printed = run("log_coupons.py", tmp_path)
    page = (EXAMPLES.parents[1] / "docs" / "evaluate.md").read_text(encoding="utf-8")
    quoted = ("  ", "The log supports", "The answer depends", "Cannot tell", "today:")
    for line in printed.splitlines():
        assert line in page or not line.startswith(quoted), line
    today, plan, everyone = map(float, re.search(r"truth: today (\S+), the plan (\S+), everyone (\S+)", printed).groups())
    intervals = re.findall(r"\((\S+) to (\S+?)\)", printed)
    for (low, high), truth in zip(intervals, (plan, today, everyone)):
        assert float(low) < truth < float(high), printed
    assert {path.name for path in tmp_path.iterdir()} == {"coupons.csv", "coupons.html", "everyone.csv", "never.csv"}


def test_log_cannot_tell():
    lines = run("log_cannot_tell.py").splitlines()
    assert lines[0] == "cannot tell: support" and "what the log never shows" in lines[1] and lines[2] == "an answer: None"
    assert lines[3] == "supported", lines
    low, high, truth = map(float, re.search(r"interval (\S+) to (\S+), truth (\S+)", lines[5]).groups())
    assert low < truth < high, lines


def test_log_cartpole(tmp_path):
    for package in ("gymnasium", "h5py", "minari"):
        pytest.importorskip(package)
    printed = run("log_cartpole.py", tmp_path / "page.html")
    verdict, answer, truth, error = re.search(
        r"verdict (.*): (\S+) \(.*the target itself got (\S+) with a standard error of (\S+)", printed
    ).groups()
    assert verdict == "depends on the features", printed
    # Tiles are an approximation: within a twentieth of the truth, which a random controller is far from.
    assert abs(float(answer) - float(truth)) < 0.05 * float(truth) + 3 * float(error), printed
    assert (tmp_path / "page.html").stat().st_size > 100_000
