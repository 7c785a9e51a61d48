"""The numbers of a text, as its words tell them, with their use in equations.

For the second look alone (`schoolmath.problems.second_look.objections`): nothing of the readers is
used here, on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

from schoolmath.problems.vocabulary import ASSETS
from schoolmath.text.yaml_files import read_yaml

_TOKEN = re.compile(
    r"\d+/\d+|\d[\d,]*\.\d+|\.\d+|\d+(?:,\d{3})+|\d+|[A-Za-z]+(?:[-’'][A-Za-z]+)*|[.?!,;:$%]"
)
_MARKS = ".?!,;:"
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


@dataclass(frozen=True, slots=True)
class LookLists:
    """The words of assets/vocabulary/second_look.yaml.

    Attributes:
        classes: words as they are written, by what they do in a sentence.
        plain: irregular forms with the words that they stand for.
        measures: units of one kind, by stem, each in the smallest of them.
        many: words that multiply the number before them, by stem.
        spelled: numbers in words.
    """

    classes: Mapping[str, frozenset[str]]
    plain: Mapping[str, str]
    measures: tuple[Mapping[str, int], ...]
    many: Mapping[str, int]
    spelled: Mapping[str, int]


@cache
def look_lists() -> LookLists:
    """The lists, read once."""
    content = read_yaml(ASSETS / "second_look.yaml")
    spelled = {word: value for value, word in enumerate(_ONES.split())}
    spelled |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
    return LookLists(
        {name: frozenset(listed.split()) for name, listed in content["classes"].items()},
        content["singular"],
        tuple({_ending(unit): size for unit, size in kind.items()} for kind in content["measures"]),
        {_ending(word): many for word, many in content["many"].items()},
        spelled,
    )


def is_of(word: str, name: str) -> bool:
    """Whether a word is of a class of the lists."""
    return word in look_lists().classes[name]


def is_number(word: str) -> bool:
    """Whether a word is a number, in figures or in words; "one" may be none."""
    spelled = look_lists().spelled
    return word[0].isdigit() or any(each != "one" and each in spelled for each in word.split("-"))


class TextNumber(NamedTuple):
    """A number of the text.

    Attributes:
        value: what it says.
        wording: as it stands in the text, with the word behind it.
        clause: the words around it, to the next mark or "and", in lower case.
        behind: those of them behind it.
        nouns: the words right behind it up to the first small word, as stems.
        stems: all words of its clause but the small ones, as stems.
        names: names that its clause holds, in lower case.
        money: whether it is money.
        in_question: whether it stands in what is asked.
        at: which clause of the text it stands in.
    """

    value: Fraction
    wording: str
    clause: tuple[str, ...]
    behind: tuple[str, ...]
    nouns: tuple[str, ...]
    stems: frozenset[str]
    names: frozenset[str]
    money: bool
    in_question: bool
    at: int


@dataclass(slots=True)
class NumberUse:
    """How a number is used.

    Attributes:
        value: as it stands in the equation.
        operation: what is done with it first.
        sign: whether it adds to the answer or takes from it: 1 or -1.
        shared: whether what it is part of is multiplied or divided.
    """

    value: Fraction
    operation: str
    sign: int = 1
    shared: bool = False


class UsedNumber(NamedTuple):
    """A number of the text, and how it is used; None where it is not."""

    mention: TextNumber
    use: NumberUse | None


@dataclass(frozen=True, slots=True)
class LookQuestion:
    """What is asked.

    Attributes:
        wording: the words from "how" on, in lower case.
        words: the same, each once.
        stems: all of them but the small ones, as stems.
        things: what is counted, as stems.
    """

    wording: str
    words: frozenset[str]
    stems: frozenset[str]
    things: frozenset[str]


# --- the text -------------------------------------------------------------------------------------


def split_question(text: str) -> tuple[str, str]:
    """What is told and what is asked; an "if" behind the question is told."""
    sentences = [each for each in re.split(r"(?<=[.?!])\s+", text.strip()) if each]
    asking = [at for at, each in enumerate(sentences) if "?" in each]
    at = asking[-1] if asking else len(sentences) - 1
    starts = list(re.finditer(r"\b(?:how|what|which|find)\b", sentences[at], re.IGNORECASE))
    start = starts[-1].start() if starts else 0
    sentence, condition = sentences[at][start:], ""
    behind = re.search(r"\bif\b", sentence, re.IGNORECASE)
    if behind:
        sentence, condition = sentence[: behind.start()], sentence[behind.start() :]
    first = sentences[at][:start].rstrip(" ,") + "."
    story = [*sentences[:at], first, condition, *sentences[at + 1 :]]
    return " ".join(each for each in story if each.strip(" .")), sentence


def words_of(text: str) -> frozenset[str]:
    """The words of a text in lower case, each once."""
    return frozenset(_bare(each) for each in re.findall(r"[a-z’'-]+", text.lower()))


def _bare(word: str) -> str:
    return re.sub(r"[’']s?$", "", word)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """One form for "box" and "boxes", "pick" and "picked", "buy" and "bought"."""
    word = _bare(word)
    plain = look_lists().plain
    return _ending(plain.get(word) or plain.get(word.removesuffix("s"), word))


def _ending(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("ches", "shes", "xes", "sses")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 2:
        word = word[:-1]
    if word.endswith("ed") and len(word) > 4:
        word = word[:-2]
    elif word.endswith("ing") and len(word) > 5:
        word = word[:-3]
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=50_000)
def _value(token: str) -> Fraction | None:
    if token[0].isdigit() or (token[0] == "." and len(token) > 1):
        top, _, below = token.replace(",", "").partition("/")
        return Fraction(top) / int(below or 1) if int(below or 1) else None
    spelled = look_lists().spelled
    parts = token.lower().split("-")
    return Fraction(sum(spelled[each] for each in parts)) if spelled.keys() >= {*parts} else None


def names_in(text: str) -> frozenset[str]:
    """Capitalised words that don't stand in small letters as well, in lower case."""
    small = {*re.findall(r"\b[a-z]+\b", text)}
    capital = {_bare(each).lower() for each in re.findall(r"\b[A-Z][A-Za-z’']+", text)}
    titles = {"find", "mr", "mrs", "ms", "dr", "which"}
    return frozenset(each for each in capital - small - titles if not is_of(each, "small"))


