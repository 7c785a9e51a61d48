"""Names in printed tables: short enough for a page, and never two alike for different models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from biaslab.publishing.paper.tables import notes, table_lines
from biaslab.runs import open_store
from biaslab.runs.effect_rows import effect_rows

LONG = "openai:organisation/a-model-of-many-words-{}-instruct-2026-11-23"


def test_long_names_are_shortened_and_different_ones_stay_apart(
    runs: tuple[Path, dict[str, str]],
) -> None:
    db, ids = runs
    with open_store(db) as store:
        records = [store.run(ids[name]) for name in ("keyword", "perfect", "samples")]
        found = effect_rows(store, records).found
    named = [
        replace(effect, model=model)
        for effect, model in zip(
            found, (LONG.format("one"), LONG.format("two"), "tiny:balanced"), strict=True
        )
    ]
    names = [line.model for line in table_lines(named)]

    assert len(set(names)) == 3
    assert all(len(name) < 50 for name in names)
    assert names[2] == "tiny:balanced"
    assert "q a: Benjamini and Hochberg over 3 tests." in notes(named)


def test_one_model_that_was_asked_the_same_twice_is_told_apart_by_its_runs(
    runs: tuple[Path, dict[str, str]],
) -> None:
    db, ids = runs
    with open_store(db) as store:
        found = effect_rows(store, [store.run(ids["keyword"])]).found
    twice = [found[0], replace(found[0], run="fedcba987654")]

    names = [line.model for line in table_lines(twice)]
    assert names == [f"{found[0].model} ({ids['keyword'][:6]})", f"{found[0].model} (fedcba)"]
