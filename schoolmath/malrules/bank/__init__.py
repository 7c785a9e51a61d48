"""Items with four options, made on demand and verified whenever they are read.

items = list(make_items(BankDesign(n=200, seed=1, grades=(3, 8))))
items[0].rules                            # {"A": "NO01", "B": "NO06", "D": "NO02"}
list(read_items(Path("bank.jsonl")))      # every key and distractor is worked again
"""

from schoolmath.malrules.bank.checking import check_item, read_items
from schoolmath.malrules.bank.design import (
    PUBLISHED_CLASSES,
    PUBLISHED_DOKS,
    PUBLISHED_GRADES,
    BankDesign,
    BankMix,
    Offer,
    offers,
)
from schoolmath.malrules.bank.items import (
    LETTERS,
    ChoiceItem,
    ItemError,
    item_id,
    library_version,
    read_item,
    write_item,
)
from schoolmath.malrules.bank.making import make_items
from schoolmath.malrules.bank.rationales import RationaleStyle

__all__ = [
    "LETTERS",
    "PUBLISHED_CLASSES",
    "PUBLISHED_DOKS",
    "PUBLISHED_GRADES",
    "BankDesign",
    "BankMix",
    "ChoiceItem",
    "ItemError",
    "Offer",
    "RationaleStyle",
    "check_item",
    "item_id",
    "library_version",
    "make_items",
    "offers",
    "read_item",
    "read_items",
    "write_item",
]
