"""Ways from what a story tells to what it asks, each for one kind of story.

A strategy gives a value with the amounts that it used and the equations of its steps, or
nothing. None of them guesses: whether a value is believed is decided by the judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from biaslab.problems.stories import words
from biaslab.problems.stories.amounts import Amount, Thing
from biaslab.problems.stories.questions import Asked


@dataclass(frozen=True, slots=True)
class Term:
    """A value, the amounts it was made from, and the equations on the way."""

    value: Fraction
    used: frozenset[int] = frozenset()
    steps: tuple[str, ...] = ()
    operations: frozenset[str] = frozenset()

    def combined(self, sign: str, other: Term) -> Term:
        """The result of one operation."""
        left, right = self.value, other.value
        if sign == "+":
            value = left + right
        elif sign == "-":
            value = left - right
        elif sign == "*":
            value = left * right
        else:
            value = left / right
        step = f"{shown(left)} {sign} {shown(right)} = {shown(value)}"
        return Term(
            value,
            self.used | other.used,
            (*self.steps, *other.steps, step),
            self.operations | other.operations | {sign},
        )


def shown(value: Fraction) -> str:
    """A number as it stands in an equation."""
    if value.denominator == 1:
        return str(value.numerator)
    decimal = float(value)
    return f"{decimal:.10g}"


def leaf(amount: Amount) -> Term:
    """An amount of the story as a term."""
    assert amount.value is not None
    return Term(amount.value, frozenset({amount.index}))


@dataclass(frozen=True, slots=True)
class Found:
    """What a strategy found."""

    strategy: str
    term: Term


@dataclass(frozen=True, slots=True)
class Story:
    """What a story tells and asks, ready to be worked out."""

    amounts: tuple[Amount, ...]
    asked: Asked
    people: tuple[str, ...]
    told_words: frozenset[str] = frozenset()

    def known(self) -> list[Amount]:
        """The amounts that have a number."""
        return [each for each in self.amounts if each.value is not None]


Strategy = Callable[[Story], "Found | None"]

_MONEY = frozenset({"dollar", "cent", "money", "buck", "cash"})


def is_money(thing: Thing) -> bool:
    """Whether a thing is money."""
    return thing.head in _MONEY


def is_kind(kind: str, member: str) -> bool:
    """Whether the lexicon calls a member something of a kind."""
    return member in words.lexicon().kinds.get(kind, frozenset())


def fits(asked: Thing, told: Thing, *, loose: bool = True) -> bool:
    """Whether an amount of one thing can count for another that is asked for.

    Args:
        asked: what is asked for. What it is told from must be told of the amount too.
        told: what an amount counts.
        loose: whether the lexicon's kinds count.
    """
    if not asked.head:
        return True
    if is_money(asked) and is_money(told):
        return True
    if asked.head == told.head:
        extra = (asked.mods | asked.of) - told.words
        return all(loose and any(is_kind(each, one) for one in told.words) for each in extra)
    if asked.head in told.of:
        return asked.mods <= told.words
    if told.head in asked.of and not told.of:
        return True
    if asked.head in told.mods and not asked.mods:
        return False
    return loose and is_kind(asked.head, told.head) and not (asked.mods - told.words)


def same_noun(asked: Thing, told: Thing) -> bool:
    """Whether the nouns are the same, whatever stands beside them."""
    return bool(asked.head) and (asked.head == told.head or asked.head in told.of)


_PAYING = frozenset({"spend", "pay", "cost"})


def same_verb(one: str, other: str) -> bool:
    """Whether two verbs say the same of amounts."""
    if one == other or {one, other} <= _PAYING:
        return True
    return one.split(" ")[0] == other.split(" ")[0] and ("up" in one or "up" in other)


def _owned(asked: Asked, amount: Amount) -> bool:
    """Whether an amount is the asked owner's, or nobody's in particular."""
    if not asked.owners or set(asked.owners) & {"they", "we", "it", "you", "i"}:
        return True
    return bool(set(asked.owners) & set(amount.owners)) or not amount.owners


# --- Amounts that change ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Change:
    sign: int
    amount: Amount


def _sign(amount: Amount, asked: Asked) -> int | None:
    """What an amount does to what the asked owner has: 1, -1, 0 for a state; None: not told."""
    owners = set(asked.owners) - {"they", "we", "it", "there"}
    mine = not owners or bool(owners & set(amount.owners))
    money = is_money(amount.thing)
    passive = "passive" in amount.flags
    kind = amount.kind
    if "denied" in amount.flags or amount.compared:
        return None
    if "part" in amount.flags and kind in {"loss", "take"}:
        return -1
    if kind == "state":
        return 0 if mine or not amount.owners else None
    if passive and amount.subject:
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
        if not amount.place & asked.place and (amount.verb != "add" or "left" in asked.flags):
            # Put somewhere: into what is asked for, or away from it?
            return None
        return 1
    if kind == "act" and "left" in asked.flags and mine and not amount.more and not amount.subject:
        # What was read or finished is no longer left.
        return -1 if not passive else None
    if kind == "come":
        if amount.verb.startswith("get") and not amount.subject:
            # "They got in 11 more shirts."
            return 1 if mine else None
        return 1 if amount.subject else None
    if kind == "leave":
        return -1 if amount.subject else None
    return None


def change(story: Story) -> Found | None:
    """An amount over time: what there was, what came and went, what there is.

    One of the three is asked for, the others are told.
    """
    asked = story.asked
    if asked.per is not None or asked.than is not None or asked.than_owner or "difference" in asked.flags:
        return None
    if asked.flags & {"length", "duration", "number", "more"} or len(asked.things) > 1:
        return None
    wants_change = asked.kind not in {"state", "need"} and "left" not in asked.flags
    if wants_change and not ("money" in asked.flags or asked.verb):
        return None
    if wants_change and asked.owners:
        named = {name for each in story.amounts for name in each.owners if each.kind in {"state", "gain", "make"}}
        if not set(asked.owners) & named:
            # "How many did people eat?": of what somebody else had.
            asked = replace(asked, owners=())
    line: list[_Change] = []
    for amount in story.amounts:
        if amount.per is not None or "each" in amount.flags or amount.kind == "asked":
            continue
        if not _asks_for(story, amount):
            continue
        sign = _sign(amount, asked)
        if sign is None:
            continue
        line.append(_Change(sign, amount))
    line = _placed(line, asked)
    if len(line) < 2 or not asked.owners and not _one_holder(line):
        return None
    unreal = _WISHES | {"can", "could", "able", "might", "may"}
    wished = set(asked.modals) & unreal and asked.verb not in {"start", "begin", "end"}
    if wished or any(set(each.amount.modals) & unreal for each in line):
        # What somebody wants or could do is not yet done.
        return None
    if wants_change:
        return _asked_change(story, line) or _asked_first(story, line)
    return _asked_state(story, line)


def _asks_for(story: Story, amount: Amount) -> bool:
    """Whether an amount is of a thing that is asked for.

    The lexicon's kinds count only where the asked noun itself is told nowhere: of "56 pastries
    and 124 cakes" pastries are not both.
    """
    things = story.asked.things
    if not things:
        return _default_fits(story, amount)
    told = any(same_noun(thing, each.thing) for thing in things for each in story.amounts if each.kind != "asked")
    if amount.thing.head in words.MEASURES and any(thing.head in amount.owners for thing in things):
        # "Her hair is 18 inches long. How much hair ...?"
        return True
    return any(fits(thing, amount.thing, loose=not told) for thing in things)


def _one_holder(line: Sequence[_Change]) -> bool:
    """Whether, nobody being asked about, all amounts can be of one who has them."""
    holders = {owner for each in line if each.sign == 0 for owner in each.amount.owners}
    return not holders or all(
        set(each.amount.owners) <= holders and not holders & {each.amount.receiver, each.amount.source}
        for each in line
    )


def _placed(line: list[_Change], asked: Asked) -> list[_Change]:
    """Without what is told of another place than that which is asked for."""
    if not asked.place or "total" in asked.flags:
        return line
    here = [each for each in line if each.amount.place & asked.place]
    elsewhere = [each for each in line if each.amount.place and not each.amount.place & asked.place]
    if any(each.sign == 0 for each in here) and any(each.sign == 0 for each in elsewhere):
        return [each for each in line if each not in elsewhere]
    return line


def _default_fits(story: Story, amount: Amount) -> bool:
    """What "how many" or "how much" alone asks for: money, or the one thing of the story."""
    if "much" in story.asked.flags or "money" in story.asked.flags:
        return is_money(amount.thing)
    return not is_money(amount.thing)


def _initial(line: Sequence[_Change]) -> bool:
    """Whether the first of the amounts is what there was before the others."""
    return line[0].sign == 0


def _initial_states(line: Sequence[_Change], asked: Asked) -> int:
    """How many of the first amounts are together what there was before anything changed."""
    count = 0
    while count < len(line) and line[count].sign == 0 and "left" not in line[count].amount.flags:
        if count and "now" in line[count].amount.flags:
            break
        count += 1
    if count < 2:
        return count
    first = [each.amount for each in line[:count]]
    if not _side_by_side(first) or any(each.value is None or each.flags & {"total", "part"} for each in first):
        return -1
    same = len({(each.owners, each.place) for each in first}) == 1
    kinds = all(each.thing != first[0].thing for each in first[1:])
    if kinds and same or "total" in asked.flags or not asked.owners and not asked.place:
        return count
    return -1


def _sum(amounts: Sequence[Amount]) -> Term:
    term = leaf(amounts[0])
    for each in amounts[1:]:
        term = term.combined("+", leaf(each))
    return term


def _undone(term: Term, changes: Sequence[_Change]) -> Term:
    """What there was before changes, from what there is after them."""
    for each in reversed(changes):
        term = term.combined("-" if each.sign > 0 else "+", leaf(each.amount))
    return term


def _done(term: Term, changes: Sequence[_Change]) -> Term | None:
    """What there is after changes; None where there would be less than none on the way."""
    for each in changes:
        term = term.combined("+" if each.sign > 0 else "-", leaf(each.amount))
        if term.value < 0:
            return None
    return term


def _ordered(line: list[_Change]) -> list[_Change]:
    """The amounts in the order of events: what is said to have been first goes first."""
    first = [
        each for each in line
        if "start" in each.amount.flags and not (each.amount.kind == "state" and each.sign)
    ]  # fmt: skip
    if len(first) == 1 and line.index(first[0]) > 0:
        return [_Change(0 if first[0].sign > 0 else first[0].sign, first[0].amount), *[each for each in line if each is not first[0]]]
    return line


def _asked_state(story: Story, line: list[_Change]) -> Found | None:
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
    if count:
        if any(each.amount.value is None for each in line[:count]):
            return None
        term = _done(_sum([each.amount for each in line[:count]]), changes)
        return None if term is None else Found("state over time", term)
    first = line[0]
    if first.sign < 0 or first.amount.more or len(line) < 2:
        return None
    if first.amount.kind not in {"gain", "make", "put", "come", "give"}:
        return None
    if all(each.sign > 0 for each in line) and not asked.flags & {"total", "now", "left"} and asked.kind != "state":
        return None
    term = _done(leaf(first.amount), line[1:])
    return None if term is None else Found("state over time", term)


def _asked_start(line: list[_Change]) -> Found | None:
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
    return Found("start", term) if term.value >= 0 else None


def _asked_first(story: Story, line: list[_Change]) -> Found | None:
    """How many were made or bought at first, from what was lost and what is left."""
    asked = story.asked
    first, last = line[0], line[-1]
    if first.amount.value is not None or first.sign < 0 or not same_verb(first.amount.verb, asked.verb):
        return None
    changes = line[1:-1]
    if last.sign != 0 or last.amount.value is None or not changes:
        return None
    if any(each.sign == 0 or each.amount.value is None for each in changes):
        return None
    return Found("start", _undone(leaf(last.amount), changes))


_DIRECTIONS = {"gain": 1, "make": 1, "put": 1, "come": 1, "loss": -1, "leave": -1, "give": -1, "take": -1}


def _asked_change(story: Story, line: list[_Change]) -> Found | None:
    """How many were lost or gained, from what there was before and after."""
    asked = story.asked
    line = _ordered(line)
    direction = _DIRECTIONS.get(asked.kind)
    if direction is None and any(each.value is None and same_verb(each.verb, asked.verb) for each in story.amounts):
        # "She cut some roses", and there are more or fewer than before.
        direction = 0
    if "money" in asked.flags and asked.kind in {"gain", "make"} and asked.verb in {"buy", "purchase", "order"}:
        direction = -1
    if direction is None and line[-1].amount.flags & {"now", "left"} and line[-1].sign == 0:
        direction = 0
    if direction is None:
        return None
    unknown = [each for each in line if each.amount.value is None]
    if any(each.sign == 0 for each in unknown) or len(unknown) > 1:
        return None
    known = [each for each in line if each.amount.value is not None]
    count = _initial_states(known, asked)
    if count < 0:
        return None
    if count == 0:
        # What was caught or baked first is what there was.
        while count < len(known) and known[count].sign > 0 and known[count].amount.kind in {"gain", "make"}:
            count += 1
        if count > 1 and not _side_by_side([each.amount for each in known[:count]]):
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
    start = _sum([each.amount for each in known[:count]])
    before = _done(start, middle)
    if before is None:
        return None
    end = leaf(known[-1].amount)
    grown = direction > 0 or (direction == 0 and end.value > before.value)
    term = end.combined("-", before) if grown else before.combined("-", end)
    return Found("change", term) if term.value >= 0 else None


# --- Sums ------------------------------------------------------------------------------------


def _parallel(story: Story) -> list[Amount]:
    """Amounts that the question's own verb and noun name."""
    asked = story.asked
    found = []
    for amount in story.known():
        if amount.per is not None or amount.compared or amount.kind == "asked" or "each" in amount.flags:
            continue
        if "denied" in amount.flags:
            continue
        if same_verb(amount.verb, asked.verb) or (
            asked.kind == amount.kind and asked.kind in {"gain", "make", "state"} and asked.kind != "act"
        ):
            found.append(amount)
    return found


