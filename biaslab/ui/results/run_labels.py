"""What tells runs apart that asked a model of the same name in the same way, in a few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from biaslab.runs import RunRecord
from biaslab.studies import Design, Value, experiments
from biaslab.studies.study import arms_of
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.choosing import distinct_labels
from biaslab.ui.widgets.run_words import (
    how_words,
    made,
    run_design,
    run_label,
    short_id,
    study_title,
)

_LONGEST = 48
"""Characters of one setting: a structure may be a line of a hundred."""


def distinguishing(runs: Sequence[RunRecord]) -> dict[str, str]:
    """For each run what its design has and those that read like it have not; "" where none does.

    Runs whose designs are the same, too, are told apart by their ids.
    """
    kinds: dict[tuple[str, str], list[RunRecord]] = {}
    for run in runs:
        kinds.setdefault((run.study, run_label(run)), []).append(run)
    found: dict[str, str] = {}
    for alike in kinds.values():
        found |= _differing(alike) if len(alike) > 1 else {alike[0].id: ""}
    return {run.id: found[run.id] for run in runs}


def labels(runs: Sequence[RunRecord]) -> dict[str, str]:
    """Who was asked and how, with what tells a run apart from the others; no two are the same."""
    words = distinguishing(runs)
    return distinct_labels(
        {
            run.id: f"{run_label(run)} · {words[run.id]}" if words[run.id] else run_label(run)
            for run in runs
        }
    )


def legend(runs: Sequence[RunRecord]) -> dict[str, str]:
    """Names of runs in a chart, where the kind of model is said by a heading or a mark."""
    words = distinguishing(runs)
    return {
        run.id: ", ".join(
            filter(None, (queries.model_label(run.model_spec), how_words(run), words[run.id]))
        )
        for run in runs
    }


def options(runs: Sequence[RunRecord], zone: str | None) -> dict[str, str]:
    """A run in a list to choose from: how its id begins, who was asked what, and when.

    What tells runs alike apart comes first, as long words are cut off on a phone.

    Args:
        runs: those in the list.
        zone: the time zone of who reads it, None where it is not known.
    """
    return distinct_labels(
        {
            run.id: f"{short_id(run)} · {run_label(run)} · {run_design(run)} · {made(run, zone)}"
            for run in runs
        }
    )


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


def _differing(alike: Sequence[RunRecord]) -> dict[str, str]:
    """Settings that are not the same in all of these runs of one study."""
    designs = {
        run.id: {name: _short(value) for name, value in _settings(run.design).items()}
        for run in alike
    }
    names = list(dict.fromkeys(name for design in designs.values() for name in design))
    varied = [n for n in names if len({design.get(n) for design in designs.values()}) > 1]
    words = {
        run.id: "; ".join(
            f"{_label(run.study, n)} {designs[run.id][n]}" for n in varied if n in designs[run.id]
        )
        for run in alike
    }
    times = Counter(words.values())
    return {
        run.id: "; ".join(filter(None, [words[run.id], f"run {short_id(run)}"]))
        if times[words[run.id]] > 1
        else words[run.id]
        for run in alike
    }


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
