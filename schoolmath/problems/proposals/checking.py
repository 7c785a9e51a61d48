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
   without seeing its first reading.
7. Where an answer is given with the problem, it is that answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from schoolmath.problems.proposals.statements import (
    OF_TWO,
    AmountRelation,
    Proposal,
    ProposalError,
    ProposedStatement,
)
from schoolmath.problems.proposals.telling import (
    ProposalResult,
    key_of,
    sentences_of,
    work_out,
    written_statements,
)
from schoolmath.problems.second_look import objections
from schoolmath.problems.stories import answer
from schoolmath.problems.stories.amounts import Amount, StoryQuestion
from schoolmath.problems.stories.strategies.terms import (
    WISHES,
    StrategyAnswer,
    Term,
    asks_for,
    is_kind,
    is_money,
    same_verb,
    shown,
)
from schoolmath.problems.stories.understanding import Account, UnderstoodStory, account_of
from schoolmath.problems.stories.words import MEASURES, begins_like_a_question, noun_lemma

_GAINS = frozenset({"gain", "make", "come", "put", "take"})
_LOSSES = frozenset({"loss", "leave", "give"})
_UNCLEAR = frozenset({"part", "rest", "other", "denied"})


def against_clause(
    account: Account, proposal: Proposal, index: int, amount: Amount, *, used: bool = True
) -> Iterator[str]:
    """What a statement says of its number otherwise than the clause in which the number stands."""
    said = proposal.statements[index]
    assert said.number is not None
    number = f"“{shown(said.number)}”"
    if not _same_thing(said, amount):
        yield f"{number} counts something else than “{said.what[0]}”."
    lost = said.relation in {AmountRelation.LOSES, AmountRelation.GIVES}
    if amount.flags & _UNCLEAR - ({"part"} if lost else set()):
        # "Of them" is clear only where it goes from what is there.
        yield f"What {number} is a part of was not understood."
    passes = amount.kind in _LOSSES | {"take"} and not amount.owners
    if ("passive" in amount.flags or passes) and not amount.subject:
        # "Ana is given 5": the clause's subject is not who gives.
        yield f"Who gives or gets {number} was not understood."
    if WISHES & set(amount.modals):
        yield f"{number} is needed or wished for, not there."
    held = {each.per.head for each in account.story.amounts if each.per is not None}
    if amount.per is None and held & (amount.place | amount.near):
        # "8 blocks ... 19 houses on a block": so many on each, though no "each" says so.
        yield f"{number} may be about each {sorted(held & (amount.place | amount.near))[0]}."
    relations = set(_relations(account, proposal, index, amount))
    if amount.kind == "act" and not used:
        # What has no part in the answer may be anybody's: that it has none is proved later.
        relations.add(AmountRelation.HAS)
    if said.relation not in relations:
        yield f"The clause of {number} does not say “{said.relation}”."
        return
    owners = {noun_lemma(each) for each in amount.owners} - PRONOUNS
    who = key_of(said.who[0]) if said.who else ()
    if said.relation is AmountRelation.TOGETHER:
        named = {key_of(each)[-1] for each in said.who if key_of(each)}
        if owners and named != owners:
            yield f"{number} is about others than {', '.join(said.who)}."
        return
    if said.relation is AmountRelation.HOLDS:
        container = amount.per or amount.generic
        if container is not None and key_of(said.whom)[-1:] != (container.head,):
            yield f"{number} is about each {container.head}, not of each {said.whom}."
        here = account.sentences[said.sentence].tokens
        beside = {noun_lemma(token.word) for token in here} - _MONEY
        if container is None and key_of(said.whom)[-1] not in beside:
            yield f"{number} is about each of something else than {said.whom}."
        return
    passed = said.relation is AmountRelation.GETS and amount.kind in _LOSSES
    expected = {noun_lemma(amount.receiver)} if passed else owners
    if said.relation is AmountRelation.LOSES and amount.kind == "take":
        expected = {noun_lemma(amount.source)}
    places = amount.place | ({amount.receiver} if amount.receiver else set())
    if expected and not set(who) & (expected | (places if not owners else set())):
        yield f"{number} is about others than {said.who[0] if said.who else 'nobody'}."
    if said.relation in OF_TWO and said.relation is not AmountRelation.GIVES:
        if amount.than is not None:
            yield f"{number} is not compared with anybody."
        elif amount.than_owner not in {"", "?"} and noun_lemma(amount.than_owner) not in key_of(
            said.whom
        ):
            yield f"{number} is compared with others than {said.whom}."
    goes = (
        said.relation is AmountRelation.GIVES and amount.kind in _LOSSES and bool(amount.receiver)
    )
    if goes and noun_lemma(amount.receiver) not in key_of(said.whom):
        yield f"{number} goes to others than {said.whom}."


