"""Where there are formulas in the text of a page.

Pages are written to be read as plain text too, in the symbols of docs/notation.md: "h solves A_μᵀ h = b − A w". What is a
formula is found by its signs: a Greek letter, a letter with an index or something raised, letters beside an operator; and
where a page is about formulas, a letter that stands alone. Names such as TD(λ) and the article "a" are words.
"""

from __future__ import annotations

import re
from typing import Iterator, NamedTuple

from equations import FUNCTIONS, WORDS, mathml, matrix

LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
GREEK = "Γ-Ωα-ω∆"
UP = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺°ᵀʲ"
DOWN = "₀₁₂₃₄₅₆₇₈₉"
LETTER = rf"[{LATIN}{GREEK}][\u0302\u0304]?"
INDEX = rf"_(?:\{{[^{{}}]*\}}|(?:max|min|alt|[a-z]{{1,2}})(?![{LATIN}{GREEK}])|[{LATIN}{GREEK}]|\d+)"
RAISED = rf"\^(?:\{{[^{{}}]*\}}|[{LATIN}{GREEK}]|\d+)|[{UP}{DOWN}]|′|['’](?![{LATIN}])|['’](?=[wx](?![{LATIN}]))|\*(?!\*)"
SYMBOLS = re.compile(rf"(?:[ψζ](?:\d|max)|{LETTER}(?:{INDEX}|{RAISED})*)+")
# Products of letters that look like words.
PRODUCTS = {"Aw", "Ah", "Xw", "Xv", "Gz", "Ds", "Fw", "eR", "Ch", "jc"}
TOKEN = re.compile(
    # Names of algorithms, and articles.
    rf"(?P<name>C\+\+|(?!(?:{'|'.join(sorted(FUNCTIONS))})\()[{LATIN}][{LATIN}-]+\d?\([λσζβ\d](?:,β)?\)|a(?= [^=←≤≥<>≠≈∝∈→+−·×/|])|(?<![−+·(])A(?= (?:[a-z]{{2}}|[{GREEK}]-)))"
    rf"|(?P<function>(?:{'|'.join(sorted(FUNCTIONS))})(?:{INDEX})?(?=[(|‖]| (?:[{LATIN}{GREEK}]\b|[{LATIN}{GREEK}]_)| =))"
    rf"|(?P<number>\d[\d,]*(?<!,)(?:\.\d+)?(?:e-?\d+)?(?:[{UP}]|\^(?:\{{[^{{}}]*\}}|[{LATIN}{GREEK}]))*(?![{LATIN}])|[½¼∞])"
    r"|(?P<relation>\s*(?:\+=|[=←≤≥<>≠≈∝∈→↔])\s*)"
    r"|(?P<binary>\s*[+−·×/]\s*|(?<=[\w)\]])\s\|\s)"
    rf"|(?P<big>[ΣΠ]{INDEX}(?:{RAISED})*|[∇∂√])"
    rf"|(?P<open>[(\[⌊⌈])|(?P<close>[)\]⌋⌉][{UP}{DOWN}]*)|(?P<bar>[|‖](?:{INDEX}|[{UP}{DOWN}])*)"
    r"|(?P<dots>…)|(?P<comma>,\s*)|(?P<space>\s)"
)
WORD = re.compile(r"['’]?[\w’'.-]*\w|.", re.S)


class Token(NamedTuple):
    kind: str  # 'text' where it is no mathematics
    begin: int
    end: int


def formulas(text: str, alone: bool) -> list[tuple[int, int]]:
    """Where formulas begin and end; `alone` says whether a Latin letter by itself is one."""
    found = []
    run: list[Token] = []
    for token in [*_tokens(text), Token("text", len(text), len(text))]:
        if token.kind != "text":
            run.append(token)
            continue
        for piece in _pieces(run):
            if piece and piece[0].kind == "binary" and re.match(r"\w\S", text[piece[0].begin - 1 : piece[0].end]):  # MB/s
                piece = piece[1:]
            if _is_formula(piece, text, alone):
                said = text[piece[0].begin : piece[-1].end]
                found.append((piece[-1].end - len(said.lstrip()), piece[-1].end))
        run = []
    return found


