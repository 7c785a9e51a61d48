"""What one text shows of the features that are audited: the one place that says how it is read.

A text that is read as a whole shows all of them, from its mental model and its solution. Of one
that is not, single clauses may show some; what they do not show is not told, never "no".

A comparison is found by its words ("3 more pens than", "twice as many as"), a transfer by its verb
and a number. Each of the three findings can be *not told*: a text without a word that could compare
has no comparison; one that has such a word but no clause that was understood may have one or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import NamedTuple

from schoolmath.problems import Comparison, Problem, ProblemError, Solution, Transfer
from schoolmath.problems.quantities import carries
from schoolmath.problems.reading import Times, read
from schoolmath.problems.reading.shapes import split_words
from schoolmath.problems.second_look import objections
from schoolmath.problems.stories import answer, understand
from schoolmath.problems.stories.words import in_figures, lexicon, verb_lemma
from schoolmath.problems.vocabulary import remembered
from schoolmath.text.numbers import with_digits, with_plain_digits

# What verbs do to amounts, as far as it tells that something changes hands or that nothing does.
#
# Lemmas and what they do are those of the reader of stories (assets/vocabulary/stories.yaml). A
# word that is no form of one of them, nor of the activities below, tells nothing.


class VerbEffect(StrEnum):
    """What a verb does to the amount that stands with it."""

    IS = "is"
    """Tells an amount: have, be, weigh, cost."""
    CHANGES = "changes"
    """Something is got, made, lost or handed over, comes or goes."""
    DOES = "does"
    """Counts what is done, which belongs to nobody: run, read, visit."""


class VerbLemma(NamedTuple):
    """A verb by its lemma."""

    lemma: str
    deed: VerbEffect


_DEEDS = {
    "state": VerbEffect.IS, "price": VerbEffect.IS, "need": VerbEffect.IS,
    "gain": VerbEffect.CHANGES, "make": VerbEffect.CHANGES, "loss": VerbEffect.CHANGES,
    "give": VerbEffect.CHANGES, "take": VerbEffect.CHANGES, "put": VerbEffect.CHANGES,
    "come": VerbEffect.CHANGES, "leave": VerbEffect.CHANGES,
}  # fmt: skip
"""By the kinds of the reader; sharing out may leave what there is as it is and is none of them."""

_ACTIVITIES = frozenset({
    "walk", "run", "jump", "swim", "hike", "ride", "travel", "jog", "read", "watch", "complete",
    "answer", "wash", "clean", "work", "visit", "attend", "see", "count", "play", "sing", "study",
    "practice", "measure", "drive",
})  # fmt: skip

AUXILIARIES = frozenset({
    "has", "have", "had", "is", "are", "was", "were", "be", "been", "do", "does", "did", "will",
    "would", "can", "could",
})  # fmt: skip
"""Words that another verb may follow: "were eaten", "has given"."""


@remembered
def verb_of(word: str) -> VerbLemma | None:
    """The verb of which a word, in small letters, can be a form; None where it is none known."""
    lemma = "leave" if word == "left" else verb_lemma(word)
    deed = _DEEDS.get(lexicon().verbs.get(lemma, ""))
    if deed is None and lemma in _ACTIVITIES:
        deed = VerbEffect.DOES
    return None if deed is None else VerbLemma(lemma, deed)


class ComparisonWording(StrEnum):
    """Whether the words of a comparison suggest the operation that is needed."""

    CONSISTENT = "consistent"
    """The amount that is looked for is the subject: "Ben has 3 more than Ana", Ana's is known."""
    INCONSISTENT = "inconsistent"
    """The known amount is the subject: "Ana has 3 more than Ben", Ana's is known."""


@dataclass(frozen=True, slots=True)
class ClauseEvidence:
    """What the clauses of a text show.

    Attributes:
        comparisons: the wording of each comparison that was found; None where it is not told
            which of the two amounts is known.
        compares: whether it compares two amounts; None where that is not told.
        transfers: whether something is got, lost or handed over; None where that is not told.
    """

    comparisons: tuple[ComparisonWording | None, ...]
    compares: bool | None
    transfers: bool | None


class _ComparisonWords(NamedTuple):
    subject: str
    reference: str
    verb: VerbLemma | None


class _Clause(NamedTuple):
    words: tuple[str, ...]
    """As they stand, numbers in digits."""
    text: str
    """The same in small letters, between blanks."""
    at: int
    """Where its verb begins; -1 without one."""
    verb: VerbLemma | None
    who: str
    """The head of its subject; "" where that is not known."""
    compared: _ComparisonWords | None
    """The two amounts that it compares."""