_MONEY = frozenset({"dollar", "cent", "money"})
_SEVERAL = frozenset({"they", "we"})
PRONOUNS = frozenset({"they", "it", "we", "he", "she", "i", "you"})


def _relations(
    account: Account, proposal: Proposal, index: int, amount: Amount
) -> Iterator[AmountRelation]:
    """What the clause of a number can say of it."""
    if amount.compared:
        if amount.times:
            yield AmountRelation.TIMES
        elif amount.fewer:
            yield AmountRelation.FEWER
        elif amount.more:
            yield AmountRelation.MORE
        return
    if amount.per is not None or amount.generic is not None or "each" in amount.flags:
        yield AmountRelation.HOLDS
        return
    if "total" in amount.flags:
        yield AmountRelation.TOGETHER
        return
    first = not _stated_before(proposal, index)
    if amount.kind == "state":
        yield AmountRelation.HAS
    elif amount.kind == "take":
        # What is taken from a place goes from there, whoever takes it: refused as unclear.
        if amount.source and amount.source in account.story.people:
            yield from (AmountRelation.GIVES, AmountRelation.GETS, AmountRelation.LOSES)
    elif amount.kind in _GAINS:
        yield AmountRelation.GETS
        if first and not amount.more:
            yield AmountRelation.HAS
    elif amount.kind in _LOSSES:
        if amount.receiver:
            yield from (AmountRelation.GIVES, AmountRelation.GETS)
        named = {
            word
            for each in proposal.statements
            for who in (*each.who, each.whom)
            for word in key_of(who)
        }
        if noun_lemma(amount.receiver) not in named:
            # Where nothing else is said of who gets it, it is enough that it goes.
            yield AmountRelation.LOSES
    elif amount.kind == "act" and same_verb(amount.verb, account.story.asked.verb) and first:
        yield AmountRelation.HAS


def _stated_before(proposal: Proposal, index: int) -> bool:
    """Whether the same amount of the same one is told before."""
    said = proposal.statements[index]
    keys = {(key_of(who), key_of(what)) for who in said.who or ("",) for what in said.what}
    return any(
        {(key_of(who), key_of(what)) for who in each.who or ("",) for what in each.what} & keys
        for each in proposal.statements[:index]
        if not each.asked
    )


def _same_thing(statement: ProposedStatement, amount: Amount) -> bool:
    """Whether a statement counts what the number counts, and nothing that is told apart from it."""
    head = amount.thing.head
    if not head or is_money(amount.thing):
        words = {word for what in statement.what for word in key_of(what)}
        return not head or bool(words & _MONEY)
    near = amount.thing.words | amount.near | {"of"}
    for what in statement.what:
        key = key_of(what)
        if head not in key and not any(is_kind(word, head) for word in key):
            return False
        kinds = {word for word in key if is_kind(word, head)}
        if "elliptic" not in amount.flags and not set(key) - kinds <= near:
            return False
    return True


