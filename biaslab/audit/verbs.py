"""What verbs do to amounts: enough to see that something changes hands, or that nothing does.

The verbs are those that stand with numbers in school problems; 150 of them are 98 % of what stands
there. A word that is no form of one of them tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import NamedTuple


class Deed(StrEnum):
    """What a verb does to the amount that stands with it."""

    IS = "is"
    """Tells an amount: have, be, weigh, cost."""
    CHANGES = "changes"
    """Something is got, made, lost or handed over."""
    DOES = "does"
    """Counts what is done, which belongs to nobody: run, read, visit."""


class Verb(NamedTuple):
    """A verb by its lemma."""

    lemma: str
    deed: Deed


_LEMMAS = {
    Deed.IS: "be have own hold contain keep carry remain stay sit stand live weigh cost measure "
    "need require want equal hide total",
    Deed.CHANGES: "get receive buy purchase find gain win earn pick collect gather catch harvest "
    "save adopt download borrow inherit raise bring add make bake cook knit sew produce build "
    "lose eat use spend drink burn delete destroy donate waste remove misplace break sell throw "
    "give lend send hand pass mail deliver feed offer steal grab take put pour place drop trade "
    "pack join come arrive enter board quit depart leave",
    Deed.DOES: "walk run drive jump swim hike ride travel jog read watch complete score answer "
    "wash clean work visit attend see count draw write play grow sing study practice",
}  # fmt: skip

_PAST = {
    "have": "had", "hold": "held", "keep": "kept", "sit": "sat", "stand": "stood", "cost": "cost",
    "get": "got gotten", "buy": "bought", "find": "found", "win": "won", "catch": "caught",
    "bring": "brought", "make": "made", "build": "built", "lose": "lost", "eat": "ate eaten",
    "spend": "spent", "drink": "drank drunk", "come": "came",
    "quit": "quit", "leave": "left", "burn": "burned burnt", "break": "broke broken",
    "sell": "sold", "throw": "threw thrown", "give": "gave given", "lend": "lent", "send": "sent",
    "feed": "fed", "steal": "stole stolen", "take": "took taken", "put": "put", "sew": "sewed sewn",
    "run": "ran", "drive": "drove driven", "swim": "swam swum", "ride": "rode ridden",
    "read": "read", "see": "saw seen", "draw": "drew drawn", "write": "wrote written",
    "grow": "grew grown", "sing": "sang sung", "hide": "hid hidden", "knit": "knit knitted",
    "be": "am is are was were been being 's 're",
}  # fmt: skip

AUXILIARIES = frozenset({
    "has", "have", "had", "is", "are", "was", "were", "be", "been", "do", "does", "did",
    "will", "would", "can", "could",
})  # fmt: skip
"""Words that another verb may follow: "were eaten", "has given"."""


@cache
def verb_forms() -> dict[str, Verb]:
    """The verb of every form."""
    return {
        form: Verb(lemma, deed)
        for deed, lemmas in _LEMMAS.items()
        for lemma in lemmas.split()
        for form in _forms(lemma)
    }


def _forms(lemma: str) -> Iterator[str]:
    yield lemma
    stem = lemma.removesuffix("e")
    if lemma[-1] == "y" and lemma[-2] not in "aeiou":
        third, past = f"{lemma[:-1]}ies", f"{lemma[:-1]}ied"
    elif lemma.endswith(("s", "x", "z", "ch", "sh")):
        third, past = f"{lemma}es", f"{lemma}ed"
    else:
        third, past = f"{lemma}s", f"{stem}ed"
    yield "has" if lemma == "have" else third
    yield from _PAST.get(lemma, past).split()
    yield f"{lemma if lemma.endswith('ee') else stem}ing"
    if lemma in _DOUBLING:
        yield from (f"{lemma}{lemma[-1]}ed", f"{lemma}{lemma[-1]}ing")


_DOUBLING = frozenset({"get", "win", "run", "swim", "jog", "drop", "put", "sit", "knit", "total"})
