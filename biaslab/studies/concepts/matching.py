"""How the prompts of two concepts are matched, so that comparing them is a paired comparison.

==========  ====================================================================================
mirror      same totals, nouns, name, order **and labels**; every part H becomes T - H. The second
            concept says of T - H what the first says of H.
complement  same totals, **parts**, nouns, name and order; every label is exchanged. The second
            concept says yes where the first says no.
totals      same totals, nouns, name, order and labels; parts are drawn anew for the second
            concept among those of the same total that have the label.
==========  ====================================================================================
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from biaslab.problems import DesignError
from biaslab.studies.concepts.concept import Concept
from biaslab.studies.concepts.population import Population

MIRROR, COMPLEMENT, SWAPPED = "mirror", "complement", "swapped"
"""What a design may name in place of a concept to compare with."""


class Matching(StrEnum):
    """What the two prompts of a pair share; see the module."""

    MIRROR = "mirror"
    COMPLEMENT = "complement"
    TOTALS = "totals"

    @property
    def explanation(self) -> str:
        """What is the same and what is not, in a sentence."""
        return _EXPLANATIONS[self]


_EXPLANATIONS = {
    Matching.MIRROR: "Totals, nouns, name, order and labels are the same; everybody has what they "
    "did not have before (H becomes T - H).",
    Matching.COMPLEMENT: "Totals, parts, nouns, name and order are the same; every label is "
    "exchanged.",
    Matching.TOTALS: "Totals, nouns, name, order and labels are the same; the parts are drawn "
    "anew for the second concept.",
}


@lru_cache(maxsize=256)
def matching_of(one: Concept, other: Concept, population: Population) -> Matching:
    """How prompts of two concepts can be matched: computed from what they say of every amount.

    Raises:
        DesignError: both say the same of everything, so there is nothing to compare.
    """
    same = mirrored = opposite = True
    for total, has in population.amounts():
        if not population.ties and (one.is_tie(total, has) or other.is_tie(total, has)):
            continue
        says = one.says_yes(total, has)
        answers = other.says_yes(total, has)
        same &= answers == says
        opposite &= answers != says
        mirrored &= other.says_yes(total, total - has) == says
    if same:
        raise DesignError(
            f"“{one.id}” and “{other.id}” say the same of everything, so there is nothing to "
            "compare.",
            f"The complement of “{one.id}” is “{one.complement.id}”.",
            "against",
        )
    if mirrored:
        return Matching.MIRROR
    return Matching.COMPLEMENT if opposite else Matching.TOTALS


def counterpart(concept: Concept, wanted: str) -> Concept:
    """The mirror, the complement, or the concept with its labels swapped.

    Without a mirror of its own, a concept's counterpart is its complement.
    """
    if wanted == SWAPPED:
        return concept.with_labels_swapped
    if wanted == MIRROR:
        mirror = concept.mirror
        if mirror is not None and mirror != concept:
            return mirror
    return concept.complement
