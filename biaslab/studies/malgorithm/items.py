"""Items that ask which reason led to a choice, of the bank's questions and of imported ones.

The reasons of a question are rationales or, where an imported set has no more, the names of the
misconceptions behind wrong options. There are as many labels as reasons: A and B, up to A to H.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from biaslab.studies.published import published_words
from biaslab.studies.study import Item, Pair, Value, content_hash
from schoolmath.malrules.bank import LETTERS, ChoiceItem
from schoolmath.malrules.figures import as_svg, beside_figure, figure_of
from schoolmath.malrules.forms import read_form
from schoolmath.problems import Draws

if TYPE_CHECKING:
    from biaslab.files import ImportedItem

NAME = "malgorithm"
"""Name of the study."""

READING = Path(__file__).resolve().parents[3] / "assets" / "reading" / "reading_questions.jsonl"
"""Questions of ours on short texts, as an import reads them: the subject that the bank has not."""

KEY_RULE = "key"
"""Stands for the right way where rules are named."""

NOT_NAMED = "not named"
"""Stands for what is behind a wrong option where nobody says which rule it is."""

PERMUTED, AS_THE_CHOICES = "permuted", "as the choices"
AS_TEXT, WITH_LETTER = "text", "letter"
NEUTRAL, PUBLISHED_FORM, TOLD_WHICH = "neutral", "published", "told right or wrong"
RIGHT_REASON, QUESTION_ITSELF = "the right reason", "the question itself"

ITS_OWN, OF_OTHERS = "of the question", "of other questions too"
OTHER = "other"
"""How the places of reasons begin that another question lends: they lead to no option here."""
MOST_LENT = 3
"""Reasons of other questions beside the one of a question: with it four, as in the paper."""
MOST_LENDERS = 200
"""Questions of a content class that lend theirs, where more have a single reason."""
MOST_ALIKE = 0.5
"""Reasons that share more of their words may say the same."""

RATIONALE, MISCONCEPTION = "rationale", "misconception"
IN_WORDS, SHOWN_AS_PICTURE = "in words", "shown"

_LABELS = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class Framing:
    """How an identification is put: in the published words or ours, and what these leave open."""

    order: str = PERMUTED
    shown: str = AS_TEXT
    framing: str = NEUTRAL


@dataclass(frozen=True, slots=True)
class RationaleQuestion:
    """A question with the reasons behind its options, wherever it comes from.

    Attributes:
        id: of the item.
        text: what is asked, with a passage before it where there is one.
        options: texts by letter, in their order.
        key: letter of the right one.
        reasons: by the letter of their option, those that differ; under `OTHER` and a
            number those that other questions lend.
        rules: what is behind wrong options, by letter: ids of mal-rules, or names.
        told: what the reasons are, `RATIONALE` or `MISCONCEPTION`.
        known: grade, dok, content_class, style and problem, as far as they are known.
        template: what questions that differ in numbers and names alone share; intervals are
            clustered on it. Where nobody says which it is, every question is its own.
    """

    id: str
    text: str
    options: Mapping[str, str]
    key: str
    reasons: Mapping[str, str]
    rules: Mapping[str, str]
    told: str
    known: Mapping[str, Any]
    template: str
    picture: str = ""
    """As SVG, where the text does not tell what it shows."""

    @property
    def wrong(self) -> tuple[str, ...]:
        """Letters of the wrong options whose reason can be asked for, in their order."""
        return tuple(letter for letter in self.options if letter in self.reasons and
                     letter != self.key)  # fmt: skip

    def strata(self, letter: str) -> dict[str, Value]:
        """What effects can be broken down by, for the wrong option with this letter."""
        found = {name: self.known.get(name) for name in ("grade", "dok", "content_class")}
        found["rule"] = self.rules.get(letter)
        return {name: value for name, value in found.items() if value not in (None, "")}


def of_bank(item: ChoiceItem, pictures: str = IN_WORDS) -> RationaleQuestion:
    """A question of the bank; a problem that has a picture is told in words, or shown."""
    text, picture = item.question, ""
    if pictures == SHOWN_AS_PICTURE:
        problem = read_form(item.problem)
        figure, beside = figure_of(problem), beside_figure(problem)
        if figure is not None and beside is not None:
            text, picture = text.replace(problem.stem(), beside), as_svg(figure)
    return RationaleQuestion(
        item.id,
        text,
        dict(zip(LETTERS, item.options, strict=True)),
        item.key,
        item.rationales,
        item.rules,
        RATIONALE,
        {
            "grade": item.grade,
            "dok": item.dok,
            "content_class": item.content_class,
            "style": item.style,
            "problem": dict(item.problem),
        },
        item.problem["form"],
        picture,
    )


def of_import(item: ImportedItem) -> RationaleQuestion:
    """A question of an imported set, with the reasons that differ."""
    reasons = item.reasons
    return RationaleQuestion(
        item.id,
        f"{item.passage}\n\n{item.question}" if item.passage else item.question,
        dict(zip(item.letters, item.options, strict=True)),
        item.key,
        reasons.texts if reasons.of_wrong else {},
        {letter: item.misconceptions.get(letter, NOT_NAMED) for letter in reasons.of_wrong},
        str(reasons.told),
        {
            "grade": item.grade,
            "dok": item.dok,
            "content_class": item.content_class,
            "style": "terse",
            "problem": {},
        },
        item.id,
    )


class _Lender(NamedTuple):
    """An item of a single reason: its id, the letter and words of that, and what is behind it."""

    item: str
    letter: str
    reason: str
    rule: str


def with_lent_reasons(items: Sequence[ImportedItem]) -> list[RationaleQuestion]:
    """The questions of a set, those of a single reason with reasons of others of their topic.

    Such a catalogue has a right answer, a wrong one and what is behind it. Nobody says that a
    reason that is lent does not lead to the wrong answer too: it is only what people told of
    another question.
    """
    single = {at: own for at, item in enumerate(items) if (own := _single(item)) is not None}
    of_topic: dict[str, list[_Lender]] = {}
    for at, own in single.items():
        of_topic.setdefault(items[at].content_class, []).append(own)
    for topic, every in of_topic.items():
        if len(every) > MOST_LENDERS:
            of_topic[topic] = Draws(f"{NAME}/lenders/{topic}").several(every, MOST_LENDERS)
    return [
        _lent(item, single[at], of_topic[item.content_class]) if at in single else of_import(item)
        for at, item in enumerate(items)
    ]


def _single(item: ImportedItem) -> _Lender | None:
    texts = item.reasons.texts
    if len(texts) != 1:
        return None
    ((letter, text),) = texts.items()
    return _Lender(item.id, letter, text, item.misconceptions.get(letter, NOT_NAMED))


def _lent(item: ImportedItem, own: _Lender, of_topic: Sequence[_Lender]) -> RationaleQuestion:
    question = of_import(item)
    if own.letter == item.key:
        return question
    others = [each for each in of_topic if each.item != own.item]
    chosen = [own]
    for each in Draws(f"{NAME}/lent/{own.item}").several(others, len(others)):
        if all(_alike(each.reason, one.reason) <= MOST_ALIKE for one in chosen):
            chosen.append(each)
        if len(chosen) > MOST_LENT:
            break
    if len(chosen) == 1:
        return question
    places = [own.letter, *(f"{OTHER} {place}" for place in range(1, len(chosen)))]
    by_place = dict(zip(places, chosen, strict=True))
    return replace(
        question,
        reasons={place: each.reason for place, each in by_place.items()},
        rules={place: each.rule for place, each in by_place.items()},
    )


def _alike(one: str, other: str) -> float:
    words = [set(re.findall(r"\w+", text.casefold())) for text in (one, other)]
    return len(words[0] & words[1]) / (len(words[0] | words[1]) or 1)


def asks_question(facts: Mapping[str, Any]) -> bool:
    """Whether the question itself is asked first: once a question, with the key's choice."""
    return bool(facts["choice"] == facts["key"])


