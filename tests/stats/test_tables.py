"""Effects for other programs: exactly the promised columns, nothing rounded away."""

from __future__ import annotations

import json
from collections.abc import Callable

import pandas as pd

from biaslab.stats import Origin, effects, effects_json, effects_table

PROMISED = [
    "study", "model", "strategy", "stratum", "n", "accuracy_x", "accuracy_x_prime", "cate",
    "ci_low", "ci_high", "p_t", "p_mcnemar", "q_bh", "invalid_x", "invalid_x_prime",
    "p", "run", "settings", "model_kind", "samples", "voted", "clusters", "confidence",
    "interval_method", "looked", "family", "method", "reader", "unread_difference", "unread_p",
    "format",
]  # fmt: skip

Maker = Callable[..., pd.DataFrame]


def test_the_table_has_exactly_the_promised_columns_and_fractions(make_outcomes: Maker) -> None:
    table = effects_table(effects(make_outcomes([1, 1, 0, 0], [1, 0, None, 0])))
    assert list(table.columns) == PROMISED
    row = table.iloc[0]
    assert (row["accuracy_x"], row["accuracy_x_prime"], row["cate"]) == (0.5, 0.25, 0.25)
    assert (row["n"], row["invalid_x"], row["invalid_x_prime"]) == (4, 0, 1)


def test_a_row_says_where_it_comes_from(make_outcomes: Maker) -> None:
    found = effects(make_outcomes([1, 1, 0], [0, 1, 0], run="r7"))
    origins = {"r7": Origin({"steps": [1, 2]}, "numbers 2")}
    (record,) = json.loads(effects_json(found, origins))
    assert (record["reader"], record["unread_difference"]) == ("numbers 2", 0.0)
    assert (record["run"], record["settings"], record["format"]) == ("r7", {"steps": [1, 2]}, 2)
    assert (record["samples"], record["clusters"], record["looked"]) == (1, 3, False)
    assert (record["confidence"], record["interval_method"]) == (0.95, "imagined-pairs")
    assert record["family"] == ["r7 all"]
    row = effects_table(found, origins).iloc[0]
    assert (row["settings"], row["family"]) == ('{"steps": [1, 2]}', "r7 all")


def test_an_empty_table_keeps_its_columns() -> None:
    assert list(effects_table([]).columns) == PROMISED
    assert json.loads(effects_json([])) == []


def test_json_keeps_tiny_p_values_and_writes_null_for_what_is_undefined(
    make_outcomes: Maker,
) -> None:
    clear = make_outcomes([1] * 100 + [0] * 10, [0] * 110, run="a")
    alone = make_outcomes([1], [0], run="b")
    records = json.loads(effects_json(effects(pd.concat([clear, alone]))))
    assert [list(record) for record in records] == [PROMISED, PROMISED]
    assert 0 < records[0]["p_t"] < 1e-40
    assert records[1]["p_t"] is None
    assert records[1]["ci_low"] is None


def test_undefined_numbers_are_nan_in_numeric_columns(make_outcomes: Maker) -> None:
    table = effects_table(effects(make_outcomes([1], [0])))
    assert table["p_t"].dtype == "float64"
    assert table["p_t"].isna().all()
