"""Results from publications, kept apart from what this lab measures.

The tables are facts with their source, number and confidence (assets/published/README.md).
They are shown beside our effects, never pooled or tested against them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import scipy
import yaml

from biaslab.stats.errors import BrokenAssets
from schoolmath.text.yaml_files import read_yaml

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "published"

_EFFECT_TABLES = ("opedal_2024_effects.csv", "hegarty_1995_problems_effects.csv")

_MAIN_TABLE = ("direct", "cot")
"""Strategies of Table 2 of Opedal et al. (2024), over which it controls false discoveries."""

_CONFIDENCE = {
    "verified_text": "read in the text of the source",
    "verified_secondary": "read in a later publication that cites the source",
    "verified_direction": "abstract read, direction only",
    "verified_method": "method read, results not",
    "verified_vendor": "a company's own report on its users",
}


@dataclass(frozen=True, slots=True)
class PublishedWords:
    """Words of a prompt or stimulus as a publication prints them.

    Attributes:
        paper: the publication; where: its section, table or appendix.
        words: with places in braces.
    """

    paper: str
    where: str
    words: str

    def filled(self, **places: object) -> str:
        """The words with something in their places; other braces stay as they are."""
        text = self.words
        for name, filling in places.items():
            text = text.replace(f"{{{name}}}", str(filling))
        return text


@cache
def published_words() -> Mapping[str, PublishedWords]:
    """Every prompt and stimulus that is called published, by name.

    Raises:
        BrokenAssets: the file is missing or malformed.
    """
    try:
        found = read_yaml(ASSETS / "prompts.yaml")
        return {name: PublishedWords(**entry) for name, entry in found.items()}
    except (OSError, yaml.YAMLError, AttributeError, TypeError) as error:
        raise BrokenAssets(
            f"The words of published prompts cannot be read ({error}): restore assets/published "
            "from the project."
        ) from error


@dataclass(frozen=True, slots=True)
class PublishedEffect:
    """One cell of a published table.

    Attributes:
        source: the publication; study, strategy, model: as in this lab's own effects.
        n: pairs in the cell.
        accuracy_x, accuracy_x_prime: fractions 0..1 right of each arm.
        cate: their difference, -1..1; positive is child-like.
        printed_cate: what the publication prints, where that differs (see status).
        p: as printed, as a number: "<0.001" is 0.001; None where none is printed.
        printed_p: as printed; empty where none is.
        q_bh: Benjamini-Hochberg adjusted p within the study's family: Table 2 (direct and
            cot), or the child-cot table. A missing p enters as 1. None for other sources.
        status: ``transcribed`` or ``corrected``; note: what was corrected, or where n is from.
    """

    source: str
    study: str
    strategy: str
    model: str
    n: int
    accuracy_x: float
    accuracy_x_prime: float
    cate: float
    printed_cate: float
    p: float | None
    printed_p: str
    q_bh: float | None
    status: str
    note: str


@dataclass(frozen=True, slots=True)
class HumanBaseline:
    """What people did, as a publication reports it.

    Attributes:
        effect: the study, or what was asked; kind: ``figure``, ``direction`` or ``design``.
        population: who; n: how many, as reported, or None where not given.
        condition, value, unit: the figure in words; source: where it was read.
        status: how it was checked; note: what limits it.
    """

    effect: str
    kind: str
    population: str
    n: str | None
    condition: str
    value: str
    unit: str
    source: str
    status: str
    note: str

    @property
    def confidence(self) -> str:
        """How it was checked, in words."""
        return _CONFIDENCE[self.status]

    @property
    def sentence(self) -> str:
        """Everything that must be shown with it, as one line of plain text."""
        condition = f"{self.condition}: " if self.condition else ""
        unit = f" {self.unit}" if self.unit else ""
        people = f"n = {self.n}" if self.n else "number of people not given where we read it"
        note = f" Note: {self.note}." if self.note else ""
        return (
            f"{condition}{self.value}{unit} ({self.population}; {people}). "
            f"Source: {self.source}. Confidence: {self.confidence}.{note}"
        )


def published_effects(study: str, strategy: str | None = None) -> list[PublishedEffect]:
    """Published effects of a study, in the order of the tables; none for other studies.

    Args:
        study: ``consistency``, ``transfer-comparison`` or ``carry``.
        strategy: ``direct``, ``cot`` or ``child-cot``; None for all.

    Raises:
        BrokenAssets: a table is missing or malformed.
    """
    return [
        effect
        for effect in _all_effects()
        if effect.study == study and strategy in (None, effect.strategy)
    ]


def human_baselines(effect: str, without_n: bool = False) -> list[HumanBaseline]:
    """What people did, always with source and confidence.

    Args:
        effect: a study's name, or another effect of the table.
        without_n: also what was read where the number of people is not given;
            `HumanBaseline.sentence` says that it is not.

    Raises:
        BrokenAssets: the table is missing or malformed.
    """
    return [
        baseline
        for baseline in _all_baselines()
        if baseline.effect == effect and (baseline.n is not None or without_n)
    ]


@cache
def _all_effects() -> tuple[PublishedEffect, ...]:
    found = [effect for name in _EFFECT_TABLES for effect in _read_effects(name)]
    families: dict[tuple[str, str, bool], list[int]] = {}
    for index, effect in enumerate(found):
        if effect.source == found[0].source:
            key = (effect.source, effect.study, effect.strategy in _MAIN_TABLE)
            families.setdefault(key, []).append(index)
    for family in families.values():
        p_values = [1.0 if (p := found[index].p) is None else p for index in family]
        rates = scipy.stats.false_discovery_control(p_values, method="bh")
        for index, q in zip(family, rates, strict=True):
            found[index] = replace(found[index], q_bh=float(q))
    return tuple(found)


def _read_effects(name: str) -> Iterator[PublishedEffect]:
    for number, row in _rows(name):
        try:
            yield PublishedEffect(
                source=row["source"],
                study=row["study"],
                strategy=row["strategy"],
                model=row["model"],
                n=int(row["pairs"]),
                accuracy_x=float(row["accuracy_x_pct"]) / 100,
                accuracy_x_prime=float(row["accuracy_x_prime_pct"]) / 100,
                cate=float(row["cate_points"]) / 100,
                printed_cate=float(row["printed_cate_points"]) / 100,
                p=float(row["printed_p"].removeprefix("<")) if row["printed_p"] else None,
                printed_p=row["printed_p"],
                q_bh=None,
                status=row["status"],
                note=row["note"],
            )
        except (KeyError, ValueError) as error:
            raise _broken(name, number, error) from error


@cache
def _all_baselines() -> tuple[HumanBaseline, ...]:
    name = "human_baselines.csv"
    found: list[HumanBaseline] = []
    for number, row in _rows(name):
        try:
            if row["status"] not in _CONFIDENCE:
                raise ValueError(f"unknown status '{row['status']}'")
            texts = {column: row[column] for column in row if column != "n"}
            found.append(HumanBaseline(n=row["n"] or None, **texts))
        except (KeyError, TypeError, ValueError) as error:
            raise _broken(name, number, error) from error
    return tuple(found)


def _rows(name: str) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        with (ASSETS / name).open(encoding="utf-8", newline="") as file:
            yield from enumerate(csv.DictReader(file), start=2)
    except OSError as error:
        raise BrokenAssets(
            f"The table of published results {name} cannot be read ({error.strerror}): "
            "restore assets/published from the project."
        ) from error


def _broken(name: str, number: int, error: Exception) -> BrokenAssets:
    return BrokenAssets(
        f"Line {number} of the table of published results {name} is malformed ({error}): "
        "restore assets/published from the project."
    )


SAME, AFTER, NOT_HAD = "same", "after", "not had"


@dataclass(frozen=True, slots=True)
class FidelityRow:
    """Something that a paper has, and what stands for it here.

    Attributes:
        system: of the four; what: a capability, setting, prompt, metric, table or figure.
        where: in the paper.
        verdict: `SAME`, `AFTER` or `NOT_HAD`.
        how: what differs, and why; held: the test that holds it, or the folder of tests.
    """

    system: str
    what: str
    where: str
    verdict: str
    how: str
    held: str


def fidelity_of(system: str | None) -> tuple[FidelityRow, ...]:
    """The record of one of the four systems; none of what follows no paper.

    Raises:
        BrokenAssets: the file is missing or malformed.
    """
    return tuple(row for row in fidelity_rows() if row.system == system)


@cache
def fidelity_rows() -> tuple[FidelityRow, ...]:
    """Every row of the record of fidelity, paper by paper.

    Raises:
        BrokenAssets: the file is missing or malformed.
    """
    try:
        return tuple(FidelityRow(**row) for row in read_yaml(ASSETS / "fidelity.yaml"))
    except (OSError, yaml.YAMLError, TypeError) as error:
        raise BrokenAssets(
            f"The record of fidelity cannot be read ({error}): restore assets/published from the "
            "project."
        ) from error
