"""HTML in the cells of a table is read as people see it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from biaslab.files.decoding import clean
from biaslab.files.tables import as_markup, plain_text
from tests.loops import over


@over(
    ("cell", "read"),
    [
        ("431 &minus; 163", "431 − 163"),
        ("&frac12; &lt; 1", "½ < 1"),
        ("x<sup>2</sup>", "x^2"),
        ("<p>Work out</p><p>3 + 4</p>", "Work out\n3 + 4"),
        ("a<b and c>d", "a<b and c>d"),
        ("3 <5", "3 <5"),
        ("\\( \\frac{1}{2} \\)", "\\( \\frac{1}{2} \\)"),
        ("Tom & Jerry; both", "Tom & Jerry; both"),
    ],
)
def test_tags_and_entities_become_text_and_mathematics_stays(cell: str, read: str) -> None:
    assert plain_text(cell) == read


@given(st.text(st.sampled_from("ab<>&;/#12 lt"), max_size=30).map(clean))
def test_what_is_written_as_markup_is_read_as_it_was(text: str) -> None:
    assert plain_text(as_markup(text)) == text
