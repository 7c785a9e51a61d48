"""A part of a whole: what is left of it, the whole behind what is left, the other part.

``Two-thirds of the 15 slices are eaten. How many are left?`` is 15 - 2/3 × 15.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from schoolmath.malrules.reading.phrasings import ONE_PART
from schoolmath.malrules.reading.topics.quantities import FURTHER, clauses, counts_all
from schoolmath.problems.stories.words import verb_lemma
from schoolmath.text.numbers import read_phrase
from schoolmath.text.plurals import singular_of

_NAMES = "|".join(ONE_PART)
_IN_WORDS = re.compile(
    rf"\b(?:(an?|one|two|three|four|five|six|seven|eight|nine)[- ])?({_NAMES})s?(?=\b)"
)
_SHARE = re.compile(r"(?<![\d/.])(?:(\d+)/(\d+)|(\d+(?:\.\d+)?)%)")
_WHOLE = re.compile(r"(?<![\d/.])[$£€₹]?(\d+(?:\.\d+)?)(?![%\d/]|\.\d)")
_OF_THE_WHOLE = (
    r" of (?:them|it|these|those|(?:the|his|her|its|their|my|your|our|these|those|all)\b"
    r"|an? (?=\d))"
)
_LEFT = re.compile(r"\b(?:left(?: over)?|remain(?:s|ing)?|still ha(?:s|ve|d))\b")
_AT_FIRST = re.compile(
    r"\b(?:at first|to start with|in the beginning|originally|at the (?:start|beginning)|initially"
    r"|to begin with|before)\b|\bhow (?:much|many)\b.*\bhave\b"
)
GOES = re.compile(
    r"\b(?:eats?|eaten|ate|spen[dt]s?|us(?:es|ed)|sells?|sold|gives? away|gave away|gives?|gave"
    r"|given|los(?:es|t)|drinks?|drank|drunk|reads?|cuts? off|removed|takes? away|took away|broken"
    r"|broke|thrown away|poured out|picked|planted|cleaned|done|finished|completed)\b"
)
_OPPOSITES = {
    frozenset(pair.split()) for pair in (
        "boy girl", "man woman", "adult child", "male female", "absent present", "fail pass",
        "failed passed", "wrong right", "incorrect correct", "even odd", "teacher student",
        "rotten good", "filled vacant", "full empty", "occupied empty", "occupied available",
        "sold unsold",
    )
}  # fmt: skip
"""What all of a whole must be, of which nothing else is told; colours are more than two."""
_OWN = re.compile(rf"\b(?:left|remain\w*|half|gave|given away|lost)\b|{_AT_FIRST.pattern}")
"""Words of such stories that tell of something further in others."""


def with_fractions(story: str) -> str:
    """Fractions in words as they are written, ``two-thirds of`` as ``2/3 of``; percents by %."""

    def fraction(match: re.Match[str]) -> str:
        many = match[1] or "1"
        top = "1" if many in {"a", "an", "1"} else str(read_phrase(many)[0].value)
        return f"{top}/{ONE_PART[match[2]]}"

    percents = re.sub(r"(?<=\d) ?(?:%|percent\b|per cent\b)", "%", story)
    return _IN_WORDS.sub(fraction, percents)


def _share_and_whole(story: str) -> tuple[Fraction, str, str] | None:
    """The one fraction or percent of a story, how it is written, and its one other number."""
    shares, wholes = list(_SHARE.finditer(story)), _WHOLE.findall(story)
    if len(shares) != 1 or len(wholes) != 1 or FURTHER.search(_OWN.sub("", story)):
        return None
    if re.search(r"\b(?:every|each|per)\b", story):
        return None
    top, bottom, percent = shares[0].groups()
    if bottom and not int(bottom):
        return None
    share = Fraction(percent) / 100 if percent else Fraction(int(top), int(bottom))
    if not 0 < share < 1:
        return None
    return share, f"{percent}%" if percent else f"{top}/{bottom}", wholes[0]


def left_over(story: str) -> Sequence[str | tuple[str, ...]]:
    """A part of so many goes: how many are left, or how many there were before."""
    story = with_fractions(story)
    known = _share_and_whole(story)
    told, question = clauses(story)
    if known is None or not question:
        return ()
    share, written, whole = known
    of_it = re.compile(rf"(?<!\d){re.escape(written)}(?:{_OF_THE_WHOLE}|(?= (?:to|for|on)\b|$))")
    goes = [each for each in told if of_it.search(each)]
    if len(goes) != 1 or not GOES.search(goes[0]):
        return ()
    left_told = [each for each in told if _LEFT.search(each)]
    if _LEFT.search(question) and not left_told and re.match(r"how (?:many|much)\b", question):
        return _rest(written, whole) if _same_owner(told, goes[0], question) else ()
    if len(left_told) == 1 and whole in left_told[0] and _AT_FIRST.search(question):
        if _LEFT.search(question) or not whole.isdigit():
            return ()
        rest = 1 - share
        if rest.numerator == 1:
            return (f"{whole} × {rest.denominator}",)
        return (f"{rest} of x is {whole}. What is x?",)
    return ()


_WHOSE = re.compile(r"\b(?:does|do|did|has|have|will) (?:the |his |her )?(?!have\b)([a-z]+)\b")


def _same_owner(statements: Sequence[str], goes: str, question: str) -> bool:
    """Whether what is left is asked of who had it, not of who got some: "did Ben have left"."""
    whose = _WHOSE.search(question)
    if whose is None or whose[1] in {"they", "it", "you", "we", "i", "there"}:
        return True
    if whose[1] in {"he", "she"}:
        before = re.match(r"(?:then )?(he|she)\b", goes)
        return before is None or before[1] == whose[1]
    return whose[1] in statements[0].split()


def _rest(part: str, whole: str) -> Sequence[str | tuple[str, ...]]:
    """What is not the share: of a percent a decrease by it, else the steps of the story."""
    if part.endswith("%"):
        return (f"Decrease {whole} by {part}",)
    top, bottom = map(int, part.split("/"))
    if not whole.isdigit() or int(whole) % bottom:
        return (f"{whole} - {part} × {whole}",)
    one = int(whole) // bottom
    steps = [f"{whole} ÷ {bottom} = {one}", f"{one} × {top} = {one * top}"]
    if top == 1:
        del steps[1]
    return ((*steps, f"{whole} - {one * top} = {int(whole) - one * top}"),)


_NUMBER = r"(?<![\d/.$£€₹])(\d+)(?![\d/.%])"
_TAKEN = re.compile(
    rf"{GOES.pattern} (?:away )?{_NUMBER} (?P<of>(?:of (?:them|it|the|his|her)\b ?)?)"
    r"(?P<thing>[a-z]*)"
)


_FRACTION_LEFT = re.compile(
    r"\bwhat fraction\b.*\b(?:left(?![- ]hand)|remain(?:s|ing)?|uneaten|unread|unused|rest|not)\b"
)


def fraction_left(story: str) -> Sequence[str]:
    """One fraction of a whole is told, and what fraction is left."""
    story = with_fractions(story)
    told, question = clauses(story)
    numbers = re.findall(r"\d+(?:/\d+)?", story)
    if len(numbers) != 1 or not re.fullmatch(r"\d+/\d+", numbers[0]) or len(told) != 1:
        return ()
    one_thing = GOES.search(told[0]) or re.search(
        rf"\b{numbers[0]} (?:of [\w ]+ )?(?:are|is)\b", told[0]
    )
    spends = re.search(r"\bsaves?\b.*", told[0]) and re.search(r"\bspends?$", question)
    saves = re.search(r"\bspends?\b.*", told[0]) and re.search(r"\bsaves?$", question)
    if not (spends or saves or (one_thing and _FRACTION_LEFT.search(question))):
        return ()
    return (f"1 - {numbers[0]}",) if FURTHER.search(_OWN.sub("", told[0])) is None else ()


def things_left(story: str) -> Sequence[tuple[str, ...]]:
    """So many things, some of which go in one clause, and how many are left."""
    told, question = clauses(story)
    numbers = re.findall(r"\d+(?:\.\d+)?", story)
    asked = re.match(
        r"how many ([a-z]+)\b.*\b(?:left|remain(?:ing)?)(?: (?:in|on) [a-z ]+)?$", question
    )
    if re.search(r"\b(?:every|each|per)\b", story):
        return ()
    if asked is None or len(numbers) != 2 or len(told) != 2 or FURTHER.search(_OWN.sub("", story)):
        return ()
    first, goes = re.search(rf"{_NUMBER} ([a-z]+)", told[0]), _TAKEN.search(told[1])
    if first is None or goes is None or GOES.search(told[0]) or " and " in " ".join(told):
        return ()
    thing, taken = singular_of(first[2]), goes[1]
    who, whose = told[1].split()[0], told[0].split()[0]
    same = goes["of"].startswith(("of them", "of it")) or (
        singular_of(goes["thing"]) == thing
        and (goes["of"] or who in {"he", "she", "they", "it", whose} or whose == "there")
    )
    if not same or singular_of(asked[1]) != thing or int(taken) > int(first[1]):
        return ()
    return ((f"{first[1]} - {taken} = {int(first[1]) - int(taken)}",),)


_PART_OF = re.compile(
    r"(?<![\d/.])(?P<part>\d+(?:\.\d+)?%|\d+/\d+) of (?:the |an? |his |her |their |its |my )?"
    r"(?:(?:group|class|school|team|year group|crowd|total|set|list) of )?[$£€₹]?"
    r"(?P<whole>\d+(?:\.\d+)?)\b(?!/)"
)


def part_of(story: str) -> Sequence[str]:
    """``25% of a 160-page book`` in a story, and how many or how much this is.

    What the question names is told too: of 25% who are absent nobody knows who is ill.
    """
    story = with_fractions(story)
    found, question = _PART_OF.search(story), clauses(story)[1]
    if found is None or FURTHER.search(story) or not re.match(r"how (?:many|much)\b", question):
        return ()
    others = set(re.findall(r"\d+(?:[./]\d+)?", story.replace(found[0], "", 1)))
    told = {word[:4] for word in re.findall(r"[a-z]+", story.replace(question, ""))}
    asked = {word[:4] for word in re.findall(r"[a-z]+", question) if word not in _ASKING}
    return (
        (f"{found['part']} of {found['whole']}",)
        if asked <= told and others <= {found["whole"]}
        else ()
    )


def part_of_them(story: str) -> Sequence[str]:
    """``There are 120 pupils. 2/5 of them walk to school.``: how many of them walk to school."""
    story = with_fractions(story)
    known = _share_and_whole(story)
    told, question = clauses(story)
    if known is None or len(told) != 2 or not re.match(r"how many\b", question):
        return ()
    _, part, whole = known
    match = re.search(
        rf"(?<![\d/]){re.escape(part)}(?:{_OF_THE_WHOLE}|(?= (?:are|is)\b|$))", told[1]
    )
    first = re.search(rf"\b{re.escape(whole)} ([a-z]+)", told[0])
    if match is None or first is None or re.search(r"\b(?:and|or|but|who|that)\b", story):
        return ()
    things = _words(told[0])
    before = [word for word in told[1][: match.start()].split() if word not in _ASKING]
    behind = [
        word for word in re.findall("[a-z]+", told[1][match.end() :])
        if word not in _ASKING and singular_of(word) not in things
    ]  # fmt: skip
    verb = (before[-1:] or behind[:1] or [""])[0]
    asked = {_root(word) for word in re.findall("[a-z]+", question) if word not in _ASKING}
    # Of whom it is told, unless "she" or "2/5 of them" says that it is the same.
    again = not before[:-1] or re.match(r"(?:then )?(?:s?he|they|it|we|i)\b", told[1]) is not None
    there = f"{told[0] if again else first[1]} {told[1]}"
    known_words = {_root(word) for word in re.findall("[a-z]+", there)}
    counted = singular_of(question.split()[2]) if len(question.split()) > 2 else ""
    same = counted == singular_of(first[1]) and verb and _root(verb) in asked
    return (f"{part} of {whole}",) if same and asked <= known_words else ()


def _root(word: str) -> str:
    """One form for "eat" and "ate", "walks" and "walk"."""
    return (verb_lemma(word) or singular_of(word))[:5]


_ASKING = frozenset({
    "how", "many", "much", "of", "the", "a", "an", "is", "are", "was", "were", "did", "do", "does",
    "he", "she", "they", "it", "i", "you", "we", "them", "his", "her", "their", "there", "in", "on",
    "to", "have", "has", "had", "get", "receive", "earn", "will", "would", "can", "people", "this",
    "these", "that", "money", "for", "as",
})  # fmt: skip
"""Words of a question that ask for nothing that a story must have told."""


def other_part(story: str) -> Sequence[str | tuple[str, ...]]:
    """So many of a whole are one thing: how many these are, or the others (boys of a class)."""
    story = with_fractions(story)
    known = _share_and_whole(story)
    told, question = clauses(story)
    if known is None or not question:
        return ()
    _, part, whole = known
    text = ". ".join(told)
    whole_of_it = rf"(?:{_OF_THE_WHOLE}(?: [\w ]+?)?| of [a-z]+)?"
    are = re.search(
        rf"(?<!\d){re.escape(part)}{whole_of_it} (?:are|were) ([a-z]+(?: [a-z]+)?)", text
    )
    match = _HOW_MANY.match(question)
    if are is None or match is None:
        return ()
    group = are[0][: are.start(1) - are.start()]
    if not counts_all(whole, text, _words(are[1]) - _words(group), group):
        return ()
    if match[1] and singular_of(match[1]) not in _words(text):
        return ()  # How many teachers, where pupils are told of.
    kind, asked = (singular_of(each) for each in (are[1].split()[0], match[2].split()[0]))
    if kind == asked and _words(are[1]) >= _words(match[2]):
        return (f"{part} of {whole}",)
    if {asked, kind} not in _OPPOSITES or asked in _words(text):
        return ()
    return _rest(part, whole)


_SOME = (
    r"(?:if )?(?:of (?:them|these),? )?(?P<some>\d+) (?:of (?:them|these|the) )?(?P<noun>[a-z]+ )??"
)
_SOME_ARE = re.compile(rf"{_SOME}(?:are|were) (?:an? )?(?P<what>[a-z]+)(?: today)?")
_SOME_DO = re.compile(rf"{_SOME}(?P<what>(?!are\b|were\b|do\b)[a-z]+ [a-z ]+)")
_OTHERS_ARE = re.compile(
    r"how many (?:of (?:them|these) )?(?P<noun>[a-z]+ )?(?:are|were) (?P<denied>not |non-)?"
    r"(?P<what>[a-z]+)|how many (?P<these>[a-z]+) (?:are|were) there\b.*"
)
_OTHERS_DO = re.compile(r"how many (?P<noun>[a-z]+ )?do (?P<denied>not )(?P<what>.+)")


def others_of_count(story: str) -> Sequence[tuple[str, ...]]:
    """So many of a whole are or do one thing, and how many don't, or are what all others are."""
    told, question = clauses(story)
    numbers = re.findall(r"\d+(?:\.\d+)?", story)
    whole = re.search(rf"\b(?:there are|has|have|of) {_NUMBER} ([a-z]+)", told[0] if told else "")
    if whole is None or len(numbers) != 2 or len(told) != 2 or re.search("[%/]", story):
        return ()
    if FURTHER.search(_NOT.sub("", story)) or re.search(
        r"\b(?:and|or|who|that|each|every|per)\b", story
    ):
        return ()
    for some_do, others_do in ((_SOME_ARE, _OTHERS_ARE), (_SOME_DO, _OTHERS_DO)):
        some, asked = some_do.fullmatch(told[1]), others_do.fullmatch(question)
        if some is None or asked is None:
            continue
        nouns = {singular_of(each.strip()) for each in (some["noun"], asked["noun"]) if each}
        what, wanted = some["what"], asked["what"] or asked["these"]
        opposite = {singular_of(what), singular_of(wanted)} in _OPPOSITES
        others = what == wanted if asked["denied"] else opposite
        if nouns <= {singular_of(whole[2])} and others and int(some["some"]) <= int(whole[1]):
            left = int(whole[1]) - int(some["some"])
            return ((f"{whole[1]} - {some['some']} = {left}",),)
    return ()


_NOT = re.compile(r"\bnot\b|\bnon-")
_HOW_MANY = re.compile(
    r"(?:how many|(?:find|determine|calculate|what is) the number of) "
    r"(?:(?:([a-z]+) )?(?:are|were) (?!there|in\b)(?=[a-z]+$))?([a-z]+(?: [a-z]+)??)"
    r"(?: (?:are|were) (?:there|in)\b.*| in\b.*)?$"
)


def _words(text: str) -> set[str]:
    return {singular_of(each) for each in re.findall("[a-z]+", text)}
