"""Designs whose pairs and items must stay the same for ever, and a hash of what each gives.

`python -m tests.studies.same_seeds.designs` prints what `recorded.json` holds. What stands there
was computed through the command line's imports at commit 3c0a8db; never record an old name anew.
Items of the bank and `malgorithm`, which asks them, are those of bank 5: a bank whose version rises
(`schoolmath.malrules.bank.items.BANK_VERSION`) gives other items; these are recorded anew.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from biaslab.studies import Design, Value
from biaslab.studies.concepts.items import COUNTING, WORDING
from biaslab.studies.decisions.biases.catalogue import bias_paths, biases
from biaslab.studies.study import experiments
from biaslab.studies.word_problems.settings import MULTIPLICATIVE, TIMES_FEWER, VERSION
from biaslab.studies.word_problems.treatments import treatments
from schoolmath.malrules import ContentClass, rules
from schoolmath.malrules.bank import BankDesign, RationaleStyle, make_items, write_item
from schoolmath.malrules.library import all_forms

SEED = 7
PAIRS = {"decision": 4, "concept-learning": 4, "malgorithm": 6}
USUAL_PAIRS = 12

FURTHER: Mapping[str, tuple[dict[str, Value], ...]] = {
    "consistency": ({"steps": "1-1", "numbers": "2-999"},),
    "transfer-comparison": ({"steps": "2-3", "numbers": "5-200"},),
    "carry": ({"numbers": "10000-99999", "carries": "chain"}, {"numbers": "1000-9999"}),
    "composed": (
        {"structure": "container . comparison+ . rate"},
        {"diagnosable": "yes", "treatment": "predicate"},
    ),
    "concept-learning": (
        {"concept": "published"},
        {"concept": "at most 20"},
        {"concept": "between 1/4 and 3/4", "against": "complement"},
        {"concept": "all; an even number", "against": "complement"},
        {"concept": "swapped: more than 1/2"},
        {"against": "swapped"},
        {"shots": 3, "totals": "10-40", "min_has": 1},
    ),
    "malgorithm": ({"grade": "3-5", "dok": "1-1"}, {"dok": "3-3"}),
}
"""Designs beside the defaults and each choice of each setting."""

NEWER = {
    **dict.fromkeys(
        (
            "consistency",
            "transfer-comparison",
            "composed",
            "consistency-odds",
            "transfer-comparison-odds",
        ),
        (MULTIPLICATIVE,),
    ),
    "concept-learning": (COUNTING, WORDING),
}
"""Settings of studies that came with the second version of their texts, beside `VERSION`."""

FITTING: Mapping[Value, dict[str, Value]] = {
    "carry": {"numbers": "10-99"},
    "operand-order": {"structure": "container . transfer+"},
    "sentence-order": {"structure": "container . comparison+ . transfer+ . comparison-"},
}
"""What else must be set for a choice that the defaults of the other settings do not allow."""


def designs() -> Iterator[Design]:
    """Every study as it comes, with each choice of each setting, each bias, and `FURTHER`."""
    for name, study in experiments().items():
        if name == "imported":
            continue  # its pairs are those of a set
        n = PAIRS.get(name, USUAL_PAIRS)
        settings: list[dict[str, Value]] = [{}]
        settings += [
            {setting.name: choice, **FITTING.get(choice, {})}
            for setting in study.settings
            for choice in (*setting.choices, *dict(setting.formerly))
            if choice != setting.default and setting not in NEWER.get(name, ())
            if setting.name != VERSION.name
        ]
        settings += FURTHER.get(name, ())
        if name == "decision":
            # Twins that are as published came with the second version.
            settings += [{"bias": bias} for bias in bias_paths() if "-faithful" not in bias]
        yield from (Design(name, n, SEED, each) for each in settings)


def banks() -> Iterator[BankDesign]:
    """The bank as the command line makes it, in each style, and each content class."""
    yield BankDesign(60, 1)
    for style in RationaleStyle:
        yield BankDesign(12, SEED, style=style.value)
    for content_class in ContentClass:
        yield BankDesign(12, SEED, content_classes=(content_class.value,))
    yield BankDesign(12, SEED, grades=(3, 5), doks=(1, 1), strict=False)


def in_version(design: Design, version: int) -> Design:
    """The design with a version of its texts, where its study has several."""
    if all(setting.name != VERSION.name for setting in experiments()[design.study].settings):
        return design
    return replace(design, settings={**design.settings, VERSION.name: str(version)})


def second_versions() -> Iterator[Design]:
    """The designs whose texts have a second version, and each with the other wording of a part.

    Further choices that came with the second version of prompts about concepts stand alone.
    """
    for design in designs():
        told = in_version(design, 2)
        if told is design or design.study == "decision":
            continue  # scenes may be added to the second version of decisions
        yield told
        newer = NEWER[design.study]
        if MULTIPLICATIVE in newer and MULTIPLICATIVE in experiments()[design.study].settings:
            yield replace(told, settings={**told.settings, MULTIPLICATIVE.name: TIMES_FEWER})
        elif MULTIPLICATIVE not in newer and not design.settings:
            for setting in newer:
                for choice in (*setting.choices, *dict(setting.formerly)):
                    if choice != setting.default:
                        yield replace(told, settings={**told.settings, setting.name: choice})


def name_of(design: Design | BankDesign) -> str:
    """The design as a line: study and settings that differ from the defaults."""
    if isinstance(design, Design):
        settings = [f"{key} = {value}" for key, value in design.settings.items()]
        return ", ".join([design.study, *settings])
    usual = asdict(BankDesign(design.n, design.seed))
    given = {key: value for key, value in asdict(design).items() if value != usual[key]}
    return ", ".join([f"{design.n} items", *(f"{key} = {value}" for key, value in given.items())])


def hash_of(design: Design | BankDesign) -> str:
    """A hash of everything that the design gives: ids, texts, answers, facts, options, strata."""
    made: list[Any]
    if isinstance(design, Design):
        study = experiments()[design.study]
        made = [asdict(pair) for pair in study.pairs(design)]
    else:
        made = [write_item(item) for item in make_items(design)]
        for item in made:
            # It says which rules there are, and changes with a rule that no item is made with.
            del item["library_version"]
    written = json.dumps(made, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()[:16]


def hashes() -> dict[str, str]:
    """The hash of every design by its name, in the first version of its texts."""
    made = (in_version(design, 1) for design in designs())
    return {
        name_of(design): hash_of(told)
        for design, told in zip((*designs(), *banks()), (*made, *banks()), strict=True)
    }


def second_hashes() -> dict[str, str]:
    """The hash of every design of `second_versions` by its name."""
    return {name_of(design): hash_of(design) for design in second_versions()}


def prompts() -> dict[str, str]:
    """The version of every prompt strategy, a hash of its wording; a run goes on with no other."""
    return {
        f"{study.name}, {strategy.name}": strategy.version
        for study in experiments().values()
        for strategy in study.strategies
    }


def orders() -> dict[str, list[str]]:
    """Everything that designs draw from or screens list, in its order."""
    return {
        "studies": list(experiments()),
        "treatments": list(treatments()),
        "biases": list(biases()),
        "rules": list(rules()),
        "forms": list(all_forms()),
    }


if __name__ == "__main__":
    found = {
        "designs": hashes(),
        "second version": second_hashes(),
        "prompts": prompts(),
        **orders(),
    }
    sys.stdout.write(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
