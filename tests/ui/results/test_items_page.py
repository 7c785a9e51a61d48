"""Items: every problem of a run, answer by answer."""

from __future__ import annotations

import csv
import html
import io

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.runs import PairOrder, PairPattern, PairRow, Store, open_store
from biaslab.runs.store.store import gallery
from biaslab.studies import Value, experiment
from biaslab.system.places import RECORDED_VARIABLE
from biaslab.ui.results import item_list
from biaslab.ui.widgets.figures import to_csv
from tests.ui.conftest import HOSTILE, Asked, Visit, links, words


def _shown(app: AppTest) -> str:
    return next(e.proto.body for e in app.get("html") if "bl-pair" in e.proto.body[:40])


_RANKS = {
    PairPattern.ONLY_X: 0,
    PairPattern.ONLY_X_PRIME: 0,
    PairPattern.BOTH_WRONG: 1,
    PairPattern.INVALID: 2,
    PairPattern.BOTH_RIGHT: 3,
    PairPattern.UNFINISHED: 4,
}


def _rows(
    store: Store,
    run: str,
    patterns: list[str] | None = None,
    strata: dict[str, Value] | None = None,
) -> list[PairRow]:
    """A run's pairs in the order of the page."""
    return store.pair_rows(run, patterns, strata, limit=1000, order=PairOrder.TELLING)


def test_both_members_are_shown_with_response_and_verdict(asked: Asked, visit: Visit) -> None:
    shown = _shown(visit("items", run=asked.keyword))
    assert "✓ Right: " in shown
    assert "✗ Wrong: " in shown
    assert shown.count("The whole response") == 2
    assert shown.count("How it was read: ") == 2


def test_the_answer_as_read_is_marked_in_the_response(asked: Asked, visit: Visit) -> None:
    with open_store(asked.path) as store:
        first = _rows(store, asked.keyword)[0]
    assert f"<mark>{first.value_x}</mark></div>" in _shown(visit("items", run=asked.keyword))


def test_an_answer_that_could_not_be_read_says_so(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.shy, pattern="invalid")
    assert "? No answer could be read" in _shown(app)
    assert "I do not know." in _shown(app)


def test_a_link_opens_this_very_pair(asked: Asked, visit: Visit) -> None:
    with open_store(asked.path) as store:
        pair = store.pair_rows(asked.keyword, offset=23, limit=1)[0]
        place = _rows(store, asked.keyword).index(pair)
    app = visit("items", run=asked.keyword, pair=pair.pair)
    assert app.header[0].value == "Pair 24"
    assert app.radio[0].value == pair.pair
    assert f"Right answer: <b>{pair.answer_x}</b>" in _shown(app)
    assert f"{place + 1} of 40" in [each.value for each in app.caption]


@pytest.mark.parametrize("pattern", ["both right", ""])
def test_a_link_opens_the_page_of_the_list_on_which_its_pair_stands(
    asked: Asked, visit: Visit, pattern: str
) -> None:
    with open_store(asked.path) as store:
        last = _rows(store, asked.step_by_step, [pattern] if pattern else None)[-1]
    filtered = {"pattern": pattern} if pattern else {}
    app = visit("items", run=asked.step_by_step, pair=last.pair, **filtered)
    assert app.radio[0].value == last.pair


def test_what_tells_most_comes_first(asked: Asked, visit: Visit) -> None:
    with open_store(asked.path) as store:
        rows = store.pair_rows(asked.step_by_step, limit=100)
    assert rows[0].pattern is PairPattern.BOTH_RIGHT, "otherwise nothing is shown here"
    first = next(
        row for row in rows if row.pattern in (PairPattern.ONLY_X, PairPattern.ONLY_X_PRIME)
    )
    app = visit("items", run=asked.step_by_step)
    assert app.header[0].value == f"Pair {first.position + 1}"
    assert app.radio[0].value == first.pair
    ranks = [_RANKS[row.pattern] for row in sorted(rows, key=lambda row: _RANKS[row.pattern])]
    listed = [option.partition(" · ")[0] for option in app.radio[0].options]
    by_number = {str(row.position + 1): _RANKS[row.pattern] for row in rows}
    assert [by_number[number] for number in listed] == ranks[: len(listed)]