def together(story: Story) -> Found | None:
    """A sum of what stands side by side: one verb, several people, kinds, places or times."""
    asked = story.asked
    if asked.per is not None or asked.than or asked.than_owner or asked.flags & {
        "more", "difference", "left", "start", "before", "number", "denied", "duration", "odd if"
    }:  # fmt: skip
        return None
    found = [each for each in _parallel(story) if _asks_for(story, each)]
    own = set(asked.owners) - {"they", "we", "it"}
    if own:
        found = [each for each in found if not each.owners or own & set(each.owners)]
    if asked.place:
        placed = [each for each in found if each.place & asked.place or not each.place]
        if placed and len(placed) < len(found) and not asked.flags & {"total"}:
            found = placed
    if asked.time:
        timed = [each for each in found if each.time & asked.time or not each.time]
        if timed and len(timed) < len(found):
            found = timed
    if len(found) < 2 and asked.thing.head in words.MEASURES and asked.kind == "make":
        # "She used .2 pound of nuts and .1 pound of raisins. How many pounds of mix?"
        used = story.known()
        if len({(each.clause, each.verb, each.thing.head) for each in used}) == 1 and used[0].thing.head == asked.thing.head:
            found = used
    if len(found) < 2 or any(each.flags & {"total", "left", "part", "rest"} for each in found):
        return None
    if len({each.thing.head in _MONEY for each in found}) > 1:
        return None
    if any(each.flags & {"now"} for each in found) and not all(each.flags & {"now"} for each in found):
        return None
    if len({frozenset(each.modals) & _WISHES | frozenset(each.modals) & {"can", "could"} for each in found}) > 1:
        return None
    if not _side_by_side(found) and not (asked.flags & {"total"} and asked.kind != "state"):
        return None
    if asked.kind == "state" and any(each.kind not in {"state", "asked"} for each in story.known() if _asks_for(story, each) and each.per is None):
        return None
    if not asked.flags & {"total"} and len(asked.things) < 2 and asked.kind in {"state"}:
        if not all(is_kind(asked.thing.head, each.thing.head) or each.thing != asked.thing for each in found):
            return None
    term = leaf(found[0])
    for each in found[1:]:
        term = term.combined("+", leaf(each))
    return Found("same verb", term)


