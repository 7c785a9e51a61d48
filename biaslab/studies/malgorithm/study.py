"""Malgorithm: which rationale led to this choice, the key's or that of a mal-rule?

After Sonkar et al. (2024), MalAlgoQA. A question with four options gives three pairs that share
x: the choice of the key (identifying its rationale: AIA) against the choice of a distractor
(identifying the mal-rule's rationale: MIA). Question, rationales and their order are the same in
all of them; the choice alone differs.

Unlike the paper's, the items are correct by construction: every distractor is what a mal-rule
gives, its rationale is told from that rule's trace, and none contains its own answer. What the
paper leaves open is a setting each: whether rationales stand in the order of the choices, and
whether the choice comes with its letter. The words are ours or those that the paper prints.

A set of items that a person imported is asked instead where a design names one (``items``): as
many reasons as it has, of those options that have one. Where nothing is told of right options, as
with misconceptions, identifying is compared with answering the question itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from biaslab.models import Likelihood, ModelForm, Skill
from biaslab.studies.answers.labels import LabelChoice, LabelSubject, likeliest, read_choice
from biaslab.studies.designs import choice_of, range_of, value_of
from biaslab.studies.malgorithm.items import (
    AS_TEXT,
    AS_THE_CHOICES,
    IN_WORDS,
    ITS_OWN,
    NAME,
    NEUTRAL,
    OF_OTHERS,
    PERMUTED,
    PUBLISHED_FORM,
    QUESTION_ITSELF,
    RATIONALE,
    RIGHT_REASON,
    SHOWN_AS_PICTURE,
    TOLD_WHICH,
    WITH_LETTER,
    Framing,
    RationaleQuestion,
    asks_question,
    asks_reason,
    of_bank,
    of_import,
    pairs_of,
    with_lent_reasons,
)
from biaslab.studies.malgorithm.prompts import IDENTIFICATION_STRATEGIES
from biaslab.studies.results import Expectation, FurtherColumns, ResultsPage
from biaslab.studies.study import (
    Answered,
    Arms,
    Design,
    Experiment,
    Item,
    NamedDesign,
    Pair,
    Reading,
    Setting,
    StoredSources,
    Stratum,
)
from schoolmath.malrules.bank import LETTERS, BankDesign, BankMix, RationaleStyle, make_items
from schoolmath.malrules.rules import ContentClass
from schoolmath.problems import DesignError, Draws

ALL_CLASSES = "all"

GRADES = Setting(
    "grade", "School grades", "Lowest and highest grade that questions are drawn for.",
    "range", "3-11", 3, 11, unless="items",
)  # fmt: skip
CONTENT_CLASS = Setting(
    "content_class", "Content class", "What the questions are about.",
    "choice", ALL_CLASSES,
    choices=(ALL_CLASSES, *(each.value for each in ContentClass)), unless="items",
)  # fmt: skip
DOKS = Setting(
    "dok", "Depth of knowledge",
    "1: one procedure or fact; 2: two or more steps; 3: judging other people's work.",
    "range", "1-3", 1, 3, unless="items",
)  # fmt: skip
STYLE = Setting(
    "style", "Rationales",
    "Terse: the step that shows the idea; worked: several steps; teacher: a step and a question.",
    "choice", RationaleStyle.TERSE.value, choices=tuple(style.value for style in RationaleStyle),
    unless="items",
)  # fmt: skip
MIX = Setting(
    "mix", "Mix",
    "Grades and content classes in the shares of the published data set, or evenly.",
    "choice", BankMix.PUBLISHED.value, choices=tuple(each.value for each in BankMix),
    unless="items",
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
    "framing", "Words of the prompt",
    "Neutral: ours, which calls it a choice; published: the prompt that the paper prints; told "
    "right or wrong: ours, which calls it the correct choice or one made by a flawed algorithm.",
    "choice", NEUTRAL, choices=(NEUTRAL, PUBLISHED_FORM, TOLD_WHICH),
    formerly=(("as in the paper", TOLD_WHICH),),
)  # fmt: skip

PICTURES = Setting(
    "pictures", "Pictures",
    "In words: the question describes a chart or table in words; shown: a chat model that takes "
    "images sees it, and the question does not describe it.",
    "choice", IN_WORDS, choices=(IN_WORDS, SHOWN_AS_PICTURE), unless="items",
)  # fmt: skip

ITEMS = Setting(
    "items", "Questions from",
    "The item bank, or a set of items that was imported (see `biaslab import`).",
    "items", "",
)  # fmt: skip
AGAINST = Setting(
    "against", "Compared with",
    "What seeing the reason of a wrong choice is compared with: seeing the reason of the right "
    "one, or answering the question itself, where right options have no reason.",
    "choice", RIGHT_REASON, choices=(RIGHT_REASON, QUESTION_ITSELF),
)  # fmt: skip
REASONS = Setting(
    "reasons", "Reasons shown",
    "Those of the question. Where an imported one has a single reason, up to three of other "
    "questions of its content class can stand next to it.",
    "choice", ITS_OWN, choices=(ITS_OWN, OF_OTHERS),
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
    reader: str = "rationales 3"
    expects: Expectation | None = RATIONALES
    arms: Arms = Arms("the key's choice", "a mal-rule's choice")
    strata: tuple[Stratum, ...] = (
        Stratum("grade", "grade", "School grade that the question is for."),
        Stratum("dok", "depth of knowledge", "1: one procedure; 2: two or more steps; 3: judging."),
        Stratum("content_class", "content class", "What the question is about."),
        Stratum("rule", "mal-rule", "The mal-rule that gives the wrong choice of the pair."),
    )
    settings: tuple[Setting, ...] = (
        ITEMS, GRADES, CONTENT_CLASS, DOKS, MIX, STYLE, ORDER, SHOWN, FRAMING, AGAINST, REASONS,
        PICTURES,
    )  # fmt: skip
    strategies = IDENTIFICATION_STRATEGIES
    baselines = ("words", "shortest")
    baselines_beside = True
    system = "malgorithms"
    results_page = ResultsPage("malgorithms", "Which mal-rules were seen")
    named_designs = (
        NamedDesign(
            "published",
            "807 questions in the published shares of grades and classes, asked in the printed "
            "words, rationales in the order of the choices.",
            3 * 807,
            {
                GRADES.name: "3-11", DOKS.name: "1-3", CONTENT_CLASS.name: ALL_CLASSES,
                MIX.name: BankMix.PUBLISHED.value, STYLE.name: RationaleStyle.TERSE.value,
                ORDER.name: AS_THE_CHOICES, SHOWN.name: AS_TEXT, FRAMING.name: PUBLISHED_FORM,
            },
        ),
    )  # fmt: skip
    stored: StoredSources | None = None

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

    def with_stored(self, stored: StoredSources) -> Malgorithm:
        """The same study with the sets of items of a file."""
        return replace(self, stored=stored)

    def of_design(self, design: Design) -> Malgorithm:
        """The same study with names of what is compared; nothing is expected of a question."""
        if value_of(design, AGAINST) != QUESTION_ITSELF:
            return self
        return replace(
            self, arms=Arms("the question itself", "a wrong choice's reason"), expects=None
        )

    def expecting_nothing(self) -> Malgorithm:
        """The same study where designs compare with different things."""
        return replace(self, arms=Arms("compared with", "a wrong choice's reason"), expects=None)

    def size(self, design: Design) -> int | None:
        """How many pairs a set of items gives; None for the bank.

        Raises:
            DesignError: there is no such set, or nothing of it can be asked so.
        """
        if not value_of(design, ITEMS):
            return None
        return sum(len(question.wrong) for question in self._imported(design))

    def draw(self, design: Design) -> Iterator[Pair]:
        """The pairs of the wrong options, question by question; the last may have fewer.

        Questions of a set come in an order that the seed decides.
        """
        choice_of(design, FRAMING)  # refuses any other
        framing = str(value_of(design, FRAMING))  # what an older design calls it stays in its items
        manner = Framing(choice_of(design, ORDER), choice_of(design, SHOWN), framing)
        against = choice_of(design, AGAINST)
        for question in self._questions(design):
            yield from pairs_of(question, manner, against)

    def _questions(self, design: Design) -> Iterator[RationaleQuestion]:
        """The questions of a design, at least as many as are needed."""
        if not value_of(design, ITEMS):
            yield from _of_bank(design)
            return
        found = self._imported(design)
        yield from Draws(f"{self.name}/items/{design.seed}").several(found, len(found))

    def _imported(self, design: Design) -> list[RationaleQuestion]:
        """The questions of the set that a design names, of which something can be asked.

        Raises:
            DesignError: there is no such set, nothing of it can be asked so, or a setting of the
                bank is chosen beside it.
        """
        named = str(value_of(design, ITEMS))
        for setting in self.settings:
            if setting.unless == ITEMS.name and value_of(design, setting) != setting.default:
                raise DesignError(
                    f"{setting.label}: the questions of a set are asked as they are.",
                    f"Leave {setting.name} out; effects can be broken down by what the set tells.",
                    setting.name,
                )
        items = None if self.stored is None else self.stored.item_set(named)
        if items is None:
            raise DesignError(
                f"There is no set of items {named!r} in this file of runs.",
                "Choose one of those that are saved, or import the items again.",
                ITEMS.name,
            )
        lent = choice_of(design, REASONS) == OF_OTHERS
        every = with_lent_reasons(list(items)) if lent else map(of_import, items)
        some = [question for question in every if question.wrong]
        if not some:
            raise DesignError(
                f"No question of the set {named!r} has two reasons that differ.",
                "Import questions with rationales or misconceptions of at least two options, or "
                f"show reasons of other questions too ({REASONS.name}={OF_OTHERS}).",
                ITEMS.name,
            )
        if choice_of(design, AGAINST) == QUESTION_ITSELF:
            return some
        both = [question for question in some if question.key in question.reasons]
        if not both:
            raise DesignError(
                f"No right option of the set {named!r} has a reason, so AIA cannot be measured.",
                f"Compare with {QUESTION_ITSELF} ({AGAINST.name}={QUESTION_ITSELF}).",
                AGAINST.name,
            )
        return both

    def read(
        self,
        item: Item,
        responses: Sequence[Answered],
        form: ModelForm,  # noqa: ARG002
    ) -> Reading:
        """Right when the label read is that of the rationale that led to the choice.

        ``extra`` says whether the answer was the JSON asked for, word for word (``json``; None
        where letters were scored), and for the key's choice how the question itself was answered
        (``mcq``, ``mcq_value``; left out where its letters cannot be distinguished).
        """
        facts = item.facts
        extra: dict[str, Any] = {}
        if asks_question(facts):
            # As many requests ask the question as ask for the reason, where both are asked.
            last = len(responses) // 2 - 1 if asks_reason(facts) else -1
            own = _read(responses[last], LabelSubject.OPTION, facts["options"])
            if not own.missing:
                right = None if own.value is None else float(own.value == facts["key"])
                extra |= {"mcq": right, "mcq_value": own.value}
            if not asks_reason(facts):
                return _reading(own, facts["key"], extra)
        noun = LabelSubject(facts.get("told", RATIONALE))
        if facts.get("framing") == PUBLISHED_FORM:
            noun = LabelSubject.CORRECT_CHOICE
        return _reading(_read(responses[-1], noun, facts["rationales"]), item.answer, extra)


def _of_bank(design: Design) -> Iterator[RationaleQuestion]:
    chosen = choice_of(design, CONTENT_CLASS)
    grades, doks = range_of(design, GRADES), range_of(design, DOKS)
    pictures = choice_of(design, PICTURES)
    made = 0
    try:
        bank = BankDesign(
            n=-(-design.n // _PER_QUESTION),
            seed=design.seed,
            grades=(grades.low, grades.high),
            content_classes=None if chosen == ALL_CLASSES else (chosen,),
            doks=(doks.low, doks.high),
            style=choice_of(design, STYLE),
            mix=choice_of(design, MIX),
        )
        for question in make_items(bank):
            made += 1
            yield of_bank(question, pictures)
    except DesignError as error:
        raise _in_pairs(error, made * _PER_QUESTION) from error


def _reading(choice: LabelChoice, right: str, extra: Mapping[str, Any]) -> Reading:
    return Reading(
        choice.value,
        None if choice.value is None else float(choice.value == right),
        choice.rule,
        choice.explanation,
        choice.span,
        {"json": choice.exact, **extra},
        choice.missing,
    )


def _read(response: Answered, subject: LabelSubject, texts: Mapping[str, str]) -> LabelChoice:
    if isinstance(response, Likelihood):
        return likeliest(response, list(texts))
    cut_off = response.finish == "length"
    return read_choice(response.text, subject, cut_off, len(texts), texts)


def _in_pairs(error: DesignError, count: int) -> DesignError:
    """What the bank refuses, in this study's words: its settings, and pairs for questions."""
    if error.setting == "n" and count:
        return DesignError(
            f"There are only {count:,} such pairs.",
            f"Ask for {count:,} pairs or fewer, or for more grades, depths or classes.",
            "n",
        )
    setting = _BANK_SETTINGS.get(error.setting)
    if setting is None:
        return error
    return DesignError(error.reason, error.suggestion, setting.name)


EXPERIMENT = Malgorithm()

STUDIES = (EXPERIMENT,)
