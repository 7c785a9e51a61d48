"""What a story asks for."""

from schoolmath.problems.stories.questions.asked import StoryQuestion
from schoolmath.problems.stories.questions.asking import ask

__all__ = ["StoryQuestion", "ask"]