def _side_by_side(found: Sequence[Amount]) -> bool:
    """Whether amounts differ in who, what, where or when, so that they can stand side by side."""
    seen = set()
    for each in found:
        key = (each.owners, each.thing, each.place, each.time, each.receiver, each.source, each.near)
        if key in seen and not each.more:
            return False
        seen.add(key)
    return True


# --- Differences ------------------------------------------------------------------------------


def difference(story: Story) -> Found | None:
    """How many more of one than of another."""
    asked = story.asked
    if asked.per is not None or "number" in asked.flags:
        return None
    if "difference" in asked.flags and len(asked.things) == 2:
        one, other = asked.things
        left, right = _only(story, one, None), _only(story, other, None)
        if left is None or right is None:
            return None
        term = leaf(left).combined("-", leaf(right))
        return Found("difference", term if term.value >= 0 else leaf(right).combined("-", leaf(left)))
    if "more" not in asked.flags or asked.kind == "need":
        return None
    if asked.than_verb:
        return _by_verbs(story)
    if asked.than is None and not asked.than_owner:
        return _than_the_other(story)
    pronouns = {"they", "we", "it", "you", "i", "there"}
    if asked.than_owner:
        own = next(iter(asked.owners), "")
        if not own or own in pronouns:
            return None
        left, right = _only(story, asked.thing, own), _only(story, asked.thing, asked.than_owner)
    elif asked.than is not None and asked.than.head:
        own = next(iter(asked.owners), "")
        own = "" if own in pronouns else own
        than = asked.than
        if same_noun(asked.thing, than) or fits(asked.thing, than) or is_money(asked.thing) is False:
            left, right = _only(story, asked.thing, own or None), _only(story, than, own or None)
            if left is None or right is None:
                left, right = _only(story, asked.thing, own), _only(story, asked.thing, than.head)
        else:
            left, right = _only(story, asked.thing, own), _only(story, asked.thing, than.head)
    else:
        return None
    if left is None or right is None or left.index == right.index:
        return None
    if left.kind != right.kind and not (left.verb == right.verb):
        return None
    low, high = (left, right) if "fewer" in asked.flags else (right, left)
    term = leaf(high).combined("-", leaf(low))
    return Found("difference", term) if term.value >= 0 else None


