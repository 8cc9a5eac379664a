"""Equations as MathML: those above an algorithm's `update`, and what formulas.py finds in pages.

They are plain text in the symbols of docs/notation.md: `e ← ρ(g l e + x)`. A letter is a symbol, letters that make one
of the words below are a word, `_` and `^` take the symbol or the braces that follow, and what stands on a letter
(prime, °, ⁻, ², ᵀ, a star, a bar, a hat) goes up with it.
"""

from __future__ import annotations

import html
import re
import unicodedata

WORDS = ("alpha-min", "bound", "decay", "recency", "alpha", "where", "else", "with", "from", "before", "but", "and", "the",
         "update", "since", "for", "by", "kappa", "tau", "theta", "exp", "ln", "min", "max", "is", "in", "of", "a step", "no", "that")
FUNCTIONS = {"exp", "ln", "min", "max", "diag", "log", "Re", "MSPBE", "Var", "sqrt", "cos", "sd"}
RAISED = {"°": "∘", "⁻": "−", "⁺": "+", "ᵀ": '<mi mathvariant="normal">⊤</mi>', "ʲ": "<mi>j</mi>", "*": "∗"} | {sign: f"<mn>{k}</mn>" for k, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
BELOW = {sign: str(k) for k, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")}
ACCENTS = {"\u0304": "¯", "\u0302": "^"}
TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)"
    rf"|(?P<word>(?<![^\W\d_ψ])(?:{'|'.join([*WORDS, *sorted(FUNCTIONS)])})(?![^\W\d_]))"
    r"|(?P<letter>[^\W\d_]|[∆⊤∂∇])(?P<accent>[\u0302\u0304])?"
    r"|(?P<space>\s+)"
    r"|(?P<mark>[_^])"
    r"|(?P<other>.)"
)


RELATION = re.compile(r"^((?:[^{}←=∝+]|\+(?!=)|\{[^{}]*\})*?)\s*(\+=|[←=∝])\s*(.*)$")
TAG = re.compile(r"\s{2,}(\(\d+\)|HTD\(λ\))$")
STRUT = '<mspace height="0.78em" depth="0.3em"/>'  # rows are of one height whatever is in them
LONG = 28  # letters of a formula in a line of text that may be broken


def mathml(lines: list[str]) -> str:
    """Equations below each other, aligned at ← or =. Those on one line, two spaces apart, come below each other too."""
    rows: list[list[str]] = []
    for line in lines:
        tag = found[1] if (found := TAG.search(line)) else ""
        for piece in re.split(r"(?<=\S)[,;]?\s{2,}(?![\s←=])", TAG.sub("", line).strip()):
            if rows and piece.startswith(("by ", "for ", "with ")) and piece != line.strip():
                rows[-1][2] += f'<mspace width="1.5em"/>{_Row(piece).take()}'
                continue
            left, sign, right = found.groups() if (found := RELATION.match(piece)) else ("", "", piece)
            rows.append([_Row(left).take(), (f"<mo>{sign}</mo>" if sign else "") + STRUT, _Row(right).take(), ""])
        rows[-1][3] = f"<mtext>{tag}</mtext>" if tag else ""
    return _display("".join(f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in cells)}</mtr>" for cells in rows))


def matrix(lines: list[str]) -> str:
    """A matrix whose brackets are drawn with ⎡ and ⎣, and what stands before it."""
    before = lines[0][: lines[0].index("⎡")]
    rows = [re.split(r"\s{2,}", re.search(r"[⎡⎢⎣]\s*(.*?)\s*[⎤⎥⎦]", line)[1]) for line in lines]
    cells = "".join(f"<mtr>{''.join(f'<mtd>{_Row(cell).take()}</mtd>' for cell in row)}</mtr>" for row in rows)
    inner = f'{_Row(before).take()}<mo stretchy="true">[</mo><mtable class="matrix">{cells}</mtable><mo stretchy="true">]</mo>'
    return _display(f"<mtr><mtd>{inner}</mtd></mtr>")


def _display(rows: str) -> str:
    return f'<div class="equations"><math displaystyle="true"><mtable>{rows}</mtable></math></div>'


def in_text(text: str, followed_by: str = "") -> str:
    """A formula in a line of text; a long one may be broken before its operators. What follows stays on its line."""
    *before, last = [f"<math>{piece}</math>" for piece in _Row(text).pieces(may_break=len(text) > LONG)]
    return "<wbr>".join([*before, f'<span class="together">{last}{html.escape(followed_by)}</span>' if followed_by else last])


