"""What tells runs apart that asked the same model in the same way, in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from biaslab.experiments import Design, Value, experiments
from biaslab.experiments.arms import arms_of
from biaslab.runs import RunRecord
from biaslab.ui.run_words import run_label, study_title

_LONGEST = 48
"""Characters of one setting: a structure may be a line of a hundred."""


def apart(runs: Sequence[RunRecord]) -> dict[str, str]:
    """For each run what its design has and the others of its kind have not; "" where it is alone.

    Runs whose designs are the same are told apart by their ids.
    """
    found: dict[str, str] = {}
    for run in runs:
        alike = [other for other in runs if _kind(other) == _kind(run)]
        designs = [_settings(other.design) for other in alike]
        own = _settings(run.design)
        differing = [
            f"{_label(run.study, name)} {_short(value)}"
            for name, value in own.items()
            if any(design.get(name) != value for design in designs)
        ]
        if designs.count(own) > 1:
            differing.append(f"run {run.id[:6]}")
        found[run.id] = "; ".join(differing) if len(alike) > 1 else ""
    return found


def labels(runs: Sequence[RunRecord]) -> dict[str, str]:
    """Who was asked and how, with what tells a run apart from the others."""
    return {
        run.id: f"{run_label(run)} · {words}" if words else run_label(run)
        for run, words in zip(runs, apart(runs).values(), strict=True)
    }


def by_arms(runs: Sequence[RunRecord]) -> dict[str, list[RunRecord]]:
    """Runs that compare the same, by study and, where its members' names vary, by these.

    Effects of different treatments answer different questions, so they share no chart.
    """
    groups: dict[tuple[str, str], list[RunRecord]] = {}
    for run in runs:
        study = experiments().get(run.study)
        arms = "" if study is None else " or ".join(arms_of(study, run.design))
        groups.setdefault((run.study, arms), []).append(run)
    several = [study for study, _ in groups]
    return {
        study_title(study) + (f": {arms}" if several.count(study) > 1 else ""): some
        for (study, arms), some in groups.items()
    }


def _kind(run: RunRecord) -> tuple[str, str, str]:
    return run.study, run.model_spec, run.strategy


def _settings(design: Design) -> dict[str, Value]:
    study = experiments().get(design.study)
    defaults = {} if study is None else {each.name: each.default for each in study.settings}
    return {**defaults, **design.settings, "n": design.n, "seed": design.seed}


def _label(study: str, name: str) -> str:
    found = experiments().get(study)
    names = {} if found is None else {each.name: each.label.lower() for each in found.settings}
    return {"n": "pairs:", "seed": "seed"}.get(name, f"{names.get(name, name)}:")


def _short(value: Value) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
