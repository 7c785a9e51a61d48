"""A second look at an answer: the words of a text against the equations that were read from it.

Nothing of the readers is used here, on purpose: what they overlook together, they can't object to.
Only the text and the equations are looked at, word by word. An objection says which words the
equations don't account for; a value with an objection is read, not proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from schoolmath.problems.vocabulary import ASSETS
from schoolmath.text.yaml_files import read_yaml

_TOKEN = re.compile(
    r"\d+/\d+|\d[\d,]*\.\d+|\.\d+|\d+(?:,\d{3})+|\d+|[A-Za-z]+(?:[-’'][A-Za-z]+)*|[.?!,;:$%]"
)
_MARKS = ".?!,;:"
_PERIOD = "(?:minute|hour|day|week|month|year)"
_OTHER_TIME = re.compile(
    rf"\b(?:before|after) (?:that|this)\b|\b(?:an?|one|two|\d+) {_PERIOD}s? "
    rf"(?:later|ago|earlier|before|after)\b|\b(?:tomorrow|yesterday)\b|\bnext {_PERIOD}\b"
)
_ROUGH = re.compile(
    r"(?<!\d )\b(?:about|nearly|almost|roughly|around|approximately|over|under|at least|at most|"
    r"up to|more than|less than|fewer than) \$? ?\d[\d,.]*(?: (\w+))?"
)
_EXCEPTIONS = re.compile(r"\b(?:all|every|each)\b[^.?!,]*\b(?:but|except)\b(?: for)? \w+")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


@dataclass(frozen=True, slots=True)
class _Lists:
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
def _lists() -> _Lists:
    content = read_yaml(ASSETS / "second_look.yaml")
    spelled = {word: value for value, word in enumerate(_ONES.split())}
    spelled |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
    return _Lists(
        {name: frozenset(listed.split()) for name, listed in content["classes"].items()},
        content["singular"],
        tuple({_ending(unit): size for unit, size in kind.items()} for kind in content["measures"]),
        {_ending(word): many for word, many in content["many"].items()},
        spelled,
    )


def _is(word: str, name: str) -> bool:
    return word in _lists().classes[name]


class _Mention(NamedTuple):
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
class _Use:
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


class _Number(NamedTuple):
    """A number of the text, and how it is used; None where it is not."""

    mention: _Mention
    use: _Use | None


@dataclass(frozen=True, slots=True)
class _Question:
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


def objections(text: str, steps: Sequence[str]) -> tuple[str, ...]:
    """What the words of a text have against the equations that are to answer it.

    Args:
        text: the problem with its question.
        steps: the equations in order, each of two numbers: ``18 - 3 = 15``. The last one's result
            is the answer.

    Returns:
        sentences, each with the words it is about; empty where there is nothing against it.
    """
    story, sentence = _split_question(text)
    question = _question(sentence)
    uses = _uses(steps)
    numbers = _paired(_mentions(story, sentence, _names(text)), uses, question)
    found = [
        *_left_out(numbers, question),
        *_asked_otherwise(story, sentence, text, question, uses),
        *_not_for_each(numbers, uses, question),
        *_denied(numbers),
        *_lost_in_a_total(numbers, question),
        *_of_another_size(numbers, question),
        *_packs(text, numbers, question),
        *_direction(story, numbers, question),
        *_single_things(story, uses, question),
        *_rough(story),
    ]
    return tuple(dict.fromkeys(found))


# --- the text -------------------------------------------------------------------------------------


def _split_question(text: str) -> tuple[str, str]:
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


def _words(text: str) -> frozenset[str]:
    return frozenset(_bare(each) for each in re.findall(r"[a-z’'-]+", text.lower()))


def _bare(word: str) -> str:
    return re.sub(r"[’']s?$", "", word)


def _stem(word: str) -> str:
    """One form for "box" and "boxes", "pick" and "picked", "buy" and "bought"."""
    word = _bare(word)
    plain = _lists().plain
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


def _value(token: str) -> Fraction | None:
    if token[0].isdigit() or (token[0] == "." and len(token) > 1):
        top, _, below = token.replace(",", "").partition("/")
        return Fraction(top) / int(below or 1) if int(below or 1) else None
    spelled = _lists().spelled
    parts = token.lower().split("-")
    return Fraction(sum(spelled[each] for each in parts)) if {*parts} <= {*spelled} else None


def _names(text: str) -> frozenset[str]:
    """Capitalised words that don't stand in small letters as well, in lower case."""
    small = {*re.findall(r"\b[a-z]+\b", text)}
    capital = {_bare(each).lower() for each in re.findall(r"\b[A-Z][A-Za-z’']+", text)}
    titles = {"find", "mr", "mrs", "ms", "dr", "which"}
    return frozenset(each for each in capital - small - titles if not _is(each, "small"))