def asks_reason(facts: Mapping[str, Any]) -> bool:
    """Whether the reason behind the choice is asked for, and not the question alone."""
    return facts.get("asks") != QUESTION_ITSELF


def pairs_of(
    question: RationaleQuestion, manner: Framing, against: str = RIGHT_REASON
) -> list[Pair]:
    """The pairs of a question in the order of its options; all share x.

    Args:
        question: what is asked.
        manner: how.
        against: what x is: the reason of the right option, or the question itself.
    """
    if against == RIGHT_REASON and question.key not in question.reasons:
        return []
    return list(_pairs(question, manner, against))


def _pairs(question: RationaleQuestion, manner: Framing, against: str) -> Iterator[Pair]:
    x = (
        identification(question, question.key, manner)
        if against == RIGHT_REASON
        else question_itself(question)
    )
    for letter in question.wrong:
        x_prime = identification(question, letter, manner)
        yield Pair.of(x, x_prime, question.strata(letter), cluster=question.template)


def question_itself(question: RationaleQuestion) -> Item:
    """The item that asks the question as a multiple-choice question and nothing else."""
    options = "\n".join(f"{letter}. {text}" for letter, text in question.options.items())
    text = f"Question: {question.text}\n\nOptions:\n{options}"
    listed = tuple(question.options.values())
    shown = (question.picture,) if question.picture else ()
    key = content_hash(NAME, QUESTION_ITSELF, text, question.key, listed, question.id, *shown)
    facts: dict[str, Any] = {
        **_facts(question, question.key, Framing()),
        "asks": QUESTION_ITSELF,
        "right": question.key,
    }
    return Item(key, text, question.key, facts, listed)


