"""Each thing that a text does not say, and a proposal says, is a reason of its own."""

from __future__ import annotations

from contextlib import suppress

from schoolmath.problems.proposals import ProposalError, check, work_out
from tests.loops import over
from tests.schoolmath.problems.proposals.test_proposals import proposed, told

CASES = {
    "“7” counts something else": (
        "Tom has 7 baskets of red pears. Tom has 5 cups. How many cups does Tom have?",
        told("has", "Tom", 7, "red cups"),
        told("has", "Tom", 5, "cups", sentence=1),
        told("has", "Tom", "?", "cups", sentence=2),
    ),
    "What “4” is a part of": (
        "Eva had 9 figs. Some of the figs were dry and 4 of them were ripe. "
        "How many figs does Eva have?",
        told("has", "Eva", 9, "figs"),
        told("has", "Eva", "some", "figs", sentence=1),
        told("has", "Eva", 4, "ripe figs", sentence=1),
        told("has", "Eva", "?", "figs", sentence=2),
    ),
    "is needed or wished for": (
        "A cook needs to bake 13 pies. The cook baked 5 pies. How many pies does the cook have?",
        told("has", "cook", 13, "pies"),
        told("gets", "cook", 5, "pies", sentence=1),
        told("has", "cook", "?", "pies", sentence=2),
    ),
    "may be about each street": (
        "Each of the 8 streets gets 40 lamps. Each street has 6 trees. "
        "There are 10 houses along a street. How many houses are there?",
        told("has", "", 8, "streets"),
        told("holds", "", 40, "lamps", "street"),
        told("holds", "", 6, "trees", "street", 1),
        told("has", "", 10, "houses", sentence=2),
        told("has", "", "?", "houses", sentence=3),
    ),
    "about each box, not of each crate": (
        "Each box holds 6 eggs. Each crate holds 5 boxes. Tom has 4 crates. "
        "How many boxes does Tom have?",
        told("holds", "Tom", 6, "eggs", "crate"),
        told("holds", "Tom", 5, "boxes", "crate", 1),
        told("has", "Tom", 4, "crates", sentence=2),
        told("has", "Tom", "?", "boxes", sentence=3),
    ),
    "goes to others than Cleo": (
        "Ana had 9 pens. Cleo had 2 pens. Ana gave 4 pens to Ben. "
        "How many pens does Cleo have now?",
        told("has", "Ana", 9, "pens"),
        told("has", "Cleo", 2, "pens", sentence=1),
        told("gives", "Ana", 4, "pens", "Cleo", 2),
        told("has", "Cleo", "?", "pens", sentence=3),
    ),
    "is compared with others than Cem": (
        "Ana has 9 pens. Cem has 5 pens. Ben has 4 more pens than Ana. "
        "How many pens does Ben have?",
        told("has", "Ana", 9, "pens"),
        told("has", "Cem", 5, "pens", sentence=1),
        told("more", "Ben", 4, "pens", "Cem", 2),
        told("has", "Ben", "?", "pens", sentence=3),
    ),
    "put together": (
        "Tom has 5 pies. Each pie has 4 slices. How many slices does Tom have altogether?",
        told("has", "Tom", 5, "pies"),
        told("holds", "Tom", 4, "slices", "pie", 1),
        told("together", "Tom", "?", "pies+slices", sentence=2),
    ),
    "asks of several together": (
        "Ana has 9 pens. Ben has 4 pens. How many pens do they have?",
        told("has", "Ana", 9, "pens"),
        told("has", "Ben", 4, "pens", sentence=1),
        told("has", "Ana", "?", "pens", sentence=2),
    ),
    "asks of ana alone": (
        "Ana has 9 pens. Ben has 4 pens. How many pens does Ana have?",
        told("has", "Ana", 9, "pens"),
        told("has", "Ben", 4, "pens", sentence=1),
        told("together", "Ana+Ben", "?", "pens", sentence=2),
    ),
    "asks of another moment": (
        "Ana had 9 pens. Ana lost 4 pens. How many pens does Ana have now?",
        told("has", "Ana", "?", "pens", sentence=2),
        told("has", "Ana", 9, "pens"),
        told("loses", "Ana", 4, "pens", sentence=1),
    ),
    "does not ask for what “has” says": (
        "Ana had 9 pens. Ana lost 4 pens. How many pens did Ana lose?",
        told("has", "Ana", 9, "pens"),
        told("loses", "Ana", 4, "pens", sentence=1),
        told("has", "Ana", "?", "pens", sentence=2),
    ),
    "“12” is left out": (
        "There were 8 people on the bus. 12 more people got on the bus and 3 people got off. "
        "How many people are on the bus now?",
        told("has", "bus", 8, "people"),
        told("gets", "", 12, "people", sentence=1),
        told("loses", "bus", 3, "people", sentence=1),
        told("has", "bus", "?", "people", sentence=2),
    ),
    "“she” names nobody": (
        "She has 9 pens. She loses 4 pens. How many pens does she have?",
        told("has", "she", 9, "pens"),
        told("loses", "she", 4, "pens", sentence=1),
        told("has", "she", "?", "pens", sentence=2),
    ),
    "is counted and has things itself": (
        "Marta picked 2 pumpkins. Each pumpkin has 9 seeds. How many seeds are there?",
        told("gets", "Marta", 2, "pumpkins"),
        told("holds", "pumpkin", 9, "seeds", "pumpkin", 1),
        told("has", "pumpkin", "?", "seeds", sentence=2),
    ),
    "order of the text": (
        "Ana has 9 pens. Ana gets 4 pens. How many pens does Ana have now?",
        told("gets", "Ana", 4, "pens", sentence=1),
        told("has", "Ana", 9, "pens"),
        told("has", "Ana", "?", "pens", sentence=2),
    ),
}


@over("reason", CASES)
def test_what_the_text_does_not_say_is_a_reason(reason):
    text, *statements = CASES[reason]
    proposal = proposed(*statements)
    value = None
    with suppress(ProposalError):
        value = work_out(proposal).answer
    found = check(text, proposal, value)
    assert found.answer is None
    assert reason in " ".join(found.reasons)
