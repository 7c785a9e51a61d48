"""Works out what came of the experiments and of fine-tuning, and writes it for the app.

    python -m research.findings

reads the tables in assets/origins and writes assets/origins/findings.json: the blocks that the page
Where biases come from shows one below the other (`biaslab.training.origins.findings`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from biaslab.charts.chart import Chart
from biaslab.training.origins.findings import (
    ADAPTERS,
    EXPERIMENT,
    FINDINGS_FILE,
    TUNING,
    Block,
    Cells,
    FindingPicture,
    FindingText,
    Fold,
)
from biaslab.training.origins.predictions import ARMS, STUDIES, Judgement
from research.adapters.design import BASE_FILE
from research.adapters.design import LESSONS as ADAPTER_LESSONS
from research.adapters.estimates import AdapterResults
from research.adapters.estimates import judge as judge_adapters
from research.adapters.summary import adapters_chart, meaning, right_words, unmade
from research.adapters.summary import sentence as adapters_sentence
from research.adapters.summary import table as adapters_cells
from research.adapters.table import AdapterRow
from research.adapters.table import read_table as read_adapters
from research.experiment.design import CARRY, CONSISTENCY, LEAST_STARTS, ROWS, STARTS, TRANSFER
from research.experiment.dose import Dose, dose, dose_chart, in_mix_sentence
from research.experiment.dose import sentence as dose_sentence
from research.experiment.rarer import (
    NumberOrShare,
    number_at_end,
    number_figures,
    number_or_share,
    number_sentence,
    rarer_chart,
)
from research.experiment.school import (
    school_at_end,
    school_chart,
    school_figures,
    school_mixes,
    school_sentence,
)
from research.experiment.table import EXPERIMENT_FILE, SampleRow, read_table
from research.experiment.verdicts import judge as judge_experiment
from research.tuning.design import LESSONS, TUNING_FILE, Stop
from research.tuning.design import TUNING as TUNING_TABLE
from research.tuning.estimates import TuningResults
from research.tuning.estimates import judge as judge_tuning
from research.tuning.summary import rows, sentence, tuning_chart, worse
from schoolmath.text.figures import NONE, count

HOW = "How it is done, and what was predicted"

_OTHERS = {TRANSFER: "And transfers?", CARRY: "And carries?"}
"""Folds of the studies beside that of the page's first picture."""

_TITLES = {
    Stop.LARGEST: "From where its effect is largest",
    Stop.END: "From the end of its training",
}


def adapter_findings(table: Sequence[AdapterRow]) -> tuple[Block, ...]:
    """What lessons did to a real model; nothing before any was taught."""
    results = AdapterResults(table)
    if not results.seeds:
        return ()
    picture = _picture(
        lambda dark: adapters_chart(results, dark=dark), "a real model after lessons of a ratio"
    )
    cells = Cells(
        "Everything that was asked",
        f"Effects by ratio, {len(adapters_cells(results))} rows",
        tuple(adapters_cells(results)),
    )
    explained = FindingText(
        "Effects in nats, right answers in points; in brackets 95 % intervals over "
        f"{count(len(results.seeds), 'seed')} and items. Before: one model, so no interval.",
        caption=True,
    )
    how = FindingText(
        f"{BASE_FILE} learns {ADAPTER_LESSONS} one-step comparisons with their answers by an "
        "adapter of 460,800 weights; its own 135 million stay. Models differ in the ratio alone. "
        "The predictions were committed before (research/docs/adapters.md):"
    )
    said = (adapters_sentence(results), unmade(results))
    verdict, *more = [FindingText(each) for each in said if each]
    right = [FindingText(each) for each in (right_words(results),) if each]
    return (
        verdict,
        picture,
        *more,
        FindingText(meaning(results), caption=True),
        Fold("In numbers", (*right, cells, explained)),
        Fold(HOW, (how, *judge_adapters(results))),
    )


def experiment_findings(table: Sequence[SampleRow]) -> tuple[Block, ...]:
    """The dose-response curves and what else the experiment says; nothing as long as no start has
    all cells of the first curve.
    """
    first = dose(table, CONSISTENCY)
    if first is None:
        return ()
    mix, slope, picture = _dose(first)
    blocks: list[Block] = [mix, picture, Fold("In numbers", (slope,))]
    if (both := number_or_share(table, CONSISTENCY)) is not None:
        blocks.append(Fold("Number, or share?", _rarer(both)))
    for study, label in _OTHERS.items():
        if (curve := dose(table, study)) is not None:
            both = number_or_share(table, study)
            blocks.append(Fold(label, (*_dose(curve), *(() if both is None else _rarer(both)))))
    if (mixes := school_mixes(table)) is not None:
        told = FindingText(f"Over learning: {school_sentence(mixes)} {school_at_end(mixes)}")
        picture = _picture(
            lambda dark: school_chart(mixes, STUDIES, dark=dark), "mixes of school problems"
        )
        caption = FindingText(school_figures(mixes), caption=True)
        blocks.append(Fold("As in school problems?", (told, picture, caption)))
    trainings = sum(len(row.cells) * row.starts for row in ROWS)
    ended = {(kept.row.mix, kept.row.seed) for kept in table if kept.row.final}
    how = FindingText(
        f"An experiment of {trainings} trainings, under way: one ratio varied at a time, from "
        f"{count(STARTS, 'start')} of their own; asked step by step, one step, additive. "
        f"{len(ended)} trainings are at their end. Verdicts come with "
        f"{count(LEAST_STARTS, 'start')}. research/docs/experiment.md says how it is done. The "
        "predictions were committed before it began:",
        caption=True,
    )
    return (*blocks, Fold(HOW, (how, *judge_experiment(table))))


