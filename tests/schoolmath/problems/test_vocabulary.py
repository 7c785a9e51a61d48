"""What the shipped vocabulary promises, how it writes entities and how it refuses bad files."""

from __future__ import annotations

import importlib
import re
import shutil
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import inflect
import pytest
import yaml

from schoolmath.problems.errors import VocabularyError
from schoolmath.problems.logic import Entity
from schoolmath.problems.vocabulary import Noun, Unit, Vocabulary, look_alike, shipped, vocabulary

# The module itself: the package may offer the function under the same name.
module = importlib.import_module("schoolmath.problems.vocabulary")

MAX_AGENTS = 7

# Plurals that are right although the inflect library forms another one: {plural: reason}.
PLURALS_CHECKED_BY_HAND: dict[str, str] = {}

NAMES_THAT_ARE_WORDS = """
    January February March April May June July August September October November December
    Rose Will Mark Grace Hope Bill Jack Faith Joy Lily Daisy Ivy Violet Amber Ruby Pearl
    Dawn Eve Iris Jade Olive Frank Grant Art Rob Sue Pat Drew Chase Hunter Cliff Jasmine
"""


@pytest.fixture(scope="module")
def words() -> Vocabulary:
    return vocabulary()


# --- Names -----------------------------------------------------------------------------------


def test_there_are_many_names_from_many_cultures(words: Vocabulary) -> None:
    assert len(words.names) >= 60
    assert len({name.culture for name in words.names}) >= 10


def test_no_name_stands_twice(words: Vocabulary) -> None:
    texts = [name.text.casefold() for name in words.names]
    assert len(set(texts)) == len(texts)


def test_every_name_is_one_plain_word_that_takes_a_plain_possessive(words: Vocabulary) -> None:
    odd = [n.text for n in words.names if not re.fullmatch(r"[A-Z][a-z]{1,6}[a-rt-wy]", n.text)]
    assert odd == []


def test_no_name_is_a_word_of_the_vocabulary(words: Vocabulary) -> None:
    known = {w.casefold() for w in words.attributes}
    for word in _nouns_and_units(words):
        known |= {word.singular.casefold(), word.plural.casefold()}
    assert [n.text for n in words.names if n.text.casefold() in known] == []


def test_no_name_is_a_month_or_one_of_the_names_that_are_words(words: Vocabulary) -> None:
    confusing = set(NAMES_THAT_ARE_WORDS.split())
    assert [n.text for n in words.names if n.text in confusing] == []


def test_most_initials_have_several_names_to_choose_from(words: Vocabulary) -> None:
    by_initial = _names_by_initial(words)
    assert len(by_initial) >= 20
    assert sum(len(names) >= 3 for names in by_initial.values()) >= 18


def test_for_any_seven_initials_there_are_names_no_two_of_which_look_alike(
    words: Vocabulary,
) -> None:
    # Given one name for every initial, chosen so that no two of all of them look alike,
    chosen = _unlike(list(_names_by_initial(words).values()))
    # then whichever seven initials are asked for, their seven names fit together.
    assert len(chosen) >= MAX_AGENTS
    assert not any(look_alike(a, b) for a, b in combinations(chosen, 2))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Sofia", "Sophia"),
        ("Mia", "Lia"),
        ("Ana", "Anita"),
        ("Ana", "ana"),
        ("Jon", "Don"),
    ],
)
def test_names_with_one_initial_or_two_edits_apart_look_alike(first: str, second: str) -> None:
    assert look_alike(first, second)
    assert look_alike(second, first)


@pytest.mark.parametrize(("first", "second"), [("Ana", "Kenji"), ("Priya", "Omar")])
def test_names_that_differ_in_initial_and_three_edits_do_not_look_alike(
    first: str, second: str
) -> None:
    assert not look_alike(first, second)
    assert not look_alike(second, first)


# --- Nouns, units, attributes ----------------------------------------------------------------


def test_there_are_many_nouns_and_some_are_uncountable(words: Vocabulary) -> None:
    assert len(words.nouns) >= 60
    assert sum(not noun.countable for noun in words.nouns.values()) >= 8


def test_there_are_many_containers_and_attributes(words: Vocabulary) -> None:
    assert sum(unit.container for unit in words.units.values()) >= 15
    assert len(words.attributes) >= 25


