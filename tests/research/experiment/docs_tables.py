"""The tables of research/docs/experiment.md, from the project's own tables.

    python -m tests.research.experiment.docs_tables

prints them, to be put into the docs when more is trained; a test compares them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from biaslab.training.origins.effects import ends
from biaslab.training.origins.predictions import Truth
from biaslab.training.origins.rows import FamilyRow
from research.experiment.design import (
    CHECKS,
    CONSISTENCY,
    PREDICTIONS,
    RATIOS,
    ROWS,
    STARTS,
    STUDIES,
    ClaimFigure,
    PredictedClaim,
    at_fixed_total,
    seeds,
)
from research.experiment.dose import dose, in_mix_sentence, sentence
from research.experiment.estimates import StartsEstimate
from research.experiment.outcomes import (
    TrainingAnswers,
    Weights,
    at_check,
    delay,
    effect,
    over_log_lessons,
)
from research.experiment.rarer import (
    number_at_end,
    number_or_share,
    number_sentence,
)
from research.experiment.repeated import (
    AGAIN,
    CrossedContrast,
    again_file,
    again_sentence,
    trained_anew,
)
from research.experiment.running import finished_in
from research.experiment.school import (
    COMPARED,
    school_at_end,
    school_figures,
    school_mixes,
    school_sentence,
)
from research.experiment.table import SampleRow, pairs_file, read_pairs, read_table
from research.experiment.verdicts import claim_words, decide
from research.paper.contents import checked
from schoolmath.text.figures import NONE, hundredths, p_words, percent, signed_number, signed_points

HOLDS = {
    Truth.TRUE: "yes",
    Truth.FALSE: "**no**",
    Truth.OPEN: "cannot be told",
    Truth.UNKNOWN: "not yet trained",
}


def by_lessons(rows: tuple[SampleRow, ...]) -> Iterator[str]:
    """The effect by lessons and ratio, step by step, 200 pairs a start."""
    answers = TrainingAnswers(rows)
    yield "| lessons | " + " | ".join(f"{x}:{other}" for x, other in RATIOS) + " |"
    yield "|--:|" + "--:|" * len(RATIOS)
    for name, checks in (
        *((f"{check:,}", at_check(check)) for check in CHECKS),
        ("**mean over log lessons**", over_log_lessons()),
    ):
        found = [
            answers.estimate(effect(cell, CONSISTENCY, checks))
            for cell in at_fixed_total(CONSISTENCY)
        ]
        yield f"| {name} | " + " | ".join(_points(each) for each in found) + " |"


def by_start(rows: tuple[SampleRow, ...]) -> Iterator[str]:
    """The primary outcome of every start that is at its end."""
    answers = TrainingAnswers(rows)
    cells = at_fixed_total(CONSISTENCY)
    found = [answers.estimate(effect(cell, CONSISTENCY, over_log_lessons())) for cell in cells]
    slopes = decide(rows)[_claims()[0][1]].estimate.starts
    yield "| start | " + " | ".join(f"{x}:{other}" for x, other in RATIOS) + " | slope |"
    yield "|--:|" + "--:|" * (len(RATIOS) + 1)
    for seed, slope in slopes.items():
        values = [signed_points(each.starts[seed].value) for each in found]
        yield f"| {seed} | {' | '.join(values)} | {signed_points(slope.value, 2)} |"


def claims(rows: tuple[SampleRow, ...]) -> Iterator[str]:
    """Every claim of which any start is trained, with its figure, twice where pairs are kept."""
    there = {kept.row.seed for kept in rows}
    pairs = (each for each in read_pairs(pairs_file()) if each.seed in there)
    decided = decide(rows)
    again = checked(rows, pairs, decided)
    yield (
        "| | claim | figure (95 % interval) | starts | q | holds | from single pairs "
        "| log odds of the same starts |"
    )
    yield "|--:|---|--:|--:|--:|---|--:|--:|"
    for number, claim in _claims():
        found = decided[claim]
        if not found.estimate.n:
            continue
        value = _between(found.estimate, lambda value, of=claim: _signed(of, value))
        crossed = odds = NONE
        if claim in again:
            crossed = _between(again[claim].crossed, lambda value, of=claim: _signed(of, value))
            crossed = f"{crossed}, {len(again[claim].crossed.seeds)} starts"
            log_odds = again[claim].log_odds
            odds = NONE if log_odds is None else _between(log_odds, signed_number)
        yield (
            f"| {number} | {claim_words(claim)} | {value} | {found.estimate.n} | "
            f"{p_words(found.q)} | {HOLDS[found.answer]} | {crossed} | {odds} |"
        )


def school(table: Sequence[SampleRow]) -> Iterator[str]:
    """The effects of the mixes of school problems, and of an even one."""
    found = school_mixes(table)
    if found is None:
        return
    yield "| effect | when | " + " | ".join(f"`{mix}`" for mix in COMPARED) + " |"
    yield "|---|---|" + "--:|" * len(COMPARED)
    effects: dict[tuple[str, str], list[str]] = {}
    for study, _, when, estimate in found.rows():
        effects.setdefault((study, when), []).append(_points(estimate))
    for (study, when), values in effects.items():
        yield f"| {study} | {when} | {' | '.join(values)} |"


def by_ratio(table: Sequence[SampleRow]) -> Iterator[str]:
    """The effect of every study by the ratio of its own lessons, mean over log lessons."""
    yield "| effect | starts | " + " | ".join(f"{x}:{other}" for x, other in RATIOS) + " | slope |"
    yield "|---|--:|" + "--:|" * (len(RATIOS) + 1)
    for study in STUDIES:
        found = dose(table, study)
        if found is not None and found.lessons is None:
            values = [_points(each) for each in found.effects.values()]
            slope = _between(found.slope, lambda value: signed_points(value, 2))
            yield f"| {study} | {found.starts} | {' | '.join(values)} | {slope} |"


def again(table: Sequence[SampleRow]) -> Iterator[str]:
    """Trainings done a second time on a GPU, beside the first ones."""
    found = trained_anew(table, read_table(again_file(), AGAIN))
    if found is None:
        return
    yield "| trained | " + " | ".join(f"{x}:{other}" for x, other in RATIOS) + " |"
    yield "|---|" + "--:|" * len(RATIOS)
    for name, effects in (
        ("on cores", found.once),
        ("anew on the GPU", found.anew),
        ("anew minus before", found.effects),
    ):
        yield f"| {name} | " + " | ".join(_points(effects[ratio]) for ratio in RATIOS) + " |"


def of_others(table: Sequence[SampleRow]) -> Iterator[str]:
    """Parts of sentences on transfers and carries, and on trainings done a second time."""
    for study in STUDIES:
        if (curve := dose(table, study)) is not None:
            yield sentence(curve)
            yield in_mix_sentence(curve)
        if (both := number_or_share(table, study)) is not None:
            yield number_at_end(both)
    for study in STUDIES[1:]:
        rarer = number_or_share(table, study)
        if rarer is not None:
            yield number_sentence(rarer)
            for decided in rarer.decided.values():
                yield _between(decided.estimate, lambda value: signed_points(value, 2))[:-1]
                yield f"q {p_words(decided.q)}"
            right = [each.value for curve in (rarer.total, rarer.number) for each in curve.values()]
            yield f"right in {percent(min(right))} to {percent(max(right))} of cases"
    if (anew := trained_anew(table, read_table(again_file(), AGAIN))) is not None:
        yield again_sentence(anew)


def of_school(table: Sequence[SampleRow]) -> Iterator[str]:
    """Parts of sentences on the mixes of school problems."""
    found = school_mixes(table)
    if found is not None:
        yield school_sentence(found)
        yield school_at_end(found)
        yield school_figures(found)


def sentences(rows: tuple[SampleRow, ...]) -> Iterator[str]:
    """Parts of sentences that say figures; docs may break their lines anywhere."""
    answers = TrainingAnswers(rows)
    whole = {kept.row.seed for kept in rows}
    cells = {cell.ratio: cell for cell in at_fixed_total(CONSISTENCY)}

    def told(ratio: tuple[int, int], checks: Weights) -> str:
        return _points(answers.estimate(effect(cells[ratio], CONSISTENCY, checks)))

    second = Counter(training.seed for training in finished_in(rows, ROWS[1:2]))
    both = sum(number == len(ROWS[1].cells) for number in second.values())
    yield (
        f"{len(whole)} of {STARTS} starts with all five cells of row 1 at their end, {both} with "
        "all of row 2"
    )
    mean, end = over_log_lessons(), at_check(CHECKS[-1])
    slope = decide(rows)[_claims()[0][1]].estimate
    yield (
        f"from {told((1, 5), mean)} with 1:5 to {told((20, 1), mean)} with 20:1; "
        f"{_between(slope, lambda value: signed_points(value, 2))} a doubling ({len(whole)} starts,"
    )
    yield f"With 1:1 it is within 5 points of zero: {told((1, 1), mean)}."
    yield (
        f"At {CHECKS[-1]:,} lessons the effect is {told((1, 5), end)} with 1:5 and "
        f"{told((20, 1), end)} with 20:1"
    )
    yield from _of_single_trainings(
        [answers.curve(cell, seed, CONSISTENCY) for cell in cells.values() for seed in whole]
    )
    rarer = number_or_share(rows, CONSISTENCY)
    assert rarer is not None
    yield number_sentence(rarer)
    for decided in rarer.decided.values():
        words = _between(decided.estimate, lambda value: signed_points(value, 2))
        yield words.removesuffix(")")
        yield f"q {p_words(decided.q)}"
    level = [rarer.number[ratio].value for ratio in ((1, 1), (2, 1), (5, 1))]
    yield f"at 1:1, 2:1 and 5:1 ({', '.join(map(percent, level))})"
    yield f"less at 20:1 ({percent(rarer.number[20, 1].value)})"
    many = [percent(curve[1, 5].value) for curve in (rarer.total, rarer.number)]
    yield f"(1:5: {many[0]} at the fixed total, {many[1]} at the fixed number)"
    without = {
        f"{x}:{other}": [
            seed for seed in whole if delay(answers.curve(cell, seed, CONSISTENCY)) is None
        ]
        for (x, other), cell in cells.items()
    }
    left_out = set().union(*without.values())
    by_ratio = ", ".join(f"{len(some)} for {ratio}" for ratio, some in without.items() if some)
    yield f"that is {len(left_out)} of {len(whole)} starts here ({by_ratio})"


def _of_single_trainings(curves: Sequence[Mapping[int, FamilyRow]]) -> Iterator[str]:
    every = [row for curve in curves for row in curve.values()]
    shares = [share / row.n for row in every for share in (row.right_x, row.right_x_prime)]
    sure = sum(share in (0.0, 1.0) for share in shares)
    yield f"{sure} of {len(shares)} shares right of row 1 are exactly 0 or 100 %"
    by_check: dict[tuple[str, int], list[float]] = {}
    for row in every:
        by_check.setdefault((row.mix, row.examples), []).append(row.cate)
    (mix, lessons), apart = max(by_check.items(), key=lambda each: max(each[1]) - min(each[1]))
    ratio = mix.removeprefix("consistency-").replace("to", ":")
    yield (
        f"up to {hundredths(max(apart) - min(apart), 0)} points apart ({ratio} after {lessons:,} "
        f"lessons: {signed_points(min(apart))} and {signed_points(max(apart))})"
    )
    last = [curve[CHECKS[-1]] for curve in curves]
    even = [row for row in last if row.mix == "balanced"]
    chosen = [row for row in last if _chooses(row)]
    yield (
        f"{sum(row in chosen for row in even)} of {len(even)} starts of 1:1 chose the right "
        "operation in at least 95 % of additive comparisons, both members together; of the other "
        f"four cells {len([row for row in chosen if row.mix != 'balanced'])} of "
        f"{len(last) - len(even)} trainings did."
    )
    others = [f"{row.right_x} | {row.right_x_prime}" for row in even if row not in chosen]
    yield f"The others of 1:1 got {', '.join(others)} of 200 right"


def _chooses(row: FamilyRow) -> bool:
    right = row.operator_right_x + row.operator_right_x_prime
    return right >= 0.95 * (row.operator_asked_x + row.operator_asked_x_prime)


def _claims() -> list[tuple[int, PredictedClaim]]:
    return [(each.number, claim) for each in PREDICTIONS for claim in each.claims]


def _points(estimate: StartsEstimate) -> str:
    if estimate.value is None:
        return NONE
    interval = estimate.interval
    return signed_points(estimate.value) + ("" if interval is None else f" ({ends(interval)})")


def _between(found: StartsEstimate | CrossedContrast, words: Callable[[float | None], str]) -> str:
    interval = found.interval
    if interval is None:
        return words(found.value)
    return f"{words(found.value)} ({words(interval.low)} to {words(interval.high)})"


def _signed(claim: PredictedClaim, value: float | None) -> str:
    return signed_number(value) if claim.figure is ClaimFigure.DELAY else signed_points(value, 2)


def whole_starts() -> tuple[SampleRow, ...]:
    """The rows of the starts that are at the end of row 1."""
    ended = finished_in(read_table(), ROWS[:1])
    whole = [
        seed
        for seed in seeds()
        if sum(training.seed == seed for training in ended) == len(ROWS[0].cells)
    ]
    return tuple(kept for kept in read_table() if kept.row.seed in whole)


def tables() -> dict[str, list[str]]:
    """All of them by name, as lines of Markdown, of those starts."""
    rows = whole_starts()
    return {
        "by lessons": list(by_lessons(rows)),
        "by start": list(by_start(rows)),
        "claims": list(claims(rows)),
        "by ratio": list(by_ratio(read_table())),
        "again": list(again(read_table())),
        "school": list(school(read_table())),
    }


if __name__ == "__main__":
    said = [*sentences(whole_starts()), *of_others(read_table()), *of_school(read_table())]
    for lines in (*tables().values(), said):
        sys.stdout.write("\n".join(lines) + "\n\n")
