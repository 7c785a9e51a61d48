"""Stories of other people: school problems in anybody's words, understood or refused."""

from biaslab.problems.stories.understanding import Story, understand

__all__ = ["Story", "understand"]
