"""A problem that a person reads: what is guessed, missing, worked out and taught."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schoolmath.problems.custom_words import words_for_reading
from schoolmath.problems.proposals import AmountRelation as Relation
from schoolmath.problems.proposals import ProposedStatement
from schoolmath.problems.proposals.by_hand import by_sentence, read_by_hand, sheet_of
from schoolmath.problems.proposals.sheet import MOST_PLACES, Meaning, taught_words
from schoolmath.problems.reading import read
from schoolmath.problems.stories import answer
from schoolmath.problems.vocabulary import using
from tests.loops import over

PENS = (
    "Ana has 5 boxes. Each box holds 12 pens. Ben scored twice as many pens as Ana at the 3 day "
    "fair. How many pens do they have altogether?"
)
COINS = (
    "Otto kept 40 coins in a jar. His uncle dropped 15 coins by, and 9 coins vanished overnight. "
    "How many coins are in the jar now?"
)
ADDED = (
    "A shelf bore 17 jugs. Some jugs got placed on the shelf. There stand 21 jugs on it by now. "
    "How many jugs were placed?"
)


def means(relation, who, what, whom="", *, asked=False, first=False):
    """What a form says; the number is that of the place."""
    people = (who,) if isinstance(who, str) and who else tuple(who or ())
    things = (what,) if isinstance(what, str) else tuple(what)
    return Meaning(ProposedStatement(relation, people, things, None, asked, whom), first)


NOTHING = Meaning(None)


def filled(sheet, *meanings):
    """Meanings with the numbers of their places; None keeps the guess."""
    assert len(meanings) == len(sheet.places)
    return [
        place.guess
        if meaning is None
        else meaning
        if meaning.statement is None or place.asks
        else replace(meaning, statement=replace(meaning.statement, number=place.number))
        for place, meaning in zip(sheet.places, meanings, strict=True)
    ]


class TestTheSheet:
    def test_every_number_and_the_question_have_a_place(self):
        places = sheet_of(PENS).places
        assert [place.label for place in places[:-1]] == [
            "5 boxes", "12 pens", "twice as many", "3 day fair",
        ]  # fmt: skip
        assert [place.number for place in places] == [5, 12, 2, 3, None]
        assert [place.asks for place in places] == [False] * 4 + [True]

    def test_names_and_things_of_the_text_can_be_chosen(self):
        sheet = sheet_of(PENS)
        assert sheet.names == ("Ana", "Ben")
        assert {"boxes", "pens"} <= set(sheet.things)

    def test_what_is_read_already_stands_there(self):
        first, second, *_ = sheet_of(PENS).places
        assert first.read
        assert first.guess.statement.relation is Relation.HAS
        assert second.guess.statement.whom == "box"

    def test_whom_a_pronoun_means_is_not_taken_from_a_text_that_is_not_read(self):
        question = sheet_of(PENS).places[-1]
        assert not question.read
        assert question.guess.statement.who == ("Ana", "Ben")

    def test_what_is_no_number_to_work_with_has_a_place_as_well(self):
        places = sheet_of("Ana lost 20% of 60 pens. How many pens does Ana have?").places
        assert [place.number for place in places] == [None, 60, None]

    def test_sentences_come_with_their_places(self):
        assert [places for _, places in by_sentence(sheet_of(ADDED))] == [(0,), (), (1,), (2,)]

    @given(st.text(max_size=300))
    def test_any_text_is_taken_apart(self, text):
        sheet = sheet_of(text)
        assert len(sheet.places) <= MOST_PLACES
        read_by_hand(sheet, [place.guess for place in sheet.places])


class TestReadingByHand:
    def test_a_text_that_no_reader_reads_is_answered(self):
        assert answer(PENS).answer is None
        sheet = sheet_of(PENS)
        found = read_by_hand(
            sheet,
            filled(sheet, None, None, means(Relation.TIMES, "Ben", "pens", "Ana"), NOTHING, None),
        )
        assert found.answer == 180
        assert found.steps[-1].endswith("= 180")
        assert not found.missing

    def test_a_problem_inside_the_formalism_is_told_in_plain_sentences_for_pairs(self):
        sheet = sheet_of(COINS)
        found = read_by_hand(
            sheet,
            filled(
                sheet,
                means(Relation.HAS, "Otto", "coins"),
                means(Relation.GETS, "Otto", "coins"),
                means(Relation.LOSES, "Otto", "coins"),
                means(Relation.HAS, "Otto", "coins", asked=True),
            ),
        )
        assert found.answer == 46
        assert read(found.plain).solution.answer == 46

    @pytest.mark.parametrize("whole", [("", "jugs"), ("shelf", "jugs")])
    def test_a_change_that_is_asked_lies_between_what_was_and_what_is(self, whole):
        sheet = sheet_of(ADDED)
        found = read_by_hand(
            sheet,
            filled(
                sheet,
                means(Relation.HAS, *whole),
                means(Relation.HAS, *whole),
                means(Relation.GETS, *whole, asked=True),
            ),
        )
        assert found.answer == 4

    def test_what_there_was_at_first_can_be_asked(self):
        text = "Ida ate 7 figs. She sees 5 figs left. How many figs lay there at first?"
        sheet = sheet_of(text)
        found = read_by_hand(
            sheet,
            filled(
                sheet,
                means(Relation.LOSES, "Ida", "figs"),
                means(Relation.HAS, "Ida", "figs"),
                means(Relation.HAS, "Ida", "figs", asked=True, first=True),
            ),
        )
        assert found.answer == 12

    def test_equal_shares_are_worked_out(self):
        text = "24 figs went around a table of 6 guests, all alike. How many figs a guest?"
        sheet = sheet_of(text)
        found = read_by_hand(
            sheet,
            filled(
                sheet,
                means(Relation.HAS, "", "figs"),
                means(Relation.HAS, "", "guests"),
                means(Relation.HOLDS, "", "figs", "guest", asked=True),
            ),
        )
        assert found.answer == 4


def coins(*meanings):
    sheet = sheet_of(COINS)
    return sheet, read_by_hand(sheet, filled(sheet, *meanings))


HAS = means(Relation.HAS, "Otto", "coins")
GETS = means(Relation.GETS, "Otto", "coins")
LOSES = means(Relation.LOSES, "Otto", "coins")
ASKED = means(Relation.HAS, "Otto", "coins", asked=True)


class TestWhatIsMissing:
    def test_a_number_without_a_meaning_is_named(self):
        sheet = sheet_of(COINS)
        found = read_by_hand(sheet, [None, *filled(sheet, HAS, GETS, LOSES, ASKED)[1:]])
        assert found.answer is None
        assert found.missing == ("Sentence 1, “40 coins”: explain it, or mark it as irrelevant.",)

    def test_a_number_that_the_answer_does_not_need_must_be_set_aside(self):
        sheet, found = coins(HAS, means(Relation.GETS, "uncle", "coins"), LOSES, ASKED)
        assert found.answer is None
        assert found.unneeded == (1,)
        assert "is not needed for the answer" in found.missing[0]
        again = read_by_hand(sheet, filled(sheet, HAS, NOTHING, LOSES, ASKED))
        assert again.answer == 31

    @over(
        ("meanings", "reason"),
        [
            ((HAS, GETS, LOSES, NOTHING), "say what is asked"),
            ((HAS, GETS, means(Relation.GIVES, "Otto", "coins"), ASKED), "two people are needed"),
            ((HAS, GETS, means(Relation.GIVES, "Otto", "coins", "Otto"), ASKED), "two different"),
            ((HAS, GETS, means(Relation.HOLDS, "Otto", "coins"), ASKED), "in each of what"),
            ((HAS, GETS, means(Relation.LOSES, "Otto", ""), ASKED), "say of what"),
            ((HAS, GETS, means(Relation.TOGETHER, "Otto", "coins"), ASKED), "needs two people"),
            ((HAS, means(Relation.HAS, "Otto", "coins"), LOSES, ASKED), "contradicts"),
            ((HAS, GETS, LOSES, means(Relation.HAS, "Otto", "bills", asked=True)),
             "Is the same thing called by two names?"),
            ((HAS, LOSES, means(Relation.GETS, "Otto", "coins"),
              means(Relation.HAS, "Max", "coins", asked=True)), "does not follow"),
            ((LOSES, GETS, HAS, ASKED), "less than none"),
        ],
    )  # fmt: skip
    def test_contradictory_or_incomplete_forms_get_a_sentence(self, meanings, reason):
        _, found = coins(*meanings)
        assert found.answer is None
        assert any(reason in each for each in found.missing), found.missing

    def test_less_than_none_is_refused(self):
        sheet = sheet_of("Otto lays 4 coins down. Then 9 coins roll off. How many remain?")
        found = read_by_hand(sheet, filled(sheet, HAS, LOSES, ASKED))
        assert "less than none" in found.missing[0]

    def test_a_share_that_does_not_come_out_is_refused(self):
        sheet = sheet_of("Otto lays 9 coins in 4 rows, all alike. How many coins a row?")
        found = read_by_hand(
            sheet,
            filled(
                sheet, HAS, means(Relation.HAS, "Otto", "rows"),
                means(Relation.HOLDS, "Otto", "coins", "row", asked=True),
            ),
        )  # fmt: skip
        assert "no whole number" in found.missing[0]

    def test_a_percentage_can_only_be_set_aside(self):
        sheet = sheet_of("Otto spends 20% of 60 coins. How many coins has he now?")
        found = read_by_hand(sheet, filled(sheet, LOSES, HAS, ASKED))
        assert "no number to work with" in found.missing[0]

    def test_another_number_than_the_texts_is_refused(self):
        sheet = sheet_of(COINS)
        meanings = filled(sheet, HAS, GETS, LOSES, ASKED)
        changed = replace(meanings[0].statement, number=Fraction(41))
        found = read_by_hand(sheet, [Meaning(changed), *meanings[1:]])
        assert "the number is 40 in the text" in found.missing[0]

    @given(st.permutations([HAS, GETS, LOSES, means(Relation.MORE, "Otto", "coins", "Ida")]))
    def test_no_filling_leaves_a_number_of_the_text_unused(self, order):
        sheet = sheet_of(COINS)
        meanings = filled(sheet, *order[:3], ASKED)
        found = read_by_hand(sheet, meanings)
        if found.answer is not None:
            assert len(found.steps) >= 2
            told = " ".join(found.told)
            assert all(number in told for number in ("40", "15", "9"))


class TestTeaching:
    TEXT = "Nadia had 41 beads. Then she snaffled 9 beads. How many beads does Nadia have now?"

    def test_what_was_said_reads_the_next_text_of_its_kind(self):
        sheet = sheet_of(self.TEXT)
        words = taught_words(sheet, filled(sheet, None, means(Relation.GETS, "Nadia", "beads"),
                                           None))  # fmt: skip
        assert [(verb.lemma, verb.does) for verb in words.verbs] == [("snaffle", "gain")]
        assert words.names == ("Nadia",)
        other = "Ole had 12 caps. Then he snaffled 5 caps. How many caps does Ole have now?"
        assert answer(other).answer is None
        with using(words_for_reading(words)):
            assert answer(other).answer == 17

    def test_what_is_known_or_cannot_be_taught_is_left_out(self):
        sheet = sheet_of("Nadia had 41 beads. She traded 9 beads. How many has she?")
        words = taught_words(
            sheet,
            filled(
                sheet, None, means(Relation.LOSES, "Nadia", "beads"),
                means(Relation.HAS, "Nadia", "beads", asked=True),
            ),
        )  # fmt: skip
        assert words.verbs == ()
        words_for_reading(words)

    def test_it_is_added_to_what_was_taught_before(self):
        sheet = sheet_of(self.TEXT)
        meanings = filled(sheet, None, means(Relation.GETS, "Nadia", "beads"), None)
        once = taught_words(sheet, meanings)
        assert taught_words(sheet, meanings, once) == once
