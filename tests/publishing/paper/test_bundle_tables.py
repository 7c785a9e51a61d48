"""What a bundle's tables take out of a file of runs is what they put back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.publishing.paper.analysis import BundleError
from biaslab.publishing.paper.bundle import TABLES, BundleTable, rows_of
from biaslab.runs import open_store
from schoolmath.text.given_files import parse_json

TEXTS = st.text(st.characters(codec="utf-8"))
VALUES = {
    "text": TEXTS,
    "whole number": st.integers(-(2**63), 2**63 - 1),
    "number": st.floats(allow_nan=False, allow_infinity=False),
    "JSON": st.dictionaries(TEXTS, TEXTS | st.integers() | st.lists(TEXTS)),
}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
@given(data=st.data())
def test_a_row_comes_back_as_it_was(table: BundleTable, data: st.DataObject) -> None:
    content = {
        name: None
        if column.optional and data.draw(st.booleans())
        else data.draw(VALUES[column.kind])
        for name, column in table.columns.items()
    }
    row = {
        name: json.dumps(value)
        if table.columns[name].kind == "JSON" and value is not None
        else value
        for name, value in content.items()
    }

    (back,) = rows_of(table, table.line(row) + "\n", parse_json)

    for name, column in table.columns.items():
        is_json = column.kind == "JSON" and back[name] is not None
        assert (json.loads(back[name]) if is_json else back[name]) == content[name]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_knows_every_column_that_a_file_of_runs_wants(
    table: BundleTable, tmp_path: Path
) -> None:
    with open_store(tmp_path / "runs.db") as store, store.reading() as database:
        columns = list(database.query(f"PRAGMA table_info({table.name})"))

    known = {*table.columns, *table.fills}
    assert known <= {column["name"] for column in columns}
    wanted = {c["name"] for c in columns if c["notnull"] and c["dflt_value"] is None}
    assert wanted <= known


@pytest.mark.parametrize("value", [None, True, "1", 1.5, []])
def test_what_is_no_whole_number_is_refused_where_one_stands(value: object) -> None:
    (table,) = (table for table in TABLES if table.name == "run_pairs")

    with pytest.raises(BundleError, match="position should be a whole number"):
        table.parameters({"run": "a", "position": value, "pair": "b"}, 1)
