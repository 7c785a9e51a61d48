"""The picture of a question in words."""

from __future__ import annotations

from functools import lru_cache

from schoolmath.malrules.figures import Figure, figure_of


@lru_cache(maxsize=512)
def figure_in(question: str) -> Figure | None:
    """The picture of a question, where it is word for word that of a problem which has one.

    Args:
        question: anything; nobody's own question gets a picture that may show something else.
    """
    # Imported when a question is shown: the patterns of all forms take a moment.
    from schoolmath.malrules.reading import UnreadProblem, read_problem

    try:
        read = read_problem(question)
    except UnreadProblem:
        return None
    for problem in (each for meaning in read.meanings for each in meaning):
        figure = figure_of(problem)
        if figure is not None and problem.stem() == question:
            return figure
    return None
