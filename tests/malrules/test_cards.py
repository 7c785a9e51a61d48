"""The cards of the catalogue say everything that is shown of a rule."""

from __future__ import annotations

import re

import yaml

from biaslab.malrules import Confidence, ContentClass, Kind, cards, rules
from biaslab.malrules.rules import CATALOGUE
from biaslab.text.shipped_files import YAML_LOADER

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
MAY_BE_MISSING = {"helps", "parts", "same_idea"}


class TestACard:
    def test_has_every_field_and_no_other(self):
        for entry in ENTRIES:
            assert set(entry) - MAY_BE_MISSING == FIELDS, entry["id"]

    def test_leaves_nothing_to_do(self):
        for entry in ENTRIES:
            assert [key for key, value in entry.items() if "TODO" in str(value)] == [], entry["id"]

    def test_names_a_kind_a_class_and_a_source_with_its_confidence(self):
        for entry in ENTRIES:
            assert entry["kind"] in {each.value for each in Kind}, entry["id"]
            assert entry["content_class"] in {each.value for each in ContentClass}, entry["id"]
            assert entry["confidence"] in {each.value for each in Confidence}, entry["id"]
            assert entry["source"].strip(), entry["id"]

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
