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

from biaslab.models import Completion, ModelForm, Skill
from biaslab.studies.decisions.biases import (
    Bias,
    BiasError,
    CaseDeal,
    bias,
    bias_paths,
    biases,
    case_count,
    read_bias,
    scales,
)
from biaslab.studies.decisions.biases.catalogue import ALL
from biaslab.studies.decisions.prompts import (
    DECISION_STRATEGIES,
    NAME,
    pair_of,
    read_option,
    turned,
)
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
    StoredPairs,
    StoredSources,
    Stratum,
)
from schoolmath.problems import BalancedDeck, DesignError, Draws

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
    "choice", "2", choices=("2", "1"), unless="cases",
)  # fmt: skip
REPAIRED = {"status-quo-bias": "status-quo-bias-repaired"}
"""What “all” asks since version 2 in place of a test whose flaw is known and mended."""
ORDER = Setting(
    "reversed", "Options reversed",
    "Half: a balanced random half of the pairs shows the options from last to first, in both "
    "arms, so that a liking for first options cancels out.",
    "choice", HALF, choices=(HALF, NEVER, ALWAYS),
)  # fmt: skip
CASES = Setting(
    "cases", "Cases from",
    "The scenes of BiasLab, or a set of cases that was imported (see `biaslab import`).",
    "cases", "",
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
    settings: tuple[Setting, ...] = (BIASES, ORDER, CASES, VERSION)
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
    stored: StoredSources | None = None

    def with_stored(self, stored: StoredSources) -> DecisionStudy:
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
        if value_of(design, CASES):
            return len(self._of_file(design)[1])
        sizes = (case_count(each, orders) for each in self.chosen(design))
        return min(MAXIMUM_PAIRS, sum(sizes))

    def draw(self, design: Design) -> Iterator[Pair | None]:
        """Pairs dealt over biases, scenes, orders and values, each equally often.

        A bias that has no more pairs is left out from there on, and the others go on. Cases of a
        set come once each, in an order that the seed decides.
        """
        orders = _REVERSED[choice_of(design, ORDER)]
        if value_of(design, CASES):
            kept, places = self._of_file(design)
            order = BalancedDeck(Draws(f"{self.name}/cases/order/{design.seed}"), orders)
            draws = Draws(f"{self.name}/cases/{design.seed}")
            for pair in kept.at(draws.several(places, min(design.n, len(places)))):
                yield turned(pair) if order.next() else pair
            return
        deals = [
            CaseDeal(each, Draws(f"{self.name}/{each.id}/{design.seed}"), orders)
            for each in self.chosen(design)
        ]
        turns = BalancedDeck(Draws(f"{self.name}/{design.seed}"), deals)
        while True:
            dealt = turns.next().next()
            yield dealt if dealt is None else pair_of(dealt.case, is_reversed=dealt.is_reversed)

    def _of_file(self, design: Design) -> tuple[StoredPairs, Sequence[int]]:
        """The set of cases that a design names, and the places in it of the biases chosen.

        Raises:
            DesignError: there is no such set, or it has nothing of these biases.
        """
        named, biases = str(value_of(design, CASES)), str(value_of(design, BIASES)).strip()
        kept = None if self.stored is None else self.stored.case_set(named)
        if kept is None:
            raise DesignError(
                f"There is no set of cases {named!r} in this file of runs.",
                "Choose one of those that are saved, or import the cases again.",
                CASES.name,
            )
        if choice_of(design, VERSION) != VERSION.default:
            raise DesignError(
                "Versions are of BiasLab's own scenes.", "Leave version out.", VERSION.name
            )
        if biases == ALL:
            return kept, range(len(kept))
        wanted = {part.strip() for part in biases.split(",")}
        every = kept.at(range(len(kept)))
        places = [at for at, pair in enumerate(every) if pair.strata["bias"] in wanted]
        if not places:
            raise DesignError(
                f"The set {named!r} has no case of {biases}.",
                f"The nearest that works is {ALL}.",
                BIASES.name,
            )
        return kept, places

    def read(
        self,
        item: Item,
        responses: Sequence[Answered],
        form: ModelForm,  # noqa: ARG002
    ) -> Reading:
        """The option of the last answer, turned back to the order of the scale."""
        last = responses[-1]
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


EXPERIMENT = DecisionStudy()

STUDIES = (EXPERIMENT,)
