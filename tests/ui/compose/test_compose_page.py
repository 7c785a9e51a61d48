"""Compose: make pairs, look at them, ask a model."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main as command_line
from biaslab.models import Ability, CardEffect, ModelCard, read_card
from biaslab.models.tiny.model import DEFAULT_NAME, DEFAULT_TINY, tiny_directory
from biaslab.runs import open_store
from biaslab.studies import Design, experiment, experiments
from biaslab.studies.published import fidelity_of
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.compose.pairs import pair_file
from tests.ui.conftest import Visit, ask_writer, downloads, links, words

pytestmark = pytest.mark.usefixtures("empty")

DRAWN = [name for name in experiments() if name != "imported"]
"""Studies whose pairs are drawn; those of the other one are kept sets."""

DEFAULTS = {"steps": "1-3"}
"""What the default model can do of the first study, by its card."""


def test_the_first_pair_is_there_at_once(visit: Visit) -> None:
    pair = next(iter(experiment("consistency").pairs(Design("consistency", 1, 1, DEFAULTS))))
    shown = words(visit("compose"))
    assert f"Right answer: <b>{pair.x.answer}</b>" in shown
    assert "<mark>" in shown
    assert "consistent" in shown


def test_a_study_says_what_of_it_is_as_published(visit: Visit) -> None:
    app = visit("compose", study="consistency", box="paper")
    rows = fidelity_of("word problems")
    same = sum(row.verdict == "same" for row in rows)
    assert f"{same} of {len(rows)}** things in the paper are as published" in words(app)
    assert "31 % of the steps next to the comparison are rates" in words(app)
    (address,) = [to for text, to in links(app).items() if "published" in text]
    assert "n=500" in address
    assert "as published" not in words(visit("compose", study="imported", box="paper"))


@pytest.mark.usefixtures("recorded")
def test_what_was_measured_of_a_published_design_stands_beside_the_published_models(
    visit: Visit,
) -> None:
    told = words(visit("compose", study="consistency", box="paper"))
    assert "think step by step, recorded: **+25.2 (+18.9 to +30.9; n = 250)** points" in told
    assert "Of 12 published models: 11 same direction and 1 undecided." in told
    assert "No run has asked the published design yet." in words(
        visit("compose", study="decision", box="paper")
    )


@pytest.mark.parametrize("study", DRAWN)
def test_every_study_can_be_composed_without_a_page_of_its_own(study: str, visit: Visit) -> None:
    app = visit("compose", study=study)
    assert not app.error
    assert experiment(study).question in words(app)


def test_a_link_names_the_whole_design(visit: Visit) -> None:
    address = {"study": "consistency", "n": "7", "seed": "5", "steps": "2-3", "numbers": "2-40"}
    app = visit("compose", **address, operations="all")
    assert app.selectbox[0].value == "consistency"
    assert app.number_input(key="address n").value == 7
    assert app.number_input(key="address seed").value == 5
    assert app.slider[0].value == (2, 3)
    assert app.text_input(key="address numbers").value == "2-40"
    design = Design("consistency", 1, 5, {"steps": "2-3", "numbers": "2-40"})
    pair = next(iter(experiment("consistency").pairs(design)))
    assert f"Right answer: <b>{pair.x.answer}</b>" in words(app)


def test_a_changed_field_stands_in_the_link(visit: Visit) -> None:
    app = visit("compose")
    app.slider[0].set_value((1, 2)).run()
    app.number_input(key="address seed").set_value(9).run()
    assert app.query_params["steps"] == "1-2"
    assert app.query_params["seed"] == "9"


def test_a_field_set_back_to_its_default_leaves_the_link(visit: Visit) -> None:
    app = visit("compose", seed="9")
    app.number_input(key="address seed").set_value(1).run()
    assert "seed" not in app.query_params


def test_an_impossible_design_says_what_would_work_and_offers_it(visit: Visit) -> None:
    app = visit("compose", numbers="2-3", steps="5-5", operations="multiplicative")
    assert "The nearest setting that works is" in app.error[0].value
    offer = next(button for button in app.button if button.label.startswith("Use "))
    offer.click().run()
    assert not app.error
    assert app.query_params["numbers"] == offer.label.removeprefix("Use ")


def test_nothing_can_be_run_while_the_design_is_impossible(visit: Visit) -> None:
    app = visit("compose", numbers="7")
    assert app.error
    assert app.button(key="run").disabled


@pytest.mark.parametrize(
    "bad", [{"study": "nothing"}, {"n": "many"}, {"seed": "-1"}, {"steps": "x"}]
)
def test_a_link_that_means_nothing_shows_the_default(bad: dict[str, str], visit: Visit) -> None:
    app = visit("compose", **bad)
    assert not app.error
    assert app.number_input(key="address n").value == 200


def test_the_next_pair_can_be_looked_at(visit: Visit) -> None:
    pairs = list(experiment("consistency").pairs(Design("consistency", 30, 1, DEFAULTS)))
    app = visit("compose", pair="25")
    assert f"Right answer: <b>{pairs[24].x.answer}</b>" in words(app)
    assert "Pair 25 of 200" in words(app)


def test_running_writes_the_design_down_and_starts_a_worker(
    empty: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr("biaslab.ui.ask.asking.launch", lambda _path, run, **_: started.append(run))
    app = visit("compose", n="4", model="learner:novice", strategy="cot")
    app.button(key="run").click().run()
    with open_store(empty) as store:
        (run,) = store.runs()
    assert started == [run.id]
    assert (run.design.n, run.model_spec, run.strategy) == (4, "learner:novice", "cot")


@pytest.mark.parametrize("spec", ["local:/nowhere/at_all", "tiny:none_such", "gpt"])
def test_a_model_that_cannot_be_asked_says_why(spec: str, visit: Visit) -> None:
    app = visit("compose", model=spec)
    assert not app.error
    assert app.warning[0].value
    assert app.button(key="run").disabled


def test_a_model_of_an_earlier_run_is_offered_again(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        ask_writer(store, "15")
    offered = visit("compose").selectbox(key="address model").options
    assert "Language model: writer (not available)" in offered


def test_what_a_tiny_model_gets_right_can_be_looked_up_before_a_run(visit: Visit) -> None:
    (about,) = [panel for panel in visit("compose").expander if "About" in panel.label]
    assert links(about) == {"What it gets right": f"models?model=tiny%3A{DEFAULT_NAME}"}


def test_a_tiny_model_says_what_it_was_not_made_for(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = ModelCard(
        "tiny", "Tiny", "Small.", (), (), 1, 1, (Ability("consistency", ("direct",), 1, 2),)
    )
    _every_card_is(card, monkeypatch)
    said = visit("compose", steps="1-5").warning[0].value
    assert "cannot do problems with 3 to 5 steps when asked “" in said
    assert "“cot”" not in said
    assert not visit("compose", steps="1-2").warning


@pytest.mark.parametrize("study", ["consistency", "transfer-comparison", "carry"])
def test_a_study_opens_with_what_the_default_model_can_do(study: str, visit: Visit) -> None:
    app = visit("compose", study=study)
    best = read_card(tiny_directory(DEFAULT_NAME)).best(study)
    assert best is not None
    assert not app.warning
    assert app.selectbox(key="address model").value == DEFAULT_TINY
    assert app.segmented_control(key="address strategy").value == best.strategy
    for slider in app.slider:
        if slider.label == "Reasoning steps":
            assert slider.value == (best.fewest_steps, best.most_steps)


def test_every_page_asks_a_model_as_its_card_shows_it_to_work(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also pairs of a study that the card does not know; another model as the default one."""
    child = ModelCard(
        "child", "Child", "Small.", (), (), 1, 1,
        (
            Ability("carry", ("direct",), 1, 1),
            Ability("transfer-comparison", ("child-cot",), 1, 3),
        ),
    )  # fmt: skip
    usual = replace(child, abilities=(Ability("consistency", ("cot",), 1, 2),))
    monkeypatch.setattr(
        "biaslab.ui.ask.asking.card_of", {DEFAULT_TINY: usual, "tiny:skewed": child}.get
    )
    problem = "Mia has 24 stickers. Mia buys 30 stickers. How many stickers does Mia have now?"
    for model, expected in (("tiny:skewed", "child-cot"), ("learner:novice", "cot")):
        for study in ("composed", "transfer-comparison"):
            asked = visit("compose", study=study, model=model)
            assert asked.segmented_control(key="address strategy").value == expected
    for answering, expected in (("tiny:skewed", "child-cot"), (DEFAULT_TINY, "cot")):
        asked = visit("your_problem", text=problem, answering=answering)
        assert asked.selectbox(key="address way").value == expected
    carried = visit("compose", study="carry", model="tiny:skewed")
    assert carried.segmented_control(key="address strategy").value == "direct"


