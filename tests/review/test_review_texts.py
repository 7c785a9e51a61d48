"""Texts for a quality review: random by seed, one of a pair, each once."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.problems import DesignError
from biaslab.review.texts import FURTHER, Criterion, draw_texts
from biaslab.studies import Item, Pair


def pairs_of(texts: list[tuple[str, str]]) -> list[Pair]:
    return [
        Pair.of(Item.of("s", x, "1", {}), Item.of("s", y, "1", {}), {"steps": place % 3}, "c")
        for place, (x, y) in enumerate(texts)
    ]


def different(count: int) -> list[Pair]:
    return pairs_of([(f"Easy {n}?", f"Hard {n}?") for n in range(count)])


@given(total=st.integers(20, 60), seed=st.integers(0, 10**6), count=st.integers(1, 20))
def test_texts_come_from_different_pairs_and_stand_as_they_are_asked(
    total: int, seed: int, count: int
) -> None:
    pairs = different(total)
    drawn = draw_texts(lambda: pairs, total, seed, 1, count, 1)
    by_id = {pair.id: pair for pair in pairs}
    assert [text.number for text in drawn] == list(range(1, count + 1))
    assert len({text.pair for text in drawn}) == count
    for text in drawn:
        pair = by_id[text.pair]
        item = pair.x if text.member == "x" else pair.x_prime
        assert (text.text, text.answer, text.item) == (item.text, item.answer, item.id)
        assert text.strata == pair.strata


@given(seed=st.integers(0, 10**6), first=st.integers(2, 20))
def test_texts_drawn_later_go_on_where_the_others_ended(seed: int, first: int) -> None:
    pairs = different(40)
    together = draw_texts(lambda: pairs, 40, seed, 1, 30, 2)
    later = draw_texts(lambda: pairs, 40, seed, first, 10, 2)
    assert later == together[first - 1 : first + 9]


def test_another_seed_draws_other_texts_and_the_same_seed_the_same() -> None:
    pairs = different(200)
    first, again, other = (
        [text.pair for text in draw_texts(lambda: pairs, 200, seed, 1, 30, FURTHER)]
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_both_members_are_shown_about_equally_often() -> None:
    pairs = different(1_000)
    shown = Counter(text.member for text in draw_texts(lambda: pairs, 1_000, 3, 1, 1_000, 0))
    assert 430 < shown["x"] < 570


def test_a_text_that_pairs_share_is_judged_once() -> None:
    pairs = pairs_of([("The same?", "The same?")] * 30 + [("Another?", "Another?")] * 2)
    drawn = draw_texts(lambda: pairs, 32, 1, 1, 2, 1)
    assert {text.text for text in drawn} == {"The same?", "Another?"}


def test_too_few_different_texts_are_refused_with_their_number() -> None:
    pairs = different(15)
    with pytest.raises(DesignError, match="15 different texts, and the review needs 20"):
        draw_texts(lambda: pairs, 15, 1, 1, 20, 1)


def test_a_set_with_fewer_pairs_than_it_says_is_drawn_from_what_is_there() -> None:
    pairs = different(10)
    drawn = draw_texts(lambda: islice(pairs, 10), 50, 1, 1, 10, 1)
    assert len({text.pair for text in drawn}) == 10


def test_every_criterion_is_a_question_with_what_counts_as_a_no() -> None:
    for criterion in Criterion:
        assert criterion.question.endswith("?")
        assert criterion.explanation.startswith("No:")
        assert criterion.label
