"""Datasets in the format of Minari (0.5): episodes of T steps with T + 1 observations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bellwether import _arguments
from bellwether._core import FourierBasis, TileCoder

__all__ = ["read"]


class _Episode(NamedTuple):
    """What is read of an episode."""

    observations: Any
    actions: Any
    rewards: Any
    terminations: Any


def _stored(group: Any) -> Any:
    """Arrays of an HDF5 group, by name or in their order, as Dict and Tuple spaces are."""
    if not hasattr(group, "keys"):
        return np.asarray(group)
    if all(name.startswith("_index_") for name in group):
        return tuple(_stored(group[f"_index_{k}"]) for k in range(len(group)))
    return {name: _stored(group[name]) for name in group}


def _episodes_of_file(path: Path) -> Iterator[_Episode]:
    try:
        import h5py
    except ImportError:
        raise ImportError(f"{path}: reading a dataset of Minari needs h5py: pip install h5py") from None
    with h5py.File(path, "r") as file:
        names = sorted((name for name in file if name.startswith("episode_")), key=lambda name: int(name[8:]))
        for name in names:
            found = file[name]
            yield _Episode(*(_stored(found[part]) for part in ("observations", "actions", "rewards", "terminations")))


def _episodes(dataset: Any) -> Iterator[Any]:
    if hasattr(dataset, "iterate_episodes"):
        return iter(dataset.iterate_episodes())
    if not isinstance(dataset, (str, Path)):
        raise TypeError(f"dataset must be a MinariDataset, its id or its path, not {type(dataset).__name__}")
    for place in (Path(dataset), Path(dataset) / "main_data.hdf5", Path(dataset) / "data" / "main_data.hdf5"):
        if place.is_file():
            return _episodes_of_file(place)
    try:
        import minari
    except ImportError:
        raise ImportError(f"{dataset}: no folder with a dataset is there, and an id needs Minari: pip install minari") from None
    return iter(minari.load_dataset(str(dataset)).iterate_episodes())


def _one_by_one(observations: Any) -> Iterator[Any]:
    """The observations of an episode: rows, or dicts and tuples of rows."""
    if isinstance(observations, dict):
        names = list(observations)
        for parts in zip(*(_one_by_one(observations[name]) for name in names)):
            yield dict(zip(names, parts))
    elif isinstance(observations, tuple):
        yield from zip(*(_one_by_one(part) for part in observations))
    else:
        yield from observations


def _coded(coder: Any, observations: Any) -> Any:
    found = coder.encode(np.asarray(observations, dtype=np.float64))
    if isinstance(coder, FourierBasis):
        return found
    rows = np.zeros((len(found), coder.size))
    np.put_along_axis(rows, np.asarray(found, dtype=np.int64), 1.0, axis=1)
    return rows


def _features_of(features: Any, observations: Any) -> Any:
    if isinstance(features, (FourierBasis, TileCoder)):
        rows = _coded(features, observations)
    elif not callable(features):
        raise TypeError("features must be a TileCoder, a FourierBasis, or a function of an observation")
    elif getattr(features, "batch", False):
        rows = np.asarray(features(observations), dtype=np.float64)
    else:
        rows = np.stack([np.asarray(features(one), dtype=np.float64).ravel() for one in _one_by_one(observations)])
    if rows.ndim != 2:
        raise ValueError(f"features gave an array of shape {rows.shape}, not one of vectors")
    return rows


def _actions_of(given: Any, actions: Any) -> Any:
    found = np.asarray(given if actions is None else actions(given))
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1 or not np.all(np.equal(np.floor(found), found)):
        raise ValueError("actions must be whole numbers from 0: actions= may map them to such")
    return found.astype(np.float64)


def read(log: Any, dataset: Any, features: Any, gamma: float, actions: Any) -> Any:
    """What ``Log.from_minari`` returns."""
    discount = _arguments.number("gamma", gamma)
    X, rewards, gammas, taken, starts, rows = [], [], [], [], [], 0
    for number, episode in enumerate(_episodes(dataset)):
        steps = len(episode.rewards)
        if not steps:
            continue
        own = _features_of(features, episode.observations)
        if len(own) != steps + 1:
            raise ValueError(f"episode {number} has {steps} steps and {len(own)} observations, not one more")
        ended = bool(episode.terminations[-1])
        discounts = np.full(steps, discount)
        if ended:
            discounts[-1] = 0
        closing = 0 if ended else 1  # the last observation closes a segment that was cut off
        X.append(own[: steps + closing])
        rewards.append(np.concatenate([np.asarray(episode.rewards, dtype=np.float64), np.zeros(closing)]))
        gammas.append(np.concatenate([discounts, np.full(closing, discount)]))
        taken.append(np.concatenate([_actions_of(episode.actions, actions), np.zeros(closing)]))
        starts.append(rows)
        rows += steps + closing
    if not X:
        raise ValueError("the dataset has no steps")
    last = 1 if gammas[-1][-1] != 0 else 0  # a last row that closes is no step
    return log.from_arrays(
        np.concatenate(X),
        np.concatenate(rewards)[: rows - last],
        np.concatenate(gammas)[: rows - last],
        actions=np.concatenate(taken)[: rows - last],
        starts=np.array(starts),
    )
