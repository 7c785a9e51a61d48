"""Scores of logs of any task, in the formats that tools write."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from biaslab.files.errors import InterchangeError
from biaslab.files.formats.scores import (
    DOUBLE,
    NO_ID,
    NO_SCORE,
    SAME_AGAIN,
    Columns,
    read_logs,
    read_scores,
    score_of,
)

SAMPLES = [
    {"id": "q1", "epoch": 1, "scores": {"match": {"value": "C"}}, "metadata": {"passage": 7}},
    {"id": "q1", "epoch": 2, "scores": {"match": {"value": "I"}}, "metadata": {"passage": 7}},
    {"id": 2, "epoch": 1, "scores": {"match": {"value": 0.5}, "model": {"value": 1}}},
    {"id": 3, "epoch": 1, "scores": {}},
]
"""As Inspect AI 0.3.285 writes them, of which what is not read is left out."""


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def jsonl(folder: Path, name: str, rows: list[dict[str, object]]) -> Path:
    return write(folder, name, "\n".join(map(json.dumps, rows)))


def test_a_table_needs_no_setting_and_counts_what_it_cannot_use(tmp_path: Path) -> None:
    text = "ID,Score\na,1\nb,0\nb,0\nc,1\nc,0\n,1\nd,\ne,nan\nf,TRUE\n"
    log = read_scores(write(tmp_path, "a.csv", text))
    assert {key.id: score for key, score in log.scores.items()} == {"a": 1, "b": 0, "f": 1}
    assert log.left_out == {SAME_AGAIN: 1, DOUBLE: 2, NO_ID: 1, NO_SCORE: 2}


def test_columns_are_chosen_where_their_names_do_not_say_it(tmp_path: Path) -> None:
    file = write(tmp_path, "a.tsv", "nr\tmark\ttext\n1\t0.5\tx\n2\t1\tx\n")
    with pytest.raises(InterchangeError, match=r"no column for the id\. Its columns are nr, mark"):
        read_scores(file)
    log = read_scores(file, Columns("nr", "mark", "text"))
    assert list(log.scores.values()) == [0.5, 1.0]
    assert set(log.clusters.values()) == {"x"}
    with pytest.raises(InterchangeError, match="no column 'grade'"):
        read_scores(file, Columns("nr", "grade"))


def test_rows_of_json_and_a_list_are_tables_too(tmp_path: Path) -> None:
    rows = [{"question_id": 1, "correct": True}, {"question_id": 2, "correct": False}]
    for file in (jsonl(tmp_path, "a.jsonl", rows), write(tmp_path, "a.json", json.dumps(rows))):
        assert {key.id: each for key, each in read_scores(file).scores.items()} == {"1": 1, "2": 0}


def test_logs_of_inspect_have_epochs_scorers_and_metadata(tmp_path: Path) -> None:
    log = json.dumps({"version": 2, "eval": {"task": "t"}, "samples": SAMPLES})
    packed = tmp_path / "a.eval"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        for number, sample in enumerate(SAMPLES):
            archive.writestr(f"samples/{number}.json", json.dumps(sample))
    for file in (write(tmp_path, "a.json", log), packed):
        found = read_scores(file, Columns(cluster="passage"))
        assert found.kind == "Inspect AI"
        assert dict(found.scores) == {("q1", 1): 1.0, ("q1", 2): 0.0, ("2", 1): 0.5}
        assert set(found.clusters.values()) == {"7"}
        assert found.left_out == {NO_SCORE: 1}
        other = read_scores(file, Columns(score="model"))
        assert dict(other.scores) == {("2", 1): 1.0}


def test_times_are_numbered_from_one_whether_a_tool_counts_from_zero_one_or_not(
    tmp_path: Path,
) -> None:
    tables = ("id,score\nq,1\n", "id,epoch,score\nq,1,1\n", "id,epoch,score\nq,10,0\nq,0,1\n")
    firsts = [
        read_scores(write(tmp_path, f"{at}.csv", each)).scores for at, each in enumerate(tables)
    ]
    assert [dict(each)["q", 1] for each in firsts] == [1.0, 1.0, 1.0]
    assert dict(firsts[2])["q", 2] == 0.0


def test_samples_of_the_harness_have_a_metric_and_one_filter(tmp_path: Path) -> None:
    rows = [
        {"doc_id": at, "doc": {"topic": "sums"}, "filter": name, "metrics": ["exact_match"],
         "exact_match": float(at == 0 or name == "flexible-extract"), "resps": []}
        for at in range(2) for name in ("strict-match", "flexible-extract")
    ]  # fmt: skip
    log = read_scores(jsonl(tmp_path, "samples_gsm8k.jsonl", rows), Columns(cluster="topic"))
    assert log.kind == "lm-evaluation-harness"
    assert {key.id: each for key, each in log.scores.items()} == {"0": 1.0, "1": 0.0}
    assert set(log.clusters.values()) == {"sums"}


def test_results_of_promptfoo_and_records_of_every_eval_ever(tmp_path: Path) -> None:
    results = [{"testIdx": 0, "promptIdx": 0, "success": True, "score": 1},
               {"testIdx": 1, "promptIdx": 0, "success": False, "score": 0.25}]  # fmt: skip
    promptfoo = write(tmp_path, "p.json", json.dumps({"results": {"results": results}}))
    records = [{"sample_id": "s1", "evaluation": {"score": 0.5, "is_correct": False}},
               {"sample_id": "s2", "evaluation": {"is_correct": True}}]  # fmt: skip
    ever = read_scores(jsonl(tmp_path, "e.jsonl", records))
    assert list(read_scores(promptfoo).scores.values()) == [1.0, 0.25]
    assert ever.kind == "Every Eval Ever"
    assert list(ever.scores.values()) == [0.5, 1.0]


def row(test: int, column: int, provider: str, x: int, score: int | None) -> dict[str, object]:
    """A row as promptfoo 0.121.20 wrote it here, without what is not read."""
    return {
        "testIdx": test, "promptIdx": column, "provider": {"id": f"file://{provider}.js",
        "label": provider}, "prompt": {"label": "Add {{x}} and 1."}, "vars": {"x": x},
        "score": score or 0, "success": score == 1, "failureReason": 2 if score is None else 0,
    }  # fmt: skip


def test_each_provider_of_promptfoo_is_a_log_and_its_errors_are_not_wrong(tmp_path: Path) -> None:
    # Each test was repeated: promptfoo numbers the times as if they were tests.
    rows = [row(test, column, name, x, score)
            for column, name, right in ((0, "one", (1, 0)), (1, "two", (1, None)))
            for test, x, score in ((0, 3, right[0]), (1, 3, right[0]), (2, 4, right[1]))
            ]  # fmt: skip
    one, two = read_logs(write(tmp_path, "p.json", json.dumps({"results": {"results": rows}})))
    assert (one.name, two.name) == ("p.json: one", "p.json: two")
    assert one.scores == {("x=3", 1): 1, ("x=3", 2): 1, ("x=4", 1): 0}
    assert two.scores == {("x=3", 1): 1, ("x=3", 2): 1}
    assert two.left_out == {NO_SCORE: 1}
    # In another file the same tests stand in another order.
    again = [row(9 - each["testIdx"], 0, "one", each["vars"]["x"], 1) for each in rows[:3]]
    other = read_scores(write(tmp_path, "q.json", json.dumps({"results": {"results": again}})))
    assert other.scores.keys() == one.scores.keys()
    with pytest.raises(InterchangeError, match="holds 2 logs"):
        read_scores(tmp_path / "p.json")


def test_words_for_scores_are_read_and_others_are_none() -> None:
    read = {"C": 1, "i": 0, "P": 0.5, "passed": 1, "No": 0, " 0.25 ": 0.25, True: 1, -3: -3}
    assert {said: score_of(said) for said in read} == read
    for said in ("", "good", "inf", float("nan"), None, [1]):
        assert score_of(said) is None


def test_what_is_no_log_is_refused_with_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00\x80id,score")
    with zipfile.ZipFile(tmp_path / "book.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    for file, reason in (
        (tmp_path / "book.xlsx", "a zip without samples"),
        (write(tmp_path, "a.jsonl", '{"id": 1, "score": 1}\n[2]'), "line 2 is no JSON object"),
        (write(tmp_path, "a.csv", "hello"), "Its columns are hello"),
        (write(tmp_path, "empty.csv", ""), "Its columns are none"),
        (tmp_path / "binary.csv", "cannot be read"),
    ):
        with pytest.raises(InterchangeError, match=reason):
            read_scores(file)


def test_a_log_whose_fields_are_something_else_is_refused_in_a_sentence(tmp_path: Path) -> None:
    good = {"vars": {"a": 1}, "score": 1, "promptIdx": 0, "testIdx": 0}
    damaged: list[object] = [
        {"results": {"results": []}},
        {"results": {"results": ["text"]}},
        {"results": {"results": [good, {"promptIdx": "x"}]}},
        {"results": {"results": [good | {"vars": [1], "prompt": "text"}]}},
        [{"sample_id": "1", "evaluation": {"score": 1}}, {"evaluation": {}}],
        [{"doc_id": 1, "doc": "text", "acc": 1}],
    ]
    file = tmp_path / "log.json"
    said = []
    for content in damaged:
        file.write_text(json.dumps(content))
        try:
            read_logs(file, Columns(cluster="c"))
        except InterchangeError as error:
            said.append(str(error))
    assert len(said) == len(damaged)
    assert "holds no results" in said[0]
    assert all("is damaged" in each for each in said[1:])
