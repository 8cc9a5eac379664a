"""The figures of an evaluation or a tuning, out of the files that its command wrote."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bellwether import _drawing
from bellwether.logs import showing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _rows(path: Path) -> list[dict[str, Any]]:
    """A table's rows, without what is empty in them; numbers as numbers, but for an algorithm's name."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {name: text if name == "algorithm" else float(text) for name, text in row.items() if text}
            for row in csv.DictReader(file)
        ]


def figures(directory: str) -> dict[str, Figure]:
    """Every figure by its id, as ``bellwether evaluate`` and ``bellwether tune`` call it."""
    place = Path(directory)

    def new(width: float, height: float) -> Axes:
        return _drawing.pyplot().subplots(figsize=(width, height), layout="constrained")[1]

    drawn: dict[str, Axes] = {}
    if (place / "evaluation.json").exists():
        evaluation = json.loads((place / "evaluation.json").read_text(encoding="utf-8"))
        drawn["estimates"] = showing.draw_estimates(evaluation, new(7, 3.5))
        sample = [row["effective"] for row in _rows(place / "effective-sample.csv")]
        if sample:
            drawn["effective-sample"] = showing.draw_effective_sample(evaluation, sample, new(7, 3.5))
    if (place / "tune.json").exists():
        tuning = json.loads((place / "tune.json").read_text(encoding="utf-8"))
        drawn["score-alpha"] = showing.draw_scores(_rows(place / "configurations.csv"), tuning, "alpha", new(7, 5))
    return {id: ax.figure for id, ax in drawn.items()}


if __name__ == "__main__":
    _drawing.write_files("bellwether.logs.figures", figures)
