"""Wordings of stories that say what others say, which the reader knows.

``A pear and 3 plums`` is 1 pear and 3 plums, ``3 frogs each eat 10 flies`` is 10 flies each. The
second look sees the text as it was written.
"""

from __future__ import annotations

import re

from schoolmath.text.numbers import NUMBER_WORDS

_NO_COUNT = (
    r"dozen|hundred|thousand|million|half|third|quarter|fourth|fifth|tenth|few|lot|couple|number"
    r"|total|little|bit|pair|group|set|certain|day|week|month|year|hour|minute"
)
_ARTICLE = re.compile(rf"\ban? (?!(?:{_NO_COUNT})\b)(?=[a-z])")
_COUNT = rf"(?:an? (?!(?:{_NO_COUNT})\b)|(?:\d[\d,]*|{'|'.join(sorted(NUMBER_WORDS))}) )"
_NO_NOUN = (
    r"and|or|but|with|for|of|in|on|to|from|at|by|that|who|which|is|are|was|were|has|have|had|than"
    r"|costs?|cost|each|every|per|more|fewer|less|left|times"
)
_SIZE = (
    r"dollars?|cents?|euros?|pounds?|ounces?|(?:kilo)?grams?|k?g|miles?|feet|foot|inch(?:es)?|yards?"
    r"|(?:kilo|centi|milli)?(?:met|lit)(?:er|re)s?|[kcm]?m|m?l|quarts?|gallons?|percent"
    r"|(?:second|minute|hour|day|week|month|year)s?"
)
_ONE_KIND = (
    rf"{_COUNT}(?!(?:{_NO_NOUN}|{_SIZE})\b)[a-z-]+(?: (?!(?:{_NO_NOUN})\b)[a-z-]+)?"
    r"(?: of [a-z]+(?=[,. ]))?"
)
_COUNTED_TOGETHER = re.compile(
    r"(?<!\bin )(?<!\bon )(?<!\bat )(?<!\binto )(?<!\bof )(?<!\bfrom )(?<!\bthan )(?<!\bas )"
    rf"(?<!\bby )(?<!\bto )\b{_ONE_KIND}(?:(?:, and |, | and ){_ONE_KIND})+"
    r"(?=[.?!;,]| (?:in|on|at|for|from|to|with|is|are|was|were|have|had|costs?|together|altogether"
    r"|sit|sat|live|went|came|go|run|that|which|who)\b)",
    re.IGNORECASE,
)
"""What stands in a row and is counted, "3 apples, a pear and a plum"; no "on a book and $5 on"."""


_IN_A_ROW = re.compile(r"(?:,| and) an? [a-z]|\ban? [a-z-]+(?: [a-z-]+)?(?:,| and) ")
"""A cheap look, before the dear one, for what may stand in such a row."""


def _with_ones(several: re.Match[str]) -> str:
    """“a pear, 3 apples and a plum”: 1 pear, 3 apples, 1 plum."""
    numbered = _ARTICLE.sub("", several[0]) != several[0] and re.search(
        rf"\d|\b(?:{'|'.join(sorted(NUMBER_WORDS - {'one'}))})\b", several[0], re.IGNORECASE
    )
    return _ARTICLE.sub("1 ", several[0]) if numbered else several[0]


_KIN = re.compile(r" (?:broth|sist|cous)")
_OLDER = re.compile(r"\b(?:younger|older|little|big) (?=(?:brother|sister|cousin)s?\b)")
_THAT_COSTS = re.compile(r"\b(b(?:uys|ought) an? [a-z]+(?: [a-z]+)?) (?:that|which) costs?(?= \$)")
_EACH_ONE = re.compile(r"\beach one(?= (?:get|receive|have|weigh|cost)\b)")
_FIGURE = rf"(?:\d+|{'|'.join(sorted(NUMBER_WORDS))})"
_EACH_DOES = re.compile(
    rf"\b({_FIGURE} [a-z]+) each "
    r"(?!(?:of|to|in|on|for|with|and|at|from|had|has|have|is|are|costs?)\b)"
    rf"([a-z]+ (?:\$\d[\d.]*|{_FIGURE} [a-z]+))",
    re.IGNORECASE,
)
_LENGTHS = re.compile(r"\d (k?m|kilomet(?:er|re)s|met(?:er|re)s|miles|feet|yards)\b", re.IGNORECASE)
_HOW_FAR = re.compile(r"(?<=[Hh]ow )far(?= (?:do|does|did|will|can|has|have)\b)")


