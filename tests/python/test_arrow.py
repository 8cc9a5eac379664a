"""Results that travel: Arrow, Parquet, Polars and DuckDB read what the tables have."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

pd = pytest.importorskip("pandas")

import bellwether  # noqa: E402

TINY = Path(__file__).resolve().parents[2] / "tests/data/tiny-study.toml"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return bellwether.run(TINY, out=tmp_path_factory.mktemp("tiny") / "out", threads=2, progress=False)


def assert_same(frame, expected):
    """To the bit; what is missing is NaN in both."""
    assert list(frame.columns) == list(expected.columns)
    for name in expected.columns:
        ours, theirs = frame[name].to_numpy(), expected[name].to_numpy()
        if expected[name].dtype.kind in "fi":
            np.testing.assert_array_equal(ours.astype(float), theirs.astype(float))
        else:
            assert list(ours) == list(theirs)


@pytest.mark.parametrize("table", ["scores", "by_instance", "curves"])
def test_to_arrow_has_the_tables(tiny, table):
    pyarrow = pytest.importorskip("pyarrow")
    arrow = tiny.to_arrow(table)
    arrow.validate(full=True)
    assert arrow.schema.field("runs").type == pyarrow.int64()
    assert_same(arrow.to_pandas(), getattr(tiny, table))
    # td0 has no lambda: that is missing, which is not the same as a number that is none
    of_td0 = arrow.filter(pyarrow.compute.equal(arrow["algorithm"], "td0"))
    assert of_td0["lambda"].null_count == len(of_td0) > 0


def test_arrow_outlives_the_results(tiny):
    pytest.importorskip("pyarrow")
    column = bellwether.load(tiny.directory).to_arrow()["score"]
    np.testing.assert_array_equal(column.to_numpy(), tiny.scores["score"].to_numpy())


def test_polars_reads_results_themselves(tiny):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(tiny)
    assert_same(pd.DataFrame(frame.to_dict(as_series=False)), tiny.scores)  # its to_pandas() needs pyarrow
    assert frame.filter(polars.col("algorithm") == "ptd").height == (tiny.scores["algorithm"] == "ptd").sum()


def test_duckdb_queries_them(tiny):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    scores = tiny.to_arrow()
    rows = duckdb.sql("select algorithm, min(score) from scores group by algorithm order by algorithm").fetchall()
    expected = tiny.scores.groupby("algorithm")["score"].min()
    assert rows == [(name, expected[name]) for name in sorted(expected.index)]
    assert scores.num_rows == len(tiny.scores)


def test_duckdb_queries_results_themselves(tiny):
    duckdb = pytest.importorskip("duckdb")
    results = tiny
    rows = duckdb.sql("select algorithm, count(*), min(score) from results group by algorithm order by algorithm").fetchall()
    expected = tiny.scores.groupby("algorithm")["score"]
    assert rows == [(name, expected.count()[name], expected.min()[name]) for name in sorted(expected.groups)]
    assert results is tiny


def test_a_stream_that_nobody_takes_is_released(tiny):
    for _ in range(100):
        tiny.__arrow_c_stream__()


def test_other_tables_are_refused(tiny):
    with pytest.raises(ValueError, match="table: 'best' is none of scores, by_instance, by_question, curves"):
        tiny.to_arrow("best")


@pytest.mark.parametrize("options", [[], ["--by-instance"], ["--curves"]])
def test_exported_files_have_what_csv_has(program, tiny, tmp_path, options):
    feather = pytest.importorskip("pyarrow.feather")
    parquet = pytest.importorskip("pyarrow.parquet")

    def export(name):
        subprocess.run([program, "export", tiny.directory, *options, "--out", tmp_path / name], check=True)
        return tmp_path / name

    csv = pd.read_csv(export("table.csv"), float_precision="round_trip")
    arrow = feather.read_table(export("table.arrow"))
    arrow.validate(full=True)
    assert_same(arrow.to_pandas(), csv)
    packed = parquet.read_table(export("table.parquet"))
    packed.validate(full=True)
    assert packed.cast(arrow.schema).equals(arrow)

    polars = pytest.importorskip("polars")
    assert polars.read_ipc(tmp_path / "table.arrow").equals(polars.read_parquet(tmp_path / "table.parquet"))
    duckdb = pytest.importorskip("duckdb")
    assert_same(duckdb.sql(f"select * from '{tmp_path}/table.parquet'").df(), csv)
