"""A corrected text is kept only where it still says the same; sentences here are our own."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies import Design, Pair, experiment
from biaslab.studies.word_problems.custom.correction import originals_of
from schoolmath.problems import Statement, UnsolvableProblem, solve, write
from schoolmath.problems.meaning import (
    LENIENT,
    STRICT,
    Flaw,
    Integrity,
    Original,
    Reason,
    Version,
    check_corrected_pair,
    check_correction,
    check_given_correction,
)
from schoolmath.problems.reading import read
from tests.loops import over

CUPS = (
    "Mia has 12 large cups. Omar has 7 more large cups than Mia. "
    "How many large cups does Omar have?"
)
BUYING = "Mia has 12 cups. Mia buys 19 cups. How many cups does Mia have now?"
CHAIN = (
    "Mia has 32 cups. Omar has 7 more cups than Mia. Zoe has 5 fewer cups than Omar. "
    "How many cups does Zoe have?"
)


def check(before: str, after: str) -> Integrity:
    found = read(before)
    assert found.problem is not None, found.fault
    return check_correction(found.problem, before, after, found.words)


def flaws(before: str, after: str) -> set[Flaw]:
    return {reason.flaw for reason in check(before, after).reasons}


class TestMeaningThatCorrectionChangedUnnoticedInReleasedData:
    """One of each kind that was found there, in sentences of our own."""

    def test_more_things_become_bigger_things(self):
        after = CUPS.replace("7 more large cups than Mia", "7 larger cups")

        assert Flaw.KIND in flaws(CUPS, after)

    def test_a_comparison_of_numbers_becomes_one_of_sizes(self):
        after = CUPS.replace("7 more large cups", "7 larger cups")

        assert flaws(CUPS, after) == {Flaw.UNREAD}

    def test_what_was_bought_becomes_what_there_is(self):
        after = BUYING.replace("Mia buys 19", "Mia now has 19")

        assert Flaw.KIND in flaws(BUYING, after)

    def test_two_comparisons_are_reversed(self):
        after = CHAIN.replace("Omar has 7 more cups than Mia", "Mia has 7 more cups than Omar")
        after = after.replace("Zoe has 5 fewer cups than Omar", "Omar has 5 fewer cups than Zoe")

        found = check(CHAIN, after)

        assert [reason.sentence for reason in found.reasons if reason.flaw is Flaw.COMPARISON] == [
            1, 2
        ]  # fmt: skip

    def test_a_comparison_is_told_from_the_other_side(self):
        """The mental model is the same, and consistent has become inconsistent wording."""
        after = CHAIN.replace("Omar has 7 more cups than Mia", "Mia has 7 fewer cups than Omar")

        assert flaws(CHAIN, after) == {Flaw.COMPARISON}

    def test_more_becomes_fewer(self):
        after = CHAIN.replace("7 more", "7 fewer")

        assert {Flaw.COMPARISON, Flaw.ANSWER} <= flaws(CHAIN, after)

    def test_more_becomes_times_as_many(self):
        after = CHAIN.replace("7 more cups than", "7 times as many cups as")

        assert Flaw.COMPARISON in flaws(CHAIN, after)

    def test_a_number_is_changed(self):
        assert Flaw.NUMBERS in flaws(BUYING, BUYING.replace("19", "91"))

    def test_two_numbers_are_swapped(self):
        after = BUYING.replace("12", "#").replace("19", "12").replace("#", "19")

        assert flaws(BUYING, after) == {Flaw.AMOUNT}

    def test_a_number_is_written_in_words(self):
        assert Flaw.NUMBER_WORDS in flaws(BUYING, BUYING.replace("12", "twelve"))

    def test_a_name_is_swapped(self):
        after = CUPS.replace("Mia has 12", "Omar has 12")

        assert Flaw.NAMES in flaws(CUPS, after)

    def test_a_name_becomes_a_pronoun(self):
        after = BUYING.replace("Mia buys", "She buys")

        assert flaws(BUYING, after) == {Flaw.NAMES}

    def test_a_sentence_is_dropped(self):
        after = CHAIN.replace("Zoe has 5 fewer cups than Omar. ", "")

        assert Flaw.SENTENCES in flaws(CHAIN, after)

    def test_two_sentences_are_joined(self):
        assert Flaw.SENTENCES in flaws(BUYING, BUYING.replace("cups. Mia buys", "cups, and buys"))

    def test_the_question_asks_for_somebody_else(self):
        after = CHAIN.replace("does Zoe have", "does Omar have")

        assert {Flaw.QUESTION, Flaw.ANSWER} <= flaws(CHAIN, after)

    def test_something_else_is_counted(self):
        after = BUYING.replace("buys 19 cups", "buys 19 plates")

        assert Flaw.THING in flaws(BUYING, after)

    def test_sentences_change_places(self):
        first, second, question = read(CUPS).sentences
        after = " ".join((second.text, first.text, question.text))

        assert flaws(CUPS, after) == {Flaw.ORDER}

    def test_nothing_is_left(self):
        assert not check(CUPS, "").kept

    def test_a_text_that_had_no_answer_before_cannot_be_compared(self):
        found = read(CUPS)
        assert found.problem is not None
        asks_for_nobody = replace(found.problem.question, agent="Zoe")

        with pytest.raises(UnsolvableProblem):
            check_correction(replace(found.problem, question=asks_for_nobody), CUPS, CUPS)


class TestWhatMayChange:
    @pytest.mark.parametrize(
        "after",
        [
            BUYING,
            BUYING.replace("buys", "gets"),
            BUYING.replace("have now", "own"),
            BUYING.replace("Mia has 12", "Mia owns 12"),
        ],
    )
    def test_other_words_for_the_same(self, after):
        assert check(BUYING, after) == Integrity(())


def in_a_file(before: str, after: str) -> set[Flaw]:
    """What the lenient policy finds in a correction that came with a file."""
    found = check_given_correction(Version(before, read(before)), Version(after, read(after)))
    return {reason.flaw for reason in found.reasons}


class TestTwoPoliciesOfOneCheck:
    def test_they_differ_in_everything_that_a_policy_names(self):
        assert all(getattr(STRICT, name) for name in STRICT.__slots__)
        assert not any(getattr(LENIENT, name) for name in LENIENT.__slots__)

    @pytest.mark.parametrize(
        ("before", "after", "strict"),
        [
            # Names of things: the same one throughout will do for a file of others.
            (BUYING, BUYING.replace("cups", "mugs"), Flaw.THING),
            # All sentences: one that can't be read any more, with its numbers and comparisons.
            (CUPS, CUPS.replace("Mia has 12", "In Mia's kitchen one finds 12"), Flaw.UNREAD),
            # All words: a pronoun for a name, and a number in words.
            (BUYING, BUYING.replace("Mia buys", "She buys"), Flaw.NAMES),
            (BUYING, BUYING.replace("12", "twelve"), Flaw.NUMBER_WORDS),
        ],
    )
    def test_what_only_the_strict_one_refuses(self, before, after, strict):
        assert strict in flaws(before, after)
        assert in_a_file(before, after) == set()

    def test_only_the_strict_one_asks_for_the_answer(self):
        after = CHAIN.replace("does Zoe have", "does Omar have")

        assert flaws(CHAIN, after) == {Flaw.QUESTION, Flaw.ANSWER, Flaw.NAMES}
        assert in_a_file(CHAIN, after) == {Flaw.QUESTION}

    @over(
        ("before", "after", "flaw"),
        [
            (CHAIN, CHAIN.replace("7 more", "7 fewer"), Flaw.COMPARISON),
            (
                CHAIN,
                CHAIN.replace("Omar has 7 more cups than Mia", "Mia has 7 fewer cups than Omar"),
                Flaw.COMPARISON,
            ),
            (BUYING, BUYING.replace("19", "91"), Flaw.AMOUNT),
            (BUYING, BUYING.replace("Mia buys 19", "Mia now has 19"), Flaw.KIND),
            (BUYING, BUYING.replace("buys 19 cups", "buys 19 plates"), Flaw.THING),
            (CUPS, CUPS.replace("Mia has 12", "Omar has 12"), Flaw.PEOPLE),
            (CHAIN, CHAIN.replace("does Zoe have", "does Omar have"), Flaw.QUESTION),
            (CHAIN, CHAIN.replace("Zoe has 5 fewer cups than Omar. ", ""), Flaw.SENTENCES),
            (
                CUPS,
                " ".join(read(CUPS).sentences[place].text for place in (1, 0, 2)),
                Flaw.ORDER,
            ),
        ],
    )
    def test_what_both_refuse_by_the_same_name(self, before, after, flaw):
        assert flaw in flaws(before, after)
        assert in_a_file(before, after) == {flaw}

    @pytest.mark.parametrize("text", [CUPS, BUYING, CHAIN])
    def test_neither_refuses_a_text_that_nobody_touched(self, text):
        assert flaws(text, text) == in_a_file(text, text) == set()


def drawn(study: str, n: int) -> list[Pair]:
    return list(experiment(study).pairs(Design(study, n, 11)))


PAIRS = [
    pair for study in ("consistency", "transfer-comparison", "carry") for pair in drawn(study, 40)
]
pairs = st.sampled_from(PAIRS)


def understood(pair: Pair) -> tuple[Original, Original]:
    found = originals_of(pair)
    assert not isinstance(found, Reason), found.text
    return found


def sentences(original: Original) -> list[str]:
    return list(original.sentences)


class TestAnyPair:
    @given(pairs)
    def test_a_pair_that_nobody_touched_is_kept(self, pair):
        x, x_prime = understood(pair)

        assert check_corrected_pair((x, x_prime), (x.sentences, x_prime.sentences)).kept

    @given(pairs, st.data())
    def test_a_pair_in_any_other_phrasings_is_kept_where_both_members_get_the_same(
        self, pair, data
    ):
        """Given another phrasing for every sentence, the same in both members."""
        originals = understood(pair)
        length = len(originals[0].problem.statements)
        choice = data.draw(st.lists(st.integers(0, 3), min_size=length + 1, max_size=length + 1))
        texts = [_in_phrasings(original, choice) for original in originals]

        found = check_corrected_pair(originals, (texts[0], texts[1]))

        assert found.kept, found.reasons

    @given(pairs, st.data())
    def test_a_changed_number_is_found_wherever_it_stands(self, pair, data):
        x, x_prime = understood(pair)
        index = data.draw(st.integers(0, len(x.problem.statements) - 1))
        number = str(x.problem.statements[index].predicate.quantity)
        other = str(data.draw(st.integers(2, 999).filter(lambda value: str(value) != number)))
        after = sentences(x)
        after[index] = after[index].replace(number, other)

        found = check_corrected_pair((x, x_prime), (after, x_prime.sentences))

        assert {reason.flaw for reason in found.reasons} & {Flaw.NUMBERS, Flaw.AMOUNT}

    @given(pairs, st.data())
    def test_a_dropped_sentence_is_found_wherever_it_stood(self, pair, data):
        x, x_prime = understood(pair)
        after = sentences(x)
        del after[data.draw(st.integers(0, len(after) - 1))]

        found = check_corrected_pair((x, x_prime), (after, x_prime.sentences))

        assert Flaw.SENTENCES in {reason.flaw for reason in found.reasons}

    @given(pairs)
    def test_members_that_became_one_text_are_found(self, pair):
        x, x_prime = understood(pair)

        found = check_corrected_pair((x, x_prime), (x.sentences, x.sentences))

        assert not found.kept
        assert Flaw.TREATMENT in {reason.flaw for reason in found.reasons}

    @given(pairs.filter(lambda pair: len(set(pair.x.facts["treated"])) == 1), st.data())
    def test_a_sentence_mended_in_one_member_only_is_found(self, pair, data):
        """Given the same words for the same thing, in one member alone."""
        x, x_prime = understood(pair)
        shared = [
            index
            for index in range(len(x.problem.statements))
            if x.sentences[index] == x_prime.sentences[index]
        ]
        index = data.draw(st.sampled_from(shared))
        statement = x.problem.statements[index]
        other = replace(statement, phrasing=(statement.phrasing + 1) % 4)
        after = sentences(x)
        after[index] = _written(x, other)

        found = check_corrected_pair((x, x_prime), (after, x_prime.sentences))

        assert {reason.flaw for reason in found.reasons} == {Flaw.SHARED}


def test_a_compared_sentence_reworded_in_one_member_only_is_found():
    """Given a pair whose members were twins in all but "more" and "fewer"."""
    pair = next(pair for pair in PAIRS if "comparison" in pair.strata)
    x, x_prime = understood(pair)
    (index,) = pair.x.facts["treated"]
    statement = x.problem.statements[index]
    after = sentences(x)
    after[index] = _written(x, replace(statement, phrasing=(statement.phrasing + 1) % 4))

    found = check_corrected_pair((x, x_prime), (after, x_prime.sentences))

    assert {reason.flaw for reason in found.reasons} == {Flaw.WORDING}


@over("flaw", list(Flaw))
def test_every_reason_has_words_of_its_own(flaw):
    others: Callable[[Flaw], bool] = lambda other: other is not flaw  # noqa: E731
    assert flaw.label
    assert flaw.label not in {other.label for other in filter(others, Flaw)}


def _in_phrasings(original: Original, choice: list[int]) -> tuple[str, ...]:
    problem = original.problem
    statements = tuple(
        replace(statement, phrasing=phrasing)
        for statement, phrasing in zip(problem.statements, choice, strict=False)
    )
    question = replace(problem.question, phrasing=choice[-1])
    again = replace(problem, statements=statements, question=question)
    assert solve(again).answer == solve(problem).answer
    return write(again, original.words).sentences


def _written(original: Original, statement: Statement) -> str:
    from schoolmath.problems import write_statement

    return write_statement(statement, original.words)


DATA = Path(__file__).resolve().parents[5] / "shared" / "data"
RELEASED = {
    "carry_500.csv": (
        ("body no carry", "question", "paraphrase no carry"),
        ("body carry", "question", "paraphrase carry"),
    ),
    "comp_trans_500.csv": (
        ("body comparison", "question comparison", "paraphrase comparison"),
        ("body transition", "question transition", "paraphrase transition"),
    ),
}


@pytest.mark.parametrize("file", list(RELEASED))
def test_released_corrections_are_kept_but_for_those_that_changed_something(file):
    """Given texts before and after the paper's own correction by a model."""
    if not (DATA / file).exists():
        pytest.skip(f"{file} is not on this machine.")
    with (DATA / file).open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    found = [
        check(f"{row[body]} {row[question]}", row[after])
        for row in rows
        for body, question, after in RELEASED[file]
    ]

    flaws_found = {reason.flaw for each in found for reason in each.reasons}
    assert sum(each.kept for each in found) / len(found) > 0.95
    assert {Flaw.NAMES, Flaw.UNREAD} <= flaws_found
    assert (Flaw.COMPARISON in flaws_found) is (file == "comp_trans_500.csv")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "Mia has 7 soaps. Omar has 5 more soaps than Mia. How many soaps does Omar have?",
            "Mia has 7 bars of soap. Omar has 5 more bars of soap than Mia. "
            "How many soaps does Omar have?",
        ),
        (
            "Mia has 7 soaps. Omar has 5 more soaps than Mia. How many soaps does Omar have?",
            "Mia has 7 candles. Omar has 5 more soaps than Mia. How many soaps does Omar have?",
        ),
        (
            "Mia has 7 soaps. Omar has 5 more soaps than Mia. How many soaps does Omar have?",
            "Mia has 7 soaps. Mia has 5 fewer soaps than Omar. How many soaps does Omar have?",
        ),
    ],
)
def test_an_accusation_never_shows_one_sentence_as_before_and_after(
    before: str, after: str
) -> None:
    found = check_given_correction(Version(before, read(before)), Version(after, read(after)))
    assert found.reasons
    for reason in found.reasons:
        told = re.findall("“(.*?)”", reason.text) or re.findall("that (.*?)[;.]", reason.text)
        assert len(told) == len(set(told)), reason.text
