"""What sweep and Horde share."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from bellwether import _arguments


def is_sparse(X: Any) -> bool:
    """Whether these rows are a scipy.sparse matrix."""
    return hasattr(X, "tocsr")


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


def thread_count(threads: Any) -> int:
    """The number of threads: as given, else one per processor that this process may use."""
    if threads is not None:
        return _arguments.count("threads", threads, 1, 4096)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
