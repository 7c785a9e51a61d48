"""Items: another run that was asked the same pair, beside the chosen one."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.runs import RunOptions, Store, open_store, prepare, run_here
from biaslab.studies import Design
from tests.ui.conftest import HOSTILE, Asked, Visit, ask, ask_writer, links


def _shown(app: AppTest) -> str:
    return next(str(e.proto.body) for e in app.get("html") if "bl-beside" in e.proto.body[:40])


def _choice(app: AppTest) -> list[str]:
    return [each for box in app.selectbox if box.label == "Compare with" for each in box.options]


def _first(path: Path, run: str) -> str:
    with open_store(path) as store:
        return store.pair_rows(run)[0].pair


def test_both_runs_are_shown_with_what_was_read_and_whether_it_is_right(
    asked: Asked, visit: Visit
) -> None:
    with open_store(asked.path) as store:
        row = next(row for row in store.pair_rows(asked.keyword, limit=40) if row.y_x_prime == 0)
        there = store.pair_detail(asked.shy, row.pair)

    app = visit("items", run=asked.keyword, pair=row.pair, beside=asked.shy)

    shown = _shown(app)
    x, x_prime = shown.split("</section></div></section>")[:2]
    for card in (x, x_prime):
        assert card.count("The whole response") == 2
        assert card.count("How it was read: ") == 2
        assert card.count("Right answer: ") == 1
    assert f"✗ Wrong: {row.value_x_prime}" in x_prime
    reading = there.x_prime.reading
    assert reading is not None
    assert html.escape(reading.explanation) in x_prime


def test_only_runs_that_were_asked_this_pair_are_offered(asked: Asked, visit: Visit) -> None:
    offered = _choice(visit("items", run=asked.keyword))
    assert len(offered) == 2
    assert offered[0] == "No other run"
    assert "Sometimes gives no answer" in offered[1]
    assert _choice(visit("items", run=asked.comparer)) == []


def test_what_is_beside_stays_for_the_next_pair_and_stands_in_the_link(
    asked: Asked, visit: Visit
) -> None:
    app = visit("items", run=asked.keyword, beside=asked.shy)
    first = app.header[0].value
    app.button(key="Next pair").click().run()

    assert app.header[0].value != first
    assert app.query_params["beside"] == asked.shy
    assert _shown(app)
    assert f"beside={asked.shy}" in links(app)["Link to this pair"]


def test_choosing_no_other_run_shows_the_chosen_one_alone(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.keyword, beside=asked.shy)
    next(box for box in app.selectbox if box.label == "Compare with").set_value("").run()

    assert "beside" not in app.query_params
    assert not any("bl-beside" in each.proto.body[:40] for each in app.get("html"))


@pytest.mark.parametrize("name", ["0000", "comparer"])
def test_a_run_that_has_no_such_pair_is_told(asked: Asked, visit: Visit, name: str) -> None:
    named = asked.comparer if name == "comparer" else name
    app = visit("items", run=asked.keyword, beside=named)
    assert named in app.warning[0].value
    assert "shown alone" in app.warning[0].value


def test_choosing_the_run_that_is_beside_shows_it_alone(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.shy, beside=asked.shy)
    assert not app.warning
    assert not app.error


def _ask(store: Store, design: Design, samples: int = 1) -> str:
    run = prepare(store, design, "learner:careless", "direct", options=RunOptions(samples=samples))
    run_here(store, run)
    return run


def test_runs_of_one_model_are_told_apart(empty: Path, visit: Visit) -> None:
    design = Design("consistency", 4, 1)
    with open_store(empty) as store:
        one, other, larger = (
            _ask(store, design),
            _ask(store, design),
            _ask(store, Design("consistency", 6, 1)),
        )
    pair = _first(empty, one)

    app = visit("items", run=one, pair=pair, beside=other)

    assert not app.exception
    assert len(set(_choice(app))) == 3
    shown = _shown(app)
    assert one[:6] in shown
    assert other[:6] in shown
    assert larger[:6] not in shown


def test_of_a_run_that_asked_once_the_one_answer_is_beside_every_sample(
    empty: Path, visit: Visit
) -> None:
    design = Design("consistency", 4, 1)
    with open_store(empty) as store:
        often, once = _ask(store, design, samples=3), _ask(store, design)

    app = visit("items", run=often, pair=_first(empty, often), sample="3", beside=once)

    assert "(sample 3)" in _shown(app)
    assert not app.error


def test_what_the_other_model_wrote_is_text_and_never_markup(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        hostile, again = ask_writer(store, HOSTILE), ask_writer(store, "15")

    shown = _shown(visit("items", run=again, pair=_first(empty, again), beside=hostile))

    assert "<script" not in shown
    assert html.escape('<script>alert("x")</script>') in shown


def _listed(app: AppTest) -> int:
    return int(app.radio[0].label.partition(" ")[0].replace(",", ""))


def test_the_pairs_that_both_runs_answered_otherwise_can_be_listed_alone(
    empty: Path, visit: Visit
) -> None:
    with open_store(empty) as store:
        one, other = (
            ask(store, "consistency", 20, "1-1", f"learner:{name}")
            for name in ("halfway", "perfect")
        )
        # Nothing but right answers are to be had of the other.
        differing = [row.pair for row in store.pair_rows(one) if 0 in (row.y_x, row.y_x_prime)]
        assert sorted(store.differing(one, other)) == sorted(differing)
    assert 0 < len(differing) < 20

    app = visit("items", run=one, beside=other)
    assert _listed(app) == 20
    (switch,) = [each for each in app.toggle if each.label.startswith("The two runs differ")]
    assert switch.label.endswith(f"({len(differing)})")
    switch.set_value(True).run()

    assert _listed(app) == len(differing)
    assert app.query_params["differ"] == "yes"
    assert any("chosen by their outcome" in each.value for each in app.caption)


def test_without_a_run_beside_the_pairs_are_not_told_apart(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.keyword, differ="yes")
    assert _listed(app) == _listed(visit("items", run=asked.keyword))
    assert not [each for each in app.toggle if each.label.startswith("The two runs")]