def _question(sentence: str) -> _Question:
    words = _words(sentence)
    counted = re.search(r"\bhow (?:many|much)\b(.*)", sentence.lower(), re.DOTALL)
    things: list[str] = []
    for word in _TOKEN.findall(counted[1]) if counted else ():
        if _is(word, "more") or word in {"total", "of", "the", "her", "his", "different"}:
            continue
        if _is(word, "small") or not word[0].isalpha():
            break
        things.append(_stem(word))
    stems = frozenset(_stem(each) for each in words if not _is(each, "small"))
    return _Question(sentence.lower(), words, stems, frozenset(things))


def _mentions(story: str, sentence: str, names: frozenset[str]) -> list[_Mention]:
    clauses = [(*each, False) for each in _clauses(story)]
    clauses += [(*each, True) for each in _clauses(sentence)]
    found = []
    before: tuple[str, ...] = ()
    for index, (clause, begins, is_asked) in enumerate(clauses):
        # "used 12 eggs for cakes and 18 for bread": both were used.
        goes_on = not begins and _value(clause[0]) is not None
        before = before if goes_on else _start(clause)
        stems = frozenset(
            _stem(w) for w in (*before, *clause) if w[0].isalpha() and not _is(w, "small")
        )
        here = names & {_bare(each) for each in clause}
        for at, token in enumerate(clause):
            value = _value(token)
            if value is None:
                continue
            behind = clause[at + 1 :]
            run = behind[1:] if behind and _is(behind[0], "more") else behind
            if run[:1] == ("of",) and len(run) > 1 and _is(run[1], "pointing"):
                run = run[2:]
            nouns = _run(run)
            if value > 1 and not any(_is_plural(each) for each in run[: len(nouns)]):
                # "12 leave and 9 arrive" counts nothing by name.
                nouns = ()
            money = clause[at - 1 : at] == ("$",) or nouns[:1] in {("dollar",), ("cent",)}
            wording = " ".join((token, *behind[:1]))
            found.append(
                _Mention(value, wording, clause, behind, nouns, stems, here, money, is_asked, index)
            )
    return found


def _clauses(text: str) -> Iterator[tuple[tuple[str, ...], bool]]:
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


def _run(words: Sequence[str]) -> tuple[str, ...]:
    """The words up to the first small one, number or mark, as stems."""
    found = []
    for word in words:
        if _is(word, "small") or not word[0].isalpha() or _value(word) is not None:
            break
        found.append(_stem(word))
    return tuple(found)


def _is_plural(word: str) -> bool:
    plural = word.endswith(("s", "fish")) and not word.endswith("ss")
    return plural or _is(word, "plural")


# --- the equations --------------------------------------------------------------------------------


