"""What a model's card says in words and tables: its mix, its training, limits and measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biaslab.models.tiny.model import LEAST_SHARE
from biaslab.training.lessons.lessons import STUDIES
from biaslab.training.measures.cells import ALL, CheckCell, OperationChoice
from biaslab.training.measures.gate import GateReport
from biaslab.training.mix import CUSTOM, LessonMix, mix_name
from biaslab.training.plan import TrainingRecord
from schoolmath.text.figures import percent, percents

_THINGS = (
    ("consistent comparison", "consistent comparisons",
     "inconsistent one", "inconsistent ones", "inconsistent comparisons"),
    ("problem of transfers", "problems of transfers",
     "problem with a comparison", "problems with a comparison", "problems with a comparison"),
    ("three-digit calculation without a carry or borrow",
     "three-digit calculations without a carry or borrow",
     "with one", "with one", "three-digit calculations with a carry or borrow"),
)  # fmt: skip
"""Of each ratio: the first thing, one and many; the second after the first, one and many; the
second alone."""

UNKNOWN_HARDWARE = "one core of a shared x86 machine, no GPU"
"""Of the models of earlier versions, whose records do not say."""


def mix_words(mix: LessonMix) -> str:
    """All three ratios of a mix in words, without a full stop at the end."""
    return "; ".join(
        _ratio_words(*ratio, *things) for ratio, things in zip(_ratios(mix), _THINGS, strict=True)
    )


def rare_words(mix: LessonMix) -> str:
    """What is the rarer of two kinds in the lessons, for one line; empty where nothing is."""
    found = []
    for (first, second), things in zip(_ratios(mix), _THINGS, strict=True):
        if first != second:
            rarer = things[4] if second < first else things[1]
            found.append(f"{rarer} ({min(first, second):,}\u00a0of\u00a0{first + second:,})")
    return ", ".join(found)


def _ratios(mix: LessonMix) -> tuple[tuple[int, int], ...]:
    return (
        (mix.consistent, mix.inconsistent), (mix.transfer, mix.comparison),
        (mix.no_carry, mix.carry),
    )  # fmt: skip


def _ratio_words(
    first: int, second: int, one: str, many: str, other: str, others: str, others_alone: str
) -> str:
    if first == second:
        return f"as many {many} as {others}"
    if not first or not second:
        return f"only {others_alone if second else many}"
    if second == 1:
        return f"{first} {many} for each {other}"
    return f"{first} {one if first == 1 else many} for every {second} {others}"


def training_sentences(record: TrainingRecord, mix: LessonMix) -> tuple[str, ...]:
    """What a model was trained on, how long, on what, and how far that had come."""
    name = mix_name(mix)
    what = "A mix of its own" if name == CUSTOM else f"Mix “{name}”"
    found = [f"{what}: {mix_words(mix)}."]
    if not record.ratios:
        found.append("These ratios held within each study's problems, not over all word problems.")
    if record.start_examples:
        found.append(
            f"Before, it saw {record.start_examples:,} bare equations and texts to look something "
            "up in. All models of the family go on from there."
        )
    problems = record.examples - record.equations
    found.append(
        f"It saw {problems:,} word problems of this app and {record.equations:,} bare equations, "
        f"in {record.minutes:.0f} minutes on {hardware_of(record)}, on {record.date}; seed "
        f"{record.seed}. Loss at the end: {record.loss:.3f} nats a taught token."
    )
    if not record.finished:
        found.append(
            "These are weights from along a training, before its end: the learning rate was at "
            f"{percent(record.rate_left, 0)} of its largest."
        )
    found.append(
        "No problem of this app is among them: the first two people of a training problem never "
        "open a problem that is asked."
    )
    return tuple(found)


def hardware_of(record: TrainingRecord) -> str:
    """What it was trained on."""
    return record.hardware or UNKNOWN_HARDWARE


def limits(report: GateReport) -> tuple[str, ...]:
    """Sentences about everything below the thresholds, and about what was not measured."""
    found = [f"It learned too little. {text}" for text in report.learned_too_little]
    found += [
        f"It was not measured as the app's own models are. {text}" for text in report.asked_too_few
    ]
    for cell in whole(report.cells):
        share = max(cell.share_x, cell.share_x_prime)
        if share < LEAST_SHARE:
            word = f"{cell.comparison} " if cell.comparison else ""
            arms = STUDIES[cell.study].arms
            better = arms.x if cell.right_x >= cell.right_x_prime else arms.x_prime
            found.append(
                f"It cannot do {word}{cell.study} problems with {steps_words(cell.steps)} asked "
                f"“{cell.strategy}”: {percent(share)} right of {cell.n} even in the arm that it "
                "does "
                f"better ({better})."
            )
    found.append(
        "It knows the words, numbers and prompts of this app only; any other text is noise to it."
    )
    most = max((cell.steps for cell in report.cells), default=0)
    found.append(f"Problems with more than {steps_words(most)} were not measured.")
    return tuple(found)


def operation_sentences(cells: Sequence[CheckCell]) -> tuple[str, ...]:
    """Which operation it chose in one-step additive comparisons, and which wrong answers it gave.

    Both arms are told: a model that never reads the wording, and one that goes by the keyword,
    have the right operation in one arm only or in half of both.
    """
    found = []
    for cell in whole(cells):
        if (cell.study, cell.comparison, cell.steps) != ("consistency", "additive", 1):
            continue
        arms = STUDIES[cell.study].arms
        chosen = [
            _chosen(arm, choice)
            for arm, choice in zip(
                arms, (cell.operation_x(), cell.operation_x_prime()), strict=True
            )
            if choice is not None
        ]
        if chosen:
            found.append(
                f"One-step additive comparisons asked “{cell.strategy}”, operation of the first "
                f"step: {'; '.join(chosen)}."
            )
        wrong = ((cell.wrong_x, cell.reversed_x), (cell.wrong_x_prime, cell.reversed_x_prime))
        if any(answers for answers, _ in wrong):
            told = [
                f"{turned} of {answers} wrong answers to {arm} problems"
                for arm, (answers, turned) in zip(arms, wrong, strict=True)
            ]
            found.append(
                f"One-step additive comparisons asked “{cell.strategy}”: {' and '.join(told)} are "
                "what the reversed operation gives."
            )
    return tuple(found)


def caution(cells: Sequence[CheckCell]) -> str:
    """That the model does not read the wording, where it was measured and does not; else empty.

    Whoever goes by the keyword chooses well in one arm; whoever reads nothing chooses in neither
    better than by always taking the commoner operation.
    """
    for cell in whole(cells):
        if (cell.study, cell.comparison, cell.steps, cell.strategy) != (
            "consistency", "additive", 1, "cot",
        ):  # fmt: skip
            continue
        choices = [each for each in (cell.operation_x(), cell.operation_x_prime()) if each]
        # Where one arm's first steps could not be read, nothing can be said of its choices.
        if len(choices) < 2 or any(each.reads_the_wording for each in choices):
            return ""
        arms = STUDIES[cell.study].arms
        told = " and ".join(
            f"{percent(each.share)} of {arm}" for arm, each in zip(arms, choices, strict=True)
        )
        return (
            "This model hardly reads the wording, if at all: of one-step comparisons worked step "
            f"by step it chose the right operation in {told} ones, where always taking the "
            f"commoner one gets {percent(max(each.always_commonest for each in choices))}. That it "
            "shows no effect would say nothing."
        )
    return ""


def _chosen(arm: str, choice: OperationChoice) -> str:
    low, high = choice.interval.low, choice.interval.high
    return (
        f"{arm} {percent(choice.share)} right of {choice.asked} that could be read (95 % interval "
        f"{percents(low, high)}), where always adding gets {percent(choice.always_plus)}"
    )


def whole(cells: Sequence[CheckCell]) -> Iterator[CheckCell]:
    """The cells with all wordings together, one for every kind, in the order of the studies."""
    order = list(STUDIES)
    yield from sorted(
        (cell for cell in cells if cell.wording == ALL),
        key=lambda cell: (order.index(cell.study), cell.steps),
    )


def steps_words(steps: int) -> str:
    """``1 step``, ``2 steps``."""
    return f"{steps} {'step' if steps == 1 else 'steps'}"