def identification(question: RationaleQuestion, choice: str, manner: Framing) -> Item:
    """The item that asks which reason led to the choice with this letter.

    Its facts hold all that is counted later: ``rationales`` (the reasons' texts by label, as
    shown), ``letters`` (whose reason stands under a label), ``rules`` (by label, ``key`` for the
    right way), ``right`` and ``key_label`` (labels; the second is empty where the right option's
    reason is not shown), ``lengths`` (characters by label) and ``value_inside`` (by label,
    whether the choice's text stands in the reason). ``told`` stands where reasons are no
    rationales, ``picture`` where the question is shown one.
    """
    facts = _facts(question, choice, manner)
    listed = "\n".join(f"{label}. {text}" for label, text in facts["rationales"].items())
    if manner.framing == PUBLISHED_FORM:
        text = published_words()["malgorithm, question"].filled(
            question=question.text, choice=_written(question, choice, manner),
            rationales=f"\n{listed}",
        ).replace("Rationales: \n", "Rationales:\n")  # fmt: skip
    else:
        heading = "Misconceptions" if question.told == MISCONCEPTION else "Rationales"
        choice_line = _choice_line(question, choice, manner)
        text = f"Question: {question.text}\n\n{choice_line}\n\n{heading}:\n{listed}"
    answer = facts["right"]
    options = tuple(question.options.values())
    # The question's id belongs to it: two questions may read alike and differ in grade.
    shown = (question.picture,) if question.picture else ()
    key = content_hash(NAME, text, answer, options, question.id, *shown)
    return Item(key, text, answer, facts, options)


def _facts(question: RationaleQuestion, choice: str, manner: Framing) -> dict[str, Any]:
    shown = _order(question, manner)
    letters = dict(zip(_LABELS, shown, strict=False))
    label_of = {letter: label for label, letter in letters.items()}
    rationales = {label: question.reasons[letter] for label, letter in letters.items()}
    value = question.options[choice]
    facts: dict[str, Any] = {
        "question_id": question.id,
        "question": question.text,
        "options": dict(question.options),
        "key": question.key,
        "choice": choice,
        "choice_text": value,
        "rationales": rationales,
        "letters": letters,
        "rules": {
            label: KEY_RULE if letter == question.key else question.rules.get(letter, NOT_NAMED)
            for label, letter in letters.items()
        },
        "right": label_of.get(choice, ""),
        "key_label": label_of.get(question.key, ""),
        "lengths": {label: len(text) for label, text in rationales.items()},
        "value_inside": {label: _stands_in(value, text) for label, text in rationales.items()},
        "grade": question.known["grade"],
        "dok": question.known["dok"],
        "content_class": question.known["content_class"],
        "style": question.known["style"],
        "order": manner.order,
        "shown": manner.shown,
        "framing": manner.framing,
        "problem": question.known["problem"],
    }
    if question.told != RATIONALE:
        facts["told"] = question.told
    if question.picture:
        facts["picture"] = question.picture
    return facts


def _written(question: RationaleQuestion, choice: str, manner: Framing) -> str:
    value = question.options[choice]
    return f"{choice}. {value}" if manner.shown == WITH_LETTER else value


def _choice_line(question: RationaleQuestion, choice: str, manner: Framing) -> str:
    written = _written(question, choice, manner)
    if manner.framing == NEUTRAL:
        return f"Choice: {written}"
    if choice == question.key:
        return f"Correct choice: {written}"
    return f"Incorrect choice, made by a flawed algorithm: {written}"


def _order(question: RationaleQuestion, manner: Framing) -> Sequence[str]:
    letters = tuple(letter for letter in question.options if letter in question.reasons)
    letters += tuple(place for place in question.reasons if place not in question.options)
    if manner.order == AS_THE_CHOICES:
        return letters
    return Draws(f"{NAME}/order/{question.id}").several(letters, len(letters))


def _stands_in(value: str, text: str) -> bool:
    """Whether a choice's text stands in a rationale, not as part of a longer number or word."""
    pattern = rf"(?<![\w.,/]){re.escape(value)}(?![\w/]|[.,]\d)"
    return re.search(pattern, text, re.IGNORECASE if len(value) > 1 else 0) is not None
