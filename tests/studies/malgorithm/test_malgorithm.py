"""The study of rationales: its pairs, its prompts, and how its answers are read."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.models import Completion, Likelihood, ModelForm
from biaslab.runs.store.encoding import read_request, response_id, write_request
from biaslab.studies import Design, Item, Pair, experiment
from biaslab.studies.malgorithm.prompts import EXAMPLES, JSON_CUE, examples_of
from biaslab.studies.study import Request
from schoolmath.malrules.bank import LETTERS, BankDesign, make_items
from schoolmath.malrules.rules import ContentClass
from schoolmath.problems import DesignError

STUDY = experiment("malgorithm")
STRATEGIES = {strategy.name: strategy for strategy in STUDY.strategies}
FORMS = pytest.mark.parametrize("form", list(ModelForm))
NAMES = pytest.mark.parametrize("name", list(STRATEGIES))


def pairs(n: int = 60, seed: int = 1, **chosen: str) -> list[Pair]:
    return list(STUDY.pairs(Design("malgorithm", n, seed, chosen)))


def said(text: str, finish: str = "stop") -> Completion:
    return Completion(text, finish, 1, 1, 0.0)


def requests(name: str, item: Item, form: ModelForm) -> list[Request]:
    """All requests of an item, each answered with the same text."""
    found: list[Request] = []
    answered: list[Completion] = []
    while (request := STRATEGIES[name].next_request(item, answered, form)) is not None:
        found.append(request)
        answered.append(said("Some reasoning."))
    return found


def shown(request: Request) -> str:
    return "\n".join(message.content for message in request.messages)


class TestPairs:
    def test_a_question_gives_three_pairs_that_share_the_keys_choice(self):
        for start in range(0, 60, 3):
            three = pairs()[start : start + 3]
            assert len({pair.x.id for pair in three}) == 1
            assert len({pair.cluster for pair in three}) == 1
            assert len({pair.x_prime.id for pair in three}) == 3
            choices = {three[0].x.facts["choice"], *(p.x_prime.facts["choice"] for p in three)}
            assert choices == set(LETTERS)

    def test_questions_of_a_template_are_a_cluster(self):
        made = pairs(300)
        assert len({pair.x.facts["question_id"] for pair in made}) == 100
        for pair in made:
            assert pair.cluster == pair.x.facts["problem"]["form"]

    def test_x_is_the_choice_of_the_key_and_x_prime_that_of_the_pairs_mal_rule(self):
        for pair in pairs():
            one, other = pair.x.facts, pair.x_prime.facts
            assert one["choice"] == one["key"] != other["choice"]
            assert one["rules"][pair.x.answer] == "key"
            assert other["rules"][pair.x_prime.answer] == pair.strata["rule"]

    def test_members_differ_in_the_choice_alone(self):
        for pair in pairs():
            before = [line for line in pair.x.text.split("\n") if not line.startswith("Choice:")]
            after = [
                line for line in pair.x_prime.text.split("\n") if not line.startswith("Choice:")
            ]
            assert before == after
            assert pair.x.text != pair.x_prime.text

    @given(st.integers(0, 10**6), st.integers(1, 20))
    @settings(max_examples=10, deadline=None)
    def test_the_same_design_gives_the_same_pairs_and_a_smaller_one_its_beginning(self, seed, n):
        whole = [pair.id for pair in pairs(20, seed)]
        assert [pair.id for pair in pairs(n, seed)] == whole[:n]

    def test_the_right_rationale_is_the_one_of_the_letter_chosen(self):
        (question,) = make_items(BankDesign(1, 1))
        for pair in pairs(3):
            for item in (pair.x, pair.x_prime):
                facts = item.facts
                assert facts["letters"][item.answer] == facts["choice"]
                assert facts["rationales"][item.answer] == question.rationales[facts["choice"]]
                assert facts["key_label"] == pair.x.answer
                assert facts["right"] == item.answer

    def test_right_labels_are_spread_over_all_slots(self):
        made = pairs(600)
        counts = Counter(pair.x_prime.answer for pair in made)
        assert min(counts.values()) > 110
        keys = Counter(pair.x.answer for pair in made[::3])
        assert min(keys.values()) > 30

    def test_facts_are_ready_for_a_file(self):
        for pair in pairs(3):
            assert json.loads(json.dumps(dict(pair.x.facts))) == dict(pair.x.facts)


class TestFactorial:
    def test_rationales_may_stand_in_the_order_of_the_choices(self):
        for pair in pairs(order="as the choices"):
            assert pair.x_prime.answer == pair.x_prime.facts["choice"]

    def test_the_order_is_shuffled_once_for_a_question(self):
        for pair in pairs():
            assert pair.x.facts["letters"] == pair.x_prime.facts["letters"]
        assert any(pair.x.answer != pair.x.facts["key"] for pair in pairs())

    def test_a_choice_may_come_with_its_letter(self):
        for pair in pairs(12, shown="letter"):
            facts = pair.x_prime.facts
            assert f"\nChoice: {facts['choice']}. {facts['choice_text']}\n" in pair.x_prime.text

    def test_the_prompt_may_say_which_choice_is_right(self):
        for pair in pairs(12, framing="told right or wrong"):
            assert "\nCorrect choice: " in pair.x.text
            assert "\nIncorrect choice, made by a flawed algorithm: " in pair.x_prime.text
        for pair in pairs(12):
            assert "orrect" not in pair.x.text.split("\n\n")[1]

    def test_what_older_designs_call_it_is_the_same_texts(self):
        older = pairs(12, framing="as in the paper")
        today = pairs(12, framing="told right or wrong")
        assert [pair.id for pair in older] == [pair.id for pair in today]

    def test_cells_of_the_factorial_share_no_item_where_the_prompt_differs(self):
        cells = [
            {item.id for pair in pairs(30, **cell) for item in (pair.x, pair.x_prime)}
            for cell in ({}, {"shown": "letter"}, {"framing": "told right or wrong"})
        ]
        assert not cells[0] & cells[1]
        assert not cells[0] & cells[2]

    def test_the_cells_ask_the_same_questions(self):
        plain = [pair.cluster for pair in pairs()]
        for cell in (
            {"shown": "letter"},
            {"framing": "told right or wrong"},
            {"order": "permuted"},
        ):
            assert [pair.cluster for pair in pairs(**cell)] == plain

    def test_settings_choose_the_questions(self):
        for pair in pairs(30, grade="6-8", content_class="algebra", dok="1-2"):
            assert 6 <= pair.strata["grade"] <= 8
            assert pair.strata["content_class"] == "algebra"
            assert pair.strata["dok"] in (1, 2)
        assert {p.x.facts["style"] for p in pairs(6, style="worked")} == {"worked"}

    def test_every_content_class_can_be_chosen(self):
        for content_class in ContentClass:
            (pair,) = pairs(1, content_class=content_class.value)
            assert pair.strata["content_class"] == content_class


class TestRefusals:
    @pytest.mark.parametrize(
        ("chosen", "setting"),
        [
            ({"grade": "2-4"}, "grade"),
            ({"dok": "4"}, "dok"),
            ({"content_class": "music"}, "content_class"),
            ({"style": "loud"}, "style"),
            ({"order": "sorted"}, "order"),
            ({"steps": "2"}, "steps"),
        ],
    )
    def test_a_setting_that_does_not_exist_is_refused_and_named(self, chosen, setting):
        with pytest.raises(DesignError) as refusal:
            pairs(3, **chosen)
        assert refusal.value.setting == setting

    def test_what_the_bank_lacks_is_refused_in_this_studys_settings(self):
        with pytest.raises(DesignError) as refusal:
            pairs(3, grade="3", content_class="algebra", dok="3")
        assert refusal.value.setting in {"grade", "dok", "content_class"}
        assert "nearest setting that works" in str(refusal.value)


class TestAsking:
    @NAMES
    @FORMS
    def test_the_question_itself_is_asked_with_the_keys_choice_alone(self, name, form):
        pair = pairs(1)[0]
        one, other = (requests(name, item, form) for item in (pair.x, pair.x_prime))
        each = 2 if name.startswith("cot") and form is ModelForm.BASE else 1
        assert (len(one), len(other)) == (2 * each, each)
        for request in one[:each]:
            assert "Options:\n" in shown(request)
            assert "rationale" not in shown(request).lower()
        for request in (*one[each:], *other):
            assert "Options:\n" not in shown(request)
            assert "Some reasoning." not in shown(request).split("Which rationale")[0]

    @NAMES
    @FORMS
    def test_a_key_named_neutrally_is_given_away_by_no_prompt(self, name, form):
        pair = pairs(1)[0]
        key, mal = requests(name, pair.x, form)[-1], requests(name, pair.x_prime, form)[-1]
        before = shown(key).replace(pair.x.facts["choice_text"], "#")
        assert before == shown(mal).replace(pair.x_prime.facts["choice_text"], "#").replace(
            pair.x.facts["choice_text"], "#"
        )

    @FORMS
    def test_the_question_is_asked_alike_with_and_without_examples(self, form):
        item = pairs(1)[0].x
        for name in ("simple", "cot"):
            one = requests(name, item, form)[0]
            assert one.messages == requests(f"{name}-5", item, form)[0].messages

    def test_a_base_model_goes_on_within_the_json(self):
        for name in STRATEGIES:
            last = requests(name, pairs(1)[0].x_prime, ModelForm.BASE)[-1]
            assert last.messages[0].content.endswith(JSON_CUE)

    @FORMS
    def test_no_request_lacks_the_question(self, form):
        for name in STRATEGIES:
            for pair in pairs(3):
                for request in requests(name, pair.x, form):
                    assert pair.x.facts["question"] in shown(request)

    def test_versions_tell_the_strategies_apart(self):
        assert len({strategy.version for strategy in STRATEGIES.values()}) == len(STRATEGIES)

    def test_a_likelihood_is_no_reasoning(self):
        likelihood = Likelihood((0.0,), (1,))
        with pytest.raises(TypeError):
            STRATEGIES["cot"].next_request(pairs(1)[0].x_prime, [likelihood], ModelForm.BASE)


class TestExamples:
    CELLS = pytest.mark.parametrize(
        "cell",
        [
            {},
            {"style": "worked"},
            {"style": "teacher"},
            {"order": "as the choices", "shown": "letter", "framing": "told right or wrong"},
        ],
    )

    @CELLS
    def test_there_are_five_with_every_label_and_keys_as_well_as_mal_rules(self, cell):
        examples = examples_of(pairs(1, **cell)[0].x.facts)
        assert len(examples) == EXAMPLES == len({example.question for example in examples})
        labels = Counter(example.label for example in examples)
        assert set(labels) == set(LETTERS)
        assert max(labels.values()) == 2
        assert sum(example.key for example in examples) == 2

    @CELLS
    def test_they_are_put_in_the_manner_of_the_item(self, cell):
        item = pairs(1, **cell)[0].x
        for example in examples_of(item.facts):
            lines = [line.partition(":")[0] for line in example.text.split("\n\n")]
            assert lines[0] == "Question"
            framed = item.facts["framing"] == "told right or wrong"
            assert lines[1].endswith("hoice") is (not framed or example.key)

    def test_the_question_asked_is_never_among_them(self):
        usual = examples_of(pairs(1)[0].x.facts)
        for example in usual:
            facts = {**pairs(1)[0].x.facts, "question": example.question}
            others = examples_of(facts)
            assert len(others) == EXAMPLES
            assert example.question not in {other.question for other in others}

    def test_their_reasoning_ends_at_the_choice_and_the_label(self):
        for example in examples_of(pairs(1)[0].x.facts):
            choice = example.text.split("\n\n")[1].removeprefix("Choice: ")
            assert f"That gives {choice}, which is the choice." in example.reasoning
            assert example.reasoning.endswith(f"rationale {example.label} tells.")


class TestReading:
    def test_an_identification_is_right_when_it_names_the_label_of_the_rationale(self):
        for pair in pairs(9):
            for label in LETTERS:
                reading = STUDY.read(
                    pair.x_prime, [said(json.dumps({"answer": label}))], ModelForm.CHAT
                )
                assert reading.value == label
                assert reading.outcome == float(label == pair.x_prime.answer)
                assert reading.extra == {"json": True}

    def test_what_cannot_be_read_is_invalid(self):
        reading = STUDY.read(pairs(1)[0].x_prime, [said("I cannot tell.")], ModelForm.CHAT)
        assert (reading.value, reading.outcome) == (None, None)
        assert reading.extra == {"json": False}

    @pytest.mark.parametrize("stages", [1, 2])
    def test_the_questions_own_answer_is_kept_beside(self, stages):
        item = pairs(1)[0].x
        key = item.facts["key"]
        wrong = next(letter for letter in LETTERS if letter != key)
        for own, right in ((key, 1.0), (wrong, 0.0), (None, None)):
            answers = [said("Thinking about {answer}.")] * (stages - 1)
            answers += [said(json.dumps({"answer": own}) if own else "No idea.")]
            answers += [said("Thinking.")] * (stages - 1) + [said("Rationale " + item.answer)]
            reading = STUDY.read(item, answers, ModelForm.BASE)
            assert reading.outcome == 1.0
            assert reading.extra == {"json": False, "mcq": right, "mcq_value": own}

    def test_an_unreadable_identification_still_keeps_the_questions_answer(self):
        item = pairs(1)[0].x
        reading = STUDY.read(item, [said(f'{item.facts["key"]}"}}'), said("Hm.")], ModelForm.BASE)
        assert reading.outcome is None
        assert reading.extra["mcq"] == 1.0


class TestPictures:
    """Problems with a picture, told in words or shown."""

    CHOSEN: ClassVar = {"content_class": "data analysis", "grade": "3-5"}

    def shown(self, **more: str) -> list[Pair]:
        return pairs(30, pictures="shown", **self.CHOSEN, **more)

    def test_are_told_in_words_unless_they_are_asked_for(self):
        assert pairs(30, **self.CHOSEN) == pairs(30, pictures="in words", **self.CHOSEN)
        assert not any(item.facts.get("picture") for item in _items(pairs(30, **self.CHOSEN)))

    def test_are_of_the_same_questions_with_the_same_options_and_reasons(self):
        for told, seen in zip(pairs(30, **self.CHOSEN), self.shown(), strict=True):
            for one, other in ((told.x, seen.x), (told.x_prime, seen.x_prime)):
                assert one.facts["question_id"] == other.facts["question_id"]
                assert one.facts["rationales"] == other.facts["rationales"]
                assert one.options == other.options
                assert (one.id == other.id) == (not other.facts.get("picture"))

    def test_stand_with_the_question_for_a_chat_model(self):
        seen = [item for item in _items(self.shown()) if item.facts.get("picture")]
        assert seen
        for item in seen:
            for request in requests("simple", item, ModelForm.CHAT):
                assert request.messages[-1].picture == item.facts["picture"]
                assert item.facts["question"] in request.messages[-1].content

    @NAMES
    @FORMS
    def test_stand_in_every_request_so_that_none_is_asked_without(self, name, form):
        item = next(item for item in _items(self.shown()) if item.facts.get("picture"))
        for request in requests(name, item, form):
            assert any(message.picture for message in request.messages)

    def test_stand_in_the_question_of_four_pupils_too(self):
        chosen = {"content_class": "algebra", "dok": "3-3", "grade": "6-8", "pictures": "shown"}
        items = [item for item in _items(pairs(240, **chosen)) if item.facts.get("picture")]
        assert items
        for item in items:
            assert "Which number is missing?” " in item.facts["question"]

    def test_are_found_again_as_they_were_sent(self):
        item = next(item for item in _items(self.shown()) if item.facts.get("picture"))
        for request in requests("simple", item, ModelForm.CHAT):
            again = read_request(write_request(request))
            assert again.messages == request.messages
            plain = replace(
                request, messages=tuple(m._replace(picture="") for m in request.messages)
            )
            assert response_id("m", again) == response_id("m", request) != response_id("m", plain)


def _items(found: list[Pair]) -> list[Item]:
    return [item for pair in found for item in (pair.x, pair.x_prime)]
