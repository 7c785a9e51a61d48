"""The shipped questions on passages: whole, balanced, and no more to be guessed than by chance."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.files import ImportedItem, import_bytes
from biaslab.runs import open_store, prepare, run_here, save_items
from biaslab.stats.estimates import wilson
from biaslab.studies import Design
from biaslab.studies.malgorithm.items import READING, of_import
from biaslab.studies.malgorithm.results import identifications

CLASSES = {"Informational Text", "Literature"}
"""As in table 3 of Sonkar et al. (2024)."""


@pytest.fixture(scope="module")
def items() -> list[ImportedItem]:
    report = import_bytes(READING.read_bytes(), READING.name)
    assert not report.refused
    return list(report.items)


def test_there_are_24_on_twelve_texts_in_both_classes(items: list[ImportedItem]) -> None:
    assert len({item.question for item in items}) == 24
    assert set(Counter(item.passage for item in items).values()) == {2}
    assert Counter(item.content_class for item in items) == dict.fromkeys(CLASSES, 12)
    assert {item.grade for item in items} == {3, 4, 5, 6, 7, 8, 11}
    assert Counter(item.dok for item in items) == {2: 12, 3: 12}


def test_every_choice_has_a_reason_that_can_be_asked_for(items: list[ImportedItem]) -> None:
    assert all(len(of_import(item).reasons) == 4 for item in items)
    assert sum(len(of_import(item).wrong) for item in items) == 72
    texts = [text for item in items for text in (*item.options, *item.rationales.values())]
    assert len(set(texts)) == len(texts)


def test_neither_place_nor_length_tells_the_key(items: list[ImportedItem]) -> None:
    assert Counter(item.key for item in items) == dict.fromkeys("ABCD", 6)
    for by in (max, min):
        for texts in (
            [dict(zip("ABCD", item.options, strict=True)) for item in items],
            [dict(item.rationales) for item in items],
        ):
            right = sum(
                by(of, key=lambda letter: len(of[letter])) == item.key
                for of, item in zip(texts, items, strict=True)
            )
            interval = wilson(right, 24)
            assert interval is not None
            assert interval.low < 0.25 < interval.high


def test_words_alone_find_few_of_the_reasons_of_wrong_choices(
    items: list[ImportedItem], tmp_path: Path
) -> None:
    with open_store(tmp_path / "runs.db") as store:
        save_items(store, "reading", items, READING.name, {})
        run = prepare(
            store, Design("malgorithm", 72, 1, {"items": "reading"}), "learner:words", "simple"
        )
        run_here(store, run)
        (found,) = identifications(store.answered_items([run]))
        words = next(each for each in found.baselines if each.name == "words alone")
    assert found.mia.n == 72
    assert words.mia is not None
    assert words.mia < 0.5


def test_they_are_imported_and_asked_by_the_command_line(tmp_path: Path) -> None:
    db = ["--db", str(tmp_path / "runs.db")]
    for arguments in (
        ["import", str(READING), "--as", "reading", *db],
        ["run", "malgorithm", "--set", "items=reading", "--n", "72", "--seed", "1",
         "--model", "learner:perfect", *db],
    ):  # fmt: skip
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 0, done.output
    told = CliRunner().invoke(main, ["effects", "--by", "content_class", "--format", "csv", *db])
    assert all(each in told.output for each in CLASSES)
