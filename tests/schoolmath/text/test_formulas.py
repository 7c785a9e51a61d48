"""Formulas in TeX are read as people type them; prices are no formulas."""

from __future__ import annotations

from schoolmath.text.formulas import typed
from tests.loops import over


@over(
    "tex, plain",
    [
        (r"Work out \( \frac{5}{9} \div 2 \).", "Work out 5/9 ÷ 2."),
        (r"Expand \( (3 y-4)^{2} \)", "Expand (3y-4)^2"),
        (r"\[ 2\tfrac{1}{3} \times 4 \]", "2 1/3 × 4"),
        (r"\frac34 + \dfrac{x+1}{2}", "3/4 + (x+1)/2"),
        (r"\sqrt{49} + \sqrt[3]{27} - \sqrt{2+7}", "√49 + ∛27 - √(2+7)"),
        (r"\( 42 \mathrm{~cm}^{2} \)", "42 cm²"),
        (r"An angle of \( 47^{\circ} \)", "An angle of 47°"),
        (r"\( 7 + \square = 12 \)", "7 + _ = 12"),
        (r"\( 12.5 \% \)", "12.5 %"),
        (r"\left( x - 9 \right)", "( x - 9 )"),
        ("Solve $4x - 3 = 9$, please", "Solve 4x - 3 = 9, please"),
        ("$2.5 xx 10 =$", "2.5 × 10 ="),
        (r"From $\$60$ to $\$75$", "From $60 to $75"),
        (r"$\frac{1}{4}$ of $20", "1/4 of $20"),
    ],
)
def test_a_formula_is_what_somebody_would_type(tex: str, plain: str) -> None:
    assert typed(tex) == plain


@over(
    "text",
    [
        "A pen costs $3 and a book $5.", "from $80 to $100", "What is 5% of $20?", "3/4 + 1/2",
        "costs $2 each; how much do 3 cost$?", "",
    ],
)  # fmt: skip
def test_what_has_no_tex_stays_as_it_is(text: str) -> None:
    assert typed(text) == text


def test_a_command_that_is_not_known_stays_for_the_reader_to_refuse() -> None:
    assert r"\oint" in typed(r"\( \oint x \)")
