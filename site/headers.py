"""The C++ reference: what the headers of include/bellwether declare, with the comments that stand above it.

Bodies of functions and what is private are left out. The headers are formatted by clang-format, which this relies on.
"""

from __future__ import annotations

import html
import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

# What a program includes, in the order in which one would read it, and what algorithms are written with. The others
# serve these.
TO_USE = ["online", "learner", "basic_learner", "step", "features", "horde", "tile_coding", "fourier", "catalogue", "info",
          "registry", "result", "state", "number_text", "suggest"]
TO_WRITE = ["algorithm", "statements", "elementwise", "linear_solve", "pack"]
# What they declare for each other.
NOT_TO_USE = {"Layout", "Clear", "Begin", "Settle", "ClearSegment", "LearnerOf", "make_checked_learner", "memory_needed", "Memory",
              "parts", "make_step", "static_assert", "requires", "magic", "version", "checksum", "Writer", "Reader",
              "make_parameter_table", "parameter_table", "make_algorithm_table", "for_each_parameter", "sizeof"}
TYPE = re.compile(r"(?:template\s*<.*>\s*)?(?:class|struct|enum|union)\b", re.S)


@dataclass
class Entity:
    """Something declared at the level of the namespace."""

    name: str
    comment: str
    code: list[str] = field(default_factory=list)


def reference(root: Path) -> dict[str, str]:
    """The pages, by their names: what a program uses, and what algorithms are written with."""
    def headers(names: list[str]) -> list[Path]:
        return [root / f"include/bellwether/{name}.hpp" for name in names]

    return {
        "cpp-reference.md": _page("C++ reference", "What a program includes. [The library](docs/library.md) shows how it is used, "
                                  "and the pages of the [algorithms](docs/algorithms.md) have their parameters; "
                                  "`#include <bellwether/bellwether.hpp>` brings all of it.", headers(TO_USE)),
        "cpp-algorithms.md": _page("C++ reference: for algorithms", "What algorithms are written with: for those who "
                               "[add one](CONTRIBUTING.md#add-an-algorithm).", headers(TO_WRITE)),
    }


def _page(title: str, lead: str, headers: list[Path]) -> str:
    return f"# {title}\n\n{lead}\n\n" + "\n".join(_section(path) for path in headers)


def _section(path: Path) -> str:
    text = path.read_text()
    top, rest = _leading_comment(text)
    out = [f"## {path.name}\n", _prose(top), f"\n[The header](include/bellwether/{path.name})\n"]
    for entity in [entity for entity in _entities(rest) if entity.name not in NOT_TO_USE]:
        code = "\n".join(entity.code)
        out.append(f"### {entity.name}\n\n{_prose(entity.comment)}\n\n```cpp\n{code}\n```\n")
    return "\n".join(out)


def _leading_comment(text: str) -> tuple[str, str]:
    lines = text.splitlines()
    end = next(k for k, line in enumerate(lines) if not line.startswith("//"))
    return "\n".join(line[2:].removeprefix(" ") for line in lines[:end]), "\n".join(lines[end:])


def _prose(comment: str) -> str:
    """A comment as text; what is indented in it is code."""
    out: list[str] = []
    for block in re.split(r"\n(?=\n)|(?<=\n)\n", comment):
        pieces = re.findall(r"(?:^    .*(?:\n|$))+|(?:^(?!    ).*(?:\n|$))+", block, re.M)
        for piece in pieces:
            if piece.startswith("    "):
                out.append("```text\n" + re.sub(r"^    ", "", piece, flags=re.M).rstrip() + "\n```")
            elif piece.strip():
                out.append(re.sub(r"([*_\[\]])", r"\\\1", html.escape(piece.strip(), quote=False)))
    return "\n\n".join(out)


def _as_comment(comment: str, margin: str) -> list[str]:
    """A comment as code has it, in lines that fit beside the contents of a page; what is indented in it stays as it is."""
    lines = comment.splitlines()
    if not any(line.startswith(" ") for line in lines):
        lines = textwrap.wrap(comment, 78 - len(margin), break_on_hyphens=False)
    return [f"{margin}// {line}".rstrip() for line in lines]


# ---- reading


def _entities(text: str) -> list[Entity]:
    text = re.sub(r"^\s*#.*(?:\\\n.*)*$|BELLWETHER_(?:DEVICE|INLINE) ", "", text, flags=re.M)
    found: list[Entity] = []
    for comment, code in _declarations(text, 0):
        name = _name(code)
        if found and found[-1].name == name:  # overloads
            found[-1].code += _as_comment(comment, "") + code.splitlines()
        elif name:
            found.append(Entity(name, comment, code.splitlines()))
    return found


