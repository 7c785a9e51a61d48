"""Malgorithms: does a model see why an answer is wrong?"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from biaslab.files import import_bytes
from biaslab.models import Sampling
from biaslab.runs import RunOptions, open_store, prepare, run_here, save_items
from biaslab.runs.engine.sources import Sources
from biaslab.studies import Design, experiment
from biaslab.studies.malgorithm.items import OF_OTHERS, QUESTION_ITSELF
from biaslab.studies.malgorithm.prompts import PUBLISHED_STRATEGIES
from biaslab.studies.malgorithm.results import Identification, identifications
from biaslab.studies.strategies import AS_BEFORE, AS_USUAL
from biaslab.ui.studies.malgorithm import queries as read
from biaslab.ui.studies.malgorithm.queries import QuestionFilter, QuestionOutcome, meets
from biaslab.ui.studies.malgorithm.results import (
    bar_items,
    cell_items,
    groups_of,
    mixup_items,
    published_rows,
    rules_in_order,
)
from biaslab.ui.widgets.queries import OutcomesState
from tests.ui.conftest import HOSTILE, SimulatedWriter, Visit, links, words

ANSWERS = HOSTILE + ' {"answer": "B"}'


@dataclass(frozen=True)
class Identified:
    """A file of runs of this study."""

    path: Path
    drawn: str
    """Drawn to the key, thinks step by step."""
    coin: str
    """By likelihood: nothing is written."""
    repeated: str
    """Guesses, three times each."""
    hostile: str
    elsewhere: str
    """Other questions."""


@pytest.fixture(scope="session")
def _identified(tmp_path_factory: pytest.TempPathFactory) -> Identified:
    path = tmp_path_factory.mktemp("malgorithms") / "runs.db"
    with open_store(path) as store:

        def ask(model: str, strategy: str, n: int = 90, seed: int = 1, **more: Any) -> str:
            run = prepare(store, Design("malgorithm", n, seed), model, strategy, **more)
            run_here(store, run)
            return run

        model = SimulatedWriter(ANSWERS)
        sources = Sources(experiment, lambda *_: model.identity, lambda *_: model)
        hostile = prepare(store, Design("malgorithm", 9, 1), "local:x", "simple", sources=sources)
        run_here(store, hostile, sources=sources)
        return Identified(
            path,
            hostile=hostile,
            elsewhere=ask("learner:perfect", "simple", 9, seed=7),
            repeated=ask(
                "learner:coin", "simple", 30,
                sampling=Sampling(temperature=1.0), options=RunOptions(samples=3),
            ),
            coin=ask("learner:coin", "likelihood"),
            drawn=ask("learner:key-drawn", "cot"),
        )  # fmt: skip


_FOUND: dict[tuple[object, ...], list[Identification]] = {}


def _identifications_once(items: pd.DataFrame, *how: Any) -> list[Identification]:
    """Figures of runs that never change, worked out for the first page that shows them."""
    key = (*items["run"].unique(), *how)
    if key not in _FOUND:
        _FOUND[key] = identifications(items, *how)
    return _FOUND[key]


@pytest.fixture
def identified(_identified: Identified, monkeypatch: pytest.MonkeyPatch) -> Identified:
    """A file with runs of this study; tests that use it change nothing in it."""
    monkeypatch.setenv("BIASLAB_DB", str(_identified.path))
    monkeypatch.setattr(read, "identifications", _identifications_once)
    return _identified


def _state(identified: Identified, run: str) -> OutcomesState:
    with open_store(identified.path) as store:
        return OutcomesState.of(store.run(run))


def _figures(identified: Identified, run: str) -> Any:
    with open_store(identified.path) as store:
        (found,) = identifications(store.answered_items([run]))
    return found


def _questions(visit: Visit, run: str, **address: str) -> AppTest:
    return visit("malgorithms", runs=run, view="questions", **address)


def _cards(app: AppTest) -> str:
    return "\n".join(e.proto.body for e in app.get("html") if "bl-stack" in e.proto.body[:40])


def _listed(app: AppTest) -> str:
    return str(app.radio[0].label)


# Before anything was asked


@pytest.mark.usefixtures("empty")
def test_without_a_run_the_page_leads_to_the_study(visit: Visit) -> None:
    app = visit("malgorithms")
    assert "demo" in app.info[0].value
    assert links(app)["Compose this study"] == "compose?study=malgorithm"


@pytest.mark.usefixtures("empty")
def test_the_demo_is_told_to_be_a_simulated_learner(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[Design, str, str]] = []
    monkeypatch.setattr("biaslab.ui.ask.asking.start", lambda *asked: started.append(asked))
    app = visit("malgorithms")
    assert "simulated learner" in words(app)
    app.button(key="demo").click().run()
    ((design, model, _),) = started
    assert design.study == "malgorithm"
    assert model.startswith("learner:")


def test_a_run_without_answers_shows_how_far_it_is(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        run = prepare(store, Design("malgorithm", 9, 1), "learner:coin", "simple")
    app = visit("malgorithms")
    assert "0 of" in app.get("progress")[0].proto.text
    assert links(app)["Details of this run"] == f"runs?run={run}"


@pytest.mark.usefixtures("asked")
def test_runs_of_other_studies_are_not_offered(visit: Visit) -> None:
    assert not visit("malgorithms").multiselect


# Results


def test_the_figures_come_with_n_interval_and_chance(identified: Identified, visit: Visit) -> None:
    found = _figures(identified, identified.drawn)
    shown = words(visit("malgorithms", runs=identified.drawn))
    assert f"<b>{100 * found.mia.value:.1f} %</b>" in shown
    low, high = (100 * end for end in (found.mia.interval.low, found.mia.interval.high))
    assert f"95 % interval {low:.1f} % to {high:.1f} %; n = 90 wrong choices" in shown
    assert "n = 30 right choices" in shown
    assert "n = 30 questions" in shown
    assert shown.count("chance 25.0 %") == 3
    assert "Guessing among four gives 25.0 % each time." in shown


def test_what_cannot_be_told_from_guessing_says_so(identified: Identified, visit: Visit) -> None:
    found = _figures(identified, identified.coin)
    assert found.mia.interval.low < 0.25 < found.mia.interval.high
    assert "is no clearer than guessing" in words(visit("malgorithms", runs=identified.coin))


def test_the_run_is_labelled_as_simulated(identified: Identified, visit: Visit) -> None:
    shown = words(visit("malgorithms", runs=identified.drawn))
    assert "says nothing about any real model" in shown


def test_what_may_stand_behind_the_figures_is_explained(
    identified: Identified, visit: Visit
) -> None:
    shown = words(visit("malgorithms", runs=identified.drawn))
    for name in (
        "Drawn to the key", "All three mal-rules", "Favourite label", "Baseline: longest",
        "Baseline: value inside", "Exactly as asked",
    ):  # fmt: skip
        assert f"<b>{name}</b>" in shown
    assert "100.0 % (95 % interval" in shown


def test_published_models_stand_below_with_source_and_prompting(identified: Identified) -> None:
    table = published_rows([("Me", _figures(identified, identified.drawn))])
    assert table.iloc[0]["Source"] == "this file"
    rest = table.iloc[1:]
    assert set(rest["Asked"]) == {each.label for each in PUBLISHED_STRATEGIES}
    assert all("Sonkar" in source for source in rest["Source"])
    first = rest[(rest["Who"] == "GPT-4o") & (rest["Asked"] == "Answer at once")].iloc[0]
    assert (first["MIA"], first["AIA"], first["MCQ"]) == ("62.8 %", "92.1 %", "90.1 %")


def test_several_runs_stand_beside_one_another(identified: Identified, visit: Visit) -> None:
    app = visit("malgorithms", runs=f"{identified.coin},{identified.drawn}", of=identified.drawn)
    shown = words(app)
    assert "**Simulated learner: Tosses a coin, likeliest letter**" in shown
    assert "**Simulated learner: Drawn to the right way, think step by step**" in shown
    assert "follow are of: Simulated learner: Drawn to the right way" in shown


def test_unread_answers_count_as_not_right_unless_left_out(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        model = SimulatedWriter("I cannot say.")
        sources = Sources(experiment, lambda *_: model.identity, lambda *_: model)
        design = Design("malgorithm", 9, 1)
        run, cut_off = (
            prepare(
                store,
                design,
                "local:x",
                "simple",
                options=RunOptions(length=length),
                sources=sources,
            )
            for length in (AS_BEFORE, AS_USUAL)
        )
        for each in (run, cut_off):
            run_here(store, each, sources=sources)
    strict = words(visit("malgorithms", runs=run))
    assert "12 answers could not be read and count as not right" in strict
    missing = visit("malgorithms", runs=cut_off)
    assert not missing.exception
    assert not missing.error
    assert "12 answers missing (cut off or failed) and left out" in words(missing)
    assert "could not be read and were left out" in words(
        visit("malgorithms", runs=run, invalid="exclude")
    )


@pytest.mark.parametrize("view", ["results", "questions"])
def test_a_link_to_a_run_that_is_not_there_says_so(
    identified: Identified, visit: Visit, view: str
) -> None:
    app = visit("malgorithms", runs="gone", view=view)
    assert not app.error
    assert "gone" in app.warning[0].value
    assert identified.drawn


# Every cell and bar opens its items


def test_every_cell_opens_its_questions_with_a_link_as_well(
    identified: Identified, visit: Visit
) -> None:
    state = _state(identified, identified.drawn)
    found = links(visit("malgorithms", runs=identified.drawn))
    for cell in read.cells(state, "strict"):
        (target,) = [to for label, to in found.items()
                     if label.startswith(f"Grade {cell.grade}, DOK {cell.dok}:")]  # fmt: skip
        assert target.endswith(f"&grade={cell.grade}&dok={cell.dok}")


def test_a_cell_counts_the_choices_of_the_questions_that_it_opens(identified: Identified) -> None:
    state = _state(identified, identified.drawn)
    for cell in read.cells(state, "strict"):
        wanted = QuestionFilter(**cell_items(cell))
        found = [each for each in read.questions(state, 0) if meets(each, wanted)]
        assert len(found) == cell.found.aia.n
        assert sum(len(each.rules) for each in found) == cell.found.mia.n


def test_a_bar_opens_the_questions_of_its_class(identified: Identified) -> None:
    with open_store(identified.path) as store:
        run = store.run(identified.drawn)
    for _, group in groups_of([run], "strict"):
        address = bar_items(run, group)
        assert address.pop("of") == run.id
        wanted = QuestionFilter(**address)
        found = [each for each in read.questions(OutcomesState.of(run), 0) if meets(each, wanted)]
        assert len(found) == group.found.aia.n


def test_a_mixup_opens_the_questions_in_which_it_happened(identified: Identified) -> None:
    state = _state(identified, identified.coin)
    mixups = read.mixups(state)
    assert [each.answers for each in mixups] == sorted(
        (each.answers for each in mixups), reverse=True
    )
    for mixup in mixups:
        wanted = QuestionFilter(**mixup_items(mixup))
        found = [each for each in read.questions(state, 0) if meets(each, wanted)]
        assert len(found) == mixup.answers


def test_who_is_drawn_to_the_key_is_seen_in_the_mixups(identified: Identified) -> None:
    mixups = read.mixups(_state(identified, identified.drawn))
    assert mixups
    assert {each.named for each in mixups} == {"key"}
    assert mixups[0].named_words == "the right way"


def test_a_click_on_a_cell_opens_its_questions(
    identified: Identified, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = read.cells(_state(identified, identified.drawn), "strict")
    once = iter([(0, 1)])
    monkeypatch.setattr(
        "biaslab.ui.studies.malgorithm.results.clicked_point", lambda *_: next(once, None)
    )
    app = visit("malgorithms", runs=identified.drawn)
    assert app.query_params["view"] == ["questions"] or app.query_params["view"] == "questions"
    clusters = cells[1].found.mia.clusters
    assert _listed(app) == f"{clusters} question{'' if clusters == 1 else 's'}"


def test_mal_rules_missed_most_often_come_first(identified: Identified) -> None:
    found = read.figures(_state(identified, identified.drawn), "rule", "strict")
    shares = [each.mia.value or 0.0 for each in rules_in_order(found)]
    assert shares == sorted(shares)
    assert sum(each.mia.n for each in found) == 90


# Question by question


def test_a_question_shows_options_rationales_and_what_led_where(
    identified: Identified, visit: Visit
) -> None:
    with open_store(identified.path) as store:
        facts = store.answered_items([identified.drawn])["facts"].iloc[0]
    shown = _cards(_questions(visit, identified.drawn))
    assert html.escape(facts["question"]) in shown
    for letter, text in facts["options"].items():
        assert f"<b>{letter}.</b> {html.escape(text)}" in shown
    for text in facts["rationales"].values():
        assert html.escape(text) in shown
    assert shown.count("✓ the right option") == 1
    assert shown.count('class="bl-arm"') == 4


def test_right_and_wrong_are_told_in_words_marks_and_colour(
    identified: Identified, visit: Visit
) -> None:
    app = _questions(visit, identified.drawn, outcome="taken-for-key")
    shown = _cards(app)
    assert '<div class="bl-told wrong"><p class="bl-outcome">✗ Wrong: named rationale' in shown
    assert '<div class="bl-told right"><p class="bl-outcome">✓ Right: named rationale' in shown
    assert "(the right way).</p>" in shown


def test_reasoning_is_shown_with_every_choice(identified: Identified, visit: Visit) -> None:
    shown = _cards(_questions(visit, identified.drawn))
    assert shown.count("Why, in its own words") == 4
    assert len(re.findall(r"It is [A-D] that fits\.", shown)) == 4


def test_the_question_itself_is_judged_apart(identified: Identified, visit: Visit) -> None:
    assert "✓ Right: " in _cards(_questions(visit, identified.drawn))
    app = _questions(visit, identified.coin, outcome="question-wrong")
    assert "Asked the question itself</div><p><b>✗ Wrong: " in _cards(app)


def test_mal_rules_are_described_with_source_and_its_confidence_explained(
    identified: Identified, visit: Visit
) -> None:
    with open_store(identified.path) as store:
        facts = store.answered_items([identified.drawn])["facts"].iloc[0]
    shown = html.unescape(_cards(_questions(visit, identified.drawn)))
    for rule in set(facts["rules"].values()) - {"key"}:
        card = read.card(rule)
        assert card is not None
        for text in (card.name, card.description, f"{card.source}. Confidence {card.confidence}: "):
            assert text in shown


def test_several_models_stand_side_by_side_on_one_question(
    identified: Identified, visit: Visit
) -> None:
    app = visit(
        "malgorithms",
        runs=f"{identified.drawn},{identified.coin},{identified.elsewhere}",
        view="questions",
    )
    shown = _cards(app)
    for who in ("Drawn to the right way", "Tosses a coin", "Makes no mistakes"):
        assert shown.count(who) == 5
    assert shown.count("… Not asked this question") == 4
    assert "Makes no mistakes, answer at once: <b>… was not asked this question" in shown


@pytest.mark.parametrize("condition", ["grade", "dok", "content_class", "rule", "outcome"])
def test_every_condition_filters_the_list(
    identified: Identified, visit: Visit, condition: str
) -> None:
    questions = read.questions(_state(identified, identified.coin), 0)
    first = questions[3]
    value = {
        "grade": str(first.grade), "dok": str(first.dok), "content_class": first.content_class,
        "rule": first.choices[0].rule, "outcome": "missed",
    }[condition]  # fmt: skip
    app = _questions(visit, identified.coin, **{condition: value})
    wanted = QuestionFilter(**{condition: value})
    left = [each for each in questions if meets(each, wanted)]
    assert 0 < len(left) <= len(questions)
    assert _listed(app) == f"{len(left)} question{'' if len(left) == 1 else 's'}"
    assert app.radio[0].value == left[0].id


def test_conditions_can_be_chosen_and_all_taken_back(identified: Identified, visit: Visit) -> None:
    app = _questions(visit, identified.coin)
    everything = _listed(app)
    grade = str(read.questions(_state(identified, identified.coin), 0)[0].grade)
    app.selectbox(key="address grade").set_value(grade).run()
    assert app.query_params["grade"] in (grade, [grade])
    assert _listed(app) != everything
    app.button(key="all questions").click().run()
    assert _listed(app) == everything
    assert "grade" not in app.query_params


def test_outcomes_come_with_their_counts(identified: Identified, visit: Visit) -> None:
    questions = read.questions(_state(identified, identified.drawn), 0)
    taken = sum(
        meets(each, QuestionFilter(outcome=QuestionOutcome.TAKEN_FOR_KEY)) for each in questions
    )
    options = _questions(visit, identified.drawn).selectbox(key="address outcome").options
    assert f"✗ a wrong choice explained by the right way ({taken})" in options
    assert not any("could not be read" in option for option in options)


def test_an_outcome_with_a_rule_is_about_choices_of_that_rule(identified: Identified) -> None:
    questions = read.questions(_state(identified, identified.coin), 0)
    question = next(
        each for each in questions if len({choice.right for choice in each.choices}) == 2
    )
    right = next(each for each in question.choices if each.right)
    wrong = next(each for each in question.choices if each.right is False)
    assert meets(question, QuestionFilter(rule=right.rule, outcome=QuestionOutcome.ALL_RIGHT))
    assert not meets(question, QuestionFilter(rule=wrong.rule, outcome=QuestionOutcome.ALL_RIGHT))


def test_conditions_that_leave_nothing_say_so(identified: Identified, visit: Visit) -> None:
    app = _questions(visit, identified.drawn, outcome="unread")
    assert "No question of this run is like that" in app.info[0].value


def test_a_condition_that_means_nothing_here_is_told(identified: Identified, visit: Visit) -> None:
    app = _questions(visit, identified.drawn, grade="77")
    assert "77" in app.warning[0].value
    assert _listed(app) == "30 questions"


def test_next_and_previous_go_through_the_list_and_over_its_pages(
    identified: Identified, visit: Visit
) -> None:
    questions = read.questions(_state(identified, identified.coin), 0)
    app = _questions(visit, identified.coin)
    assert app.button(key="Previous question").disabled
    for place in range(1, 10):
        app.button(key="Next question").click().run()
        assert app.header[0].value == f"Question {questions[place].number}"
    assert app.radio[0].value == questions[9].id
    app.button(key="Previous question").click().run()
    assert app.header[0].value == f"Question {questions[8].number}"
    last = _questions(visit, identified.coin, question=questions[-1].id)
    assert last.button(key="Next question").disabled


def test_a_question_has_a_link_of_its_own(identified: Identified, visit: Visit) -> None:
    questions = read.questions(_state(identified, identified.coin), 0)
    app = _questions(visit, identified.coin, question=questions[12].id, outcome="missed")
    target = links(app)["Link to this question"]
    assert f"question={questions[12].id}" in target
    assert "outcome=missed" in target
    assert links(app)["Exact prompts and responses"].startswith(
        f"items?run={identified.coin}&pair="
    )


def test_a_question_that_the_run_does_not_have_is_told(
    identified: Identified, visit: Visit
) -> None:
    app = _questions(visit, identified.coin, question="0000")
    assert "no question" in app.warning[0].value
    assert app.radio[0].options


def test_each_of_several_samples_can_be_shown(identified: Identified, visit: Visit) -> None:
    state = _state(identified, identified.repeated)
    kinds = {
        tuple(choice.named for each in read.questions(state, sample) for choice in each.choices)
        for sample in range(3)
    }
    assert len(kinds) > 1
    app = _questions(visit, identified.repeated, sample="2")
    assert app.selectbox(key="address sample").value == 2
    assert not app.error


def test_what_a_model_wrote_is_text_and_never_markup(identified: Identified, visit: Visit) -> None:
    app = _questions(visit, identified.hostile)
    shown = _cards(app)
    assert "<script" not in shown
    assert html.escape('<script>alert("x")</script> **bold** [link](http://a.example) {') in shown
    markdown = [str(element.value) for element in (*app.markdown, *app.caption)]
    assert not any(part in text for text in markdown for part in ("alert", "a.example"))


def test_nothing_is_worked_out_again_on_a_click(
    identified: Identified, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = visit("malgorithms", runs=identified.drawn)

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("worked out again")

    monkeypatch.setattr("biaslab.ui.studies.malgorithm.queries.identifications", fail)
    monkeypatch.setattr("biaslab.ui.studies.malgorithm.queries.confusion", fail)
    monkeypatch.setattr("biaslab.runs.Store.answered_items", fail)
    app.run()
    assert not app.error
    app.segmented_control(key="address view").set_value("questions").run()
    assert not app.error
    app.button(key="Next question").click().run()
    assert not app.error


def test_other_pages_take_runs_of_this_study(identified: Identified, visit: Visit) -> None:
    for page, address in (
        ("items", {"run": identified.drawn}),
        ("effects", {"runs": identified.drawn, "by": "rule"}),
        ("runs", {"run": identified.drawn}),
        ("compose", {"study": "malgorithm"}),
    ):
        app = visit(page, **address)
        assert not app.error, page
        assert "as it is for children" not in words(app)


def test_a_catalogue_without_classes_is_shown_with_reasons_that_others_lent(
    tmp_path: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = ("1/2 + 1/4,3/4,2/6,Adds tops and bottoms", "52 - 17,35,45,Takes smaller from larger",
            "3 + 4 x 2,11,14,Goes from left to right")  # fmt: skip
    table = "\n".join(("Question,Correct Answer,Wrong Answer,Misconception", *rows))
    path = tmp_path / "runs.db"
    with open_store(path) as store:
        items = import_bytes(table.encode(), "c.csv").items
        kept = save_items(store, "catalogue", items, "c.csv")
        settings = {"items": "catalogue", "against": QUESTION_ITSELF, "reasons": OF_OTHERS}
        run = prepare(store, Design("malgorithm", 3, 1, settings), "learner:random", "simple")
        run_here(store, run)
    monkeypatch.setenv("BIASLAB_DB", str(path))
    app = visit("malgorithms", runs=run)
    assert not app.error
    assert "the others that stand next to it belong to other questions" in words(app)
    shown = words(visit("malgorithms", runs=run, view="questions"))
    assert "belongs to another question" in shown
    links_of = links(visit("import_items", items=kept.id))
    assert "reasons=of+other+questions+too" in links_of["Ask a model which reason led to a choice"]
