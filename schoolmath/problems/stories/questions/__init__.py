"""What a story asks for."""

from schoolmath.problems.stories.questions.asked import Asked
from schoolmath.problems.stories.questions.asking import ask

__all__ = ["Asked", "ask"]