def _uses(steps: Sequence[str]) -> list[_Use]:
    """The numbers that the equations begin with, and how each counts in the answer."""
    made: list[tuple[Fraction, list[_Use]]] = []
    for step in steps:
        left, operation, right, _, result = step.split()
        sides = []
        for at, written in enumerate((left, right)):
            value = Fraction(written)
            index = next((i for i in reversed(range(len(made))) if _same(made[i][0], value)), None)
            uses = [_Use(value, operation)] if index is None else made.pop(index)[1]
            for each in uses:
                each.sign *= -1 if operation == "-" and at == 1 else 1
                each.shared |= operation in "*/"
            sides += uses
        made.append((Fraction(result), sides))
    return [use for _, uses in made for use in uses]


def _same(one: Fraction, other: Fraction) -> bool:
    """Equal as far as equations are written out: ten digits."""
    return abs(one - other) <= abs(one) / 10**8


def _paired(
    mentions: Sequence[_Mention], uses: Sequence[_Use], question: _Question
) -> list[_Number]:
    """Each number of the text with its use; of equal ones that which plainly has a part first."""
    left = list(uses)
    found = []
    for each in sorted(mentions, key=lambda one: _idle(one, mentions, question)):
        values = [each.value * factor for factor in _factors(each)]
        use = next((one for value in values for one in left if _same(one.value, value)), None)
        if use is not None:
            left.remove(use)
        found.append(_Number(each, use))
    return found


def _factors(mention: _Mention) -> Iterator[Fraction]:
    """By what a number may have been multiplied before it was used: by its unit, or by a dozen."""
    yield Fraction(1)
    for word in mention.nouns[:1]:
        for kind in _lists().measures:
            if word in kind:
                yield from (Fraction(kind[word], other) for other in kind.values())
        if word in _lists().many:
            yield Fraction(_lists().many[word])
    if mention.value.numerator == 1:
        # A fifth of something: it is divided by 5.
        yield 1 / mention.value**2
    if mention.money:
        yield from (Fraction(100), Fraction(1, 100))


def _alike(mention: _Mention, numbers: Sequence[_Number]) -> list[_Use]:
    """Uses of a number's value: which of two equal numbers is which is not clear."""
    return [use for other, use in numbers if use is not None and other.value == mention.value]


# --- the objections -------------------------------------------------------------------------------


def _left_out(numbers: Sequence[_Number], question: _Question) -> Iterator[str]:
    """Numbers that no equation has, though what they count belongs to the story."""
    used = [mention for mention, use in numbers if use is not None]
    for each, use in numbers:
        if (
            use is None
            and each.value != 1
            and not each.in_question
            and not _idle(each, used, question)
        ):
            yield f"“{each.wording}” has no part in the answer."


def _idle(mention: _Mention, used: Sequence[_Mention], question: _Question) -> bool:
    """Whether a number plainly has no part: another thing, or somebody nobody asks about."""
    if not mention.nouns and not mention.money:
        return False
    others = [each for each in used if each is not mention]
    behind = mention.behind[len(mention.nouns) :]
    counted = {*mention.nouns, *(_run(behind[1:]) if behind[:1] == ("of",) else ())}
    held = counted <= question.things and any(_is(each, "holding") for each in question.words)
    told_apart = all((each.stems & question.stems) - mention.stems for each in others)
    if others and told_apart and not (held and not mention.names):
        # The question has a word for every number but this one: "regular soda", "in the barn".
        return bool(mention.stems - question.stems)
    distributed = any(_is(each, "distributive") or _is(each, "sharing") for each in mention.clause)
    if distributed:
        return False
    ends = {each.nouns[-1] for each in others if each.nouns}
    if not question.things & {*mention.nouns} and not ends & {*mention.nouns[-1:]}:
        return True
    return bool(mention.names) and not mention.names & question.words


