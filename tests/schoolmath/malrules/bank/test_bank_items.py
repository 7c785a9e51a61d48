"""What holds for every item of the bank: the seven invariants, over some thousand items.

Here the items are looked at from outside: answers, traces and numbers are worked out again with
the forms and rules alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from schoolmath.malrules import AnswerKind, Form, Working, read_form, rules, rules_for
from schoolmath.malrules.bank import (
    LETTERS,
    PUBLISHED_CLASSES,
    PUBLISHED_GRADES,
    BankDesign,
    ChoiceItem,
    ItemError,
    RationaleStyle,
    check_item,
    item_id,
    make_items,
    read_item,
    write_item,
)
from schoolmath.malrules.bank.rationales import QUESTIONS
from schoolmath.malrules.forms import NotDrawn
from schoolmath.malrules.library import dealt_forms
from schoolmath.malrules.rules import dealt_rules
from schoolmath.problems.draws import Draws
from tests.loops import over

ITEMS = 800
STYLES = [style.value for style in RationaleStyle]
TOKEN = re.compile(r"\d+(?:[.,]\d+)*(?:/\d+)?")


@pytest.fixture(scope="module", params=STYLES)
def items(request) -> list[ChoiceItem]:
    """A bank of the default mix in one style."""
    count = ITEMS if request.param == "terse" else ITEMS // 2
    return list(make_items(BankDesign(count, seed=7, style=request.param)))


@pytest.fixture(scope="module")
def terse() -> list[ChoiceItem]:
    return list(make_items(BankDesign(ITEMS, seed=11)))


@pytest.fixture(scope="module")
def teachers() -> list[ChoiceItem]:
    return list(make_items(BankDesign(ITEMS, seed=3, style="teacher")))


@pytest.fixture(scope="module")
def ambiguous() -> list[ChoiceItem]:
    """A bank in which distractors may fit several rules."""
    return list(make_items(BankDesign(400, seed=5, strict=False)))


def answer_in(item: ChoiceItem, letter: str) -> str:
    """What the option answers, without the pupil's name."""
    return item.option(letter).partition(", who says ")[2] or item.option(letter)


def wrong_letters(item: ChoiceItem) -> list[str]:
    return [letter for letter in LETTERS if letter != item.key]


def value_of(text: str) -> Fraction | str:
    """What an option is worth, whoever wrote it: 2/4 is 1/2, and 0.50 is 0.5."""
    match = re.fullmatch(r"([$]?)(-?\d+(?:\.\d+)?(?:/\d+)?)(%?)", text.replace(",", ""))
    if match is None:
        return " ".join(text.lower().split())
    number = match[2]
    top, _, bottom = number.partition("/")
    return Fraction(top) / Fraction(bottom or 1)


def works(item: ChoiceItem) -> Iterator[tuple[str, list[Working]]]:
    """For each letter the traces of whoever chooses it."""
    problem = read_form(item.problem)
    yield item.key, [problem.solve()]
    for letter in wrong_letters(item):
        yield letter, list(rules()[item.rules[letter]].run(problem))


def fits(worked: Working, text: str) -> bool:
    if worked.answer.kind is AnswerKind.NUMBER:
        return worked.answer.value == value_of(text) or worked.answer.shown == text
    return worked.answer.shown == text


class TestInvariants:
    def test_the_same_design_gives_the_same_items(self, terse):
        again = make_items(BankDesign(200, seed=11))
        assert [item.id for item in again] == [item.id for item in terse[:200]]

    def test_every_rule_gives_its_option_and_the_key_is_right(self, terse):
        for item in terse:
            for letter, traces in works(item):
                assert any(fits(worked, answer_in(item, letter)) for worked in traces), item

    def test_every_distractor_is_wrong_under_answer_equivalence(self, terse):
        for item in terse:
            key = value_of(answer_in(item, item.key))
            assert all(value_of(answer_in(item, each)) != key for each in wrong_letters(item))

    def test_four_options_differ_in_value_and_as_written(self, terse):
        for item in terse:
            assert len({value_of(answer_in(item, letter)) for letter in LETTERS}) == 4, item
            assert len({" ".join(text.lower().split()) for text in item.options}) == 4

    def test_every_distractor_fits_exactly_one_rule_of_those_that_the_bank_deals(self, terse):
        for item in terse:
            problem = read_form(item.problem)
            assert not item.ambiguous
            assert len(set(item.rules.values())) == 3
            for letter in wrong_letters(item):
                text = answer_in(item, letter)
                fitting = {
                    rule.id
                    for rule in rules_for(problem, dealt_rules())
                    for worked in rule.run(problem)
                    if fits(worked, text)
                }
                assert fitting == {item.rules[letter]}, item

    def test_options_are_of_one_kind_with_one_number_of_decimals(self, terse):
        for item in terse:
            kinds = {traces[0].answer.kind for _, traces in works(item)}
            assert len(kinds) == 1, item
            if kinds == {AnswerKind.NUMBER}:
                texts = [answer_in(item, letter) for letter in LETTERS]
                places = {len(found[1]) for text in texts if (found := re.search(r"\.(\d+)", text))}
                assert len(places) <= 1, item

    def test_the_key_is_never_the_only_one_in_its_format(self, terse):
        for item in terse:
            shapes = Counter(
                "fraction" if "/" in text else "decimal" if "." in text else "whole"
                for text in (answer_in(item, letter) for letter in LETTERS)
                if isinstance(value_of(text), Fraction)
            )
            key = answer_in(item, item.key)
            shape = "fraction" if "/" in key else "decimal" if "." in key else "whole"
            if isinstance(value_of(key), Fraction) and sum(shapes.values()) == 4:
                assert shapes[shape] > 1, item

    def test_an_item_comes_back_from_json_and_works_out_again(self, items):
        for item in items:
            again = read_item(json.loads(json.dumps(write_item(item))))
            assert again == item
            check_item(again)

    def test_a_rationale_has_only_numbers_of_its_trace_and_never_its_own_answer(self, items):
        for item in items:
            for letter, traces in works(item):
                text = item.rationales[letter]
                shown = answer_in(item, letter)
                steps = [step.text for worked in traces for step in worked.steps]
                known = {number for step in steps for number in TOKEN.findall(step)}
                assert set(TOKEN.findall(text)) <= known, (item, letter)
                flags = 0 if len(shown) <= 2 else re.IGNORECASE
                alone = rf"(?<![\w.,/^]){re.escape(shown)}(?![\w/^]|[.,]\d)"
                assert not re.search(alone, text, flags), (item.question, shown, text)


