"""Any problem in: from a text, as somebody types it, to the typed problems that it may mean."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache

from schoolmath.malrules.catalogue.stories.told import ToldStory
from schoolmath.malrules.diagnosis.plain_stories import UnreadStory, read_story
from schoolmath.malrules.figures import Figure, figure_of
from schoolmath.malrules.forms import Form
from schoolmath.malrules.reading.expressions import Rewriting, calculation
from schoolmath.malrules.reading.patterns import (
    TextPattern,
    prints,
    stored_patterns,
    worked_patterns,
)
from schoolmath.malrules.reading.rewriting import rewritings, stories_rewritten
from schoolmath.malrules.reading.tokens import TokenLine, in_one_line, take_apart
from schoolmath.malrules.reading.topics.shapes import mixes_units
from schoolmath.malrules.reading.ways import ways_of_writing
from schoolmath.problems.stories import answer as look_twice
from schoolmath.problems.stories import in_plain_sentences
from schoolmath.text.formulas import typed

_VALUED = re.compile(r"\b(?:when|if|for|where) ([a-z]) ?= ?-?\d")
_MONEY = re.compile(r"[$£€](?=\s?\.?\d)")

MOST_SIGNS = 2_000
"""No school problem is longer."""


class UnreadProblem(ValueError):
    """A text that is no problem known here; the message says why, as sentences."""


@dataclass(frozen=True, slots=True)
class ReadProblem:
    """What a text means.

    Attributes:
        text: as it was typed, with single spaces.
        meanings: groups of typed problems. Those of one group are the same question, looked at as
            different forms (52 - 17 as a subtraction in columns and as one of signed numbers), and
            have the same answer; several groups are different questions.
        as_read: how it was understood, where this is not how it was typed.
        answers: what an answer as it is written stands for, where the question was understood in
            another way: ``>`` for the first of two numbers.
    """

    text: str
    meanings: tuple[tuple[Form, ...], ...]
    as_read: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)


def read_problem(text: str) -> ReadProblem:
    """The problems that a text may mean.

    Args:
        text: a problem as people type it: ``52 - 17``, ``Find the median of 4, 8, 6, 2``, two
            numbers in columns, a word problem. Anything may be given.

    Raises:
        UnreadProblem: no form of the catalogue has such a problem, or none of this size.
    """
    plain = " ".join(text.split())
    if not plain:
        raise UnreadProblem("There is no problem: type one, such as 52 - 17.")
    if len(plain) > MOST_SIGNS:
        raise UnreadProblem(f"This has {len(plain):,} signs: type one problem, not a whole text.")
    text = typed(text.lower() if text.isupper() else text)
    plain = " ".join(text.split())
    known = "".join(re.findall(r"\b([a-z]) ?= ?-?\d", plain)) or "-"
    for letter in _VALUED.findall(plain):
        # "2xy" has x in it where y has a value too.
        if len(re.findall(rf"(?<![a-z])[{known}]*{letter}[{known}]*(?![a-z'])", plain)) < 2:
            raise UnreadProblem(
                f"“{plain}” has a value for {letter}, and no {letter} to put it in."
            )
    if mixes_units(plain):
        raise UnreadProblem(f"“{plain}” has lengths in two units: write them in one.")
    line = take_apart(in_one_line(text))
    found, refused = _typed(line)
    if not found and _MONEY.search(plain):
        # "$4.00 - $0.35" is 4.00 - 0.35; what tells of prices is read with them.
        line = take_apart(in_one_line(_MONEY.sub("", text)))
        found, refused = _typed(line)
    if found:
        return ReadProblem(plain, _meanings(found), _as_read(line, found))
    again = _read_again(plain, rewritings(plain), refused)
    if again is not None:
        return again
    try:
        story = read_story(plain)
    except UnreadStory as error:
        told = str(error)
    else:
        looked = look_twice(plain)
        # A start that is asked for is read by the story alone.
        if looked.answer is None and (looked.doubted is not None or looked.read.solution):
            raise UnreadProblem("This was read, and is not proved: " + " ".join(looked.reasons))
        return ReadProblem(plain, ((story,),))
    plainer = _plainer(plain) or _read_again(plain, stories_rewritten(plain), refused)
    if plainer is not None:
        return plainer
    if refused:
        raise UnreadProblem(
            f"“{plain}” was understood, but cannot be used here. "
            + " ".join(dict.fromkeys(refused))
        )
    raise UnreadProblem(_why(plain, line, told))


def _read_again(plain: str, others: Iterable[Rewriting], refused: list[str]) -> ReadProblem | None:
    """The first of a question's other ways of writing that is read; refusals go to the list."""
    worked_out = None
    for other in others:
        if other.problem is not None:
            return ReadProblem(plain, ((other.problem,),), other.text, other.answers)
        if other.refusal:
            refused.append(other.refusal)
            continue
        found, refusals = _typed(take_apart(in_one_line(other.text)))
        if found:
            return ReadProblem(plain, _meanings(found), found[0].stem(), other.answers)
        refused += refusals
        worked_out = worked_out or calculation(other.text)
    return None if worked_out is None else _read_again(plain, (worked_out,), refused)


