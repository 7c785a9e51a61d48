"""A second look at answers that were read from a text, which shares no code with the readers."""

from schoolmath.problems.second_look.objections import objections

__all__ = ["objections"]
