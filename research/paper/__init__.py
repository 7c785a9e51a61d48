"""A paper about where biases come from: the tables of the tiny models, their predictions, figures.

It has the folders and names of files of a paper about runs (`biaslab.publishing.paper`), and says
in the same words what is missing.

paper = make_origins()
write_paper(paper, Path("origins"))
"""

from research.paper.making import make_origins

__all__ = ["make_origins"]