def _by_verbs(story: Story) -> Found | None:
    """"How many more did he lose than he found?": two things done."""
    asked = story.asked
    here = [each for each in story.known() if _asks_for(story, each) and each.per is None and not each.compared]
    one = [each for each in here if each.verb == asked.verb]
    other = [each for each in here if each.verb == asked.than_verb]
    if len(one) != 1 or len(other) != 1 or one[0] is other[0] or any("denied" in each.flags for each in (*one, *other)):
        return None
    high, low = (other[0], one[0]) if "fewer" in asked.flags else (one[0], other[0])
    term = leaf(high).combined("-", leaf(low))
    return Found("difference", term) if term.value >= 0 else None


def _than_the_other(story: Story) -> Found | None:
    """"How many more points did Zach score?": than the only other one."""
    asked = story.asked
    known = story.known()
    if len(known) != 2 or asked.modals and set(asked.modals) & {"need", "have", "can", "could", "should", "must"}:
        return None
    if any(each.per is not None or each.compared or not _asks_for(story, each) or each.more for each in known):
        return None
    if known[0].verb != known[1].verb and "now" not in asked.flags:
        return None
    mine = [each for each in known if set(asked.owners) & set(each.owners)]
    now = [each for each in known if "now" in each.flags]
    if len(mine) == 1:
        high = mine[0]
    elif "now" in asked.flags and len(now) == 1:
        high = now[0]
    else:
        return None
    low = next(each for each in known if each is not high)
    term = leaf(high).combined("-", leaf(low))
    return Found("difference", term) if term.value >= 0 else None


def _only(story: Story, thing: Thing, owner: str | None) -> Amount | None:
    """The one amount of a thing and owner; None where there is none or more than one."""
    asked = story.asked
    told = any(same_noun(thing, each.thing) for each in story.known())
    found = [
        each
        for each in story.known()
        if fits(thing, each.thing, loose=not told)
        and each.per is None
        and not each.compared
        and "each" not in each.flags
        and "denied" not in each.flags
        and (owner is None or owner in each.owners or owner in each.place or owner in each.time
             or (owner == each.receiver))
    ]  # fmt: skip
    if len(found) > 1:
        same = [each for each in found if same_verb(each.verb, asked.verb)]
        if len(same) >= 1:
            found = same
    if len(found) > 1 and asked.time:
        timed = [each for each in found if each.time & asked.time]
        found = timed or found
    if len(found) > 1 and asked.flags & {"now", "left"}:
        late = [each for each in found if each.flags & {"now", "left"}]
        found = late or found
    return found[0] if len(found) == 1 else None


# --- Comparisons ------------------------------------------------------------------------------


