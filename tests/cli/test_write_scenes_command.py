"""`biaslab write-scenes`: 200 scenes by real server processes, from the request to a run's prompts.

One server is scripted and known to be wrong in five ways; behind the other is the tiny model,
which cannot write.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main
from biaslab.runs import open_store
from biaslab.studies.decisions.biases import bias, read_bias, scales
from biaslab.studies.decisions.biases.written_scenes import MOST_SHARED, neighbouring_words
from tests.servers.fixtures import ServerUrl, tiny_server, unused_port
from tests.servers.running import running
from tests.servers.scene_writer import SCRIPT, scene

__all__ = ["tiny_server", "unused_port"]

ASKED = 200


def biaslab(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder with all files of one asking, and what the command said."""
    place = tmp_path_factory.mktemp("scenes")
    with running("tests.servers.scene_writer") as address:
        said = biaslab(
            "write-scenes", "anchoring", "--n", str(ASKED), "--model", "openai:writer",
            "--base-url", f"{address}/v1", "--out", str(place / "scenes.yaml"),
            "--report", str(place / "report.json"), "--db", str(place / "runs.db"),
        )  # fmt: skip
    return place, said.output


def test_what_is_known_to_be_wrong_is_refused_with_its_reason(written):
    place, _ = written
    report = json.loads((place / "report.json").read_text(encoding="utf-8"))
    assert [each["number"] for each in report] == list(range(1, ASKED + 1))
    told = {
        "a gap is missing": "“purpose” is missing",
        "a number": "is a number",
        "no JSON": "no JSON object",
        "said before": "nearly the same as scene",
        "a copy": "is its instruction",
    }
    for each in report:
        wrong = SCRIPT.get(each["number"] % 20)
        if wrong is not None:
            assert not each["passed"]
            assert told[wrong] in " ".join(each["reasons"])
        elif not each["passed"]:
            # Drawn from short lists, some scenes come out nearly alike.
            assert all("nearly the same as scene" in reason for reason in each["reasons"])


def test_the_share_that_passed_its_interval_and_the_reasons_are_told(written):
    place, said = written
    report = json.loads((place / "report.json").read_text(encoding="utf-8"))
    passed = sum(each["passed"] for each in report)
    assert f"{passed} of {ASKED} scenes passed: {100 * passed / ASKED:.1f} % (95 %" in said
    kinds = Counter(SCRIPT[number % 20] for number in range(1, ASKED + 1) if number % 20 in SCRIPT)
    assert f"{kinds['no JSON']} ×: The answer holds no JSON object." in said
    assert "look at its scenes before you keep it" in said


def test_only_scenes_that_passed_stand_in_the_file_and_no_two_are_nearly_alike(written):
    place, _ = written
    report = json.loads((place / "report.json").read_text(encoding="utf-8"))
    made = read_bias((place / "scenes.yaml").read_text(encoding="utf-8"), scales())
    assert made.id == "anchoring-written"
    assert [each.id for each in made.vignettes] == [
        f"written-{each['number']}" for each in report if each["passed"]
    ]
    assert "read by nobody" in made.notes
    assert {each.field for each in made.vignettes} <= set(bias("anchoring").fields)
    words = [neighbouring_words(each) for each in made.vignettes]
    for place_, one in enumerate(words):
        assert all(len(one & other) <= MOST_SHARED * len(one | other) for other in words[:place_])


def test_a_run_asks_kept_scenes_alone(written):
    place, _ = written
    db = str(place / "runs.db")
    biaslab("check-bias", str(place / "scenes.yaml"))
    biaslab("biases", "--keep", str(place / "scenes.yaml"), "--db", db)
    biaslab(
        "run", "decision", "--bias", "anchoring-written", "--n", "100", "--model",
        "learner:random", "--strategy", "choose", "--db", db,
    )  # fmt: skip
    made = read_bias((place / "scenes.yaml").read_text(encoding="utf-8"), scales())
    sound = {str(each.slots["situation"]).lower() for each in made.vignettes}
    with open_store(Path(db)) as store:
        (run,) = store.runs()
        texts = [item.text for item in store.items_of(run.id)]
    assert texts
    assert all(any(situation in text.lower() for situation in sound) for text in texts)
    assert not any("There are 14 of us" in text for text in texts)


def test_the_tiny_model_behind_a_server_writes_nothing_that_is_used(
    tiny_server: ServerUrl, tmp_path: Path
):
    out = tmp_path / "scenes.yaml"
    said = biaslab(
        "write-scenes", "anchoring", "--n", str(ASKED), "--model", "openai:tiny", "--base-url",
        tiny_server("checks_length=no,context=64"), "--out", str(out), "--db",
        str(tmp_path / "runs.db"), status=1,
    )  # fmt: skip
    assert f"0 of {ASKED} scenes passed: 0.0 % (95 % interval 0.0 % to 1.9 %)" in said.output
    assert f"{ASKED} ×: The answer holds no JSON object." in said.output
    assert not out.exists()


def test_a_server_that_answers_nothing_is_told_in_its_words_and_writes_no_file(
    tiny_server: ServerUrl, tmp_path: Path
):
    out = tmp_path / "scenes.yaml"
    said = biaslab(
        "write-scenes", "anchoring", "--n", "3", "--model", "openai:tiny", "--base-url",
        tiny_server(), "--out", str(out), "--db", str(tmp_path / "runs.db"), status=1,
    )  # fmt: skip
    assert "No scene was answered." in said.output
    assert "×: No answer came: The prompt and the answer" in said.output
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("ancoring", "--model", "openai:x"), "Did you mean anchoring?"),
        (("anchoring", "--model", "learner:random"), "cannot write scenes"),
        (("anchoring", "--model", "tiny"), "cannot write scenes"),
    ],
)
def test_who_cannot_write_and_what_is_not_there_are_refused_before_anything_is_asked(
    arguments: tuple[str, ...], told: str, tmp_path: Path
):
    out = tmp_path / "scenes.yaml"
    db = str(tmp_path / "runs.db")
    assert (
        told in biaslab("write-scenes", *arguments, "--out", str(out), "--db", db, status=1).output
    )


def test_the_script_itself_writes_scenes_that_differ():
    assert len({json.dumps(scene(seed)) for seed in range(100)}) > 90
