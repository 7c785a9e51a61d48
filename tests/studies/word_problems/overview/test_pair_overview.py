"""A set of pairs at a glance: what it measures, and what it warns of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from biaslab.studies import Design, Item, Pair, experiment
from biaslab.studies.word_problems.overview import (
    Aspect,
    Imbalance,
    PairOverview,
    pair_overview,
    treatment_of,
)
from biaslab.studies.word_problems.overview.measures import (
    MEASURES,
    grammar_faults,
    names_in,
    number_words_in,
    thing_asked,
)
from biaslab.studies.word_problems.presets.carry import EXPERIMENT as CARRY
from biaslab.studies.word_problems.presets.consistency import EXPERIMENT as CONSISTENCY
from biaslab.studies.word_problems.presets.transfer_comparison import EXPERIMENT as TRANSFER
from tests.loops import over

COMPOSED_LINES = (
    ("consistency", "container . transfer- . comparison+ inconsistent", "2-20"),
    ("predicate", "container . comparison+", "2-20"),
    ("carry", "container . comparison+", "100-999"),
    ("number-size", "container . transfer- . comparison+", "2-999"),
    ("operand-order", "container . transfer+", "2-99"),
    ("irrelevant-sentence", "container . transfer- . comparison+", "2-20"),
    ("sentence-order", "container . comparison+ . comparison-", "2-20"),
    ("giver", "container . transfer A>B", "2-20"),
    ("name-familiarity", "container . transfer- . comparison+", "2-20"),
    ("question-wording", "container . transfer- . rate", "2-20"),
)

RELEASED = Path(__file__).resolve().parents[5] / "shared" / "data"


def overview_of(study, n: int = 150, **settings: object) -> PairOverview:
    design = Design(study.name, n, 5, settings)
    return pair_overview(study.pairs(design), design)


def texts(x: str, x_prime: str, answer: str = "7", other: str = "") -> Pair:
    items = Item.of("t", x, answer, {}), Item.of("t", x_prime, other or answer, {})
    return Pair.of(*items, {}, "c")


def warnings_of(*pairs: Pair, study: str = "consistency") -> dict[Aspect, Imbalance]:
    found = pair_overview(pairs, Design(study, len(pairs), 1)).warnings
    return {warning.aspect: warning for warning in found}


class TestGeneratedPairs:
    @pytest.mark.parametrize(
        ("study", "chosen"),
        [
            (CARRY, {}),
            (CONSISTENCY, {"multiplicative": "3 times fewer"}),
            (CONSISTENCY, {"operations": "additive"}),
            (CONSISTENCY, {"version": "1"}),
        ],
    )
    def test_differ_in_nothing_but_the_treatment(self, study, chosen):
        assert overview_of(study, **chosen).warnings == ()

    def test_one_third_as_many_has_a_numeral_more_which_is_said(self):
        found = overview_of(CONSISTENCY).warnings
        assert {warning.aspect for warning in found} == {Aspect.NUMBERS, Aspect.DIGITS}

    def test_comparisons_are_longer_than_transfers_within_the_treatment_alone(self):
        found = {warning.aspect: warning for warning in overview_of(TRANSFER).warnings}
        # Only what changed is asked for with "now".
        assert set(found) <= {Aspect.WORDS, Aspect.CHARACTERS, Aspect.QUESTION}
        assert found[Aspect.WORDS].mean_difference < -3
        assert found[Aspect.WORDS].within

    @over(("treatment", "line", "numbers"), COMPOSED_LINES)
    def test_whatever_the_treatment_nothing_else_differs(self, treatment, line, numbers):
        settings = {"treatment": treatment, "structure": line, "numbers": numbers}
        overview = overview_of(experiment("composed"), 60, **settings)
        assert overview.treatment == treatment
        left_over = {warning.aspect for warning in overview.warnings}
        # A comparison has more words than a transfer, as in the published study.
        assert left_over <= (
            {Aspect.WORDS, Aspect.CHARACTERS, Aspect.QUESTION}
            if treatment == "predicate"
            else set()
        )
        assert all(warning.within for warning in overview.warnings)

    def test_are_counted_as_they_were_dealt(self):
        overview = overview_of(CARRY, 160, carries="2")
        carries = overview.distribution("carries")
        assert (carries.x, carries.x_prime) == (((0, 160),), ((2, 160),))
        operations = dict(overview.distribution("operations").x)
        assert operations == {"addition": 80, "subtraction": 80}

    def test_steps_are_level_in_both_members(self):
        steps = overview_of(CONSISTENCY).distribution("steps")
        assert steps.x == steps.x_prime == tuple((n, 30) for n in range(1, 6))
        assert steps.mean_x == pytest.approx(3)

    def test_sentence_kinds_tell_the_wording_of_the_comparison(self):
        kinds = overview_of(CONSISTENCY).distribution("kinds")
        assert dict(kinds.x)["comparison consistent"] == 150
        assert dict(kinds.x_prime)["comparison inconsistent"] == 150
        assert dict(kinds.x)["container"] == 150

    def test_every_measure_has_values(self):
        names = [each.measure.name for each in overview_of(TRANSFER).distributions]
        assert names == [measure.name for measure in MEASURES]

    def test_numbers_stay_in_the_range_that_was_asked_for(self):
        numbers = overview_of(TRANSFER, numbers="5-9").distribution("numbers")
        assert min(numbers.x)[0] >= 5
        assert max(numbers.x)[0] <= 9
        assert overview_of(TRANSFER, numbers="5-9").distribution("digits").mean_x == 1


ASKED = "How many pens does Ben have?"


class TestWarnings:
    def test_zero_digits(self):
        found = warnings_of(
            texts(f"Ana has 130 pens. {ASKED}", f"Ana has 124 pens. {ASKED}"),
            texts(f"Ana has 125 pens. {ASKED}", f"Ana has 124 pens. {ASKED}"),
            study="carry",
        )
        assert list(found) == [Aspect.ZEROS]
        assert found[Aspect.ZEROS].pairs == 1
        assert found[Aspect.ZEROS].mean_difference == 0.5

    def test_number_words_and_what_they_bring_along(self):
        found = warnings_of(texts(f"Ana has three pens. {ASKED}", f"Ana has 3 pens. {ASKED}"))
        assert found[Aspect.NUMBER_WORDS].mean_difference == 1

    def test_grammar_of_one_member_alone(self):
        found = warnings_of(texts(f"Ana has 3 pens. {ASKED}", f"Ana has 3 pen. {ASKED}"))
        assert found[Aspect.GRAMMAR].mean_difference == -1

    def test_the_wording_of_the_question(self):
        one = f"Ana has 3 pens. {ASKED}"
        found = warnings_of(texts(one, one.replace("have?", "own now?")))
        assert "own now" in found[Aspect.QUESTION].detail

    def test_a_word_that_opens_a_sentence_is_no_name(self):
        one = f"Ana has 3 pens. Ben gives her 2 pens. {ASKED}"
        found = warnings_of(texts(one, one.replace("Ben gives", "Additionally, Ben gives")))
        assert Aspect.NAMES not in found

    def test_names(self):
        one = f"Ana has 3 more pens than Ben. {ASKED}"
        found = warnings_of(texts(one, one.replace("Ana", "Zoe")))
        assert list(found) == [Aspect.NAMES]
        assert "only in x: Ana; only in x′: Zoe" in found[Aspect.NAMES].detail

    def test_size_and_digits_of_numbers(self):
        one = f"Ana has 9 pens. {ASKED}"
        found = warnings_of(texts(one, one.replace("9", "19")))
        assert found[Aspect.NUMBERS].mean_difference == -10
        assert found[Aspect.DIGITS].mean_difference == -1

    def test_length_and_number_of_sentences(self):
        one = f"Ana has 9 pens. {ASKED}"
        found = warnings_of(texts(one, f"It is late. {one}"))
        assert found[Aspect.WORDS].mean_difference == -3
        assert found[Aspect.SENTENCES].mean_difference == -1

    def test_a_letter_more_in_as_many_words(self):
        one = f"Ana has 9 red pens. {ASKED}"
        found = warnings_of(texts(one, one.replace("red", "pink")), study="imported")
        assert list(found) == [Aspect.CHARACTERS]

    def test_answers(self):
        found = warnings_of(texts(ASKED, ASKED + " ", "7", "8"))
        assert found[Aspect.ANSWER].detail == "7 and 8"

    def test_a_sentence_that_the_treatment_should_have_left_alone(self):
        # Given a made pair in which a sentence was changed beside the treated one
        (pair,) = CONSISTENCY.pairs(Design("consistency", 1, 3, {"steps": "2"}))
        facts = dict(pair.x_prime.facts)
        index = next(i for i in range(3) if i not in facts["treated"])
        changed = list(facts["sentences"])
        changed[index] = "Once upon a time it was so."
        facts["sentences"] = changed
        other = Item.of("t", " ".join(changed), pair.x_prime.answer, facts)
        # Then it is named.
        found = warnings_of(replace(pair, x_prime=other))
        assert "Once upon a time" in found[Aspect.ELSEWHERE].detail
        assert not found[Aspect.ELSEWHERE].within

    def test_what_the_treatment_names_is_no_warning(self):
        one = "Ben has 3 fewer pens than Ana. How many pens does Ben have?"
        other = "Ana has 3 more pens than Ben. How many pens does Ben have?"
        assert not warnings_of(texts(one, other))
        assert not warnings_of(
            texts(
                "Ana has 3 times as many pens as Ben. Ask.", "Ben has 3 times fewer pens than Ana."
                " Ask.",
            )
        )  # fmt: skip

    def test_words_that_the_treatment_leaves_alone(self):
        # Given a comparison that says another verb in one member
        one = f"Ben has 3 fewer pens than Ana. {ASKED}"
        found = warnings_of(texts(one, f"Ana got 3 more pens than Ben. {ASKED}"))
        assert list(found) == [Aspect.WORDING]
        # and numbers that bring another noun along
        one = f"Ana has 130 pens. {ASKED}"
        found = warnings_of(texts(one, one.replace("130 pens", "240 jars")), study="carry")
        assert list(found) == [Aspect.WORDING]

    def test_a_set_of_mixed_pairs_says_the_treatment_of_each(self):
        # Given pairs of a set, whose design does not know what differs
        pair = texts(f"Ana has 120 pens. {ASKED}", f"Ana has 340 pens. {ASKED}")
        carry = replace(pair, strata={"treatment": "carry"})
        # Then only the pair that does not say that its numbers differ is warned of.
        found = warnings_of(pair, carry, study="imported")
        assert found[Aspect.NUMBERS].pairs == 1

    def test_say_in_one_sentence_how_many_and_how_much(self):
        found = warnings_of(texts(f"Ana has 130 pens. {ASKED}", f"Ana has 124 pens. {ASKED}"),
                            study="carry")  # fmt: skip
        assert str(found[Aspect.ZEROS]) == (
            "In 1 of 1 pairs the members differ in zero digits: x has 1.00 more zero digits on "
            "average."
        )

    def test_no_pairs_give_no_measures_and_no_warnings(self):
        empty = pair_overview([], Design("carry", 1, 1))
        assert (empty.pairs, empty.distributions, empty.warnings) == (0, (), ())


def test_a_composed_design_names_its_treatment_itself():
    assert treatment_of(Design("composed", 1, 1, {"treatment": "giver"})) == "giver"
    assert treatment_of(Design("composed", 1, 1)) == "consistency"
    assert treatment_of(Design("carry", 1, 1)) == "carry"
    assert treatment_of(Design("imported", 1, 1, {"set": 3})) == ""


class TestGrammar:
    @over(
        "sentence",
        ["Ana has 1 apples.", "Ana has 3 box of pens.", "Ana buys 2 more red apple.",
         "Ana has 3 watchs.", "Ana has has 3 pens.", "Ana have 3 pens.", "ana has 3 pens.",
         "Ana has 3 pens"],
    )  # fmt: skip
    def test_plain_faults_are_named(self, sentence):
        assert len(grammar_faults(sentence)) == 1

    @over(
        "sentence",
        ["Ana has 1 apple.", "Ana has 3 boxes of pens.", "How many pens does Ana have?",
         "All of Ana's pens go into boxes that hold 5 each.", "Ana has 3 times as many pens as Jo.",
         "Ana's pens are packed into boxes, 5 to a box.", "Ana has 11 orange wallets.",
         "How many do Ana and Ben have?", "Ana has 2 glasses."],
    )  # fmt: skip
    def test_right_sentences_are_left_alone(self, sentence):
        assert grammar_faults(sentence) == []

    @pytest.mark.parametrize("study", [CONSISTENCY, TRANSFER, CARRY], ids=lambda study: study.name)
    def test_no_sentence_of_ours_has_a_fault(self, study):
        for pair in study.pairs(Design(study.name, 200, 11)):
            for item in (pair.x, pair.x_prime):
                asked = thing_asked(item.facts["sentences"][-1])
                for sentence in item.facts["sentences"]:
                    assert grammar_faults(sentence, asked) == []

    def test_a_noun_that_is_in_no_list_is_judged_by_the_question(self):
        assert grammar_faults("Ana has 3 gizmo.", thing_asked("How many gizmos does Ana have?"))
        assert not grammar_faults("Ana has 1 gizmo.", "gizmos")


def test_openers_and_number_words_are_no_names():
    assert names_in("How many pens does Ana-Maria have? Three more than Ben.") == [
        "Ana-Maria", "Ben",
    ]  # fmt: skip
    assert number_words_in("Twice as many as twelve dozen, 3 tents.") == 3


@pytest.mark.skipif(not RELEASED.exists(), reason="the released files are not here")
def test_zero_digits_of_the_released_carry_file_are_found_unbalanced():
    frame = pd.read_csv(RELEASED / "carry_500.csv", dtype=str)
    columns = frame["paraphrase no carry"], frame["paraphrase carry"], frame["answer"]
    found = warnings_of(*(texts(*row) for row in zip(*columns, strict=True)), study="carry")
    assert found[Aspect.ZEROS].pairs == 300
    assert found[Aspect.ZEROS].mean_difference > 0