class TestRationales:
    def test_are_four_different_texts_in_sentences(self, items):
        for item in items:
            assert len(set(item.rationales.values())) == 4
            for text in item.rationales.values():
                assert not text[0].islower(), text
                assert text[-1] in ".?", text
                assert text == " ".join(text.split())
                assert "{" not in text
                assert ".." not in text

    @over(
        ("guess", "best"),
        [(len, max), (len, min), ("numbers", max), ("numbers", min), ("words", max)],
        ids=["longest", "shortest", "most numbers", "fewest numbers", "most words"],
    )
    def test_their_length_and_numbers_do_not_give_the_key_away(self, items, guess, best):
        measure: Callable[[str], int] = {
            "numbers": lambda text: len(TOKEN.findall(text)),
            "words": lambda text: len(text.split()),
        }.get(guess, len)
        right = 0.0
        for item in items:
            values = {letter: measure(text) for letter, text in item.rationales.items()}
            chosen = [each for each in LETTERS if values[each] == best(values.values())]
            right += (item.key in chosen) / len(chosen)
        share = right / len(items)
        if guess is len or (guess, best) == ("numbers", max):
            assert abs(share - 0.25) <= 0.03
        else:
            # Not balanced by themselves: nobody must gain by them.
            assert share <= 0.28

    def test_the_keys_length_has_every_rank_equally_often(self, items):
        ranks = [0.0] * 4
        for item in items:
            lengths = [len(text) for text in item.rationales.values()]
            own = len(item.rationales[item.key])
            longer = sum(length > own for length in lengths)
            for rank in range(longer, longer + lengths.count(own)):
                ranks[rank] += 1 / lengths.count(own) / len(items)
        assert all(abs(rank - 0.25) <= 0.04 for rank in ranks), ranks

    def test_a_terse_one_is_shorter_than_a_worked_one(self):
        lengths = {}
        for style in STYLES:
            made = make_items(BankDesign(300, seed=3, style=style))
            texts = [text for item in made for text in item.rationales.values()]
            lengths[style] = sum(map(len, texts)) / len(texts)
        assert lengths["terse"] < lengths["worked"]
        assert lengths["terse"] < lengths["teacher"]


def question_of(text: str) -> str:
    """The general question with which a teacher's rationale ends."""
    (found,) = [each for each in QUESTIONS if text.endswith(f" {each}")]
    return found