def _asked_otherwise(
    story: str, sentence: str, text: str, question: _Question, uses: Sequence[_Use]
) -> Iterator[str]:
    """Words of the question that change what is asked and stand nowhere before."""
    for match in _OTHER_TIME.finditer(question.wording):
        if match[0] not in story.lower():
            yield f"“{match[0]}” of the question was not read."
    names, known = _names(text), _words(story)
    if names & known:
        for name in sorted(names & question.words):
            # A name that is nearly one of those told is taken for a slip of the pen.
            if name not in known and not get_close_matches(name, known, 1, 0.75):
                yield f"“{name.title()}” of the question stands nowhere before."
    for owner in re.findall(r"\b([A-Z][a-z]+)[’']s\b", sentence):
        if owner.lower() not in _words(story):
            yield f"“{owner}” of the question stands nowhere before."
    more = re.search(r"\bhow (?:many|much) (?:more|fewer|less)\b(.*)", question.wording, re.DOTALL)
    if more is None:
        return
    behind = _words(more[1])
    summed = any(_is(each, "summing") for each in behind)
    compared = any(_is(each, "wanting") for each in behind)
    if not any(each.operation == "-" for each in uses) or (summed and not compared):
        yield "“more” of the question was not read."


def _not_for_each(
    numbers: Sequence[_Number], uses: Sequence[_Use], question: _Question
) -> Iterator[str]:
    """Words such as "each" where nothing is multiplied or divided."""
    each_of = sorted(each for each in question.words if _is(each, "distributive"))
    if each_of and not any(each.operation in "*/" for each in uses):
        yield f"“{each_of[0]}” of the question was not read."
    for mention, use in numbers:
        here = [each for each in mention.clause if _is(each, "distributive")]
        if not here or use is None:
            continue
        beside = [
            one
            for other, one in numbers
            if one is not None and (other.at == mention.at or other.value == mention.value)
        ]
        if not any(
            one.operation in "*/" or (one.operation == "+" and one.shared) for one in beside
        ):
            yield f"“{here[0]}” was not read."


def _denied(numbers: Sequence[_Number]) -> Iterator[str]:
    """Numbers of what is not so, unless they are taken away."""
    for mention, use in numbers:
        clause = mention.clause
        denials = [
            at for at, w in enumerate(clause) if _is(w, "negative") or re.search("n[’']t$", w)
        ]
        if not denials or use is None:
            continue
        next_words = clause[denials[0] + 1 :][:2]
        of_state = any(_is(each, "having") or _is(each, "losing") for each in next_words)
        if of_state or all(each.sign > 0 for each in _alike(mention, numbers)):
            yield f"What “{mention.wording}” is not was not read."


def _lost_in_a_total(numbers: Sequence[_Number], question: _Question) -> Iterator[str]:
    """A total from which something is taken away that got lost."""
    summing = sorted(each for each in question.words if _is(each, "summing"))
    if not summing or any(_is(each, "holding") for each in question.words):
        return
    for mention, use in numbers:
        lost = any(_is(each, "losing") for each in mention.clause)
        got = any(_is(each, "gaining") for each in mention.clause)
        taken = use is not None and all(each.sign < 0 for each in _alike(mention, numbers))
        if taken and lost and not got:
            yield f"“{mention.wording}” is taken away, though “{summing[0]}” is asked."


def _direction(story: str, numbers: Sequence[_Number], question: _Question) -> Iterator[str]:
    """What goes away and is added, comes back and is taken, or is broken and no longer there."""
    if any(_is(each, "beginning") for each in question.words):
        return
    compared = re.search(r"\b(?:than|compared)\b", story.lower()) or any(
        _is(each, "more") or _is(each, "wanting") for each in question.words
    )
    for mention, use in numbers:
        signs = {each.sign for each in _alike(mention, numbers) if each.operation in "+-"}
        if use is None or len(signs) != 1 or mention.in_question:
            continue
        clause = mention.clause
        moving = _moving(mention)
        gone = any(_is(each, "gone") for each in moving)
        back = any(_is(each, "back") for each in moving)
        of_question = bool(mention.stems & question.stems - question.things)
        if gone != back and not of_question and signs == {1 if gone else -1}:
            yield f"Which way “{' '.join(clause)}” goes was not read."
        more = mention.behind[:1] == ("more",) and signs == {-1} and not compared
        if more and not any(_is(each, "losing") or _is(each, "gone") for each in clause):
            yield f"“{mention.wording}” is taken away."
        state = any(_is(a, "being") and _is(b, "broken") for a, b in pairwise(clause))
        if state and signs == {-1} and not any(_is(each, "remaining") for each in question.words):
            yield f"“{' '.join(clause)}” says what some are like, not that they are gone."