def test_what_is_shown_has_a_link_of_its_own(asked: Asked, visit: Visit) -> None:
    with open_store(asked.path) as store:
        first = _rows(store, asked.keyword)[0].pair
    found = links(visit("items"))
    assert found["Link to this pair"] == f"items?run={asked.keyword}&pair={first}"


def test_a_pair_that_the_run_does_not_have_is_told(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.keyword, pair="0000")
    assert "has no pair 0000" in app.error[0].value
    assert app.radio[0].options


def test_outcomes_filter_the_list(asked: Asked, visit: Visit) -> None:
    with open_store(asked.path) as store:
        counts = store.count_patterns(asked.shy)
    app = visit("items", run=asked.shy, pattern="invalid")
    assert app.radio[0].label.startswith(f"{counts[PairPattern.INVALID]} pair")
    assert all("could not be read" in option for option in app.radio[0].options)


def test_strata_filter_the_list(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.keyword, strata="steps:2")
    assert app.radio[0].label == "20 pairs"
    assert app.selectbox(key="stratum steps").value == "2"


def test_another_filter_starts_at_its_first_pair(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.keyword, page="3")
    before = app.radio[0].value
    app.selectbox(key="stratum steps").set_value("2").run()
    assert app.query_params["strata"] == "steps:2"
    assert app.radio[0].value not in (None, before)
    assert "page" not in app.query_params


def test_filters_that_leave_nothing_say_so(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.keyword, pattern="unfinished")
    assert "No pair of this run is like that" in app.info[0].value


def test_a_stratum_that_is_not_there_is_told(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.keyword, strata="colour:blue")
    assert "colour" in app.warning[0].value
    assert app.radio[0].label == "40 pairs"


def test_next_goes_through_the_filtered_list_and_over_its_pages(asked: Asked, visit: Visit) -> None:
    with open_store(asked.path) as store:
        rows = _rows(store, asked.keyword, strata={"steps": 2})
    app = visit("items", run=asked.keyword, strata="steps:2", pair=rows[9].pair)
    app.button(key="Next pair").click().run()
    assert app.query_params["pair"] == rows[10].pair
    assert app.query_params["page"] == "2"
    app.button(key="Previous pair").click().run()
    assert app.query_params["pair"] == rows[9].pair


def test_the_first_pair_has_none_before_and_the_last_none_after(asked: Asked, visit: Visit) -> None:
    with open_store(asked.path) as store:
        last = _rows(store, asked.keyword)[39]
    first_app = visit("items", run=asked.keyword)
    last_app = visit("items", run=asked.keyword, pair=last.pair)
    assert first_app.button(key="Previous pair").disabled
    assert not first_app.button(key="Next pair").disabled
    assert last_app.button(key="Next pair").disabled


def test_what_a_model_wrote_is_text_and_never_markup(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.hostile)
    shown = _shown(app)
    assert "<script" not in shown
    start = html.escape('<script>alert("x")</script> **bold** [link](http://a.example) {')
    assert start in shown
    assert "$" in shown
    markdown = [str(element.value) for element in (*app.markdown, *app.caption)]
    assert not any(part in text for text in markdown for part in ("alert", "a.example"))
    assert HOSTILE  # what the simulated model wrote


def test_a_response_that_was_cut_off_says_so(asked: Asked, visit: Visit) -> None:
    assert "cut off at the length allowed" in _shown(visit("items", run=asked.hostile))


def test_step_by_step_shows_the_working_and_the_exact_prompts(asked: Asked, visit: Visit) -> None:
    app = visit("items", run=asked.step_by_step)
    assert "Response 1 of 2" in _shown(app)
    prompts = [block.value for block in app.code]
    assert any("Let's think step by step." in prompt for prompt in prompts)
    assert any("Therefore, the answer" in prompt for prompt in prompts)


def test_a_pair_leads_back_to_its_run_and_effects(asked: Asked, visit: Visit) -> None:
    found = links(visit("items", run=asked.shy))
    assert found["Effects of this run"] == f"effects?runs={asked.shy}"
    assert found["About this run"] == f"runs?run={asked.shy}"


