"""Whether a statement says something else than the clause, or the question, that it stands for.

The reader of stories understands clauses without knowing what follows from them; so a proposal can
be held against each of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from schoolmath.problems.proposals.statements import (
    OF_TWO,
    AmountRelation,
    Proposal,
    ProposedStatement,
)
from schoolmath.problems.proposals.working import key_of
from schoolmath.problems.stories.amounts import Amount
from schoolmath.problems.stories.grammar.words import noun_lemma
from schoolmath.problems.stories.questions import StoryQuestion
from schoolmath.problems.stories.strategies.terms import WISHES, is_kind, is_money, same_verb, shown
from schoolmath.problems.stories.understanding import Account

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
        yield f"{number} may be told of each {sorted(held & (amount.place | amount.near))[0]}."
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
            yield f"{number} is told of others than {', '.join(said.who)}."
        return
    if said.relation is AmountRelation.HOLDS:
        container = amount.per or amount.generic
        if container is not None and key_of(said.whom)[-1:] != (container.head,):
            yield f"{number} is told of each {container.head}, not of each {said.whom}."
        here = account.sentences[said.sentence].tokens
        beside = {noun_lemma(token.word) for token in here} - _MONEY
        if container is None and key_of(said.whom)[-1] not in beside:
            yield f"{number} is told of each of something else than {said.whom}."
        return
    passed = said.relation is AmountRelation.GETS and amount.kind in _LOSSES
    expected = {noun_lemma(amount.receiver)} if passed else owners
    if said.relation is AmountRelation.LOSES and amount.kind == "take":
        expected = {noun_lemma(amount.source)}
    places = amount.place | ({amount.receiver} if amount.receiver else set())
    if expected and not set(who) & (expected | (places if not owners else set())):
        yield f"{number} is told of others than {said.who[0] if said.who else 'nobody'}."
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


def _same_thing(said: ProposedStatement, amount: Amount) -> bool:
    """Whether a statement counts what the number counts, and nothing that is told apart from it."""
    head = amount.thing.head
    if not head or is_money(amount.thing):
        words = {word for what in said.what for word in key_of(what)}
        return not head or bool(words & _MONEY)
    near = amount.thing.words | amount.near | {"of"}
    for what in said.what:
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


def _answers(asked: StoryQuestion) -> frozenset[AmountRelation]:
    """The relations that a question can ask for."""
    if asked.than is not None or asked.than_owner or "difference" in asked.flags:
        if "times" in asked.flags:
            return frozenset({AmountRelation.TIMES})
        return frozenset({AmountRelation.FEWER if "fewer" in asked.flags else AmountRelation.MORE})
    if asked.per is not None or "each" in asked.flags:
        return frozenset({AmountRelation.HOLDS})
    if asked.flags & {"more", "fewer"}:
        return frozenset(
            {AmountRelation.FEWER}
            if "fewer" in asked.flags
            else {AmountRelation.MORE, *_CHANGES_OF.get(asked.kind, ())}
        )
    if "left" in asked.flags:
        return frozenset({AmountRelation.HAS})
    if asked.kind in _LOSSES:
        return frozenset({AmountRelation.LOSES, AmountRelation.GIVES})
    if "total" in asked.flags:
        return frozenset({AmountRelation.TOGETHER, AmountRelation.HAS})
    if asked.kind in _GAINS:
        return frozenset({AmountRelation.HAS, AmountRelation.TOGETHER, AmountRelation.GETS})
    return frozenset({AmountRelation.HAS, AmountRelation.TOGETHER})
