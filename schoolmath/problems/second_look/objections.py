"""A second look at an answer: the words of a text against the equations that were read from it.

What the readers overlook together, they can't object to, so nothing of them is used here. An
objection says which words the equations don't account for; a value with an objection is read, not
proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from fractions import Fraction
from itertools import pairwise

from schoolmath.problems.second_look.numbers import (
    LookQuestion,
    NumberUse,
    TextNumber,
    UsedNumber,
    alike,
    clauses,
    is_number,
    is_of,
    look_lists,
    names_in,
    numbers_of,
    paired,
    plainly_idle,
    read_question,
    run_of,
    same_value,
    split_question,
    stem,
    uses_of,
    words_of,
)
from schoolmath.problems.second_look.things import (
    in_another_place,
    of_a_kind,
    of_another_person,
    one_of_many,
    part_of_what_is_made,
    sorted_twice,
    without_a_price,
)

_LABEL = re.compile(
    r"\b(Room|Class|Team|Bus|School|Grade(?= \d\d? (?:pupils|students|children)\b)) \d\d?(?= [a-z])"
)
"""What is told apart by a number that counts nothing: "Room 4"."""

_PERIOD = "(?:minute|hour|day|week|month|year)"
_OTHER_TIME = re.compile(
    rf"\b(?:before|after) (?:that|this)\b|\b(?:an?|one|two|\d+) {_PERIOD}s? "
    rf"(?:later|ago|earlier|before|after)\b|\b(?:tomorrow|yesterday)\b|\bnext {_PERIOD}\b"
)
_ROUGH = re.compile(
    r"(?<!\d )\b(?:about|nearly|almost|roughly|around|approximately|over|under|at least|at most|"
    r"up to|more than|less than|fewer than) \$? ?\d[\d,.]*(?: (\w+))?"
)
_LEFT = re.compile(
    r"\bhow (?:many|much)\b[^?]*\b(?:are|is|be|has|have|does|do|will)\b[^?]*"
    r"\b(left|remain(?:ing)?)\b"
)
_SOME_OF_THEM = re.compile(
    r"\d.*?(?<!\d of )\b((?:the|h[ei][rs]|their|those) (?:new|old)(?:er)? (?:ones|\w+s))\b",
    re.DOTALL,
)
_EXCEPTIONS = re.compile(r"\b(?:all|every|each)\b[^.?!,]*\b(?:but|except)\b(?: for)? \w+")


def objections(text: str, steps: Sequence[str]) -> tuple[str, ...]:
    """What the words of a text have against the equations that are to answer it.

    Args:
        text: the problem with its question.
        steps: the equations in order, each of two numbers: ``18 - 3 = 15``. The last one's result
            is the answer.

    Returns:
        sentences, each with the words it is about; empty where there is nothing against it.
    """
    story, sentence = split_question(_LABEL.sub(r"\1", text))
    question = read_question(sentence)
    uses = uses_of(steps)
    numbers = paired(numbers_of(story, sentence, names_in(text)), uses, question)
    found = [
        *_left_out(numbers, question),
        *_asked_otherwise(story, sentence, text, question, uses),
        *_not_for_each(numbers, uses, question),
        *_denied(numbers),
        *_lost_in_a_total(numbers, question),
        *_of_another_size(numbers, question),
        *_packs(text, numbers, question),
        *_direction(story, numbers, question),
        *_elsewhere(numbers, question),
        *in_another_place(numbers, question),
        *_more_than_whom(story, numbers, question),
        *_single_things(story, uses, question),
        *of_a_kind(story, numbers, uses, question),
        *_untold_amounts(story, sentence),
        *one_of_many(numbers, steps),
        *part_of_what_is_made(story, numbers, question),
        *sorted_twice(story, question),
        *without_a_price(story, question),
        *of_another_person(story, question),
        *_rough(story),
    ]
    return tuple(dict.fromkeys(_in_words_of_text(each, text) for each in found))


def _in_words_of_text(objection: str, text: str) -> str:
    """An objection with its words as the text has them: “Ana buys 3 pens”."""

    def original(quote: re.Match[str]) -> str:
        words = r"\W{0,3}".join(map(re.escape, quote[1].split()))
        found = re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)
        return f"“{found[0] if found else quote[1]}”"

    return re.sub("“([^”]+)”", original, objection)


def _left_out(numbers: Sequence[UsedNumber], question: LookQuestion) -> Iterator[str]:
    """Numbers that no equation has, though what they count belongs to the story."""
    used = [mention for mention, use in numbers if use is not None]
    # "Three classes collected cans ... did the three classes collect?"
    all_of = {(each.value, each.nouns[:1]) for each, _ in numbers if each.in_question}
    for each, use in numbers if used else ():  # Without an equation the answer stands in the text.
        if (
            use is None
            and each.value != 1
            and not each.in_question
            and (each.value, each.nouns[:1]) not in all_of
            and (_comes_back(each, question) or not plainly_idle(each, used, question))
        ):
            yield f"“{each.wording}” has no part in the answer."


def _comes_back(mention: TextNumber, question: LookQuestion) -> bool:
    """Whether so many of what is asked for were returned: "24 apples were returned"."""
    counted = bool({*mention.nouns} & question.things)
    return counted and any(is_of(each, "back") for each in mention.clause)


def _asked_otherwise(
    story: str, sentence: str, text: str, question: LookQuestion, uses: Sequence[NumberUse]
) -> Iterator[str]:
    """Words of the question that change what is asked and stand nowhere before."""
    for match in _OTHER_TIME.finditer(question.wording):
        if match[0] not in story.lower():
            yield f"“{match[0]}” of the question was not read."
    names, known = names_in(text), words_of(story)
    if names & known:
        for name in sorted(names & question.words):
            # A name that is nearly one of those told is taken for a slip of the pen.
            if name not in known and not get_close_matches(name, known, 1, 0.75):
                yield f"“{name.title()}” of the question stands nowhere before."
    for owner in re.findall(r"\b([A-Z][a-z]+)[’']s\b", sentence):
        if owner.lower() not in words_of(story):
            yield f"“{owner}” of the question stands nowhere before."
    taken = any(each.operation in "-/" or each.sign < 0 for each in uses)
    if not taken and (left := _LEFT.search(question.wording)) is not None:
        yield f"“{left[1]}” of the question was not read."
    more = re.search(r"\bhow (?:many|much) (?:more|fewer|less)\b(.*)", question.wording, re.DOTALL)
    if more is None:
        return
    behind = words_of(more[1])
    summed = any(is_of(each, "summing") for each in behind)
    compared = any(is_of(each, "wanting") for each in behind)
    taken = any(each.operation == "-" or each.sign < 0 for each in uses)
    if not taken or (summed and not compared):
        yield "“more” of the question was not read."


def _not_for_each(
    numbers: Sequence[UsedNumber], uses: Sequence[NumberUse], question: LookQuestion
) -> Iterator[str]:
    """Words such as "each" where nothing is multiplied or divided."""
    each_of = sorted(each for each in question.words if is_of(each, "distributive"))
    if each_of and not any(each.operation in "*/" for each in uses):
        yield f"“{each_of[0]}” of the question was not read."
    for mention, use in numbers:
        here = [each for each in mention.clause if is_of(each, "distributive")]
        if not here or use is None:
            continue
        beside = [
            one
            for other, one in numbers
            if one is not None and (other.at == mention.at or other.value == mention.value)
        ]
        if not any(
            one.operation in "*/" or (one.operation == "+" and one.shared) for one in beside
        ):
            yield f"“{here[0]}” was not read."


def _denied(numbers: Sequence[UsedNumber]) -> Iterator[str]:
    """Numbers of what is not so, unless they are taken away."""
    for mention, use in numbers:
        clause = mention.clause
        denials = [
            at for at, w in enumerate(clause) if is_of(w, "negative") or re.search("n[’']t$", w)
        ]
        if not denials or use is None:
            continue
        next_words = clause[denials[0] + 1 :][:2]
        of_state = any(is_of(each, "having") or is_of(each, "losing") for each in next_words)
        if of_state or all(each.sign > 0 for each in alike(mention, numbers)):
            yield f"What “{mention.wording}” is not was not read."


def _lost_in_a_total(numbers: Sequence[UsedNumber], question: LookQuestion) -> Iterator[str]:
    """A total from which something is taken away that got lost."""
    summing = sorted(each for each in question.words if is_of(each, "summing"))
    if not summing or any(is_of(each, "holding") for each in question.words):
        return
    for mention, use in numbers:
        lost = any(is_of(each, "losing") for each in mention.clause)
        got = any(is_of(each, "gaining") for each in mention.clause)
        taken = use is not None and all(each.sign < 0 for each in alike(mention, numbers))
        if taken and lost and not got:
            yield f"“{mention.wording}” is taken away, though “{summing[0]}” is asked."


def _direction(story: str, numbers: Sequence[UsedNumber], question: LookQuestion) -> Iterator[str]:
    """What goes away and is added, comes back and is taken, or is broken and no longer there."""
    if any(is_of(each, "beginning") for each in question.words):
        return
    compared = re.search(r"\b(?:than|compared)\b", story.lower()) or any(
        is_of(each, "more") or is_of(each, "wanting") for each in question.words
    )
    for mention, use in numbers:
        signs = {each.sign for each in alike(mention, numbers) if each.operation in "+-"}
        if use is None or len(signs) != 1 or mention.in_question:
            continue
        clause = mention.clause
        moving = _moving(mention)
        gone = any(is_of(each, "gone") for each in moving)
        back = any(is_of(each, "back") for each in moving)
        of_question = bool(mention.stems & question.stems - question.things)
        if gone != back and not of_question and signs == {1 if gone else -1}:
            yield f"Which way “{' '.join(clause)}” goes was not read."
        more = mention.behind[:1] == ("more",) and signs == {-1} and not compared
        # "They sold 875 and 210 more."
        done = (*clause, *mention.stems)
        if more and not any(is_of(each, "losing") or is_of(each, "gone") for each in done):
            yield f"“{mention.wording}” is taken away."
        if {"fewer", "less"} & {*clause} and signs == {1} and not compared:
            yield f"“{' '.join(clause)}” is added."
        state = any(is_of(a, "being") and is_of(b, "broken") for a, b in pairwise(clause))
        if state and signs == {-1} and not any(is_of(each, "remaining") for each in question.words):
            yield f"“{' '.join(clause)}” says what some are like, not that they are gone."


_TO_A_PLACE = re.compile(
    r"(\w+) (?:over |up |down )?(?:to|into|onto) (?:the|an?|his|her|their) (\w+)"
)
_JOINED = re.compile(r"\bjoin(?:s|ed)? (?:the|an?|his|her|their) (?:\w+ )?(\w+)$")


def _elsewhere(numbers: Sequence[UsedNumber], question: LookQuestion) -> Iterator[str]:
    """Who goes to a place may be there still; who joins what nobody told of may have been there."""
    told = [mention for mention, _ in numbers]
    for mention, use in numbers:
        wording = " ".join(mention.clause)
        goes, joins = _TO_A_PLACE.search(wording), _JOINED.search(wording)
        if use is None or use.operation not in "+-" or mention.in_question:
            continue
        known = question.stems.union(*(each.stems for each in told if each.at != mention.at))
        gone = goes is not None and is_of(goes[1], "moving") and use.sign < 0
        if goes is not None and gone and stem(goes[2]) not in {*known, "home"}:
            yield f"Whether “{wording}” takes them away was not read."
        before = {stem(each) for each in wording[: joins.start()].split()} if joins else set()
        if joins is not None and use.sign > 0 and stem(joins[1]) not in known | before:
            yield f"Whether “{wording}” brings them there was not read."


def _more_than_whom(
    story: str, numbers: Sequence[UsedNumber], question: LookQuestion
) -> Iterator[str]:
    """“Her friend sold 5 more”, “5 points more”, “Jim has 2 more”: besides, or than another."""
    if re.search(r"\b(?:than|compared)\b", story.lower()):
        return
    several = bool(question.words & {"they", "both"})
    mentions = sorted((each for each, _ in numbers), key=lambda each: each.at)
    for before, mention in pairwise(mentions):
        start = mention.clause[: len(mention.clause) - len(mention.behind)]
        other = any(is_of(each, "kin") for each in start) or mention.names - before.names
        alike_done = bool(before.stems & {stem(each) for each in start})
        alone = mention.behind[:1] == ("more",) and len(mention.behind) < 3
        behind = mention.behind[1:2] == ("more",)
        had = (alone or behind) and bool(_holder(start[:-1]) - before.stems)
        gains = any(is_of(each, "gaining") for each in mention.clause)
        verb = {*map(stem, {*start[-2:-1]} - mention.names)}
        same = bool(verb & before.stems) and not _PRONOUNS & {*start}
        besides = other and alone and (same or (several and alike_done))
        if had or besides or (behind and (several or not gains)):
            yield f"“{' '.join(mention.clause)}” may be more than another."


_PRONOUNS = frozenset({"he", "she", "it", "they", "there", "we", "i", "you"})


def _holder(words: Sequence[str]) -> set[str]:
    """By stems, who has or what costs as much as follows the words; empty behind a pronoun."""
    plain = [each for each in words if each not in {"only", "just", "also", "still", "$"}]
    having = bool(plain) and (is_of(plain[-1], "having") or stem(plain[-1]) == "cost")
    priced = "$" in words[-1:] and plain[-1:] and plain[-1] in {"is", "are", "was", "were"}
    if not having and not priced:
        return set()
    subject = plain[:-1]
    if _PRONOUNS & {*subject}:
        return set()
    return {stem(each) for each in subject} - {"and", "the", "a", "an"}


def _moving(mention: TextNumber) -> Sequence[str]:
    """The words of its clause that are said of a number; none of what is only planned."""
    clause = mention.clause[: len(mention.clause) - len(mention.behind)]
    joined = [at for at, word in enumerate(clause) if word in {"and", "then"}]
    own = mention.clause[joined[-1] + 1 if joined else 0 :]
    return () if "to" in own else own


def _single_things(story: str, uses: Sequence[NumberUse], question: LookQuestion) -> Iterator[str]:
    """A thing without a number that comes or goes: "he found a dime", "she loses one box"."""
    if any(same_value(each.value, Fraction(1)) for each in uses):
        return
    coins = next(kind for kind in look_lists().measures if "dollar" in kind)
    money = bool(question.words & {"much", "money", "cents", "dollars"})
    for clause, _ in clauses(story):
        moved = any(is_of(each, "losing") or is_of(each, "gaining") for each in clause)
        for at, article in enumerate(clause[1:-1] if moved else (), 1):
            before, word, behind = clause[at - 1], clause[at + 1], clause[at + 2 : at + 3]
            given = any(is_of(before, each) for each in ("losing", "gaining", "persons"))
            thing = stem(word)
            counted = thing in question.things or (money and thing in coins)
            if (
                article in {"a", "an", "another", "one"}
                and given
                and counted
                and not run_of(behind)
            ):
                yield f"“{article} {word}” was not read."


_OF_THEM = re.compile(
    r"\b(?:all|most|none|many|several|few|both|one|each|any) of (?:them|these|those)\b"
    r"|\bone more\b"
    r"|\b(?:took|takes|ate|eats|lost|loses|stole|sold|sells|gave|gives|drank) (?:away )?"
    r"the (?:rest|others)\b"
)


_SORTED = re.compile(r"\b(?:sorted|divided|grouped|packed|arranged|placed) in(?:to)?\b")
"""What is done with all of them without a change of how many there are."""


def _untold_amounts(story: str, sentence: str) -> Iterator[str]:
    """Amounts without a number that change what there is: "all of them were lost", "another came".

    One that a state behind it makes known ("some were sold, and 5 are left") is an unknown.
    """
    told = [clause for clause, _ in clauses(story)]
    asked = [clause for clause, _ in clauses(sentence)]
    known = False
    for at, words in enumerate(told):
        before, known = known, known or any(map(is_number, words))
        if not before or any(map(is_number, words)):
            continue
        loses = any(is_of(each, kind) for each in words for kind in ("changed", "losing", "broken"))
        changes = loses or any(is_of(each, "gaining") for each in words)
        wording = " ".join(words)
        vague = any(is_of(each, "vague") for each in words) and not _SORTED.search(wording)
        evenly = bool({"equally", "evenly"} & {*words}) and re.search(r"\beach\b", sentence)
        meant = loses and not evenly and any(each in {"them", "it", "both"} for each in words)
        unknown = any(map(_is_state, told[at + 1 :] + asked))
        if _OF_THEM.search(wording) or (not unknown and ((vague and changes) or meant)):
            yield f"“{wording}” changes an amount and has no number."


_AT_THE_END = frozenset({"be", "now", "left", "together", "altogether", "total"})


def _is_state(words: Sequence[str]) -> bool:
    """Whether a clause tells how many there are then."""
    stands = any(is_of(each, "being") or is_of(each, "having") for each in words)
    return any(map(is_number, words)) and (stands or bool(_AT_THE_END & {*words}))


def _of_another_size(numbers: Sequence[UsedNumber], question: LookQuestion) -> Iterator[str]:
    """Amounts of different size that are put together as if they were one."""
    used = [each for each in numbers if each.use is not None]
    added = [mention for mention, use in used if use is not None and use.operation in "+-"]
    for kind in look_lists().measures if added else ():
        if "dollar" in kind and not question.words & {"much", "cents", "dollars"}:
            continue
        units = {
            mention.nouns[0]
            for mention, use in used
            if use and mention.nouns and mention.nouns[0] in kind and mention.value == use.value
        }
        wanted = {*kind} & question.things if units else set()
        if len({kind[unit] for unit in units | wanted}) > 1:
            yield f"“{'” and “'.join(sorted(units | wanted))}” are not of one size."


def _packs(text: str, numbers: Sequence[UsedNumber], question: LookQuestion) -> Iterator[str]:
    """Packs that are counted like what is in them: 3 boxes of pens and 4 pens."""
    words = [stem(each) for each in re.findall(r"[a-z]+", text.lower())]
    used = [mention for mention, use in numbers if use is not None]
    multiplied = [mention for mention, use in numbers if use is not None and use.operation == "*"]
    for mention in used:
        if mention in multiplied:
            continue
        behind = mention.behind[len(mention.nouns) :]
        if not mention.nouns or behind[:1] != ("of",):
            continue
        pack, inside = mention.nouns[-1], {*run_of(behind[1:])}
        others = [each for each in used if each is not mention]
        counted = question.stems.union(*(each.nouns for each in others))
        once = len([each for each in words if each == pack]) == 1
        if once and not is_of(pack, "single") and inside & counted:
            yield f"How many are in “{mention.wording}” was not read."


def _rough(story: str) -> Iterator[str]:
    """What is no exact number: "nearly 20", "all but one", "the new pens"; "over 3 days" is."""
    for match in _EXCEPTIONS.finditer(story.lower()):
        yield f"“{match[0]}” was not read."
    for match in _SOME_OF_THEM.finditer(story.lower()):
        yield f"“{match[1]}” was not read."
    for match in _ROUGH.finditer(story.lower()):
        spans = match[0].startswith(("over", "around")) and is_of(
            (match[1] or "").rstrip("s"), "spans"
        )
        if not spans:
            yield f"“{match[0]}” is no exact number."