def test_every_noun_has_containers_and_a_handful_of_attributes(words: Vocabulary) -> None:
    for noun in words.nouns.values():
        assert 1 <= len(noun.containers) <= 3, noun.id
        assert len(noun.attributes) <= 5, noun.id
        assert len(set(noun.attributes)) == len(noun.attributes), noun.id
        assert noun.topic, noun.id


def test_measures_and_containers_are_not_mixed_up(words: Vocabulary) -> None:
    for noun in words.nouns.values():
        assert all(words.units[unit].container for unit in noun.containers), noun.id
        assert not any(words.units[unit].container for unit in noun.measures), noun.id


def test_only_uncountable_nouns_have_measures_and_they_have_no_plural(words: Vocabulary) -> None:
    for noun in words.nouns.values():
        assert bool(noun.measures) != noun.countable, noun.id
        assert (noun.singular == noun.plural) != noun.countable, noun.id


def test_every_unit_is_used_by_a_noun(words: Vocabulary) -> None:
    used = {unit for noun in words.nouns.values() for unit in (*noun.measures, *noun.containers)}
    assert set(words.units) - used == set()


def test_every_attribute_stands_once_and_is_used_by_a_noun(words: Vocabulary) -> None:
    used = {attribute for noun in words.nouns.values() for attribute in noun.attributes}
    assert set(words.attributes) - used == set()
    assert len(set(words.attributes)) == len(words.attributes)


def test_no_word_means_two_things(words: Vocabulary) -> None:
    # Given every form of every noun and unit, and every attribute,
    forms = list(words.attributes)
    for word in _nouns_and_units(words):
        forms += {word.singular, word.plural}
    # then no form stands twice: "3 boxes of boxes" cannot be written.
    assert sorted(form for form in set(forms) if forms.count(form) > 1) == []


def test_no_attribute_speaks_of_amounts(words: Vocabulary) -> None:
    amounts = re.compile(r"more|less|few|many|much|half|double|twice|single|\d")
    assert [a for a in words.attributes if amounts.search(a)] == []


def test_every_word_is_lower_case_ascii(words: Vocabulary) -> None:
    forms = list(words.attributes)
    for word in _nouns_and_units(words):
        forms += [word.singular, word.plural]
    assert [form for form in forms if not re.fullmatch(r"[a-z]+", form)] == []


def test_plurals_are_those_of_english(words: Vocabulary) -> None:
    # Given an independent library of English plurals,
    english = inflect.engine()
    # when it forms the plural of everything that can be counted,
    differing = {
        word.plural
        for word in _nouns_and_units(words)
        if word.singular != word.plural and english.plural_noun(word.singular) != word.plural
    }
    # then it agrees, except where the reason is listed.
    assert differing == set(PLURALS_CHECKED_BY_HAND)


# --- Writing an entity -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entity", "quantity", "text"),
    [
        pytest.param(Entity("apple"), 1, "apple", id="one thing is singular"),
        pytest.param(Entity("apple"), 2, "apples", id="two things are plural"),
        pytest.param(Entity("apple"), 0, "apples", id="no things are plural"),
        pytest.param(Entity("cherry"), 5, "cherries", id="plural in ies"),
        pytest.param(Entity("scarf"), 5, "scarves", id="irregular plural"),
        pytest.param(Entity("apple", "red"), 1, "red apple", id="attribute, singular"),
        pytest.param(Entity("apple", "red"), 3, "red apples", id="attribute, plural"),
        pytest.param(Entity("apple", unit="box"), 1, "box of apples", id="one box, many apples"),
        pytest.param(Entity("apple", unit="box"), 4, "boxes of apples", id="boxes"),
        pytest.param(Entity("apple", "red", "box"), 4, "boxes of red apples", id="all together"),
        pytest.param(Entity("milk", unit="litre"), 1, "liter of milk", id="one liter"),
        pytest.param(Entity("milk", unit="litre"), 6, "liters of milk", id="liters"),
        pytest.param(Entity("milk", "cold", "litre"), 6, "liters of cold milk", id="cold milk"),
        pytest.param(Entity("milk", unit="bottle"), 2, "bottles of milk", id="bottles of milk"),
    ],
)
def test_an_entity_is_written_in_the_number_of_its_quantity(
    words: Vocabulary, entity: Entity, quantity: int, text: str
) -> None:
    assert words.write(entity, quantity) == text
    assert words.write(entity, quantity) == text, "the second time it comes from memory"


def test_an_unknown_noun_cannot_be_written(words: Vocabulary) -> None:
    with pytest.raises(VocabularyError, match=r"The noun 'unicorn' is not in the vocabulary\."):
        words.write(Entity("unicorn"), 3)


