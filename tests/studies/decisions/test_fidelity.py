"""How each bias stands to its published template, and what may stand beside it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from biaslab.studies.decisions.biases import BiasError, FidelityVerdict, biases, read_bias, scales
from biaslab.studies.decisions.biases.catalogue import bias_paths
from biaslab.studies.decisions.published import (
    AVERAGE,
    faithful_tests,
    published_beside,
    published_biases,
    stands_beside,
)

DOCS = Path(__file__).resolve().parents[3] / "docs" / "decision.md"


def _originals() -> list[str]:
    return [name for name, each in biases().items() if not each.variant_of]


def test_every_bias_that_ships_has_a_record_and_says_what_differs() -> None:
    for each in biases().values():
        assert each.fidelity is not None, each.id
        if each.fidelity.verdict is not FidelityVerdict.FAITHFUL and not each.variant_of:
            assert each.fidelity.changed.endswith("."), each.id


def test_the_verdicts_of_the_thirty_are_as_counted() -> None:
    records = [biases()[name].fidelity for name in _originals()]
    counts = Counter(str(each.verdict) for each in records if each is not None)
    assert counts == {"faithful": 14, "repaired": 10, "other contrast": 3, "other test": 3}


def test_published_means_stand_beside_faithful_tests_only() -> None:
    beside = {cell.bias for cell in published_biases() if stands_beside(cell.bias)}
    assert beside == {
        name
        for name in _originals()
        if (record := biases()[name].fidelity) and record.verdict is FidelityVerdict.FAITHFUL
    }
    assert not stands_beside("no-such-bias")


def test_a_published_mean_stands_beside_the_twin_that_is_as_published_and_not_beside_the_other():
    (cell,) = [
        each for each in published_beside([AVERAGE]) if each.bias.startswith("endowment-effect")
    ]
    assert cell.bias == "endowment-effect-faithful"
    assert cell.name == "Endowment Effect"
    assert faithful_tests("endowment-effect") == ["endowment-effect-faithful"]
    assert faithful_tests("anchoring") == ["anchoring"]


def test_a_variant_that_neither_repairs_nor_is_as_published_is_refused() -> None:
    text = bias_paths()["endowment-effect-faithful"].read_text("utf-8")
    broken = text.replace("verdict: faithful", "verdict: repaired")
    with pytest.raises(BiasError, match="what it repairs"):
        read_bias(broken, scales())


def test_every_test_that_is_not_faithful_has_a_twin_or_a_flaw_or_is_told_in_the_docs() -> None:
    told = DOCS.read_text("utf-8").partition("No faithful twin yet")[2].partition("\n\n")[0]
    for name in _originals():
        record = biases()[name].fidelity
        assert record is not None
        if (
            record.verdict is not FidelityVerdict.FAITHFUL
            and not record.flaw
            and not faithful_tests(name)
        ):
            assert f"`{name}`" in told, name


def test_the_table_in_the_docs_is_what_the_files_say() -> None:
    rows = dict(re.findall(r"^\| ([a-z-]+) \| ([a-z ]+) \|", DOCS.read_text("utf-8"), re.MULTILINE))
    told = {name: str(each.fidelity.verdict) for name, each in biases().items() if each.fidelity}
    assert {name: rows.get(name) for name in told} == told


def test_a_verdict_that_is_none_is_refused_at_its_line() -> None:
    text = bias_paths()["anchoring"].read_text("utf-8")
    broken = text.replace("verdict: faithful", "verdict: quite good")
    with pytest.raises(BiasError, match="no verdict on fidelity") as refused:
        read_bias(broken, scales())
    assert "other contrast" in str(refused.value)
