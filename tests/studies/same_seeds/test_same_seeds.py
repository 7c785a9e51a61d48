"""The same seed gives the same pairs and items in every version, whatever is imported first."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.studies import Design
from schoolmath.malrules import library
from tests.loops import over
from tests.studies.same_seeds.designs import (
    banks,
    designs,
    hash_of,
    in_version,
    name_of,
    orders,
    prompts,
    second_versions,
)

ROOT = Path(__file__).resolve().parents[3]
RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))
ITEMS_FILE = "6ca6448cb44b0bc25fa4be5e0bf2b75f06300e7f66fd4c46bc6069b79667f1eb"
"""SHA-256 of the file of `biaslab items --n 60 --seed 1`.

The items are those of bank 5; the library's version in them changes with rules that no item is
made with.
"""

ASKED_FIRST = (
    "schoolmath.malrules",
    "schoolmath.malrules.catalogue.chance.single_chances",
    "schoolmath.malrules.catalogue.numbers.division",
    "schoolmath.malrules.diagnosis",
    "biaslab.studies.malgorithm.study",
    "biaslab.stats",
    "biaslab.training",
)


@over("design", [*designs(), *banks()], ids=name_of)
def test_a_design_gives_what_it_gave_when_it_was_recorded(design):
    told = in_version(design, 1) if isinstance(design, Design) else design
    assert hash_of(told) == RECORDED["designs"][name_of(design)]


@over("design", list(second_versions()), ids=name_of)
def test_the_second_version_of_texts_stays_as_well_and_is_what_studies_write(design):
    assert hash_of(design) == RECORDED["second version"][name_of(design)]
    usual = {name: value for name, value in design.settings.items() if name != "version"}
    assert hash_of(replace(design, settings=usual)) == RECORDED["second version"][name_of(design)]


def test_no_recorded_design_is_lost():
    assert {name_of(design) for design in (*designs(), *banks())} == set(RECORDED["designs"])
    assert {name_of(design) for design in second_versions()} == set(RECORDED["second version"])


def test_prompt_strategies_keep_their_versions_so_that_runs_go_on():
    assert prompts() == RECORDED["prompts"]


@pytest.mark.parametrize("of_what", ["studies", "treatments", "biases", "rules", "forms"])
def test_the_order_stays(of_what):
    assert orders()[of_what] == RECORDED[of_what]


def test_the_command_writes_the_same_file_of_items(tmp_path):
    out = tmp_path / "items.jsonl"

    done = CliRunner().invoke(main, ["items", "--n", "60", "--seed", "1", "--out", str(out)])

    assert done.exit_code == 0, done.output
    assert _hash_of_items(out.read_bytes()) == ITEMS_FILE


def _hash_of_items(content: bytes) -> str:
    """An item names the release and the rules that made it; nothing else may change."""
    unnamed = re.sub(rb'"library_version": ?"[^"]*"', b'"library_version": ""', content)
    return hashlib.sha256(unnamed).hexdigest()


@pytest.mark.parametrize("first", ASKED_FIRST)
def test_forms_are_dealt_in_one_order_whatever_is_imported_first(first):
    code = f"import {first}, json; from schoolmath.malrules.library import all_forms; " + (
        "print(json.dumps(list(all_forms())))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(done.stdout) == RECORDED["forms"]


def test_a_library_import_makes_the_items_of_the_command():
    code = (
        "import schoolmath.malrules.catalogue.numbers.signed_numbers, json, sys\n"
        "from schoolmath.malrules.bank import BankDesign, make_items, write_item\n"
        "for item in make_items(BankDesign(60, 1)):\n"
        "    sys.stdout.buffer.write((json.dumps(write_item(item), ensure_ascii=False) + '\\n')"
        ".encode())"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )

    assert _hash_of_items(done.stdout) == ITEMS_FILE


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_items_do_not_depend_on_the_order_in_which_a_process_has_sets(hash_seed):
    """Sums over the words of a rationale once did, by their rounding: 0 and 1 gave other items."""
    name = "12 items, content_classes = ('geometry and measurement',)"
    code = (
        "from tests.studies.same_seeds.designs import banks, hash_of, name_of\n"
        f"print(*[hash_of(each) for each in banks() if name_of(each) == {name!r}])"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == [RECORDED["designs"][name]]


def test_a_form_without_a_place_in_the_order_is_refused(monkeypatch):
    monkeypatch.setattr(library, "ORDER", tuple(name for name in library.ORDER if name != "Box"))

    with pytest.raises(ValueError, match=r"Box .* goes to the end of ORDER"):
        library.all_forms.__wrapped__()