@pytest.mark.usefixtures("asked")
def test_filtered_pairs_can_be_taken_away(asked: Asked) -> None:
    with open_store(asked.path) as store:
        run = store.run(asked.keyword)
    selection = item_list.Selection((), (("steps", 2),), 20, 1, 2, [], "")
    text = to_csv(*item_list.rows_for_file(run, selection, experiment("consistency"))).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 20
    assert {row["steps"] for row in rows} == {"2"}
    assert {row["pattern"] for row in rows} <= {str(pattern) for pattern in PairPattern}
    assert all(row["text_x"] and row["answer_x_prime"] for row in rows)


class TestFinding:
    def found(self, asked: Asked, words: str) -> list[PairRow]:
        with open_store(asked.path) as store:
            return store.pair_rows(asked.shy, limit=1000, search=words)

    def test_words_of_problems_are_found_whatever_their_capitals(self, asked: Asked) -> None:
        with open_store(asked.path) as store:
            rows = store.pair_rows(asked.shy, limit=1000)
        name = rows[0].text_x.split()[0]
        expected = [r.pair for r in rows if name.lower() in f"{r.text_x} {r.text_x_prime}".lower()]
        assert [row.pair for row in self.found(asked, name.upper())] == expected
        assert 0 < len(expected) < len(rows)

    def test_words_that_the_model_wrote_are_found(self, asked: Asked) -> None:
        with open_store(asked.path) as store:
            silent = store.count_patterns(asked.shy)[PairPattern.INVALID]
            counts = store.count_patterns(asked.shy, search="do not know")
        assert silent > 0
        assert counts[PairPattern.INVALID] == silent
        assert counts[PairPattern.BOTH_RIGHT] == counts[PairPattern.BOTH_WRONG] == 0

    def test_all_words_must_be_there(self, asked: Asked) -> None:
        both = {row.pair for row in self.found(asked, "know apples")}
        each = ({row.pair for row in self.found(asked, word)} for word in ("know", "apples"))
        assert both == set.intersection(*each)

    @pytest.mark.parametrize("words", ["%", "_", "a%s", "\\", "'; DROP TABLE items; --"])
    def test_signs_mean_themselves(self, asked: Asked, words: str) -> None:
        assert self.found(asked, words) == []

    def test_the_page_lists_what_is_found_and_its_link_keeps_the_words(
        self, asked: Asked, visit: Visit
    ) -> None:
        found = self.found(asked, "do not know")
        app = visit("items", run=asked.shy, find="do not know")
        assert app.text_input[0].value == "do not know"
        assert f"1 of {len(found)}" in [caption.value for caption in app.caption]
        assert "I do not know." in _shown(app)
        app.text_input[0].set_value("no such words").run()
        assert "No pair of this run is like that" in app.info[0].value


def test_one_way_of_reading_is_looked_through_alone_and_stands_in_the_file(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(RECORDED_VARIABLE, raising=False)
    held = gallery()
    assert held is not None
    run = next(each for each in held.runs() if each.strategy == "cot")
    rules = held.reading_rules(run.id)
    assert sum(rules.counts.values()) == run.items_done
    app = visit("items", run=run.id, read="boxed")
    (chosen,) = [each for each in app.selectbox if each.label == "How an answer was read"]
    assert chosen.value == "boxed"
    alone = [pair for pair, read in rules.of_pairs.items() if "boxed" in read]
    assert 0 < len(alone) < len(rules.of_pairs)
    assert f"{len(alone)} pairs" in words(app)
    assert len(visit("items", run=run.id, read="no such rule").error) == 0
    selection = item_list.Selection((), (), len(alone), 1, 1, [], "", only=tuple(alone))
    columns, rows = item_list.rows_for_file(run, selection, experiment("consistency"))
    assert {"rule_x", "rule_x_prime"} <= set(columns)
    for row in rows:
        assert (row["rule_x"], row["rule_x_prime"]) == rules.of_pairs[str(row["pair"])]