def read_question(sentence: str) -> LookQuestion:
    """What a question asks."""
    words = words_of(sentence)
    counted = re.search(r"\bhow (?:many|much)\b(.*)", sentence.lower(), re.DOTALL)
    things: list[str] = []
    for word in _TOKEN.findall(counted[1]) if counted else ():
        if is_of(word, "more") or word in {"total", "of", "the", "her", "his", "different"}:
            continue
        if is_of(word, "small") or not word[0].isalpha():
            break
        things.append(stem(word))
    stems = frozenset(stem(each) for each in words if not is_of(each, "small"))
    return LookQuestion(sentence.lower(), words, stems, frozenset(things))


def numbers_of(story: str, sentence: str, names: frozenset[str]) -> list[TextNumber]:
    """The numbers of what is told and asked, in their order, and what stands around them."""
    parts = [(*each, False) for each in clauses(story)]
    parts += [(*each, True) for each in clauses(sentence)]
    found = []
    before: tuple[str, ...] = ()
    for index, (clause, begins, is_asked) in enumerate(parts):
        # "used 12 eggs for cakes and 18 for bread": both were used.
        joined = clause[1:] if clause[0] in {"and", "then"} else clause
        goes_on = not begins and bool(joined) and _value(joined[0]) is not None
        before = before if goes_on else _start(clause)
        stems = frozenset(
            stem(w) for w in (*before, *clause) if w[0].isalpha() and not is_of(w, "small")
        )
        here = names & {_bare(each) for each in clause}
        for at, token in enumerate(clause):
            value = _value(token)
            if value is None:
                continue
            behind = clause[at + 1 :]
            run = behind[1:] if behind and is_of(behind[0], "more") else behind
            if run[:1] == ("of",) and len(run) > 1 and is_of(run[1], "pointing"):
                run = run[2:]
            nouns = run_of(run)
            if value > 1 and not any(_is_plural(each) for each in run[: len(nouns)]):
                # "12 leave and 9 arrive" counts nothing by name.
                nouns = ()
            money = clause[at - 1 : at] == ("$",) or nouns[:1] in {("dollar",), ("cent",)}
            wording = " ".join((token, *behind[:1]))
            found.append(
                TextNumber(
                    value, wording, clause, behind, nouns, stems, here, money, is_asked, index
                )
            )
    return found


