"""Scenarios for scenes that a model writes: who decides, in which field of work, and what.

Malberg et al. (2024, section 4.2) have 200: a model names 8 positions of managers for each of 25
industry groups, and a decision for each position; people read them all. Here 200 of our own come
with the app (assets/biases/scenarios.csv, in 25 fields of our own naming), a file may have
others, and `write_scenarios` asks a model in the same two steps, with words of our own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cache

from biaslab.files.errors import InterchangeError
from biaslab.files.opening import open_table
from biaslab.models import (
    Completion,
    Failure,
    GenerationRequest,
    Message,
    ModelForm,
    Sampling,
)
from biaslab.studies.decisions.biases.catalogue import ASSETS
from biaslab.studies.decisions.biases.document import BiasError

POSITIONS = 8
"""Positions that a model is asked for in a field, as published."""

TESTS_A_SCENARIO = 5
"""Tests of a bias for each scenario, as published."""

MOST_SCENARIOS = 1_000
LONGEST = 200
"""Characters of a field, position or decision."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """Somebody who has to decide.

    Attributes:
        field: of work.
        position: of the person, without an article.
        decision: a clause such as “whether to open on Sundays”.
    """

    field: str
    position: str
    decision: str

    @property
    def text(self) -> str:
        """The scenario as it stands after “a scene about”."""
        article = "an" if self.position[:1].lower() in "aeiou" else "a"
        who = f"{article} {self.position}, in the field of {self.field}"
        return f"{who}, who has to decide {self.decision}"


COLUMNS = tuple(each.name for each in fields(Scenario))
"""Of a file of scenarios."""


@cache
def scenarios() -> tuple[Scenario, ...]:
    """The 200 that come with the app: 25 fields of work, 8 positions each."""
    path = ASSETS / "scenarios.csv"
    return read_scenarios(path.read_bytes(), path.name)


def read_scenarios(data: bytes, name: str) -> tuple[Scenario, ...]:
    """The scenarios of a table, each once.

    Args:
        data: the file; its columns are `COLUMNS`.
        name: what it is called.

    Raises:
        InterchangeError: it is no such table, a row lacks something, or there are none or more
            than `MOST_SCENARIOS`.
    """
    table = open_table(data, name)
    if missing := [column for column in COLUMNS if column not in table.columns]:
        raise InterchangeError(f"{name} is no table of scenarios: it has no column {missing[0]}.")
    found: dict[Scenario, None] = {}
    for row in table.filled():
        texts = [" ".join(row.cells.get(column, "").split()) for column in COLUMNS]
        if row.refusal or not all(0 < len(text) <= LONGEST for text in texts):
            why = row.refusal or f"each column needs a text of at most {LONGEST} characters"
            raise InterchangeError(f"Row {row.number} of {name}: {why}.")
        found[Scenario(*texts)] = None
    if not 1 <= len(found) <= MOST_SCENARIOS:
        raise InterchangeError(
            f"{name} has {len(found):,} scenarios; from 1 to {MOST_SCENARIOS:,} can be used."
        )
    return tuple(found)


def scenarios_csv(rows: Iterable[Scenario]) -> bytes:
    """A table that `read_scenarios` reads."""
    from biaslab.studies.decisions.importing import write_table

    return write_table(COLUMNS, (dict(zip(COLUMNS, astuple(s), strict=True)) for s in rows))


ASK_POSITIONS = """\
Name {count} positions of managers that are common in this field of work: {field}. No two do the \
same work.

Answer with a JSON list of {count} texts and nothing else. Each is a position of at most five \
words, in small letters, without an article."""

ASK_DECISION = """\
This person has a decision to take at work: {position}, in this field of work: {field}.

Which? Write a clause that begins with “whether”, “which” or “how” and has at most twenty-five \
words. It suits the position, is in plain English, has no numbers in it and hints at no answer.

