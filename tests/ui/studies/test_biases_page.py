"""The page Decision biases as a person sees it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from biaslab.models import Completion, Failure, GenerationRequest, ModelForm
from biaslab.runs import (
    case_sets,
    custom_texts,
    open_store,
    prepare,
    run_here,
    save_cases,
)
from biaslab.runs.jobs.one_off import RequestResult
from biaslab.studies import Design
from biaslab.studies.decisions.cases import import_cases
from biaslab.studies.decisions.importing import CASE_COLUMNS
from tests.ui.conftest import Visit, downloads, links, words


@pytest.fixture(scope="module")
def _decided(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = tmp_path_factory.mktemp("biases") / "runs.db"
    with open_store(path) as store:
        run = prepare(
            store, Design("decision", 60, 1, {"bias": "anchoring,framing-effect,in-group-bias"}),
            "learner:random", "think-then-choose",
        )  # fmt: skip
        run_here(store, run)
    return path, run


@pytest.fixture
def decided(_decided: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("BIASLAB_DB", str(_decided[0]))
    return _decided[1]


@pytest.mark.parametrize(
    "view", ["profile", "models", "one", "published", "write", "fill", "files"]
)
@pytest.mark.usefixtures("decided")
def test_every_view_opens_with_runs(view: str, visit: Visit) -> None:
    app = visit("biases", view=view)
    assert not app.error
    assert app.title[0].value == "Decision biases"


@pytest.mark.parametrize(
    "view", ["profile", "models", "one", "published", "write", "fill", "files"]
)
@pytest.mark.usefixtures("empty")
def test_every_view_opens_before_anything_was_asked(view: str, visit: Visit) -> None:
    app = visit("biases", view=view)
    assert not app.error


@pytest.mark.usefixtures("empty")
def test_the_demo_is_one_click_away_and_compose_a_link(visit: Visit) -> None:
    app = visit("biases")
    assert "Run the demo" in [button.label for button in app.button]
    assert "study=decision" in links(app)["Compose this study"]


@pytest.mark.usefixtures("decided")
def test_the_profile_says_score_shift_unchanged_and_random_answers(visit: Visit) -> None:
    said = words(visit("biases", beside="Average,Random"))
    assert "On 60 pairs" in said
    assert "kept their option" in said
    assert "Random answers to the same prompts score " in said
    assert "no replication" in said
    assert "Anchoring" in said


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    path = tmp_path_factory.mktemp("models by biases") / "runs.db"
    found = []
    with open_store(path) as store:
        for seed in (1, 2):
            # Two runs of one model in one way, which only their seeds tell apart.
            design = Design("decision", 300, seed, {"bias": "all"})
            found.append(prepare(store, design, "learner:random", "choose"))
            run_here(store, found[-1])
    return path, found


def test_two_runs_of_one_model_and_published_models_stand_beside_each_other(
    two_runs: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch, visit: Visit
) -> None:
    path, runs = two_runs
    monkeypatch.setenv("BIASLAB_DB", str(path))
    address = {"view": "models", "runs": ",".join(runs), "beside": "GPT-4o,Average"}
    for order in ("name", "largest", "alike"):
        app = visit("biases", **address, order=order, intervals="yes")
        assert not app.error
        assert "Most alike" in words(app)
        # A mean over models is no model that another one is like.
        table = app.dataframe[0].value
        assert len(table) == 3
        assert not any("Average" in name for name in [*table["One"], *table["Other"]])
    sized = words(visit("biases", **address, sizes="70, 7"))
    assert "Mean over all biases, by size or level" in sized
    wrong = words(visit("biases", **address, sizes="70"))
    assert "2 runs are chosen and 1 size typed" in wrong


@pytest.mark.usefixtures("decided")
def test_too_few_biases_in_common_tell_nothing_about_who_is_alike(visit: Visit) -> None:
    app = visit("biases", view="models", beside="GPT-4o")
    assert not app.error
    assert "nothing is said about who is alike" in words(app)


@pytest.mark.usefixtures("decided")
def test_one_bias_has_its_answers_its_scenes_and_no_right_answer(visit: Visit) -> None:
    app = visit("biases", view="one", bias="framing-effect")
    said = words(app)
    assert "On 20 pairs" in said
    assert "Published, other scenes: 19 models" in said
    assert "→ Chosen: " in said
    assert "Right answer" not in said
    assert "Wrong" not in said
    assert "bias=framing-effect" in links(app)["Ask a model about this bias"]


@pytest.mark.usefixtures("decided")
def test_a_bias_without_answers_shows_its_scenes(visit: Visit) -> None:
    app = visit("biases", view="one", bias="halo-effect", scene="3")
    said = words(app)
    assert "No answers to this bias" in said
    assert 'aria-label="Treatment"' in said


@pytest.mark.usefixtures("decided")
def test_items_of_decisions_are_chosen_and_never_right_or_wrong(decided: str, visit: Visit) -> None:
    said = words(visit("items", run=decided))
    assert "→ Chosen: " in said
    for word in ("Right answer", "✓", "✗"):
        assert word not in said


def test_effects_of_decisions_are_positions_on_a_scale(decided: str, visit: Visit) -> None:
    app = visit("effects", runs=decided, by="bias")
    said = words(app)
    assert not app.error
    assert "scale lengths" in said
    # The page says so of itself, and of nothing below.
    assert said.count("answered right") == 1


@pytest.mark.usefixtures("decided")
def test_compose_shows_a_pair_of_a_bias_without_a_right_answer(visit: Visit) -> None:
    app = visit("compose", study="decision", bias="anchoring", n="20")
    assert not app.error
    assert "Right answer" not in words(app)


@pytest.mark.usefixtures("empty")
def test_more_pairs_than_there_are_is_refused_with_the_most(visit: Visit) -> None:
    app = visit("compose", study="decision", bias="endowment-effect", n="5000")
    assert "The nearest size that works is" in words(app)
    assert any(button.label.startswith("Use ") for button in app.button)


def test_what_is_typed_stays_when_the_click_comes_with_it_or_another_view_was_open(
    visit: Visit,
) -> None:
    app = visit("biases", view="write", scene="2")
    typed = app.text_area[0].value.replace("my-decoy", "my-other-decoy")
    # On a slow machine the text and the click arrive together, with the address from before.
    app.text_area[0].set_value(typed)
    app.query_params["scene"] = "1"
    next(each for each in app.button if each.label == "Check it").click()
    app.run()
    assert app.text_area[0].value == typed
    assert "It does what it says" in words(app)
    # Elsewhere the field is not drawn; Streamlit forgets what stood in it.
    app.query_params["view"] = "published"
    app.run()
    assert not app.text_area
    app.query_params["view"] = "write"
    app.run()
    assert app.text_area[0].value == typed


def test_a_bias_of_ones_own_is_checked_kept_and_run(empty: Path, visit: Visit) -> None:
    # Given the sample in the editor
    app = visit("biases", view="write")
    assert "It does what it says" in words(app)
    # When a fault is written into it
    text = app.text_area[0].value
    app.text_area[0].set_value(text.replace("words: 8", "word: 8")).run()
    # Then it is told with its line, and the bias cannot be kept
    assert "Did you mean words?" in words(app)
    line = 1 + text[: text.index("words: 8")].count("\n")
    assert f"line {line}" in words(app)
    assert next(b for b in app.button if b.label == "Keep it, to run it").disabled
    # When it is put right and kept
    app.text_area[0].set_value(text).run()
    next(b for b in app.button if b.label == "Keep it, to run it").click().run()
    assert "Saved as “my-decoy”" in words(app)
    # Then Compose makes pairs of it, and a run asks them
    with open_store(empty) as store:
        assert [each.id for each in custom_texts(store)] == ["my-decoy"]
        run = prepare(
            store, Design("decision", 12, 1, {"bias": "my-decoy"}), "learner:random", "choose"
        )
        run_here(store, run)
    app = visit("biases", view="one", bias="my-decoy")
    assert "On 12 pairs in 3 scenes" in words(app)
    assert not visit("compose", study="decision", bias="my-decoy", n="6").error
    assert "Download it (YAML)" in downloads(visit("biases", view="write"))


SCENE = {
    "role": "a beekeeper",
    "organisation": "at a small honey farm",
    "situation": "The honey of this summer is in jars, and some of it can be sold at the market.",
    "resource": "the honey of this summer",
    "purpose": "the market",
}


class _Writer:
    """A model that writes one sound scene, one with a number in it, and no third."""

    label, form = "small", ModelForm.CHAT

    def ask(self, requests: Sequence[GenerationRequest]) -> Generator[RequestResult, None, None]:
        broken = SCENE | {"situation": "There are 12 jars."}
        assert len(requests) == 3
        for place, content in enumerate((SCENE, broken)):
            yield RequestResult(place, Completion(json.dumps(content), "stop", 1, 1, 0.0))
        yield RequestResult(2, Failure("The server is busy.", retryable=True))


@pytest.mark.usefixtures("empty")
def test_only_scenes_that_a_person_accepts_become_a_bias(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biaslab.ui.studies.decisions.writing.draw_writer", lambda _: _Writer())
    # When a model is asked for three scenes
    app = visit("biases", view="fill", bias="anchoring", many="3")
    next(b for b in app.button if b.label == "Write scenes").click().run()
    said = words(app)
    # Then those that break a rule, or did not come, cannot be accepted
    assert "1 of 3 scenes passed the rules" in said
    assert "“12” is a number" in said
    assert "The server is busy" in said
    assert "different ones" in said
    assert "Accept at least one scene" in said
    # When the sound one is accepted
    app.segmented_control[-1].set_value("Accept").run()
    assert "1 scene accepted" in words(app)
    # Then it is opened in the editor as a bias that can be kept
    next(b for b in app.button if b.label == "Open as a bias of my own").click().run()
    assert "anchoring-written" in app.text_area[0].value
    assert "honey farm" in app.text_area[0].value
    assert "It does what it says" in words(app)


@pytest.mark.usefixtures("empty")
def test_a_scene_that_broke_a_rule_can_be_put_right(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biaslab.ui.studies.decisions.writing.draw_writer", lambda _: _Writer())
    app = visit("biases", view="fill", bias="anchoring", many="3")
    next(b for b in app.button if b.label == "Write scenes").click().run()
    broken = next(area for area in app.text_area if area.value == "There are 12 jars.")
    broken.set_value("There are many jars.")
    [b for b in app.button if b.label == "Take my changes"][1].click().run()
    assert "2 of 3 scenes passed the rules" in words(app)


@pytest.mark.usefixtures("empty")
def test_a_text_of_brackets_is_refused_in_a_sentence_and_the_app_goes_on(visit: Visit) -> None:
    app = visit("biases", view="write")
    app.text_area[0].set_value("[" * 30_000).run()
    assert not app.exception
    assert "Lists or keys lie more than 32 deep here." in words(app)
    app.text_area[0].set_value("id: x").run()
    assert "is missing" in words(app)


def _cases() -> str:
    """Three cases that can be asked, and one without texts."""
    options = "\n\nOptions:\nOption 1: yes\nOption 2: no"
    rows = [
        ["Halo Effect", f"s{at}", f"Is no. {at} good?{options}", f"Is {at} very good?{options}",
         "{'k': 1, 'x_1': 0, 'x_2': 0}"]
        for at in range(3)
    ]  # fmt: skip
    text = io.StringIO()
    csv.writer(text).writerows([CASE_COLUMNS, *rows, ["Halo Effect", "s", "", "", ""]])
    return text.getvalue()


@pytest.mark.usefixtures("empty")
def test_cases_of_a_file_are_checked_kept_and_a_link_asks_them(visit: Visit) -> None:
    app = visit("biases", view="files")
    (uploader,) = [each for each in app.file_uploader if each.label == "Cases with their texts"]
    uploader.set_value([("cases.csv", _cases().encode(), "text/csv")]).run()
    assert "3 cases of 1 bias can be asked, 1 refused" in words(app)
    assert "its control is empty" in words(app)
    next(each for each in app.button if each.label == "Keep these cases").click().run()
    assert not app.exception
    assert "3 cases" in words(app)
    assert "cases=cases" in links(app)["Ask a model"]
    compose = visit("compose", study="decision", cases="cases", n="3")
    assert not compose.error
    (chosen,) = [each for each in compose.selectbox if each.label == "Cases from"]
    assert chosen.options == ["BiasLab's scenes", "cases (3 cases)"]


def test_each_of_several_sets_of_cases_can_be_deleted(empty: Path, visit: Visit) -> None:
    pairs = import_cases(_cases().encode(), "cases.csv").pairs
    with open_store(empty) as store:
        for name in ("first", "second"):
            save_cases(store, name, pairs, "cases.csv")
    app = visit("biases", view="files")
    assert not app.exception
    first, second = [each for each in app.button if each.label == "Delete this set"]
    first.click().run()
    with open_store(empty) as store:
        (left,) = case_sets(store)
    assert f"delete {left.id}" == second.key


@pytest.mark.usefixtures("decided")
def test_models_have_the_size_of_their_scores_beside_what_random_answers_have(visit: Visit) -> None:
    app = visit("biases", view="models")
    assert "Size of the scores, by model" in words(app)
    (table,) = [each.value for each in app.dataframe if "Mean size" in each.value.columns]
    (row,) = table.to_dict("records")
    assert row["From"] < row["Mean size"] < row["To"]
    assert row["From"] < row["Random answers"] < row["To"]
    assert (row["Pairs"], row["Unread"], row["Failed or missing"]) == (60, 0, 0)
    assert row["Words of an answer"] > 1