def _moving(mention: _Mention) -> Sequence[str]:
    """The words of its clause that are said of a number; none of what is only planned."""
    clause = mention.clause[: len(mention.clause) - len(mention.behind)]
    joined = [at for at, word in enumerate(clause) if word in {"and", "then"}]
    own = mention.clause[joined[-1] + 1 if joined else 0 :]
    return () if "to" in own else own


def _single_things(story: str, uses: Sequence[_Use], question: _Question) -> Iterator[str]:
    """A thing without a number that comes or goes: "he found a dime", "she loses one box"."""
    if any(_same(each.value, Fraction(1)) for each in uses):
        return
    coins = next(kind for kind in _lists().measures if "dollar" in kind)
    money = bool(question.words & {"much", "money", "cents", "dollars"})
    for clause, _ in _clauses(story):
        moved = any(_is(each, "losing") or _is(each, "gaining") for each in clause)
        for at, article in enumerate(clause[1:-1] if moved else (), 1):
            before, word, behind = clause[at - 1], clause[at + 1], clause[at + 2 : at + 3]
            given = any(_is(before, each) for each in ("losing", "gaining", "persons"))
            stem = _stem(word)
            counted = stem in question.things or (money and stem in coins)
            if article in {"a", "an", "another", "one"} and given and counted and not _run(behind):
                yield f"“{article} {word}” was not read."


def _of_another_size(numbers: Sequence[_Number], question: _Question) -> Iterator[str]:
    """Amounts of different size that are put together as if they were one."""
    used = [each for each in numbers if each.use is not None]
    added = [mention for mention, use in used if use is not None and use.operation in "+-"]
    for kind in _lists().measures if added else ():
        if "dollar" in kind and not question.words & {"much", "cents", "dollars"}:
            continue
        units = {
            mention.nouns[0]
            for mention, use in used
            if use and mention.nouns and mention.nouns[0] in kind and mention.value == use.value
        }
        wanted = {*kind} & question.things if units else set()
        if len({kind[unit] for unit in units | wanted}) > 1:
            yield f"“{'” and “'.join(sorted(units | wanted))}” are not of one size."


def _packs(text: str, numbers: Sequence[_Number], question: _Question) -> Iterator[str]:
    """Packs that are counted like what is in them: 3 boxes of pens and 4 pens."""
    words = [_stem(each) for each in re.findall(r"[a-z]+", text.lower())]
    used = [mention for mention, use in numbers if use is not None]
    for mention in used:
        behind = mention.behind[len(mention.nouns) :]
        if not mention.nouns or behind[:1] != ("of",):
            continue
        pack, inside = mention.nouns[-1], {*_run(behind[1:])}
        others = [each for each in used if each is not mention]
        counted = question.stems.union(*(each.nouns for each in others))
        once = len([each for each in words if each == pack]) == 1
        if once and not _is(pack, "single") and inside & counted:
            yield f"How many are in “{mention.wording}” was not read."


def _rough(story: str) -> Iterator[str]:
    """Numbers that are not exact: "nearly 20", "all but one"; but "over 3 days" is for so long."""
    for match in _EXCEPTIONS.finditer(story.lower()):
        yield f"“{match[0]}” was not read."
    for match in _ROUGH.finditer(story.lower()):
        spans = match[0].startswith(("over", "around")) and _is(
            (match[1] or "").rstrip("s"), "spans"
        )
        if not spans:
            yield f"“{match[0]}” is no exact number."
