"""Odds in place of right and wrong: how far a model prefers the right answer to a set wrong one.

Accuracy cannot move at a floor or ceiling; odds can. The problems are those of another study. Both
answers are scored after the same prompt with the answer begun (`ANSWER_CUE`), and the outcome Y is
log P(right answer) - log P(wrong answer) in nats, sums over the tokens of each. The wrong answer is
the one that the harder member invites, the same for both members, so whatever makes one number
likelier than another, its tokens included, is in both outcomes and not in their difference:

- consistency, transfer against comparison: the operation reversed (`misleading_steps`);
- carry: the sum without its carries, the difference with the smaller digit from the larger.

A pair is left out where there is no such wrong answer, where it is the right one, and where one of
the two begins with the other: P(5) holds P(53).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from biaslab.models import Likelihood, LikelihoodRequest, Message, ModelForm, Skill
from biaslab.models.learner.weighing import TASK
from biaslab.studies.results import LAST, Expectation, OutcomeScale
from biaslab.studies.strategies import ANSWER_CUE
from biaslab.studies.study import (
    MAXIMUM_PAIRS,
    PATIENCE,
    Answered,
    Arms,
    Design,
    Experiment,
    Item,
    Pair,
    Reading,
    Setting,
    Stratum,
    content_hash,
)
from biaslab.studies.word_problems.inside.reversals import misleading_steps, reversed_answer
from biaslab.studies.word_problems.presets.carry import EXPERIMENT as CARRY
from biaslab.studies.word_problems.presets.consistency import EXPERIMENT as CONSISTENCY
from biaslab.studies.word_problems.presets.transfer_comparison import (
    EXPERIMENT as TRANSFER_COMPARISON,
)
from schoolmath.malrules.catalogue.stories.chain import in_columns
from schoolmath.problems import DesignError

_SOURCE = "odds of given answers: a measure of this project"


@dataclass(frozen=True, slots=True)
class AnswerBegun:
    """Scores both answers after the cue that begins every answer."""

    name: str = "begun"
    label: str = "Odds, answer begun"
    explanation: str = (
        "The answer is begun for the model, and how probable the right and the wrong one are is "
        "compared. Nothing is written."
    )

    @property
    def version(self) -> str:
        """Hash of the prompt's wording."""
        return content_hash(self.name, ANSWER_CUE)

    def next_request(
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> LikelihoodRequest | None:
        """One request in all, with both answers."""
        if responses:
            return None
        messages: tuple[Message, ...]
        if form is ModelForm.CHAT:
            messages = (Message("user", item.text), Message("assistant", ANSWER_CUE))
        else:
            messages = (Message("text", f"Q: {item.text}\nA: {ANSWER_CUE}"),)
        endings = tuple(f" {number}" for number in item.options)
        return LikelihoodRequest(messages, endings, {"task": TASK, **item.facts})


class WeighedPair(NamedTuple):
    """A pair of the study whose problems these are, and its wrong answer; "" where it has none."""

    pair: Pair
    wrong: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsStudy(Experiment):
    """The odds of the right answer in the problems of another study.

    Attributes:
        problems: the study whose pairs are asked, with its settings and strata.
        wrong: the answer that the harder member invites; None where there is none.
    """

    problems: Experiment
    wrong: Callable[[Pair], int | None]
    name: str
    title: str
    question: str
    outcome_scale: OutcomeScale
    expects: Expectation
    arms: Arms
    strata: tuple[Stratum, ...]
    settings: tuple[Setting, ...]
    source: str = _SOURCE
    asks: Skill = Skill.WEIGH
    reader: str = "odds 1"
    strategies: tuple[AnswerBegun, ...] = (AnswerBegun(),)
    rank: int = LAST + 1

    def draw(self, design: Design) -> Iterator[Pair | None]:
        """The pairs of the other study with this seed, without those that are left out.

        Raises:
            DesignError: as the other study.
        """
        for pair, wrong in self.weighed(design):
            if not wrong:
                yield None
                continue
            x = self._item(pair.x, wrong, harder=False)
            x_prime = self._item(pair.x_prime, wrong, harder=True)
            yield Pair.of(x, x_prime, pair.strata, cluster=x.id)

    def too_few(self, n: int) -> DesignError:
        """Most problems are left out, or all."""
        return DesignError(
            f"After {n:,} pairs, {PATIENCE:,} problems in a row have no wrong answer to weigh "
            "the right one against.",
            "Choose additive comparisons or a wider range of numbers.",
            "numbers",
        )

    def weighed(self, design: Design) -> Iterator[WeighedPair]:
        """All pairs of the other study with this seed, those that are left out too."""
        every = replace(design, study=self.problems.name, n=MAXIMUM_PAIRS)
        for pair in self.problems.pairs(every):
            wrong, right = str(self.wrong(pair) or ""), pair.x.answer
            alike = wrong.startswith(right) or right.startswith(wrong)
            yield WeighedPair(pair, "" if alike else wrong)

    def _item(self, item: Item, wrong: str, *, harder: bool) -> Item:
        facts = {**item.facts, "harder": harder}
        return Item.of(self.name, item.text, item.answer, facts, (item.answer, wrong))

    def read(
        self,
        item: Item,
        responses: Sequence[Answered],
        form: ModelForm,  # noqa: ARG002
    ) -> Reading:
        """The log-odds of the right against the wrong answer."""
        last = responses[-1]
        if not isinstance(last, Likelihood):
            raise TypeError("Odds are read from probabilities, not from a text.")
        right, wrong = last.log_probabilities
        if not (math.isfinite(right) and math.isfinite(wrong)):
            return Reading(None, None, "no-number", "A probability is not known.")
        if right == wrong:
            return Reading(
                None, None, "tie",
                "Both answers are exactly equally probable, which counts as no answer. If this is "
                "so for every item, the model or server gives no real probabilities.",
            )  # fmt: skip
        return Reading(
            item.options[0 if right > wrong else 1],
            right - wrong,
            "odds",
            f"The more probable of {item.options[0]} (right) and {item.options[1]} (wrong). "
            "Outcome: log P(right) - log P(wrong).",
        )


def _reversed(pair: Pair) -> int | None:
    """The answer with the operation reversed where the words mislead, if alike in both members."""
    steps = misleading_steps(pair)
    one, other = (reversed_answer(item, steps) for item in (pair.x, pair.x_prime))
    return one if one == other else None


def _without_carries(pair: Pair) -> int | None:
    """What the carrying member gives where carries are forgotten."""
    (step,) = pair.x_prime.facts["steps"]
    found = in_columns(step["operation"], step["left"], step["right"])
    return None if found is None else int(found)


def _of(problems: Experiment, wrong: Callable[[Pair], int | None]) -> OddsStudy:
    x, x_prime = problems.arms
    assert problems.expects is not None
    return OddsStudy(
        problems=problems,
        wrong=wrong,
        name=f"{problems.name}-odds",
        title=f"{problems.title}: odds",
        question=f"{problems.question.removesuffix('?')}, by the odds of the right answer?",
        outcome_scale=OutcomeScale(
            "nats",
            "The logarithm of how many times as probable the right answer is as the wrong one "
            "that the harder problem invites: 0.7 is twice, 2.3 ten times, below 0 less probable.",
            f"towards the right answer in the “{x}” problems",
            f"towards the right answer in the “{x_prime}” problems",
        ),
        # What is known of people are right answers and times; they have no such odds.
        expects=Expectation(problems.expects.hypothesis, problems.expects.source),
        arms=problems.arms,
        strata=problems.strata,
        settings=problems.settings,
    )


ODDS = (
    _of(CONSISTENCY, _reversed),
    _of(TRANSFER_COMPARISON, _reversed),
    _of(CARRY, _without_carries),
)
