"""From a text to its mental model: the inverse of wording, also for other people's sentences.

Reads every sentence that this lab writes, exactly, and the usual ones of school books; nouns and
names may be any. What can be meant in more than one way is not read, and the reason says what to
write instead. What was read is solved, and doubted where its author may not have meant the
solution: the solver takes sentences in their order and leaves alone what does not lead to the
answer, which in anybody's text could hide that two things are one, or a sentence came too late.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from schoolmath.problems.errors import UnsolvableProblem
from schoolmath.problems.logic import (
    Comparison,
    Container,
    Entity,
    Possession,
    Problem,
    Question,
    Rate,
    Solution,
    Statement,
    Transfer,
    solve,
)
from schoolmath.problems.reading.entities import (
    Altogether,
    AskedAtFirst,
    AtTheEnd,
    Some,
    TextEntities,
    Times,
    Utterance,
    container_of,
    people_of,
    things_of,
)
from schoolmath.problems.reading.filling import KnownPeople, with_full_things, with_owners
from schoolmath.problems.reading.sentences import Clause, Unclear, read_sentence
from schoolmath.problems.vocabulary import Vocabulary, vocabulary


def doubt_about(problem: Problem, solution: Solution, words: Vocabulary) -> str:
    """Why the solution may not be what is meant, as a sentence; "" where it is."""
    return below_none(solution, words) or unsure(problem, solution, words)


def unsure(problem: Problem, solution: Solution, words: Vocabulary) -> str:
    """Why it may not have been read as it is meant, as a sentence; "" where it is."""
    return _twice(problem) or _late(problem, solution) or _nearly_alike(problem, solution, words)


def below_none(solution: Solution, words: Vocabulary) -> str:
    """A step that leaves somebody with less than nothing, as a sentence; "" where none does."""
    for step in solution.steps:
        if step.result < 0:
            what = words.write(step.possession.entity, 2)
            return (
                f"{step.equation()}: {step.possession.agent} would have fewer {what} than none. "
                "Change a number."
            )
    return ""


def _twice(problem: Problem) -> str:
    """The same said twice, which may mean twice as much."""
    told: dict[Container, int] = {}
    for index, statement in enumerate(problem.statements):
        predicate = statement.predicate
        if isinstance(predicate, Container):
            first = told.setdefault(predicate, index)
            between = problem.statements[first + 1 : index]
            if first < index and not any(isinstance(x.predicate, Transfer) for x in between):
                return (
                    f"Sentences {first + 1} and {index + 1} say the same: leave one out, or write "
                    "“gets” for what is added."
                )
    return ""


def _late(problem: Problem, solution: Solution) -> str:
    """A change of an amount that is told only after it, by words that may mean before it."""
    if not any(isinstance(each.predicate, Transfer) for each in problem.statements):
        return ""
    known: set[Possession] = set()
    changed: dict[Possession, int] = {}
    waiting: list[int] = []
    for index, statement in enumerate(problem.statements):
        predicate = statement.predicate
        if isinstance(predicate, Transfer):
            for agent in (predicate.sender, predicate.receiver):
                if agent is not None:
                    possession = Possession(agent, predicate.entity)
                    if possession not in known:
                        changed.setdefault(possession, index)
            continue
        waiting.append(index)
        for place, possession in _settled(problem, waiting, known):
            change = changed.get(possession)
            if change is None or place in solution.unused:
                continue
            if place < change or isinstance(problem.statements[place].predicate, Container):
                return (
                    f"Sentence {change + 1} changes what {possession.agent} has before it is "
                    "known: say first what somebody has, then what happens."
                )
    return ""


def _settled(
    problem: Problem, waiting: list[int], possessions: set[Possession]
) -> Iterator[tuple[int, Possession]]:
    """Takes the statements off that tell an amount by what is known; each with that amount."""
    again = True
    while again and waiting:
        again = False
        for index in tuple(waiting):
            possession = _stated(problem.statements[index], possessions)
            if possession is not None:
                waiting.remove(index)
                possessions.add(possession)
                again = True
                yield index, possession


def _stated(statement: Statement, possessions: set[Possession]) -> Possession | None:
    predicate = statement.predicate
    if isinstance(predicate, Container):
        return Possession(predicate.agent, predicate.entity)
    if isinstance(predicate, Comparison):
        one = Possession(predicate.agent_a, predicate.entity)
        other = Possession(predicate.agent_b, predicate.entity)
    elif isinstance(predicate, Rate):
        one = Possession(predicate.agent, predicate.entity)
        other = Possession(predicate.agent, predicate.per)
    else:
        return None
    if other in possessions:
        return one
    return other if one in possessions else None


def _nearly_alike(problem: Problem, solution: Solution, words: Vocabulary) -> str:
    """A sentence that is not needed only because it names a thing in other words."""
    if not solution.unused:
        return ""
    unused = set(solution.unused)
    needed = [each.predicate for i, each in enumerate(problem.statements) if i not in unused]
    people = {problem.question.agent, *(name for each in needed for name in _people(each))}
    things = {problem.question.entity, *(each.entity for each in needed)}
    for index in solution.unused:
        predicate = problem.statements[index].predicate
        if not people.intersection(_people(predicate)):
            continue
        moved = isinstance(predicate, Transfer)
        for thing in things:
            if thing != predicate.entity and _could_be(predicate.entity, thing, moved=moved):
                one = words.write(predicate.entity, 2)
                other = words.write(thing, 2)
                return (
                    f"Sentence {index + 1} counts “{one}”, which may or may not be part of the "
                    f"“{other}”: write the same words where the same is meant."
                )
    return ""


def _people(predicate: Container | Transfer | Comparison | Rate) -> tuple[str | None, ...]:
    match predicate:
        case Transfer():
            return (predicate.sender, predicate.receiver)
        case Comparison():
            return (predicate.agent_a, predicate.agent_b)
    return (predicate.agent,)


def _could_be(one: Entity, other: Entity, *, moved: bool) -> bool:
    """Whether one thing may be meant to be, or to be part of, the other."""
    if one.noun == other.noun and one.attribute == other.attribute:
        return moved
    if bool(one.unit) != bool(other.unit):
        return False
    mine, theirs = _words(one), _words(other)
    return mine < theirs or theirs < mine


def _words(entity: Entity) -> set[str]:
    return set(f"{entity.unit}_{entity.attribute}_{entity.noun}".split("_")) - {""}


LONGEST_TEXT = 5_000
"""Characters of the longest text that is read."""

LONGEST_SENTENCE = 400
"""Characters of the longest sentence that is read."""

MOST_SENTENCES = 60
"""Most sentences of a text that is read."""

_TITLE_DOT = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof|St)\.", re.IGNORECASE)
_END = re.compile(r"(?<=[.?!])\s+|;\s*")


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence of a text, or a part of one that says one thing.

    Attributes:
        text: as it stands.
        said: what it says, with full names and things; None where it was not read.
        reason: why it was not read and what to write instead; "" where it was.
    """

    text: str
    said: Utterance | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as it was understood.

    Attributes:
        sentences: in the order of the text; one that says several things stands once for each.
        problem: the mental model; None where a sentence was not read, or where what was read
            is no problem of this lab.
        solution: None where there is no problem, or where it has no one answer.
        fault: a sentence saying why there is no problem or no solution; "" where there is.
        words: the vocabulary with which `write` writes the problem again: ours, and the text's
            own nouns as the text writes them.
        settled_times: whether what it says hangs on what "3 times more" was taken to mean.
        incomplete: whether nothing is wrong with the problem but that something is not told.
    """

    sentences: tuple[ReadSentence, ...]
    problem: Problem | None
    solution: Solution | None
    fault: str
    words: Vocabulary
    settled_times: bool = False
    incomplete: bool = False

    @property
    def unread(self) -> tuple[ReadSentence, ...]:
        """The sentences that were not read."""
        return tuple(each for each in self.sentences if each.said is None)


def read(
    text: str,
    words: Vocabulary | None = None,
    times: Times = Times.UNSETTLED,
    *,
    whole: bool = False,
) -> ReadText:
    """What a word problem says, and its solution.

    Args:
        text: sentences, one of them the question. Anything may be given: what cannot be read
            is named.
        words: the vocabulary in which nouns are looked up; None: the one in use.
        times: what "3 times more" and "3 times fewer" mean, where somebody knows.
        whole: stops at the first sentence that is not read, since no problem comes of the text;
            what stands after it is not told.
    """
    if len(text) > LONGEST_TEXT:
        fault = f"The text is longer than {LONGEST_TEXT} characters: no word problem is."
        return ReadText((), None, None, fault, words or vocabulary())
    written = _sentences(text)
    if len(written) > MOST_SENTENCES:
        fault = f"The text has more than {MOST_SENTENCES} sentences: no word problem has."
        return ReadText((), None, None, fault, words or vocabulary())
    things = TextEntities(words, times)
    clauses: list[Clause] = []
    for sentence in written:
        clauses += _read(sentence, things)
        if whole and any(clause.said is None for clause in clauses):
            break
    sentences = tuple(_understood(clauses, things))
    fault = _fault(sentences)
    problem = None if fault else _problem([each.said for each in sentences])
    used = [thing for each in sentences if each.said is not None for thing in things_of(each.said)]
    if problem is None:
        found = ReadText(sentences, None, None, fault, things.words(used))
    else:
        found = _solved(sentences, problem, things.words(used))
    return replace(found, settled_times=True) if things.settled_times else found


def same_meaning(one: Problem, other: Problem) -> bool:
    """Whether two problems say the same in the same order, in whatever words.

    "Ana has 3 more than Ben" says the same as "Ben has 3 fewer than Ana".
    """
    return [each.predicate for each in one.statements] == [
        each.predicate for each in other.statements
    ] and (one.question.agent, one.question.entity) == (other.question.agent, other.question.entity)


def _sentences(text: str) -> list[str]:
    plain = " ".join(text.split())
    if "." in plain:
        plain = _TITLE_DOT.sub(r"\1", plain)
    return [each for each in _END.split(plain) if each]


def _read(sentence: str, things: TextEntities) -> tuple[Clause, ...]:
    if len(sentence) > LONGEST_SENTENCE:
        reason = f"It is longer than {LONGEST_SENTENCE} characters: write shorter sentences."
        return (Clause(sentence, None, reason),)
    return read_sentence(sentence, things)


def _understood(clauses: Sequence[Clause], things: TextEntities) -> list[ReadSentence]:
    """The clauses with names in place of pronouns, and with owners and things in full."""
    found = [ReadSentence(*clause) for clause in clauses]
    if things.exact:
        return found
    people = KnownPeople()

    def resolved(all_said: Sequence[Utterance]) -> list[Utterance | Unclear]:
        return [_attempt(people, said) for said in all_said]

    found = _each(found, resolved)
    found = _each(found, lambda all_said: with_full_things(all_said, things))
    everybody = [name for each in found if each.said is not None for name in people_of(each.said)]
    return _each(found, lambda all_said: with_owners(all_said, everybody))


def _attempt(people: KnownPeople, utterance: Utterance) -> Utterance | Unclear:
    try:
        return people.resolved(utterance)
    except Unclear as unclear:
        return unclear


def _each(
    sentences: Sequence[ReadSentence],
    change: Callable[[Sequence[Utterance]], Sequence[Utterance | Unclear]],
) -> list[ReadSentence]:
    """The sentences with what they say changed; what cannot be told becomes unread."""
    changed = iter(change([each.said for each in sentences if each.said is not None]))
    found = []
    for each in sentences:
        if each.said is not None:
            said = next(changed)
            if isinstance(said, Unclear):
                each = ReadSentence(each.text, None, str(said))
            else:
                each = ReadSentence(each.text, said)
        found.append(each)
    return found


def _fault(sentences: Sequence[ReadSentence]) -> str:
    """Why the sentences make no problem."""
    if not sentences:
        return "The text is empty: write a word problem, a sentence for each thing it tells."
    unread = sum(each.said is None for each in sentences)
    if unread:
        were = "sentence was" if unread == 1 else "sentences were"
        return f"{unread} {were} not read: write it in other words or leave it out."
    said = [each.said for each in sentences]
    questions = sum(isinstance(each, Question | AskedAtFirst) for each in said)
    if questions != 1:
        asked = "asks nothing" if not questions else "asks more than one thing"
        return f"The text {asked}: end with one question, such as “How many ... does ... have?”."
    if any(isinstance(each, Some | AskedAtFirst) for each in said):
        return "The text asks for what was at first: only what somebody has in the end is solved."
    if any(isinstance(each, Altogether) for each in said):
        return "The text tells what two people have altogether: tell what one of them has."
    return ""


def _problem(utterances: Sequence[Utterance | None]) -> Problem | None:
    statements = []
    question = None
    for each in utterances:
        if isinstance(each, Question):
            question = each
        elif isinstance(each, AtTheEnd):
            statements.append(container_of(each))
        elif isinstance(each, Statement):
            statements.append(each)
    return None if question is None else Problem(tuple(statements), question)


def _solved(sentences: tuple[ReadSentence, ...], problem: Problem, words: Vocabulary) -> ReadText:
    try:
        solution = solve(problem)
    except UnsolvableProblem as error:
        fault = str(error)
        incomplete = type(error) is UnsolvableProblem
        if incomplete:
            asked = problem.question
            what = words.write(asked.entity, 2)
            fault = (
                f"The text does not tell how many {what} {asked.agent} has: add a sentence that "
                "leads to it, such as what there is at first."
            )
        return ReadText(sentences, problem, None, fault, words, incomplete=incomplete)
    doubt = doubt_about(problem, solution, words)
    return ReadText(sentences, problem, None if doubt else solution, doubt, words)
