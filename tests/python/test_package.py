"""The package as a whole: documentation, stubs, the table of algorithms."""

import ast
import importlib
import inspect
import pathlib
import pkgutil
import re

import pytest
from conftest import EXAMPLES

import bellwether
from bellwether import _core

STUBS = pathlib.Path(_core.__file__).with_name("_core.pyi")


def public_modules():
    """The package and its public modules; those that need a package which is not there are left out."""
    modules = [bellwether]
    for found in pkgutil.iter_modules(bellwether.__path__):
        if not found.name.startswith("_"):
            try:
                modules.append(importlib.import_module(f"bellwether.{found.name}"))
            except ImportError as error:
                assert not str(error.name or "").startswith("bellwether"), error
    return modules


def is_ours(thing):
    return (getattr(thing, "__module__", None) or "").startswith("bellwether")


def public_things():
    """Every public name, and every public member of a public class."""
    seen = {}
    for module in public_modules():
        seen[module.__name__] = module
        for name in getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")]):
            thing = getattr(module, name)
            if not (inspect.isclass(thing) or inspect.isroutine(thing)) or not is_ours(thing):
                continue
            seen[f"{module.__name__}.{name}"] = thing
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    documented = inspect.isroutine(value) or isinstance(value, (property, classmethod, staticmethod))
                    if not member.startswith("_") and documented:
                        seen[f"{module.__name__}.{name}.{member}"] = value
    return seen


def test_everything_public_has_a_docstring():
    things = public_things()
    for name in ("Learner", "Learner.step", "Learner.weights", "TileCoder.encode", "algorithms"):
        assert f"bellwether.{name}" in things
    missing = [name for name, thing in things.items() if not (inspect.getdoc(thing) or "").strip()]
    assert missing == []


def test_every_public_name_is_there():
    for module in public_modules():
        for name in getattr(module, "__all__", []):
            assert hasattr(module, name), f"{module.__name__}.{name}"


def test_the_version_is_that_of_the_build():
    lists = pathlib.Path(__file__).resolve().parents[2] / "CMakeLists.txt"
    assert bellwether.__version__ == re.search(r"project\(bellwether VERSION ([0-9.]+)", lists.read_text())[1]


def test_the_package_is_typed():
    assert STUBS.exists() and STUBS.with_name("py.typed").exists()


# ---- stubs ----


def stub_signature(function, in_class):
    """(name, kind, has a default) of every argument; the first one of a method left out."""
    arguments = function.args
    positional = arguments.posonlyargs + arguments.args
    optional = len(positional) - len(arguments.defaults)
    shape = [(a.arg, "positional", i >= optional) for i, a in enumerate(positional)][1 if in_class else 0:]
    if arguments.vararg:
        shape.append((arguments.vararg.arg, "*", False))
    shape += [(a.arg, "named", default is not None) for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg:
        shape.append((arguments.kwarg.arg, "**", False))
    return shape


def module_signature(function, in_class):
    kinds = {"POSITIONAL_ONLY": "positional", "POSITIONAL_OR_KEYWORD": "positional", "VAR_POSITIONAL": "*",
             "KEYWORD_ONLY": "named", "VAR_KEYWORD": "**"}
    parameters = list(inspect.signature(function).parameters.values())[1 if in_class else 0:]
    return [(p.name, kinds[p.kind.name], p.default is not p.empty) for p in parameters]


def stub_default_texts(function):
    positional = function.args.posonlyargs + function.args.args
    pairs = list(zip(positional[len(positional) - len(function.args.defaults):], function.args.defaults))
    pairs += [(a, d) for a, d in zip(function.args.kwonlyargs, function.args.kw_defaults) if d is not None]
    return {a.arg: ast.literal_eval(d) for a, d in pairs if not (isinstance(d, ast.Constant) and d.value is ...)}


def public_members(body):
    nodes = [node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return {node.name: node for node in nodes if not node.name.startswith("_") or node.name == "__init__"}


def decorators(function):
    return {getattr(decorator, "id", getattr(decorator, "attr", "")) for decorator in function.decorator_list}


def test_stubs_are_the_module():
    tree = ast.parse(STUBS.read_text())
    stubs = public_members(tree.body)
    names = {name for name, thing in vars(_core).items() if not name.startswith("_")}
    assert set(stubs) == names
    for name, stub in stubs.items():
        thing = getattr(_core, name)
        if isinstance(stub, ast.FunctionDef):
            assert stub_signature(stub, False) == module_signature(thing, False), name
            continue
        members = public_members(stub.body)
        there = {member for member in vars(thing) if not member.startswith("_")}
        assert set(members) - {"__init__"} == there, name
        for member, function in members.items():
            value = vars(thing)[member]
            if isinstance(value, property):
                assert decorators(function) & {"property", "setter"}, f"{name}.{member}"
                continue
            static = "staticmethod" in decorators(function)
            assert stub_signature(function, not static) == module_signature(value, not static), f"{name}.{member}"
            defaults = {p.name: p.default for p in inspect.signature(value).parameters.values() if p.default is not p.empty}
            assert stub_default_texts(function) == defaults, f"{name}.{member}"


# ---- algorithms ----


def test_the_table_of_algorithms():
    table = bellwether.algorithms()
    assert list(table)[:3] == ["td0", "td", "to-td"] and set(table) == set(EXAMPLES)
    gtd = table["gtd"]
    assert gtd.name and gtd.summary and gtd.source and gtd.aliases == ("tdc",)
    assert [parameter.name for parameter in gtd.parameters] == ["alpha", "eta", "lambda_"]
    assert gtd.parameters[0].default is None and gtd.parameters[2].range == "in [0, 1]" and gtd.parameters[2].help
    assert table["td"].on_policy_only and table["tb"].needs_policies and table["lstd"].quadratic and table["etd"].uses_interest


@pytest.mark.parametrize("algorithm", EXAMPLES)
def test_signatures_are_what_a_learner_takes(algorithm):
    signature = bellwether.signature(algorithm)
    bound = signature.bind(5, **EXAMPLES[algorithm])
    bound.apply_defaults()
    learner = bellwether.Learner(algorithm, **bound.arguments)
    defaults = {name: p.default for name, p in signature.parameters.items() if p.default is not p.empty}
    for name, value in learner.parameters.items():
        assert value == EXAMPLES[algorithm].get(name, defaults.get(name))


def test_signature_of_an_alias_and_of_nothing():
    assert bellwether.signature("tdc") == bellwether.signature("gtd")
    with pytest.raises(ValueError, match="unknown algorithm 'gdt'"):
        bellwether.signature("gdt")


def test_signatures_that_help_shows():
    step = str(inspect.signature(bellwether.Learner.step))
    assert step.startswith("(self, /, x, reward, gamma, x_next, rho=None, *, lambda_=None, lambda_next=None, interest=1.0")
    assert list(inspect.signature(bellwether.Learner.learn).parameters)[:3] == ["self", "X", "rewards"]
    assert list(inspect.signature(bellwether.Learner("td0", 1, alpha=0.1).learn).parameters)[:2] == ["X", "rewards"]
    assert list(inspect.signature(bellwether.Learner).parameters)[:2] == ["algorithm", "dimension"]
    for documented in (bellwether.Learner, bellwether.Learner.learn, bellwether.Learner.step):
        assert "--" not in documented.__doc__
