"""What is called published is what the publications print, word for word."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from biaslab.models import Completion, ModelForm
from biaslab.studies import Design, Item
from biaslab.studies.concepts.study import EXPERIMENT as CONCEPTS
from biaslab.studies.malgorithm.study import EXPERIMENT as MALGORITHM
from biaslab.studies.published import fidelity_rows, published_words
from biaslab.studies.strategies import PUBLISHED_STRATEGIES

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ROOT.parent / "shared" / "seeds"
PAPERS = {
    "word problems": "word_problems_opedal_2024.txt",
    "malgorithm": "malgorithms_malalgoqa_2024.txt",
    "concepts": "concept_learning_2025.txt",
}
ITEM = Item.of("consistency", "Ana has 3 figs. How many figs does Ana have?", "3", {})
WORDS = published_words()


def squeezed(text: str) -> str:
    """Without differences of layout: spaces, line ends, quotation marks, braces of a template."""
    return re.sub(r"[\s“”\"'’`{}]+", "", text)


@pytest.mark.skipif(not SEEDS.exists(), reason="the texts of the papers are not here")
def test_every_word_stands_in_its_paper():
    texts = {kind: squeezed((SEEDS / name).read_text()) for kind, name in PAPERS.items()}
    wrong = []
    for name, entry in WORDS.items():
        # What stands between the places, since the papers name these otherwise.
        parts = [part for part in re.split(r"\{\w+\}|\[|\]", entry.words) if part.strip()]
        text = texts[name.partition(",")[0]]
        wrong += [(name, part) for part in parts if squeezed(part) not in text]
    assert not wrong


def test_word_problems_are_asked_in_the_published_words():
    direct, cot, child = PUBLISHED_STRATEGIES
    base = direct.next_request(ITEM, (), ModelForm.BASE).messages[0].content
    chat = direct.next_request(ITEM, (), ModelForm.CHAT).messages[0].content
    assert base == WORDS["word problems, direct, base model"].filled(problem=ITEM.text)
    assert chat == WORDS["word problems, direct, chat model"].filled(problem=ITEM.text)
    for strategy, name in ((cot, "step by step"), (child, "as a child")):
        asked = strategy.next_request(ITEM, (), ModelForm.CHAT).messages[0].content
        cue = WORDS[f"word problems, {name}"].words
        assert asked == f"{ITEM.text}\n\n{cue}."  # the full stop is that of Kojima et al.


class TestMalgorithm:
    PAIR = next(MALGORITHM.pairs(Design("malgorithm", 1, 1, {"framing": "published"})))

    def asked(self, strategy: str, item: Item, before=(), form=ModelForm.CHAT):
        (chosen,) = (each for each in MALGORITHM.strategies if each.name == strategy)
        return chosen.next_request(item, before, form)

    def test_the_prompt_is_the_printed_one(self):
        item = self.PAIR.x_prime
        system, user = self.asked("cot", item).messages
        assert (system.role, system.content) == ("system", WORDS["malgorithm, system"].words)
        facts = item.facts
        rationales = "\n".join(f"{label}. {text}" for label, text in facts["rationales"].items())
        printed = "\n\n".join(
            (
                WORDS["malgorithm, question"].filled(
                    question=facts["question"],
                    choice=facts["choice_text"],
                    rationales=f"\n{rationales}",
                ),
                WORDS["malgorithm, task"].words,
                WORDS["malgorithm, reasoning"].words,
                WORDS["malgorithm, answer"].filled(labels="A/B/C/D"),
            )
        )
        assert squeezed(user.content) == squeezed(printed)

    def test_both_arms_are_put_in_one_form(self):
        x, x_prime = (self.asked("cot", item).messages for item in self.both())
        assert x[0] == x_prime[0]
        lines = [
            (one, other)
            for one, other in zip(
                x[1].content.splitlines(), x_prime[1].content.splitlines(), strict=True
            )
            if one != other
        ]
        assert len(lines) == 1
        assert all(line.startswith("Choice: ") for line in lines[0])

    def both(self):
        x = self.PAIR.x
        # With the key's choice the question itself comes first, which is not published.
        return [self_asking_reason(x), self.PAIR.x_prime]

    def test_at_once_nothing_asks_for_reasoning(self):
        system, user = self.asked("simple", self.PAIR.x_prime).messages
        assert "step" not in (system.content + user.content.rpartition("Given the question")[2])
        assert user.content.endswith('"Correct Choice": "[A/B/C/D]"\n}')

    def test_examples_are_put_in_the_same_words(self):
        messages = self.asked("cot-5", self.PAIR.x_prime).messages
        assert [each.role for each in messages] == ["system", *["user", "assistant"] * 5, "user"]
        for example, answer in zip(messages[1:-1:2], messages[2:-1:2], strict=True):
            assert example.content.startswith("Question: ")
            assert re.search(r'\{"Correct Choice": "[A-D]"\}\Z', answer.content)

    def test_the_answer_is_read_under_the_printed_key(self):
        item = self.PAIR.x_prime
        for text, value in {
            '{"Correct Choice": "B"}': "B",
            '```json\n{\n  "Correct Choice": "C"\n}\n```': "C",
            "The correct choice is D.": "D",
            "The answer rationale is A.": "A",
            "I would choose none.": None,
        }.items():
            answered = (Completion(text, "stop", 1, 1, 0.0),)
            assert MALGORITHM.read(item, answered, ModelForm.CHAT).value == value, text

    def test_a_base_model_goes_on_from_the_printed_key(self):
        text = self.asked("simple", self.PAIR.x_prime, form=ModelForm.BASE).messages[0].content
        assert text.endswith('{"Correct Choice": "')
        assert 'answer": "' not in text


def self_asking_reason(item: Item) -> Item:
    """The item as its second request asks it, where the first asks the question itself."""
    facts = {**item.facts, "choice": "none of them"}
    return Item(item.id, item.text, item.answer, facts, item.options)


def test_concepts_are_put_in_the_published_words():
    (named,) = CONCEPTS.named_designs
    for pair in CONCEPTS.pairs(Design("concept-learning", 4, 1, named.settings)):
        for item in (pair.x, pair.x_prime):
            total, has, noun = item.facts["question"]
            asked = "hidden question"
            if item.facts["semantics"] == "explicit":
                asked = "explicit question"
            printed = " ".join(
                WORDS[f"concepts, {part}"].filled(
                    total=total, has=has, noun=noun, concept=item.facts["concept"]
                )
                for part in ("example", asked)
            )
            lines = item.text.splitlines()
            assert lines[-1] == printed
            assert len(lines) == 21
            assert sum(line.endswith("? Yes.") for line in lines) == 10


class TestFidelity:
    def test_no_row_is_silent(self):
        rows = fidelity_rows()
        assert len(rows) >= 80
        assert {row.system for row in rows} == {
            "word problems", "malgorithms", "concepts", "decisions"
        }  # fmt: skip
        wrong = [
            row.what
            for row in rows
            if row.verdict not in ("same", "after", "not had")
            or not (row.what and row.where)
            or (row.verdict != "same" and not row.how)
        ]
        assert not wrong

    def test_what_is_the_same_is_held_by_tests_that_exist(self):
        missing = []
        for row in fidelity_rows():
            path, _, name = row.held.partition("::")
            if not row.held:
                continue
            file = ROOT / path
            if not file.exists() or (name and name not in file.read_text(encoding="utf-8")):
                missing.append(row.held)
        assert not missing

    def test_the_page_is_made_from_the_record(self):
        made = runpy.run_path(str(ROOT / "docs" / "fidelity.py"))
        page = (ROOT / "docs" / "fidelity.md").read_text(encoding="utf-8")
        assert page == made["page"](), "python docs/fidelity.py writes it anew"
