"""Effects: what changing one feature did."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from biaslab.runs import open_store, prepare, run_here
from biaslab.stats import Interval, compare, effects
from biaslab.stats.comparisons.findings import finding_sentence, strongest_first
from biaslab.stats.effect_estimator import UnreadDifference
from biaslab.studies import Design, experiment
from biaslab.studies.effects import (
    effect_sentence,
    unread_sentence,
    verdict,
    verdict_sentence,
)
from biaslab.ui.results.comparison import distinguishing_words
from biaslab.ui.results.effects import effect_at
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import labels
from schoolmath.text.figures import interval_words, signed_points
from tests.ui.conftest import Asked, Visit, ask, downloads, links, words

ARMS = experiment("consistency").arms


def test_the_effect_is_said_in_a_sentence(asked: Asked, visit: Visit) -> None:
    shown = words(visit("effects", runs=asked.keyword))
    assert "On 40 pairs, the model answered 100.0 % of the “consistent” problems right" in shown
    with open_store(asked.path) as store:
        (found,) = effects(store.outcomes([asked.keyword]))
    assert effect_sentence(found, ARMS, "the model") in shown
    assert "95 % interval" in shown


def test_effects_are_broken_down_by_steps_first(asked: Asked, visit: Visit) -> None:
    app = visit("effects", runs=asked.keyword)
    assert app.button_group[0].value == "steps"
    assert list(app.dataframe[0].value["Pairs"]) == ["steps: 1", "steps: 2"]
    assert list(app.dataframe[0].value["n"]) == [20, 20]


def test_a_link_names_runs_and_breakdown(asked: Asked, visit: Visit) -> None:
    app = visit("effects", runs=f"{asked.keyword},{asked.shy}", by="operation", invalid="exclude")
    assert app.multiselect[0].value == [asked.keyword, asked.shy]
    assert app.button_group[0].value == "operation"
    assert app.button_group[1].value == "exclude"


def test_runs_of_two_studies_get_a_part_each(asked: Asked, visit: Visit) -> None:
    app = visit("effects", runs=f"{asked.keyword},{asked.comparer}")
    assert [part.value for part in app.header][:2] == [
        experiment("consistency").title,
        experiment("transfer-comparison").title,
    ]
    assert app.button_group[0].value == "steps"
    assert app.button_group[0].options == [
        "all pairs", "reasoning steps", "operation", "comparison", "wording of the comparisons",
    ]  # fmt: skip


def test_a_study_without_the_stratum_is_shown_whole_beside_one_that_is_broken_down(
    asked: Asked, visit: Visit
) -> None:
    app = visit("effects", runs=f"{asked.keyword},{asked.comparer}", by="operation")
    assert not app.exception
    assert list(app.dataframe[0].value["Pairs"])[:1] == ["operation: addition"]
    assert list(app.dataframe[1].value["Pairs"]) == ["all"]
    title = experiment("transfer-comparison").title
    assert f"The pairs of study “{title}” have no stratum" in words(app)


def test_unread_answers_are_counted_and_said(asked: Asked, visit: Visit) -> None:
    shown = words(visit("effects", runs=asked.shy))
    with open_store(asked.path) as store:
        (found,) = effects(store.outcomes([asked.shy]))
    assert found.invalid_x + found.invalid_x_prime > 0
    assert f"{found.invalid_x + found.invalid_x_prime} answers could not be read" in shown


def test_every_stratum_leads_to_its_items(asked: Asked, visit: Visit) -> None:
    found = links(visit("effects", runs=asked.keyword))
    assert found["steps: 2"] == f"items?run={asked.keyword}&strata=steps%3A2"


def test_a_clicked_mark_stands_for_its_stratum(asked: Asked) -> None:
    with open_store(asked.path) as store:
        found = effects(store.outcomes([asked.shy, asked.keyword]), by="steps")
    clicked = effect_at(found, (1, 1))
    assert clicked is not None
    assert (clicked.run, clicked.stratum_value) == (asked.keyword, 2)
    assert effect_at(found, (2, 0)) is None


def test_charts_carry_words_and_numbers(asked: Asked, visit: Visit) -> None:
    app = visit("effects", runs=asked.keyword)
    assert len(app.get("plotly_chart")) == 2
    assert "The difference (CATE) is accuracy on “consistent” minus" in words(app)
    numbers = ["Numbers (CSV)", "Numbers (CSV)", "Table (CSV)"]
    assert downloads(app) == [*numbers, "Report as one file", "Paper (ZIP)"]


def test_published_models_stand_beside_when_asked_for(asked: Asked, visit: Visit) -> None:
    assert "LLaMA2 70B" not in words(visit("effects", runs=asked.keyword))
    shown = words(visit("effects", runs=asked.keyword, published="yes"))
    assert "LLaMA2 70B" in shown
    assert "Opedal et al. 2024" in shown


def test_what_is_known_about_people_comes_with_its_source(asked: Asked, visit: Visit) -> None:
    shown = words(visit("effects", runs=asked.keyword))
    assert "Source: " in shown
    assert "Confidence: " in shown


@pytest.mark.parametrize(
    ("run", "says"),
    [("keyword", "was harder, as it is for children"), ("hostile", "The interval includes zero")],
)
def test_how_to_read_it_follows_the_interval(asked: Asked, run: str, says: str) -> None:
    with open_store(asked.path) as store:
        (found,) = effects(store.outcomes([getattr(asked, run)]))
    assert says in verdict_sentence(found, ARMS)
    assert "pairs" in effect_sentence(found, ARMS, "the model")
    assert unread_sentence(found) == ""


def test_a_result_is_a_verdict_and_two_bars_before_any_words(asked: Asked, visit: Visit) -> None:
    app = visit("effects", runs=asked.keyword)
    assert "**The “inconsistent” problems were harder**" in [each.value for each in app.markdown]
    (bars,) = [each for each in app.get("html") if "<figure" in each.proto.body]
    said = re.sub(r"<[^>]+>", " ", bars.proto.body)
    assert re.search(r"“consistent” problems right\s+100 %", said)
    assert "95 % interval" in said
    assert "pairs." in said
    assert len(said.split()) <= 40


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, "The “inconsistent” problems were harder"),
        ({"cate": -0.4, "ci_low": -0.6, "ci_high": -0.2}, "The “consistent” problems were harder"),
        ({"cate": 0.1, "ci_low": -0.1, "ci_high": 0.3}, "No clear difference"),
        ({"cate": 1.0, "ci_low": None, "ci_high": None}, "Can't tell yet: too few pairs"),
        ({"n": 0, "cate": None}, "Nothing yet: no pair has both its answers"),
    ],
)
def test_a_verdict_goes_by_the_interval(changes: dict[str, Any], says: str, asked: Asked) -> None:
    with open_store(asked.path) as store:
        (found,) = effects(store.outcomes([asked.keyword]))
    between = {"accuracy_x": 0.6, "accuracy_x_prime": 0.4} if changes else {}
    assert verdict(replace(found, **between, **changes), ARMS) == says


def test_an_effect_that_may_be_of_reading_alone_is_no_verdict(asked: Asked) -> None:
    """Answers that could not be read count as not right, so they can make an effect."""
    with open_store(asked.path) as store:
        (found,) = effects(store.outcomes([asked.keyword]))
    sides = ((1, 0.0, 0.3, "inconsistent"), (-1, 0.3, 0.0, "consistent"))
    for way, share_x, share_x_prime, arm in sides:
        apart = share_x - share_x_prime
        low, high = sorted((way * 0.1, way * 0.5))
        unread = UnreadDifference(
            60, share_x, share_x_prime, apart, Interval(apart - 0.1, apart + 0.1), 0.001
        )
        made = replace(found, cate=way * 0.3, ci_low=low, ci_high=high, unread=unread)
        assert verdict(made, ARMS) == f"Can't tell: fewer answers to “{arm}” could be read"
        # Where the effect is larger than that could make it, it stands.
        low, high = sorted((way * 0.4, way * 0.8))
        larger = replace(made, cate=way * 0.6, ci_low=low, ci_high=high)
        assert verdict(larger, ARMS) == f"The “{arm}” problems were harder"


def test_all_wrong_or_all_right_is_no_verdict(asked: Asked) -> None:
    with open_store(asked.path) as store:
        (found,) = effects(store.outcomes([asked.keyword]))
    level = {"cate": 0.0, "ci_low": -0.02, "ci_high": 0.02}
    for share, says in ((0.0, "wrong"), (1.0, "right")):
        alike = replace(found, accuracy_x=share, accuracy_x_prime=share, **level)
        assert verdict(alike, ARMS) == f"Can't tell: nearly all answers are {says}"


class TestComposedRunsBesideEachOther:
    @pytest.fixture
    def composed(self, empty: Path) -> dict[str, str]:
        """Two runs with one treatment and different structures, and one with another."""
        designs = {
            "short": {"structure": "container . comparison+ inconsistent"},
            "long": {"structure": "container . transfer- . comparison+ inconsistent"},
            "giver": {"structure": "container . transfer A>B", "treatment": "giver"},
        }
        with open_store(empty) as store:
            found = {}
            for name, settings in designs.items():
                run = prepare(
                    store, Design("composed", 12, 1, settings), "learner:keyword", "direct"
                )
                run_here(store, run)
                found[name] = run
            return found

    def test_different_treatments_share_no_chart_and_no_names(
        self, composed: dict[str, str], visit: Visit
    ) -> None:
        app = visit("effects", runs=",".join(composed.values()))
        assert [header.value for header in app.header][:2] == [
            "A structure of your own: consistent or inconsistent",
            "A structure of your own: active or passive",
        ]
        assert "easier by hypothesis" not in words(app)
        assert len([box for box in app.subheader if box.value == "The effect"]) == 2

    def test_runs_of_one_model_are_told_apart_by_what_their_designs_differ_in(
        self, composed: dict[str, str], visit: Visit
    ) -> None:
        app = visit("effects", runs=f"{composed['short']},{composed['long']}")
        assert "The effect" in [part.value for part in app.header]
        shown = words(app)
        assert "structure: container . comparison+ inconsistent" in shown
        assert "structure: container . transfer- . comparison+ inconsistent" in shown
        assert "seed" not in shown.partition("The effect")[0]

    def test_runs_of_the_same_design_are_told_apart_by_their_ids(
        self, composed: dict[str, str], empty: Path, visit: Visit
    ) -> None:
        with open_store(empty) as store:
            again = prepare(store, store.run(composed["giver"]).design, "learner:keyword", "direct")
            run_here(store, again)
        app = visit("effects", runs=f"{composed['giver']},{again}")
        assert f"run {again[:6]}" in words(app)


def test_two_runs_of_the_same_pairs_are_compared_pair_by_pair(asked: Asked, visit: Visit) -> None:
    app = visit("effects", runs=f"{asked.keyword},{asked.shy}", trend="steps")
    assert not app.exception
    shown = words(app)
    assert "Between the runs" in [part.value for part in app.header]
    with open_store(asked.path) as store:
        found = compare(store.outcomes([asked.keyword, asked.shy]), trend_over="steps")
        called = labels([store.run(asked.keyword), store.run(asked.shy)])
    first = found.findings[0]
    assert first.question == "effect-difference"
    assert first.n == 40
    assert finding_sentence(first, called).partition(" (95 %")[0] in shown
    assert "With one more in steps" in shown


def test_models_that_were_asked_in_different_ways_are_not_compared_in_silence(
    asked: Asked, visit: Visit
) -> None:
    with open_store(asked.path) as store:
        runs = {run.id: run for run in store.runs()}
    other = next(
        run
        for run in runs.values()
        if run.study == runs[asked.keyword].study
        and run.model_spec != runs[asked.keyword].model_spec
        and run.strategy != runs[asked.keyword].strategy
        and run.answered
    )
    app = visit("effects", runs=f"{asked.keyword},{other.id}")
    assert any("asked in different ways" in each.value for each in app.warning)
    app = visit("effects", runs=f"{asked.keyword},{asked.shy}")
    assert not any("asked in different ways" in each.value for each in app.warning)


def test_many_runs_are_compared_in_one_table_with_the_largest_difference_first(
    empty: Path, visit: Visit
) -> None:
    with open_store(empty) as store:
        learners = ("keyword", "shy", "perfect", "forgetful")
        runs = [ask(store, "consistency", 40, "1-2", f"learner:{name}") for name in learners]
        found = compare(store.outcomes(runs), "steps", "steps")
        called = labels([store.run(run) for run in runs])
    app = visit("effects", runs=",".join(runs), trend="steps")
    assert not app.exception
    tables = [each.value for each in app.dataframe]
    differences = next(each for each in tables if "Difference" in each and "Runs" in each)
    whole = [
        each
        for each in found.findings
        if each.question == "effect-difference" and each.stratum == "all"
    ]
    assert len(differences) == len(whole) == 6
    largest = max(whole, key=lambda each: abs(each.estimate or 0.0))
    row = differences.iloc[0]
    letter = dict(zip(runs, "ABCD", strict=True))
    assert row["Runs"] == " − ".join(letter[run] for run in largest.runs)
    for run in runs:
        assert f"**{letter[run]}** {called[run]}" in words(app)
    assert row["Difference"] == signed_points(largest.estimate)
    assert row["95 % interval"] == interval_words(largest.ci_low, largest.ci_high)
    assert row["n"] == 40
    trends = next(each for each in tables if "For one more" in each)
    assert sorted(trends["Run"]) == ["A", "B", "C", "D"]
    assert "allowing for 6 tests" in words(app)
    # No run is called by its id, in the warnings neither.
    assert not any(run in words(app) for run in runs)


def test_differences_without_a_test_stand_last_and_are_counted_apart(asked: Asked) -> None:
    with open_store(asked.path) as store:
        found = compare(store.outcomes([asked.keyword, asked.shy]))
    tested = next(each for each in found.findings if each.question == "effect-difference")
    # Two runs that have a single pair in common
    single = replace(tested, n=1, estimate=1.0, ci_low=None, ci_high=None, p=None, p_holm=None,
                     family=())  # fmt: skip
    assert strongest_first([single, tested]) == [tested, single]
    assert distinguishing_words([single, tested]) == (
        "1 of 1 statistically significant, allowing for 1 test; 1 without a test, for want of pairs"
    )


class TestTheLogisticModel:
    def test_it_is_not_fitted_before_somebody_opens_it(
        self, asked: Asked, visit: Visit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(queries, "models_of", None)
        app = visit("effects", runs=f"{asked.shy},{asked.keyword}")
        assert not app.exception
        assert "A logistic model next to the effects" in [box.label for box in app.expander]

    def test_it_stands_beside_the_effect_and_says_where_there_is_none(
        self, asked: Asked, visit: Visit
    ) -> None:
        app = visit("effects", runs=f"{asked.shy},{asked.keyword}", by="all")
        app.session_state["logistic model"] = True
        app.run()
        assert not app.exception
        table = next(each.value for each in app.dataframe if "Odds ratio" in each.value)
        with open_store(asked.path) as store:
            found = {each.run: each for each in effects(store.outcomes([asked.shy, asked.keyword]))}
        assert list(table["Effect it implies"].str.partition(" (")[0]) == [
            signed_points(found[run].cate) for run in (asked.shy, asked.keyword)
        ]
        # The keyword learner has 100 % of one kind right.
        assert table["Odds ratio"].iloc[1] == "none"
        assert "No coefficients and no interval: all answers to x are right" in words(app)


def test_one_run_alone_says_what_a_comparison_needs(asked: Asked, visit: Visit) -> None:
    shown = words(visit("effects", runs=asked.keyword))
    assert "Choose a second run above, under “Runs to compare”." in shown
    assert "Where both were asked the same pairs" in shown


def test_simple_strategies_are_asked_when_their_box_is_opened(
    asked: Asked, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(queries, "explained_of", None)
        app = visit("effects", runs=asked.keyword)
    assert not app.exception
    assert not app.table
    app.session_state["strategies consistency"] = True
    table = app.run().table[0].value
    assert list(table.index) == ["Always adds", "Always follows the keyword"]
    # The run is that of the learner that is one of the strategies: nothing is left to explain.
    assert table.loc["Always follows the keyword", "The rest"].startswith("0.0 (")
    assert list(table["Pairs"]) == [40, 40]


def test_a_run_that_was_read_again_is_another_state(asked: Asked) -> None:
    with open_store(asked.path) as store:
        run = store.run(asked.keyword)
    assert OutcomesState.of(run) != OutcomesState.of(replace(run, reader="another"))


def test_where_all_is_right_the_page_says_that_nothing_could_show_and_what_to_change(
    empty: Path, visit: Visit
) -> None:
    with open_store(empty) as store:
        perfect, keyword = (
            ask(store, "consistency", 40, "1-2", f"learner:{name}")
            for name in ("perfect", "keyword")
        )
    shown = words(visit("effects", runs=perfect, by="all"))
    assert "Both kinds are at the ceiling: nearly all answers are right" in shown
    assert "Make it harder, such as more steps" in shown
    assert "show no clear difference" not in shown
    app = visit("effects", runs=f"{perfect},{keyword}", by="all")
    table = next(each.value for each in app.dataframe if "Pairs" in each.value)
    assert list(table["Pairs"]) == ["all (ceiling)", "all"]
