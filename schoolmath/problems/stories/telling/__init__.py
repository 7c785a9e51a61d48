"""From sentences to the amounts that they tell, clause by clause."""

from schoolmath.problems.stories.telling.facts import StoryFacts
from schoolmath.problems.stories.telling.reading import tell, tell_sentence

__all__ = ["StoryFacts", "tell", "tell_sentence"]
