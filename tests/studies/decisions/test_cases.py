"""Cases of a file: read word for word or refused, kept as a set, and put to a model."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.files import InterchangeError
from biaslab.publishing.decision_tables import case_rows, result_rows
from biaslab.runs import (
    RunError,
    Store,
    case_sets,
    delete_cases,
    open_store,
    pair_sets,
    prepare,
    run_here,
    save_cases,
    study_in,
)
from biaslab.studies import Design
from biaslab.studies.decisions.cases import CaseImport, import_cases
from biaslab.studies.decisions.importing import cases_csv, import_decisions, results_csv
from biaslab.studies.decisions.prompts import turned
from biaslab.studies.decisions.results import bias_profile
from schoolmath.problems import DesignError
from tests.loops import over

FRAMING = """\
Situation:
You run a bakery from the food industry. The new oven worked well on 80 % of days.

Prompt:
How good is it?

Answer options:
Option 1: good
Option 2: middling
Option 3: bad"""
"""A control in the manner of the published data, with headings of its own."""

GOOD = {
    "bias": "Framing Effect",
    "scenario": "A baker at a company from the food industry deciding on ovens",
    "control": FRAMING,
    "treatment": FRAMING.replace("worked well on 80 %", "failed on 20 %"),
    "metric_params": "{'k': -1, 'x_1': [0], 'x_2': [0]}",
}


def table(*rows: dict[str, str]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(name for row in rows for name in row)))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def of(*rows: dict[str, str]) -> CaseImport:
    return import_cases(table(*rows), "cases.csv")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        yield opened


def asked(store: Store, n: int, bias: str = "anchoring,framing-effect") -> str:
    made = prepare(store, Design("decision", n, 1, {"bias": bias}), "learner:swayed", "choose")
    run_here(store, made)
    return made


def kept(store: Store, run: str, name: str = "theirs") -> CaseImport:
    found = import_cases(cases_csv(case_rows(store, run)), "cases.csv")
    save_cases(store, name, found.pairs, found.name)
    return found


def test_a_case_stands_word_for_word_with_its_options_and_its_parameters() -> None:
    (pair,) = of(GOOD).pairs
    assert pair.x.text.startswith("Situation:\nYou run a bakery")
    assert "Prompt:\nHow good is it?\n\nOptions:\nOption 1: good\n" in pair.x.text
    assert pair.x.options == ("good", "middling", "bad")
    assert [pair.x.facts[name] for name in ("kappa", "gamma", "scale")] == [-1, 0, 3]
    assert pair.strata["bias"] == "framing-effect"
    assert pair.strata["field"] == "food"
    assert "20 %" in pair.x_prime.text


def test_what_follows_the_options_stays_and_a_list_may_stand_in_a_column_of_its_own() -> None:
    (pair,) = of({**GOOD, "control": f"{FRAMING}\n\nChoose one."}).pairs
    assert pair.x.text.endswith("Option 3: bad\n\nChoose one.")
    assert turned(pair).x.text.endswith("Option 3: good\n\nChoose one.")
    bare = FRAMING.partition("\n\nAnswer")[0]
    options = "['good', 'middling', 'bad']"
    listed = {**GOOD, "control": bare, "control_options": options}
    assert of(listed).pairs[0].x.options == pair.x.options


@over(
    ("changes", "reason"),
    [
        ({"bias": "Hat Bias"}, "there is no bias “Hat Bias”"),
        ({"control": ""}, "its control is empty"),
        ({"control": "Decide."}, "its control has no lines “Option 1: …”"),
        ({"treatment": FRAMING}, "its arms are the same"),
        ({"treatment": FRAMING.rpartition("\n")[0]}, "different numbers of options"),
        ({"control": FRAMING.replace("Option 2", "Option 4")}, "not numbered from 1"),
        ({"control": FRAMING.replace("middling", "good")}, "two options of its control are alike"),
        ({"control": FRAMING.replace("a bakery", "[[a firm]]")}, "a gap of its control is not"),
        ({"control": "Option 1: a\nOption 2: b\nOption 3: c"}, "options and nothing else"),
        ({"control": "x" * 20_001}, "more than 20,000 characters"),
        ({"metric_params": ""}, "it has no metric_params"),
        ({"metric_params": "{'k': 3}"}, "its k is 3"),
        ({"metric_params": "__import__('os')"}, "cannot be read"),
    ],
)
def test_what_is_not_there_is_refused_with_its_reason(changes, reason):
    found = of({**GOOD, **changes}, GOOD)
    assert len(found.pairs) == 1
    assert [row.row for row in found.refused] == [2]
    assert reason in found.refused[0].reason


def test_the_same_case_twice_counts_once_and_another_table_is_told_at_once() -> None:
    found = of(GOOD, GOOD)
    assert (len(found.pairs), found.refused[0].reason) == (1, "an earlier row is the same")
    with pytest.raises(InterchangeError, match="it needs the columns bias, control"):
        import_cases(b"question,answer\n1+1,2\n", "quiz.csv")


def test_shares_say_what_there_is_of_each_bias_and_how_alike_its_cases_are() -> None:
    others = [
        {**GOOD, "scenario": f"s{at}", "control": GOOD["control"].replace("bakery", word),
         "treatment": GOOD["treatment"].replace("bakery", word)}
        for at, word in enumerate(("farm", "school"))
    ]  # fmt: skip
    found = of(GOOD, *others, {**GOOD, "metric_params": ""})
    (share,) = found.shares()
    assert (share.bias, share.cases, share.scenarios, share.refused) == ("framing-effect", 3, 3, 1)
    assert share.diversity is not None
    # Three texts that differ in one word of some twenty share nearly all.
    assert share.diversity.overlap == pytest.approx(1, abs=0.15)
    assert found.summary() == "4 rows: 3 cases of 1 bias can be asked, 1 refused."


def test_cases_of_a_run_come_back_in_the_order_of_the_scale(store):
    # Given a run that showed half of its options reversed
    made = asked(store, 40)
    # When its cases are written and read
    found = kept(store, made)
    # Then each is the case that was asked, with its scale as it is, and turning it gives the other
    assert (len(found.pairs), found.refused) == (40, ())
    ours = list(study_in(store, "decision").pairs(store.run(made).design))
    texts = {(pair.x.text, pair.x_prime.text) for pair in ours}
    for pair in found.pairs:
        both = [(each.x.text, each.x_prime.text) for each in (pair, turned(pair))]
        assert len(texts.intersection(both)) == 1
        assert not pair.x.facts["reversed"]


def test_a_set_is_asked_whole_in_both_orders_and_a_bias_of_known_strength_is_found(store):
    # A run that showed a case in both orders has it once in a set.
    found = kept(store, asked(store, 400))
    n = len(found.pairs)
    assert n + len(found.refused) == 400
    design = Design("decision", n, 7, {"cases": "theirs"})
    assert study_in(store, "decision").size(design) == n > 380
    again = prepare(store, design, "learner:swayed", "choose")
    run_here(store, again)
    pairs = list(study_in(store, "decision").pairs(design))
    orders = Counter(pair.strata["order"] for pair in pairs)
    assert abs(orders["as on the scale"] - orders["reversed"]) <= 1
    assert len({pair.id for pair in pairs}) == n
    score = bias_profile(store.answered_items([again]))[0]
    # Half of the answers are wholly biased, the others by lot: half of what could be moved.
    whole = sum(
        pair.x.facts["kappa"]
        * (abs(pair.x.facts["classic"] - pair.x.facts["gamma"])
           - abs(pair.x_prime.facts["classic"] - pair.x_prime.facts["gamma"]))
        / (pair.x.facts["scale"] - 1)
        for pair in pairs
    ) / n  # fmt: skip
    assert score.movement_ci.low <= whole / 2 <= score.movement_ci.high
    assert score.movement_ci.low > 0
    # These are tests of their own: no verdict of ours stands beside them.
    assert score.fidelity is None


def test_random_answers_to_a_set_have_no_effect(store):
    n = len(kept(store, asked(store, 200)).pairs)
    lots = prepare(store, Design("decision", n, 3, {"cases": "theirs"}), "learner:random", "choose")
    run_here(store, lots)
    score = bias_profile(store.answered_items([lots]))[0]
    assert score.movement_ci.low < 0 < score.movement_ci.high
    # And what was answered can be taken away and scored anew.
    again = import_decisions(
        results_csv(result_rows(store, lots)), "x.csv", cases_csv(case_rows(store, lots))
    )
    assert (len(again.decisions), again.differences) == (n, ())


def test_a_design_may_take_one_bias_of_a_set_and_says_what_is_not_there(store):
    kept(store, asked(store, 40))
    study = study_in(store, "decision")
    one = Design("decision", 10, 1, {"cases": "theirs", "bias": "anchoring"})
    assert {pair.strata["bias"] for pair in study.pairs(one)} == {"anchoring"}
    for changes, told in (
        ({"cases": "other"}, "no set of cases 'other'"),
        ({"bias": "halo-effect"}, "has no case of halo-effect"),
        ({"version": "1"}, "BiasLab's own scenes"),
    ):
        with pytest.raises(DesignError, match=told):
            list(study.pairs(replace(one, settings={**one.settings, **changes})))


def test_sets_of_cases_have_names_of_their_own_and_are_no_pairs_of_problems(store):
    found = kept(store, asked(store, 20))
    assert pair_sets(store) == []
    (there,) = case_sets(store)
    assert (there.name, there.pairs) == ("theirs", 20)
    with pytest.raises(RunError, match="named “theirs” is saved already"):
        save_cases(store, "theirs", found.pairs, "again.csv")
    delete_cases(store, "theirs")
    assert case_sets(store) == []


def test_the_command_line_keeps_a_file_and_asks_it(tmp_path):
    file, db = tmp_path / "cases.csv", str(tmp_path / "runs.db")
    rows = [{**GOOD, "scenario": f"s{at}", "control": f"No. {at}. {FRAMING}"} for at in range(6)]
    file.write_bytes(table(*rows, {**GOOD, "metric_params": ""}))

    def biaslab(*arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(main, list(arguments))
        assert result.exit_code == status, result.output
        return result.output

    said = biaslab("import", str(file), "--report", str(tmp_path / "report.json"))
    assert "Row 8 (Framing Effect): it has no metric_params." in said
    assert "Nothing was saved." in said
    report = json.loads((tmp_path / "report.json").read_text())
    assert [row["row"] for row in report["refused"]] == [8]
    assert report["biases"][0]["cases"] == 6
    said = biaslab("import", str(file), "--as", "framed", "--db", db)
    assert "biaslab run decision --set cases=framed --model MODEL" in said
    biaslab("run", "decision", "--set", "cases=framed", "--n", "6", "--model", "learner:random",
            "--strategy", "choose", "--db", db)  # fmt: skip
    (row,) = json.loads(biaslab("effects", "--by", "bias", "--format", "json", "--db", db))
    assert (row["stratum"], row["n"]) == ("bias=framing-effect", 6)
    too_many = biaslab("run", "decision", "--set", "cases=framed", "--n", "7", "--model",
                       "learner:random", "--strategy", "choose", "--db", db, status=1)  # fmt: skip
    assert "The nearest size that works is 6." in too_many
    nothing = tmp_path / "none.csv"
    nothing.write_bytes(table({**GOOD, "control": "Decide."}))
    assert "no row can be asked" in biaslab("import", str(nothing), status=1)
