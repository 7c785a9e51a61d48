"""Amounts over time: what there was, what came and went, what there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from schoolmath.problems.stories.amounts import Amount, StoryQuestion
from schoolmath.problems.stories.strategies.terms import (
    TO_COME,
    WISHES,
    StoryTerms,
    StrategyAnswer,
    Term,
    asks_for,
    described,
    is_money,
    leaf,
    same_verb,
    separate,
    sum_of,
    to_come,
)


@dataclass(frozen=True, slots=True)
class Change:
    """An amount with what it does: more (1), less (-1), or what there is (0)."""

    sign: int
    amount: Amount


def sign_of(amount: Amount, question: StoryQuestion) -> int | None:
    """What an amount does to what the asked owner has: 1, -1, 0 for a state; None: not told.

    A part of what there is ("6 of them") can go, but not come; what things are like is no state.
    """
    if described(amount):
        return None
    sign = _sign(amount, question)
    part = "part" in amount.flags and not amount.flags & {"left", "now"}
    return None if sign is not None and sign >= 0 and part else sign


WORKED = frozenset({"cook", "fold", "paint", "prepare"})
"""Verbs of what can be done with things that are there already."""


def _sign(amount: Amount, question: StoryQuestion) -> int | None:
    owners = set(question.owners) - {"they", "we", "it", "there"}
    mine = not owners or bool(owners & set(amount.owners))
    money = is_money(amount.thing)
    passive = "passive" in amount.flags
    kind = amount.kind
    if "denied" in amount.flags or amount.compared:
        return None
    doing = set(amount.owners)
    if owners & doing and not doing <= owners and "each" not in amount.flags:
        # "She and Otto lost 5": how many of them were hers?
        return None
    theirs = {flag.removeprefix("of ") for flag in amount.flags if flag.startswith("of ")}
    if owners and theirs and not owners & theirs and not owners & doing:
        # "Otto lost 5 of his."
        return None
    if "part" in amount.flags and kind in {"loss", "take"}:
        return -1
    if (
        "part" in amount.flags
        and kind in {"gain", "take"}
        and owners
        and not owners & set(amount.owners)
        and any(f"of {name}" in amount.flags for name in owners)
    ):
        # "Alyssa bought 22 of Jason's cards."
        return -1
    if kind == "state":
        return 0 if mine or not amount.owners else None
    if passive and amount.subject:
        if kind == "give" and amount.receiver in owners:
            return 1
        if kind in {"loss", "take", "leave", "give"}:
            return -1
        if kind in {"put", "come", "make"}:
            return 1
        # "5 were picked", "20 were adopted": gained by one, lost to another.
        return None
    if amount.subject and kind in {"gain", "make", "loss", "give", "take", "put"}:
        # "2 of them got tired", "5 boys bought": what they do is not done to them.
        return -1 if amount.verb in {"break", "burn", "pop"} else None
    if kind in {"gain", "make"}:
        if money:
            if amount.verb in {"buy", "purchase", "order", "download"}:
                return -1
            if amount.verb in {"make"} or kind == "gain":
                return 1 if mine else None
        if amount.source and owners and amount.source in owners:
            return -1
        return 1 if mine else None
    if kind == "loss":
        if amount.receiver and owners and amount.receiver in owners:
            return 1
        return -1 if mine else None
    if kind == "give":
        if amount.verb == "sell" and money:
            return 1 if mine else None
        if amount.receiver and owners & {amount.receiver} and not owners & set(amount.owners):
            return 1
        if mine and owners:
            return -1
        if not owners:
            return -1
        return None
    if kind == "take":
        if amount.source and owners and amount.source in owners:
            return -1
        if owners and owners & set(amount.owners):
            return 1 if amount.source else None
        return -1 if not owners or not amount.owners or not (owners & set(amount.owners)) else None
    if kind == "put":
        if owners and owners & set(amount.owners):
            return None
        if not amount.place & question.place and (amount.verb != "add" or "left" in question.flags):
            # Put somewhere: into what is asked for, or away from it?
            return None
        return 1
    if (
        kind == "act"
        and "left" in question.flags
        and mine
        and not amount.more
        and not amount.subject
    ):
        # What was read or finished is no longer left to do; what was washed is still there.
        owned = question.verb == "have" and "to" not in question.words
        return -1 if not passive and not owned else None
    if kind == "come":
        if amount.verb.startswith("get") and not amount.subject:
            # "They got in 11 more shirts."
            return 1 if mine else None
        return 1 if amount.subject else None
    if kind == "leave":
        return -1 if amount.subject else None
    return None


_UNREAL = WISHES | {"can", "could", "able", "might", "may"}


def unreal(amount: Amount, question: StoryQuestion) -> bool:
    """Whether a change is not yet done: wished for, possible, or to come.

    Args:
        amount: what changes.
        question: "Tomorrow she will lose 5. How many will she have?" asks for what is to come.
    """
    coming = to_come(amount) and amount.kind != "state" and not set(question.modals) & TO_COME
    return bool(set(amount.modals) & _UNREAL) or coming


def change(story: StoryTerms) -> StrategyAnswer | None:
    """An amount over time: what there was, what came and went, what there is.

    One of the three is asked for, the others are told.
    """
    asked = story.asked
    if (
        asked.per is not None
        or asked.than is not None
        or asked.than_owner
        or "difference" in asked.flags
    ):
        return None
    if asked.flags & {"length", "duration", "number", "more"} or len(asked.things) > 1:
        return None
    wants_change = asked.kind not in {"state", "need"} and "left" not in asked.flags
    if wants_change and not ("money" in asked.flags or asked.verb):
        return None
    if wants_change and asked.owners:
        named = {
            name
            for each in story.amounts
            for name in each.owners
            if each.kind in {"state", "gain", "make"}
        }
        if not set(asked.owners) & named:
            # "How many did people eat?": of what somebody else had.
            asked = replace(asked, owners=())
    if not asked.place and not asked.owners:
        # "There are 11 in the drawer. Tim placed 14 in the drawer. How many are there now?"
        states = [each for each in story.known() if each.kind == "state" and asks_for(story, each)]
        if states:
            asked = replace(
                asked, place=set(frozenset.intersection(*(each.place for each in states)))
            )
    line: list[Change] = []
    for amount in story.amounts:
        if amount.per is not None or "each" in amount.flags or amount.kind == "asked":
            continue
        if not asks_for(story, amount):
            continue
        sign = sign_of(amount, asked)
        if sign is None:
            continue
        line.append(Change(sign, amount))
    line = _placed(line, asked)
    if len(line) < 2 or (not asked.owners and not _one_holder(line)):
        return None
    holders = {owner for each in line if each.sign == 0 for owner in each.amount.owners}
    if len(holders) > 1 and any(
        holders & set(each.amount.owners) and holders & {each.amount.receiver, each.amount.source}
        for each in line
        if each.sign
    ):
        # What one gives the other is no change of what both have.
        return None
    wished = set(asked.modals) & _UNREAL and asked.verb not in {"start", "begin", "end"}
    if wished or any(unreal(each.amount, asked) for each in line):
        return None
    if _before_or_elsewhere(line, asked):
        return None
    if wants_change:
        return _asked_change(story, line) or _asked_first(story, line)
    return _asked_state(story, line)


EARLIER = frozenset({"yesterday", "last", "ago"})
"""Words of a time before the one that is told of."""


def _before_or_elsewhere(line: Sequence[Change], question: StoryQuestion) -> bool:
    """Whether what there is may have seen a change already, or is not where the change is."""
    states = [each.amount for each in line if each.sign == 0]
    if not states:
        return False
    for each in line:
        amount = each.amount
        if not each.sign or amount.index < states[0].index:
            continue
        if amount.verb in WORKED and not amount.more:
            # "She had 9 shirts and folded 5 shirts."
            return True
        before = amount.modals[-1:] == ("had",) or amount.time & EARLIER
        if before and not states[0].time:
            # "She has 9 coins. Last year she sold 5 coins."
            return True
        somewhere = states[0].place and not states[0].owners and amount.owners
        if somewhere and each.sign > 0 and amount.kind == "gain" and not amount.more:
            # "15 apples on a tree. She picks 6 apples."
            return True
        elsewhere = amount.place and states[0].place and not amount.place & states[0].place
        if elsewhere and amount.owners == states[0].owners and question.place:
            # "5 pens in the desk. She buys 3 pens in a shop. How many has she in the desk?"
            return True
        here = question.place & amount.place and not question.owners
        if here and states[0].owners and not states[0].place:
            # "She had 9 cups. She took 5 cups from the shelf. How many are on the shelf?"
            return True
    return False


def _one_holder(line: Sequence[Change]) -> bool:
    """Whether, nobody being asked about, all amounts can be of one who has them."""
    holders = {owner for each in line if each.sign == 0 for owner in each.amount.owners}
    return not holders or all(
        set(each.amount.owners) - {"they", "we"} <= holders
        and not holders & {each.amount.receiver, each.amount.source}
        for each in line
    )


def _placed(line: list[Change], question: StoryQuestion) -> list[Change]:
    """Without what is told of another place than that which is asked for."""
    if not question.place or "total" in question.flags:
        return line
    here = [each for each in line if each.amount.place & question.place]
    elsewhere = [
        each for each in line if each.amount.place and not each.amount.place & question.place
    ]
    if any(each.sign == 0 for each in here) and any(each.sign == 0 for each in elsewhere):
        return [each for each in line if each not in elsewhere]
    return line


def _initial_states(line: Sequence[Change], question: StoryQuestion) -> int:
    """How many of the first amounts are together what there was before anything changed."""
    count = 0
    while count < len(line) and line[count].sign == 0 and "left" not in line[count].amount.flags:
        if count and "now" in line[count].amount.flags:
            break
        count += 1
    if count < 2:
        return count
    first = [each.amount for each in line[:count]]
    if not separate(first) or any(
        each.value is None or each.flags & {"total", "part"} for each in first
    ):
        return -1
    same = len({(each.owners, each.place) for each in first}) == 1
    kinds = all(each.thing != first[0].thing for each in first[1:])
    one_owner = len({each.owners for each in first}) == 1
    unnamed = not question.owners and not question.place and one_owner
    if (kinds and same) or "total" in question.flags or unnamed:
        return count
    return -1


def _undone(term: Term, changes: Sequence[Change]) -> Term:
    """What there was before changes, from what there is after them."""
    for each in reversed(changes):
        term = term.combined("-" if each.sign > 0 else "+", leaf(each.amount))
    return term


def after_changes(term: Term, changes: Sequence[Change]) -> Term | None:
    """What there is after changes; None where there would be less than none on the way."""
    for each in changes:
        term = term.combined("+" if each.sign > 0 else "-", leaf(each.amount))
        if term.value < 0:
            return None
    return term


def _ordered(line: list[Change]) -> list[Change]:
    """The amounts in the order of events: what is said to have been first goes first."""
    first = [
        each
        for each in line
        if "start" in each.amount.flags and not (each.amount.kind == "state" and each.sign)
    ]
    if len(first) == 1 and line.index(first[0]) > 0:
        return [
            Change(0 if first[0].sign > 0 else first[0].sign, first[0].amount),
            *[each for each in line if each is not first[0]],
        ]
    return line


def _asked_state(story: StoryTerms, line: list[Change]) -> StrategyAnswer | None:
    """What there is in the end, or what there was at first."""
    asked = story.asked
    line = _ordered(line)
    if any(each.sign and each.amount.value is None for each in line):
        return None
    if asked.flags & {"start", "before"}:
        return _asked_start(line)
    count = _initial_states(line, asked)
    if count < 0:
        return None
    changes = line[count:]
    if any(each.sign == 0 for each in changes) or not changes:
        return None
    if any("now" in each.amount.flags for each in line[:count]) and not all(
        each.amount.modals or "condition" in each.amount.flags for each in changes
    ):
        # "There are 18 on the bus now. 7 got on at the last stop": they are among the 18.
        return None
    if count:
        if any(each.amount.value is None for each in line[:count]):
            return None
        term = after_changes(sum_of([each.amount for each in line[:count]]), changes)
        return None if term is None else StrategyAnswer("state over time", term)
    first = line[0]
    if first.sign < 0 or first.amount.more or len(line) < 2:
        return None
    if first.amount.kind not in {"gain", "make", "put", "come", "give"}:
        return None
    if (
        all(each.sign > 0 for each in line)
        and not asked.flags & {"total", "now", "left"}
        and asked.kind != "state"
    ):
        return None
    term = after_changes(leaf(first.amount), line[1:])
    return None if term is None else StrategyAnswer("state over time", term)


def _asked_start(line: list[Change]) -> StrategyAnswer | None:
    """What there was before the changes."""
    known = [each for each in line if not (each.sign == 0 and each.amount.value is None)]
    ends = [each for each in known if each.sign == 0]
    changes = [each for each in known if each.sign]
    if len(ends) != 1 or not changes or "start" in ends[0].amount.flags:
        return None
    end = ends[0]
    if known[-1] is not end and not end.amount.flags & {"left", "now"}:
        return None
    term = _undone(leaf(end.amount), changes)
    return StrategyAnswer("start", term) if term.value >= 0 else None


def _asked_first(story: StoryTerms, line: list[Change]) -> StrategyAnswer | None:
    """How many were made or bought at first, from what was lost and what is left."""
    asked = story.asked
    first, last = line[0], line[-1]
    if (
        first.amount.value is not None
        or first.sign < 0
        or not same_verb(first.amount.verb, asked.verb)
    ):
        return None
    changes = line[1:-1]
    if last.sign != 0 or last.amount.value is None or not changes:
        return None
    if "start" in last.amount.flags:
        # "If she had 36 in the beginning": no end.
        return None
    if any(each.sign == 0 or each.amount.value is None for each in changes):
        return None
    return StrategyAnswer("start", _undone(leaf(last.amount), changes))


_DIRECTIONS = {
    "gain": 1,
    "make": 1,
    "put": 1,
    "come": 1,
    "loss": -1,
    "leave": -1,
    "give": -1,
    "take": -1,
}


def _before_and_after(changes: Sequence[Change], unknown: Sequence[Change]) -> bool:
    """“He had 39. He got some. Then he had 61.”: two states of one thing, at different times."""
    if len(changes) != 2 or any(each.sign or each.amount.flags & {"total"} for each in changes):
        return False
    first, last = changes[0].amount, changes[1].amount
    if first.thing.head != last.thing.head or first.owners != last.owners:
        return False
    between = any(first.index < each.amount.index < last.index for each in unknown)
    return between or bool(first.flags & {"now", "start"} and not last.flags & {"now", "start"})


def _asked_change(story: StoryTerms, line: list[Change]) -> StrategyAnswer | None:
    """How many were lost or gained, from what there was before and after."""
    asked = story.asked
    line = _ordered(line)
    direction = _DIRECTIONS.get(asked.kind)
    if direction is None and any(
        each.value is None and same_verb(each.verb, asked.verb) for each in story.amounts
    ):
        # "She cut some roses", and there are more or fewer than before.
        direction = 0
    if (
        "money" in asked.flags
        and asked.kind in {"gain", "make"}
        and asked.verb in {"buy", "purchase", "order"}
    ):
        direction = -1
    if direction is None and line[-1].amount.flags & {"now", "left"} and line[-1].sign == 0:
        direction = 0
    if direction is None:
        return None
    unknown = [each for each in line if each.amount.value is None]
    if any(each.sign == 0 for each in unknown) or len(unknown) > 1:
        return None
    if direction and any(each.sign and each.sign != direction for each in unknown):
        # "He found some. He has 4 now. How many did he lose?"
        return None
    known = [each for each in line if each.amount.value is not None]
    count = _initial_states(known, asked)
    if count < 0 and _before_and_after(known, unknown):
        count = 1
    if count < 0:
        return None
    if count == 0:
        # What was caught or baked first is what there was.
        while (
            count < len(known)
            and known[count].sign > 0
            and known[count].amount.kind in {"gain", "make"}
        ):
            count += 1
        if count > 1 and not separate([each.amount for each in known[:count]]):
            return None
        if direction > 0:
            return None
    if not count or known[-1].sign != 0 or len(known) == count:
        return None
    middle = known[count:-1]
    if any(each.sign == 0 for each in middle):
        return None
    if middle and not (len(unknown) == 1 and same_verb(unknown[0].amount.verb, asked.verb)):
        return None
    first = known[0].amount
    own = set(asked.owners) - {"they", "we", "it"}
    if asked.kind == "give" and own and first.owners and not own & set(first.owners):
        direction = 1
    if asked.kind == "give" and asked.receiver and asked.receiver in first.owners:
        direction = 1
    start = sum_of([each.amount for each in known[:count]])
    before = after_changes(start, middle)
    if before is None:
        return None
    end = leaf(known[-1].amount)
    grown = direction > 0 or (direction == 0 and end.value > before.value)
    term = end.combined("-", before) if grown else before.combined("-", end)
    return StrategyAnswer("change", term) if term.value >= 0 else None
