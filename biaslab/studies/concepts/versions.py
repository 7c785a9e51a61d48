"""Which version of its designs the study makes: how counting is ruled out, and in which words.

Version 1, up to BiasLab 0.4, asked every comparison one way, in one wording. A learner that counts
and never looks at the total then has an effect: “more than 3/10” can be told by counting more
often than “less than 7/10”. Version 2 asks every comparison both ways: each prompt comes back with
all its answers exchanged, for the complement of its concept in the other arm. Whatever learns from
labelled amounts without caring which label is yes is then right equally often in both arms.

A comparison of a concept with its complement is its own exchange, so it is asked once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from biaslab.studies.concepts.wording import AFTER, FORMER, NEUTRAL, OURS, PRINTED
from biaslab.studies.settings import choice_of, value_of
from biaslab.studies.study import Design, Setting
from schoolmath.problems import DesignError

VERSION = Setting(
    "version", "Version of the prompts",
    "2: a choice of wordings, and comparisons both ways. 1: as up to BiasLab 0.4, for old seeds.",
    "choice", "2", choices=("2", "1"),
)  # fmt: skip
BOTH_WAYS, ONE_WAY = "both ways", "one way"
COUNTING = Setting(
    "counting", "Directions of a comparison",
    "Both ways: p and 1 - p are one design, more than 3/10 against less than 7/10 with at least "
    "7/10 against at most 3/10, so that counting alone gives no gap. One way: the first of them "
    "alone; the gap then holds what counting gives, which is shown beside it.",
    "choice", BOTH_WAYS, choices=(BOTH_WAYS, ONE_WAY),
)  # fmt: skip
ALL_WORDINGS = "all three"
WORDING = Setting(
    "wording", "Wording",
    "Ours: “has 12 of them … the wanted number of”; printed: the publication's words, about Alice "
    "and “the desired quantity of the”; after the publication: the same without that “the”, of "
    "many people; neutral: “30 in all, 12 with Mia. Does that fit?”. All three: ours, after the "
    "publication and neutral with the same numbers, so that what the words do can be told.",
    "choice", OURS, choices=(OURS, PRINTED, AFTER, NEUTRAL, ALL_WORDINGS),
    formerly=((FORMER, AFTER),),
)  # fmt: skip
_OF_FIRST: Mapping[str, str] = {COUNTING.name: ONE_WAY, WORDING.name: OURS}


class PromptPlan(NamedTuple):
    """How the prompts of a design are made.

    Attributes:
        both_ways: whether every comparison comes with its exchange.
        wordings: names of wordings; None: that of version 1, which nothing says.
    """

    both_ways: bool
    wordings: tuple[str, ...] | None


def prompt_plan(design: Design) -> PromptPlan:
    """How the prompts of a design are made.

    Raises:
        DesignError: version 1 is asked for what it did not have.
    """
    if choice_of(design, VERSION) == "1":
        for setting in (COUNTING, WORDING):
            first = _OF_FIRST[setting.name]
            if setting.name in design.settings and choice_of(design, setting) != first:
                raise DesignError(
                    f"{setting.label}: version 1 of the prompts has “{first}” alone.",
                    f"Choose “{first}”, or version 2.",
                    setting.name,
                )
        return PromptPlan(both_ways=False, wordings=None)
    choice_of(design, WORDING)  # refuses any other
    wording = str(value_of(design, WORDING))  # what an older design calls it stays in its items
    every = (OURS, FORMER, NEUTRAL)
    return PromptPlan(
        choice_of(design, COUNTING) == BOTH_WAYS,
        every if wording == ALL_WORDINGS else (wording,),
    )
