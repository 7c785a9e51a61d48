"""A simulated proposer: reads clause by clause, guesses what it can't tell, and makes errors.

It stands for a model where the check of proposals is measured (benchmarks/proposals.py): it knows
the clauses of the text and guesses how they hang together, and its errors are those that models
make: the wrong person, the wrong way round, a number lost or changed, another thing, another
question. It is no model and never asked for an answer that anybody sees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

from schoolmath.problems.proposals.statements import (
    OF_TWO,
    AmountRelation,
    Proposal,
    ProposedStatement,
)
from schoolmath.problems.stories.amounts import Amount, Thing
from schoolmath.problems.stories.understanding import Account

_BY_KIND = {
    "gain": AmountRelation.GETS, "make": AmountRelation.GETS, "come": AmountRelation.GETS,
    "put": AmountRelation.GETS,
    "take": AmountRelation.GETS, "loss": AmountRelation.LOSES, "leave": AmountRelation.LOSES,
    "give": AmountRelation.GIVES,
}  # fmt: skip


def guessed(account: Account, random: Random) -> Proposal:
    """A proposal by clauses, with guesses where they leave a choice.

    Raises:
        ProposalError: what was guessed makes no proposal.
    """
    places = {
        token.index: number
        for number, sentence in enumerate(account.sentences)
        for token in sentence.tokens
    }
    asking = [
        number for number, each in enumerate(account.sentences)
        if each.asks or each.tokens[0].word in {"how", "find", "what"}
    ]  # fmt: skip
    telling = [number for number in range(len(account.sentences)) if number not in asking]
    statements: list[ProposedStatement] = []
    for amount in sorted(account.story.amounts, key=lambda each: each.index):
        if amount.at >= 0:
            sentence = places[amount.at]
        else:
            sentence = telling[min(amount.sentence, len(telling) - 1)] if telling else 0
        statements.append(_statement(account, amount, sentence, random))
    return Proposal(tuple(_with_question(account, statements, asking[0], random)))


def with_error(proposal: Proposal, random: Random) -> Proposal:
    """The proposal with one typical error.

    Raises:
        ProposalError: what came of it is no proposal.
    """
    error = random.choice(_ERRORS)
    index = random.randrange(len(proposal.statements))
    found = list(proposal.statements)
    error(found, index, random)
    return Proposal(tuple(found))


def _thing(thing: Thing, *, plain: bool) -> str:
    """A thing in words; plain: without what tells it from others of its noun."""
    mods = [] if plain else sorted(thing.mods)
    of = sorted(thing.of)
    tail = f" of {' '.join(of)}" if of and not plain else ""
    return " ".join([*mods, thing.head or "thing"]) + tail


def _statement(
    account: Account, amount: Amount, sentence: int, random: Random
) -> ProposedStatement:
    asked = account.story.asked
    plain = random.random() < 0.6
    thing = amount.thing
    kin = asked.thing.head and thing.head != asked.thing.head and random.random() < 0.1
    what = _thing(asked.thing if kin else thing, plain=plain)
    owners = [*amount.owners, *sorted(amount.place)] or [*asked.owners, *sorted(asked.place)]
    who = _name(
        account, owners[0] if owners and random.random() < 0.9 else _anybody(account, random)
    )
    whom = ""
    if amount.compared:
        relation = AmountRelation.FEWER if amount.fewer else AmountRelation.MORE
        relation = AmountRelation.TIMES if amount.times else relation
        whom = _name(account, amount.than_owner or _anybody(account, random))
    elif amount.per is not None or amount.generic is not None or "each" in amount.flags:
        relation = AmountRelation.HOLDS
        container = amount.per or amount.generic
        counts = [each.thing.head for each in account.story.amounts if each is not amount]
        whom = container.head if container else random.choice(counts or ["box"])
    else:
        relation = _BY_KIND.get(amount.kind, AmountRelation.HAS)
        if relation is AmountRelation.GIVES:
            whom = _name(account, amount.receiver)
            if not whom or random.random() < 0.2:
                relation, whom = AmountRelation.LOSES, ""
        elif relation is AmountRelation.GETS and random.random() < 0.4:
            relation = AmountRelation.HAS
    number = amount.value
    return ProposedStatement(
        relation, (who,) if who else (), (what,), number, False, whom, sentence
    )


def _with_question(
    account: Account, statements: list[ProposedStatement], sentence: int, random: Random
) -> list[ProposedStatement]:
    asked = account.story.asked
    untold = [index for index, each in enumerate(statements) if each.number is None]
    if untold and random.random() < 0.5:
        index = random.choice(untold)
        return [replace(each, asked=i == index) for i, each in enumerate(statements)]
    owners = [*asked.owners, *sorted(asked.place)]
    who = tuple(_name(account, each) for each in asked.owners) or (
        (_name(account, random.choice(owners)),) if owners else statements[0].who
    )
    things = tuple(_thing(each, plain=random.random() < 0.6) for each in asked.things)
    what = things or statements[0].what
    if random.random() < 0.5:
        what = statements[random.randrange(len(statements))].what
    kind = random.random()
    people = tuple(dict.fromkeys(each.who[0] for each in statements if each.who))
    counted = tuple(dict.fromkeys(each.what[0] for each in statements))
    if asked.than_owner or asked.than is not None:
        other = _name(account, asked.than_owner) or _anybody(account, random)
        relation = AmountRelation.FEWER if "fewer" in asked.flags else AmountRelation.MORE
        question = ProposedStatement(relation, who[:1], what[:1], None, True, other, sentence)
    elif asked.per is not None or "each" in asked.flags:
        container = asked.per.head if asked.per else random.choice(counted)
        question = ProposedStatement(
            AmountRelation.HOLDS, who[:1], what[:1], None, True, container, sentence
        )
    elif kind < 0.25 and len(people) > 1:
        question = ProposedStatement(
            AmountRelation.TOGETHER, people, what[:1], None, True, "", sentence
        )
    elif kind < 0.4 and len(counted) > 1:
        question = ProposedStatement(
            AmountRelation.TOGETHER, who[:1], counted, None, True, "", sentence
        )
    else:
        question = ProposedStatement(
            AmountRelation.HAS, who[:1], what[:1], None, True, "", sentence
        )
    if asked.flags & {"start", "before"}:
        return [question, *statements]
    return [*statements, question]


def _name(account: Account, owner: str) -> str:
    if not owner:
        return ""
    return owner.title() if owner in account.story.people else owner


def _anybody(account: Account, random: Random) -> str:
    people = account.story.people
    return random.choice(people).title() if people else ""


_Error = Callable[[list[ProposedStatement], int, Random], None]


def _other_way_round(statements: list[ProposedStatement], index: int, _random: Random) -> None:
    opposite = {
        AmountRelation.GETS: AmountRelation.LOSES, AmountRelation.LOSES: AmountRelation.GETS,
        AmountRelation.MORE: AmountRelation.FEWER, AmountRelation.FEWER: AmountRelation.MORE,
        AmountRelation.HAS: AmountRelation.GETS, AmountRelation.TIMES: AmountRelation.MORE,
        AmountRelation.GIVES: AmountRelation.GIVES, AmountRelation.HOLDS: AmountRelation.HAS,
        AmountRelation.TOGETHER: AmountRelation.HAS,
    }  # fmt: skip
    said = statements[index]
    statements[index] = replace(
        said,
        relation=opposite[said.relation],
        who=(said.whom,) if said.relation is AmountRelation.GIVES and said.whom else said.who[:1],
        what=said.what[:1],
        whom=said.who[0] if said.relation is AmountRelation.GIVES and said.who else said.whom,
    )


def _compared_in_turn(statements: list[ProposedStatement], _index: int, random: Random) -> None:
    """Unlike `_other_way_round`, the people change places and the word stays."""
    two = [i for i, each in enumerate(statements) if each.relation in OF_TWO and each.who]
    if two:
        at = random.choice(two)
        statements[at] = replace(
            statements[at], who=(statements[at].whom,), whom=statements[at].who[0]
        )


def _another_person(statements: list[ProposedStatement], index: int, random: Random) -> None:
    people = sorted({who for each in statements for who in (*each.who, each.whom) if who})
    if people:
        statements[index] = replace(
            statements[index], who=(random.choice(people), *statements[index].who[1:])
        )


def _another_thing(statements: list[ProposedStatement], index: int, random: Random) -> None:
    things = sorted({what for each in statements for what in each.what})
    statements[index] = replace(
        statements[index], what=(random.choice(things), *statements[index].what[1:])
    )


def _lost(statements: list[ProposedStatement], index: int, _random: Random) -> None:
    if not statements[index].asked:
        del statements[index]


def _another_number(statements: list[ProposedStatement], index: int, random: Random) -> None:
    number = statements[index].number
    if number is not None:
        statements[index] = replace(statements[index], number=number + random.choice([-1, 1, 10]))


def _swapped_numbers(statements: list[ProposedStatement], index: int, random: Random) -> None:
    other = random.randrange(len(statements))
    one, two = statements[index].number, statements[other].number
    if one is not None and two is not None:
        statements[index], statements[other] = (
            replace(statements[index], number=two),
            replace(statements[other], number=one),
        )


def _unstated(statements: list[ProposedStatement], index: int, _random: Random) -> None:
    statements[index] = replace(statements[index], number=None)


def _at_another_moment(statements: list[ProposedStatement], _index: int, random: Random) -> None:
    at = next(i for i, each in enumerate(statements) if each.asked)
    statements.insert(random.randrange(len(statements)), statements.pop(at))


def _another_question(statements: list[ProposedStatement], index: int, _random: Random) -> None:
    at = next(i for i, each in enumerate(statements) if each.asked)
    told = statements[index]
    statements[at] = replace(
        statements[at], who=told.who[:1], what=told.what[:1], relation=AmountRelation.HAS, whom=""
    )


def _invented(statements: list[ProposedStatement], index: int, random: Random) -> None:
    number = Fraction(random.randint(2, 9))
    statements.insert(index, replace(statements[index], number=number, asked=False))


_ERRORS: tuple[_Error, ...] = (
    _other_way_round,
    _compared_in_turn,
    _another_person,
    _another_thing,
    _lost,
    _another_number,
    _swapped_numbers,
    _unstated,
    _at_another_moment,
    _another_question,
    _invented,
)
ERROR_NAMES = tuple(each.__name__.strip("_").replace("_", " ") for each in _ERRORS)
"""The kinds of errors, in the order in which they are drawn from."""