def against_question(account: Account, proposal: Proposal) -> Iterator[str]:
    """What is asked otherwise than in the question."""
    asked, said = account.story.asked, proposal.asked
    at = proposal.statements.index(said)
    if said.relation not in _answers(asked):
        yield f"The question does not ask for what “{said.relation}” says."
    words = {word for what in said.what for word in key_of(what)}
    for thing in asked.things or [asked.thing]:
        kinds = all(is_kind(thing.head, key_of(each)[-1]) for each in said.what)
        if thing.head and not is_money(thing) and thing.head not in words and not kinds:
            yield f"The question asks for “{thing.head}”."
        held = {word for each in proposal.statements for what in each.what for word in key_of(what)}
        told = {word for each in account.story.amounts for word in each.thing.mods}
        if not (thing.mods & told <= words and thing.of <= words | held):
            yield f"The question asks for “{' '.join(sorted(thing.mods))} {thing.head}”."
    for what in said.what:
        key = key_of(what)
        fit = any(t.head in key or is_kind(t.head, key[-1]) or is_money(t) for t in asked.things)
        if asked.things and not fit:
            yield f"The question does not ask for “{what}”."
    containers = {
        key_of(each.whom) for each in proposal.statements if each.relation is AmountRelation.HOLDS
    }
    if len(said.what) > 1 and containers & {key_of(each) for each in said.what}:
        yield "What is held and what holds it are put together."
    owners = {noun_lemma(each) for each in asked.owners} - PRONOUNS
    named = {word for who in said.who for word in key_of(who)}
    several = len(asked.owners) > 1 or bool(set(asked.owners) & _SEVERAL)
    if several and said.relation is not AmountRelation.HOLDS and len(said.who) < 2:
        yield "The question asks of several together."
    if said.relation is not AmountRelation.HOLDS and owners - named - _KINDS_OF_ALL:
        yield f"The question asks of {' and '.join(sorted(owners))}."
    alone = len(owners) == 1 and "total" not in asked.flags
    if said.relation is AmountRelation.TOGETHER and len(said.who) > 1 and alone:
        yield f"The question asks of {' and '.join(sorted(owners))} alone."
    if asked.than is not None and not asked.than_owner:
        yield "The question compares two things, which no statement says."
    if asked.than_owner and noun_lemma(asked.than_owner) not in {*key_of(said.whom), *named}:
        yield f"The question compares with {asked.than_owner}."
    changes = {AmountRelation.GETS, AmountRelation.LOSES, AmountRelation.GIVES}
    if said.relation in {AmountRelation.HAS, AmountRelation.TOGETHER}:
        later = any(each.relation in changes for each in proposal.statements[at:])
        if later != bool(asked.flags & {"start", "before"}):
            yield "The question asks of another moment."


_KINDS_OF_ALL = frozenset({"all", "both"})


_CHANGES_OF = dict.fromkeys(_GAINS, (AmountRelation.GETS,))