# --- Loading ---------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the vocabulary files that the loader reads instead of the shipped ones."""
    copy = tmp_path / "vocabulary"
    shutil.copytree(module.ASSETS, copy)
    monkeypatch.setattr(module, "ASSETS", copy)
    return copy


def test_the_vocabulary_is_loaded_once() -> None:
    assert vocabulary() is vocabulary()


def test_two_loads_give_the_words_in_the_same_order(words: Vocabulary) -> None:
    again = _load_anew()
    assert again.names == words.names
    assert list(again.nouns) == list(words.nouns)
    assert list(again.units) == list(words.units)
    assert again.attributes == words.attributes


@pytest.mark.parametrize("file", ["names", "nouns", "units", "attributes"])
def test_every_file_says_what_it_is_and_ends_with_a_newline(file: str) -> None:
    text = (module.ASSETS / f"{file}.yaml").read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert "To add one" in text
    assert text.endswith("\n")


@pytest.mark.parametrize("file", ["names", "nouns", "units", "attributes"])
def test_a_key_never_stands_twice_in_a_file(file: str) -> None:
    # YAML would silently keep the last of two equal keys.
    text = (module.ASSETS / f"{file}.yaml").read_text(encoding="utf-8")
    for mapping in _mappings(yaml.compose(text)):
        keys = [key.value for key, _ in mapping.value]
        assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("file", ["names.yaml", "nouns.yaml", "units.yaml", "attributes.yaml"])
def test_a_missing_file_is_named_with_what_to_do(files: Path, file: str) -> None:
    (files / file).unlink()
    message = _refusal()
    assert file in message
    assert message.endswith("Install again.")


def test_a_name_that_stands_twice_is_refused(files: Path) -> None:
    _write(files / "names.yaml", {"names": {"English": ["Ben"], "Spanish": ["Ben"]}})
    assert _refusal() == "A name stands twice in names.yaml: remove one."


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(
            {"containers": ["sofa"]},
            "nouns.yaml, apple: the unit 'sofa' is not in units.yaml.",
            id="unknown container",
        ),
        pytest.param(
            {"measures": ["furlong"]},
            "nouns.yaml, apple: the unit 'furlong' is not in units.yaml.",
            id="unknown measure",
        ),
        pytest.param(
            {"attributes": ["angry"]},
            "nouns.yaml, apple: 'angry' is not in attributes.yaml.",
            id="unknown attribute",
        ),
        pytest.param(
            {"countable": False},
            "nouns.yaml, apple: an uncountable noun needs at least one measure.",
            id="uncountable without a measure",
        ),
    ],
)
def test_a_noun_that_contradicts_the_other_files_is_refused(
    files: Path, change: dict[str, object], message: str
) -> None:
    # Given a good noun with one wrong entry,
    apple = {"singular": "apple", "plural": "apples", "countable": True, "topic": "fruit"}
    _write(files / "nouns.yaml", {"nouns": {"apple": apple | change}})
    # when the vocabulary is loaded, then the message says where and what.
    assert _refusal() == message


# --- Helpers ---------------------------------------------------------------------------------


def _nouns_and_units(words: Vocabulary) -> list[Noun | Unit]:
    return [*words.nouns.values(), *words.units.values()]


def _names_by_initial(words: Vocabulary) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for name in words.names:
        grouped[name.text[0]].append(name.text)
    return grouped


def _unlike(groups: list[list[str]], chosen: tuple[str, ...] = ()) -> tuple[str, ...]:
    """One name of each group, no two of them look-alikes; empty when there is no such choice."""
    if len(chosen) == len(groups):
        return chosen
    for name in groups[len(chosen)]:
        if not any(look_alike(name, other) for other in chosen):
            found = _unlike(groups, (*chosen, name))
            if found:
                return found
    return ()


def _load_anew() -> Vocabulary:
    return shipped.__wrapped__()


def _refusal() -> str:
    with pytest.raises(VocabularyError) as caught:
        _load_anew()
    return str(caught.value)


def _write(path: Path, content: object) -> None:
    path.write_text(yaml.safe_dump(content), encoding="utf-8")


def _mappings(node: yaml.Node | None) -> list[yaml.MappingNode]:
    if isinstance(node, yaml.MappingNode):
        return [node, *(m for _, value in node.value for m in _mappings(value))]
    return []