def comparisons(story: Story) -> Found | None:
    """Chains of "so many more than" and "so many times as many as"."""
    asked = story.asked
    compared = [each for each in story.known() if each.compared]
    if not compared or asked.per is not None or asked.flags & {"number", "left", "start"}:
        return None
    if any(each.than is not None and each.than.head in {"?", "", "one", "other", "that", "first", "second", "it"} for each in compared):
        return None
    known: dict[str, Term] = {}
    by_thing = all(each.than is not None for each in compared)
    for each in story.known():
        if each.compared or each.per is not None or "each" in each.flags:
            continue
        if not by_thing and each.thing.head and not any(
            same_noun(other.thing, each.thing) or not other.thing.head for other in compared
        ):  # fmt: skip
            continue
        if each.kind != compared[0].kind and not same_verb(each.verb, compared[0].verb):
            # What is compared changes: then "more" was before or after it.
            return None
        for key in _keys(each, by_thing):
            if key in known and known[key].used != leaf(each).used:
                known[key] = Term(Fraction(0), frozenset({-1}))
            else:
                known[key] = leaf(each)
    if any(not (each.more or each.fewer or each.times) for each in compared):
        return None
    for _ in compared:
        for each in compared:
            one, other = _pair(each, by_thing)
            if not one or not other:
                return None
            up, down = ("-", "+") if each.fewer else ("+", "-")
            if each.times:
                if each.more or each.fewer:
                    return None
                up, down = "*", "/"
            if other in known and one not in known and -1 not in known[other].used:
                known[one] = known[other].combined(up, leaf(each))
            elif one in known and other not in known and -1 not in known[one].used:
                if not leaf(each).value:
                    return None
                known[other] = known[one].combined(down, leaf(each))
    return _asked_compared(story, known, by_thing)


def _keys(amount: Amount, by_thing: bool) -> list[str]:
    if by_thing:
        return [_thing_key(amount.thing)]
    return list(amount.owners[:1]) or [_thing_key(amount.thing)]


def _thing_key(thing: Thing) -> str:
    return " ".join([*sorted(thing.mods | thing.of), thing.head])


def _pair(amount: Amount, by_thing: bool) -> tuple[str, str]:
    if amount.than is not None:
        if by_thing and "elliptic" in amount.flags:
            return next(iter(amount.owners), ""), _thing_key(amount.than)
        if by_thing:
            # "402 more girls than boys"; "the second shelf has 5 more than the first".
            return _thing_key(amount.thing), _thing_key(amount.than)
        return next(iter(amount.owners), ""), amount.than.head
    return next(iter(amount.owners), ""), amount.than_owner


def _asked_compared(story: Story, known: dict[str, Term], by_thing: bool) -> Found | None:
    asked = story.asked
    usable = {key: term for key, term in known.items() if -1 not in term.used}
    if len(usable) != len(known):
        return None
    if "total" in asked.flags and (not asked.owners or set(asked.owners) & {"they"} or len(asked.owners) > 1):
        terms = list(usable.values())
        if len(terms) < 2:
            return None
        total = terms[0]
        for each in terms[1:]:
            total = Term(total.value, total.used, total.steps, total.operations).combined("+", Term(each.value, each.used, tuple(s for s in each.steps if s not in total.steps), each.operations))
        return Found("comparisons, total", total)
    if "total" in asked.flags:
        return None
    if asked.flags & {"more", "difference"}:
        if not asked.than_owner or not asked.owners:
            return None
        one, other = usable.get(asked.owners[0]), usable.get(asked.than_owner)
        if one is None or other is None:
            return None
        high, low = (other, one) if "fewer" in asked.flags else (one, other)
        term = high.combined("-", low)
        return Found("comparisons, difference", term) if term.value >= 0 else None
    key = _thing_key(asked.thing) if by_thing else (asked.owners[0] if len(asked.owners) == 1 else "")
    found = usable.get(key)
    if found is None or not found.steps or found.value < 0:
        return None
    return Found("comparisons", found)


_WISHES = frozenset({"need", "want", "have", "plan", "must", "should", "decide", "hope"})


# --- Rates ------------------------------------------------------------------------------------


def _rates(story: Story) -> list[Amount]:
    """The amounts of which each, any or one of something has so many, `per` filled in."""
    found = []
    known = story.known()
    for each in known:
        if each.compared:
            continue
        if each.per is not None and each.per.head:
            found.append(each)
        elif each.generic is not None and _generic(story, each):
            found.append(replace(each, per=each.generic))
        elif "each" in each.flags and each.per is None:
            partner = _partner(known, each)
            if partner is not None:
                found.append(replace(each, per=partner.thing))
            elif is_money(each.thing) and story.asked.verb == "buy" and story.asked.thing.head:
                found.append(replace(each, per=story.asked.thing))
    return found


def _generic(story: Story, amount: Amount) -> bool:
    """Whether "A box holds 6" is a rate here: boxes are counted or asked for."""
    assert amount.generic is not None
    if any(same_noun(amount.generic, each.thing) for each in story.known() if each.index != amount.index):
        return True
    return same_noun(amount.generic, story.asked.thing) and amount.verb in {"hold", "contain", "have", "seat", "fit", "carry"}


def _partner(known: Sequence[Amount], amount: Amount) -> Amount | None:
    """What "each" means in "5 books that cost 3 dollars each"."""
    plain = [each for each in known if "each" not in each.flags and each.thing.head != amount.thing.head
             and each.index != amount.index and each.thing.head]  # fmt: skip
    before = [each for each in plain if each.index < amount.index and each.sentence == amount.sentence]
    if before:
        return before[-1] if len(before) == 1 else None
    return plain[0] if plain and len({each.thing.head for each in plain}) == 1 else None


def _counts(story: Story, thing: Thing, rates: Sequence[Amount]) -> list[Amount]:
    """The amounts that count a thing, for example the boxes of which each holds so many."""
    indices = {each.index for each in rates}
    found = [
        each for each in story.known()
        if each.index not in indices and not each.compared
    ]  # fmt: skip
    exact = [
        each for each in found
        if same_noun(thing, each.thing) and (not thing.mods - each.thing.words or not each.thing.mods)
    ]  # fmt: skip
    if any(each.kind in {"state", "gain", "make", "give", "loss"} for each in exact):
        return exact
    return exact + [
        each for each in found
        if each not in exact
        and (is_kind(thing.head, each.thing.head) or is_kind(each.thing.head, thing.head))
    ]  # fmt: skip


