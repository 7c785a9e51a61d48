"""From a text to its answer, or to the words that were not understood."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from schoolmath.problems.logic import Container, Rate, Transfer
from schoolmath.problems.reading import ReadText, read
from schoolmath.problems.second_look import objections
from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, StoryQuestion, Thing
from schoolmath.problems.stories.asking import ask
from schoolmath.problems.stories.judging import AMBIGUOUS, judge
from schoolmath.problems.stories.strategies import STRATEGIES
from schoolmath.problems.stories.strategies.accounts import accounts
from schoolmath.problems.stories.strategies.levelling import levelled
from schoolmath.problems.stories.strategies.reductions import reductions
from schoolmath.problems.stories.strategies.terms import StoryTerms as Worked
from schoolmath.problems.stories.strategies.terms import (
    StrategyAnswer,
    is_share,
)
from schoolmath.problems.stories.telling import tell
from schoolmath.problems.stories.units import in_its_unit, in_units_of_question
from schoolmath.problems.stories.wordings import in_usual_words
from schoolmath.text.numbers import NUMBER_WORDS

LONGEST_TEXT = 5_000
"""Characters of the longest text that is read."""

MOST_SENTENCES = 40
"""Most sentences of a story that is read."""

MOST_NUMBERS = 20
"""Most numbers of a story that is read."""


@dataclass(frozen=True, slots=True)
class UnderstoodStory:
    """A story as it was understood.

    Attributes:
        answer: None where the text was refused.
        steps: the equations from what is told to the answer.
        strategy: how it was worked out; "" where it was not.
        reasons: why the text was refused, as sentences; empty where there is an answer.
        amounts: what each number was understood to be.
        asked: the question; None where none was found.
        irrelevant: indices of the amounts that are proved to have no part in the answer.
        used: indices of the amounts that the answer was made from.
        people: who is named, in lower case.
    """

    answer: Fraction | None
    steps: tuple[str, ...] = ()
    strategy: str = ""
    reasons: tuple[str, ...] = ()
    amounts: tuple[Amount, ...] = ()
    asked: StoryQuestion | None = None
    irrelevant: tuple[int, ...] = ()
    used: frozenset[int] = frozenset()
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """What a text's clauses tell and ask, before anything is worked out.

    Attributes:
        sentences: of the text.
        story: the amounts and the question.
        present: all words of the text, also in the singular.
        cues: those of them that stand in a sentence with a number or in the question.
    """

    sentences: tuple[words.StorySentence, ...]
    story: Worked
    present: frozenset[str]
    cues: frozenset[str]

    def judged(self, answers: Sequence[StrategyAnswer]) -> UnderstoodStory:
        """The story with the one value that is believed of those found, or why none is."""
        amounts, asked = self.story.amounts, self.story.asked
        verdict = judge(self.story, answers, self.present, self.cues)
        if verdict.found is None:
            return UnderstoodStory(None, reasons=verdict.reasons, amounts=amounts, asked=asked)
        term = verdict.found.term
        return UnderstoodStory(
            term.value,
            term.steps,
            verdict.found.strategy,
            (),
            amounts,
            asked,
            verdict.irrelevant,
            term.used,
            self.story.people,
        )


def numbered_sentences(text: str) -> list[str]:
    """The sentences of a story as they are counted, numbers in digits and without end marks."""
    return [" ".join(token.text for token in each.tokens) for each in words.sentences_of(text)]


def understand(text: str) -> UnderstoodStory:
    """What a story tells and asks, and its answer.

    Args:
        text: an arithmetic word problem in English, with its question. Anything may be given:
            what is not understood is refused, with the words.
    """
    account = account_of(text)
    if isinstance(account, UnderstoodStory):
        return account
    at_once = account.judged(list(_all_found(account.story)))
    if at_once.answer is not None or at_once.reasons == AMBIGUOUS:
        return at_once
    if any(map(is_share, account.story.amounts)):
        return replace(at_once, reasons=_PART)
    in_steps = account.judged(list(_found_in_steps(account.story)))
    return at_once if in_steps.answer is None else in_steps


def account_of(text: str) -> Account | UnderstoodStory:
    """What a text's clauses tell and ask; a story without an answer where that is not understood.

    Args:
        text: as for `understand`.
    """
    if len(text) > LONGEST_TEXT:
        return UnderstoodStory(
            None, reasons=(f"The text is longer than {LONGEST_TEXT} characters.",)
        )
    sentences = words.sentences_of(words.in_figures(in_usual_words(text)))
    if not sentences:
        return UnderstoodStory(
            None, reasons=("The text is empty: write a word problem with its question.",)
        )
    if len(sentences) > MOST_SENTENCES:
        return UnderstoodStory(
            None, reasons=(f"The text has more than {MOST_SENTENCES} sentences.",)
        )
    numbers = sum(token.number for each in sentences for token in each.tokens)
    if numbers > MOST_NUMBERS:
        return UnderstoodStory(None, reasons=(f"The text has more than {MOST_NUMBERS} numbers.",))
    present: set[str] = set()
    cues: set[str] = set()
    singular = {
        word: words.noun_lemma(word) for each in sentences for word in {t.word for t in each.tokens}
    }
    for sentence in sentences:
        here = {token.word for token in sentence.tokens}
        here |= {singular[word] for word in here}
        present |= here
        if sentence.asks or "#" in here:
            # "Each" in a sentence without a number says nothing of numbers.
            cues |= here
    listed = words.lexicon().unread
    suspect = {word: hit for word, one in singular.items() if (hit := {word, one} & listed)}
    unread = sorted(
        {word for each in sentences for word in _unread(each.tokens, suspect)} if suspect else ()
    )
    odd = [
        t.text
        for s in sentences
        for t in s.tokens
        if not t.number
        and not t.word.isalpha()
        and (
            any(c.isdigit() for c in t.text)
            or ("-" in t.word and set(t.word.split("-")) & NUMBER_WORDS)
        )
    ]
    odd += [
        f"{one.text} {other.text}"
        for s in sentences
        for one, other in itertools.pairwise(s.tokens)
        if one.number and other.number
    ]
    odd += [word for s in sentences for word in _repeats(s.tokens)]
    odd += [words_here for s in sentences for words_here in _exceptions(s)]
    told_twice = [t.text for s in sentences for t in s.tokens if t.word in _MULTIPLES]
    valueless = [t.text for s in sentences for t in s.tokens if t.number and t.value is None]
    if unread or odd or valueless or told_twice:
        named = ", ".join(f"“{each}”" for each in [*unread, *odd, *valueless, *told_twice])
        return UnderstoodStory(None, reasons=(f"Not understood: {named}.",))
    asking = [
        each for each in sentences if each.asks or each.tokens[0].word in {"how", "find", "what"}
    ]
    if len(asking) != 1:
        reason = "The text asks nothing." if not asking else "The text asks more than one thing."
        return UnderstoodStory(None, reasons=(reason,))
    told = tell([each for each in sentences if each not in asking])
    asked = ask(sentences, told)
    if asked is not None and is_levelling(asking[0]):
        asked.flags.add("level")
    if asked is None or asked.fault:
        return UnderstoodStory(
            None, reasons=("The question was not understood: ask “How many ...?”.",)
        )
    if told.unsure:
        reason = f"Who “{told.unsure}” is was not understood: write the name."
        return UnderstoodStory(None, reasons=(reason,), amounts=tuple(told.amounts), asked=asked)
    placed = {each.at for each in told.amounts} | told.of_all
    parts = [each for each in told.amounts if is_share(each)]
    if any("part" not in each.flags and not each.times for each in parts):
        return UnderstoodStory(None, reasons=_PART, amounts=tuple(told.amounts), asked=asked)
    placed |= {
        t.index for s in sentences for t in s.tokens
        if t.number and t.value == 1 and any(each.word in {"other", "another"} for each in s.tokens)
    }  # fmt: skip
    priced = [s for s in sentences if not s.asks and {"cost", "costs"} & {t.word for t in s.tokens}]
    placed |= {
        one.index for s in priced for one, other in itertools.pairwise(s.tokens)
        if one.value == 1 and other.word.isalpha()
    }  # fmt: skip
    missing = [t.text for s in sentences for t in s.tokens if t.number and t.index not in placed]
    amounts = tuple(told.amounts)
    amounts = in_units_of_question(amounts, asked)
    amounts = tuple(_held(each, asked) for each in amounts)
    amounts = tuple(_in_each(each, amounts) for each in amounts)
    amounts = tuple(in_its_unit(each, amounts) for each in amounts)
    _as_place(asked, amounts)
    if missing:
        named = ", ".join(f"“{each}”" for each in missing)
        return UnderstoodStory(
            None,
            reasons=(f"What {named} counts was not understood.",),
            amounts=amounts,
            asked=asked,
        )
    told_words = frozenset(
        token.word for each in sentences if each not in asking for token in each.tokens
    )
    worked = Worked(amounts, asked, tuple(told.people), told_words)
    return Account(tuple(sentences), worked, frozenset(present), frozenset(cues))


_PART = ("The text mentions a part of something, which is not worked out.",)
_ORDINALS = frozenset({"third", "fourth", "fifth"})
_MULTIPLES = frozenset({"twice", "thrice"})
_NEAR = frozenset({"about", "approximately", "nearly", "almost", "roughly"})


def _unread(tokens: Sequence[words.StoryToken], suspect: Mapping[str, set[str]]) -> Iterator[str]:
    """Words that say something which is not worked out here, where they stand as they do."""
    for at, token in enumerate(tokens):
        found = suspect.get(token.word)
        if not found:
            continue
        before = tokens[at - 1].word if at else ""
        after = tokens[at + 1].word if at + 1 < len(tokens) else ""
        if found & _ORDINALS and before in words.DETERMINERS - {"a", "an"} and after != "of":
            # "The third day" is no third of a day.
            continue
        if found & _NEAR and after not in {"#", "how", "as", "half", "the", "twice"}:
            # "Books about sports"; "about 5" is what is not read.
            continue
        if found == {"row"} and before != "a" and token.word in {"row", "rows"}:
            continue
        if token.capital and not token.first and found == {"square"}:
            continue
        yield from found


def _repeats(tokens: Sequence[words.StoryToken]) -> Iterator[str]:
    """Words such as "again" in “the same happened again”: how much that is, is told elsewhere."""
    here = {token.word for token in tokens}
    if "again" in here and here & {"same", "happened", "happens", "did", "does", "this", "so"}:
        yield "again"
    yield from sorted(here & {"repeated", "repeats", "likewise"})


_ALL = frozenset({"all", "each", "every", "everything", "everyone", "any"})
_SAME = (["number", "of"], ["amount", "of"])
_TIMES = words.UNITS_OF_TIME | {f"{unit}s" for unit in words.UNITS_OF_TIME}
_UNREAL = frozenset(
    {"attempt", "dream", "fail", "forget", "intend", "pretend", "promise", "refuse", "try", "wish"}
)
_THOUGHT = frozenset({"dream", "think", "believe", "imagine", "pretend", "wish", "guess"})
_CLAUSES = words.SUBJECTS | {"that"}
_MAYBE = frozenset({"maybe", "perhaps", "possibly", "probably"})
_NOBODY = frozenset({"nobody", "none", "neither", "nor"})
_SMALL = words.PREPOSITIONS | words.CONJUNCTIONS | words.AUXILIARIES


def _exceptions(sentence: words.StorySentence) -> Iterator[str]:
    """Words by which something holds not of all, or of nothing: "all but 5", "if she lost 5"."""
    tokens = sentence.tokens
    here = [token.word for token in tokens]
    for one, other in itertools.pairwise(tokens):
        pair = (one.word, other.word)
        if (
            (one.word in _ALL and other.word in {"but", "except"})
            or (one.word == "not" and other.word in _ALL)
            or (one.word == "same" and other.number)
            or (one.first and pair == ("among", "them"))
            or pair in {("for", "free"), ("couple", "of"), ("about", "to")}
        ):
            yield f"{one.text} {other.text}"
    for one, other, third in zip(tokens, tokens[1:], tokens[2:], strict=False):
        each = one.word in {"each", "every"}
        counted = other.word in {"other", "second", "third"} and third.word.isalpha()
        if each and (third.word in {"but", "except"} or (counted and third.word not in _SMALL)):
            yield f"{one.text} {other.text}"
        yield from _uncertain(one, other, third)
    same = here[here.index("same") :] if "same" in here and not is_levelling(sentence) else []
    alike = same[1:3] in _SAME and "as" in same
    alone = len(same) == 2 or same[2:3] in (["to"], ["for"], ["from"])
    if alike or (alone and same[1] in {"number", "amount"} and "each" not in here):
        yield "the same number"
    if not sentence.asks and "#" in here:
        yield from _unreal(tokens)
        if "if" in here:
            yield from sorted({"will", "won't", "would", "wouldn't"} & {*here})
        if here[-1] == "before":
            yield "before"
        yield from sorted(_NOBODY & {*here})


_LEVEL = re.compile(
    r"\bhow many (?:more )?(?:[a-z-]+ ){1,3}(?:must|should|does|do|will|would|can|could|has|have)\b"
    r".*\b(?:(?:the same|an equal) (?:number|amount)|equal numbers?|as many)\b"
)


def is_levelling(sentence: words.StorySentence) -> bool:
    """“How many must Ana give Ben so that both have the same number?”"""
    return sentence.asks and bool(_LEVEL.search(" ".join(t.word for t in sentence.tokens)))


def _uncertain(
    one: words.StoryToken, other: words.StoryToken, third: words.StoryToken
) -> Iterator[str]:
    """Three words that tell no certain number: "8 or 9", "up to 8", "over 8 pens"."""
    either = one.number and other.word == "or" and third.number
    up_to = (one.word, other.word) == ("up", "to") and third.number
    if either or up_to:
        yield f"{one.text} {other.text} {third.text}"
    over = one.word in {"over", "under"} and other.number and third.word not in _TIMES
    if over or (one.word == "between" and other.number and third.word == "and"):
        yield f"{one.text} {other.text}"


def _unreal(tokens: Sequence[words.StoryToken]) -> Iterator[str]:
    """Words by which a number is of what did not happen: "forgot to give 5", "maybe lost 5"."""
    for at, token in enumerate(tokens):
        if token.word in _MAYBE:
            yield token.text
        following = tokens[at + 1].word if at + 1 < len(tokens) else ""
        lemma = words.verb_lemma(token.word)
        if lemma in {"refuse", "decline"} and following != "to":
            yield token.text
        if (lemma in _UNREAL and following == "to") or (
            lemma in _THOUGHT and not token.first and following in _CLAUSES
        ):
            yield f"{token.text} {following}"


def _as_place(question: StoryQuestion, amounts: tuple[Amount, ...]) -> None:
    """“How many trees will the park have?”: the park is where they are, nobody who has them."""
    owners = {owner for each in amounts for owner in (*each.owners, each.receiver, each.source)}
    places = {word for each in amounts for word in each.place}
    if question.owners and not set(question.owners) & owners and set(question.owners) <= places:
        question.place |= set(question.owners)
        question.owners = ()


def _held(amount: Amount, question: StoryQuestion) -> Amount:
    """“An album contains 24 photos ... How many are in the album?”: the album is a place."""
    holder = amount.owners[:1]
    counted = question.flags & {"number"} or question.owners
    if counted or amount.verb not in {"contain", "hold"} or not question.place & {*holder}:
        return amount
    return replace(amount, owners=(), place=amount.place | {*holder}, generic=None)


def _in_each(amount: Amount, amounts: Sequence[Amount]) -> Amount:
    """“5 crayons in a box”, where the story counts boxes: so many in each."""
    if amount.per is not None or amount.kind not in {"state", "make", "gain", "put"}:
        return amount
    counted = {each.thing.head for each in amounts if each is not amount}
    such = {each.thing.head for each in amounts if "such" in each.thing.mods}
    one = {flag.removeprefix("in one ") for flag in amount.flags if flag.startswith("in one ")}
    held = set(amount.owners[:1]) | ({amount.generic.head} if amount.generic else set())
    unit = (one & counted) | (such & (amount.place | held) if amount.kind == "state" else set())
    if len(unit) != 1 or amount.thing.head in unit:
        return amount
    (head,) = unit
    return replace(amount, per=Thing(head), place=amount.place - {head}, generic=None)


def _all_found(story: Worked) -> Iterator[StrategyAnswer]:
    """What the strategies find, each its own."""
    strategies = STRATEGIES
    if "level" in story.asked.flags:
        strategies = (levelled,)
    elif any(map(is_share, story.amounts)):
        strategies = (accounts,)
    for strategy in strategies:
        found = strategy(story)
        if found is not None:
            yield found


def _found_in_steps(story: Worked) -> Iterator[StrategyAnswer]:
    """What they find when pairs of amounts are replaced by what follows from them."""
    for simpler in reductions(story):
        for found in _all_found(simpler):
            yield replace(found, within=simpler)


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """What a text's answer is, or why it has none.

    Attributes:
        answer: None where the text was refused, or read and not proved.
        steps: the equations that lead to it, or to what was read.
        reasons: why it was refused or doubted, as sentences; empty where there is an answer.
        read: what the reader of sentences understood.
        story: what the reader of stories understood.
        doubted: what was read and is not proved, since a second look objects; None otherwise.
    """

    answer: Fraction | None
    steps: tuple[str, ...]
    reasons: tuple[str, ...]
    read: ReadText
    story: UnderstoodStory
    doubted: Fraction | None = None


def answer(text: str) -> TextAnswer:
    """The answer to an arithmetic word problem, or why there is none.

    Two readers of different make read it: one sentence by sentence into a mental model
    (`schoolmath.problems.reading`), one clause by clause into amounts (`understand`). What both
    answer, they must answer alike; what the first reads as a whole and finds wrong stays refused. A
    second look then holds the equations against the words (`objections`): a value that it objects
    to is read, not proved.

    Args:
        text: the problem with its question; anything may be given.
    """
    found = _read_twice(text)
    if found.answer is None:
        return found
    against = objections(words.in_figures(text), found.steps)
    return replace(found, answer=None, doubted=found.answer, reasons=against) if against else found


def _read_twice(text: str) -> TextAnswer:
    """What both readers together answer, before the second look."""
    exact, story = read(text), understand(text)
    if exact.solution is not None:
        found = Fraction(exact.solution.answer)
        if story.answer is not None and story.answer != found:
            reason = "The text can be read in two ways that give different answers: say it plainer."
            return TextAnswer(None, (), (reason,), exact, story)
        if story.answer is None and (_passes_over(exact) or _counts_a_part(story)):
            reason = "Something about the one who is asked about was not understood."
            return TextAnswer(None, (), (reason,), exact, story)
        steps = tuple(step.equation() for step in exact.solution.steps)
        return TextAnswer(found, steps, (), exact, story)
    if exact.problem is not None and not (exact.incomplete and story.answer is not None):
        return TextAnswer(None, (), (exact.fault,), exact, story)
    if story.answer is not None:
        return TextAnswer(story.answer, story.steps, (), exact, story)
    return TextAnswer(None, (), story.reasons or (exact.fault,), exact, story)


def _counts_a_part(story: UnderstoodStory) -> bool:
    """Whether something is told of a part: "She got 8 of them", "Ben lost 8 of her pens"."""
    for each in story.amounts:
        whose = {flag.removeprefix("of ") for flag in each.flags if flag.startswith("of ")}
        got = each.kind in {"gain", "make"}
        if "part" in each.flags and ((got and not whose) or (not got and whose - {*each.owners})):
            return True
    return False


def _passes_over(read: ReadText) -> bool:
    """Whether the sentences' reader leaves out something told of the very one who is asked about.

    What is told of others has no part in the answer where nothing passes between them. Of the same
    one it may have: "seven quarters, three dimes and five pennies".
    """
    assert read.problem is not None
    assert read.solution is not None
    asked = read.problem.question.agent
    for index in read.solution.unused:
        predicate = read.problem.statements[index].predicate
        if isinstance(predicate, Container | Rate) and predicate.agent == asked:
            return True
        if isinstance(predicate, Transfer) and not read.solution.steps:
            # "She had 27 dollars and bought 8 beads", "her cat lost 8 of them"; but what passes
            # between two others who have names is theirs.
            agents = [each for each in (predicate.receiver, predicate.sender) if each is not None]
            if asked in agents or not all(each.istitle() for each in agents):
                return True
    return False
