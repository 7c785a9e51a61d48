"""Pairs of word problems as tables and data sets, read back by other programs."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from biaslab.files import Export, InterchangeError
from biaslab.studies import Arms, Design, Experiment, Item, Pair
from biaslab.studies.word_problems.files import PAIR_EXPORTS, PairExportSettings, export_pairs
from biaslab.studies.word_problems.files.data_sets import CARD_FILE, TABLE_FILE
from biaslab.studies.word_problems.presets.carry import EXPERIMENT as CARRY
from biaslab.studies.word_problems.presets.consistency import EXPERIMENT as CONSISTENCY
from biaslab.studies.word_problems.presets.transfer_comparison import EXPERIMENT as TRANSFER
from tests.loops import over

STUDIES: list[Experiment] = [CONSISTENCY, TRANSFER, CARRY]
RELEASED = {
    "consistency": ["question", "consistent body", "inconsistent body", "consistent paraphrased",
                    "inconsistent paraphrased", "answer"],
    "transfer-comparison": ["question comparison", "question transition", "body comparison",
                            "body transition", "paraphrase comparison", "paraphrase transition",
                            "answer"],
    "carry": ["question", "body no carry", "body carry", "paraphrase no carry",
              "paraphrase carry", "answer no carry", "answer carry", "answer",
              "Carry Operation", "Num. Carries"],
}  # fmt: skip
by_study = pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)


def made(study: Experiment, n: int = 40) -> tuple[Design, list[Pair]]:
    design = Design(study.name, n, 7)
    return design, list(study.pairs(design))


def exported(study: Experiment, form: str, n: int = 40, **settings: object) -> Export:
    design, pairs = made(study, n)
    return export_pairs(study, design, pairs, form, PairExportSettings(**settings))


def table(export: Export) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(export.content.decode("utf-8"), newline="")))


def text_pair(x: str, x_prime: str, answer: str = "7", other: str = "") -> Pair:
    items = Item.of("t", x, answer, {}), Item.of("t", x_prime, other or answer, {})
    return Pair.of(*items, {"steps": 1}, "c")


@by_study
def test_released_columns_hold_what_the_pairs_say(study):
    _, pairs = made(study)
    rows = table(exported(study, "released"))
    x, x_prime = {
        "consistency": ("consistent paraphrased", "inconsistent paraphrased"),
        "transfer-comparison": ("paraphrase transition", "paraphrase comparison"),
        "carry": ("paraphrase no carry", "paraphrase carry"),
    }[study.name]
    assert list(rows[0]) == RELEASED[study.name]
    assert [(row[x], row[x_prime], row["answer"]) for row in rows] == [
        (pair.x.text, pair.x_prime.text, pair.x.answer) for pair in pairs
    ]


@by_study
def test_a_body_and_its_question_are_the_whole_text(study):
    for row in table(exported(study, "released")):
        for name, whole in row.items():
            if "paraphrase" in name:
                body = row[name.replace("paraphrased", "body").replace("paraphrase", "body")]
                arm = name.partition(" ")[2]
                question = row.get("question") or row[f"question {arm}"]
                assert f"{body} {question}" == whole


def test_the_carry_file_names_the_operation_and_counts_its_carries():
    _, pairs = made(CARRY)
    for pair, row in zip(pairs, table(exported(CARRY, "released")), strict=True):
        assert row["Num. Carries"] == str(pair.strata["carries"])
        assert row["Carry Operation"].lower() == pair.strata["operation"]


def test_another_study_has_columns_named_after_its_arms_and_its_strata():
    # Given a study whose members are called by its treatment
    other = replace(CONSISTENCY, name="composed")
    export = exported(other, "released", arms=Arms("active", "passive"))
    # Then its columns are in the same manner, and nothing is lost.
    assert list(table(export)[0]) == [
        "question active", "question passive", "body active", "body passive",
        "paraphrase active", "paraphrase passive", "answer active", "answer passive",
        "steps", "operation", "comparison",
    ]  # fmt: skip
    assert export.remarks == ()


def test_what_the_released_columns_lose_is_said():
    (remark,) = exported(CARRY, "released").remarks
    assert "wording of the comparison, zero digits, reasoning steps" in str(remark)


def test_a_pair_that_the_released_columns_cannot_hold_is_left_out_by_its_number():
    pairs = [
        text_pair("Ana has 7 pens. How many pens does Ana have?", "Ana has 7 pens. How many now?"),
        text_pair("Ana has 7 pens. How many?", "Ana has 8 pens. How many?", "7", "8"),
        text_pair("Ana has 7 pens. How many?", "Ana owns 7 pens. How many?"),
    ]
    export = export_pairs(CONSISTENCY, Design("consistency", 3, 1), pairs, "released")
    assert export.written == 1
    assert [refused.row for refused in export.left_out] == [1, 2]
    assert "different questions" in str(export.left_out[0])
    assert "different answers" in str(export.left_out[1])


@by_study
def test_csv_and_jsonl_hold_the_same_rows(study):
    _, pairs = made(study)
    rows = table(exported(study, "csv"))
    lines = [json.loads(line) for line in exported(study, "jsonl").content.splitlines()]
    assert [{name: str(value) for name, value in line.items()} for line in lines] == rows
    assert [row["text"] for row in rows[::2]] == [pair.x.text for pair in pairs]


FORMULAS = st.tuples(st.sampled_from("=+-@\t\r\n \x00'"), st.text(max_size=12)).map("".join)


@given(FORMULAS, FORMULAS)
@pytest.mark.parametrize("form", ["csv", "released"])
def test_no_cell_begins_with_what_a_spreadsheet_would_run(form, start, end):
    pair = text_pair(f"{start} How many?", f"x{end} How many?", answer=f"{end}1")
    other = replace(CONSISTENCY, name="composed")
    content = export_pairs(other, Design("composed", 1, 1), [pair], form).content.decode()
    for row in csv.reader(io.StringIO(content, newline="")):
        for cell in row:
            plain_number = cell[:1] in "+-" and cell[1:].replace(".", "", 1).isdecimal()
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) or plain_number


@by_study
def test_pandas_reads_the_parquet_table_with_its_types(study):
    _, pairs = made(study)
    frame = pd.read_parquet(io.BytesIO(exported(study, "parquet").content))
    assert list(frame["text"][::2]) == [pair.x.text for pair in pairs]
    assert list(frame["answer"][1::2]) == [pair.x_prime.answer for pair in pairs]
    assert list(frame["arm"]) == ["x", "x_prime"] * len(pairs)
    assert frame["steps"].dtype == "int64"
    assert list(frame["steps"][::2]) == [pair.strata["steps"] for pair in pairs]
    last = frame["equations"].map(lambda equations: equations[-1].rpartition(" = ")[2])
    assert list(last) == list(frame["answer"])
    assert all(" ".join(row.sentences) == row.text for row in frame.itertuples())


def test_the_parquet_file_holds_the_design_that_makes_its_pairs_again():
    content = exported(CARRY, "parquet").content
    said = json.loads(pq.read_metadata(io.BytesIO(content)).metadata[b"biaslab.design"])
    design = Design(said["study"], said["n"], said["seed"], said["settings"])
    frame = pd.read_parquet(io.BytesIO(content))
    assert [pair.id for pair in CARRY.pairs(design)] == list(frame["pair"][::2])


def test_a_stratum_of_mixed_types_becomes_text():
    def mixed() -> Iterator[Pair]:
        for value in (1, "many", True, 2**70):
            yield replace(text_pair(f"{value}?", f"{value}!"), strata={"steps": value})

    export = export_pairs(CARRY, Design("carry", 4, 1), mixed(), "parquet")
    frame = pd.read_parquet(io.BytesIO(export.content))
    assert list(frame["steps"][::2]) == ["1", "many", "True", str(2**70)]
    assert frame["zeros"].isna().all()


@by_study
def test_a_data_set_is_a_table_with_a_card_that_names_every_column(study):
    export = exported(study, "dataset", title="My | *set*")
    with zipfile.ZipFile(io.BytesIO(export.content)) as package:
        assert package.namelist() == [CARD_FILE, TABLE_FILE]
        card = package.read(CARD_FILE).decode()
        frame = pd.read_parquet(io.BytesIO(package.read(TABLE_FILE)))
    _, front, body = card.split("---\n", 2)
    said = yaml.safe_load(front)
    assert said["configs"][0]["data_files"] == [{"split": "test", "path": TABLE_FILE}]
    assert said["pretty_name"] == "My | *set*"
    assert said["size_categories"] == ["n<1K"]
    named = [line.split("`")[1] for line in body.splitlines() if line.startswith("| `")]
    assert named == list(frame.columns)


@over("form", [form for form in PAIR_EXPORTS if form != "worksheet"])
def test_one_design_gives_the_same_bytes(form):
    assert exported(TRANSFER, form).content == exported(TRANSFER, form).content


@over("form", PAIR_EXPORTS)
def test_nothing_to_write_is_an_error_in_every_format(form):
    with pytest.raises(InterchangeError, match="no pairs to write"):
        export_pairs(CARRY, Design("carry", 1, 1), [], form)


def test_a_format_that_there_is_not_is_named_with_those_there_are():
    with pytest.raises(InterchangeError, match=r"no format 'doc'.*released.*worksheet"):
        export_pairs(CARRY, Design("carry", 1, 1), [], "doc")
