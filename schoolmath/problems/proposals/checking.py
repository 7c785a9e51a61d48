"""Whether a proposed reading is believed: the burden of proof lies with whoever proposes.

A proposal is believed only where all of these hold; each that does not is a reason:

1. Every number of the text stands in exactly one statement, in its own sentence and order, and
   no other number does; what the text leaves untold is a statement too.
2. Every name and thing of a statement stands in the text.
3. No statement says something else of its number than the clause does in which the number stands
   (`schoolmath.problems.stories` reads clauses without knowing what follows from them): who, what,
   more or fewer, got or lost, of each or in all. Nor is something else asked than in the question.
4. What follows passes the judge of stories, as every strategy of the reader's own has to: unused
   numbers are proved irrelevant, and the words speak of the operations.
5. The sentences written from it are read by the readers themselves, with the same answer; where
   what follows is beyond them, every sentence as what the proposal says.
6. A second, independent reading gives the same answer: the calculation that the same model writes
   without seeing its first reading (`schoolmath.problems.proposals.asking`).
7. Where an answer is given with the problem, it is that answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from schoolmath.problems.proposals.clauses import PRONOUNS, against_clause, against_question
from schoolmath.problems.proposals.statements import (
    OF_TWO,
    AmountRelation,
    Proposal,
    ProposalError,
)
from schoolmath.problems.proposals.telling import sentences_of, written_statements
from schoolmath.problems.proposals.working import ProposalResult, key_of, work_out
from schoolmath.problems.stories import answer
from schoolmath.problems.stories.amounts import Amount
from schoolmath.problems.stories.grammar.words import MEASURES, StorySentence, noun_lemma
from schoolmath.problems.stories.strategies.terms import (
    StrategyAnswer,
    Term,
    asks_for,
    same_verb,
    shown,
)
from schoolmath.problems.stories.understanding import Account, UnderstoodStory, account_of


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of a proposal.

    Attributes:
        answer: None where it is not believed.
        steps: the equations that lead to it.
        sentences: the proposal in plain sentences without what is not needed; "" where it is not
            believed.
        reasons: why it is not believed, as sentences; empty where it is.
    """

    answer: Fraction | None
    steps: tuple[str, ...] = ()
    sentences: str = ""
    reasons: tuple[str, ...] = ()

    @property
    def shown_answer(self) -> str:
        """The answer as it stands in an equation; "" where there is none."""
        return "" if self.answer is None else shown(self.answer)


def check(
    text: str,
    proposal: Proposal,
    second: Fraction | None,
    given: Fraction | None = None,
) -> CheckResult:
    """Whether a proposed reading of a text is believed.

    Args:
        text: the problem as it stands.
        proposal: how it is to be read.
        second: what an independent second reading answers; None: there is none, which is a reason
            against.
        given: the answer that came with the problem, if any.
    """
    account = account_of(text)
    if isinstance(account, UnderstoodStory):
        return CheckResult(None, reasons=account.reasons)
    reasons = [*_strangers(account, proposal), *_unstated(account, proposal)]
    placed = _placed(account, proposal)
    if isinstance(placed, str):
        return CheckResult(None, reasons=(*reasons, placed))
    try:
        worked = work_out(proposal)
    except ProposalError as error:
        return CheckResult(None, reasons=(*reasons, str(error)))
    reasons += _passed_over(account, proposal, worked, placed)
    for index, amount in placed.items():
        used = index in worked.used
        reasons += against_clause(account, proposal, index, amount, used=used)
    reasons += against_question(account, proposal)
    reasons += _unlike(account, proposal, worked, placed)
    if not reasons:
        judged = account.judged([_as_found(proposal, worked, placed)])
        reasons += judged.reasons
    plain = sentences_of(proposal, only=worked.used)
    if not reasons:
        reasons += _not_as_written(proposal, worked, plain)
    if second is None:
        reasons.append("There is no second reading to compare it with.")
    elif second != worked.answer:
        reasons.append(
            f"A second reading of the same text gives {shown(second)}, not {shown(worked.answer)}."
        )
    if given is not None and given != worked.answer:
        reasons.append(f"The answer given is {shown(given)}, not {shown(worked.answer)}.")
    if reasons:
        return CheckResult(None, reasons=tuple(dict.fromkeys(reasons)))
    return CheckResult(worked.answer, worked.steps, plain)


def _not_as_written(proposal: Proposal, worked: ProposalResult, plain: str) -> Iterator[str]:
    """Why the sentences written from a proposal do not say the same to the readers.

    Where they answer them, it must be the same answer. Where what follows is beyond them, both must
    still understand every sentence by itself, and no clause may say something else.
    """
    found = answer(plain)
    if found.answer is not None:
        if found.answer != worked.answer:
            yield "The sentences written from it are read with another answer."
        return
    account = account_of(plain)
    unread = [each.text for each in found.read.sentences[:-1] if each.said is None]
    if isinstance(account, UnderstoodStory) or unread:
        yield "The sentences written from it are not understood: " + " ".join(unread)
        return
    told = written_statements(proposal, only=worked.used)
    again = Proposal(tuple(replace(each, sentence=number) for number, each in enumerate(told)))
    placed = _placed(account, again)
    if isinstance(placed, str):
        yield placed
        return
    for index, amount in placed.items():
        yield from against_clause(account, again, index, amount)


