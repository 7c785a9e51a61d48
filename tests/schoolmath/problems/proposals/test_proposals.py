"""Readings that a model or a person proposes: what follows from them, and which are believed."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schoolmath.problems.proposals import (
    AmountRelation,
    Proposal,
    ProposalError,
    ProposedStatement,
    check,
    lines_of,
    sentences_of,
    value_of,
    work_out,
)
from schoolmath.problems.proposals.simulated import ERROR_NAMES, guessed, with_error
from schoolmath.problems.proposals.statements import LONGEST_REPLY, MOST_STATEMENTS
from schoolmath.problems.stories import UnderstoodStory
from schoolmath.problems.stories.understanding import account_of
from tests.loops import over


def told(
    relation: str, who: str, number: int | str, what: str, whom: str = "", sentence: int = 0
) -> ProposedStatement:
    """A statement; "?" is asked for, "some" is not told; several are joined by "+"."""
    return ProposedStatement(
        AmountRelation(relation),
        tuple(who.split("+")) if who else (),
        tuple(what.split("+")),
        None if isinstance(number, str) else Fraction(number),
        number == "?",
        whom,
        sentence,
    )


def proposed(*statements: ProposedStatement) -> Proposal:
    return Proposal(statements)


# Every text has a reading that is right, and the answer.
READINGS = {
    "Rosa had 67 flowers. Rosa found some more flowers. Now Rosa has 90 flowers. "
    "How many flowers did Rosa find?": (
        proposed(
            told("has", "Rosa", 67, "flowers"),
            told("gets", "Rosa", "?", "flowers", sentence=1),
            told("has", "Rosa", 90, "flowers", sentence=2),
        ),
        23,
    ),
    "Ana has 9 red pens. Ben has 4 more red pens than Ana. "
    "How many red pens do Ana and Ben have together?": (
        proposed(
            told("has", "Ana", 9, "red pens"),
            told("more", "Ben", 4, "red pens", "Ana", 1),
            told("together", "Ana+Ben", "?", "red pens", sentence=2),
        ),
        22,
    ),
    "Mia had 24 stickers. She gave 9 stickers to Omar. How many stickers does Mia have now?": (
        proposed(
            told("has", "Mia", 24, "stickers"),
            told("gives", "Mia", 9, "stickers", "Omar", 1),
            told("has", "Mia", "?", "stickers", sentence=2),
        ),
        15,
    ),
    "Each box holds 6 eggs. Tom has 4 boxes. How many eggs does Tom have?": (
        proposed(
            told("holds", "Tom", 6, "eggs", "box"),
            told("has", "Tom", 4, "boxes", sentence=1),
            told("has", "Tom", "?", "eggs", sentence=2),
        ),
        24,
    ),
}


class TestWhatFollows:
    @pytest.mark.parametrize("text", READINGS)
    def test_the_number_that_is_asked_for_is_worked_out(self, text):
        proposal, answer = READINGS[text]
        assert work_out(proposal).answer == answer

    def test_what_there_was_at_first_follows_backwards(self):
        found = work_out(
            proposed(
                told("has", "Ana", "?", "pens"),
                told("gives", "Ana", 3, "pens", "Ben", 1),
                told("has", "Ana", 7, "pens", sentence=2),
            )
        )
        assert found.answer == 10
        assert found.steps == ("7 + 3 = 10",)

    def test_containers_are_counted_by_dividing(self):
        found = work_out(
            proposed(
                told("has", "", 24, "eggs"),
                told("holds", "", 6, "eggs", "box"),
                told("has", "", "?", "boxes"),
            )
        )
        assert found.answer == 4

    def test_two_statements_that_contradict_each_other_are_refused(self):
        with pytest.raises(ProposalError, match="contradicts"):
            work_out(
                proposed(
                    told("has", "Ana", 5, "pens"),
                    told("has", "Ana", 3, "pens"),
                    told("has", "Ana", "?", "pens"),
                )
            )

    def test_what_does_not_follow_is_refused(self):
        with pytest.raises(ProposalError, match="does not follow"):
            work_out(proposed(told("gets", "Ana", 3, "pens"), told("has", "Ana", "?", "pens")))

    def test_nothing_is_divided_by_nothing(self):
        with pytest.raises(ProposalError, match="divides by nothing"):
            work_out(
                proposed(
                    told("has", "", 24, "eggs"),
                    told("holds", "", 0, "eggs", "box"),
                    told("has", "", "?", "boxes"),
                )
            )

    @given(st.lists(st.integers(0, 300), min_size=1, max_size=7))
    def test_any_chain_of_changes_adds_up_forwards_and_backwards(self, amounts):
        changes = [after - before for before, after in pairwise(amounts)]
        steps = [
            told("gets" if each >= 0 else "loses", "Ana", abs(each), "pens") for each in changes
        ]
        forwards = proposed(
            told("has", "Ana", amounts[0], "pens"), *steps, told("has", "Ana", "?", "pens")
        )
        backwards = proposed(
            told("has", "Ana", "?", "pens"), *steps, told("has", "Ana", amounts[-1], "pens")
        )
        assert work_out(forwards).answer == amounts[-1]
        assert work_out(backwards).answer == amounts[0]

    def test_nothing_is_less_than_none(self):
        with pytest.raises(ProposalError, match="less than none"):
            work_out(
                proposed(
                    told("has", "Ana", 3, "pens"),
                    told("loses", "Ana", 5, "pens"),
                    told("gets", "Ana", 9, "pens"),
                    told("has", "Ana", "?", "pens"),
                )
            )


class TestReplies:
    def test_the_first_object_of_a_reply_is_read(self):
        reply = json.dumps(
            {
                "statements": [
                    {"sentence": 1, "relation": "has", "who": ["Ana"], "number": 5,
                     "what": ["pens"]},
                    {"sentence": 2, "relation": "has", "who": ["Ana"], "number": "?",
                     "what": ["pens"], "whom": ""},
                ]
            }
        )  # fmt: skip
        assert Proposal.from_json(f"Here it is:\n```json\n{reply}\n```") == proposed(
            told("has", "Ana", 5, "pens"), told("has", "Ana", "?", "pens", sentence=1)
        )

    @over(
        ("reply", "reason"),
        [
            ("I don't know.", "no JSON"),
            ('{"statements": [', "breaks off"),
            ('{"answer": 5}', "statements"),
            ('{"statements": []}', "at least 1"),
            ('{"statements": [{"sentence": 1, "relation": "eats", "who": [], "number": 1, '
             '"what": ["pens"]}]}', "relation"),
            ('{"statements": [{"sentence": 1, "relation": "has", "who": [], "number": "a/b", '
             '"what": ["pens"]}]}', "no number"),
            ('{"statements": [{"sentence": 1, "relation": "has", "who": [], "number": 1, '
             '"what": ["pens"]}]}', "asked for"),
            ('{"a":' * 3_000, "nested|breaks off"),
            ("x" * (LONGEST_REPLY + 1), "longer"),
        ],
    )  # fmt: skip
    def test_anything_else_is_refused_with_what_is_wrong(self, reply, reason):
        with pytest.raises(ProposalError, match=reason):
            Proposal.from_json(reply)

    def test_too_many_statements_are_refused(self):
        each = {"sentence": 1, "relation": "has", "who": [], "number": "?", "what": ["pens"]}
        with pytest.raises(ProposalError, match="at most"):
            Proposal.from_json(json.dumps({"statements": [each] * (MOST_STATEMENTS + 1)}))

    @given(st.text(max_size=200))
    def test_no_reply_does_anything_but_be_read_or_refused(self, reply):
        for read in (Proposal.from_json, value_of):
            with suppress(ProposalError):
                read(reply)


class TestCalculations:
    @pytest.mark.parametrize(
        ("reply", "value"),
        [
            ("(5 + 3) * 2", 16),
            ("5 × 3 = 16", 15),
            ("Let me see.\n$1,200 − 3.5", Fraction("1196.5")),
            ("`12 / 8`", Fraction(3, 2)),
        ],
    )
    def test_the_last_line_that_is_a_calculation_counts_and_is_worked_out_here(self, reply, value):
        assert value_of(reply) == value

    @pytest.mark.parametrize("reply", ["", "nine", "9 ** 9 ** 9", "1 / 0", "7 +", "abs(3)"])
    def test_anything_else_is_refused(self, reply):
        with pytest.raises(ProposalError):
            value_of(reply)

    def test_of_all_that_its_signs_can_write_the_four_operations_alone_are_worked_out(self):
        """Every text of up to four of them: powers, whole quotients, lists and calls are none."""
        worked_out = []
        for size in range(1, 5):
            for signs in product("2-*/(),", repeat=size):
                with suppress(ProposalError):
                    value_of(written := "".join(signs))
                    worked_out.append(written)
        assert {"2*2", "2/2", "2-2", "(2)", "2*-2"} < set(worked_out)
        assert [each for each in worked_out if re.search(r"\*\*|//|,|\)\(|2\(|\)2", each)] == []


class TestBelieving:
    @pytest.mark.parametrize("text", READINGS)
    def test_a_right_reading_is_believed(self, text):
        proposal, answer = READINGS[text]
        found = check(text, proposal, Fraction(answer))
        assert found.reasons == ()
        assert found.answer == answer

    def test_a_second_reading_must_agree(self):
        (text, (proposal, answer)), *_ = READINGS.items()
        assert "There is no second reading" in check(text, proposal, None).reasons[0]
        assert "gives 24, not 23" in check(text, proposal, Fraction(answer + 1)).reasons[0]

    def test_an_answer_that_is_given_must_agree(self):
        (text, (proposal, answer)), *_ = READINGS.items()
        assert check(text, proposal, Fraction(answer), Fraction(answer)).answer == answer
        found = check(text, proposal, Fraction(answer), Fraction(answer + 2))
        assert found.reasons == ("The answer given is 25, not 23.",)

    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({1: told("more", "Ben", 5, "red pens", "Ana", 1)}, "4 of sentence 2 is not used"),
            ({1: told("fewer", "Ben", 4, "red pens", "Ana", 1)}, "does not say “fewer”"),
            ({1: told("gets", "Ben", 4, "red pens", "", 1)}, "does not follow"),
            ({1: told("more", "Ana", 4, "red pens", "Ben", 1)}, "about others than Ana"),
            ({2: told("has", "Ben", "?", "red pens", "", 2)}, "asks of"),
            ({0: told("has", "Zoe", 9, "red pens")}, "“Zoe” does not stand in the text"),
            ({0: told("has", "Ana", 9, "red cups")}, "“red cups” does not stand in the text"),
        ],
    )
    def test_what_the_text_does_not_say_is_a_reason_against(self, changes, reason):
        text = list(READINGS)[1]
        statements = [changes.get(i, each) for i, each in enumerate(READINGS[text][0].statements)]
        proposal = proposed(*statements)
        value = None
        with suppress(ProposalError):
            value = work_out(proposal).answer
        found = check(text, proposal, value)
        assert found.answer is None
        assert reason in " ".join(found.reasons)

    def test_what_the_text_leaves_untold_must_be_said(self):
        text = (
            "Ana had 9 pens. She bought some pens. Ana gave 2 pens to Ben. "
            "How many pens does Ana have now?"
        )
        found = check(
            text,
            proposed(
                told("has", "Ana", 9, "pens"),
                told("gives", "Ana", 2, "pens", "Ben", 2),
                told("has", "Ana", "?", "pens", sentence=3),
            ),
            Fraction(7),
        )
        assert "What sentence 2 leaves untold has no statement." in found.reasons

    def test_who_is_given_something_does_not_give_it(self):
        text = "Ana has 9 pens. Ana is given 4 pens by Ben. How many pens does Ana have now?"
        proposal = proposed(
            told("has", "Ana", 9, "pens"),
            told("loses", "Ana", 4, "pens", sentence=1),
            told("has", "Ana", "?", "pens", sentence=2),
        )
        assert check(text, proposal, Fraction(5)).answer is None

    def test_a_text_with_words_that_are_not_worked_out_here_is_refused(self):
        text = "Ana has 9 pens. Half of the pens are red. How many pens are red?"
        found = check(
            text,
            proposed(told("has", "Ana", 9, "pens"), told("has", "Ana", "?", "pens", sentence=2)),
            Fraction(9),
        )
        assert found.answer is None


class TestTyping:
    @pytest.mark.parametrize("text", READINGS)
    def test_a_proposal_is_told_again_in_sentences_with_every_statement(self, text):
        proposal, _ = READINGS[text]
        assert len(list(lines_of(proposal))) == len(proposal.statements)
        again = sentences_of(proposal)
        assert again.endswith("?")
        for each in proposal.statements:
            if each.number is not None:
                assert str(each.number) in again


class TestASimulatedProposer:
    """It is no model: a program that guesses and makes the errors that models make."""

    def test_makes_every_kind_of_error(self):
        assert len(set(ERROR_NAMES)) == 11

    @pytest.mark.parametrize("text", READINGS)
    def test_none_of_its_errors_changes_an_answer_unnoticed(self, text):
        """The second reading agrees with every error: the worst case."""
        account = account_of(text)
        assert not isinstance(account, UnderstoodStory)
        right, wrong = 0, 0
        for seed in range(300):
            random = Random(seed)
            with suppress(ProposalError):
                proposal = guessed(account, random)
                for _ in range(random.randrange(3)):
                    proposal = with_error(proposal, random)
                value = work_out(proposal).answer
                found = check(text, proposal, value)
                assert found.answer in {None, READINGS[text][1]}, proposal
                right += found.answer is not None
                wrong += value != READINGS[text][1]
        assert right > 0, "no positive control"
        assert wrong > 20, "no error to be found"