class _Row:
    def __init__(self, text: str) -> None:
        # An accent goes on its letter, also where the two have come as one sign.
        apart = re.sub("[À-ɏ]", lambda letter: unicodedata.normalize("NFD", letter[0]), text.strip())
        self._tokens = list(TOKEN.finditer(apart))
        self._at = 0
        self._fences = self._pairs_of_bars()

    def _pairs_of_bars(self) -> set[int]:
        """Which bars stand around something: those that are an even number within their brackets. A single one is "given"."""
        inside: list[list[int]] = [[]]
        closed: list[list[int]] = []
        for k, token in enumerate(self._tokens):
            if token.group() in "([{":
                inside.append([])
            elif token.group() in ")]}" and len(inside) > 1:
                closed.append(inside.pop())
            elif token.group() in "|‖":
                inside[-1].append(k)
        return {k for bars in closed + inside if len(bars) % 2 == 0 for k in bars}

    def _is_prefix(self) -> bool:
        """Whether the sign just taken has nothing before it that it could join to what follows."""
        before = [token.group() for token in self._tokens[: self._at - 1] if not token["space"]]
        return not before or before[-1] in "=←≤≥<>≠≈∝∈([{,"

    def _peek(self) -> str:
        return self._tokens[self._at].group() if self._at < len(self._tokens) else ""

    def pieces(self, may_break: bool) -> list[str]:
        """What follows, in pieces that begin with an operator."""
        pieces = [""]
        while self._at < len(self._tokens):
            sign = self._peek()
            if self._at == 0 and sign in "+−=" and len(self._tokens) > 1 and self._tokens[1]["space"]:  # goes on from what stands before it
                self._at += 1
                pieces[-1] += f'<mo form="infix">{sign}</mo>'
            elif may_break and pieces[-1] and sign in "=←+−∝≤≥" and self._tokens[self._at - 1]["space"]:
                self._at += 1
                pieces.append(f'<mo form="infix">{html.escape(sign)}</mo>')
            else:
                pieces[-1] += self._item()
        return pieces

    def take(self, until: str = "") -> str:
        """What follows, to the end or to a closing sign."""
        parts: list[str] = []
        while self._at < len(self._tokens) and (not until or self._peek() != until):
            parts.append(self._item())
        if until:
            self._at += 1
        return "".join(parts).replace("&#160;</mtext><mtext>&#160;", "&#160;")

    def _item(self) -> str:
        token = self._tokens[self._at]
        self._at += 1
        text = token.group()
        if token["space"]:
            return '<mspace width="0.9em"/>' if len(text) > 1 else ""
        if token["number"]:
            return self._raised(f"<mn>{text}</mn>")
        if token["word"]:
            if text in FUNCTIONS:
                apart = self._at > 1 and self._tokens[self._at - 2].group() not in "([{"
                return ("<mspace width='0.17em'/>" if apart else "") + self._raised(f"<mi>{text}</mi>") + ("" if self._peek().startswith("(") else "<mspace width='0.12em'/>")
            is_name = text in {"bound", "decay", "recency", "alpha", "alpha-min", "kappa", "tau", "theta"}
            return self._raised(f"<mi mathvariant='normal'>{text}</mi>") if is_name else f"<mtext>&#160;{text}&#160;</mtext>"
        if text in "ΣΠ" and self._peek() in {"_", " "}:  # Π alone is the projection
            return self._raised(f'<mo largeop="false">{"∑" if text == "Σ" else "∏"}</mo>')
        if token["letter"]:
            letter = f"<mi>{token['letter']}</mi>" if token["letter"] not in "ΛΔ∆Π⊤∂∇" else f'<mi mathvariant="normal">{token["letter"]}</mi>'
            if token["accent"]:
                letter = f'<mover accent="true">{letter}<mo>{ACCENTS[token["accent"]]}</mo></mover>'
            if text == "ψ" and (self._peek().isdigit() or self._peek() == "max"):  # ψ0
                self._at += 1
                return f"<msub>{letter}<mrow>{self._tokens[self._at - 1].group()}</mrow></msub>".replace("<mrow>max", "<mrow><mi>max</mi>").replace("<mrow>0", "<mrow><mn>0</mn>")
            return self._raised(letter)
        if self._at - 1 in self._fences:
            return self._raised(f'<mo stretchy="false" lspace="0" rspace="0">{text}</mo>')
        if text in ")]}":
            return self._raised(f'<mo stretchy="false">{text}</mo>')
        if text in "([{":
            return f'<mo stretchy="false">{text}</mo>'
        if text in "−+" and self._is_prefix():
            return f'<mo form="prefix">{text}</mo>'
        if text == "/":
            return '<mo lspace="0" rspace="0">/</mo>'
        return f"<mo>{html.escape({'·': '⋅', '-': '−'}.get(text, text))}</mo>"

    def _raised(self, base: str) -> str:
        """A symbol with all that stands on it and below it."""
        above, below = "", ""
        while self._at < len(self._tokens):
            sign = self._peek()
            if sign in {"'", "’", "′"}:  # the glyph is raised by itself
                self._at += 1
                base = f'<mrow>{base}<mo lspace="0" rspace="0">′</mo></mrow>'
            elif sign in RAISED:
                self._at += 1
                above += RAISED[sign] if RAISED[sign].startswith("<") else f"<mo>{RAISED[sign]}</mo>"
            elif sign in BELOW:
                self._at += 1
                below += f"<mn>{BELOW[sign]}</mn>"
            elif sign in {"_", "^"} and self._at + 1 < len(self._tokens):
                self._at += 1
                if self._peek() == "{":
                    self._at += 1
                    inner = self.take("}")
                else:
                    inner = self._index()
                if sign == "_":
                    below += inner
                else:
                    above += inner
            else:
                break
        if above and below:
            return f"<msubsup>{base}<mrow>{below}</mrow><mrow>{above}</mrow></msubsup>"
        if above:
            return f"<msup>{base}<mrow>{above}</mrow></msup>"
        if below:
            return f"<msub>{base}<mrow>{below}</mrow></msub>"
        return base

    def _index(self) -> str:
        token = self._tokens[self._at]
        self._at += 1
        if token["number"]:
            return f"<mn>{token.group()}</mn>"
        letters = token.group()
        while re.fullmatch("[a-z]", letters[-1]) and re.fullmatch("[a-z]", self._peek()):  # G_ww, δ_alt
            letters += self._peek()
            self._at += 1
        return f"<mi>{letters}</mi>" if len(letters) != 2 else "".join(f"<mi>{letter}</mi>" for letter in letters)
