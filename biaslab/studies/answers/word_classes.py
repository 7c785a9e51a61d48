"""Classes of words that show what a number in a sentence or a question belongs to."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ASKING_VERBS = _words(
    """
    do does did is are was were will can could should would must
    """
)
"""Behind these a question names its subject: "how many does Ana ..."."""

POSSESSING = _words(
    """
    has have had owns own got holds keeps
    """
)
"""What the subject of "how many apples Ana has" is followed by."""

NO_NAMES = _words(
    """
    a an the if in on at of to for from by with after before when while since because as
    during each every all both some no one two three four five six seven eight nine ten and
    or but so then now today yesterday tomorrow there here this that these those it he she
    they we you i his her their our your its my how what which who whose why where is are
    was were do does did can could will would work find calculate determine tell let suppose
    assume given monday tuesday wednesday thursday friday saturday sunday january february
    march april may june july august september october november december mr mrs ms dr
    """
)
"""Words that begin sentences or are always written with a capital, and name nobody."""

SAYS_OF = _words(
    """
    has have had owns own gets got makes made needs pays paid earns earned spends spent
    saves saved keeps holds will would must can could should now then still also ends is was
    are were does receives received bought buys sells sold takes took eats ate left and
    finally brings brought collects collected bakes baked catches caught finds found picks picked
    plants planted reads read scores scored uses used
    """
)
"""Behind a name these say what somebody has: "Ben has 15", "Ben now has 15"."""

SOMEBODY = _words(
    """
    he she they it we i you there each everyone everybody both
    """
)
"""Pronouns: whom they mean is not told."""

NO_SUBJECT_AFTER = _words(
    """
    to from than for by of with as gives give gave like
    """
)
"""A name behind these is not whom the sentence is about: "to Ben"."""

NO_UNITS = _words(
    """
    has have had is are was were so and or but because since then therefore thus hence if
    when while which that who he she it they we to by not no in for from after before of
    with at on per left more fewer less than each now remaining
    """
)
"""Words behind a number that are no unit of it."""

MONEY = _words(
    """
    dollar cent euro pound penny
    """
)
"""Units of money, in the singular."""

PREPOSITIONS = _words(
    """
    in for after before over during within per every each at on from by of to than among
    amongst between into across through out using who which that
    """
)
"""Between one of these and a number, the number is not what its sentence is about."""

NEVER_BEHIND = _words(
    """
    has have had is are was were will would gets get got make makes made leave leaves left
    give gives find be being becomes equal equals reach obtain so therefore thus hence then
    and but or total because since
    """
)
"""Words that end what a preposition governs."""

LEADING_TO = _words(
    """
    up equal comes come came amounts adds down out works
    """
)
"""With these, "to" leads to a result: "adds up to 15"."""

WHOLES = _words(
    """
    total average sum amount number remainder difference product cost profit price speed
    result score balance value maximum minimum
    """
)
"""With these, "of" names the result: "a total of 15"."""
