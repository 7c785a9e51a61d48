"""The cards of the catalogue say everything that is shown of a rule."""

from __future__ import annotations

import re

import pytest
import yaml

from biaslab.malrules import Confidence, ContentClass, Kind, cards, rules
from biaslab.malrules.rules import CATALOGUE

ENTRIES = [
    pytest.param(path.name, entry, id=entry["id"])
    for path in sorted(CATALOGUE.glob("*.yaml"))
    for entry in yaml.safe_load(path.read_text("utf-8"))
]
FIELDS = {
    "id", "slug", "version", "name", "description", "grades", "content_class", "dok", "kind",
    "source", "confidence", "look_for", "probe",
}  # fmt: skip
MAY_BE_MISSING = {"helps", "parts", "same_idea"}


@pytest.mark.parametrize(("file", "entry"), ENTRIES)
class TestACard:
    def test_has_every_field_and_no_other(self, file, entry):
        assert set(entry) - MAY_BE_MISSING == FIELDS, file

    def test_leaves_nothing_to_do(self, file, entry):
        assert [key for key, value in entry.items() if "TODO" in str(value)] == [], file

    def test_names_a_kind_a_class_and_a_source_with_its_confidence(self, file, entry):
        assert entry["kind"] in {each.value for each in Kind}, file
        assert entry["content_class"] in {each.value for each in ContentClass}
        assert entry["confidence"] in {each.value for each in Confidence}
        assert entry["source"].strip()

    def test_is_for_some_grades_and_a_depth_of_knowledge(self, file, entry):
        low, high = entry["grades"]
        assert 3 <= low <= high <= 11, file
        assert entry["dok"] in {1, 2, 3}
        assert entry["version"] >= 1

    def test_is_written_in_sentences(self, file, entry):
        for key in ("description", "look_for", "probe"):
            text = entry[key]
            assert text[0].isupper() or not text[0].isalpha(), (file, key)
            assert text[-1] in ".?", (file, key)
            assert "  " not in text
        assert entry["probe"].count("?") >= 1 or entry["probe"].endswith("."), file

    def test_names_a_source_for_everything_that_helps(self, file, entry):
        for each in entry.get("helps", ()):
            assert set(each) == {"what", "source"}, file
            assert each["what"][0].isupper()
            assert each["what"][-1] in ".?"
            assert re.search(r"[12]\d{3}", each["source"]), "a source has a year"

    def test_names_rules_that_there_are_as_parts_and_as_the_same_idea(self, file, entry):
        for key in ("parts", "same_idea"):
            assert set(entry.get(key, ())) <= set(cards()) - {entry["id"]}, file
        for other in entry.get("same_idea", ()):
            assert entry["id"] in cards()[other].same_idea, "both say so"


def test_ids_and_slugs_are_used_once():
    found = [parameter.values[1] for parameter in ENTRIES]
    for key in ("id", "slug"):
        values = [entry[key] for entry in found]
        assert len(set(values)) == len(values), key
    assert all(re.fullmatch(r"[A-Z]{2}\d{2,3}", entry["id"]) for entry in found)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry["slug"]) for entry in found)


def test_every_card_has_code():
    assert sorted(set(cards()) - set(rules())) == []
