"""Compose: a design is saved by name, sent as a link, and exchanged as a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.runs import design_versions, newest_designs, open_store, save_design
from biaslab.studies import Design
from biaslab.studies.designs import read_design_file, write_design_file
from tests.ui.conftest import Visit, downloads, links, words

STRUCTURE = "container . transfer- . comparison+"
DESIGN = Design("composed", 50, 3, {"structure": STRUCTURE, "treatment": "question-wording"})


def save(app: AppTest, name: str) -> None:
    """Types a name and saves."""
    app.text_input(key="design name").set_value(name)
    app.button(key="save design button").click().run()


def load(app: AppTest, design: Design) -> None:
    """Chooses a file of a design."""
    data = ("design.json", write_design_file(design, "Theirs"), "application/json")
    app.file_uploader[0].set_value(data).run()


def test_saving_twice_under_a_name_keeps_both_versions(empty: Path, visit: Visit) -> None:
    app = visit("compose", box="keep", study="carry")
    save(app, "Mine")
    app.number_input(key="address n").set_value(30).run()
    save(app, "Mine")

    assert "Saved as “Mine”, version 2." in words(app)
    with open_store(empty) as store:
        kept = {saved.version: saved.design.n for saved in design_versions(store, "Mine")}
    assert kept == {1: 200, 2: 30}


def test_an_earlier_version_is_opened_again(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        save_design(store, "Mine", DESIGN)
        save_design(store, "Mine", Design("carry", 10, 1))
    app = visit("compose", box="keep", study="consistency", steps="2-2", model="learner:shy")
    app.selectbox(key="saved version").set_value(1).run()
    app.button(key="open design").click().run()

    assert not app.error
    address = dict(app.query_params)
    assert (address["study"], address["n"], address["seed"]) == ("composed", "50", "3")
    assert (address["structure"], address["treatment"]) == (STRUCTURE, "question-wording")
    assert address["model"] == "learner:shy"
    assert "steps" not in address


def test_a_design_that_this_version_does_not_know_is_not_opened(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        save_design(store, "Old", Design("consistency", 10, 1, {"colour": "red"}))
    app = visit("compose", box="keep", study="carry")
    app.button(key="open design").click().run()
    assert "no setting 'colour'" in app.error[0].value
    assert app.query_params["study"] == "carry"


def test_a_saved_design_is_renamed_and_deleted(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        save_design(store, "Mine", DESIGN)
    app = visit("compose", box="keep")
    app.text_input(key="design new name").set_value("Ours").run()
    app.button(key="rename design").click().run()
    assert app.selectbox(key="saved design").options == ["Ours"]
    app.button(key="delete design").click().run()
    with open_store(empty) as store:
        assert newest_designs(store) == []
    assert "No design is saved yet" in words(app)


@pytest.mark.parametrize("name", ["", "   ", "x" * 100])
def test_a_name_that_is_none_is_refused_in_a_sentence(name: str, empty: Path, visit: Visit) -> None:
    app = visit("compose", box="keep")
    save(app, name)
    assert len(app.error) == 1
    with open_store(empty) as store:
        assert newest_designs(store) == []


@pytest.mark.usefixtures("empty")
def test_a_hostile_name_stays_text(visit: Visit) -> None:
    app = visit("compose", box="keep")
    save(app, "<b>[x](http://a.example)</b>")
    assert "\\[x\\]" in app.success[0].value


@pytest.mark.usefixtures("empty")
def test_a_design_that_gives_no_pairs_can_still_be_kept(empty: Path, visit: Visit) -> None:
    app = visit("compose", study="composed", structure="container . comparison A:A")
    save(app, "To mend")
    with open_store(empty) as store:
        (saved,) = newest_designs(store)
    assert saved.design.settings == {"structure": "container . comparison A:A"}


@pytest.mark.usefixtures("empty")
def test_the_link_that_is_copied_opens_the_same_design(visit: Visit) -> None:
    app = visit(
        "compose", box="keep", study="composed", n="7", structure=STRUCTURE, diagnosable="yes"
    )
    (link,) = [code.value for code in app.code if "compose?" in code.value]
    query = dict(part.split("=") for part in link.partition("?")[2].split("&"))
    assert query["study"] == "composed"
    assert query["n"] == "7"
    assert query["structure"] == "container+.+transfer-+.+comparison%2B"
    assert query["diagnosable"] == "yes"
    assert "Design (JSON)" in downloads(app)


@pytest.mark.usefixtures("empty")
def test_a_design_file_shows_what_it_holds_before_it_is_opened(visit: Visit) -> None:
    app = visit("compose", box="keep", study="carry")
    load(app, DESIGN)
    assert "A structure of your own; 50 pairs, seed 3" in words(app)
    assert app.query_params["study"] == "carry"
    app.button(key="open filed design").click().run()
    assert app.query_params["structure"] == STRUCTURE
    assert not app.error


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"format_version": 99}, "made by a newer BiasLab"),
        ({"settings": {"colour": "red"}}, "no setting 'colour'"),
        ({"study": "unheard of"}, "no study 'unheard of'"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(
    fields: dict[str, object], reason: str, visit: Visit
) -> None:
    app = visit("compose", box="keep")
    content = json.dumps(json.loads(write_design_file(DESIGN)) | fields).encode()
    app.file_uploader[0].set_value(("design.json", content, "application/json")).run()
    assert reason in app.error[0].value
    assert not [button for button in app.button if button.label == "Open this design"]


def test_a_design_written_here_is_read_here() -> None:
    assert read_design_file(write_design_file(DESIGN)).design == DESIGN


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("study", ["consistency", "composed", "carry"])
def test_what_is_in_the_pairs_is_told_with_on_how_many(study: str, visit: Visit) -> None:
    app = visit("compose", study=study, box="contents", n="40")
    assert "Viewed: all pairs." in words(app)
    assert app.get("table")
    assert app.get("plotly_chart")
    assert not app.error


@pytest.mark.usefixtures("empty")
def test_of_a_large_design_the_first_pairs_are_looked_at(visit: Visit) -> None:
    app = visit("compose", box="contents", n="60000")
    assert "the first 500 of 60,000 pairs" in words(app)


@pytest.mark.usefixtures("empty")
def test_ways_on_from_the_pairs_name_the_design(visit: Visit) -> None:
    app = visit("compose", study="composed", structure=STRUCTURE)
    found = links(app)
    (review,) = [target for label, target in found.items() if "quality review" in label]
    assert review.startswith("review?")
    assert "study=composed" in review
    assert any(target.startswith("import") for target in found.values())


@pytest.mark.usefixtures("empty")
def test_a_file_that_cannot_hold_the_pairs_is_refused_before_it_is_made(visit: Visit) -> None:
    app = visit("compose", study="malgorithm", **{"as": "gift"})
    assert "no plain number" in app.error[0].value