def test_defaults_follow_the_card_and_stand_in_the_design(
    empty: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = ModelCard(
        "tiny", "Tiny", "Small.", (), (), 1, 1, (Ability("consistency", ("cot",), 1, 2),),
        effects=(
            CardEffect("consistency", "cot", 1, "additive", 10, 9, 9, None, None, True),
            CardEffect("consistency", "cot", 1, "multiplicative", 10, 1, 1, None, None, True),
        ),
    )  # fmt: skip
    _every_card_is(card, monkeypatch)
    monkeypatch.setattr("biaslab.ui.ask.asking.launch", lambda *_, **_how: None)
    visit("compose", n="4", model="learner:novice").button(key="run").click().run()
    with open_store(empty) as store:
        (run,) = store.runs()
    assert run.design.settings == {"steps": "1-2", "operations": "additive"}
    assert run.strategy == "cot"


def test_a_link_to_a_design_says_what_it_leaves_to_the_study(visit: Visit) -> None:
    address = address_of(Design("consistency", 7, 5))
    assert address["steps"] == "1-5", "the default model does fewer, so it stands there"
    app = visit("compose", **address)
    assert app.slider[0].value == (1, 5)


def _every_card_is(card: ModelCard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biaslab.ui.ask.asking.card_of", lambda _: card)


def test_pairs_can_be_taken_away(visit: Visit) -> None:
    assert "CSV: 200 pairs" in downloads(visit("compose"))
    assert "Worksheet (PDF): 20 problems" in downloads(visit("compose", **{"as": "worksheet"}))


@pytest.mark.parametrize("study", DRAWN)
def test_files_of_pairs_are_those_of_the_command_line(study: str, tmp_path: Path) -> None:
    design = Design(study, 12, 3)
    for ending in ("csv", "jsonl"):
        out = tmp_path / f"pairs.{ending}"
        done = CliRunner().invoke(
            command_line, ["pairs", study, "--n", "12", "--seed", "3", "--out", str(out)]
        )
        assert done.exit_code == 0, done.output
        assert _rows(pair_file(experiment(study), design, ending).decode()) == _rows(
            out.read_text("utf-8")
        )


def _rows(text: str) -> list[dict[str, str]]:
    if text.startswith("{"):
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(io.StringIO(text)))


def test_decisions_are_chosen_by_name_and_asked_of_a_learner_that_decides(visit: Visit) -> None:
    app = visit("compose", study="decision", n="4", bias="anchoring,framing-effect")
    chosen = app.multiselect(key="address bias")
    assert chosen.value == ["anchoring", "framing-effect"]
    assert "Does a number that was named first" in words(app)
    assert app.selectbox(key="address model").value == "learner:random"
    chosen.set_value(["halo-effect"]).run()
    assert app.query_params["bias"] == "halo-effect"
    chosen.set_value([]).run()
    assert "bias" not in app.query_params


def test_a_bias_that_a_link_names_and_nobody_knows_is_refused_at_its_field(visit: Visit) -> None:
    app = visit("compose", study="decision", n="4", bias="anchoring,frying-effect")
    assert app.multiselect(key="address bias").value == ["anchoring", "frying-effect"]
    assert "frying-effect" in app.error[0].value


@pytest.mark.parametrize(
    ("study", "model", "says", "learner"),
    [
        ("decision", "tiny", "cannot choose between options", "learner:random"),
        ("decision", "learner:keyword", "every question would fail", "learner:random"),
        ("concept-learning", "tiny", "equally probable in every question", "learner:up-biased"),
        ("concept-learning", "learner:coin", "every question would fail", "learner:up-biased"),
    ],
)
def test_a_model_that_can_say_nothing_there_is_told_and_a_learner_offered(
    study: str, model: str, says: str, learner: str, visit: Visit
) -> None:
    app = visit("compose", study=study, n="4", model=model)
    assert says in " ".join(each.value for each in app.warning)
    app.button(key="fitting model").click().run()
    assert app.selectbox(key="address model").value == learner
    assert not app.warning
