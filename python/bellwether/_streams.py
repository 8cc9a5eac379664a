"""Streams as the engine takes them: what sweep and Horde share."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bellwether import _arguments

BEGINS_SEGMENT = 1
IS_NO_STEP = 2


def is_sparse(X: Any) -> bool:
    """Whether these rows are a scipy.sparse matrix."""
    return hasattr(X, "tocsr")


def row_count(name: str, X: Any) -> int:
    """The number of rows of a matrix or array."""
    shape = X.shape if is_sparse(X) else np.shape(X)
    if not shape:
        raise TypeError(f"{name} must be an array with one row per time step, not {X!r}")
    return int(shape[0])


def dimension_of(dimension: Any, **rows: Any) -> int:
    """The dimension as given, or as the rows have it: of indices, one more than the largest."""
    if dimension is not None:
        return _arguments.count("dimension", dimension, 1, 2**32 - 1)
    needed = 1
    for name, X in rows.items():
        if X is None:
            continue
        if is_sparse(X):
            return int(X.shape[1])
        array = np.asarray(X)
        if array.dtype.kind not in "iu":
            if array.ndim != 2:
                raise ValueError(f"{name} must have shape (rows, dimension), not {array.shape}")
            return int(array.shape[1])
        needed = max(needed, int(array.max()) + 1 if array.size else 1)
    return needed


def marks_of(starts: Any, steps: int, rows_follow: bool) -> tuple[NDArray[np.uint8] | None, bool]:
    """A mark per step from the rows that begin a segment, and whether the row after the last step begins one.

    Where the rows of X follow each other, the step out of the row before a start is none.
    """
    if starts is None:
        return None, False
    places = steps + 1 if rows_follow else steps
    array = np.asarray(starts)
    if array.ndim != 1 or (array.dtype.kind not in "biu" and array.size):
        raise TypeError(
            f"starts must be a 1-D array of step numbers or of booleans, not {array.dtype} of shape {array.shape}"
        )
    if array.dtype.kind == "b":
        if array.size not in (steps, places):
            raise ValueError(f"starts has {array.size} booleans for {steps} steps")
        array = np.flatnonzero(array)
    array = array.astype(np.int64)
    wrong = np.flatnonzero((array < 0) | (array >= places))
    if wrong.size:
        at = int(wrong[0])
        raise ValueError(f"starts[{at}] is {array[at]}: it must be at least 0 and below {places}")
    marks = np.zeros(steps + 1, dtype=np.uint8)
    marks[array] |= BEGINS_SEGMENT
    if rows_follow:
        marks[array[array > 0] - 1] |= IS_NO_STEP
    return marks[:steps], bool(marks[steps] & BEGINS_SEGMENT)


def ratios(rhos: Any, pis: Any, mus: Any) -> Any:
    """The importance ratios: as given, else of the two policies, else None for 1."""
    if rhos is not None or pis is None or mus is None:
        return rhos
    with np.errstate(divide="ignore", invalid="ignore"):
        return _arguments.array("pis", pis) / _arguments.array("mus", mus)


def thread_count(threads: Any) -> int:
    """The number of threads: as given, else one per processor that this process may use."""
    if threads is not None:
        return _arguments.count("threads", threads, 1, 4096)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
