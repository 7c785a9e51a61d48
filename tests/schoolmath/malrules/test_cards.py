"""The cards of the catalogue say everything that is shown of a rule."""

from __future__ import annotations

import re

import yaml

from schoolmath.malrules import Confidence, ContentClass, MistakeKind, cards, rules
from schoolmath.malrules.rules import CATALOGUE
from schoolmath.text.yaml_files import YAML_LOADER

ENTRIES = [
    entry
    for path in sorted(CATALOGUE.glob("*.yaml"))
    for entry in yaml.load(path.read_text("utf-8"), YAML_LOADER)
]
"""Looked through within a test: a test for each of some 400 cards took longer than all it does."""
FIELDS = {
    "id", "slug", "version", "name", "description", "grades", "content_class", "dok", "kind",
    "source", "confidence", "look_for", "probe",
}  # fmt: skip
MAY_BE_MISSING = {"helps", "parts", "same_idea", "seen_on"}
NO_PRIMARY_SOURCE = re.compile(r"MalAlgoQA|Eedi|Ashlock|MaE|needs source|practice")
"""Collections of errors, and items with what their writers thought of."""


class TestACard:
    def test_has_every_field_and_no_other(self):
        for entry in ENTRIES:
            assert set(entry) - MAY_BE_MISSING == FIELDS, entry["id"]

    def test_leaves_nothing_to_do(self):
        for entry in ENTRIES:
            assert [key for key, value in entry.items() if "TODO" in str(value)] == [], entry["id"]

    def test_names_a_kind_a_class_and_a_source_with_its_confidence(self):
        for entry in ENTRIES:
            assert entry["kind"] in {each.value for each in MistakeKind}, entry["id"]
            assert entry["content_class"] in {each.value for each in ContentClass}, entry["id"]
            assert entry["confidence"] in {each.value for each in Confidence}, entry["id"]
            assert entry["source"].strip(), entry["id"]

    def test_has_a_name_that_a_teacher_would_say(self):
        names = {card.id: card.name for card in cards().values()}
        assert len(set(names.values())) == len(names)
        # A verb in the third person, and at most eight words; the literature's name is the slug.
        assert [n for n in names.values() if not re.match(r"(?:[a-z]+s|never [a-z]+s) ", n)] == []
        assert [name for name in names.values() if len(name.split()) > 8] == []

    def test_says_a_only_where_some_primary_source_is_named(self):
        weak = [
            entry["id"]
            for entry in ENTRIES
            if entry["confidence"] == "A"
            and all(NO_PRIMARY_SOURCE.search(each) for each in entry["source"].split(";"))
        ]
        assert not weak

    def test_says_a_only_on_forms_on_which_its_source_saw_the_error(self):
        silent, lost, wrong = [], [], []
        for rule in rules().values():
            card, forms = rule.card, [form.__name__ for form in rule.forms]
            if card.confidence is Confidence.A and len(forms) > 1 and not card.seen_on:
                silent.append(card.id)
            lost += [(card.id, each) for each in card.seen_on if each not in forms]
            for form in forms:
                seen = not card.seen_on or form in card.seen_on
                letter = card.confidence if seen else max(card.confidence, Confidence.B)
                if card.confidence_on(form) is not letter:
                    wrong.append((card.id, form))
        assert (silent, lost, wrong) == ([], [], [])
        assert cards()["NO01"].confidence_on("ColumnSubtraction") is Confidence.A
        assert cards()["NO01"].confidence_on("MissingSubtrahend") is Confidence.B

    def test_is_for_some_grades_and_a_depth_of_knowledge(self):
        for entry in ENTRIES:
            low, high = entry["grades"]
            assert 3 <= low <= high <= 11, entry["id"]
            assert entry["dok"] in {1, 2, 3}, entry["id"]
            assert entry["version"] >= 1, entry["id"]

    def test_is_written_in_sentences(self):
        for entry in ENTRIES:
            for key in ("description", "look_for", "probe"):
                text = entry[key]
                assert text[0].isupper() or not text[0].isalpha(), (entry["id"], key)
                assert text[-1] in ".?", (entry["id"], key)
                assert "  " not in text, (entry["id"], key)
            assert "?" in entry["probe"] or entry["probe"].endswith("."), entry["id"]

    def test_names_a_source_for_everything_that_helps(self):
        for entry in ENTRIES:
            for each in entry.get("helps", ()):
                assert set(each) == {"what", "source"}, entry["id"]
                assert each["what"][0].isupper(), entry["id"]
                assert each["what"][-1] in ".?", entry["id"]
                assert re.search(r"[12]\d{3}", each["source"]), (entry["id"], "its year")

    def test_names_rules_that_there_are_as_parts_and_as_the_same_idea(self):
        for entry in ENTRIES:
            for key in ("parts", "same_idea"):
                assert set(entry.get(key, ())) <= set(cards()) - {entry["id"]}, entry["id"]
            for other in entry.get("same_idea", ()):
                assert entry["id"] in cards()[other].same_idea, (entry["id"], "both say so")


def test_ids_and_slugs_are_used_once():
    found = ENTRIES
    for key in ("id", "slug"):
        values = [entry[key] for entry in found]
        assert len(set(values)) == len(values), key
    assert all(re.fullmatch(r"[A-Z]{2}\d{2,3}", entry["id"]) for entry in found)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry["slug"]) for entry in found)


def test_every_card_has_code():
    assert sorted(set(cards()) - set(rules())) == []
