"""Decisions: does a feature that should not matter move a choice, as it moves people's?

Malberg et al. (2024): a template in two arms, control and treatment, asked apart; both choose an
option of one scale. 30 biases as files (assets/biases), each with own vignettes.

The outcome Y of an arm is its distance from the metric's point, in scale lengths and in the
classic direction: ``kappa * |a - gamma| / (n - 1)``. So control minus treatment is the signed
shift, positive where people's bias is, and the published metric is the same difference divided by
the larger of the two distances (`biaslab.studies.decisions.results`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from biaslab.models import Completion, ModelForm, Skill
from biaslab.studies.decisions.biases import (
    Bias,
    BiasError,
    Case,
    CaseDeal,
    bias,
    bias_paths,
    biases,
    case_count,
    read_bias,
    scales,
)
from biaslab.studies.decisions.biases.catalogue import ALL
from biaslab.studies.decisions.prompts import DECISION_STRATEGIES, read_option, write_options
from biaslab.studies.designs import choice_of, value_of
from biaslab.studies.results import Evidence, Expectation, FurtherColumns, OutcomeScale, ResultsPage
from biaslab.studies.study import (
    MAXIMUM_PAIRS,
    Answered,
    Arms,
    Design,
    Experiment,
    Item,
    NamedDesign,
    Pair,
    Reading,
    Setting,
    Stored,
    Stratum,
    content_hash,
)
from schoolmath.problems import Balanced, DesignError, Draws

NAME = "decision"
HALF, NEVER, ALWAYS = "half", "never", "always"
_REVERSED = {HALF: (False, True), NEVER: (False,), ALWAYS: (True,)}

BIASES = Setting(
    "bias", "Biases", "One bias, several with commas, or all; `biaslab biases` lists them.",
    "text", ALL,
)  # fmt: skip
VERSION = Setting(
    "version", "Version of the scenes",
    "2: all scenes, and “all” asks the repaired test of the status quo bias. 1: as up to BiasLab "
    "0.4, for old seeds.",
    "choice", "2", choices=("2", "1"),
)  # fmt: skip
REPAIRED = {"status-quo-bias": "status-quo-bias-repaired"}
"""What “all” asks since version 2 in place of a test whose flaw is known and mended."""
ORDER = Setting(
    "reversed", "Options reversed",
    "Half: a balanced random half of the pairs shows the options from last to first, in both "
    "arms, so that a liking for first options cancels out.",
    "choice", HALF, choices=(HALF, NEVER, ALWAYS),
)  # fmt: skip


DECISIONS = Expectation(
    "the treatment moves decisions in the direction of the bias",
    "Malberg et al. 2024",
    Evidence(
        "people",
        "as people",
        "Each of these biases was reported of people by the publications that its page names.",
        "the publications named with each bias",
        "known from their citations; not read",
    ),
)


@dataclass(frozen=True, slots=True)
class DecisionStudy(Experiment):
    """The study of decision biases.

    Attributes:
        stored: where people's own biases are; None while no file of runs is open.
    """

    name: str = NAME
    title: str = "Decision biases"
    question: str = "Does something that should not matter move a decision, as it moves people's?"
    source: str = "Malberg et al. 2024; each bias names its own sources"
    asks: Skill = Skill.DECIDE
    reader: str = "options 1"
    expects: Expectation | None = DECISIONS
    arms: Arms = Arms("control", "treatment")
    strata: tuple[Stratum, ...] = (
        Stratum("bias", "bias", "Which of the biases the scene is made for."),
        Stratum("field", "field of work", "Where the scene is set."),
        Stratum("order", "order of the options", "As on the scale, or reversed."),
        Stratum("scenario", "scene", "The vignette."),
    )
    settings: tuple[Setting, ...] = (BIASES, ORDER, VERSION)
    strategies = DECISION_STRATEGIES
    baselines = ("first-option", "scale-end", "anchored")
    baselines_beside = True
    system = "decisions"
    results_page = ResultsPage("biases", "How biased the decisions are")
    outcome_scale: OutcomeScale = OutcomeScale(
        "scale lengths",
        "How far the chosen option is from the point that the bias measures from, in lengths of "
        "the whole scale, in the direction of the bias. There is no right answer.",
        "in the direction of the bias",
        "against the direction of the bias",
    )
    versions_since: int = 4
    named_designs = (
        NamedDesign(
            "published",
            "1,000 cases of every bias, half of them with their options reversed.",
            30_000,
            {BIASES.name: "all", ORDER.name: HALF},
        ),
    )
    stored: Stored | None = None

    def with_stored(self, stored: Stored) -> DecisionStudy:
        """The same study with the biases that a file of runs keeps."""
        return replace(self, stored=stored)

    def further_columns(self) -> FurtherColumns:
        """The figures of `biaslab.studies.decisions.results.BiasScore`."""
        from biaslab.studies.decisions.results import BIAS_COLUMNS, COUNTS, TEXTS, bias_cells

        return FurtherColumns(
            BIAS_COLUMNS,
            COUNTS,
            lambda found, items, by, _: bias_cells(found, items, by),
            "Figures of biases are means over samples, not votes.",
            rank=3,
            texts=TEXTS,
        )

    def of_design(self, design: Design) -> DecisionStudy:
        """The same study; of biases that a person made nothing is known about people."""
        text = str(value_of(design, BIASES)).strip()
        shipped = text == ALL or all(part.strip() in bias_paths() for part in text.split(","))
        return self if shipped else self.expecting_nothing()

    def expecting_nothing(self) -> DecisionStudy:
        """The study of biases that nobody has reported."""
        return replace(self, expects=Expectation(DECISIONS.hypothesis))

    def chosen(self, design: Design) -> tuple[Bias, ...]:
        """The biases of a design, with the scenes of its version.

        “All” has one test of each published bias (`REPAIRED`), and none of people's own.

        Raises:
            DesignError: a bias that does not exist, or that only a model can fill.
        """
        is_first = choice_of(design, VERSION) == "1"
        found = self._chosen(str(value_of(design, BIASES)).strip(), {} if is_first else REPAIRED)
        return tuple(each.of_first_version for each in found) if is_first else found

    def _chosen(self, text: str, repaired: Mapping[str, str]) -> tuple[Bias, ...]:
        try:
            if text == ALL:
                every = (each for each in biases().values() if each.vignettes)
                return tuple(
                    bias(repaired.get(each.id, each.id)) for each in every if not each.variant_of
                )
            names = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
            if not names:
                raise DesignError("No bias is named.", f"The nearest that works is {ALL}.", "bias")
            return tuple(self._named(name) for name in names)
        except BiasError as error:
            raise DesignError(error.reason, error.suggestion, "bias") from error

    def _named(self, name: str) -> Bias:
        own = None if self.stored is None or name in bias_paths() else self.stored.custom_text(name)
        found = bias(name) if own is None else read_bias(own, scales())
        if not found.vignettes:
            raise DesignError(
                f"The bias “{name}” has no vignettes.",
                "Fill its gaps with a connected model first.",
                "bias",
            )
        return found

    def size(self, design: Design) -> int:
        """The most pairs that this design can have.

        Raises:
            DesignError: as `chosen`.
        """
        orders = _REVERSED[choice_of(design, ORDER)]
        sizes = (case_count(each, orders) for each in self.chosen(design))
        return min(MAXIMUM_PAIRS, sum(sizes))

    def draw(self, design: Design) -> Iterator[Pair | None]:
        """Pairs dealt over biases, scenes, orders and values, each equally often.

        A bias that has no more pairs is left out from there on, and the others go on.
        """
        orders = _REVERSED[choice_of(design, ORDER)]
        deals = [
            CaseDeal(each, Draws(f"{self.name}/{each.id}/{design.seed}"), orders)
            for each in self.chosen(design)
        ]
        turns = Balanced(Draws(f"{self.name}/{design.seed}"), deals)
        while True:
            dealt = turns.next().next()
            yield dealt if dealt is None else pair_of(dealt.case, is_reversed=dealt.is_reversed)

    def read(
        self,
        item: Item,
        answered: Sequence[Answered],
        form: ModelForm,  # noqa: ARG002
    ) -> Reading:
        """The option of the last answer, turned back to the order of the scale."""
        last = answered[-1]
        if not isinstance(last, Completion):
            raise TypeError("A decision is read from text, not from a likelihood.")
        found = read_option(last.text, item.options, cut_off=last.finish == "length")
        if found.number is None:
            return Reading(None, None, found.rule, found.explanation, found.span)
        facts = item.facts
        shown = found.number - 1
        position = len(item.options) - 1 - shown if facts["reversed"] else shown
        outcome = facts["kappa"] * abs(position - facts["gamma"]) / (len(item.options) - 1)
        return Reading(
            item.options[shown],
            float(outcome),
            found.rule,
            found.explanation,
            found.span,
            {"position": position, "shown": found.number},
        )


def pair_of(case: Case, *, is_reversed: bool) -> Pair:
    """Both arms of a case as a pair; the options of both in the same order."""
    items = []
    arms = (
        (case.control, case.metric.gamma1, case.classic[0]),
        (case.treatment, case.metric.gamma2, case.classic[1]),
    )
    for place, (arm, gamma, classic) in enumerate(arms):
        options = tuple(reversed(arm.options)) if is_reversed else arm.options
        text = f"{arm.text}\n\n{write_options(options)}"
        facts: dict[str, Any] = {
            "bias": case.bias.id,
            "scenario": case.vignette.id,
            "values": dict(case.values),
            "arm": "treatment" if place else "control",
            "reversed": is_reversed,
            "kappa": case.metric.kappa,
            "gamma": gamma,
            "scale": len(options),
            # Cases that show the same are asked once, and chance has to allow for that.
            "asked": content_hash(text),
        }
        # Two pairs may show one control with different points to measure from, so the text
        # alone does not identify an item. A response is kept by its messages: it is asked once.
        known = content_hash(NAME, text, options, sorted(facts.items(), key=str))
        # For simulated learners alone: no part of what identifies the item.
        facts["classic"] = classic
        items.append(Item(known, text, "", facts, options))
    strata = {
        "bias": case.bias.id,
        "field": case.vignette.field,
        "order": "reversed" if is_reversed else "as on the scale",
        "scenario": f"{case.bias.id}/{case.vignette.id}",
    }
    return Pair.of(items[0], items[1], strata, cluster=f"{case.bias.id}/{case.vignette.id}")


EXPERIMENT = DecisionStudy()

STUDIES = (EXPERIMENT,)
