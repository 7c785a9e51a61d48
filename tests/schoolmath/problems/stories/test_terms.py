"""What strategies work with: values with their steps, and which amount may count for what."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from schoolmath.problems.stories.amounts import Amount, Thing
from schoolmath.problems.stories.asking import ask
from schoolmath.problems.stories.strategies.terms import (
    DerivedAmount,
    StoryTerms,
    Term,
    around,
    asks_for,
    described,
    fits,
    is_kind,
    is_money,
    leaf,
    same_noun,
    same_verb,
    separate,
    shown,
    side_by_side,
    sum_of,
)
from schoolmath.problems.stories.telling import tell
from schoolmath.problems.stories.words import sentences_of
from tests.loops import over

VALUES = st.fractions(min_value=0, max_value=1000, max_denominator=12)


def value(number: Fraction, index: int) -> Term:
    """A number of the text with its index."""
    return Term(number, frozenset({index}))


@given(VALUES, VALUES.filter(bool))
def test_two_terms_are_combined_as_their_values_are(one: Fraction, other: Fraction) -> None:
    right = {"+": one + other, "-": one - other, "*": one * other, "/": one / other}
    for sign, result in right.items():
        term = value(one, 3).combined(sign, value(other, 5))
        assert term.value == result
        assert term.used == {3, 5}
        assert term.operations == {sign}
        assert term.steps == (f"{shown(one)} {sign} {shown(other)} = {shown(result)}",)


def test_the_steps_of_both_sides_come_before_their_own() -> None:
    left = value(Fraction(2), 0).combined("+", value(Fraction(3), 1))
    right = value(Fraction(4), 2).combined("*", value(Fraction(5), 3))
    term = right.combined("-", left)
    assert term.steps == ("4 * 5 = 20", "2 + 3 = 5", "20 - 5 = 15")
    assert term.used == {0, 1, 2, 3}
    assert term.operations == {"+", "*", "-"}


SHOWN = {Fraction(7): "7", Fraction(-3): "-3", Fraction(1, 2): "0.5", Fraction(5, 4): "1.25"}


@over("number", SHOWN)
def test_a_number_is_shown_whole_or_as_a_decimal(number: Fraction) -> None:
    assert shown(number) == SHOWN[number]


def amounts_of(text: str) -> list[Amount]:
    """The amounts that a text tells."""
    return tell(sentences_of(text)).amounts


def test_an_amount_is_a_term_of_itself_unless_it_stands_for_what_follows_from_others() -> None:
    (amount,) = amounts_of("Ana has 9 pens.")
    assert leaf(amount) == Term(Fraction(9), frozenset({0}))
    term = value(Fraction(4), 0).combined("+", value(Fraction(5), 1))
    reduced = DerivedAmount(
        **{each.name: getattr(amount, each.name) for each in fields(Amount)}, term=term
    )
    assert leaf(reduced) is term


def test_a_sum_has_a_step_for_each_amount_after_the_first() -> None:
    term = sum_of(amounts_of("Ana has 9 pens, 4 caps and 2 hats."))
    assert (term.value, term.steps) == (15, ("9 + 4 = 13", "13 + 2 = 15"))


def thing(text: str) -> Thing:
    """A thing from words: those before the noun, the noun, and what follows "of"."""
    before, _, of = text.partition(" of ")
    *mods, head = before.split(" ")
    return Thing(head, frozenset(mods), frozenset(of.split()))


FITS = {
    ("pen", "pen"): True,
    ("pen", "red pen"): True,
    ("red pen", "pen"): False,
    ("red pen", "blue pen"): False,
    ("red pen", "old red pen"): True,
    ("pen", "cap"): False,
    ("box", "box of chalk"): True,
    ("box of chalk", "box"): False,
    ("chalk", "box of chalk"): True,
    ("red chalk", "box of chalk"): False,
    ("box of chalk", "chalk"): True,
    ("dollar", "cent"): True,
    ("money", "dollar"): True,
    ("dollar", "pen"): False,
    ("apple", "apple pie"): False,
    ("fruit", "apple"): True,
    ("apple", "fruit"): False,
    ("red fruit", "apple"): False,
    ("red fruit", "red apple"): True,
    ("child", "girl"): True,
}
"""What is asked for and what is told, and whether the one counts for the other."""


@over("request, content", FITS)
def test_an_amount_counts_for_what_is_asked_where_all_that_is_asked_is_content_it(
    request: str, content: str
) -> None:
    assert fits(thing(request), thing(content)) is FITS[request, content]


def test_anything_counts_where_nothing_is_named_and_kinds_only_where_they_may() -> None:
    assert fits(Thing(), thing("pen"))
    assert not fits(thing("fruit"), thing("apple"), loose=False)
    assert fits(thing("apple"), thing("apple"), loose=False)


def test_kinds_are_those_of_the_lexicon_and_never_of_themselves() -> None:
    assert is_kind("fruit", "apple")
    assert not is_kind("apple", "fruit")
    assert not is_kind("fruit", "onion")
    assert not is_kind("gribble", "apple")


MONEY = {"dollar": True, "cent": True, "money": True, "coin": False, "": False}


@over("head", MONEY)
def test_money_is_dollars_cents_and_its_own_word(head: str) -> None:
    assert is_money(Thing(head)) is MONEY[head]


NOUNS = {
    ("pen", "red pen"): True,
    ("chalk", "box of chalk"): True,
    ("box of chalk", "chalk"): False,
    ("pen", "cap"): False,
}


@over("one, other", NOUNS)
def test_two_nouns_are_the_same_whatever_stands_beside_them(one: str, other: str) -> None:
    assert same_noun(thing(one), thing(other)) is NOUNS[one, other]
    assert not same_noun(Thing(), thing(other))


VERBS = {
    ("buy", "buy"): True,
    ("spend", "pay"): True,
    ("pay", "cost"): True,
    ("pick", "pick up"): True,
    ("give", "give away"): False,
    ("buy", "sell"): False,
    ("spend", "buy"): False,
}


@over("one, other", VERBS)
def test_two_verbs_say_the_same_of_amounts(one: str, other: str) -> None:
    assert same_verb(one, other) is VERBS[one, other]
    assert same_verb(other, one) is VERBS[one, other]


SEPARATE = {
    "Ana has 9 pens. Ben has 4 pens.": True,
    "Ana has 9 pens and 4 caps.": True,
    "Ana has 9 red pens. Ana has 4 blue pens.": True,
    "There are 9 pens on the desk. There are 4 pens in the bag.": True,
    "Ana sold 9 pens last year. Ana sold 4 pens this year.": True,
    "Ana has 9 pens. She finds 4 more pens.": True,
    "Ana gave 9 pens to Ben. Ana gave 4 pens to Cem.": True,
    "Ana got 9 pens from Ben. Ana got 4 pens from Cem.": True,
    # One may be a part of the other.
    "Ana has 9 pens. Ana has 4 pens.": False,
    "Ana has 9 pens. Ana has 4 red pens.": False,
    "There are 9 pens on the desk. 4 pens are red.": False,
    "Ana sold 9 pens. She sold 4 pens on Monday.": False,
    "Ana has 9 fruits. She has 4 apples.": False,
    "Ana gave 9 pens away. Ana gave 4 pens to Cem.": False,
    "Ana and Ben have 9 pens. Ben has 4 pens.": False,
}
"""Stories with two amounts, and whether nothing is counted twice in their sum."""


@over("text", SEPARATE)
def test_amounts_are_separate_where_no_one_can_be_a_part_of_another(text: str) -> None:
    amounts = amounts_of(text)
    assert len(amounts) == 2
    assert separate(amounts) is SEPARATE[text]


def test_amounts_of_which_all_is_alike_do_not_stand_side_by_side() -> None:
    assert not side_by_side(amounts_of("Ana has 9 pens. Ana has 4 pens."))
    assert side_by_side(amounts_of("Ana has 9 pens. Ana has 4 more pens."))
    assert side_by_side(amounts_of("Ana has 9 pens. Ana has 4 caps."))


def test_what_things_are_like_is_described() -> None:
    there, like = amounts_of("There are 9 apples. 4 apples are green.")
    assert not described(there)
    assert described(like)


def test_around_an_amount_are_its_things_and_where_when_and_of_each_what() -> None:
    (amount,) = amounts_of("Ana found 9 red pens in the hall on Monday.")
    assert {"pen", "red", "hall", "monday"} <= around(amount)
    assert "ana" not in around(amount)
    (rate,) = amounts_of("Each box holds 9 pens.")
    assert "box" in around(rate)


def terms_of(text: str) -> StoryTerms:
    """A text with its question, ready to be worked out."""
    sentences = sentences_of(text)
    facts = tell(sentences[:-1])
    question = ask(sentences, facts)
    assert question is not None
    return StoryTerms(tuple(facts.amounts), question, tuple(facts.people))


ASKED_FOR = {
    "Ana has 9 pens and 4 caps. How many pens does Ana have?": [True, False],
    "Ana has 9 pens and 4 caps. How many pens and caps does Ana have?": [True, True],
    "Ana has 9 apples and 4 onions. How many fruits does Ana have?": [True, False],
    "Ana has 9 fruits and 4 apples. How many fruits does Ana have?": [True, False],
    "Ana has 9 pens and 4 dollars. How much does Ana have?": [False, True],
    "Ana has 9 pens and 4 dollars. How many does Ana have?": [True, False],
}
"""A story with its question, and which of the amounts are of what is asked for."""


@over("text", ASKED_FOR)
def test_an_amount_is_request_where_its_thing_is_or_a_kind_that_is_told_nowhere(
    text: str,
) -> None:
    story = terms_of(text)
    assert [asks_for(story, each) for each in story.amounts] == ASKED_FOR[text]


def test_known_are_the_amounts_with_a_number() -> None:
    story = terms_of("Ana had 9 pens. She lost some pens. How many pens does Ana have?")
    assert [each.value for each in story.amounts] == [9, None]
    assert [each.value for each in story.known()] == [9]
