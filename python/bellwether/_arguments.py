"""Arguments of the package's functions, checked so that every mistake gets the same kind of message."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def count(name: str, value: Any, minimum: int, maximum: int) -> int:
    """The value as a whole number; TypeError and ValueError name the argument."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    try:
        whole = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if not minimum <= whole <= maximum:
        raise ValueError(f"{name} = {whole} is out of range: it must be from {minimum} to {maximum}")
    return whole


def number(name: str, value: Any) -> float:
    """The value as a number; TypeError names the argument."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} must be a number, not {value!r}")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None


def core_name(name: str) -> str:
    """A parameter as C++ calls it: target-probability for target_probability, lambda for lambda_."""
    return name.rstrip("_").replace("_", "-")


def parameters(given: Mapping[str, Any]) -> dict[str, float]:
    """Parameters by the names that C++ has for them."""
    return {core_name(name): number(name, value) for name, value in given.items()}


def text(name: str, value: Any) -> str:
    """The value, which must be a text; TypeError names the argument."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {value!r}")
    return value


def text_or_none(name: str, value: Any) -> str | None:
    """The value, which must be a text or None."""
    return None if value is None else text(name, value)


def path(name: str, value: Any) -> str:
    """The value as the text of a path."""
    found = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(found, str):
        raise TypeError(f"{name} must be a path, not {value!r}")
    return found


def array(name: str, values: Any) -> NDArray[np.float64]:
    """The values as an array of numbers; TypeError names the argument."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be an array of numbers") from None


def with_action(name: str, values: Any) -> NDArray[np.float64]:
    """A matrix of states × states as that of the only action."""
    given = array(name, values)
    return given[:, None, :] if given.ndim == 2 else given


def broadcast(name: str, values: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """An array that broadcasts to this shape, broadcast."""
    given = array(name, values)
    try:
        return np.ascontiguousarray(np.broadcast_to(given, shape))
    except ValueError:
        raise ValueError(f"{name} has the shape {given.shape}, which does not broadcast to {shape}") from None


def exactly(name: str, values: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """An array of just this shape."""
    given = array(name, values)
    if given.shape != shape:
        raise ValueError(f"{name} has the shape {given.shape}: it must be {shape}")
    return np.ascontiguousarray(given)