class TestTeachersQuestions:
    def test_every_option_has_working_and_one_of_the_general_questions(self, teachers):
        for item in teachers:
            asked = {question_of(text) for text in item.rationales.values()}
            assert len(asked) == 4
            assert all(text not in QUESTIONS for text in item.rationales.values())

    def test_no_word_of_a_rules_card_stands_in_a_rationale(self, teachers):
        for item in teachers:
            for letter, rule in item.rules.items():
                card = rules()[rule].card
                assert card.look_for not in item.rationales[letter]
                assert card.probe not in item.rationales[letter]

    @pytest.mark.parametrize("prefers", [max, min], ids=["longest", "shortest"])
    def test_whoever_goes_by_the_length_of_the_question_guesses(self, teachers, prefers):
        right = 0.0
        for item in teachers:
            lengths = {each: len(question_of(text)) for each, text in item.rationales.items()}
            chosen = [each for each in LETTERS if lengths[each] == prefers(lengths.values())]
            right += (item.key in chosen) / len(chosen)
        assert abs(right / len(teachers) - 0.25) <= 0.03

    def test_whoever_knows_the_questions_and_learns_from_a_thousand_items_guesses(self, teachers):
        learnt, asked = teachers[: ITEMS // 2], teachers[ITEMS // 2 :]
        with_key = Counter(question_of(item.rationales[item.key]) for item in learnt)
        with_any = Counter(
            question_of(text) for item in learnt for text in item.rationales.values()
        )
        share = {each: with_key[each] / with_any[each] for each in QUESTIONS}
        right = sum(
            item.key == max(LETTERS, key=lambda each: share[question_of(item.rationales[each])])
            for item in asked
        )
        # Of 400 a guesser may have bad luck: what counts is that nobody gains.
        assert right / len(asked) - 0.25 <= 0.03

    def test_a_question_asked_twice_is_refused(self, teachers):
        item = teachers[0]
        one, other = wrong_letters(item)[:2]
        texts = dict(item.rationales)
        texts[one] = texts[one].replace(question_of(texts[one]), question_of(texts[other]))
        with pytest.raises(ItemError, match="rationales"):
            check_item(replace(item, rationales=texts).with_id())


class TestAmbiguousItems:
    def test_are_marked_with_every_rule_that_fits(self, ambiguous):
        assert any(item.ambiguous for item in ambiguous)
        for item in ambiguous:
            problem: Form = read_form(item.problem)
            for letter in wrong_letters(item):
                fitting = {
                    rule.id
                    for rule in rules_for(problem, dealt_rules())
                    for worked in rule.run(problem)
                    if fits(worked, answer_in(item, letter))
                }
                assert fitting == {item.rules[letter], *item.others.get(letter, ())}

    def test_work_out_again(self, ambiguous):
        for item in ambiguous:
            check_item(read_item(json.loads(json.dumps(write_item(item)))))


class TestComparedPupils:
    def test_are_four_and_answer_as_the_options_say(self):
        found = [item for item in make_items(BankDesign(60, seed=2, doks=(3, 3))) if item.pupils]
        assert found
        for item in found:
            assert item.dok == 3
            assert len(set(item.pupils)) == 4
            assert item.question.endswith("Who is right, and why?")
            for name, option in zip(item.pupils, item.options, strict=True):
                assert option.startswith(f"{name}, who says ")
                assert f"{name} says {option.partition(' says ')[2]}" in item.question
            check_item(item)


class TestStream:
    def test_ids_and_questions_are_distinct(self, terse):
        assert len({item.id for item in terse}) == ITEMS
        assert len({item.question for item in terse}) == ITEMS

    def test_ids_are_the_hash_of_the_content(self, terse):
        assert all(item.id == item_id(item) for item in terse)
        assert all(re.fullmatch("[0-9a-f]{16}", item.id) for item in terse)

    def test_key_positions_are_balanced_in_every_part(self, terse):
        for end in (4, 40, 400, ITEMS):
            counts = Counter(item.key for item in terse[:end])
            assert set(counts.values()) == {end // 4}

    def test_depths_are_as_published(self, terse):
        counts = Counter(item.dok for item in terse)
        for dok, published in ((1, 349), (2, 434), (3, 24)):
            assert counts[dok] / ITEMS == pytest.approx(published / 807, abs=0.015)

    def test_grades_and_classes_are_as_published(self, terse):
        for known, published in (
            (Counter(item.grade for item in terse), PUBLISHED_GRADES),
            (Counter(item.content_class for item in terse), PUBLISHED_CLASSES),
        ):
            assert set(known) == set(published)
            for level, count in published.items():
                assert known[level] / ITEMS == pytest.approx(count / 807, abs=0.01)

    def test_four_of_five_distractors_have_a_source(self, terse):
        used = [rules()[rule].card.confidence for item in terse for rule in item.rules.values()]
        assert sum(confidence == "C" for confidence in used) < len(used) / 5


def test_no_question_holds_its_key_unless_it_asks_to_choose_among_what_it_names() -> None:
    """A number line once asked at which number 3/4 is marked."""
    among = {
        "BagComparison", "MoreDetail", "MedianOfList", "ModeOfList", "FractionComparison",
        "DecimalComparison",
    }  # fmt: skip
    found = set()
    for name, form in dealt_forms().items():
        held = drawn = 0
        for seed in range(30):
            draws = Draws(f"key/{name}/{seed}")
            try:
                problem = form.draw(draws, draws.between(*form.grades))
            except NotDrawn:
                continue
            key = re.escape(problem.solve().answer.shown)
            held += bool(re.search(rf"(?<![\w.,/]){key}(?![\w/]|[.,]\d)", problem.stem()))
            drawn += 1
        # By chance a number of the question may be the answer as well.
        if 10 * held > 9 * drawn:
            found.add(name)
    assert found == among
