"""Items: the effect over exactly the pairs that are listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.runs import PairMark, open_store, save_note
from biaslab.stats import Effect, effects
from biaslab.studies import experiment
from biaslab.system.roles import Role
from biaslab.ui.results.item_list import slice_words
from biaslab.ui.widgets import visitor
from tests.ui.conftest import Asked, Visit, ask


def _slice(app: AppTest) -> str:
    found = [str(each.value) for each in app.caption if "In this slice" in str(each.value)]
    return found[0] if found else ""


def _of(path: Path, run: str, pairs: set[str]) -> Effect:
    with open_store(path) as store:
        outcomes = store.outcomes([run])
    (effect,) = effects(outcomes[outcomes["pair"].isin(pairs)])
    return effect


def test_a_stratum_as_a_slice_has_the_effect_that_effects_gives_it(
    asked: Asked, visit: Visit
) -> None:
    with open_store(asked.path) as store:
        by_steps = effects(store.outcomes([asked.keyword]), by="steps")
    (effect,) = [each for each in by_steps if each.stratum_value == 2]

    said = _slice(visit("items", run=asked.keyword, strata="steps:2"))

    assert effect.n == 20
    assert slice_words(effect, experiment("consistency")) in said.replace("\\", "")
    assert "exploratory" in said


def test_words_that_are_looked_for_make_a_slice(asked: Asked, visit: Visit) -> None:
    with open_store(asked.path) as store:
        name = store.pair_rows(asked.shy)[0].text_x.split()[0]
        pairs = {row.pair for row in store.pair_rows(asked.shy, limit=100, search=name)}
    effect = _of(asked.path, asked.shy, pairs)

    said = _slice(visit("items", run=asked.shy, find=name))

    assert 0 < effect.n < 40
    assert slice_words(effect, experiment("consistency")) in said.replace("\\", "")


def test_marked_pairs_make_a_slice(
    empty: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)
    with open_store(empty) as store:
        run = ask(store, "consistency", 12, "1-2", "learner:keyword")
        pairs = {row.pair for row in store.pair_rows(run)[:5]}
        for pair in pairs:
            save_note(store, run, pair, PairMark.STAR, "")
    app = visit("items", run=run, marked="star")
    assert slice_words(_of(empty, run, pairs), experiment("consistency")) in _slice(app).replace(
        "\\", ""
    )

    with open_store(empty) as store:
        save_note(store, run, pairs.pop(), None, "")
    app.run()
    assert "4 pairs." in _slice(app)


def test_all_pairs_are_no_slice(asked: Asked, visit: Visit) -> None:
    assert not _slice(visit("items", run=asked.keyword))


def test_pairs_chosen_by_their_outcome_get_no_effect(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.keyword, pattern="only x right", strata="steps:2")
    assert not _slice(app)
    assert any("the choice determines it" in str(each.value) for each in app.caption)


def test_a_scale_is_told_in_its_unit(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        run = ask(store, "decision", 12, "", "learner:anchored", "choose")
        word = store.pair_rows(run)[0].text_x.split()[0]
    said = _slice(visit("items", run=run, find=word))
    assert "In this slice" in said
    assert " points," not in said