Answer with one JSON object and nothing else: {{"decision": "..."}}"""

ANSWER_TOKENS = 512
_CLAUSE = re.compile(r"(?:whether|which|how|when|where|what|who)\b", re.IGNORECASE)
_MOST_WORDS = {"position": 8, "decision": 40}
_LISTS = re.compile(r"\[.*?\]", re.DOTALL)
_OBJECTS = re.compile(r"\{.*?\}", re.DOTALL)

Ask = Callable[[Sequence[GenerationRequest]], Iterable[tuple[int, Completion | Failure]]]
"""Asks every request and tells each exactly once, by its place, in any order."""


@dataclass(frozen=True, slots=True)
class WrittenScenarios:
    """What a model wrote.

    Attributes:
        scenarios: those that passed, field by field.
        refused: why others did not, in sentences.
    """

    scenarios: tuple[Scenario, ...]
    refused: tuple[str, ...]


def write_scenarios(ask: Ask, form: ModelForm, of_fields: Sequence[str], seed: int = 1) -> (
    WrittenScenarios
):  # fmt: skip
    """Asks for positions in each field, then for a decision of each position; all are checked.

    Args:
        ask: the model.
        form: how it wants to be addressed.
        of_fields: of work.
        seed: of the first request; each has one of its own.

    Raises:
        BiasError: no field is named.
    """
    if not of_fields:
        raise BiasError("Scenarios need at least one field of work.")
    refused: list[str] = []
    questions = [ASK_POSITIONS.format(count=POSITIONS, field=each) for each in of_fields]
    people = []
    for place, text in _answers(ask, questions, form, seed, refused):
        positions = _positions(text)
        if len(positions) < POSITIONS:
            refused.append(f"{of_fields[place]}: {len(positions)} of {POSITIONS} positions.")
        people += [(of_fields[place], position) for position in positions]
    questions = [ASK_DECISION.format(field=field, position=who) for field, who in people]
    found: dict[str, Scenario] = {}
    for place, text in _answers(ask, questions, form, seed + len(of_fields), refused):
        field, who = people[place]
        decision = _decision(text)
        if not decision or decision in found:
            why = "the decision is there already" if decision else "no decision could be read"
            refused.append(f"{field}, {who}: {why}.")
            continue
        found[decision] = Scenario(field, who, decision)
    return WrittenScenarios(tuple(found.values()), tuple(refused))


def _answers(
    ask: Ask, questions: Sequence[str], form: ModelForm, seed: int, refused: list[str]
) -> list[tuple[int, str]]:
    """The texts of the answers, in the order of the questions; what failed is noted."""
    role, end = ("user", "") if form is ModelForm.CHAT else ("text", "\n\nJSON:\n")
    requests = [
        GenerationRequest(
            (Message(role, question + end),), Sampling(ANSWER_TOKENS, 1.0, seed + place)
        )
        for place, question in enumerate(questions)
    ]
    texts = []
    for place, answer in ask(requests):
        if isinstance(answer, Completion):
            texts.append((place, answer.text))
        else:
            refused.append(f"No answer came: {answer.reason}")
    return sorted(texts)


def _positions(answer: str) -> list[str]:
    """The different positions that an answer lists, `POSITIONS` at most."""
    for match in _LISTS.finditer(answer):
        try:
            listed = json.loads(match[0])
        except (ValueError, RecursionError):
            continue
        texts = [" ".join(each.split()) for each in listed if isinstance(each, str)]
        sound = [each.rstrip(".") for each in texts if _fits(each, "position")]
        return list(dict.fromkeys(sound))[:POSITIONS]
    return []


def _decision(answer: str) -> str:
    """The clause that an answer holds; "" where there is none that can be used."""
    for match in _OBJECTS.finditer(answer):
        try:
            said = json.loads(match[0])
        except (ValueError, RecursionError):
            continue
        text = said.get("decision")
        if isinstance(text, str) and _fits(text, "decision") and _CLAUSE.match(text.strip()):
            clause = " ".join(text.split()).rstrip(".?!")
            return clause[:1].lower() + clause[1:]
    return ""


def _fits(text: str, what: str) -> bool:
    words = len(text.split())
    return 1 <= words <= _MOST_WORDS[what] and len(text) <= LONGEST and not re.search(r"\d", text)