def rates(story: Story) -> Found | None:
    """So many in each: how many in all, how many groups."""
    asked = story.asked
    if asked.flags & {"more", "difference", "length", "odd if", "start", "before", "denied"} or asked.than or asked.than_owner:
        return None
    given = _rates(story)
    if asked.per is not None:
        return None if given else _each(story)
    if not given:
        return None
    if len(given) > 1 and len({(each.thing, each.per) for each in given}) == 1:
        return None
    if len(given) > 1 and asked.kind != "state":
        same = [each for each in given if same_verb(each.verb, asked.verb)]
        if len(same) == 1 and not all(_rate_asks_total(story, each) for each in given):
            given = same
    if len(given) > 1:
        fitting = [each for each in given if asked.thing.head and fits(asked.thing, each.thing, loose=False)]
        if len(fitting) == 1 and all(same_noun(fitting[0].per or Thing(), each.per or Thing()) for each in given):
            given = fitting
    if len(given) > 1:
        return _several_rates(story, given)
    rate = given[0]
    assert rate.per is not None
    if _rate_asks_total(story, rate):
        count = _count(story, _counts(story, rate.per, given))
        return None if count is None else Found("times", count.combined("*", leaf(rate)))
    if _asks_count(story, rate.per):
        totals = [
            each for each in story.known()
            if each.index != rate.index and each.per is None and not each.compared
            and (fits(rate.thing, each.thing) or is_kind(each.thing.head, rate.thing.head))
            and (rate.thing.head or each.kind != "asked")
        ]  # fmt: skip
        if not rate.thing.head and len(totals) > 1:
            return None
        total = _count(story, totals)
        if total is None or not rate.value:
            return None
        return Found("groups", total.combined("/", leaf(rate)))
    return None


def rate_then_change(story: Story) -> Found | None:
    """So many in each, and then some come or go."""
    asked = story.asked
    if asked.per is not None or asked.flags & {"more", "difference", "length", "duration", "odd if", "start", "before", "denied", "number"}:
        return None
    given = _rates(story)
    if len(given) != 1 or given[0].per is None or asked.kind != "state":
        return None
    rate = given[0]
    if asked.thing.head and not fits(asked.thing, rate.thing, loose=False) or is_money(rate.thing):
        return None
    counts = [each for each in _counts(story, given[0].per, given) if each.index != rate.index]
    if len(counts) != 1 or counts[0].more and counts[0].kind not in {"gain", "make"}:
        return None
    line = []
    for each in story.known():
        if each.index in {rate.index, counts[0].index}:
            continue
        if not fits(rate.thing, each.thing, loose=False) or each.per is not None:
            continue
        sign = _sign(each, asked)
        if sign is None:
            return None
        line.append(_Change(sign, each))
    if len(line) == 1 and line[0].sign == 0:
        # "He had 3 apples and bought 2 bags with 9 apples each."
        first = line[0].amount
        gained = counts[0].kind in {"gain", "make"} and asked.flags & {"total", "now"}
        if not gained or first.index > counts[0].index or first.flags & {"left", "total", "part"}:
            return None
        return Found("times, then change", leaf(first).combined("+", leaf(counts[0]).combined("*", leaf(rate))))
    if any(each.sign == 0 for each in line):
        return None
    if not line or min(each.amount.index for each in line) < rate.index:
        return None
    term = _done(leaf(counts[0]).combined("*", leaf(rate)), line)
    return None if term is None else Found("times, then change", term)


def others(story: Story) -> Found | None:
    """How many did not: all without those that did."""
    asked = story.asked
    if "denied" not in asked.flags or asked.per is not None or asked.flags & {"more", "number"} or _rates(story):
        return None
    here = [each for each in story.known() if not asked.things or _asks_for(story, each)]
    did = [each for each in here if same_verb(each.verb, asked.verb) and "denied" not in each.flags and not set(each.modals) & _WISHES]
    whole = [each for each in here if each not in did]
    if len(did) != 1 or not whole or any(each.compared or each.flags & {"part", "denied"} for each in whole):
        return None
    if len({(each.verb, each.modals) for each in whole}) > 1 or not _side_by_side(whole):
        return None
    term = _sum(whole).combined("-", leaf(did[0]))
    return Found("others", term) if term.value >= 0 else None


def _asks_count(story: Story, per: Thing) -> bool:
    asked = story.asked
    if "duration" in asked.flags:
        return per.head in words.UNITS_OF_TIME
    return same_noun(asked.thing, per) and not asked.thing.mods - per.words - {"small", "many", "full"}


def _rate_asks_total(story: Story, rate: Amount) -> bool:
    asked = story.asked
    if "duration" in asked.flags:
        return rate.thing.head in words.UNITS_OF_TIME
    if not asked.thing.head:
        return is_money(rate.thing) and "much" in asked.flags
    return fits(asked.thing, rate.thing, loose=False)