_SENTENCE = re.compile(r"(?<=[.?!;])\s+(?=[^a-z])|;\s*|\n+")
_TITLE_DOT = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof|St)\.", re.IGNORECASE)
_JOINT = frozenset({
    ",", "and", "but", "while", "if", "when", "then", "because", "so", "after", "before",
    "whereas",
})  # fmt: skip
_ASKS = re.compile(r" (?:how|what|which|who|whose|find|calculate)\b.*?(?= if | when |$)")
_NUMBER = r"\d+(?: [/.] \d+)?"
_MORE = (
    rf" {_NUMBER} (?:[a-z-]+ ){{0,3}}?"
    r"(?:(?:more|fewer|less|lesser)(?P<what>(?: [^ ]+){0,6}?) than|[a-z]{2,}er than) (?P<than>.+)"
)
_TIMES = rf" {_NUMBER} (?:times )?as [a-z]+(?P<what>(?: [^ ]+){{0,6}}?) as (?P<than>.+)"
_COMPARED = (re.compile(_MORE), re.compile(_TIMES))
_MAY_COMPARE = re.compile(
    r" than | as (?:many|much|[a-z]+) (?:[^ ]+ ){0,6}?as | (?:double|triple|half)[sd]? "
    r"| as (?:many|much) | compared (?:with|to) "
    r"| \d+ times (?!a |per |each |every |in |this |last )| difference "
)
_MORE_ALONE = re.compile(rf" {_NUMBER} (?:[a-z]+ )?(?:more|fewer|less) ")
_NUMBERED = re.compile(rf" (?:{_NUMBER}|some|several|all) ")
_DIGITS = re.compile(r" \d+ ")
_COUNTED = re.compile(r" \d+ ((?:[a-z-]+ ){0,2}?[a-z-]+)(?= |$)")

_OWN = frozenset({
    "the", "a", "an", "his", "her", "their", "its", "my", "our", "your", "some", "each",
    "every",
})  # fmt: skip
_PLACES = frozenset({
    "in", "on", "at", "of", "for", "with", "from", "by", "to",
})  # fmt: skip
_NOT_BEFORE_A_VERB = _OWN | _PLACES | {"than", "as", "this", "these"}
_ENDS_A_NAME = _PLACES | {
    "does", "did", "do", "has", "have", "had", "is", "was", "were", "and", "or", "if", "when",
    ",", ".", "?", "!", "each", "every", "this", "last", "yesterday", "today",
    "that", "who", "which",
}  # fmt: skip
_STANDS_FOR = frozenset({
    "he", "she", "it", "they", "this", "that", "these", "those",
})  # fmt: skip
_NOBODY = frozenset({
    "him", "them", "her", "me", "us", "you", "i", "we", "there", "what",
})  # fmt: skip
_LONGEST_TEXT = 5_000


def evidence(text: str) -> ClauseEvidence:
    """What the clauses of a text show."""
    if len(text) > _LONGEST_TEXT:
        return ClauseEvidence((), None, None)
    told: list[_Clause] = []
    asked: list[str] = []
    for sentence in _SENTENCE.split(_TITLE_DOT.sub(r"\1", text)):
        words = tuple(with_digits(split_words(with_plain_digits(sentence.strip()))))
        if not words:
            continue
        plain = f" {' '.join(words).lower()} "
        question = _ASKS.search(plain) if "?" in sentence or " how " in plain else None
        if question is not None:
            asked.append(question[0])
            before = len(plain[: question.start()].split())
            after = before + len(question[0].split())
            parts = [words[:before], words[after:]]
        else:
            parts = [words]
        for part in parts:
            for words in _split_up(part):
                told.append(_clause(words, told[-1] if told else None))
    compared = [clause.compared for clause in told if clause.compared is not None]
    compares: bool | None = True if compared else None
    if not compared and not any(_may_compare(clause) for clause in told):
        compares = False
    return ClauseEvidence(_wordings(compared, told), compares, _transfers(told, asked))