def _name(code: str) -> str:
    bare = re.sub(r"^\s*//.*$", "", code, flags=re.M)
    head = re.sub(r"^template\s*<[^\n]*>\s*(?:requires[^\n]*\n)?", "", bare.strip())
    if match := re.match(r"(?:class|struct|enum class|enum|union|concept|using)\s+(\w+)", head):
        return match[1]
    if match := re.search(r"(operator\s*[^\s(]+|~?\w+)\s*\(", head):
        return match[1]
    match = re.search(r"(\w+)(?:<[^=]*>)?\s*(?:=|\{|;)", head)
    return match[1] if match else ""


def _close(text: str, at: int) -> int:
    """The place after the brace that closes the one at `at`."""
    depth = 0
    for k in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[k], 0)
        if depth == 0:
            return k + 1
    raise ValueError("a brace is not closed")


def _declarations(text: str, indent: int) -> list[tuple[str, str]]:
    """(comment, declaration) of what a namespace or a class declares; namespaces inside are opened."""
    out: list[tuple[str, str]] = []
    comment: list[str] = []
    at = 0
    while at < len(text):
        if match := re.compile(r"[ \t]*\n").match(text, at):
            if not text[at : match.end()].strip() and text[at - 1 : at] == "\n":
                comment = []  # a comment that nothing follows speaks of what comes after it
            at = match.end()
        elif match := re.compile(r"[ \t]*//[^\n]*\n?").match(text, at):
            comment.append(match.group().strip()[2:].removeprefix(" "))
            at = match.end()
        elif match := re.compile(r"\s*(?:inline )?namespace(?: (\w+))?\s*\{").match(text, at):
            end = _close(text, match.end() - 1)
            if match[1] and match[1] not in {"detail", "internal"}:
                out += _declarations(text[match.end() : end - 1].lstrip("\n"), indent)
            at, comment = end, []
        elif match := re.compile(r"\s*(public|protected|private):").match(text, at):
            out.append((match[1] + ":", ""))
            at, comment = match.end(), []
        else:
            code, at = _declaration(text, at)
            if code.strip():
                # what is said behind it, on the same line
                if match := re.compile(r"[ \t]*//[^\n]*(?:\n\s*//(?= {2,})[^\n]*)*").match(text, at):
                    code += "  " + match.group().strip()
                    at = match.end()
                out.append(("\n".join(comment), code))
            comment = []
    return out


def _declaration(text: str, at: int) -> tuple[str, int]:
    """One declaration without what is inside of it, and where it ends."""
    start = at
    while at < len(text):
        if text[at] == ";":
            return text[start : at + 1].strip("\n"), at + 1
        if text.startswith("//", at):  # between its lines
            at = text.index("\n", at)
            continue
        if text[at] == "{":
            head = text[start:at]
            end = _close(text, at)
            bare = re.sub(r"//[^\n]*", "", head).strip()
            if TYPE.match(bare) and "(" not in re.sub(r"template\s*<.*?>\s*\n|alignas\([^)]*\)", "", bare, flags=re.S):
                semicolon = text.index(";", end) + 1
                if re.match(r"enum\b", bare):
                    return text[start:semicolon].strip("\n"), semicolon
                return _type(head, text[at + 1 : end - 1]), semicolon
            if "(" in bare and not re.search(r"=\s*$", bare) and not re.match(r"(?:\w|:|<|>|\s|\*)+\(?\s*$", bare):
                # a function, perhaps with initialisers of members before its body
                head = re.split(r"\n?\s*:(?!:)\s*\w+[({]", head.split(")\n")[0] + (")" if ")\n" in head else ""))[0] if re.search(
                    r"\)\s*(?:noexcept\s*)?:(?!:)", head) else head
                while (after := text[end:].lstrip())[:1] in {",", "{"}:
                    end = _close(text, text.index("{", end))
                return head.strip("\n").rstrip() + ";", end
            at = end
            continue
        at += 1
    return "", at


def _type(head: str, body: str) -> str:
    """A class with what is public of it."""
    margin = re.match(r"\n*( *)", head)[1]
    shown = bool(re.search(r"\b(struct|union)\s+\w+[^;{]*$", head))
    lines = [head.strip("\n").rstrip() + " {"]
    for comment, code in _declarations(body.lstrip("\n"), len(margin) + 4):
        if not code:
            shown = comment == "public:"
        elif shown:
            inner = re.match(r" *", code)[0]
            above = _as_comment(comment, inner)
            lines += ([""] if above and len(lines) > 1 else []) + above + code.splitlines()
    if len(lines) == 1:
        return lines[0] + "};"
    if re.findall(r"^\s*(class|struct|union)\b", head, re.M)[-1:] == ["class"]:
        lines.insert(1, margin + "public:")
    return "\n".join([*lines, margin + "};"])
