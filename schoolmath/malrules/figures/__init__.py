"""Pictures of problems: a bar chart, a pictogram, a ruler, a shape, a table.

A picture is data; a form that has one gives it by its ``figure`` method. The question tells in
words all that the picture shows, so whoever does not see it answers the same question. Who does see
it can be asked without these words (`beside_figure`).
"""

from schoolmath.malrules.figures.drawing import as_svg
from schoolmath.malrules.figures.finding import beside_figure, figure_in, figure_of
from schoolmath.malrules.figures.kinds import Bars, DrawnShape, Figure, Grid, Pictures, Ruler

__all__ = [
    "Bars",
    "DrawnShape",
    "Figure",
    "Grid",
    "Pictures",
    "Ruler",
    "as_svg",
    "beside_figure",
    "figure_in",
    "figure_of",
]
