"""Marks show where two texts differ and change nothing in them."""

from __future__ import annotations

import html
import re
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies import Design, Item, experiment
from biaslab.ui.widgets.cards import (
    Piece,
    differing,
    member_html,
    picture_with,
    span_pieces,
    to_html,
)

TEXTS = st.text(alphabet=st.sampled_from("ab c.<&$3 \n"), max_size=40)


@given(TEXTS, TEXTS)
def test_the_pieces_are_the_whole_text(text: str, other: str) -> None:
    assert "".join(piece.text for piece in differing(text, other)) == text


@given(TEXTS)
def test_nothing_is_marked_in_a_text_that_is_the_same(text: str) -> None:
    assert not any(piece.marked for piece in differing(text, text))


@given(TEXTS, TEXTS)
def test_marks_never_begin_or_end_with_a_space(text: str, other: str) -> None:
    for piece in differing(text, other):
        assert piece.text
        assert not piece.marked or piece.text == piece.text.strip()


@given(TEXTS, TEXTS)
def test_no_character_of_a_text_is_markup(text: str, other: str) -> None:
    shown = re.sub(r"</?mark>", "", to_html(differing(text, other)))
    assert html.unescape(shown) == text
    assert "<" not in shown


@pytest.mark.parametrize("study", ["consistency", "transfer-comparison", "carry"])
def test_in_real_pairs_some_words_are_marked_in_both_members(study: str) -> None:
    for pair in experiment(study).pairs(Design(study, 50, 1)):
        for one, other in ((pair.x, pair.x_prime), (pair.x_prime, pair.x)):
            assert any(piece.marked for piece in differing(one.text, other.text))


def test_the_word_that_differs_is_marked_and_no_other() -> None:
    found = differing("Ana has 3 more than Ben.", "Ana has 3 fewer than Ben.")
    assert found == (Piece("Ana has 3 ", False), Piece("more", True), Piece(" than Ben.", False))


def test_a_fraction_is_marked_whole() -> None:
    found = differing("Ana has 2 times as many.", "Ana has 1/2 as many.")
    assert Piece("2 times", True) in found
    found = differing("Ana has 1/2 as many.", "Ana has 2 times as many.")
    assert Piece("1/2", True) in found


@given(st.text(max_size=20), st.integers(0, 20), st.integers(0, 20))
def test_a_span_is_marked_and_the_text_kept(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    pieces = span_pieces(text, (start, end))
    assert "".join(piece.text for piece in pieces) == text
    assert "".join(piece.text for piece in pieces if piece.marked) == text[start:end]


class TestThePictureOfAnItem:
    """An item that is asked with a picture is shown with it, whatever its text."""

    def item(self, **facts: str) -> Item:
        return Item("1", "How many trees grow there?", "5", facts, ())

    def test_is_an_image_whose_words_say_what_it_shows(self) -> None:
        svg = "<svg xmlns='http://www.w3.org/2000/svg'><title>Oaks 2 &amp; elms 3</title></svg>"
        shown = picture_with(self.item(picture=svg))
        assert 'alt="Oaks 2 &amp; elms 3"' in shown
        assert b64encode(svg.encode()).decode() in shown
        assert shown in member_html(self.item(picture=svg), self.item(), "x", "x", working=False)

    def test_is_none_where_it_is_asked_in_words(self) -> None:
        assert picture_with(self.item()) == ""
        assert "<img" not in member_html(self.item(), self.item(), "x", "x", working=False)