def _count(story: Story, amounts: list[Amount]) -> Term | None:
    """One number from the amounts of a thing: the only one, a sum, what is left or what went."""
    if len(amounts) == 1:
        only = amounts[0]
        return None if only.more and only.kind != "need" else leaf(only)
    if not 2 <= len(amounts) <= 4:
        return None
    asked = story.asked
    owners = asked.owners or next((each.owners for each in amounts if each.owners), ())
    wanted = [each for each in amounts if set(each.modals) & _WISHES]
    if wanted:
        if len(wanted) == 1 and len(amounts) == 2 and asked.words & {"rest", "left", "remaining", "still", "more"}:
            done = next(each for each in amounts if each is not wanted[0])
            if done.verb == wanted[0].verb:
                return leaf(wanted[0]).combined("-", leaf(done))
        return None
    if any("total" in each.flags for each in amounts[1:]) or ("total" in amounts[0].flags and not all("part" in each.flags for each in amounts[1:])):
        return None
    if len({(each.verb, each.modals) for each in amounts}) == 1 and amounts[0].kind in {"act", "state", "gain", "make", "give", "come"}:
        if _side_by_side(amounts) and not any(each.flags & {"part", "denied", "left", "now", "start"} for each in amounts):
            return _sum(amounts)
    inner_asked = Asked(thing=Thing(amounts[0].thing.head), kind="state", verb="have", flags={"now"}, owners=owners)
    line = [_Change(sign, each) for each in amounts if (sign := _sign(each, inner_asked)) is not None]
    if len(line) != len(amounts) or any(each.amount.value is None for each in line):
        return _denied(story, amounts)
    states = [each for each in line if each.sign == 0]
    gone = [each for each in line if each.sign == 0 and each.amount.flags & {"left"}]
    if len(gone) == 1 and len(line) == 2 and line[1] is gone[0] and asked.kind != "state":
        # "He bought 13 tickets and had 4 left. How much did he spend riding?": those that went.
        return leaf(line[0].amount).combined("-", leaf(line[1].amount))
    if gone:
        return None
    if any(each.sign < 0 for each in line):
        if line[0].sign < 0:
            return None
        first = leaf(line[0].amount)
        if asked.kind != "state" and "left" not in asked.flags and asked.kind in {"give", "loss", "gain", "make"}:
            # "13 boxes, he gave 7. How much money did he make?": which of the two is unclear.
            if "money" in asked.flags:
                return None
        return _done(first, line[1:])
    if len(states) in {0, len(line)} and len({each.amount.verb for each in line}) == 1 and _side_by_side(amounts):
        return _sum(amounts)
    if states and line[0].sign == 0 and len(states) == 1:
        return _done(leaf(line[0].amount), line[1:])
    if not states and line[0].sign > 0:
        return _done(leaf(line[0].amount), line[1:])
    return None


def _denied(story: Story, amounts: Sequence[Amount]) -> Term | None:
    """"17 bags, but he didn't recycle 8 of them": the others."""
    if len(amounts) != 2 or not amounts[1].flags & {"denied"} or "denied" in amounts[0].flags:
        return None
    if "denied" in story.asked.flags or amounts[0].kind not in {"state", "gain"}:
        return None
    return leaf(amounts[0]).combined("-", leaf(amounts[1]))


def _several_rates(story: Story, given: Sequence[Amount]) -> Found | None:
    """Two rates: a sum of two products, or a chain of products."""
    asked = story.asked
    if len(given) > 3:
        return None
    # A chain: 5 boxes, 6 packs in each box, 4 pens in each pack.
    ends = [each for each in given if _rate_asks_total(story, each)]
    if len(ends) == 1:
        chain = [ends[0]]
        while True:
            per = chain[-1].per
            assert per is not None
            inner = [each for each in given if each not in chain and same_noun(per, each.thing)]
            if len(inner) != 1:
                break
            chain.append(inner[0])
        if len(chain) == len(given):
            last = chain[-1].per
            assert last is not None
            counts = _counts(story, last, given)
            if len(counts) == 1:
                term = leaf(counts[0])
                for each in reversed(chain):
                    term = term.combined("*", leaf(each))
                return Found("chain of rates", term)
        return None
    if len(ends) == len(given) == 2:
        pers = [each.per for each in given]
        assert pers[0] is not None and pers[1] is not None
        if same_noun(pers[0], pers[1]) and pers[0].words == pers[1].words:
            # 6 cages, each with 2 parrots and 7 parakeets.
            if not _side_by_side(given) or given[0].verb != given[1].verb:
                return None
            count = _count(story, _counts(story, pers[0], given))
            return None if count is None else Found("sum, times", _sum(given).combined("*", count))
        terms = []
        for each in given:
            assert each.per is not None
            counts = [one for one in _counts(story, each.per, given) if not each.per.mods - one.thing.words]
            if len(counts) != 1:
                return None
            terms.append(leaf(counts[0]).combined("*", leaf(each)))
        if terms[0].used & terms[1].used:
            return None
        if "left" in asked.flags:
            return None
        return Found("sum of products", terms[0].combined("+", terms[1]))
    return None


def _each(story: Story) -> Found | None:
    """How many in each: a total shared out."""
    asked = story.asked
    per = asked.per
    assert per is not None
    known = story.known()
    if any("each" in each.flags for each in known):
        return None
    if per.head:
        counts = [each for each in known if (same_noun(per, each.thing) or is_kind(per.head, each.thing.head) and each.flags & {"prep among", "prep between", "prep to", "prep with"}) and not is_money(each.thing)]
    else:
        counts = [each for each in known if each.flags & {"prep among", "prep between", "prep into"}]
    if len(counts) != 1:
        return None
    count = counts[0]
    if count.flags & {"part"} or count.more or count.kind in {"come"}:
        return None
    totals = [each for each in known if each.index != count.index and (
        fits(asked.thing, each.thing, loose=False) if asked.thing.head else _default_fits(story, each)
    )]  # fmt: skip
    if not totals or count.value == 0:
        return None
    if len(totals) == 1:
        total: Term | None = leaf(totals[0])
        if totals[0].more or totals[0].flags & {"part"}:
            return None
    else:
        if any("total" in each.flags for each in totals):
            return None
        total = _count(story, totals)
    if total is None:
        return None
    return Found("shared", total.combined("/", leaf(count)))