def display(block: str) -> str:
    """A block of nothing but equations, set; of anything else, nothing."""
    lines = block.splitlines()
    plain = re.sub(rf"\b(?:{'|'.join(WORDS)})\b|HTD\(λ\)$|[⎡⎢⎣⎤⎥⎦.;]", " ", block, flags=re.M)
    tokens = list(_tokens(plain))
    if any(token.kind == "text" for token in tokens) or not re.search(rf"[{GREEK}ᵀ←]|_", block):
        return ""
    return matrix(lines) if "⎡" in lines[0] else mathml([line for line in lines if line.strip()])


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        symbols = SYMBOLS.match(text, at)
        if found and found.lastgroup in {"name", "function", "big"}:
            kind, end = "text" if found.lastgroup == "name" else found.lastgroup, found.end()
        elif symbols and _are_symbols(symbols[0], text[symbols.end() :]):
            kind, end = "symbols", symbols.end()
        elif found:
            kind, end = found.lastgroup, found.end()
        else:
            kind, end = "text", WORD.match(text, at).end()
        yield Token(kind, at, end)
        at = end


def _are_symbols(said: str, after: str) -> bool:
    """Letters next to each other are symbols with a Greek one, an index or something raised among them, or by PRODUCTS."""
    if after.startswith("++") or re.match(rf"[{LATIN}]{{2,}}_", said):  # g++, sm_90
        return False
    if re.match(rf"[\w]|\.[{LATIN}]|['’][{LATIN}]", after) and not re.match(f"[{UP}½¼]", after):
        return False
    if after.startswith("-") and not after.startswith("-th ") and not re.search(f"[{GREEK}]", said):  # n-step; but the λ of λ-return
        return False
    bare = re.sub(rf"{INDEX}|{RAISED}|(?<=[ψζ])(?:\d|max)", " ", said)
    marked = bool(re.search(rf"[{GREEK}_^*{UP}{DOWN}\u0302\u0304]", said))
    return len(re.findall(rf"[{LATIN}{GREEK}]", bare)) == 1 or said in PRODUCTS or (marked and not re.search(rf"[{LATIN}]{{3}}", bare))


def _pieces(run: list[Token]) -> Iterator[list[Token]]:
    """A run cut at what does not belong together: a bracket without the other one, commas between formulas, loose ends."""
    stack: list[int] = []
    depth_from: dict[int, int] = {}
    for k, token in enumerate(run):
        if token.kind == "open":
            stack.append(k)
        elif token.kind == "close" and stack:
            depth_from[stack.pop()] = k
    inside = {k for begin, end in depth_from.items() for k in range(begin, end + 1)}
    piece: list[Token] = []
    for k, token in enumerate(run):
        lone = token.kind in {"open", "close", "comma"} and k not in inside
        # "256 (2.22)", "w_0 0.11" and "h (b)" are two things
        next_to = {run[j].kind for j in (k - 1, k + 1) if 0 <= j < len(run)}
        aside = token.kind == "space" and k not in inside and ("number" in next_to or _is_letter_in_brackets(run[k + 1 : k + 4]))
        if lone or aside:
            yield _trimmed(piece)
            piece = []
        else:
            piece.append(token)
    yield _trimmed(piece)


def _is_letter_in_brackets(tokens: list[Token]) -> bool:
    return [token.kind for token in tokens] == ["open", "symbols", "close"] and tokens[1].end - tokens[1].begin == 1


def _trimmed(piece: list[Token]) -> list[Token]:
    def bars() -> int:
        return sum(token.kind == "bar" for token in piece)

    while piece and (piece[-1].kind in {"space", "relation", "binary", "big", "function", "dots"} or (piece[-1].kind == "bar" and bars() % 2)):
        piece = piece[:-1]
    while piece and (piece[0].kind in {"space", "relation", "dots"} or (piece[0].kind == "bar" and bars() % 2)):
        piece = piece[1:]
    return piece


def _is_formula(piece: list[Token], text: str, alone: bool) -> bool:
    symbols = [text[token.begin : token.end] for token in piece if token.kind == "symbols"]
    if any(re.search(rf"[{GREEK}_^{UP}{DOWN}'’*\u0302\u0304]", said) for said in symbols):
        return True
    if symbols and any(token.kind in {"relation", "binary", "function"} for token in piece):
        return True
    if not symbols or not alone:
        return False
    said, after = text[piece[0].begin : piece[-1].end], text[piece[-1].end :]
    if said == "a" or (said == "I" and re.match(" [a-z]", after)) or (said == "A" and (after == " " or re.match(" [A-Z][a-z]", after))):
        return False
    return not (re.fullmatch("[A-Z]", said) and re.match(r"\. [A-Z][a-z]", after))  # initials
