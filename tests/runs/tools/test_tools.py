"""What needs no tool: questions, the effect of collected answers, and refusals."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.models import ModelForm
from biaslab.runs import UnknownStrategy
from biaslab.runs.tools import LogRefused, ToolError, read_log, task_files
from biaslab.runs.tools.questions import (
    ItemPosition,
    ItemScore,
    make_asking,
    paired_effect,
    read_asking,
    read_question,
)
from schoolmath.problems import DesignError


def _answers(*outcomes: tuple[float | None, float | None]) -> list[ItemScore]:
    return [
        ItemScore((ItemPosition(at, f"pair {at}", arm, f"cluster {at}"),), 0, outcome)
        for at, pair in enumerate(outcomes)
        for arm, outcome in zip(("x", "x_prime"), pair, strict=True)
    ]


def test_questions_and_askings_come_back_from_what_a_log_keeps_of_them() -> None:
    asking = make_asking("consistency", 5, 7, {"steps": "1-2"}, "cot")
    assert read_asking(json.loads(json.dumps(asking.as_json()))) == asking
    for question in asking.questions():
        assert read_question(json.loads(json.dumps(question.as_json()))) == question


def test_an_item_of_several_pairs_is_asked_once_with_every_place() -> None:
    asking = make_asking("malgorithm", 30, 1, {})
    questions = asking.questions()
    assert len({each.item.id for each in questions}) == len(questions)
    assert sum(len(each.places) for each in questions) == 60


def test_settings_come_as_a_tool_reads_them() -> None:
    assert make_asking("carry", 3, 1, {"numbers": "100-900"}).design.settings == {
        "numbers": "100-900"
    }
    with pytest.raises(DesignError, match="colour"):
        make_asking("carry", 3, 1, {"colour": "red"})
    with pytest.raises(UnknownStrategy, match="direct"):
        make_asking("carry", 3, 1, {}, "loud")


def test_the_effect_of_no_answers_is_undetermined() -> None:
    figures = paired_effect("consistency", [])
    assert math.isnan(figures["cate"])
    assert (figures["n"], figures["unread"]) == (0, 0)


def test_unread_answers_are_not_right_or_leave_their_pair_out() -> None:
    answers = _answers((1.0, 0.0), (None, 1.0), (1.0, 1.0))
    strict = paired_effect("consistency", answers)
    assert (strict["cate"], strict["n"], strict["unread"]) == (0.0, 3, 1)
    left_out = paired_effect("consistency", answers, "exclude")
    assert (left_out["cate"], left_out["n"]) == (0.5, 2)


def test_a_pair_with_one_answer_does_not_count_yet() -> None:
    figures = paired_effect("consistency", _answers((1.0, 0.0), (1.0, 0.0))[:3])
    assert (figures["n"], figures["cate"]) == (1, 1.0)


def test_task_files_say_stops_lengths_and_design_of_their_prompts() -> None:
    made = task_files("consistency", 4, 2, {})
    assert made.tasks == ("biaslab_consistency_direct", "biaslab_consistency_direct_base")
    text = made.files["biaslab_consistency_direct_base.yaml"].replace("!function", "")
    fields = yaml.safe_load(text)
    request = make_asking("consistency", 4, 2, {}, "direct", ModelForm.BASE)
    assert read_asking(fields["metadata"]["biaslab"]) == request
    assert fields["generation_kwargs"]["until"] == ["\nQ:", "\n\nQ:"]
    assert [reason.split()[2] for reason in made.left_out] == [
        "cot",
        "child-cot",
        "direct-begun",
        "cot-begun",
    ]


def test_a_study_of_two_requests_is_refused_with_the_tool_that_can() -> None:
    with pytest.raises(ToolError, match="Inspect AI can"):
        task_files("malgorithm", 4, 1, {})


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("log.txt", "x", "samples_"),
        ("samples.jsonl", "{not json", "no samples file"),
        ("samples.jsonl", "", "none of BiasLab"),
        ("samples.jsonl", '{"doc": {"a": 1}, "resps": []}', "none of BiasLab"),
        ("samples.jsonl", "[1]", "no samples file"),
    ],
)
def test_what_is_no_log_is_refused(tmp_path: Path, name: str, content: str, reason: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(LogRefused, match=reason):
        read_log(tmp_path / name)


def test_settings_without_a_study_are_wrong_usage(tmp_path: Path) -> None:
    command = ["tasks", "lm-eval", "--out", str(tmp_path), "--steps", "2"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 2
    assert "--study" in done.output
