"""The equations above an algorithm's `update`, as MathML.

They are plain text in the symbols of docs/notation.md: `e ← ρ(g l e + x)`. A letter is a symbol, letters that make one
of the words below are a word, `_` and `^` take the symbol or the braces that follow, and what stands on a letter
(prime, °, ⁻, ², ᵀ, a bar) goes up with it.
"""

from __future__ import annotations

import html
import re

WORDS = ("alpha-min", "bound", "decay", "recency", "alpha", "where", "else", "with", "from", "before", "but", "and", "the",
         "update", "since", "for", "kappa", "tau", "theta", "exp", "ln", "min", "max", "is", "in", "of", "a step", "no", "that")
FUNCTIONS = {"exp", "ln", "min", "max"}
RAISED = {"°": "∘", "⁻": "−", "²": "2", "ᵀ": "⊤", "¹": "1"}
TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)"
    rf"|(?P<word>(?<![^\W\d_])(?:{'|'.join(WORDS)})(?![^\W\d_]))"
    r"|(?P<letter>[^\W\d_])(?P<bar>̄)?"
    r"|(?P<space>\s+)"
    r"|(?P<mark>[_^])"
    r"|(?P<other>.)"
)


RELATION = re.compile(r"^(.*?)\s*([←=])\s*(.*)$")


def mathml(lines: list[str]) -> str:
    """Equations below each other, aligned at ← or =. Those on one line, two spaces apart, come below each other too."""
    rows = []
    for piece in [piece for line in lines for piece in re.split(r"(?<=\S)[,;]?\s{2,}(?![\s←=])", line.strip())]:
        left, sign, right = found.groups() if (found := RELATION.match(piece)) else ("", "", piece)
        cells = (_Row(left).take(), f"<mo>{sign}</mo>" if sign else "", _Row(right).take())
        rows.append("".join(f"<mtd>{cell}</mtd>" for cell in cells))
    table = "".join(f"<mtr>{row}</mtr>" for row in rows)
    return f'<div class="equations"><math displaystyle="true"><mtable>{table}</mtable></math></div>'


class _Row:
    def __init__(self, text: str) -> None:
        self._tokens = [match for match in TOKEN.finditer(text.strip())]
        self._at = 0

    def _peek(self) -> str:
        return self._tokens[self._at].group() if self._at < len(self._tokens) else ""

    def take(self, until: str = "") -> str:
        """What follows, to the end or to a closing sign."""
        parts: list[str] = []
        while self._at < len(self._tokens) and (not until or self._peek() != until):
            parts.append(self._item())
        if until:
            self._at += 1
        return "".join(parts)

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
                return f"<mi>{text}</mi><mspace width='0.12em'/>"
            is_name = text in {"bound", "decay", "recency", "alpha", "alpha-min", "kappa", "tau", "theta"}
            return self._raised(f"<mi mathvariant='normal'>{text}</mi>") if is_name else f"<mtext>&#160;{text}&#160;</mtext>"
        if token["letter"]:
            letter = f"<mi>{token['letter']}</mi>"
            if token["bar"]:
                letter = f"<mover>{letter}<mo>¯</mo></mover>"
            return self._raised(letter)
        if text in ")]}":
            return self._raised(f'<mo stretchy="false">{text}</mo>')
        if text in "([{|‖":
            return f'<mo stretchy="false">{text}</mo>'
        return f"<mo>{html.escape({'·': '⋅', '-': '−'}.get(text, text))}</mo>"

    def _raised(self, base: str) -> str:
        """A symbol with all that stands on it and below it."""
        above, below = "", ""
        while self._at < len(self._tokens):
            sign = self._peek()
            if sign == "'":  # the glyph is raised by itself
                self._at += 1
                base = f'<mrow>{base}<mo lspace="0" rspace="0">′</mo></mrow>'
            elif sign in RAISED:
                self._at += 1
                above += f"<mo>{RAISED[sign]}</mo>"
            elif sign in "_^" and self._at + 1 < len(self._tokens):
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
        return f"<mn>{token.group()}</mn>" if token["number"] else f"<mi>{token.group()}</mi>"
