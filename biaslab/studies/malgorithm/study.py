"""Malgorithm: which rationale led to this choice, the key's or that of a mal-rule?

After Sonkar et al. (2024), MalAlgoQA. A question with four options gives three pairs that share
x: the choice of the key (identifying its rationale: AIA) against the choice of a distractor
(identifying the mal-rule's rationale: MIA). Question, rationales and their order are the same in
all of them; the choice alone differs.

Unlike the paper's, the items are correct by construction: every distractor is what a mal-rule
gives, its rationale is told from that rule's trace, and none contains its own answer. What the
paper leaves open is a setting each: whether rationales stand in the order of the choices, whether
the choice comes with its letter, and whether the prompt says that it is right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.malrules.bank import LETTERS, BankDesign, Style, make_items
from biaslab.malrules.rules import ContentClass
from biaslab.models import Completion, Skill
from biaslab.problems import DesignError
from biaslab.studies.expectations import Expectation
from biaslab.studies.malgorithm.items import (
    AS_IN_THE_PAPER,
    AS_TEXT,
    AS_THE_CHOICES,
    NAME,
    NEUTRAL,
    PERMUTED,
    WITH_LETTER,
    Manner,
    asks_question,
    pairs_of,
)
from biaslab.studies.malgorithm.prompts import IDENTIFICATION_STRATEGIES
from biaslab.studies.malgorithm.reading import ChoiceFound, Named, read_choice
from biaslab.studies.results import FurtherColumns, ResultsPage
from biaslab.studies.settings import check_design, choice_of, range_of
from biaslab.studies.study import (
    Answered,
    Arms,
    Design,
    Experiment,
    Item,
    Pair,
    Reading,
    Setting,
    Stratum,
)

ALL_CLASSES = "all"

GRADES = Setting(
    "grade", "School grades", "Lowest and highest grade that questions are drawn for.",
    "range", "3-11", 3, 11,
)  # fmt: skip
CONTENT_CLASS = Setting(
    "content_class", "Content class", "What the questions are about.",
    "choice", ALL_CLASSES,
    choices=(ALL_CLASSES, *(each.value for each in ContentClass)),
)  # fmt: skip
DOKS = Setting(
    "dok", "Depth of knowledge",
    "1: one procedure or fact; 2: two or more steps; 3: judging other people's work.",
    "range", "1-3", 1, 3,
)  # fmt: skip
STYLE = Setting(
    "style", "Rationales",
    "Terse: the step that shows the idea; worked: several steps; teacher: a step and a question.",
    "choice", Style.TERSE.value, choices=tuple(style.value for style in Style),
)  # fmt: skip
ORDER = Setting(
    "order", "Order of the rationales",
    "Shuffled, the same for all choices of a question, or in the order of the choices.",
    "choice", PERMUTED, choices=(PERMUTED, AS_THE_CHOICES),
)  # fmt: skip
SHOWN = Setting(
    "shown", "Choice shown as", "Its text alone, or its letter and its text.",
    "choice", AS_TEXT, choices=(AS_TEXT, WITH_LETTER),
)  # fmt: skip
FRAMING = Setting(
    "framing", "What the choice is called",
    "Neutral: a choice; as in the paper: the correct one, or one made by a flawed algorithm.",
    "choice", NEUTRAL, choices=(NEUTRAL, AS_IN_THE_PAPER),
)  # fmt: skip

RATIONALES = Expectation(
    "the reason behind a right choice is found more often than that behind a wrong one",
    "Sonkar et al. 2024",
)

_BANK_SETTINGS = {"grades": GRADES, "doks": DOKS, "content_classes": CONTENT_CLASS, "style": STYLE}
_PER_QUESTION = len(LETTERS) - 1


@dataclass(frozen=True, slots=True)
class Malgorithm(Experiment):
    """The study of identifying malgorithms."""

    name: str = NAME
    title: str = "The reason behind a choice"
    question: str = "Does the model see why a wrong answer was chosen as well as why the right one?"
    source: str = "Sonkar et al. 2024 (MalAlgoQA)"
    asks: Skill = Skill.IDENTIFY
    reader: str = "rationales 1"
    expects: Expectation | None = RATIONALES
    arms: Arms = Arms("the key's choice", "a mal-rule's choice")
    strata: tuple[Stratum, ...] = (
        Stratum("grade", "grade", "School grade that the question is for."),
        Stratum("dok", "depth of knowledge", "1: one procedure; 2: two or more steps; 3: judging."),
        Stratum("content_class", "content class", "What the question is about."),
        Stratum("rule", "mal-rule", "The mal-rule that gives the wrong choice of the pair."),
    )
    settings: tuple[Setting, ...] = (GRADES, CONTENT_CLASS, DOKS, STYLE, ORDER, SHOWN, FRAMING)
    strategies = IDENTIFICATION_STRATEGIES
    baselines = ("words", "shortest")
    results_page = ResultsPage("malgorithms", "Which mal-rules were seen")

    def further_columns(self) -> FurtherColumns:
        """AIA, MIA and MCQ."""
        from biaslab.studies.malgorithm.results import IDENTIFICATION_COLUMNS, identification_cells

        return FurtherColumns(
            IDENTIFICATION_COLUMNS,
            tuple(name for name in IDENTIFICATION_COLUMNS if name.endswith("_n")),
            identification_cells,
            "AIA, MIA and MCQ are means over samples, not votes.",
            rank=1,
        )

    def pairs(self, design: Design) -> Iterator[Pair]:
        """Three pairs a question, question by question; the last may have fewer."""
        check_design(design, self.settings)
        manner = Manner(*(choice_of(design, setting) for setting in (ORDER, SHOWN, FRAMING)))
        chosen = choice_of(design, CONTENT_CLASS)
        grades, doks = range_of(design, GRADES), range_of(design, DOKS)
        left = design.n
        try:
            bank = BankDesign(
                n=-(-design.n // _PER_QUESTION),
                seed=design.seed,
                grades=(grades.low, grades.high),
                content_classes=None if chosen == ALL_CLASSES else (chosen,),
                doks=(doks.low, doks.high),
                style=choice_of(design, STYLE),
            )
            for question in make_items(bank):
                for pair in pairs_of(question, manner)[:left]:
                    left -= 1
                    yield pair
        except DesignError as error:
            raise _in_pairs(error, design.n - left) from error

    def read(self, item: Item, answered: Sequence[Answered]) -> Reading:
        """Right when the label read is that of the rationale that led to the choice.

        ``extra`` says whether the answer was the JSON asked for, word for word (``json``), and
        for the key's choice how the question itself was answered (``mcq``, ``mcq_value``).
        """
        found = _read(answered[-1], Named.RATIONALE)
        extra: dict[str, Any] = {"json": found.exact}
        if asks_question(item.facts):
            # As many requests ask the question as ask for the rationale.
            own = _read(answered[len(answered) // 2 - 1], Named.OPTION)
            right = None if own.value is None else float(own.value == item.facts["key"])
            extra |= {"mcq": right, "mcq_value": own.value}
        outcome = None if found.value is None else float(found.value == item.answer)
        return Reading(found.value, outcome, found.rule, found.explanation, found.span, extra)


def _read(answered: Answered, named: Named) -> ChoiceFound:
    if not isinstance(answered, Completion):
        raise TypeError("A rationale is identified in text, not by a likelihood.")
    return read_choice(answered.text, named, cut_off=answered.finish == "length")


def _in_pairs(error: DesignError, made: int) -> DesignError:
    """What the bank refuses, in this study's words: its settings, and pairs for questions."""
    if error.setting == "n" and made:
        return DesignError(
            f"There are only {made:,} such pairs.",
            f"Ask for {made:,} pairs or fewer, or for more grades, depths or classes.",
            "n",
        )
    setting = _BANK_SETTINGS.get(error.setting)
    if setting is None:
        return error
    return DesignError(error.reason, error.suggestion, setting.name)


EXPERIMENT = Malgorithm()

STUDIES = (EXPERIMENT,)
