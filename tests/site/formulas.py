"""What of a page's text is set as mathematics, and how."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "site"))
from equations import in_text, mathml  # noqa: E402
from formulas import display, formulas  # noqa: E402

# What stands in ⟦ ⟧ is found; nothing else is.
TEXTS = """\
h solves ⟦A_μᵀ h = b − A w⟧; with a plus it would run away
On-policy ⟦A_π = A_μ⟧, and (1) is b beside 3 others
the ⟦λ⟧-return of HTD(λ), TO-ETD(λ,β) and TD(0) with ⟦λ = 0.5⟧, ⟦η = 256⟧ (2.22)
⟦‖Δw‖₁ ≤ min(|δ|, 1)/κ⟧ holds at 390 MB/s in C++ and x86-64
GTD’s steps with ⟦γ_{t+1} = 0⟧ and the error of ⟦w_0⟧ 0.1126
in sm_90 and x_next, swift_td.hpp, e.g. and n-step TD, n a number
⟦(ρ−1)h⟧ moves, where ⟦−A⟧ has an eigenvalue, over ⟦Σ_a π(a|s) P(s’|s,a)⟧
⟦O(d²)⟧ a step, ⟦y*A_μ^{−⊤}y⟧, ⟦½ρδ²⟧ and 2·10⁻⁵ numbers; a policy a day""".splitlines()
ALONE = """\
⟦h⟧ of the ⟦k⟧-th step; A. White. A prediction, a learner, I think, HTD’s ⟦d⟧
the matrix ⟦C⟧ is singular, ⟦Aw⟧ is not""".splitlines()


def marked(text: str, alone: bool) -> str:
    """The text with signs around what is found."""
    for begin, end in reversed(formulas(text, alone)):
        text = f"{text[:begin]}⟦{text[begin:end]}⟧{text[end:]}"
    return text


for expected, alone in [*((line, False) for line in TEXTS), *((line, True) for line in ALONE)]:
    text = expected.replace("⟦", "").replace("⟧", "")
    assert marked(text, alone) == expected, f"{marked(text, alone)}\nnot {expected}"

MATHML = {
    "A_μᵀ": '<msubsup><mi>A</mi><mrow><mi>μ</mi></mrow><mrow><mi mathvariant="normal">⊤</mi></mrow></msubsup>',
    "δ_alt − x'": '<msub><mi>δ</mi><mrow><mi>alt</mi></mrow></msub><mo>−</mo><mrow><mi>x</mi><mo lspace="0" rspace="0">′</mo></mrow>',
    "C⁻¹": "<msup><mi>C</mi><mrow><mo>−</mo><mn>1</mn></mrow></msup>",
    "x ≠ 0": "<mi>x</mi><mo>≠</mo><mn>0</mn>",
    "Ū": '<mover accent="true"><mi>U</mi><mo>¯</mo></mover>',
}
for text, expected in MATHML.items():
    assert in_text(text) == f"<math>{expected}</math>", f"{text}: {in_text(text)}"
# What follows a formula stays on its line; a long one may be broken at its operators.
assert in_text("h", followed_by=",") == '<span class="together"><math><mi>h</mi></math>,</span>'
assert in_text("δ + w_t·x − v + α(v − w_t·x) x + h").count("<wbr>") == 5

assert not display("bellwether solve baird --lambda 0.2")
assert not display("weights = learner.step(x, reward)")
equations = display("w_{k+1}^t = w_k^t + g_k,     g_k = α u_k          for k < t\nq_k = −α_h u_k              (6)")
assert equations == mathml(["w_{k+1}^t = w_k^t + g_k,     g_k = α u_k          for k < t", "q_k = −α_h u_k              (6)"])
assert equations.count("<mtr>") == 3 and "<mtext>(6)</mtext>" in equations, equations
assert display("G = ⎡  −A_π     (A_π − A_μ)ᵀ ⎤\n    ⎣ −η A_π      −η A_μᵀ     ⎦").count("<mtd>") == 5  # the matrix's, and that of all of it