def _split_up(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The words between conjunctions and commas."""
    part: list[str] = []
    for word in words:
        if word.lower() in _JOINT:
            if part:
                yield tuple(part)
            part = []
        else:
            part.append(word)
    if part:
        yield tuple(part)


def _clause(words: tuple[str, ...], before: _Clause | None) -> _Clause:
    """A clause; what it leaves out (its subject, its verb) is that of the clause before."""
    text = f" {' '.join(words).lower()} "
    at, verb = _verb(words)
    who = _head(words[:at]) if at > 0 else ""
    if at < 0 and words[0][0].isupper() and words[0].lower() not in _NOT_BEFORE_A_VERB:
        # "His friend, Tim, had 20 cards", "and Tim 3 more than Ben"
        who = _head(list(takewhile(lambda word: not word.isdigit(), words)))
    if who in _STANDS_FOR:
        who = ""
    if before is not None:
        who = who or before.who
        verb = before.verb if at < 0 else verb
    return _Clause(words, text, at, verb, who, _compared(words, text, who, verb))


def _verb(words: Sequence[str]) -> tuple[int, VerbLemma | None]:
    """Where the clause's verb begins, and which it is: of "were eaten", eat."""
    for index, word in enumerate(words):
        lower = word.lower()
        verb = verb_of(lower)
        if verb is None and lower not in AUXILIARIES:
            continue
        before = words[index - 1].lower() if index else ""
        # "the plants" and "5 packs" are things; "5 were" is a number of them that were.
        if before in _NOT_BEFORE_A_VERB or (before.isdigit() and lower not in AUXILIARIES):
            continue
        if lower in AUXILIARIES:
            for following in words[index + 1 : index + 3]:
                if following.isdigit() or following.lower() in _NOT_BEFORE_A_VERB:
                    break
                if following.lower() != "got" and (led_to := verb_of(following.lower())):
                    return index, led_to
        return index, verb
    return -1, None


def _head(words: Sequence[str]) -> str:
    """What a noun phrase is of, in small letters and the singular; "" for a pronoun of two."""
    kept: list[str] = []
    for word in words:
        lower = word.lower()
        if lower in _ENDS_A_NAME and kept:
            break
        if lower not in _OWN and lower[0].isalpha():
            kept.append(lower)
    return _singular(kept[-1]) if kept else ""


def _singular(noun: str) -> str:
    return noun[:-1] if len(noun) > 3 and noun.endswith("s") and not noun.endswith("ss") else noun


def _compared(
    words: tuple[str, ...], text: str, who: str, verb: VerbLemma | None
) -> _ComparisonWords | None:
    """The two amounts of a comparison; a clause that compares nothing has none."""
    match = next((found for each in _COMPARED if (found := each.search(text))), None)
    if match is None:
        return None
    than = words[len(text[: match.start("than")].split()) :]
    what = (match["what"] or "").split()
    # "than on Monday" compares two times of one and the same.
    subject, reference = who, "" if than[0].lower() in _PLACES else _head(than)
    # "5 more girls than boys" compares two things, and who has them matters to neither.
    if subject == "there" or (what and than[0].islower() and than[0] not in _OWN):
        subject = _head(what)
    if not (subject and reference) or reference in _STANDS_FOR | _NOBODY or subject in _NOBODY:
        subject = reference = ""
    return _ComparisonWords(subject, reference, verb)


def _may_compare(clause: _Clause) -> bool:
    """Whether a clause in which no comparison was found may hold one all the same."""
    if _MAY_COMPARE.search(clause.text):
        return True
    # "gave her 3 more" hands over; "Ben has 3 more" compares with somebody who is left out.
    changes = clause.verb is not None and clause.verb.deed is not VerbEffect.IS
    return not changes and _MORE_ALONE.search(clause.text) is not None


def _wordings(
    compared: Sequence[_ComparisonWords], clauses: Sequence[_Clause]
) -> tuple[ComparisonWording | None, ...]:
    """Which of the two amounts is known: told by a number elsewhere, or by another comparison."""
    known = set[tuple[str, str]]()
    for clause in clauses:
        # "Each box holds 6" and "with 2 in each box" tell of boxes, not of what anybody has.
        beginning = clause.words if clause.at < 0 else clause.words[:1]
        rate = any(word.lower() in ("each", "every") for word in beginning)
        if rate or clause.compared is not None or _DIGITS.search(clause.text) is None:
            continue
        what = _kind(clause.verb)
        if clause.who:
            known.add((clause.who, what))
        for phrase in _COUNTED.findall(clause.text):
            known.update((_singular(word), what) for word in phrase.split())
    found: list[ComparisonWording | None] = [None] * len(compared)
    open_ones = [
        index
        for index, each in enumerate(compared)
        if each.subject and each.reference and each.subject != each.reference
    ]
    while open_ones:
        before = len(open_ones)
        for index in list(open_ones):
            each, what = compared[index], _kind(compared[index].verb)
            subject = (each.subject, what) in known
            if subject == ((each.reference, what) in known):
                continue
            found[index] = (
                ComparisonWording.INCONSISTENT if subject else ComparisonWording.CONSISTENT
            )
            known |= {(each.subject, what), (each.reference, what)}
            open_ones.remove(index)
        if len(open_ones) == before:
            break
    return tuple(found)


def _kind(verb: VerbLemma | None) -> str:
    """Amounts are compared with amounts of the same deed: what is eaten is not what is had."""
    if verb is None:
        return ""
    return verb.deed if verb.deed is VerbEffect.IS else verb.lemma


def _transfers(clauses: Sequence[_Clause], people: Sequence[str]) -> bool | None:
    for clause in clauses:
        changes = clause.verb is not None and clause.verb.deed is VerbEffect.CHANGES
        if changes and _NUMBERED.search(clause.text) and clause.compared is None:
            return True
    for words in [*people, *(clause.text for clause in clauses)]:
        for word in words.split():
            verb = verb_of(word)
            if verb is not None and verb.deed is VerbEffect.CHANGES:
                return None
    numbered = [clause for clause in clauses if _NUMBERED.search(clause.text)]
    return False if numbered and all(clause.at >= 0 for clause in numbered) else None


SIGNAL_WORDS = {
    "more": r"more",
    "fewer, less": r"fewer|less",
    "altogether": r"altogether|in all|in total|total",
    "left": r"left",
    "each": r"each",
    "times": r"times|twice",
}
"""By name, the words that are looked for."""

_SIGNALS = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in SIGNAL_WORDS.items()
}


