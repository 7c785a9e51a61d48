"""Biases of a person's own: kept, found, run, never changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.runs import (
    RunError,
    RunStatus,
    Store,
    custom_texts,
    delete_text,
    find_text,
    keep_text,
    open_store,
    prepare,
    run_here,
    study_in,
)
from biaslab.studies import Design
from biaslab.studies.decisions.biases import BiasError
from biaslab.studies.decisions.biases.catalogue import ASSETS, custom_bias
from schoolmath.problems import DesignError

SAMPLE = (ASSETS / "samples" / "my-bias.yaml").read_text(encoding="utf-8")


def keep_bias(store: Store, text: str) -> None:
    bias = custom_bias(text)
    keep_text(store, bias.id, bias.name, text)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def test_a_kept_bias_is_named_by_designs_and_run(store):
    keep_bias(store, SAMPLE)
    keep_bias(store, SAMPLE)
    assert [(each.id, each.text) for each in custom_texts(store)] == [("my-decoy", SAMPLE)]
    design = Design("decision", 20, 1, {"bias": "my-decoy,anchoring"})
    run = prepare(store, design, "learner:random", "choose")
    assert run_here(store, run).status is RunStatus.FINISHED
    assert {o["bias"] for o in store.outcomes([run])["strata"]} == {"my-decoy", "anchoring"}
    # And the run stays when the bias goes
    delete_text(store, "my-decoy")
    assert find_text(store, "my-decoy") is None
    assert len(store.outcomes([run])) == 20
    with pytest.raises(DesignError, match="no bias"):
        next(study_in(store, "decision").pairs(design))


def test_a_kept_bias_never_changes(store):
    keep_bias(store, SAMPLE)
    with pytest.raises(RunError, match="my-decoy-2"):
        keep_bias(store, SAMPLE.replace("a wooden", "a") + "\n# other")
    assert custom_texts(store)[0].text == SAMPLE


@pytest.mark.parametrize("name", ["anchoring", "all"])
def test_an_id_of_the_app_is_refused(store, name):
    with pytest.raises(BiasError, match=f"my-{name}"):
        keep_bias(store, SAMPLE.replace("id: my-decoy", f"id: {name}"))
    assert custom_texts(store) == []


def test_a_bias_with_faults_is_not_kept(store):
    with pytest.raises(BiasError, match="words"):
        keep_bias(store, SAMPLE.replace("words: 8", "word: 8"))
    assert custom_texts(store) == []


def test_a_bias_without_vignettes_cannot_be_run(store):
    keep_bias(store, SAMPLE[: SAMPLE.index("vignettes:")])
    with pytest.raises(DesignError, match="has no vignettes"):
        prepare(store, Design("decision", 2, 1, {"bias": "my-decoy"}), "learner:random", "choose")


class TestCommands:
    def biaslab(self, *arguments: object, status: int = 0) -> str:
        result = CliRunner().invoke(main, [str(each) for each in arguments])
        assert result.exit_code == status, result.output
        assert "Traceback" not in result.output
        return result.output

    @pytest.mark.slow
    def test_biases_are_listed_with_class_vignettes_fields_and_checks(self, tmp_path):
        listed = self.biaslab("biases", "--db", tmp_path / "none.db").splitlines()
        assert len(listed) >= 30
        anchoring = next(line for line in listed if line.startswith("anchoring "))
        assert "A  Anchoring: " in anchoring
        assert anchoring.endswith("ok")
        assert not (tmp_path / "none.db").exists()

    @pytest.mark.slow
    def test_a_file_is_kept_listed_run_and_forgotten(self, tmp_path):
        db, file = tmp_path / "runs.db", tmp_path / "my.yaml"
        file.write_text(SAMPLE, encoding="utf-8")
        assert "(your own)" in self.biaslab("biases", "--keep", file, "--db", db)
        self.biaslab(
            "run",
            "decision",
            "--bias",
            "my-decoy",
            "--model",
            "learner:random",
            "--n",
            5,
            "--db",
            db,
        )
        out = tmp_path / "pairs.csv"
        self.biaslab("pairs", "decision", "--bias", "my-decoy", "--n", 5, "--db", db, "--out", out)
        assert "my-decoy" in out.read_text()
        assert "(your own)" not in self.biaslab("biases", "--forget", "my-decoy", "--db", db)

    def test_a_sound_file_is_shown_with_its_differing_words(self):
        said = self.biaslab("check-bias", ASSETS / "anchoring.yaml")
        assert "{+Do you intend to give more than 10 %" in said
        assert "gives +1.00" in said
        assert "gives -1.00" in said

    @pytest.mark.parametrize(
        ("before", "after", "says"),
        [
            ("words: 8", "word: 8", "Did you mean words?"),
            ("{price} euros. The", "{prise} euros. The", "neither a slot nor a value"),
            ("[6, 0]", "[6, 9]", "off the scale"),
            ("[6, 0]", "[0, 1]", "the most there is"),
            ("[| A third", "A third", "left over"),
            ("id: my-decoy", "id: my-decoy\nid: twice", "stands twice"),
            ("role: a geography teacher,", "", "“role” is missing"),
            ("references: [my own idea]", "references: &a [b]\nnotes: *a", "refers to another"),
            ("price + 6", "price ** 6", "cannot be calculated"),
            ("a lamp with a dimmer", "a lamp with 2 dimmers", "is a number"),
            ("scale: likely-unlikely", "scale: likly-unlikely", "Did you mean likely-unlikely"),
            ("name: My decoy", "name: [", "no YAML"),
        ],
    )
    def test_a_fault_is_told_with_its_line(self, tmp_path, before, after, says):
        assert before in SAMPLE
        file = tmp_path / "my.yaml"
        file.write_text(SAMPLE.replace(before, after, 1), encoding="utf-8")
        said = self.biaslab("check-bias", file, status=1)
        faults = [line for line in said.splitlines() if line.startswith("FAULT")]
        assert any(says in fault for fault in faults), said
        assert all("line " in fault for fault in faults), said

    def test_a_file_that_is_no_text_is_told_in_a_sentence(self, tmp_path):
        file = tmp_path / "my.yaml"
        file.write_bytes(b"\xff\xfe\x00\x9f")
        assert "no text in UTF-8" in self.biaslab("check-bias", file, status=1)
