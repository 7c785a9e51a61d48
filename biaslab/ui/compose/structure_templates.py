"""Structures to begin with."""

from __future__ import annotations

TEMPLATES = {
    "One comparison (as in the carry study)": "container . comparison",
    "Gives some away": "container . transfer-",
    "Gives to a friend": "container . transfer A>B",
    "As in the consistency study": "container . transfer . comparison . transfer",
    "Consistency study, with boxes": "container . comparison . rate",
    "As in the transfer study": "container . transfer . transfer . transfer",
    "The comparisons of that study": "container . comparison . comparison . comparison",
    "Compared the other way round": "container . comparison+ inconsistent . transfer-",
    "Times as many": "container . comparison* consistent",
    "Opened boxes": "container . transfer+ . rate*",
    "Packed into boxes": "container . transfer- . rate/",
    "A sentence too many": "container . container distractor . comparison . transfer",
    "Four steps": "container . transfer- . transfer+ . comparison+ inconsistent . rate",
    "Five steps": "container . transfer+ . comparison- . transfer- . comparison+ . transfer+",
}
"""Lines by what they are called on screens: the structures of the three studies and some more."""
