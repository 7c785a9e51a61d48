"""Who has a question and a rationale's text, and nothing else, comes to its option alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import add, mul, sub

import pytest

from schoolmath.malrules.bank import BankDesign, BankMix, RationaleStyle, make_items, offers
from schoolmath.malrules.bank.quality import TracedOption, WorkedItem, followed, open_item
from schoolmath.malrules.library import dealt_forms
from schoolmath.malrules.rules import dealt_rules

ITEMS = 1200
"""Of each style and mix."""


@pytest.fixture(scope="module")
def opened() -> list[WorkedItem]:
    designs = [
        BankDesign(ITEMS, seed=4, style=style, mix=mix)
        for style in RationaleStyle
        for mix in BankMix
    ]
    return [open_item(item) for design in designs for item in make_items(design)]


def told(opened: list[WorkedItem]) -> Iterator[tuple[WorkedItem, TracedOption, str]]:
    """Every option with the rule behind it, or "key"."""
    for one in opened:
        for option in one.options:
            yield one, option, "key" if option.is_key else one.item.rules[option.letter]


def test_every_rationale_leads_to_its_option_and_to_no_other_answer(opened):
    for one, option, rule in told(opened):
        led = followed(one.problem, option.text)
        assert led == {option.worked.answer.value}, (rule, one.stem, option.text)


def test_nearly_every_form_is_among_them_with_each_of_its_rules(opened):
    forms = dealt_forms()
    offered = {offer.form for offer in offers()}
    there = {(form, rule.id) for form in offered for rule in dealt_rules()
             if issubclass(forms[form], rule.forms)}  # fmt: skip
    met = {(type(one.problem).__name__, rule) for one, _, rule in told(opened)}
    # The others give what a more frequent rule gives too, or nothing that could stand in an item.
    assert len(there - met) < len(there) / 10, sorted(there - met)
    assert offered == {form for form, _ in met}


class TestATextThatIsNotSound:
    @pytest.fixture
    def one(self, opened) -> WorkedItem:
        return opened[0]

    def test_leads_to_the_answer_of_the_option_that_it_was_taken_from(self, one):
        for option in one.options:
            others = [each.worked.answer.value for each in one.options if each is not option]
            assert not followed(one.problem, option.text) & set(others)

    @pytest.mark.parametrize("text", ["Guesses.", "", "Adds 987654 to it."])
    def test_leads_nowhere_where_no_way_is_told_so(self, one, text):
        assert not followed(one.problem, text) or not text

    def test_leads_to_several_answers_where_their_first_step_is_told_only(self, opened):
        shared = [
            one for one in opened
            if one.options[0].worked.steps[0].text
            in {step.text for told in one.options[1:] for step in told.worked.steps}
        ]  # fmt: skip
        assert shared
        for one in shared:
            first = one.options[0].worked.steps[0].text
            assert len(followed(one.problem, first[:1].upper() + first[1:] + ".")) > 1

    def test_leads_nowhere_where_its_clauses_come_in_another_order(self, opened):
        long = [told for one in opened for told in one.options if len(told.telling.told) > 1]
        one = next(one for one in opened if any(told is long[0] for told in one.options))
        turned = ", then ".join(reversed(long[0].telling.told))
        assert not followed(one.problem, turned[:1].upper() + turned[1:] + ".")


NUMBER = r"(-?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?)"
ENDS = r"(?: and gets| and writes|:| to get) "
CALCULATIONS: list[tuple[str, Callable[[Fraction, Fraction], Fraction]]] = [
    ("adds {n} (?:to|and) {n}", add),
    ("(?:takes|subtracts) {n} from {n}", lambda one, other: other - one),
    ("multiplies {n} (?:by|and) {n}", mul),
    ("divides {n} by {n}", lambda one, other: one / other),
    (r"[a-z ]+{n} \+ {n}", add),
    ("[a-z ]+{n} - {n}", sub),
    ("[a-z ]+{n} × {n}", mul),
]


def test_every_calculation_that_is_told_is_right(opened):
    found = 0
    for _, option, rule in told(opened):
        for clause in option.telling.told:
            for pattern, operation in CALCULATIONS:
                match = re.fullmatch(pattern.format(n=NUMBER) + ENDS + NUMBER, clause)
                if match is None:
                    continue
                one, other, result = (Fraction(each.replace(",", "")) for each in match.groups())
                assert operation(one, other) == result, (rule, clause)
                found += 1
    assert found > 500
