"""Pairs of one's own whose members differ in more than one thing: said beside the effect."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from biaslab.files.opening import open_table
from biaslab.runs import open_store, prepare, run_here, save_set
from biaslab.runs.effect_rows import adjusted_of, effect_rows
from biaslab.studies import Design, Pair
from biaslab.studies.word_problems.files import read_pairs
from tests.ui.conftest import Visit, words


def pairs(most_digits: int) -> list[Pair]:
    """Proved sums; the second one's numbers have none to so many digits more."""
    lines = []
    for at in range(90):
        first, second, more = 2 + at % 9, 2 + at // 9, 10 ** (at % (most_digits + 1))
        x, x_prime = (
            f"Ana has {scale * first} {what}. Ana buys {scale * second} {what}. How many {what} "
            "does Ana have?"
            for scale, what in ((1, "pens"), (more, "cups"))
        )
        answers = {"answer_x": first + second, "answer_x_prime": more * (first + second)}
        lines.append(json.dumps({"x": x, "x_prime": x_prime} | answers))
    return list(read_pairs(open_table("\n".join(lines).encode(), "sums.jsonl")).pairs)


def asked(path: Path, most_digits: int) -> str:
    with open_store(path) as store:
        kept = save_set(store, "sums", pairs(most_digits), "a test")
        design = Design("imported", 90, 1, {"set": kept.id})
        run = prepare(store, design, "learner:careless", "direct")
        run_here(store, run)
    return run


def test_sizes_of_numbers_are_named_and_the_effect_is_told_without_them(
    tmp_path: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.db"
    run = asked(path, 2)
    with open_store(path) as store:
        told = adjusted_of(store, store.run(run))
        assert told is not None
        assert told.names == (
            "size of the numbers", "digits of the numbers", "zero digits",
        )  # fmt: skip
        assert (told.pairs, told.of) == (60, 90)
        sentence = told.sentence()
        assert f"Run {run}: {sentence}" in effect_rows(store, [store.run(run)]).warnings
    assert "were they alike in that, the effect would be" in sentence
    monkeypatch.setenv("BIASLAB_DB", str(path))
    app = visit("effects", runs=run)
    assert not app.exception
    assert sentence in words(app)


def test_members_alike_in_all_that_is_counted_have_no_such_sentence(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run = asked(path, 0)
    with open_store(path) as store:
        assert adjusted_of(store, store.run(run)) is None
        drawn = prepare(store, Design("consistency", 20, 1, {}), "learner:careless", "direct")
        run_here(store, drawn)
        assert adjusted_of(store, store.run(drawn)) is None
