"""Finds the question of a story, and reads it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import StoryQuestion
from schoolmath.problems.stories.clauses import verbs_of
from schoolmath.problems.stories.facts import StoryFacts
from schoolmath.problems.stories.questions import Questioner
from schoolmath.problems.stories.telling import tell_sentence
from schoolmath.problems.stories.words import StorySentence, StoryToken
from schoolmath.problems.vocabulary import remembered

_ENDS = frozenset({"if", "when", "while", "after", "before", "until", "once", "because", "since"})
_LENGTHS = frozenset({"far", "tall", "deep", "high", "heavy", "wide", "big", "large", "old"})
_HOW = _LENGTHS | {"many", "much", "long", "big", "large"}


def ask(sentences: Sequence[StorySentence], facts: StoryFacts) -> StoryQuestion | None:
    """The question of a story; the conditions that stand beside it are told first.

    Args:
        sentences: of the story; those without a question are told already.
        facts: what was told; the conditions of the question are added.
    """
    asking = [each for each in sentences if each.asks or words.begins_like_a_question(each.tokens)]
    if len(asking) != 1:
        return None
    tokens = asking[0].tokens
    at = _wh(tokens)
    if at < 0:
        return None
    number = len(sentences) - 1
    if at > 0:
        before = tokens[: at - 1] if tokens[at - 1].word in {",", "and"} else tokens[:at]
        if before:
            tell_sentence(before, number, facts, condition=True)
    end = len(tokens)
    for index in range(at + 2, len(tokens)):
        if tokens[index].word in _ENDS and _clause_follows(tokens, index):
            end = index
            break
    asked = Questioner(tokens, at, end, facts).read()
    clause = tokens[end:]
    told_words = [each.tokens for each in sentences if each is not asking[0]]
    if any(each.number for each in clause):
        told_words.append(clause)
    core = tokens[at:end] if any(each.number for each in clause) else tokens[at:]
    asked.strange = _strange(core, [*told_words, tokens[:at]], asked.verb)
    if end < len(tokens):
        rest = tokens[end:]
        if any(each.number for each in rest):
            tell_sentence(rest, number, facts, condition=True)
        else:
            if rest[0].word == "before":
                asked.flags.add("before")
            asked.time |= {words.noun_lemma(each.word) for each in rest}
            if rest[0].word == "if":
                facts.odd.extend(
                    each.word for each in rest if each.word in {"same", "equal", "equally", "each"}
                )
                asked.flags.add("if")
                if any(each.word in {"each", "every"} for each in rest):
                    asked.flags.add("odd if")
    _ask_for_all(asked, facts, tokens, {each.word for each in itertools.chain(*told_words)})
    return asked


_DEFINITE = frozenset({"the", "those", "these", "both"})
_SPANS = {"weekend": frozenset({"saturday", "sunday"})}
_DAYS = frozenset(
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
)  # fmt: skip
_MONTHS = frozenset(
    {"january", "february", "march", "april", "may", "june", "july", "august", "september",
     "october", "november", "december"}
)  # fmt: skip


def _is_one(unit: str, time: frozenset[str]) -> bool:
    """Whether words of a time name one of such: "last week", "on Monday" of days."""
    named = {"day": _DAYS | {"today", "yesterday", "tomorrow"}, "month": _MONTHS}
    return unit in time or bool(named.get(unit, frozenset()) & time)


def _ask_for_all(
    question: StoryQuestion, facts: StoryFacts, tokens: Sequence[StoryToken], wording: set[str]
) -> None:
    """“In the two weeks”, “the three classes”, “over the weekend”: of all that is told.

    The count says it where as many amounts are told: of two weeks, of three classes. It is then
    no amount of its own.
    """
    counts = [each for each in facts.amounts if each.flags & {"asked", "counted"}]
    # "Three classes collected cans. ... How many did the three classes collect?"
    counts += [
        each for each in facts.amounts
        if counts and each not in counts and (each.value, each.sentence) == (counts[0].value, 0)
        and counts[0].thing.head in each.thing.words
    ]  # fmt: skip
    others = [
        each for each in facts.amounts
        if each not in counts and (each.value is not None or each.compared)
    ]  # fmt: skip
    one_kind = {each.thing.head for each in others} == {question.thing.head}
    if len(others) < 2 or not one_kind or any(each.per or "each" in each.flags for each in others):
        return
    for span, parts in _SPANS.items():
        if span in question.time and parts == wording & _DAYS:
            question.time.discard(span)
            question.flags.add("total")
    if not counts or {each.value for each in counts} != {len(others)} or "each" in counts[0].flags:
        return
    count = counts[0].thing
    before = next(
        (one.word for one, other in itertools.pairwise(tokens) if other.index == counts[0].at), ""
    )
    if before not in _DEFINITE or count.head == question.thing.head or count.mods:
        return
    if any(count.head in each.place | each.near or each.generic for each in others):
        # "5 red and 3 blue pens in a box. How many are in the 2 boxes?"
        return
    if sum(count.head in each.owners for each in others) not in {0, len(others)}:
        # "A spider has 8 legs, a dog 4. How many do the 2 spiders have?"
        return
    timed = count.head in words.UNITS_OF_TIME
    if timed and not all(_is_one(count.head, each.time) for each in others):
        # "In the morning ... at night. How many in the 2 days?"
        return
    for each in counts:
        facts.leave_out(each)
    question.flags.discard("number")
    question.flags.add("total")
    question.time.discard(count.head)
    question.place.discard(count.head)
    if question.owners == (count.head,):
        question.owners = ()


_KNOWN = words.classes()["known"]


_SMALL_WORDS = (
    words.PREPOSITIONS
    | words.DETERMINERS
    | words.POSSESSIVES
    | words.SUBJECTS
    | words.OBJECTS
    | words.CONJUNCTIONS
    | words.RELATIVES
    | words.AUXILIARIES
    | words.ADVERBS
)


def _strange(
    question: Sequence[StoryToken], sentences: Sequence[Sequence[StoryToken]], verb: str
) -> frozenset[str]:
    """Words of the question that neither stand in the story nor are usual in questions."""
    told_words = {each.word for tokens in sentences for each in tokens}
    known = frozenset[str]().union(*map(_lemmas, told_words))
    found = set()
    for each in question:
        word = each.word
        if not word[0].isalpha() or each.capital or word in _SMALL_WORDS:
            continue
        lemmas = _lemmas(word)
        if not lemmas & (_KNOWN | known | {verb}):
            found.add(word)
    return frozenset(found)


@remembered
def _lemmas(word: str) -> frozenset[str]:
    """A word with its singular and its verb."""
    return frozenset({word, words.noun_lemma(word), words.verb_lemma(word)} - {""})


def _wh(tokens: Sequence[StoryToken]) -> int:
    for index, token in enumerate(tokens):
        following = tokens[index + 1].word if index + 1 < len(tokens) else ""
        if token.word == "how" and following in _HOW:
            return index
        if token.word in {"what", "what's", "find", "calculate"} and (
            index == 0 or tokens[index - 1].word in {",", "and", "then"}
        ):
            return index
    return -1


def _clause_follows(tokens: Sequence[StoryToken], at: int) -> bool:
    if tokens[at].word in {"if", "when", "while", "because"}:
        return True
    verbs = verbs_of(tokens[at + 1 :])
    return bool(verbs)
