"""Studies: run them, and read their results into pandas.

>>> results = bellwether.run("studies/quick.toml", out="results/quick")
>>> results.scores.query("algorithm == 'gtd' and metric == 'mave'")
>>> results.best
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bellwether import _arguments as arguments
from bellwether import _core

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["Results", "load", "run"]

_MOST_RUNS = 2**31  # runs from here on are the fresh ones
_MOST_INSTANCES = 2**32 - 1
_MOST_THREADS = 1024


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("tables need pandas: pip install 'bellwether[data]' or pandas") from None
    return pandas


def _frame(columns: dict[str, Any]) -> pd.DataFrame:
    """Columns as C++ gives them: numbers, and of texts their places in a list."""
    pandas = _pandas()
    return pandas.DataFrame(
        {
            name: np.array(column[1], dtype=object)[column[0]] if isinstance(column, tuple) else column
            for name, column in columns.items()
        }
    )


class _ArrowStream:
    """A capsule, to whom asks for it."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._capsule


class Results:
    """The results of a study in a directory, as tidy tables.

    Tables are read when they are first asked for, and kept. :func:`load` again to see what has been added since.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        """Opens the results in this directory; ValueError where there are none."""
        self._directory = arguments.path("directory", directory)
        self._core = _core._StoredResults(self._directory)
        self._kept: dict[str, Any] = {}

    def __repr__(self) -> str:
        """In short."""
        return f"<bellwether.Results of study {self.name!r} in {self._directory!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle has the directory, and opens it again."""
        return (Results, (os.path.abspath(self._directory),))

    def _keep(self, name: str, read: Callable[[], Any]) -> Any:
        if name not in self._kept:
            self._kept[name] = read()
        return self._kept[name]

    @property
    def directory(self) -> str:
        """Where the results are."""
        return self._directory

    @property
    def name(self) -> str:
        """The study's name."""
        return self._core.name

    @property
    def study(self) -> str:
        """The study file, as it was written."""
        return self._core.text

    @property
    def parameters(self) -> list[str]:
        """The parameters that its algorithms have: columns of the tables."""
        return self._core.parameters

    @property
    def complete(self) -> bool:
        """Whether every run that was asked for is there now."""
        return self._core.is_complete()

    @property
    def settings(self) -> pd.DataFrame:
        """A row per setting: its problem, sizes, metrics and algorithms."""
        return self._keep("settings", lambda: _pandas().DataFrame(self._core.settings()))

    @property
    def scores(self) -> pd.DataFrame:
        """A row per configuration and metric: setting, algorithm, parameters, metric, runs, diverged, score, stderr.

        A parameter is NaN where the algorithm does not have it, the score infinite where some run diverged, and stderr
        NaN where there is one run.
        """
        return self._keep("scores", lambda: _frame(self._core.exported(False, False)))

    @property
    def by_instance(self) -> pd.DataFrame:
        """The same as :attr:`scores`, with a row per instance."""
        return self._keep("by_instance", lambda: _frame(self._core.exported(False, True)))

    @property
    def by_question(self) -> pd.DataFrame:
        """The same as :attr:`scores`, with a row for each question of a setting that has several.

        `question` is its place in the setting's list, from 0, and NaN in the rows of their mean. Results of
        a program that kept the mean alone have no other rows.
        """
        return self._keep("by_question", lambda: _frame(self._core.exported(False, False, True)))

    @property
    def curves(self) -> pd.DataFrame:
        """Recorded learning curves of the best configurations, a row per step.

        Columns: setting, algorithm, metric, stage ("selection", "fresh"), parameters, step, runs, mean, stderr. Step 0
        is the error of the initial weights.
        """
        return self._keep("curves", lambda: _frame(self._core.exported(True, False)))

    @property
    def best(self) -> pd.DataFrame:
        """A row per setting, metric and algorithm: its best configuration, chosen on the runs of the selection.

        Its score on fresh runs with stderr, deviation between runs, 95% interval (`fresh_low`, `fresh_high`) and the
        probability to be first; the same on the selection; the probability that this configuration is the best.
        Settings without complete results are left out.
        """
        return self.table("best")

    @property
    def sensitivity(self) -> pd.DataFrame:
        """A row per value of a parameter: the score with the other parameters selected again at that value.

        In the rows whose `view` is "frozen", instead of "reselected", they are as in the best configuration.
        """
        return self.table("sensitivity")

    def table(self, name: str) -> pd.DataFrame:
        """A table of the report by its name, as docs/report.md lists them: best, sensitivity-areas, ..."""
        arguments.text("name", name)
        return self._keep(f"table {name}", lambda: _frame(self._core.table(name)))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The scores for any library that speaks Arrow: `polars.DataFrame(results)`, `pyarrow.table(results)`,
        ``duckdb.sql("select * from results")``.

        No library is needed for that but the one that reads. The schema is always the table's own.
        """
        return self._core.arrow_stream(False, False)

    def to_arrow(self, table: str = "scores") -> pa.Table:
        """A table of pyarrow: "scores", "by_instance", "by_question" or "curves"; what is missing is null there.

        DuckDB queries it by its name: ``scores = results.to_arrow(); duckdb.sql("select * from scores")``.
        """
        kinds = {
            "scores": (False, False, False),
            "by_instance": (False, True, False),
            "by_question": (False, False, True),
            "curves": (True, False, False),
        }
        if table not in kinds:
            raise ValueError(f"table: {table!r} is none of {', '.join(kinds)}")
        try:
            import pyarrow
        except ImportError:
            raise ImportError("to_arrow needs pyarrow: pip install 'bellwether[parquet]' or pyarrow") from None
        return pyarrow.table(_ArrowStream(self._core.arrow_stream(*kinds[table])))

    def run_scores(
        self, setting: str, metric: str | None = None, stage: str = "fresh"
    ) -> dict[str, NDArray[np.float64]]:
        """By algorithm, the score of every run of its best configuration: runs × tasks, as rliable takes it.

        The tasks are the setting's instances. `metric` is by default the setting's first. Scores are errors, so lower
        is better; one that is not finite belongs to a run that diverged. `stage` is "fresh" or "selection".
        """
        if stage not in ("fresh", "selection"):
            raise ValueError(f"stage: {stage!r} is neither 'fresh' nor 'selection'")
        return self._core.run_scores(
            arguments.text("setting", setting), arguments.text_or_none("metric", metric), stage == "fresh"
        )


def load(directory: str | os.PathLike[str]) -> Results:
    """The results in a directory that :func:`run` or `bellwether run` has made."""
    return Results(directory)


class _Bar:
    """A tqdm bar for each phase of the work."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._phase: str | None = None
        self._bar: Any = None

    def __enter__(self) -> _Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def __call__(self, phase: str, done: float, total: float) -> None:
        if phase != self._phase:
            self.__exit__(None, None, None)
            self._phase = phase
            self._bar = self._tqdm(total=total, desc=phase, unit=" agent-steps", unit_scale=True, file=sys.stderr)
        self._bar.update(done - self._bar.n)


