"""`biaslab solve`: how each sentence was understood, who has what, the steps and the answer."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.runs import open_store
from tests.servers.faulty import FaultyServer, answer
from tests.servers.mending import SPEC, connect_mender

TEXT = (
    "Ana had 12 lamps. She gave 3 lamps to Ben. Cem has twice as many lamps as Ana. "
    "How many lamps does Cem have?"
)


def solved(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, ["solve", *arguments])
    assert result.exit_code == status, result.output
    return result.output


def test_tells_sentences_mental_model_steps_and_answer():
    lines = solved(TEXT).splitlines()
    assert "  3 lamps go from Ana to Ben." in lines
    assert "  Now: Ana has 9 lamps; Ben has an unknown number of lamps; Cem has 18 lamps." in lines
    assert lines[-3:] == ["Step 1: 12 - 3 = 9", "Step 2: 9 * 2 = 18", "Answer: 18"]


def test_says_the_same_as_json():
    found = json.loads(solved(TEXT, "--json"))
    assert found["answer"] == 18
    assert found["steps"] == ["12 - 3 = 9", "9 * 2 = 18"]
    assert found["mental_model"][0] == [{"agent": "Ana", "quantity": 12, "what": "lamps"}]
    assert [each["understood"] for each in found["sentences"]][1] == "3 lamps go from Ana to Ben."
    assert found["unused"] == []
    assert not found["fault"]


def test_names_what_was_not_read_and_what_to_do():
    said = solved("Ana has 3 lamps. It rains. How many lamps does Ana have?", status=1)
    assert "NOT READ: It tells no amount" in said
    assert "Answer" not in said
    assert "1 sentence was not read" in said


def test_a_sentence_that_is_not_needed_is_named():
    said = solved("Ana has 3 lamps. Ben has 2 cups. Ana buys 1 lamp. How many lamps has Ana?")
    assert "Sentence 2 is not needed." in said


def test_a_problem_without_a_solution_says_why():
    found = json.loads(solved("Ana has 3 lamps. How many lamps has Ben?", "--json", status=1))
    assert found["answer"] is None
    assert "Ben" in found["fault"]


def test_no_text_at_all_is_one_sentence():
    assert "empty" in solved("", status=1)


def test_a_file_of_problems_gets_a_status_and_an_answer_for_each(tmp_path):
    given, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [
        {"id": "a", "text": TEXT},
        {"id": "b", "text": "Ada picked 5 red and 7 yellow figs. How many figs did she pick?"},
        {"id": "c", "text": "What is love?"},
        {
            "id": "d",
            "text": "Ada has 1.5 cups of tea and gets 0.25 cups of tea more. How many cups?",
        },
    ]
    lines = [json.dumps(row) for row in rows]
    given.write_text("\n".join([lines[0], "no JSON", '{"id": 7}', *lines[1:]]) + "\n")
    said = solved("--file", str(given), "--out", str(out))
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(each["id"], each["status"]) for each in found[:5]] == [
        ("a", "read"), (None, "failed"), (7, "failed"), ("b", "read"), ("c", "refused"),
    ]  # fmt: skip
    assert [each["answer"] for each in found[:5]] == [18, None, None, 12, None]
    assert all(bool(each["reasons"]) != (each["status"] == "read") for each in found)
    assert set(found[0]) == {"id", "status", "answer", "doubted", "steps", "reasons"}
    assert said.startswith("6 problems: ")


def test_a_file_without_a_place_for_the_answers_is_refused(tmp_path):
    given = tmp_path / "in.jsonl"
    given.write_text("{}\n")
    assert "--out" in solved("--file", str(given), status=2)


def test_a_story_that_is_no_chain_of_our_sentences_is_answered_too():
    text = "Ada picked 5 red and 7 yellow figs. How many figs did she pick in all?"
    assert solved(text).splitlines()[-2:] == ["Step 1: 5 + 7 = 12", "Answer: 12"]


class TestReadByAModel:
    """The server is real and on this machine; what it says is written by the test."""

    @staticmethod
    def replying(reading: str, calculation: str):
        async def fault(asked):
            first = "as JSON" in asked.prompt
            return await answer(reading if first else calculation)(asked)

        return fault

    @staticmethod
    def reading(**changed: object) -> str:
        def told(sentence: int, relation: str, who: list[str], number: str, whom: str = ""):
            return {"sentence": sentence, "relation": relation, "who": who, "number": number,
                    "what": ["cups"], "whom": whom}  # fmt: skip

        return json.dumps(
            {
                "statements": [
                    told(1, "has", ["Dan"], "8"),
                    told(2, "more", ["Eva"], "3", "Dan") | changed,
                    told(3, "gives", ["Dan"], "2", "Ben"),
                    told(4, "together", ["Dan", "Eva"], "?"),
                ]
            }
        )

    STORY = (
        "Dan has 8 cups. Eva has 3 more cups than Dan. Last of all, Dan gives 2 cups to Ben. "
        "How many cups do Dan and Eva have together?"
    )

    def solved(self, tmp_path, server, *rows: dict) -> list[dict]:
        source, out, db = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "runs.db"
        source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        with open_store(db) as store:
            connect_mender(store, server.url)
        solved("--file", str(source), "--out", str(out), "--reader", SPEC, "--db", str(db),
               "--base-url", server.url)  # fmt: skip
        return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]

    def test_what_is_refused_is_read_by_the_model_and_says_so(self, tmp_path):
        with FaultyServer() as server:
            server.always = self.replying(self.reading(), "8 + 3 + 8 - 2")
            read, own = self.solved(
                tmp_path, server, {"id": "a", "text": self.STORY}, {"id": "b", "text": TEXT}
            )
        assert (read["status"], read["answer"], read["read_by"]) == ("read", 17, SPEC)
        assert (own["status"], own["answer"], own["read_by"]) == ("read", 18, None)

    @pytest.mark.parametrize(
        ("reading", "calculation", "row", "reason"),
        [
            ({"relation": "fewer"}, "5 + 6", {}, "does not say “fewer”"),
            ({}, "8 + 3 + 2", {}, "A second reading of the same text gives 13"),
            ({}, "seventeen", {}, "no calculation"),
            ({}, "8 + 3 + 8 - 2", {"answer": 16}, "The answer given is 16, not 17."),
        ],
    )
    def test_what_does_not_pass_the_check_stays_refused_with_the_reason(
        self, tmp_path, reading, calculation, row, reason
    ):
        with FaultyServer() as server:
            server.always = self.replying(self.reading(**reading), calculation)
            (found,) = self.solved(tmp_path, server, {"id": "a", "text": self.STORY} | row)
        assert (found["status"], found["answer"], found["read_by"]) == ("refused", None, None)
        assert reason in " ".join(found["reasons"])

    def test_a_simulated_learner_is_no_reader(self, tmp_path):
        source = tmp_path / "in.jsonl"
        source.write_text(json.dumps({"id": "a", "text": self.STORY}), encoding="utf-8")
        out, db = str(tmp_path / "out.jsonl"), str(tmp_path / "runs.db")
        learner = ("--reader", "learner:coin", "--db", db)
        said = solved("--file", str(source), "--out", out, *learner, status=1)
        assert "cannot read a problem" in said
