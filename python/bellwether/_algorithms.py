"""What the algorithms declare of themselves in C++, as Python objects."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from bellwether import _core


@dataclass(frozen=True)
class Parameter:
    """One parameter of an algorithm."""

    name: str  #: as Learner takes it
    default: float | None  #: None where there is none and the user must choose
    minimum: float
    maximum: float
    includes_minimum: bool
    range: str  #: in words: "in [0, 1]"
    help: str


@dataclass(frozen=True)
class Algorithm:
    """What is known of an algorithm."""

    id: str
    name: str  #: as people write it
    summary: str
    source: str  #: who to cite
    aliases: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    on_policy_only: bool  #: rho must be 1
    needs_policies: bool  #: reads pi and mu, not only their ratio
    uses_interest: bool
    quadratic: bool  #: O(d^2) time and memory


def algorithms() -> dict[str, Algorithm]:
    """Every algorithm by its id, in the order of the registry."""
    table = {}
    for declared in _core._algorithms():
        parameters = tuple(Parameter(**parameter) for parameter in declared.pop("parameters"))
        table[declared["id"]] = Algorithm(parameters=parameters, **declared)
    return table


def named(algorithm: str) -> Algorithm:
    """The algorithm of that id or alias; ValueError names the nearest one."""
    return algorithms()[_core._algorithm_id(algorithm)]


def signature(algorithm: str) -> inspect.Signature:
    """The signature of Learner for one algorithm: its parameters with the defaults of the C++ declaration."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("dimension", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=int)]
    for parameter in named(algorithm).parameters:
        default = inspect.Parameter.empty if parameter.default is None else parameter.default
        parameters.append(inspect.Parameter(parameter.name, keyword, default=default, annotation=float))
    parameters.append(inspect.Parameter("traces", keyword, default="dense", annotation=str))
    parameters.append(inspect.Parameter("trace_cutoff", keyword, default=0.0, annotation=float))
    return inspect.Signature(parameters, return_annotation=_core.Learner)
