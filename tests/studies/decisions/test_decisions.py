"""Decisions in the published columns: out, in, and every score worked out anew."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.files import InterchangeError
from biaslab.publishing.decision_tables import case_rows, result_rows
from biaslab.runs import RunError, Store, open_store, prepare, run_here
from biaslab.stats.effects import ALL
from biaslab.studies import Design
from biaslab.studies.decisions.biases import Metric, bias_paths
from biaslab.studies.decisions.importing import (
    CASE_COLUMNS,
    RESULT_COLUMNS,
    UnreadableCell,
    cases_csv,
    import_decisions,
    read_parameters,
    results_csv,
)
from biaslab.studies.decisions.published import bias_of_name, joined_name, spaced_name
from biaslab.studies.decisions.results import bias_profile
from tests.loops import over

SEVEN = repr([f"option {number}" for number in range(7)])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def run(store: Store, bias: str, n: int = 30) -> str:
    made = prepare(store, Design("decision", n, 1, {"bias": bias}), "learner:random",
                   "think-then-choose")  # fmt: skip
    run_here(store, made)
    return made


def results(*rows: dict[str, object]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, RESULT_COLUMNS, restval="")
    writer.writeheader()
    for number, row in enumerate(rows):
        writer.writerow(
            {"id": number, "model": "m", "control_options": SEVEN, "treatment_options": SEVEN,
             "status": "OK", "bias": "FramingEffect", **row}
        )  # fmt: skip
    return text.getvalue().encode()


def cases(*parameters: str, bias: str = "Framing Effect") -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(CASE_COLUMNS)
    writer.writerows([bias, "s", "c", "t", each] for each in parameters)
    return text.getvalue().encode()


def test_a_run_comes_back_with_the_same_scores(store):
    # Given a run of biases with fixed and with drawn parameters
    made = run(store, "anchoring,framing-effect,disposition-effect", 60)
    # When it is written in the published columns and read again
    table = results_csv(result_rows(store, made))
    assert table.decode().splitlines()[0].split(",") == list(RESULT_COLUMNS)
    again = import_decisions(table, "x.csv", cases_csv(case_rows(store, made)))
    # Then nothing differs and the figures are the same
    assert (len(again.decisions), again.refused, again.differences) == (60, (), ())
    ours = {score.bias: score for score in bias_profile(store.answered_items([made]))}
    theirs = {score.bias: score for score in bias_profile(again.items())}
    for name, score in ours.items():
        for figure in ("n", "metric", "size", "movement", "unchanged"):
            assert getattr(theirs[name], figure) == pytest.approx(getattr(score, figure))
    assert {each.reversed for each in again.decisions} == {True, False}


def test_the_command_line_writes_the_same_files(store, tmp_path):
    made = run(store, "anchoring")
    out, asked = tmp_path / "results.csv", tmp_path / "cases.csv"
    how = ["decisions", made, "--out", out, "--cases", asked, "--db", tmp_path / "runs.db"]
    told = CliRunner().invoke(main, [str(each) for each in how])
    assert told.exit_code == 0, told.output
    assert out.read_bytes() == results_csv(result_rows(store, made))
    assert asked.read_bytes() == cases_csv(case_rows(store, made))


def test_without_cases_drawn_parameters_are_not_guessed(store):
    made = run(store, "anchoring,framing-effect")
    again = import_decisions(results_csv(result_rows(store, made)), "x.csv")
    assert {each.bias for each in again.unscored} == {"anchoring"}
    assert {s.bias for s in bias_profile(again.items())} == {ALL, "framing-effect"}


def test_a_printed_score_that_is_another_one_is_reported():
    table = results(
        {"control_decision": "0", "treatment_decision": 6, "individual_score": 1.0},
        {"control_decision": "0.0", "treatment_decision": "6.0", "individual_score": -1.0},
        {"control_decision": 5, "treatment_decision": 6, "individual_score": 0.1666},
        {"control_decision": "", "treatment_decision": 6, "status": "ERROR"},
    )
    found = import_decisions(table, "x.csv")
    assert [each.score for each in found.decisions] == [1, 1, pytest.approx(1 / 6), None]
    assert [each.row for each in found.differences] == [3]
    assert "1 of them with another score" in found.summary()


def test_parameters_of_cases_decide_and_a_flip_becomes_a_point_at_the_other_end():
    table = results({"control_decision": 0, "treatment_decision": 2})
    flipped = cases("{'k': -1, 'x_1': 0, 'x_2': 0, 'flip_treatment': True}")
    (row,) = import_decisions(table, "x.csv", flipped).decisions
    assert row.metric == Metric(-1, 0, 6)
    # Read from the other end, the treatment is 4: (4 - 0) / 4.
    assert row.score == 1
    for one in range(7):
        for other in range(7):
            assert row.metric.of(one, other) == Metric(-1, 0, 0).of(one, 6 - other)


@over(
    ("row", "reason"),
    [
        ({"bias": "Nonsense"}, "no bias"),
        ({"control_options": "no list"}, "cannot be read"),
        ({"control_options": "__import__('os')"}, "cannot be read"),
        ({"control_decision": 7}, "no position"),
        ({"control_decision": 1.5}, "no position"),
        ({"control_decision": "Option 3"}, "no position"),
        ({"treatment_options": "['a', 'b']"}, "different numbers"),
        ({"individual_score": "much"}, "no number"),
    ],
)
def test_a_row_that_says_nothing_sound_is_refused_with_the_reason(row, reason):
    table = results({"control_decision": 1, "treatment_decision": 1, **row})
    found = import_decisions(table, "x.csv")
    assert found.decisions == ()
    assert reason in str(found.refused[0])
    assert found.refused[0].row == 2


@pytest.mark.parametrize("cell", ["[1]", "{'k': 2}", "{'k': 1, 'x_3': 0}", "{'k': 'a'}", "{"])
def test_parameters_that_are_none_are_refused(cell):
    with pytest.raises(UnreadableCell):
        read_parameters(cell, 7)


def test_files_that_do_not_belong_together_are_refused():
    table = results({"control_decision": 1, "treatment_decision": 1})
    one = "{'k': 1, 'x_1': 0, 'x_2': 0}"
    with pytest.raises(InterchangeError, match="row by row"):
        import_decisions(table, "x.csv", cases(one, one))
    with pytest.raises(InterchangeError, match="same order"):
        import_decisions(table, "x.csv", cases(one, bias="Anchoring"))
    with pytest.raises(InterchangeError, match="no table of decisions"):
        import_decisions(b"a,b\n1,2\n", "x.csv")


def test_every_published_name_finds_its_bias_in_both_spellings():
    for name in bias_paths():
        if not name.endswith("-repaired"):
            assert bias_of_name(spaced_name(name)) == name
            assert bias_of_name(joined_name(name)) == name
    assert bias_of_name("Status-Quo Bias") == "status-quo-bias"
    assert bias_of_name("Conservatism (old sign of flip)") == "conservatism-bias"
    assert bias_of_name("Nothing of the kind") is None


def test_a_run_of_another_study_is_refused(store):
    made = prepare(store, Design("carry", 2, 1), "learner:perfect", "direct")
    with pytest.raises(RunError, match="only runs of decisions"):
        list(result_rows(store, made))


def test_the_command_line_scores_a_published_file_anew(store, tmp_path):
    made = run(store, "framing-effect,anchoring")
    file, beside, report = (tmp_path / name for name in ("r.csv", "c.csv", "report.json"))
    file.write_bytes(results_csv(result_rows(store, made)))
    beside.write_bytes(cases_csv(case_rows(store, made)))
    done = CliRunner().invoke(
        main, ["import", str(file), "--cases", str(beside), "--report", str(report)]
    )
    assert done.exit_code == 0, done.output
    assert "framing-effect  15  " in done.output
    assert json.loads(report.read_text())["differences"] == []
    alone = CliRunner().invoke(main, ["import", str(file)])
    assert "Give the file that has them with --cases" in alone.output


def test_decisions_come_in_any_table_that_items_and_pairs_come_in():
    as_csv = results(
        {"control_decision": "0", "treatment_decision": 6, "individual_score": 1.0},
        {"control_decision": "9", "treatment_decision": 6},
    )
    rows = list(csv.DictReader(io.StringIO(as_csv.decode())))

    one, other = (import_decisions(data, "x") for data in (as_csv, json.dumps(rows).encode()))

    assert [each.score for each in one.decisions] == [each.score for each in other.decisions]
    assert one.summary() == other.summary()
