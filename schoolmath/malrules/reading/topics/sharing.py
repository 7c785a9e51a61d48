"""Equal shares and pieces, amounts shared in a ratio, ratios and shares of counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from schoolmath.malrules.catalogue.fractions.ratios import RatioShare
from schoolmath.malrules.catalogue.fractions.ratios_of_counts import CountsRatio
from schoolmath.malrules.reading.expressions import Rewriting, read_as
from schoolmath.malrules.reading.topics.quantities import (
    FURTHER,
    STOP,
    CountedThing,
    clauses,
    counts_all,
    quantities,
    question_of,
    thing_of,
)
from schoolmath.text.plurals import singular_of

_PIECES = re.compile(
    r"(?P<whole>\d+(?:\.\d+)?) (?P<unit>[a-z]+) (?:of|long)?.*\b(?:cut|divided?|split"
    r"|poured?)\b[a-z ]*?"
    r"\b(?:into|in) (?P<thing>[a-z]+) (?:that are |which are |of )(?P<part>\d+(?:\.\d+)?) "
    r"(?P<same>[a-z]+)"
    r"(?: each| long)*[.;,] how many (?P<asked>[a-z]+)\b"
)


def pieces(story: str) -> Sequence[str]:
    """A length or an amount cut into equal pieces of a told size."""
    found = _PIECES.search(story)
    if found is None or len(quantities(story)) != 2 or FURTHER.search(story):
        return ()
    alike = singular_of(found["unit"]) == singular_of(found["same"])
    asked = singular_of(found["asked"]) == singular_of(found["thing"])
    if not alike or not asked or Fraction(found["whole"]) % Fraction(found["part"]):
        return ()
    return (f"{found['whole']} ÷ {found['part']}",)


_SHARES = re.compile(
    r"(?P<among>\d+) [a-z]+ share (?P<things>\d+) [a-z]+ (?:equally|evenly)\b[^\d]*"
    r"|.*\b(?:equally|evenly) (?:distributes?|shares?|divides?|splits?|gives?) (?P<things_>\d+) "
    r"[a-z]+ "
    r"(?:to|among|between|with|into) (?P<among_>\d+) [^\d]*"
    r"|.*\b(?:distributes?|shares?|divides?|splits?|gives?) (?P<things__>\d+) [a-z]+ (?:equally"
    r"|evenly) "
    r"(?:to|among|between|with|into) (?P<among__>\d+) [^\d]*"
    r"|(?P<things___>\d+) [a-z]+ (?:are|were) (?:shared|divided|split) (?:equally|evenly) "
    r"(?:to|among|between) (?P<among___>\d+) [^\d]*"
    r"|an? [a-z]+ (?:is|of) (?P<length>\d+) [a-z]+(?: long)?.*\bcut into (?P<pieces>\d+) equal "
    r"[^\d]*"
)


def sharing(story: str) -> Sequence[str]:
    """So many things in equal parts, and how many are in each."""
    found, question = _SHARES.fullmatch(story), question_of(story)
    if found is None or FURTHER.search(story) or not re.search(r"\beach\b", question):
        return ()
    if not re.search(r"\bhow (?:many|much|long)\b", question) or len(quantities(story)) != 2:
        return ()
    many, among = (number for number in found.groups() if number)
    if re.search(rf"\bwith {among}\b", story):
        # Who shares with 2 friends is one of three.
        return ()
    if found["things___"] and int(many) % int(among):
        return ()  # What is left over may stay whole.
    if found["among"]:
        many, among = among, many
    return (f"{many} ÷ {among}",)


_IN_RATIO = re.compile(
    r"\b(?:the )?(?:numbers? of )?(?P<names>[a-z]+(?:, (?:and )?[a-z]+)*(?:,? and | to )(?:the )?"
    r"(?:number of )?[a-z]+)(?: [a-z ]{0,20}?)? (?:are|is|was|were)?(?: in)? ?(?:the |a )?"
    r"(?:ratio )?(?:of )?(?P<parts>\d+(?: ?: ?\d+)+)\b"
)
_MANY = re.compile(
    r"\b(?:how many|(?:find|what is|calculate) (?:the )?number of) (?P<name>[a-z]+)\b[a-z ]*[?.]?$"
)


def shared_in_ratio(story: str) -> Sequence[Rewriting]:
    """So many things of two kinds or more in a ratio; how many there are of one kind."""
    found, question = _IN_RATIO.search(story), _MANY.search(story)
    if found is None or question is None or "ratio" not in story or FURTHER.search(story):
        return ()
    parts = [int(each) for each in found["parts"].split(":")]
    names = [singular_of(each) for each in re.findall(r"[a-z]+", found["names"])
             if each not in {"and", "to", "the", "number", "of"}]  # fmt: skip
    rest = story[: found.start("parts")] + story[found.end("parts") :]
    rest = re.sub(rf"\bof {len(parts)} (?:types|kinds|sorts)\b", "", rest)
    totals = re.findall(r"\d+(?:\.\d+)?", rest)
    asked = singular_of(question["name"])
    if len(totals) != 1 or not totals[0].isdigit() or len(names) != len(parts) or 0 in parts:
        return ()
    if names.count(asked) != 1 or len(set(names)) != len(names):
        return ()
    if not counts_all(totals[0], rest, names):
        return ()
    part = parts[names.index(asked)]
    return (read_as(RatioShare, part, sum(parts) - part, int(totals[0])),)


_SHARED = re.compile(
    r"(?:(?:share|divide|split) [$£€₹]?(?P<whole>\d+) (?:among|between) "
    r"(?P<among>[a-z]+(?:(?:, | ?: ?)[a-z]+)*(?:,? and | ?: ?)[a-z]+) "
    r"|(?P<names>[a-z]+(?:, [a-z]+)*,? and [a-z]+) (?:shared?|divided?|split) "
    r"[$£€₹]?(?P<total>\d+)(?: [a-z]+)? (?:between them )?)"
    r"in (?:the|a) ratio (?:of )?(?P<parts>\d+(?: ?: ?\d+)+)[.;,]? "
    r"how (?:much|many)(?: (?!more|less|fewer)[a-z]+)? (?:does|did|will|would) "
    r"(?P<who>[a-z]+) (?:get|receive|have)\??"
)


def shared(story: str) -> Sequence[Rewriting]:
    """An amount shared in a ratio by people with names; one of them is asked about."""
    found = _SHARED.fullmatch(story.strip())
    if found is None:
        return ()
    names = re.split(r",? and |, | ?: ?", found["names"] or found["among"])
    parts = [int(each) for each in found["parts"].split(":")]
    if len(names) != len(parts) or names.count(found["who"]) != 1:
        return ()
    part = parts[names.index(found["who"])]
    return (read_as(RatioShare, part, sum(parts) - part, int(found["total"] or found["whole"])),)


def _parts_and_whole(story: str) -> tuple[list[CountedThing], list[str], str] | None:
    told, question = clauses(story)
    amounts = quantities(story)
    if len(amounts) != 2 or not question or not all(each.whole for each in amounts):
        return None
    if any(each.percent or each.is_money for each in amounts) or FURTHER.search(story):
        return None
    return amounts, told, question


_RATIO_ASKED = re.compile(
    r"\bratio of (?:the )?([a-z ]+?) (?:to|and) (?:the )?([a-z ]+?)(?:,? (?:in|as) [a-z ]+)?"
    r"(?: =)?[.?]?$"
)
_WHOLE = r"(?:the )?(?:total|whole|entire|all)(?: number)?(?: of)?(?: the)?"


def ratio_of_counts(story: str) -> Sequence[Rewriting]:
    """Two counts, and the ratio of one to the other or to both."""
    asked = _RATIO_ASKED.search(question_of(story))
    if asked is None:
        return ()
    if len(several := quantities(story)) > 2 and not FURTHER.search(story):
        row = re.match(r"[^\d]*\d+ [a-z]+(?:, \d+ [a-z]+)+,? and \d+ [a-z]+$", clauses(story)[0][0])
        named = [[each for each in several if each.thing == thing_of(words)]
                 for words in asked.groups()]  # fmt: skip
        if (
            not row
            or len(quantities(row[0])) != len(several)
            or [len(each) for each in named] != [1, 1]
            or named[0] == named[1]
        ):
            return ()
        return (read_as(CountsRatio, *(int(each[0].number) for each in named), False),)
    read = _parts_and_whole(story)
    if read is None:
        return ()
    one, other = (
        next((at for at, each in enumerate(read[0]) if _is_asked(each, story, words)), None)
        for words in asked.groups()
    )
    counts = [int(each.number) for each in read[0]]
    if one is None or one == other:
        return ()
    parts = re.search(rf"\b{counts[0]} [a-z ]+ and {counts[1]} ", story) is not None
    if other is not None and parts:
        return (read_as(CountsRatio, counts[one], counts[other], False),)
    whole = [at for at in (0, 1) if _is_whole(read[0][at], asked[2])]
    if parts and re.match(rf"{_WHOLE}\b", asked[2]) and len(whole) != 1:
        return (read_as(CountsRatio, counts[one], counts[1 - one], True),)
    # Where no two parts are told it is a part of them all, "12 of them" or "12 are girls".
    if parts or one == 0 or (other is None and whole != [0]) or counts[1] >= counts[0]:
        return ()
    return (read_as(CountsRatio, counts[1], counts[0] - counts[1], True),)


def _is_whole(amount: CountedThing, words: str) -> bool:
    """Whether an amount counts what a question calls the whole."""
    name = set(thing_of(re.sub(rf"^{_WHOLE} ?", "", words)))
    name |= {"student", "pupil", "child"} if "class" in name else set()
    return bool(name & set(amount.thing))


def _is_asked(amount: CountedThing, story: str, words: str) -> bool:
    """Whether words of the question name what an amount counts: its noun, or what such ones do."""
    asked = {singular_of(each) for each in words.split()} - {"number"}
    own = re.search(rf"\b{amount.number} (?:of (?:them|the \w+) )?([a-z ]+)", story)
    if re.match(rf"{_WHOLE}\b", words):
        return False
    if amount.thing:
        return asked <= set(amount.thing)
    said = {singular_of(each) for each in own[1].split()} - STOP if own else set()
    return bool(said & asked) and len(asked - said) <= 1


def share_of_counts(story: str) -> Sequence[str]:
    """A part and the whole, as a percent."""
    out_of = re.search(r"\b(\d+) out of (?:the )?(\d+) [a-z]+ (?:are|is|were|was|have|had) "
    r"([a-z]+)\b",
                       story)  # fmt: skip
    if out_of and re.search(rf"\bwhat percent(?:age)?\b[a-z ]*\b{out_of[3]}\b", story):
        whole_story = len(quantities(story)) == 2 and not FURTHER.search(story)
        return (f"{out_of[1]} is what percent of {out_of[2]}",) if whole_story else ()
    read = _parts_and_whole(story)
    asked = re.search(r"\bwhat percent(?:age)? of (?:the )?(?:total )?([a-z]+)\b(.*)", story)
    if read is None or asked is None:
        return ()
    # Of 20 red and 30 blue pens neither number is that of the pens.
    whole = [each for each in read[0] if each.thing[:1] == (singular_of(asked[1]),)]
    part = [each for each in read[0] if each not in whole]
    if len(whole) != 1 or len(part) != 1 or int(part[0].number) >= int(whole[0].number):
        return ()
    own = re.search(rf"\b{part[0].number} (?:of (?:them|the \w+) )?([a-z ]+)", story)
    said = {singular_of(each) for each in own[1].split()} - STOP if own else set()
    if not said & {singular_of(each) for each in re.findall(r"[a-z]+", asked[2])}:
        return ()
    return (f"{part[0].number} is what percent of {whole[0].number}",)
