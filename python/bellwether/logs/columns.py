"""Columns of tables, whatever holds them: pandas, Polars, Arrow, Parquet and Feather files."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ARROW_FILES", "column", "labels", "read_columns", "row_count", "write_as"]

ARROW_FILES = (".parquet", ".pq", ".feather", ".arrow", ".ipc")


def _pyarrow(what: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError(f"{what} needs pyarrow: pip install pyarrow") from None
    return pyarrow


def _as_table(frame: Any) -> Any:
    """A table whose columns have ``to_numpy``: the frame itself, or what Arrow makes of it."""
    if hasattr(frame, "__getitem__") and hasattr(frame, "columns") and not hasattr(frame, "schema"):
        return frame  # pandas
    if type(frame).__module__.split(".")[0] == "polars":
        return frame
    if hasattr(frame, "__arrow_c_stream__") or type(frame).__module__.split(".")[0] == "pyarrow":
        return _pyarrow("a table that is neither pandas' nor Polars'").table(frame)
    if isinstance(frame, dict) or hasattr(frame, "__getitem__"):
        return frame
    raise TypeError(f"a frame is a table of pandas, Polars or Arrow, not {type(frame).__name__}")


def row_count(frame: Any) -> int:
    """How many rows a table has."""
    table = _as_table(frame)
    return int(getattr(table, "num_rows", None) or len(table))


def labels(frame: Any, name: str) -> NDArray[Any]:
    """A column as it is."""
    table = _as_table(frame)
    try:
        found = table[name]
    except Exception:  # every library has its own
        raise ValueError(f"the frame has no column '{name}'") from None
    if hasattr(found, "combine_chunks"):  # Arrow: what is null has no place in an array of whole numbers
        found = found.combine_chunks() if found.num_chunks != 1 else found.chunk(0)
        return np.asarray(found.to_numpy(zero_copy_only=False))
    return np.asarray(found.to_numpy() if hasattr(found, "to_numpy") else found)


def column(frame: Any, name: str) -> NDArray[np.float64]:
    """A column as numbers; NaN where there is none."""
    found = labels(frame, name)
    try:
        return np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    try:
        return np.array([np.nan if value is None else float(value) for value in found], dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"the column '{name}' has something in it that is no number") from None


def write_as(plain: Path, path: Path, kind: str) -> None:
    """A CSV file of numbers in the format of this ending; packed where the path ends with .gz."""
    if kind not in ARROW_FILES:
        with plain.open(encoding="ascii", newline="") as rows, (gzip.open if path.suffix == ".gz" else open)(path, "wt") as file:
            file.writelines(row.replace(",", "\t") if kind == ".tsv" else row for row in rows)
        return
    _pyarrow(f"{kind} files")
    from pyarrow import csv, feather, float64, parquet

    names = plain.open(encoding="ascii").readline().strip().split(",")
    table = csv.read_csv(plain, convert_options=csv.ConvertOptions(column_types={name: float64() for name in names}))
    if kind in (".parquet", ".pq"):
        parquet.write_table(table, path)
    else:
        feather.write_feather(table, str(path), compression="uncompressed")


def _batches(path: Path) -> tuple[list[str], Iterator[Any]]:
    """The names of a file's columns, and its record batches one at a time."""
    pyarrow = _pyarrow(f"{path.suffix} files")
    if path.suffix.lower() in (".parquet", ".pq"):
        import pyarrow.parquet as parquet

        try:
            file = parquet.ParquetFile(path)
        except pyarrow.ArrowInvalid as problem:
            raise ValueError(f"{path}: it is no Parquet file: {problem}") from None
        return list(file.schema_arrow.names), file.iter_batches()
    import pyarrow.ipc as ipc

    try:
        source = pyarrow.memory_map(str(path), "r")
        opened = ipc.open_file(source)
    except pyarrow.ArrowInvalid:
        try:
            stream = ipc.open_stream(pyarrow.memory_map(str(path), "r"))
        except (pyarrow.ArrowInvalid, OSError) as problem:
            raise ValueError(f"{path}: it is no Feather or Arrow file: {problem}") from None
        return list(stream.schema.names), iter(stream)
    return list(opened.schema.names), (opened.get_batch(k) for k in range(opened.num_record_batches))


def read_columns(path: Path) -> dict[str, NDArray[Any]]:
    """Every column of a Parquet, Feather or Arrow file: numbers (NaN where there is none), and ``episode`` as it is."""
    names, batches = _batches(path)
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
    for batch in batches:
        for name in names:
            values = batch.column(batch.schema.get_field_index(name)).to_numpy(zero_copy_only=False)
            parts[name].append(values if name == "episode" else _numbers(values, name, path))
    return {name: np.concatenate(found) if found else np.empty(0) for name, found in parts.items()}


def _numbers(values: Any, name: str, path: Path) -> NDArray[np.float64]:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{path}: the column '{name}' has something in it that is no number") from None
