"""Effects as tables, with the columns that studies add, and as sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from biaslab.stats.beside_effects import End, end_of, end_sentence, unread_arms
from biaslab.stats.effects import ALL, Cell, Effect, Origins, effects_records, effects_table
from biaslab.stats.outcomes import InvalidRule
from biaslab.studies.results import FurtherColumns
from biaslab.studies.study import (
    Arms,
    Experiment,
    evidence_about_people,
    experiments,
    outcome_scale,
)
from schoolmath.text.figures import (
    count,
    exact_percent,
    interval_words,
    percent,
    signed_number,
    signed_points,
)

if TYPE_CHECKING:
    import pandas as pd


def further_columns() -> dict[str, FurtherColumns]:
    """What studies add, by their names, in the order in which it stands in tables."""
    offered = {name: study.further_columns() for name, study in experiments().items()}
    found = {name: further for name, further in offered.items() if further is not None}
    return dict(sorted(found.items(), key=lambda each: each[1].rank))


def further_cells(
    effects: Sequence[Effect],
    items: Mapping[str, pd.DataFrame],
    by: str | None = None,
    invalid: InvalidRule = "strict",
) -> list[dict[str, Cell]]:
    """For each effect the cells that its study adds; none where it adds none.

    Args:
        effects: effects by the same ``by`` and ``invalid``.
        items: `Store.answered_items` of the runs of each study that adds columns.
        by: as for `effects`.
        invalid: as for `effects`.
    """
    cells: list[dict[str, Cell]] = [{} for _ in effects]
    further = further_columns()
    for study, table in items.items():
        if table.empty:
            continue
        places = [place for place, effect in enumerate(effects) if effect.study == study]
        own = [effects[place] for place in places]
        divided = by if any(effect.stratum != ALL for effect in own) else None
        made = further[study].cells(own, table, divided, invalid)
        for place, added in zip(places, made, strict=True):
            cells[place] = added
    return cells


def further_json(
    effects: Sequence[Effect],
    cells: Sequence[Mapping[str, Cell]],
    origins: Origins | None = None,
) -> str:
    """As `effects_json`, with the cells added where an effect has them."""
    rows = [
        {**record, **added}
        for record, added in zip(effects_records(effects, origins), cells, strict=True)
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2, allow_nan=False)


def further_table(
    effects: Sequence[Effect],
    cells: Sequence[Mapping[str, Cell]],
    origins: Origins | None = None,
) -> pd.DataFrame:
    """As `effects_table`, with the columns of a study added if any effect has them."""
    import pandas as pd

    table = effects_table(effects, origins)
    present = {name for row in cells for name in row}
    for further in further_columns().values():
        if not present.intersection(further.columns):
            continue
        added = pd.DataFrame(list(cells), columns=list(further.columns))
        kinds = dict.fromkeys(further.columns, "float64")
        kinds |= dict.fromkeys(further.texts, "object")
        # Counts are read as numbers first: missing ones are floats until then.
        typed = added.astype(kinds).astype(dict.fromkeys(further.counts, "Int64"))
        table = pd.concat([table, typed], axis=1)
    # What simple strategies get has columns by their names, numbers all of them.
    named = dict.fromkeys(name for row in cells for name in row)
    beside = [name for name in named if name.startswith(("baseline_", "beyond_"))]
    missing = [name for name in beside if name not in table.columns]
    strategies = pd.DataFrame(list(cells), columns=missing).astype("float64")
    return pd.concat([table, strategies], axis=1) if missing else table


SURE = 0.05
"""An effect with a q below it is called significant."""


def chance_words(effects: Sequence[Effect]) -> tuple[str, str]:
    """How many of the effects are significant, and the rest of the sentence."""
    tested = [effect for effect in effects if effect.q_bh is not None and effect.cate is not None]
    sure = [effect for effect in tested if (effect.q_bh or 0.0) < SURE]
    first = sum((effect.cate or 0.0) > 0 for effect in sure)
    shares = f"{len(sure):,} of {count(len(tested), 'effect')}"
    verb = "is" if len(sure) == 1 else "are"
    told = f"{verb} statistically significant (q < {SURE})"
    if not sure:
        return shares, f"{told}."
    second = len(sure) - first
    return shares, f"{told}, {first:,} in favour of the first kind and {second:,} of the second."


def effect_sentence(effect: Effect, arms: Arms, who: str, *, corrected: bool = False) -> str:
    """What one effect says of ``who`` answered, with n and interval, in plain text.

    Args:
        effect: what was found.
        arms: names of the two kinds of problem.
        who: who answered.
        corrected: whether the interval allows for looking repeatedly.
    """
    if effect.n == 0 or effect.cate is None:
        return f"{who}: no pair has both its answers yet."
    on = f"On {count(effect.n, 'pair')}{_repeats(effect)}"
    interval = f"{exact_percent(effect.confidence)} interval"
    if corrected:
        interval += ", corrected for looking repeatedly,"
    if not effect.binary:
        scale = outcome_scale(effect.study)
        unit = "units of the scale" if scale is None else scale.unit
        between = (
            "no interval can be determined"
            if effect.ci_low is None
            else f"{interval} {signed_number(effect.ci_low)} to {signed_number(effect.ci_high)}"
        )
        return (
            f"{on}, the outcomes of {who} differ by {signed_number(effect.cate)} {unit} between "
            f"“{arms.x}” and “{arms.x_prime}” ({between})."
        )
    spread = (
        "no interval can be determined"
        if effect.ci_low is None
        else f"{interval} {interval_words(effect.ci_low, effect.ci_high)}"
    )
    return (
        f"{on}, {who} answered {percent(effect.accuracy_x)} of the "
        f"“{arms.x}” problems right and {percent(effect.accuracy_x_prime)} of the "
        f"“{arms.x_prime}” ones: a difference of {signed_points(effect.cate)} percentage points "
        f"({spread})."
    )


def _repeats(effect: Effect) -> str:
    if effect.samples == 1:
        return ""
    if effect.voted:
        return f", by the most frequent of {effect.samples} answers to each problem"
    return f", each problem asked {effect.samples} times"


def verdict(effect: Effect, arms: Arms) -> str:
    """The finding in a few words, without figures; what cannot be said is said to be so."""
    if effect.n == 0 or effect.cate is None:
        return "Nothing yet: no pair has both its answers"
    if unread_arms(effect, arms):
        return "Can't tell: the answers could not be read"
    end = end_of(effect)
    known = effect.ci_low is not None and effect.ci_high is not None
    if known and (effect.ci_low or 0.0) > 0:
        way = 1
    elif known and (effect.ci_high or 0.0) < 0:
        way = -1
    elif end is not None:
        return f"Can't tell: nearly all answers are {'wrong' if end is End.FLOOR else 'right'}"
    else:
        return "Can't tell yet: too few pairs" if not known else "No clear difference"
    if _is_of_reading(effect, way):
        harder = arms.x_prime if way > 0 else arms.x
        return f"Can't tell: fewer answers to “{harder}” could be read"
    scale = None if effect.binary else outcome_scale(effect.study)
    if scale is not None:
        return f"The answers moved {scale.positive if way > 0 else scale.negative}"
    return f"The “{arms.x_prime if way > 0 else arms.x}” problems were harder"


def _is_of_reading(effect: Effect, way: int) -> bool:
    """Whether answers that could not be read may be all of an effect: they count as not right."""
    if effect.unread is None or not effect.unread.differs or not effect.binary:
        return False
    least = effect.ci_low if way > 0 else effect.ci_high
    return way * (least or 0.0) <= -way * effect.unread.difference


def verdict_sentence(effect: Effect, arms: Arms, experiment: Experiment | None = None) -> str:
    """How to read it: which way, and whether chance may explain it.

    Args:
        effect: what was found.
        arms: names of the two kinds of problem.
        experiment: the study as the run's design makes it, which decides what may be said about
            people; by default that of the effect's name.
    """
    if unread := unread_arms(effect, arms):
        return f"{unread[0].upper()}{unread[1:]}"
    if effect.n == 0 or effect.cate is None:
        return ""
    if at_end := end_sentence(effect, arms):
        return f"{at_end[0].upper()}{at_end[1:]}"
    if effect.ci_low is None or effect.ci_high is None:
        if effect.cate == 0:
            return "Both kinds of problem came out alike in every pair."
        return "Every pair came out the same way, so no interval can be worked out."
    people = evidence_about_people(effect.study, experiment)
    scale = outcome_scale(effect.study)
    if scale is not None and (effect.ci_low > 0 or effect.ci_high < 0):
        way, as_people = (
            (scale.positive, ", as it is reported of {}")
            if effect.ci_low > 0
            else (scale.negative, ", unlike what is reported of {}")
        )
        told = "" if people is None else as_people.format(people.cited)
        return (
            f"The answers moved {way}{told}, and chance hardly explains it: the whole interval is "
            f"{'above' if effect.ci_low > 0 else 'below'} zero."
        )
    if effect.ci_low > 0:
        as_people = "" if people is None else f", as it is for {people.cited},"
        return (
            f"The “{arms.x_prime}” kind was harder{as_people} and chance hardly explains it: "
            "the whole interval is above zero."
        )
    if effect.ci_high < 0:
        unlike = "" if people is None else f", unlike for {people.cited},"
        return (
            f"The “{arms.x}” kind was harder{unlike} and chance hardly explains it: "
            "the whole interval is below zero."
        )
    return "The interval includes zero: these pairs show no clear difference."


def finding_words(effect: Effect, arms: Arms, experiment: Experiment | None = None) -> str:
    """One effect as a line: how much, of how many, and whether chance may explain it."""
    if effect.n == 0 or effect.cate is None:
        return "no pair has both its answers yet."
    verdict_words = verdict_sentence(effect, arms, experiment)
    return f"{_much(effect)} on {count(effect.n, 'pair')}. {verdict_words}"


def difference_words(effect: Effect) -> str:
    """The difference with interval and n; empty where no pair has both its answers."""
    if effect.n == 0 or effect.cate is None:
        return ""
    return f"Difference {_much(effect)}, {count(effect.n, 'pair')}."


def _much(effect: Effect) -> str:
    """An effect that is known, in its unit, with its interval."""
    scale = None if effect.binary else outcome_scale(effect.study)
    much = (
        f"{signed_points(effect.cate)} percentage points"
        if effect.binary
        else f"{signed_number(effect.cate)} {'units' if scale is None else scale.unit}"
    )
    if effect.ci_low is not None and effect.ci_high is not None:
        ends = (effect.ci_low, effect.ci_high)
        spread = interval_words(*ends) if effect.binary else " to ".join(map(signed_number, ends))
        much += f" ({exact_percent(effect.confidence)} interval {spread})"
    return much


def unread_sentence(effect: Effect) -> str:
    """How many answers did not count as they were, or nothing."""
    parts = []
    unread = effect.invalid_x + effect.invalid_x_prime
    if unread:
        treated = "were left out" if effect.excluded or not effect.binary else "count as not right"
        parts.append(f"{count(unread, 'answer')} could not be read and {treated}")
    if effect.failed:
        why = "an answer is missing: cut off, or its request failed"
        parts.append(f"{count(effect.failed, 'pair')} left out because {why}")
    if effect.unfinished:
        parts.append(f"{count(effect.unfinished, 'pair')} not finished yet")
    sentences = ["; ".join(parts) + "."] if parts else []
    if effect.missing is not None:
        sentences.append(effect.missing.what_if())
    return " ".join(sentences)