_ONE_AFTER_ANOTHER = re.compile(
    r"\b((?:days|nights|weeks|months|years|mornings|evenings)) in a row\b"
)
_PAGES = re.compile(r"\ba (\d+)[- ]page ((?:[a-z]+ )?(?:book|novel|story|report|magazine))\b")
_ON_ANOTHER_DAY = re.compile(
    r", and ((?:on|in|at|during) [^,.?]*), (?=(?:he|she|they|it|[A-Z][a-z]+)\b)"
)
_GOAL = re.compile(r"\b([A-Z][a-z]+)['’]s goal is to\b|\b(?:is|are) trying to\b(?= [a-z]+ \d)")
_REACH_IT = re.compile(r" to (?:reach|meet) (?:the|his|her|their|its) goal(?=\?)")
_COMBINED = re.compile(r"\bcombined(?=\?)")
_NUMBERED = re.compile(
    r"\b(Room|Class|Team|Bus|School|Grade(?= \d\d? (?:pupils|students|children)\b))"
    r" (\d\d?)(?= [a-z])"
)


_TAKEN, _FREE = "taken|occupied|filled|full|reserved", "open|empty|free|available|vacant"
_OPPOSITES = [
    re.compile(
        rf"(\d (?:of (?:the|its) )?(?:[a-z]+ )?(?:are|were) )(?:already )?({one})\b([^?]*"
        rf"\bhow many (?:[a-z]+ )?(?:are|were) )(?:still )?({other})\?",
        re.IGNORECASE,
    )
    for one, other in ((_TAKEN, _FREE), (_FREE, _TAKEN))
]
"""“85 seats are taken. How many are empty?”: how many are not taken."""
_MADE_OF = re.compile(
    r"\b(?:is|are|was|were) (?:making|building|baking|decorating|putting together) (?:an?|the) "
    r"(?:[a-z]+ ){0,2}(?P<whole>[a-z]+)\b(?P<between>[^?]*)"
    r"(?P<ask>\bhow many (?P<parts>[a-z]+) (?:are|were) (?:in|on) the )(?:[a-z]+ )?(?P=whole)\?",
    re.IGNORECASE,
)
_USES = re.compile(
    r"\b(?:uses?|used)(?= (?:\d|an? |one|two|three|four|five|six|seven|eight|nine|ten))"
)


def _not_so(story: re.Match[str]) -> str:
    """“... are taken. How many are empty?”, where nothing else is told of what is empty."""
    if re.search(rf"\b{story[4]}\b", story[3], re.IGNORECASE):
        return story[0]
    return f"{story[1]}{story[2]}{story[3]}not {story[2]}?"


_PUT_IN = re.compile(r"\b(?:us|add|stack|put|plac|thread|pil)(?:e[sd]?|s|ed|t?s)?\b")
_NOT_PUT_IN = re.compile(
    r"\b(?:ha[sd]|have|there|needs?|wants?|buys?|bought|finds?|found|gets?|got)\b"
)


def _of_what_is_made(story: re.Match[str]) -> str:
    """“She is making a bracelet. She uses 22 beads ... in the bracelet?”: they are put into it."""
    between = story["between"]
    if not _PUT_IN.search(between) or _NOT_PUT_IN.search(between):
        return story[0]
    parts = f"{story['parts']} are there altogether?"
    whole = story[0][: story.start("between") - story.start()]
    return f"{whole}{_USES.sub('adds', between)}How many {parts}"


def _as_wish(goal: re.Match[str]) -> str:
    return f"{goal[1]} wants to" if goal[1] else "wants to"


_LETTERS = "BCDEFGHJKLMNOPQRSTUVWXYZ"