class _Silence:
    """No progress."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        return None


def _listener(progress: Any) -> Any:
    """A context manager that gives the function to tell, or None."""
    if progress is None and sys.stderr is not None and sys.stderr.isatty():
        try:
            from tqdm import tqdm
        except ImportError:
            return _Silence()
        return _Bar(tqdm)
    return _Silence()


def run(
    study: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    instances: int | None = None,
    runs: int | None = None,
    settings: str | Iterable[str] | None = None,
    reading: str | None = None,
    record: bool = True,
    isa: str | None = None,
    device: str = "cpu",
    progress: Callable[[str, float, float], object] | bool | None = None,
) -> Results:
    """Runs a study, or what is missing of it, and returns its results.

    Everything that is there is kept: the same call resumes a study that was stopped, and with more `instances` or
    `runs` it grows. Results are the same to the bit whatever the threads, the device and the history of stops.
    Ctrl-C stops within a fraction of a second, keeps what is done, and raises KeyboardInterrupt.

    :param study: the study file, or the name of an installed study.
    :param out: the directory of the results, by default results/ and the study's name.
    :param threads: how many, by default as many as there are cores.
    :param instances: in place of the study's.
    :param runs: of each instance, in place of the study's.
    :param settings: only these.
    :param reading: the study as this reading has it, one of readings.toml beside the study file.
    :param record: whether the best configurations' learning curves are recorded.
    :param isa: the instruction set: "avx512", "avx2" or "portable", by default the best of this machine.
    :param device: where to compute: "cpu", "cuda", "cuda:1", or "auto", which is "cuda" where that can be had.
        What a card cannot take is run on the processor, with a RuntimeWarning that says so.
    :param progress: a function of (phase, done, total), with "sweep" or "recording" and agent-steps, called several
        times a second; False for none. By default a tqdm bar where tqdm is installed and standard error is a terminal.
    """
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise TypeError(f"progress must be a function of (phase, done, total), None or False, not {progress!r}")
    if isinstance(settings, str):
        settings = [settings]
    chosen = [arguments.text("settings", setting) for setting in settings or ()]
    request: dict[str, Any] = {
        "file": arguments.path("study", study),
        "directory": "" if out is None else arguments.path("out", out),
        "threads": None if threads is None else arguments.count("threads", threads, 1, _MOST_THREADS),
        "instances": None if instances is None else arguments.count("instances", instances, 1, _MOST_INSTANCES),
        "runs": None if runs is None else arguments.count("runs", runs, 1, _MOST_RUNS),
        "settings": chosen,
        "reading": "" if reading is None else arguments.text("reading", reading),
        "record": bool(record),
        "isa": arguments.text_or_none("isa", isa),
        "device": arguments.text("device", device),
    }
    if callable(progress):
        return Results(_core._run_study(**request, progress=progress))
    with _listener(None if progress is True else progress) as listener:
        directory = _core._run_study(**request, progress=listener)
    return Results(directory)