def clauses(text: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Runs of words in lower case between marks, and at "and" where a number stands before it.

    With each, whether it begins a sentence.
    """
    run: list[str] = []
    begins = True
    for token in (*_TOKEN.findall(text.lower()), "."):
        joins = token in {"and", "but", "while"} and any(_value(each) is not None for each in run)
        if token not in _MARKS and not joins:
            run.append(token)
        elif run:
            yield tuple(run), begins
            run, begins = [], token in ".?!"


def _start(clause: Sequence[str]) -> tuple[str, ...]:
    """What stands before the first number: who does what."""
    at = next((at for at, word in enumerate(clause) if _value(word) is not None), 0)
    return tuple(clause[:at])


def run_of(words: Sequence[str]) -> tuple[str, ...]:
    """The words up to the first small one, number or mark, as stems."""
    found = []
    for word in words:
        if is_of(word, "small") or not word[0].isalpha() or _value(word) is not None:
            break
        found.append(stem(word))
    return tuple(found)


def _is_plural(word: str) -> bool:
    plural = word.endswith(("s", "fish")) and not word.endswith("ss")
    return plural or is_of(word, "plural")


# --- the equations --------------------------------------------------------------------------------


def uses_of(steps: Sequence[str]) -> list[NumberUse]:
    """The numbers that the equations begin with, and how each counts in the answer."""
    made: list[tuple[Fraction, list[NumberUse]]] = []
    for step in steps:
        left, operation, right, _, result = step.split()
        sides = []
        for at, written in enumerate((left, right)):
            value = Fraction(written)
            index = next(
                (i for i in reversed(range(len(made))) if same_value(made[i][0], value)), None
            )
            uses = [NumberUse(value, operation)] if index is None else made.pop(index)[1]
            for each in uses:
                each.sign *= -1 if operation == "-" and at == 1 else 1
                each.shared |= operation in "*/"
            sides += uses
        made.append((Fraction(result), sides))
    return [use for _, uses in made for use in uses]


def same_value(one: Fraction, other: Fraction) -> bool:
    """Equal as far as equations are written out: ten digits."""
    return abs(one - other) <= abs(one) / 10**8


def paired(
    mentions: Sequence[TextNumber], uses: Sequence[NumberUse], question: LookQuestion
) -> list[UsedNumber]:
    """Each number of the text with its use; of equal ones that which plainly has a part first."""
    left = list(uses)
    found = []
    for each in sorted(mentions, key=lambda one: plainly_idle(one, mentions, question)):
        values = [each.value * factor for factor in _factors(each)]
        use = next((one for value in values for one in left if same_value(one.value, value)), None)
        if use is not None:
            left.remove(use)
        found.append(UsedNumber(each, use))
    return found


def _factors(mention: TextNumber) -> Iterator[Fraction]:
    """By what a number may have been multiplied before it was used: by its unit, or by a dozen."""
    yield Fraction(1)
    for word in mention.nouns[:1]:
        for kind in look_lists().measures:
            if word in kind:
                yield from (Fraction(kind[word], other) for other in kind.values())
        if word in look_lists().many:
            yield Fraction(look_lists().many[word])
    if mention.value.numerator == 1:
        # A fifth of something: it is divided by 5.
        yield 1 / mention.value**2
    elif 0 < mention.value < 1:
        # Two fifths: it is divided by 5, and then multiplied.
        yield Fraction(mention.value.denominator**2, mention.value.numerator)
    if mention.money:
        yield from (Fraction(100), Fraction(1, 100))


def alike(mention: TextNumber, numbers: Sequence[UsedNumber]) -> list[NumberUse]:
    """Uses of a number's value: which of two equal numbers is which is not clear."""
    return [use for other, use in numbers if use is not None and other.value == mention.value]


def plainly_idle(mention: TextNumber, used: Sequence[TextNumber], question: LookQuestion) -> bool:
    """Whether a number plainly has no part: another thing, or somebody nobody asks about."""
    if not mention.nouns and not mention.money:
        return False
    others = [each for each in used if each is not mention]
    behind = mention.behind[len(mention.nouns) :]
    counted = {*mention.nouns, *(run_of(behind[1:]) if behind[:1] == ("of",) else ())}
    held = counted <= question.things and any(is_of(each, "holding") for each in question.words)
    told_apart = all((each.stems & question.stems) - mention.stems for each in others)
    if others and told_apart and not (held and not mention.names):
        # The question has a word for every number but this one: "regular soda", "in the barn".
        return bool(mention.stems - question.stems)
    distributed = any(
        is_of(each, "distributive") or is_of(each, "sharing") for each in mention.clause
    )
    if distributed:
        return False
    ends = {each.nouns[-1] for each in others if each.nouns}
    if not question.things & {*mention.nouns} and not ends & {*mention.nouns[-1:]}:
        return True
    return bool(mention.names) and not mention.names & question.words