class AnswerStep(NamedTuple):
    """A calculation on the way to the answer.

    Attributes:
        operation: ``+``, ``-``, ``*`` or ``/``.
        carries: whether an addition carries or a subtraction borrows; None for the others, and
            where a number is not whole.
    """

    operation: str
    carries: bool | None


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """What a text shows.

    Attributes:
        read: whether it was read as a whole, to its answer.
        comparisons: the wording of each comparison found; None where it is not told.
        compares: whether it compares two amounts; None where that is not told.
        transfers: whether something is got, lost or handed over; None where that is not told.
        steps: to the answer, in order; None where the text is not solved.
        words: the signal words that stand in it, as `SIGNAL_WORDS` names them.
        unread: why it was not read as a whole, with “…” for its own words; "" where it was.
    """

    read: bool
    comparisons: tuple[ComparisonWording | None, ...]
    compares: bool | None
    transfers: bool | None
    steps: tuple[AnswerStep, ...] | None
    words: frozenset[str]
    unread: str = ""


_OWN_WORDS = re.compile(r"“[^”]*”(?:, “[^”]*”)*")


@dataclass(frozen=True, slots=True)
class AuditReading:
    """What the readers make of a text.

    Attributes:
        problem: its mental model, where it has one, and solution: of that.
        equations: the steps to its answer as equations, "18 - 3 = 15"; None without an answer.
        fault: why there is no answer, as a sentence; "" where there is one.
    """

    problem: Problem | None
    solution: Solution | None
    equations: tuple[str, ...] | None
    fault: str = ""


def understood(text: str) -> AuditReading:
    """What a text says as a whole: by its mental model, else by the numbers of its story."""
    try:
        # What "3 times fewer" means changes the numbers, but nothing that is counted here.
        exact = read(text, times=Times.AS_MANY, whole=True)
    except ProblemError:
        exact = None
    if exact is not None and exact.problem is not None:
        # What is read sentence by sentence and doubted is not solved in another way.
        solution = exact.solution
        doubts: tuple[str, ...] = ()
        if solution is not None and not exact.settled_times:
            looked = answer(text)
            doubts = looked.reasons if looked.answer is None else ()
        if doubts:
            return AuditReading(None, None, None, doubts[0])
        equations = None if solution is None else tuple(s.equation() for s in solution.steps)
        return AuditReading(exact.problem if solution else None, solution, equations, exact.fault)
    story = understand(text)
    against = story.reasons if story.answer is None else objections(in_figures(text), story.steps)
    return AuditReading(None, None, None if against else story.steps, "".join(against[:1]))


def shown(text: str, reader: Callable[[str], AuditReading] = understood) -> TextFeatures:
    """What a text shows.

    Args:
        text: of one problem, its question included. Anything may be given.
        reader: reads a text as a whole.
    """
    words = frozenset(name for name, pattern in _SIGNALS.items() if pattern.search(text))
    whole = reader(text)
    steps = None if whole.equations is None else tuple(map(_step, whole.equations))
    if whole.problem is None or whole.solution is None:
        found = evidence(text)
        unread = "" if steps is not None else _OWN_WORDS.sub("“…”", whole.fault)
        return TextFeatures(
            steps is not None,
            found.comparisons,
            found.compares,
            found.transfers,
            steps,
            words,
            unread,
        )
    predicates = [statement.predicate for statement in whole.problem.statements]
    # A comparison off the way to the answer has no operation that its words could suggest.
    wordings: list[ComparisonWording | None] = [
        ComparisonWording.CONSISTENT if step.consistent else ComparisonWording.INCONSISTENT
        for step in whole.solution.steps
        if step.consistent is not None
    ]
    compared = sum(isinstance(each, Comparison) for each in predicates)
    return TextFeatures(
        True,
        (*wordings, *[None] * (compared - len(wordings))),
        compared > 0,
        any(isinstance(each, Transfer) for each in predicates),
        steps,
        words,
    )


def _step(equation: str) -> AnswerStep:
    left, operation, right, *_ = equation.split()
    carried = operation in "+-" and left.isdigit() and right.isdigit()
    return AnswerStep(operation, carries(operation, int(left), int(right)) > 0 if carried else None)
