"""Concepts as exact predicates: counts, reading, monotonicity, mirrors and complements."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.studies.concepts import (
    Concept,
    ConceptError,
    ConceptFamily,
    CountedAmount,
    LessonDeck,
    LessonManner,
    Matching,
    Monotonicity,
    Population,
    matching_of,
    monotonicity,
    pool,
    read_concept,
    read_concepts,
    require_both_sides,
)
from biaslab.studies.concepts.items import nouns
from schoolmath.problems import DesignError, Draws, vocabulary
from tests.loops import over

ALL = Population()
AT_LEAST_ONE = Population(min_has=1)

# p: more yes, more no, less yes, less no, ties; totals 5 to 100 with every part.
COUNTS = {
    1: (4580, 556, 546, 4590, 10),
    2: (4070, 1066, 1046, 4090, 20),
    3: (3571, 1565, 1555, 3581, 10),
    4: (3062, 2074, 2054, 3082, 20),
    5: (2544, 2592, 2544, 2592, 48),
    6: (2054, 3082, 3062, 2074, 20),
    7: (1555, 3581, 3571, 1565, 10),
    8: (1046, 4090, 4070, 1066, 20),
    9: (546, 4590, 4580, 556, 10),
}

SHARES = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)
NUMBERS = st.integers(1, 90)
ONE_BOUND = ("more than", "less than", "at least", "at most", "exactly")


@st.composite
def concepts(draw: st.DrawFn) -> Concept:
    """Any concept that can be written."""
    kind = draw(st.integers(0, 2))
    if kind == 0:
        text = draw(
            st.sampled_from(
                ["all", "none", "some", "not all", "an even number", "an odd number",
                 "an even total", "an odd total"]
            )
        )  # fmt: skip
    elif kind == 1:
        bound = draw(st.one_of(SHARES.map(lambda p: f"{p.numerator}/{p.denominator}"), NUMBERS))
        text = f"{draw(st.sampled_from(ONE_BOUND))} {bound}"
    else:
        one, other = sorted(draw(st.sets(SHARES, min_size=2, max_size=2)))
        word = draw(st.sampled_from(["between", "outside"]))
        text = f"{word} {one.numerator}/{one.denominator} and {other.numerator}/{other.denominator}"
    return read_concept(f"swapped: {text}" if draw(st.booleans()) else text)


AMOUNTS = st.integers(1, 200).flatmap(lambda t: st.tuples(st.just(t), st.integers(0, t)))


@over("tenths", COUNTS)
def test_the_published_counts_are_exact(tenths: int):
    more, less = (read_concept(f"{word} than {tenths}/10") for word in ("more", "less"))
    yes, no = pool(more, ALL), pool(less, ALL)
    ties = sum(more.is_tie(*amount) for amount in ALL.amounts())
    found = (len(yes.yes), len(yes.no), len(no.yes), len(no.no), ties)
    assert found == COUNTS[tenths]


@over("tenths", COUNTS)
def test_without_empty_parts_each_total_loses_one_amount(tenths: int):
    more, less = (read_concept(f"{word} than {tenths}/10") for word in ("more", "less"))
    yes, no = pool(more, AT_LEAST_ONE), pool(less, AT_LEAST_ONE)
    found = (len(yes.yes), len(yes.no), len(no.yes), len(no.no))
    a, b, c, d, _ = COUNTS[tenths]
    assert found == (a, b - 96, c - 96, d)


@given(SHARES, AMOUNTS)
def test_shares_are_compared_as_fractions_never_as_floats(share: Fraction, amount: CountedAmount):
    total, has = amount
    concept = read_concept(f"more than {share.numerator}/{share.denominator}")
    assert concept.answers_yes(total, has) == (Fraction(has, total) > share)


def test_a_part_on_the_threshold_is_neither_more_nor_less():
    assert not read_concept("more than 7/10").answers_yes(90, 63)
    assert not read_concept("less than 7/10").answers_yes(90, 63)
    assert read_concept("at most 7/10").answers_yes(90, 63)


@given(concepts())
def test_a_concept_is_read_back_from_its_own_name(concept: Concept):
    assert read_concept(concept.id) == concept


@given(concepts(), AMOUNTS)
def test_the_complement_says_yes_exactly_where_the_concept_says_no(
    concept: Concept, amount: CountedAmount
):
    assert concept.complement.answers_yes(*amount) != concept.answers_yes(*amount)
    assert concept.with_labels_swapped.answers_yes(*amount) != concept.answers_yes(*amount)


@given(concepts(), AMOUNTS)
def test_the_mirror_says_of_the_rest_what_the_concept_says_of_the_part(
    concept: Concept, amount: CountedAmount
):
    total, has = amount
    mirror = concept.mirror
    if mirror is None:
        assert concept.family in (
            ConceptFamily.CARDINAL, ConceptFamily.INTERVAL, ConceptFamily.EXACT,
            ConceptFamily.PARITY
        )  # fmt: skip
        return
    assert mirror.answers_yes(total, total - has) == concept.answers_yes(total, has)
    assert mirror.mirror == concept


@over(
    ("text", "expected"),
    [
        ("more than 3/10", Monotonicity.UP),
        ("at most 20", Monotonicity.DOWN),
        ("swapped: more than 3/10", Monotonicity.DOWN),
        ("not all", Monotonicity.DOWN),
        ("some", Monotonicity.UP),
        ("between 1/4 and 3/4", Monotonicity.NEITHER),
        ("exactly 10", Monotonicity.NEITHER),
        ("an even number", Monotonicity.NEITHER),
        ("an odd total", Monotonicity.BOTH),
    ],
)
def test_monotonicity_is_what_the_predicate_shows(text: str, expected: Monotonicity):
    assert monotonicity(read_concept(text)) is expected


@given(concepts())
@settings(max_examples=40, deadline=None)
def test_monotonicity_agrees_with_looking_at_every_neighbour(concept: Concept):
    small = Population(2, 12)
    steps = [
        (concept.answers_yes(t, h), concept.answers_yes(t, h + 1))
        for t in range(2, 13)
        for h in range(t)
    ]
    up, down = (False, True) in steps, (True, False) in steps
    found = monotonicity(concept, small)
    assert (up, down) == {
        Monotonicity.UP: (True, False), Monotonicity.DOWN: (False, True),
        Monotonicity.BOTH: (False, False), Monotonicity.NEITHER: (True, True),
    }[found]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("more than 30 %", "more than 3/10"),
        ("fewer than 0.5", "less than 1/2"),
        ("at least two thirds", None),
        ("more than half", "more than 1/2"),
        ("no more than 12", "at most 12"),
        ("labels swapped: all", "swapped: all"),
        ("more than 6/20", "more than 3/10"),
    ],
)
def test_other_spellings_are_understood_or_refused(text: str, same: str | None):
    if same is None:
        with pytest.raises(ConceptError):
            read_concept(text)
    else:
        assert read_concept(text).id == same


@over(
    ("text", "reason"),
    [
        ("", "No concept is named."),
        ("7", "is no concept"),
        ("mor than 1/2", "Did you mean “more than”?"),
        ("more than", "needs one number"),
        ("all 3", "needs no number"),
        ("between 1/4", "needs two numbers"),
        ("between 3/4 and 1/4", "Write “between 1/4 and 3/4”"),
        ("between 1/4 and 10", "mixes a share"),
        ("more than 1/0", "divides by zero"),
        ("at least 7/3", "more than the whole total"),
        ("more than 99999", "larger than any total"),
        ("more than x", "is no relation"),
    ],
)
def test_what_is_no_concept_is_refused_in_a_sentence(text: str, reason: str):
    with pytest.raises(ConceptError, match=reason) as caught:
        read_concept(text)
    assert caught.value.setting == "concept"


@given(st.text(max_size=60))
def test_any_text_is_a_concept_or_a_sentence(text: str):
    try:
        concept = read_concept(text)
    except ConceptError as refused:
        said = str(refused)
    else:
        said = f"{read_concept(concept.id) == concept}."
    assert said.endswith((".", "?"))
    assert said != "False."


def test_the_published_nine_and_lists_are_read():
    assert [str(each.bound) for each in read_concepts("published")] == [
        "1/10", "1/5", "3/10", "2/5", "1/2", "3/5", "7/10", "4/5", "9/10",
    ]  # fmt: skip
    assert len(read_concepts("all; none;")) == 2
    with pytest.raises(ConceptError, match="named twice"):
        read_concepts("all; all")


@pytest.mark.parametrize(
    ("one", "other", "matching"),
    [
        ("more than 3/10", "less than 7/10", Matching.MIRROR),
        ("more than 3/10", "at most 3/10", Matching.COMPLEMENT),
        ("more than 3/10", "swapped: more than 3/10", Matching.COMPLEMENT),
        ("more than 3/10", "less than 3/10", Matching.TOTALS),
        ("all", "none", Matching.MIRROR),
    ],
)
def test_matching_follows_from_what_the_concepts_say(one: str, other: str, matching: Matching):
    assert matching_of(read_concept(one), read_concept(other), ALL) is matching


@pytest.mark.parametrize("other", ["more than 1/2", "swapped: at most 1/2"])
def test_a_concept_is_not_compared_with_one_that_says_the_same(other: str):
    with pytest.raises(DesignError, match="nothing to compare"):
        matching_of(read_concept("more than 1/2"), read_concept(other), ALL)


@pytest.mark.parametrize(
    ("text", "population", "setting", "suggestion"),
    [
        ("at least 0", ALL, "concept", "is at least 1"),
        ("more than 90", Population(5, 60), "concept", "is more than 55"),
        ("more than 1/2", Population(5, 6), "totals", "is 5-8"),
        ("all", Population(5, 12), "totals", "is 5-15"),
    ],
)
def test_a_side_that_is_empty_or_too_small_is_refused_with_the_nearest_that_works(
    text: str, population: Population, setting: str, suggestion: str
):
    concept = read_concept(text)
    with pytest.raises(DesignError) as caught:
        require_both_sides(concept, concept.complement, Matching.COMPLEMENT, population, 10)
    assert caught.value.setting == setting
    assert caught.value.suggestion.endswith(f"{suggestion}.")
    nearest = suggestion.removeprefix("is ")
    if setting == "concept":
        concept = read_concept(nearest)
    else:
        low, high = map(int, nearest.split("-"))
        population = Population(low, high)
    require_both_sides(concept, concept.complement, Matching.COMPLEMENT, population, 10)


@given(
    concepts(),
    st.sampled_from(["mirror", "complement", "totals"]),
    st.sampled_from(["shuffled", "alternating", "yes first", "no first"]),
    st.sampled_from(["pairs", "totals"]),
    st.integers(1, 6),
    st.booleans(),
    st.integers(0, 10**6),
)
def test_matched_lessons_share_exactly_what_is_stated(
    concept, wanted, order, sampling, shots, yes, seed
):
    population = Population(5, 60)
    other = concept.mirror if wanted == "mirror" else concept.complement
    if wanted == "totals":
        other = read_concept("less than 1/2")
    try:
        assert other is not None
        matching = matching_of(concept, other, population)
        require_both_sides(concept, other, matching, population, shots)
        deck = LessonDeck(
            concept,
            other,
            matching,
            LessonManner(population, shots, order, sampling),
            ["keys"],
            ["Mia"],
        )
        lessons = deck.draw(Draws(str(seed)), yes=yes)
    except (AssertionError, DesignError):
        return
    one, two = lessons.one, lessons.other
    assert one.question.yes == yes
    for each, lesson in ((concept, one), (other, two)):
        whole = [*lesson.examples, lesson.question]
        assert all(each.answers_yes(*example.amount) == example.yes for example in whole)
        assert len({example.amount for example in whole}) == 2 * shots + 1
        assert sum(example.yes for example in lesson.examples) == shots
    for first, second in zip(
        (*one.examples, one.question), (*two.examples, two.question), strict=False
    ):
        assert first.amount.total == second.amount.total
        assert first.noun == second.noun
        if matching is Matching.COMPLEMENT:
            assert first.amount == second.amount
            assert first.yes != second.yes
        else:
            assert first.yes == second.yes
        if matching is Matching.MIRROR:
            assert second.amount.has == first.amount.total - first.amount.has


def test_about_a_hundred_nouns_that_agree_with_the_vocabulary():
    found = nouns()
    known = vocabulary()
    assert 90 <= len(found) <= 120
    assert len(set(found.values())) == len(found)
    countable = {noun.plural: noun.singular for noun in known.nouns.values() if noun.countable}
    uncountable = {noun.plural for noun in known.nouns.values() if not noun.countable}
    taken = {unit.plural for unit in known.units.values()}
    for plural, singular in found.items():
        assert plural.isalpha()
        assert plural.islower()
        assert plural != singular
        assert countable.get(plural, singular) == singular
    assert not set(found) & (uncountable | taken)
