"""Which version of the rules and items this is: it is part of every item's."""

__version__ = "0.5.0"