def _lettered(label: re.Match[str]) -> str:
    """“Room 4” as a name that is no number: “Room E”."""
    number = int(label[2])
    return f"{label[1]} {_LETTERS[number]}" if number < len(_LETTERS) else label[0]


_PLAINER = [
    (re.compile(r"\bgo(?:es)? home\b(?=[.,]| and\b)"), "leave"),
    (
        re.compile(r" in (?:one|1) (day|week|hour|minute)\b(?=[^?]*\bhow many \1s\b)", re.I),
        r" each \1",
    ),
    (
        re.compile(
            r"(?<=\d) ([a-z]+) left (?=(?:for|on) (?:an?|the) (?:[a-z]+ )?"
            r"(?:trip|tour|camp|hike|journey|picnic|game|match|museum|zoo|beach|bus|train)\b)"
        ),
        r" \1 went ",
    ),
    (re.compile(r"(?<=are) left un[a-z]+ed\b|(?<=are) left unread\b"), " left"),
    (re.compile(r"(?<=sold)([^?]*) are still available(?=\?)"), r"\1 are left"),
    (re.compile(r"(?<=\d) ([a-z]+) by noon\b"), r" \1 in the morning"),
    (
        re.compile(
            r"(?<=[$£€])(\d.*)\bWhat (?:is|was) the total amount"
            r" (collected|raised|spent|saved|earned|paid)\?",
            re.DOTALL,
        ),
        r"\1How much money was \2 altogether?",
    ),
    (
        re.compile(r"\b[Tt]he (?:cost|price) of (?:one|an?|1) ([a-z]+) is (?=[$£€])"),
        r"One \1 costs ",
    ),
    (re.compile(r"\b[Bb]y (?:noon|midnight|lunchtime|the evening), ", re.ASCII), "Later, "),
    (
        re.compile(r"\b(needs?|uses?|takes?) ([^,.?]*) for (?:one|1) ([a-z]+)(?=[.,])"),
        r"\1 \2 for each \3",
    ),
    (re.compile(r" in (?:his|her|their) collection(?=[.?])"), ""),
    (re.compile(r"(?<=[a-z]s) ready to [a-z]+(?=[.,])"), ""),
    (
        re.compile(
            r"\b(bus|train|ferry|boat|plane) (?:leaves|left|starts|started|departs|departed)"
            r"(?: the [a-z]+)? with (?=\d)"
        ),
        r"\1 has ",
    ),
]
"""Words that say nothing of how many there are, and what stands in their place."""


def in_usual_words(text: str) -> str:
    """A story in the wordings that its reader knows; as it is where it has no others."""
    if ", and " in text:
        text = _ON_ANOTHER_DAY.sub(lambda day: f". {day[1][0].upper()}{day[1][1:]}, ", text)
    if " in a row" in text:
        text = _ONE_AFTER_ANOTHER.sub(r"\1", text)
    if "page " in text:
        text = _PAGES.sub(r"a \2 with \1 pages", text)
    if "goal" in text or "trying to" in text:
        text = _REACH_IT.sub("", _GOAL.sub(_as_wish, text))
    if "combined?" in text:
        text = _COMBINED.sub("altogether", text)
    if " are " in text or " were " in text:
        for opposites in _OPPOSITES:
            text = opposites.sub(_not_so, text)
    if "ing a" in text or "ing the" in text:
        text = _MADE_OF.sub(_of_what_is_made, text)
    for pattern, plain in _PLAINER:
        text = pattern.sub(plain, text)
    text = _NUMBERED.sub(_lettered, text)
    if _KIN.search(text):
        text = _OLDER.sub("", text)
    if " cost" in text:
        text = _THAT_COSTS.sub(r"\1 for", text)
    if " each " in text:
        text = _EACH_DOES.sub(r"\1 \2 each", _EACH_ONE.sub("each", text))
    if "ow far " in text and len(lengths := {each.lower() for each in _LENGTHS.findall(text)}) == 1:
        text = _HOW_FAR.sub(f"many {lengths.pop()}", text)
    return _COUNTED_TOGETHER.sub(_with_ones, text) if _IN_A_ROW.search(text) else text
