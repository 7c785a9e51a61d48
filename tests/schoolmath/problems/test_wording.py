"""Wording: every kind of sentence in at least four ways, grammatical without correction."""

from __future__ import annotations

import re
from itertools import product

import pytest

from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Entity,
    Question,
    Rate,
    Statement,
    Transfer,
    VocabularyError,
    phrasings,
    vocabulary,
    write_question,
    write_statement,
)
from schoolmath.problems.writing import _KINDS, MINIMUM_PHRASINGS
from tests.loops import over

APPLE, BOX = Entity("apple", "red"), Entity("apple", "red", "box")
ADD, TIMES = ComparisonType.ADDITIVE, ComparisonType.MULTIPLICATIVE
RELATIONAL = re.compile(r"\b(more|fewer|less|times)\b")


def every_statement(quantity: int):
    predicates = [
        (Container("Ana", quantity, APPLE), None, False),
        (Transfer("Ana", "Ben", quantity, APPLE), None, False),
        (Transfer("Ana", None, quantity, APPLE), None, False),
        (Transfer(None, "Ben", quantity, APPLE), None, False),
        (Rate("Ana", quantity, APPLE, BOX), None, False),
        (Rate("Ana", quantity, APPLE, BOX), None, True),
        *(
            (Comparison(kind, "Ana", "Ben", quantity, APPLE), form, False)
            for kind, form in product((ADD, TIMES), ComparisonForm)
            if kind is TIMES or form is not ComparisonForm.B_PART
        ),
    ]
    for (predicate, form, dividing), phrasing in product(predicates, range(MINIMUM_PHRASINGS)):
        yield Statement(predicate, form, phrasing, dividing)


class TestPhrasings:
    @over("kind", _KINDS)
    def test_every_kind_of_sentence_has_at_least_four_different_phrasings(self, kind):
        assert len(set(phrasings()[kind])) >= 4

    @pytest.mark.parametrize(
        ("more", "fewer"),
        [
            ("comparison more", "comparison fewer"),
            ("comparison times as many", "comparison times fewer"),
        ],
    )
    def test_phrasings_at_one_position_are_twins_but_for_the_relational_words(self, more, fewer):
        def bare(template: str) -> str:
            return re.sub(r"\b(more|fewer|times as many|times fewer|as|than)\b", "", template)

        for one, other in zip(phrasings()[more], phrasings()[fewer], strict=True):
            assert bare(one).split() == bare(other).split()

    @pytest.mark.parametrize("kind", [k for k in _KINDS if not k.startswith("comparison")])
    def test_relational_words_stand_in_comparisons_only(self, kind):
        assert not any(RELATIONAL.search(template) for template in phrasings()[kind])

    def test_too_few_phrasings_are_refused(self, tmp_path):
        path = tmp_path / "phrasings.yaml"
        path.write_text("phrasings:\n  container: ['{agent} has {q} {n}.']\n")
        with pytest.raises(VocabularyError, match="at least 4 phrasings"):
            phrasings(path)


class TestSentences:
    @pytest.mark.parametrize("quantity", [1, 2, 17, 999])
    def test_a_sentence_says_its_number_once_and_no_other(self, quantity):
        for statement in every_statement(quantity):
            part = "1/" if statement.form is ComparisonForm.B_PART else ""
            assert re.findall(r"[\d/]+", write_statement(statement)) == [f"{part}{quantity}"]

    def test_a_sentence_begins_with_a_capital_and_ends_with_a_full_stop(self):
        for statement in every_statement(5):
            sentence = write_statement(statement)
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert "  " not in sentence

    def test_somebody_without_a_name_has_a_capital_at_the_beginning_alone(self):
        farmer, baker = "the farmer", "the baker"
        has = Statement(Container(farmer, 3, APPLE))
        compares = Statement(Comparison(ADD, baker, farmer, 2, APPLE), ComparisonForm.A_MORE)
        assert write_statement(has) == "The farmer has 3 red apples."
        assert write_statement(compares) == "The baker has 2 more red apples than the farmer."

    def test_one_thing_is_singular_and_several_are_plural(self):
        one, two = (
            write_statement(Statement(Container("Ana", quantity, APPLE))) for quantity in (1, 2)
        )
        assert one == "Ana has 1 red apple."
        assert two == "Ana has 2 red apples."

    def test_a_multiplicative_comparison_has_a_third_form_that_has_one_meaning(self):
        predicate = Comparison(TIMES, "Ana", "Ben", 10, APPLE)
        sentences = [write_statement(Statement(predicate, form)) for form in ComparisonForm]
        assert sentences == [
            "Ana has 10 times as many red apples as Ben.",
            "Ben has 10 times fewer red apples than Ana.",
            "Ben has 1/10 as many red apples as Ana.",
        ]

    def test_a_question_says_now_only_when_asked_to(self):
        for phrasing in range(MINIMUM_PHRASINGS):
            still = write_question(Question("Ana", APPLE, phrasing))
            changed = write_question(Question("Ana", APPLE, phrasing, now=True))
            assert "now" not in still
            assert changed.replace(" now", "") == still

    def test_packing_and_holding_name_the_container_of_the_agent(self):
        holding = Statement(Rate("Ana", 6, APPLE, BOX))
        packing = Statement(Rate("Ana", 6, APPLE, BOX), dividing=True)
        assert write_statement(holding) == "Each of Ana's boxes holds 6 red apples."
        assert write_statement(packing) == (
            "All of Ana's red apples are packed into boxes, 6 to a box."
        )

    def test_an_uncountable_thing_is_never_written_without_a_measure(self):
        with pytest.raises(VocabularyError, match="cannot be counted"):
            vocabulary().write(Entity("milk"), 2)