def _answers(question: StoryQuestion) -> frozenset[AmountRelation]:
    """The relations that a question can ask for."""
    if question.than is not None or question.than_owner or "difference" in question.flags:
        if "times" in question.flags:
            return frozenset({AmountRelation.TIMES})
        return frozenset(
            {AmountRelation.FEWER if "fewer" in question.flags else AmountRelation.MORE}
        )
    if question.per is not None or "each" in question.flags:
        return frozenset({AmountRelation.HOLDS})
    if question.flags & {"more", "fewer"}:
        return frozenset(
            {AmountRelation.FEWER}
            if "fewer" in question.flags
            else {AmountRelation.MORE, *_CHANGES_OF.get(question.kind, ())}
        )
    if "left" in question.flags:
        return frozenset({AmountRelation.HAS})
    if question.kind in _LOSSES:
        return frozenset({AmountRelation.LOSES, AmountRelation.GIVES})
    if "total" in question.flags:
        return frozenset({AmountRelation.TOGETHER, AmountRelation.HAS})
    if question.kind in _GAINS:
        return frozenset({AmountRelation.HAS, AmountRelation.TOGETHER, AmountRelation.GETS})
    return frozenset({AmountRelation.HAS, AmountRelation.TOGETHER})


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
    text: str, proposal: Proposal, second: Fraction | None, answer: Fraction | None = None
) -> CheckResult:
    """Whether a proposed reading of a text is believed.

    Args:
        text: the problem as it stands.
        proposal: how it is to be read.
        second: what an independent second reading answers; None: there is none, which is a reason
            against.
        answer: the answer that came with the problem, if any.
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
        reasons += objections(text, worked.steps)
    if second is None:
        reasons.append("There is no second reading to compare it with.")
    elif second != worked.answer:
        reasons.append(
            f"A second reading of the same text gives {shown(second)}, not {shown(worked.answer)}."
        )
    if answer is not None and answer != worked.answer:
        reasons.append(f"The answer given is {shown(answer)}, not {shown(worked.answer)}.")
    if reasons:
        return CheckResult(None, reasons=tuple(dict.fromkeys(reasons)))
    return CheckResult(worked.answer, worked.steps, plain)


def _not_as_written(proposal: Proposal, result: ProposalResult, plain: str) -> Iterator[str]:
    """Why the sentences written from a proposal do not say the same to the readers.

    Where they answer them, it must be the same answer. Where what follows is beyond them, both must
    still understand every sentence by itself, and no clause may say something else.
    """
    found = answer(plain)
    if found.answer is not None:
        if found.answer != result.answer:
            yield "The sentences written from it are read with another answer."
        return
    account = account_of(plain)
    unread = [each.text for each in found.read.sentences[:-1] if each.said is None]
    if isinstance(account, UnderstoodStory) or unread:
        yield "The sentences written from it are not understood: " + " ".join(unread)
        return
    told = written_statements(proposal, only=result.used)
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
    asking = [
        number
        for number, each in enumerate(account.sentences)
        if each.asks or begins_like_a_question(each.tokens)
    ]
    statements = [number for number in range(len(account.sentences)) if number not in asking]
    for amount in account.story.amounts:
        if amount.value is None and amount.sentence < len(statements):
            sentence = statements[amount.sentence]
            if not told[sentence]:
                yield f"What sentence {sentence + 1} leaves untold has no statement."
            told[sentence] -= 1


def _passed_over(
    account: Account, proposal: Proposal, result: ProposalResult, placed: dict[int, Amount]
) -> Iterator[str]:
    """Numbers left out of the answer that may be told of the very one who is asked about."""
    asked = account.story.asked
    about = {word for who in proposal.asked.who for word in key_of(who)}
    about |= {noun_lemma(each) for each in asked.owners} | asked.place
    for index in placed.keys() - result.used:
        amount = placed[index]
        if asked.thing.head and not asks_for(account.story, amount):
            continue
        near = {*amount.owners, amount.receiver, amount.source, *amount.place, *amount.near}
        elsewhere = amount.kind == "state" and bool(amount.place) and bool(asked.place)
        anybodys = not amount.owners and not elsewhere
        if anybodys or about & {noun_lemma(each) for each in near if each}:
            left_out = shown(amount.value or Fraction(0))
            yield f"“{left_out}” is left out, and may be about the same one."
    for amount in account.story.amounts:
        if amount.value is None and amount.flags & {"rest", "part"}:
            yield "The text mentions a part or a rest, which no statement says."


def _unlike(
    account: Account, proposal: Proposal, result: ProposalResult, placed: dict[int, Amount]
) -> Iterator[str]:
    """Numbers of other things than those asked for that were put together with them."""
    if not result.operations <= {"+", "-"}:
        return
    asked = account.story.asked
    for index in result.used & placed.keys():
        done = asked.kind != "state" and proposal.asked.relation in {
            AmountRelation.HAS,
            AmountRelation.TOGETHER,
        }
        if done and not same_verb(placed[index].verb, asked.verb):
            yield f"The question asks what somebody did: “{asked.verb}”."
        measured = not asked.thing.head and placed[index].thing.head in MEASURES
        alike = {placed[each].thing.head for each in result.used & placed.keys()}
        if not asks_for(account.story, placed[index]) and not (measured and len(alike) == 1):
            what = proposal.statements[index].what[0]
            yield f"The question does not ask for “{what}” as they are described."


def _as_found(
    proposal: Proposal, result: ProposalResult, placed: dict[int, Amount]
) -> StrategyAnswer:
    """The proposal's answer as the judge takes those of the reader's strategies."""
    relations = {proposal.statements[index].relation for index in result.used}
    if AmountRelation.HOLDS in relations:
        strategy = "times" if "*" in result.operations else "groups"
    elif relations & {AmountRelation.MORE, AmountRelation.FEWER, AmountRelation.TIMES}:
        told = proposal.asked.relation not in OF_TWO
        strategy = "comparisons" if told else "difference"
    else:
        strategy = "state over time"
    used = frozenset(placed[index].index for index in result.used if index in placed)
    return StrategyAnswer(strategy, Term(result.answer, used, result.steps, result.operations))
