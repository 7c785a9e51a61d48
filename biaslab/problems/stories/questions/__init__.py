"""What a story asks for."""

from biaslab.problems.stories.questions.asked import Asked
from biaslab.problems.stories.questions.asking import ask

__all__ = ["Asked", "ask"]