def _placed(account: Account, proposal: Proposal) -> dict[int, Amount] | str:
    """Which number of the text each statement's number is; or why that cannot be told."""
    where = {
        token.index: (number, token.value)
        for number, sentence in enumerate(account.sentences)
        for token in sentence.tokens
        if token.number
    }
    amounts = sorted((each for each in account.story.known()), key=lambda each: each.at)
    if any(where.get(each.at, (0, None))[1] != each.value for each in amounts):
        return "The text tells a number in other words or in two units."
    told = [(i, each) for i, each in enumerate(proposal.statements) if each.number is not None]
    in_text = Counter((where[each.at][0], each.value) for each in amounts)
    in_proposal = Counter((each.sentence, each.number) for _, each in told)
    for (sentence, value), many in (in_text - in_proposal).items():
        assert value is not None
        times = "" if many == 1 else f", {many} times"
        return f"The {shown(value)} of sentence {sentence + 1} is not used{times}."
    for (sentence, value), _ in (in_proposal - in_text).items():
        assert value is not None
        return f"There is no {shown(value)} in sentence {sentence + 1}, or not so often."
    order = [each.sentence for _, each in told]
    if order != sorted(order):
        return "The numbers do not stand in the order of the text."
    placed: dict[int, Amount] = {}
    free = list(amounts)
    for index, said in told:
        # Of equal numbers in one sentence, the first that the statement does not contradict.
        here = [
            each for each in free
            if each.value == said.number and where[each.at][0] == said.sentence
        ]  # fmt: skip
        fitting = [
            each for each in here if not list(against_clause(account, proposal, index, each))
        ]
        placed[index] = (fitting or here)[0]
        free.remove(placed[index])
    within = [placed[index].at for index, _ in told]
    return placed if within == sorted(within) else "The numbers are not in the order of the text."


def _strangers(account: Account, proposal: Proposal) -> Iterator[str]:
    """Names and things that do not stand in the text, or that are both."""
    counted = {key_of(what) for each in proposal.statements for what in each.what}
    owning = {key_of(who) for each in proposal.statements for who in each.who}
    for both in sorted(counted & owning):
        yield f"“{' '.join(both)}” is counted and has things itself."
    for pronoun in sorted(word for who in owning for word in who if word in PRONOUNS):
        yield f"“{pronoun}” names nobody: a statement needs the name."
    for said in proposal.statements:
        for words in (*said.who, *said.what, said.whom):
            for word in key_of(words):
                if word not in account.present and word not in {"of"}:
                    yield f"“{words}” does not stand in the text."
                    break


def _unstated(account: Account, proposal: Proposal) -> Iterator[str]:
    """Amounts of which the text says "some", and which no statement has."""
    told = Counter(each.sentence for each in proposal.statements if each.number is None)
    asking = [number for number, each in enumerate(account.sentences) if _asks(each)]
    statements = [number for number in range(len(account.sentences)) if number not in asking]
    for amount in account.story.amounts:
        if amount.value is None and amount.sentence < len(statements):
            sentence = statements[amount.sentence]
            if not told[sentence]:
                yield f"What sentence {sentence + 1} leaves untold has no statement."
            told[sentence] -= 1


def _asks(sentence: StorySentence) -> bool:
    return sentence.asks or sentence.tokens[0].word in {"how", "find", "what"}


def _passed_over(
    account: Account, proposal: Proposal, worked: ProposalResult, placed: dict[int, Amount]
) -> Iterator[str]:
    """Numbers left out of the answer that may be told of the very one who is asked about."""
    asked = account.story.asked
    about = {word for who in proposal.asked.who for word in key_of(who)}
    about |= {noun_lemma(each) for each in asked.owners} | asked.place
    for index in placed.keys() - worked.used:
        amount = placed[index]
        if asked.thing.head and not asks_for(account.story, amount):
            continue
        near = {*amount.owners, amount.receiver, amount.source, *amount.place, *amount.near}
        elsewhere = amount.kind == "state" and bool(amount.place) and bool(asked.place)
        anybodys = not amount.owners and not elsewhere
        if anybodys or about & {noun_lemma(each) for each in near if each}:
            left_out = shown(amount.value or Fraction(0))
            yield f"“{left_out}” is left out, and may be told of the same one."
    for amount in account.story.amounts:
        if amount.value is None and amount.flags & {"rest", "part"}:
            yield "A part or a rest is told, which no statement says."


def _unlike(
    account: Account, proposal: Proposal, worked: ProposalResult, placed: dict[int, Amount]
) -> Iterator[str]:
    """Numbers of other things than those asked for that were put together with them."""
    if not worked.operations <= {"+", "-"}:
        return
    asked = account.story.asked
    for index in worked.used & placed.keys():
        done = asked.kind != "state" and proposal.asked.relation in {
            AmountRelation.HAS,
            AmountRelation.TOGETHER,
        }
        if done and not same_verb(placed[index].verb, asked.verb):
            yield f"The question asks what somebody did: “{asked.verb}”."
        measured = not asked.thing.head and placed[index].thing.head in MEASURES
        alike = {placed[each].thing.head for each in worked.used & placed.keys()}
        if not asks_for(account.story, placed[index]) and not (measured and len(alike) == 1):
            what = proposal.statements[index].what[0]
            yield f"The question does not ask for “{what}” as they are told."


def _as_found(
    proposal: Proposal, worked: ProposalResult, placed: dict[int, Amount]
) -> StrategyAnswer:
    """The proposal's answer as the judge takes those of the reader's strategies."""
    relations = {proposal.statements[index].relation for index in worked.used}
    if AmountRelation.HOLDS in relations:
        strategy = "times" if "*" in worked.operations else "groups"
    elif relations & {AmountRelation.MORE, AmountRelation.FEWER, AmountRelation.TIMES}:
        told = proposal.asked.relation not in OF_TWO
        strategy = "comparisons" if told else "difference"
    else:
        strategy = "state over time"
    used = frozenset(placed[index].index for index in worked.used if index in placed)
    return StrategyAnswer(strategy, Term(worked.answer, used, worked.steps, worked.operations))