@lru_cache(maxsize=512)
def figure_in(question: str) -> Figure | None:
    """The picture of a question, where it is word for word that of a problem which has one.

    Args:
        question: anything; nobody's own question gets a picture that may show something else.
    """
    try:
        read = read_problem(question)
    except UnreadProblem:
        return None
    for problem in (each for meaning in read.meanings for each in meaning):
        figure = figure_of(problem)
        if figure is not None and problem.stem() == question:
            return figure
    return None


def _meanings(problems: Sequence[Form]) -> tuple[tuple[Form, ...], ...]:
    """Those with the same answer together."""
    groups: dict[object, list[Form]] = defaultdict(list)
    for problem in problems:
        groups[problem.solve().answer.value].append(problem)
    return tuple(map(tuple, groups.values()))


def _typed(line: TokenLine) -> tuple[list[Form], list[str]]:
    """Every problem that the line is, and the reasons of the forms that refuse it."""
    found: dict[tuple[str, str], Form] = {}
    refused: list[str] = []
    for pattern in _patterns().get(line.kinds, ()):
        try:
            problem = pattern.read(line)
        except ValueError as error:
            # Where any word may stand for a field, the text is hardly such a problem.
            if not pattern.takes_words:
                refused.append(str(error))
            continue
        if problem is not None:
            # Names that the text does not tell make no other problem.
            found.setdefault((type(problem).__name__, problem.stem()), problem)
    return list(found.values()), refused


@cache
def _patterns() -> Mapping[tuple[str, ...], tuple[TextPattern, ...]]:
    """Every pattern by the kinds of its slots."""
    sorted_out: dict[tuple[str, ...], list[TextPattern]] = defaultdict(list)
    for pattern in (*stored_patterns(), *worked_patterns(ways_of_writing())):
        sorted_out[pattern.kinds].append(pattern)
    return {kinds: tuple(patterns) for kinds, patterns in sorted_out.items()}


def _as_read(line: TokenLine, forms: list[Form]) -> str:
    if any(prints(problem, line) for problem in forms):
        return ""
    return forms[0].stem()


def _plainer(text: str) -> ReadProblem | None:
    """A story in other words: in the sentences that all rules of stories work on, where there are
    such, else with its equations, on which some do.
    """
    known = look_twice(text)
    if known.answer is None:
        return None
    plainer = in_plain_sentences(known.story)
    if plainer:
        try:
            story = read_story(plainer)
        except UnreadStory:
            story = None
        if story is not None and story.solve().answer.value == known.answer:
            return ReadProblem(text, ((story,),), plainer)
    values = [each.value for each in known.story.amounts if each.value is not None]
    if any(each.denominator != 1 and each > 1 for each in values):
        return None
    numbers = [part for each in values for part in _parts(each)]
    try:
        equations = (each.replace("*", "×").replace("/", "÷") for each in known.steps)
        told = ToldStory(text, tuple(numbers), tuple(equations))
    except ValueError:
        return None
    return ReadProblem(text, ((told,),)) if told.solve().answer.value == known.answer else None


def _parts(value: Fraction) -> Iterator[int]:
    """A number, or the two of a fraction."""
    yield value.numerator
    if value.denominator != 1:
        yield value.denominator


def _why(text: str, line: TokenLine, problem_text: str) -> str:
    if not line.slots:
        return f"“{text}” has no number: type a whole problem, such as 52 - 17."
    if text.count(" ") < 8:
        return (
            f"“{text}” is no problem that can be read here. Type it as in a book, such as 52 - 17, "
            "1/2 + 1/3, 3x + 12 = 33, 30% of 80 or “Find the median of 4, 8, 6, 2”."
        )
    return f"This is no problem that can be read here. Read as a story: {problem_text}"
