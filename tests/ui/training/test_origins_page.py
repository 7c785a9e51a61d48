"""Where biases come from: the answer, the figures, the honest measures and the verdicts."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from biaslab.training.origins import findings as origins_findings
from biaslab.training.origins import rows as origins_rows
from biaslab.ui.training import origins
from research.family import write_family
from tests.training.origins.synthetic_family import synthetic_family
from tests.ui.conftest import Visit, downloads, links, words

SHIPPED = origins_findings.FINDINGS_FILE

pytestmark = pytest.mark.usefixtures("empty")


@pytest.fixture
def family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A made-up table, as the predictions have it."""
    path = tmp_path / "family.csv"
    write_family(synthetic_family(), path)
    monkeypatch.setattr(origins_rows, "FAMILY_FILE", path)
    return path


@pytest.fixture(autouse=True)
def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where findings are looked for; there are none unless a test writes them."""
    path = tmp_path / "findings.json"
    monkeypatch.setattr(origins_findings, "FINDINGS_FILE", path)
    return path


def test_without_a_table_the_page_says_how_to_make_one(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins_rows, "FAMILY_FILE", tmp_path / "none.csv")
    app = visit("origins")
    assert not app.error
    assert "is not there yet" in app.info[0].value
    assert app.code[0].value == "python -m research.family"
    assert "Train a mix of your own" in links(app)


def test_a_table_without_rows_says_how_to_make_one(visit: Visit, family: Path) -> None:
    family.write_text(",".join(origins_rows.COLUMNS) + "\n")
    app = visit("origins")
    assert not app.error
    assert "has no rows yet" in app.info[0].value


def test_a_damaged_table_is_told_in_a_sentence(visit: Visit, family: Path) -> None:
    lines = family.read_text().splitlines()
    family.write_text("\n".join([lines[0], lines[1].replace(",500,", ",-5,")]))
    app = visit("origins")
    assert len(app.error) == 1
    assert "is malformed in line 2" in app.error[0].value


@pytest.mark.usefixtures("family")
def test_the_answer_the_figures_and_the_verdicts_are_there(visit: Visit) -> None:
    app = visit("origins")
    assert not app.error
    said = words(app)
    assert said.count("The consistency effect follows the mix: asked directly +40.0") == 2
    assert "for each mix 3 trainings, asked 1,000 pairs each" in said
    assert [tab.label for tab in app.tabs] == [
        "At the end of training", "Along training", "More about the effect", "Predicted, and found",
        "Fine-tuning",
    ]  # fmt: skip
    assert "What else this does not show" in [panel.label for panel in app.expander]
    assert said.count("As predicted") == 5
    assert "balance removes the bias here" in said
    assert len(app.get("plotly_chart")) == 2
    assert "All tables (ZIP)" in downloads(app)
    assert "Look inside a model" in links(app)


def test_all_tables_can_be_taken_away_as_they_are():
    with zipfile.ZipFile(io.BytesIO(origins.tables())) as package:
        names = {Path(name).name for name in package.namelist()}
        assert names == {
            "family.csv", "tuning.csv", "experiment.csv", "experiment_pairs.csv",
            "experiment_again.csv", "adapters.csv",
        }  # fmt: skip
        assert package.read("biaslab-origins/family.csv") == origins_rows.FAMILY_FILE.read_bytes()


@pytest.mark.usefixtures("family")
def test_the_honest_measures_stand_in_tables_with_n(visit: Visit) -> None:
    app = visit("origins")
    found = [table.value for table in app.dataframe]
    operations = next(table for table in found if "Right operation" in table)
    assert {"Always the commoner", "n", "10 points above?"} <= set(operations.columns)
    reversals = next(table for table in found if "Inconsistent: reversed" in table)
    assert {"Consistent: reversed (control)", "of wrong"} <= set(reversals.columns)
    forms = next(table for table in found if list(table) == ["Mix", "Consistent", "Inconsistent"])
    assert forms["Inconsistent"][0].startswith("+60.0 (")
    assert forms["Inconsistent"][0].endswith("n = 1,500)")


@pytest.mark.usefixtures("family")
def test_the_address_holds_what_is_shown(visit: Visit) -> None:
    app = visit("origins", strategy="cot", steps="2", comparison="additive", study="carry")
    assert not app.error
    assert "Effect by training mix, step by step, 2 steps" in words(app)
    assert "Consistent or inconsistent wording, additive" in words(app)
    assert "Without or with a carry: not measured" in words(app)
    assert "comparison=additive" in links(app)["Link to this view"]


@pytest.mark.usefixtures("family")
def test_mixes_can_be_left_out_of_the_figure_along_training(visit: Visit) -> None:
    said = words(visit("origins", mixes="skewed"))
    along = said[said.index("along training, asked directly") :]
    assert "skewed: +12.0 after 8,000 examples" in along
    assert "reversed: " not in along[: along.index("More about the effect")]


def test_identical_arms_have_no_p_value_and_the_page_says_why(visit: Visit, family: Path) -> None:
    flat = {(row.study, row.mix): 0.0 for row in synthetic_family(seeds=1)}
    rows = synthetic_family(flat, seeds=1, jitter=0.0, discordant=0)
    write_family(rows, family)
    app = visit("origins")
    assert not app.error
    assert "No p-value for" in words(app)
    table = next(found.value for found in app.dataframe if "p" in found.value)
    assert set(table["p"]) == {"none"}
    assert "one there is none" in words(app)


@pytest.mark.usefixtures("family")
def test_the_experiment_comes_first_with_its_pictures_tables_and_verdicts(
    visit: Visit, findings: Path
) -> None:
    findings.write_bytes(SHIPPED.read_bytes())
    app = visit("origins")
    assert not app.error
    assert [each.value for each in app.header][:2] == [
        "A real language model, taught",
        "Networks from nothing: how much is in the mix?",
    ]
    assert [tab.label for tab in app.tabs][:2] == [
        "How much is in the mix?",
        "A first family of models",
    ]
    labels = [each.label for each in app.expander]
    assert {"Number, or share?", "And transfers?", "And carries?"} <= set(labels)
    assert len(app.get("plotly_chart")) > 5
    said = words(app)
    assert "From the end of its training" in said
    assert said.count("By balance, not by practice") == 1


@pytest.mark.usefixtures("family")
def test_without_findings_the_page_is_the_familys(visit: Visit) -> None:
    app = visit("origins")
    assert not app.error
    assert not app.header
    assert app.tabs[0].label == "At the end of training"
    assert "findings of fine-tuning are not there" in app.info[0].value
    assert "python -m research.findings" in [code.value for code in app.code]


@pytest.mark.usefixtures("family")
def test_damaged_findings_are_told_in_a_sentence(visit: Visit, findings: Path) -> None:
    findings.write_text('{"experiment": [{"kind": "song"}]}')
    app = visit("origins")
    assert len(app.error) == 1
    assert "python -m research.findings" in app.error[0].value
