"""How figures are written, and that nothing else writes them."""

from __future__ import annotations

import ast
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schoolmath.text import figures
from schoolmath.text.figures import (
    count,
    exact_percent,
    hundredths,
    interval_words,
    listed,
    p_words,
    percent,
    percents,
    points_wide,
    signed_number,
    signed_points,
    typed,
)
from tests.loops import over

ROOT = Path(__file__).parents[3]
SHARES = st.floats(0, 1)
DIFFERENCES = st.floats(-1, 1)


@over(
    ("written", "expected"),
    [
        (percent(0.625), "62.5 %"),
        (percent(1), "100.0 %"),
        (percent(0.726, 0), "73 %"),
        (percent(None), "–"),
        (percents(0.581, 0.6667), "58.1 % to 66.7 %"),
        (signed_points(0.125), "+12.5"),
        (signed_points(-0.031), "−3.1"),
        (signed_points(-0.0004), "0.0"),
        (signed_points(0.12, 2), "+12.00"),
        (signed_points(None), "–"),
        (signed_number(-0.25), "−0.25"),
        (signed_number(0.004), "0.00"),
        (interval_words(-0.031, 0.124), "−3.1 to +12.4"),
        (interval_words(None, 0.124), "not determined"),
        (exact_percent(0.95), "95 %"),
        (exact_percent(0.975), "97.5 %"),
        (exact_percent(1 - 1e-9), "99.9999999 %"),
        (points_wide(0.05), "5 points"),
        (points_wide(0.025661), "2.57 points"),
        (p_words(0.0004), "< 0.001"),
        (p_words(0.00099), "< 0.001"),
        (p_words(0.001), "0.001"),
        (p_words(0.005), "0.005"),
        (p_words(0.0099), "0.010"),
        (p_words(0.05), "0.050"),
        (p_words(None), "–"),
        (count(1, "pair"), "1 pair"),
        (count(1200, "pair"), "1,200 pairs"),
        (count(2, "study", "studies"), "2 studies"),
        (listed(["a"]), "a"),
        (listed(["a", "b", "c"]), "a, b and c"),
        (listed(["a", "b"], "or"), "a or b"),
        (listed([]), ""),
        (typed(interval_words(-0.1, 0.1)), "-10.0 to +10.0"),
    ],
)
def test_figures_are_written_by_one_set_of_rules(written: str, expected: str) -> None:
    assert written == expected


@given(SHARES)
def test_a_share_is_written_to_the_nearest_tenth_of_a_per_cent(share: float) -> None:
    assert math.isclose(float(hundredths(share)), 100 * share, abs_tol=0.0500001)
    assert percent(share) == f"{hundredths(share)} %"


@given(DIFFERENCES)
def test_a_difference_has_a_sign_unless_it_is_written_as_nought(difference: float) -> None:
    written = signed_points(difference)
    assert (written == "0.0") == (written[0] not in "+−")
    assert written == "0.0" or (written[0] == "+") == (difference > 0)
    assert math.isclose(float(typed(written)), 100 * difference, abs_tol=0.0500001)


@given(st.floats(0, 1, exclude_max=True))
def test_a_level_below_one_is_never_written_as_all(level: float) -> None:
    assert exact_percent(level) != "100 %"


def _by_hand(tree: ast.AST) -> list[int]:
    """Lines that write a figure in per cent: a "%" format, or a hundredfold in a string."""

    def hundredfold(node: ast.AST) -> bool:
        return any(
            isinstance(each, ast.BinOp)
            and isinstance(each.op, ast.Mult)
            and any(
                isinstance(side, ast.Constant) and side.value == 100
                for side in (each.left, each.right)
            )
            for each in ast.walk(node)
        )

    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue):
            spec = ast.unparse(node.format_spec) if node.format_spec else ""
            if spec.rstrip("'\"").endswith("%") or (spec and hundredfold(node.value)):
                found.append(node.lineno)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"round", "format", "str"}
            and any(hundredfold(each) for each in node.args)
        ):
            found.append(node.lineno)
    return found


@pytest.mark.slow
def test_nothing_else_writes_a_percentage() -> None:
    own = Path(figures.__file__)
    files = [
        path
        for part in ("schoolmath", "biaslab", "pages", "app.py")
        for path in ([ROOT / part] if part.endswith(".py") else (ROOT / part).rglob("*.py"))
    ]
    # Mal-rules calculate with per cents: the problem's own numbers, not figures about it.
    found = {
        f"{file.relative_to(ROOT)}:{line}"
        for file in files
        if file != own and "catalogue" not in file.parts
        for line in _by_hand(ast.parse(file.read_text(encoding="utf-8")))
    }
    assert found == set()


@pytest.mark.parametrize(
    "line", ['f"{share:.1%}"', 'f"{100 * share:.0f} %"', "round(100 * share, 1)", 'f"{a * 100:g}"']
)
def test_a_percentage_by_hand_would_be_seen(line: str) -> None:
    assert _by_hand(ast.parse(line)) == [1]
