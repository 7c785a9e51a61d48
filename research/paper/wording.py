"""The texts of a paper about origins: every figure is taken from the tables or from the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from biaslab.publishing.paper.methods import CitedSentence, made_with
from biaslab.training.mix import MIXES
from biaslab.training.origins.effects import in_order
from biaslab.training.origins.predictions import Judgement, Truth, answer, message
from biaslab.training.plan import SIZES
from research.experiment.design import CHECKS, LEAST_STARTS, PAIRS, RATIOS, STARTS, STUDIES
from research.experiment.dose import sentence
from research.experiment.repeated import again_sentence
from research.experiment.running import START_LESSONS, state
from research.experiment.school import school_figures, school_sentence
from research.experiment.table import MAKE_IT
from research.experiment.verdicts import MOST_Q
from research.paper.contents import TRAININGS, Contents
from research.tuning import summary as tuned
from research.tuning.design import LESSONS, tunings
from research.tuning.estimates import TuningResults
from research.tuning.running import missing
from schoolmath.text.figures import count, listed


def methods(
    contents: Contents, versions: Mapping[str, str], digest: str
) -> list[list[CitedSentence]]:
    """Paragraphs: the question, the family, the experiment, fine-tuning, statistics, software.

    Args:
        contents: what the paper rests on.
        versions: of BiasLab and of what it was used with.
        digest: SHA-256 of the bundle's manifest.
    """
    return [
        [
            CitedSentence(
                "The same tiny network is trained on word problems in different shares, and asked "
                "the same pairs afterwards, to see whether its biases follow the shares. Nothing "
                "about its answers is set by hand.",
                tuple(f"study-{study}" for study in STUDIES),
            )
        ],
        _family(contents),
        _experiment(contents),
        *([_tuning(contents)] if contents.tuning else []),
        _statistics(contents),
        [
            made_with("Problems, trainings, readings and figures", versions),
            CitedSentence(
                "The bundle holds the tables as they are and every prediction; its "
                f"manifest has the SHA-256 checksum {digest}. “biaslab paper origins” makes "
                "everything again from them.",
                ("bundle",),
            ),
        ],
    ]


def _family(contents: Contents) -> list[CitedSentence]:
    if not contents.family:
        return [CitedSentence("The table of the family has no rows.")]
    ends = [row for row in contents.family if row.final]
    seeds = {mix: sorted({row.seed for row in ends if row.mix == mix})
             for mix in in_order(row.mix for row in contents.family)}  # fmt: skip
    told = listed(
        f"{mix} ({MIXES[mix].text + ', ' if mix in MIXES else ''}{count(len(some), 'training')})"
        for mix, some in seeds.items()
    )
    lessons = sorted({row.examples for row in ends})
    pairs = sorted({row.n for row in ends})
    said = f"The family has models of these mixes: {told}."
    if ends:
        said += (
            f" All go on from one start. Each was asked {_between(pairs)} unseen pairs of each "
            f"kind at the end, after {_between(lessons)} lessons."
        )
    return [CitedSentence(said)]


def _between(numbers: Sequence[int]) -> str:
    low, high = f"{numbers[0]:,}", f"{numbers[-1]:,}"
    return low if low == high else f"{low} to {high}"


def _experiment(contents: Contents) -> list[CitedSentence]:
    ratios = listed(f"{first}:{second}" for first, second in RATIOS)
    sizes = listed(str(SIZES[size].width) for size in ("family", "million"))
    devices = listed(sorted({kept.device for kept in contents.experiment}))
    versions = listed(sorted({kept.version for kept in contents.experiment}))
    return [
        CitedSentence(
            f"The experiment plans {TRAININGS} trainings. Each of {STARTS} starts of their own "
            f"({START_LESSONS:,} lessons in which nothing happens and nobody is "
            f"compared) goes on with every mix; mixes differ in one ratio of lessons of x to "
            f"lessons of x′ ({ratios}) and in nothing else. {PAIRS} unseen pairs of each kind are "
            f"asked after {listed(f'{check:,}' for check in CHECKS)} lessons. Networks are "
            f"{sizes} wide. Two further mixes have all ratios of school problems at once; they "
            "were declared later, with claims that are a family of tests of their own."
        ),
        CitedSentence(
            f"{contents.finished} of these trainings are at their end; of "
            f"{count(STARTS, 'start')}, {contents.begun} begun."
            + (f" Trained on: {devices}. Version of the table: {versions}." if versions else "")
        ),
    ]


def _tuning(contents: Contents) -> list[CitedSentence]:
    done = len({(kept.row.mix, kept.row.seed) for kept in contents.tuning if kept.row.seed})
    planned = sum(one.arm is not None for one in tunings())
    return [
        CitedSentence(
            f"One of the family's models with the bias was fine-tuned on up to {LESSONS[-1]} "
            "lessons: both members of balanced pairs; the same kind of problems in the ratio of "
            f"its training; or its own mix, the null case. {done} of {planned} fine-tunings are "
            "in the table."
        )
    ]


def _statistics(contents: Contents) -> list[CitedSentence]:
    checked = (
        " The same figures were worked out from single pairs, by a linear mixed model with "
        "crossed random effects of starts and pairs, of the starts of which they are kept."
        if contents.checked
        else ""
    )
    return [
        CitedSentence(
            "An effect is the share of x right minus the share of x′ right, in percentage points. "
            "In the family, what is said goes by the wider ends of two 95 % intervals: over items, "
            "and, by t, over trainings. In the experiment every figure is worked out within a "
            "start first, then averaged over starts; its variance is that between starts divided "
            "by their number, plus the square of the mean item error, with t on one degree of "
            f"freedom fewer than starts. Fewer than {LEAST_STARTS} starts decide nothing. A test "
            f"against zero counts where its q (Benjamini and Hochberg) is at most {MOST_Q:g}."
            + checked
        )
    ]


def results(contents: Contents) -> list[list[CitedSentence]]:
    """Paragraphs: what the family says, the curves, and what came of every prediction."""
    paragraphs = [[CitedSentence(said) for said in answer(contents.family)]]
    if contents.doses:
        paragraphs.append([CitedSentence(sentence(found)) for found in contents.doses.values()])
    else:
        paragraphs.append(
            [
                CitedSentence(
                    "No start of the experiment has all its cells at any check: no curve yet."
                )
            ]
        )
    if contents.school is not None:
        said = (school_sentence(contents.school), school_figures(contents.school))
        paragraphs.append([CitedSentence(each) for each in said])
    if contents.again is not None:
        paragraphs.append([CitedSentence(again_sentence(contents.again))])
    if contents.tuning:
        results = TuningResults(contents.tuning)
        said = (tuned.sentence(results), tuned.worse(results))
        paragraphs.append([CitedSentence(each) for each in said if each])
    for name, some in (
        ("Family", contents.family_judgements),
        ("Experiment", contents.judgements),
        ("Fine-tuning", contents.tuning_judgements if contents.tuning else ()),
    ):
        paragraphs += [_judged(name, judged) for judged in some]
    return paragraphs


def _judged(name: str, judgement: Judgement) -> list[CitedSentence]:
    said = [
        f"{name}, prediction {judgement.number}, {judgement.title}: {judgement.predicted}.",
        f"Verdict: {judgement.verdict}.",
        *judgement.found,
    ]
    against = message(judgement.claims, Truth.FALSE)
    if against and not any(against in sentence for sentence in judgement.found):
        said.append(f"Does not hold: {against}.")
    return [CitedSentence(sentence) for sentence in said]


def limitations(contents: Contents) -> list[str]:
    """What is missing, and what must be said against what is there."""
    said = []
    if not contents.is_whole:
        said.append(
            f"The experiment is not finished: {contents.finished} of {TRAININGS} trainings are at "
            f"their end; {MAKE_IT} trains what is missing."
        )
        said += [f"Row {line}." for line in state(contents.experiment)]
    uncurved = [study for study in STUDIES if study not in contents.doses]
    if uncurved:
        said.append(
            f"No dose-response curve yet of {listed(uncurved)}: no start has all its cells at any "
            "check."
        )
    for study, found in contents.doses.items():
        if found.starts < LEAST_STARTS:
            said.append(
                f"The curve of {study} rests on {count(found.starts, 'start')}, and no verdict "
                f"comes before {LEAST_STARTS}."
            )
        if found.lessons is not None:
            said.append(
                f"The curve of {study} is of the last check that all cells have come to, "
                f"{found.when}, and not the primary outcome."
            )
    alone = [
        mix
        for mix in in_order(row.mix for row in contents.family)
        if len({row.seed for row in contents.family if row.mix == mix and row.final}) < 2
    ]
    if alone:
        said.append(
            f"Family: one training or none at the end of {listed(alone)}, so what others would "
            "have is not known."
        )
    if not contents.family:
        said.append("The table of the family has no rows: nothing is said of it.")
    left = missing(contents.tuning)
    if left:
        said.append(f"Fine-tuning: {count(len(left), 'run')} of {len(list(tunings()))} missing.")
    with_pairs = {pairs.seed for pairs in contents.pairs}
    without = sorted({kept.row.seed for kept in contents.experiment} - with_pairs)
    if without:
        said.append(
            f"Of {count(len(without), 'start')} ({listed(map(str, without))}) only counts were "
            "kept, so the figures from single pairs leave "
            f"{'it' if len(without) == 1 else 'them'} out."
        )
    said += [
        "All trainings of the family go on from one start, and its mixes change rarity and number "
        "together.",
        "These are simulations of a mechanism in small networks: they show what such a mix can "
        "do, not what makes the biases of large models.",
    ]
    return said
