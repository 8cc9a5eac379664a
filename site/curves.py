"""The curves on the algorithms' pages and the picture on the first one: a small study, run and drawn when the site is built.

    python site/curves.py PROGRAM DIRECTORY     ID-SETTING.svg and ID-SETTING-dark.svg for every algorithm and for first

Every algorithm learns in random MDPs, off-policy where it can, and on Baird's counterexample where it is no on-policy method,
at the best of the same grid for all. Lines of the others stand behind it.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import matplotlib as mpl
import numpy as np
from bellwether import _core, plot

mpl.use("Agg")
from matplotlib import pyplot  # noqa: E402

GREY = "#858b94"  # readable on light and on dark ground
GRID = '{ alpha = { base = 0.1, factor = 2, from = %d, to = %d }, eta = { factor = 4, exponents = [-2, -1, 0, 1, 2, 4] }, lambda = [0, 0.5, 0.9] }'
SETTINGS = {  # id: title, lines of the study file, and whether it is off-policy
    "on": ("Random MDPs, on-policy", 'domain = "random-mdp"\nfeatures = "tabular"\npolicy = "on"\nsteps = 500\ninstances = 5\n'
           'metrics = ["mave"]\n' f"grid = {GRID % (-5, 4)}\n", False),
    "off": ("Random MDPs, off-policy", 'domain = "random-mdp"\nfeatures = "tabular"\npolicy = "off"\nsteps = 500\ninstances = 5\n'
            'metrics = ["mave"]\n' f"grid = {GRID % (-5, 4)}\n", True),
    "baird": ("Baird’s counterexample", 'domain = "baird"\nsteps = 1000\nmetrics = ["rmsve"]\n' f"grid = {GRID % (-12, 0)}\n", True),
}
RUNS = 20
FIRST = ["td0", "gtd", "htd", "to-etd-beta", "ptd", "tdrc"]  # on the first page

Curves = dict[str, dict[str, tuple[np.ndarray, np.ndarray]]]  # by setting and algorithm: means and standard errors


def algorithms(program: str) -> dict[str, bool]:
    """Ids, and whether each is for on-policy learning only."""
    lines = subprocess.run([program, "list", "algorithms"], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[0]: "(on-policy only)" in line for line in lines
            if not line.startswith(" ") and "another name of" not in line}


def run(program: str, known: dict[str, bool]) -> Curves:
    """Of fresh runs at the best configuration of each."""
    text = 'name = "curves"\nseed = 1\n'
    for id, (_, lines, off_policy) in SETTINGS.items():
        names = [name for name, on_policy_only in known.items() if not (off_policy and on_policy_only)]
        text += f'[[settings]]\nid = "{id}"\nruns = {RUNS}\n{lines}algorithms = [{", ".join(map(repr, names))}]\n'
    with tempfile.TemporaryDirectory() as directory:
        study = Path(directory) / "curves.toml"
        study.write_text(text)
        subprocess.run([program, "run", study, "--out", f"{directory}/results", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        table = subprocess.run([program, "export", f"{directory}/results", "--curves"], check=True, capture_output=True, text=True).stdout
    rows: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for row in csv.DictReader(io.StringIO(table)):
        if row["stage"] == "fresh":
            rows[row["setting"]][row["algorithm"]].append((float(row["mean"]), float(row["stderr"])))
    return {setting: {name: tuple(np.array(values).T) for name, values in of.items()} for setting, of in rows.items()}


def panel(ax, setting: str, curves: dict[str, tuple[np.ndarray, np.ndarray]], shown: list[str], ground: str, names: bool) -> None:
    """The curves of one setting; those that are not shown are grey lines in the background."""
    start = next(iter(curves.values()))[0][0]
    high = start * (1.06 if setting != "baird" else 1.6)
    ax.set_title(SETTINGS[setting][0], loc="left", fontsize=10, color=GREY)
    for name, (mean, _) in curves.items():
        if name not in shown:
            some = np.linspace(0, len(mean) - 1, 41).astype(int)
            ax.plot(some, np.where(mean < high, mean, np.nan)[some], color=GREY, alpha=0.22, linewidth=0.7)
    for name in shown:
        steps = np.linspace(0, len(curves[name][0]) - 1, 126).astype(int)
        mean, error = (values[steps] for values in curves[name])
        look = plot.style(name) | {"color": _core._style_of(name)[ground]}
        inside = np.where(np.isfinite(mean), np.minimum(mean, high), high)
        ax.fill_between(steps, inside - np.where(inside < high, error, 0), inside + np.where(inside < high, error, 0),
                        color=look["color"], alpha=0.2, linewidth=0)
        ax.plot(steps, inside, color=look["color"], linestyle=look["linestyle"], linewidth=2, label=name)
        if not np.isfinite(mean[-1]) or mean[-1] > high:
            ax.text(0.98, 0.93, "beyond the scale", transform=ax.transAxes, ha="right", color=look["color"], fontsize=9)
    ax.set_xlim(0, len(next(iter(curves.values()))[0]) - 1)
    ax.set_ylim(0, high)
    ax.set_xlabel("step", fontsize=9, color=GREY)
    ax.tick_params(labelsize=8, colors=GREY)
    for side, spine in ax.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set_color(GREY)
    if names:
        ax.legend(fontsize=8, frameon=False, labelcolor=GREY, loc="upper right")


def draw(directory: Path, name: str, curves: Curves, settings: list[str], shown: list[str]) -> None:
    """A picture of each setting, which stand beside or below each other as there is room; for light ground, and with -dark in its name for dark."""
    for setting in settings:
        for ground, variant in (("light", ""), ("dark", "-dark")):
            figure, axes = pyplot.subplots(figsize=(3.9, 2.7), layout="constrained")
            panel(axes, setting, curves[setting], shown, ground, names=len(shown) > 1 and setting == settings[0])
            axes.set_ylabel("error of the values", fontsize=9, color=GREY)
            figure.savefig(directory / f"{name}-{setting}{variant}.svg", transparent=True, metadata={"Date": None})
            pyplot.close(figure)


def main(program: str, directory: Path) -> None:
    """Run the study and draw every picture."""
    mpl.rcParams |= {"svg.hashsalt": "bellwether", "svg.fonttype": "none", "font.family": "sans-serif"}
    directory.mkdir(parents=True, exist_ok=True)
    known = algorithms(program)
    curves = run(program, known)
    for name, on_policy_only in known.items():
        draw(directory, name, curves, ["on"] if on_policy_only else ["off", "baird"], [name])
    draw(directory, "first", curves, ["off", "baird"], FIRST)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]))