def _dose(curve: Dose) -> tuple[Block, Block, Block]:
    """The effect by the ratio of the study's own lessons."""
    x, x_prime = ARMS[curve.study]
    picture = _picture(
        lambda dark: dose_chart(curve, f"{x} to {x_prime}", dark=dark),
        f"{curve.study} effect by ratio",
    )
    return FindingText(in_mix_sentence(curve)), FindingText(dose_sentence(curve)), picture


def _rarer(both: NumberOrShare) -> tuple[Block, ...]:
    """Whether the number of the rarer form counts, or its share."""
    x, x_prime = ARMS[both.study]
    picture = _picture(
        lambda dark: rarer_chart(both, x, x_prime, dark=dark), f"{both.study} number or share"
    )
    told = FindingText(f"Over learning: {number_sentence(both)} {number_at_end(both)}")
    return told, picture, FindingText(number_figures(both, x, x_prime), caption=True)


def tuning_findings(table: Sequence[SampleRow]) -> tuple[Block, ...]:
    """What a few hundred lessons do to a model that has the bias; nothing before any is tuned."""
    if not table:
        return ()
    results = TuningResults(table)
    picture = _picture(
        lambda dark: tuning_chart(results, dark=dark), "effect by lessons of fine-tuning"
    )
    blocks: list[Block] = [FindingText(sentence(results)), picture, FindingText(worse(results))]
    for stop, title in _TITLES.items():
        found = pd.DataFrame([row.cells() for row in rows(results) if row.stop is stop])
        # What was not done from there has no column.
        found = found.loc[:, ~(found == NONE).all()]
        alt = f"{title}, before and after {LESSONS[-1]} lessons, {len(found)} rows"
        blocks.append(Cells(title, alt, tuple(_records(found))))
    explained = FindingText(
        f"Before, and after {LESSONS[-1]} lessons; difference: balanced minus its own mix. Effects "
        "and differences in points, shares in per cent, step by step unless said; in brackets 95 % "
        "intervals, of the model before over items alone. Where hardly anything is right, no "
        "effect can show.",
        caption=True,
    )
    how = FindingText(
        "The skewed model, where its effect is largest, learns additive comparisons of one "
        "step: both members of balanced pairs; the same kind with 5 consistent ones for each "
        "inconsistent one; or what its own training would have gone on with. Two steps are "
        "asked from the end of its training. The predictions were committed before "
        "(research/docs/family.md)."
    )
    return (*blocks, explained, Fold(HOW, (how, *judge_tuning(results))))


def _picture(draw: Callable[[bool], Chart], name: str) -> FindingPicture:
    light, dark = draw(False), draw(True)
    data = tuple(_records(light.data))
    return FindingPicture(name, light.figure.to_json(), dark.figure.to_json(), light.summary, data)


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(table.to_json(orient="records", double_precision=6))
    return found


def as_json(blocks: Iterable[Block]) -> list[dict[str, Any]]:
    """The blocks as they stand in the file."""
    return [_fields(block) for block in blocks]


def _fields(block: Block) -> dict[str, Any]:
    match block:
        case FindingText(text, caption):
            return {"kind": "text", "text": text, "caption": caption}
        case FindingPicture(name, light, dark, summary, data):
            return {
                "kind": "picture", "name": name, "light": light, "dark": dark, "summary": summary,
                "data": list(data),
            }  # fmt: skip
        case Cells(title, alt, lines):
            return {"kind": "cells", "title": title, "alt": alt, "rows": list(lines)}
        case Fold(label, inside):
            return {"kind": "fold", "label": label, "blocks": as_json(inside)}
        case Judgement():
            return {
                "kind": "judgement", "number": block.number, "title": block.title,
                "predicted": block.predicted, "verdict": block.verdict.value,
                "found": list(block.found),
            }  # fmt: skip


def make_findings() -> dict[str, list[dict[str, Any]]]:
    """What stands in the file, from the project's own tables."""
    return {
        ADAPTERS: as_json(adapter_findings(read_adapters())),
        EXPERIMENT: as_json(experiment_findings(read_table(EXPERIMENT_FILE))),
        TUNING: as_json(tuning_findings(read_table(TUNING_FILE, TUNING_TABLE))),
    }


def main(path: Path = FINDINGS_FILE) -> None:
    """Writes the file."""
    text = json.dumps(make_findings(), ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