# --- Parts and needs --------------------------------------------------------------------------


def rest(story: Story) -> Found | None:
    """A whole and a part: how many are the others."""
    asked = story.asked
    if asked.per is not None or asked.than or asked.than_owner or asked.flags & {"more", "difference", "start", "before", "number", "total"}:
        return None
    if _rates(story) or any(each.compared for each in story.known()):
        return None
    known = [each for each in story.known()]
    parts = [each for each in known if each.flags & {"part"} or each.flags & {"elliptic"} and each.subject]
    if len(known) < 2 or not asked.thing.head and not parts:
        return None
    wholes = [each for each in known if each not in parts]
    others_left = "left" in asked.flags and all(
        "part" in each.flags and each.kind in {"state", "act"} for each in known[1:]
    )  # fmt: skip
    says_rest = others_left or any(each.flags & {"rest"} for each in story.amounts) or any(
        each.value is None and not each.flags & {"part"} and each.thing.head in {known[0].thing.head, "rest", asked.thing.head}
        for each in story.amounts
    )  # fmt: skip
    if len(wholes) != 1 and not (says_rest):
        totals = [each for each in known if "total" in each.flags]
        if len(totals) != 1:
            return None
    totals = [each for each in known if "total" in each.flags]
    if len(totals) == 1:
        whole = totals[0]
    else:
        whole = known[0]
    if "part" in whole.flags:
        return None
    others = [each for each in known if each is not whole]
    if not all(each.kind in {"state", "act"} or each.verb == whole.verb for each in others):
        return None
    if whole.kind != "state" and not all(each.verb == whole.verb for each in others):
        return None
    if not (says_rest or "denied" in asked.flags or (totals and len(others) == 1)):
        return None
    if not same_noun(asked.thing, whole.thing) and asked.thing.head and not any(is_kind(whole.thing.head, asked.thing.head) for _ in [0]) and not ("rest" in " ".join(f for each in story.amounts for f in each.flags)):
        return None
    for each in others:
        if asked.thing.head and fits(asked.thing, each.thing) and asked.thing.mods and asked.thing.mods <= each.thing.words:
            return None
    if any(each.kind in {"gain", "give", "loss", "take", "put", "come", "leave"} and each.verb != whole.verb for each in others):
        return None
    term = leaf(whole)
    for each in others:
        if each.value is None:
            return None
        term = term.combined("-", leaf(each))
    return Found("rest", term) if term.value >= 0 else None


def need(story: Story) -> Found | None:
    """How many more are needed."""
    asked = story.asked
    if "more" not in asked.flags or asked.per is not None or asked.than or asked.than_owner:
        return None
    asked_numbers = [each for each in story.known() if each.kind == "asked"]
    if asked_numbers and "have" not in asked.words:
        return None
    if set(asked.modals) & {"can", "could"}:
        return _room(story)
    needs = {"need", "require", "want", "have", "must", "should", "plan", "decide", "call"}
    if not (asked.kind == "need" or set(asked.modals) & {"need", "have", "should", "must"}):
        return None
    wanted = [each for each in story.known() if (each.kind == "need" or each.kind == "asked" and asked.words & {"have"} or set(each.modals) & (needs - {"have"}) or ("have" in each.modals)) and _asks_for(story, each)]
    have = [each for each in story.known() if each not in wanted and _asks_for(story, each) and each.per is None]
    if not wanted and len(have) == 2 and not _rates(story):
        first, second = have
        done = "part" in second.flags and second.kind in {"act", "make", "loss", "put"} and set(asked.modals) & {"have", "need"}
        if first.kind in {"state"} and done and not first.compared:
            term = leaf(first).combined("-", leaf(second))
            return Found("need", term) if term.value >= 0 else None
    if len(wanted) != 1 or not have or _rates(story):
        return None
    if any(each.kind not in {"state", "gain", "make", "put", "act"} and each.receiver not in asked.owners for each in have) or any("denied" in each.flags for each in have):
        return None
    if len(have) > 1 and not _side_by_side(have):
        return None
    term = leaf(wanted[0])
    for each in have:
        term = term.combined("-", leaf(each))
    return Found("need", term) if term.value >= 0 else None


def _room(story: Story) -> Found | None:
    """How many more there is room for."""
    here = [each for each in story.known() if _asks_for(story, each)]
    holds = [each for each in here if each.verb in {"hold", "contain", "fit", "seat", "carry"}]
    others = [each for each in here if each not in holds]
    if len(holds) != 1 or len(others) != 1 or others[0].kind not in {"state", "put"} or others[0].modals:
        return None
    if holds[0].per is not None or others[0].per is not None:
        return None
    term = leaf(holds[0]).combined("-", leaf(others[0]))
    return Found("room", term) if term.value >= 0 else None


STRATEGIES: tuple[Strategy, ...] = (
    change, together, difference, comparisons, rates, rate_then_change, rest, others, need,
)  # fmt: skip


def all_found(story: Story) -> Iterable[Found]:
    """What the strategies find, each its own."""
    for strategy in STRATEGIES:
        found = strategy(story)
        if found is not None:
            yield found
