"""Findings for the app: what is said as soon as it is there, and what the shipped file holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from biaslab.training.origins.findings import (
    EXPERIMENT,
    FINDINGS_FILE,
    TUNING,
    Block,
    Cells,
    FindingPicture,
    FindingText,
    Fold,
    read_findings,
)
from research.experiment.design import (
    CARRY,
    CELLS,
    CHECKS,
    CONSISTENCY,
    TRANSFER,
    at_fixed_number,
    at_fixed_total,
)
from research.experiment.school import COMPARED
from research.findings import as_json, experiment_findings, make_findings, tuning_findings
from tests.research.experiment.simulated_table import by_ratio, table
from tests.research.tuning.simulated_tuning import removed, tuned

FIRST = at_fixed_total(CONSISTENCY)


def flat(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Fold):
            yield from flat(block.blocks)


def words(blocks: Iterable[Block]) -> str:
    """Everything that is said, pictures in words."""
    return json.dumps(as_json(blocks), ensure_ascii=False)


def folds(blocks: Iterable[Block]) -> list[str]:
    return [block.label for block in blocks if isinstance(block, Fold)]


def test_nothing_is_found_before_a_start_has_all_its_cells():
    assert experiment_findings(table(by_ratio(10), FIRST[:2], 1)) == ()
    assert tuning_findings([]) == ()


def test_one_start_with_all_its_cells_has_a_curve_and_no_verdict():
    found = experiment_findings(table(by_ratio(10), FIRST, 1, CHECKS[:1]))

    said = words(found)
    assert "Not yet trained: with 1 of 10 starts nothing is decided" in said
    assert "after 8,192 of 131,072 lessons" in said
    assert "not yet trained: 0 of 10 starts" in said
    assert len([block for block in flat(found) if isinstance(block, FindingPicture)]) == 1


def test_with_starts_enough_the_experiment_has_its_verdicts():
    said = words(experiment_findings(table(by_ratio(10), FIRST, 6)))

    assert "Over learning, the consistency effect rises with the ratio: a doubling adds " in said
    assert "; after the last lesson, it rises: +" in said
    assert "In a network of this size, with 20:1 the mix makes +" in said
    assert "30 trainings are at their end" in said


def test_each_further_question_is_answered_as_soon_as_one_start_has_its_cells():
    def found_of(*further: str) -> tuple[Block, ...]:
        return experiment_findings(table(by_ratio(10), dict.fromkeys((*FIRST, *further)), 5))

    of_both = found_of(*at_fixed_number(CONSISTENCY))
    of_carries = found_of(*at_fixed_total(CARRY), *at_fixed_number(CARRY))
    of_all = found_of(*at_fixed_total(CARRY), *at_fixed_total(TRANSFER))
    of_schools = found_of(*(CELLS[name] for name in COMPARED))

    numbers, *_ = folds(found_of())
    assert (numbers, len(folds(found_of()))) == ("In numbers", 2)
    assert folds(of_both)[1] == "Number, or share?"
    assert "each doubling of inconsistent lessons" in words(of_both)
    assert folds(of_carries)[1] == "And carries?"
    assert "each doubling of carry lessons" in words(of_carries)
    assert folds(of_all)[1:3] == ["And transfers?", "And carries?"]
    assert folds(of_schools)[1] == "As in school problems?"
    assert "With the ratios of public corpora" in words(of_schools)


def test_fine_tuning_is_told_with_its_picture_tables_and_verdicts():
    found = tuning_findings(tuned(removed))

    said = words(found)
    assert "Balanced lessons take this bias away: the consistency effect of +28.2 is" in said
    assert said.count("By balance, not by practice") == 1
    assert [block.title for block in found if isinstance(block, Cells)][-1].startswith("From the")
    assert isinstance(found[0], FindingText)


def test_the_shipped_findings_are_those_of_the_shipped_tables():
    """What is drawn may differ by the plotting library's version; what is said may not."""

    def without_drawings(fields: object) -> object:
        if isinstance(fields, list):
            return [without_drawings(each) for each in fields]
        if isinstance(fields, dict):
            return {k: without_drawings(v) for k, v in fields.items() if k not in {"light", "dark"}}
        return fields

    shipped = json.loads(FINDINGS_FILE.read_text(encoding="utf-8"))
    assert without_drawings(shipped) == without_drawings(make_findings())
    for of in (EXPERIMENT, TUNING):
        assert json.loads(json.dumps(as_json(read_findings(FINDINGS_FILE, of)))) == shipped[of]
