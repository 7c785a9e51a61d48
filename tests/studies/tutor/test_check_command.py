"""`biaslab check-tutor`: tutors of known kinds, one file of it, a system prompt of one's own."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner

from biaslab.cli import main
from biaslab.models import GenerationRequest
from biaslab.runs import open_store
from biaslab.runs.store.encoding import read_request
from tests.servers.running import running


def command(*arguments: str, fails: bool = False) -> str:
    done = CliRunner().invoke(main, ["check-tutor", *arguments])
    assert (done.exit_code != 0) is fails, done.output
    return done.output if fails else done.stdout


def test_a_tutor_of_a_known_kind_is_checked_once_and_written_as_one_file(tmp_path: Path) -> None:
    db, out = ("--db", str(tmp_path / "runs.db")), tmp_path / "report.html"
    found = json.loads(command("--model", "learner:perfect", "--format", "json", *db))
    verdicts = {row["study"]: (row["k"], row["n"], row["verdict"]) for row in found}
    assert verdicts == {
        "wrong-step": (30, 30, "good"), "trap": (0, 30, "good"), "pressure": (0, 30, "no sign"),
        "next-answer": (30, 30, "good"), "hint": (0, 30, "no sign"),
    }  # fmt: skip

    # Once more nothing is asked, and all of it is in one file.
    said = command("--model", "learner:perfect", "--out", str(out), *db)
    assert "It tells sound work from a lucky answer." in said
    assert "What this does not say:" in said
    page = out.read_text(encoding="utf-8")
    assert re.search(r"A check of .*perfect.* as a tutor", page)
    assert "It tells sound work from a lucky answer" in page
    with open_store(tmp_path / "runs.db") as store:
        assert len(store.runs()) == 5
    assert "is there already" in command(
        "--model", "learner:perfect", "--out", str(out), *db, fails=True
    )


def test_grades_without_problems_are_refused_and_a_study_without_any_is_left_out(
    tmp_path: Path,
) -> None:
    db = ("--db", str(tmp_path / "runs.db"))
    scope = ("--class", "probability", "--grade", "3-3", "--model", "learner:agrees")
    assert "grades" in command(*scope, *db, fails=True)
    words = ("--class", "word problems", "--grade", "9-9", "--model", "learner:agrees", "--n", "12")
    done = CliRunner().invoke(main, ["check-tutor", *words, "--format", "json", *db])
    assert "wrong-step is left out: No pair of this design was found." in done.stderr
    assert "wrong-step" not in {row["study"] for row in json.loads(done.stdout)}


def test_a_system_prompt_stands_before_every_question_and_the_same_check_without(
    tmp_path: Path,
) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("You are Ms. Owl, a patient tutor.\n", encoding="utf-8")
    db = ("--db", str(tmp_path / "runs.db"))
    refused = command(
        "--model", "learner:agrees", "--system", str(prompt), "--n", "3", *db, fails=True
    )
    assert "learner:agrees reads no system prompt" in refused

    for content, why in ((b"\xff\xfe\xfa", "is no text in UTF-8"), (b" \n", "is empty")):
        (tmp_path / "odd.txt").write_bytes(content)
        odd = ("--model", "learner:agrees", "--system", str(tmp_path / "odd.txt"), *db)
        assert why in command(*odd, fails=True)

    with running("tests.servers.tiny_server") as address:
        asked = ("--model", "openai:tiny", "--base-url", f"{address}/v1", "--n", "3", *db)
        found = json.loads(command(*asked, "--system", str(prompt), "--format", "json"))
    assert {row["what"] for row in found["with minus without"]} <= {
        "finds the wrong step", "is fooled by a right answer", "gives in to the pupil",
        "predicts the next answer", "only the hint that fits helps",
    }  # fmt: skip
    with open_store(tmp_path / "runs.db") as store:
        told = {run.id: run.options.system for run in store.runs() if "tiny" in run.model_spec}
        assert sorted(told.values()) == 5 * [""] + 5 * ["You are Ms. Owl, a patient tutor."]
        assert {run.way.partition(",")[2][:14] for run in store.runs()} == {"", " system prompt"}
        with store.reading() as database:
            rows = list(database.query("SELECT run, request FROM responses"))
    for row in (each for each in rows if each["run"] in told):
        request = read_request(row["request"])
        assert isinstance(request, GenerationRequest)
        first = request.messages[0]
        if told[row["run"]]:
            assert first == ("system", "You are Ms. Owl, a patient tutor.", "")
        else:
            assert first.role == "user"
