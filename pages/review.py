"""Quality review: people judge a random part of a study's texts."""

from biaslab.ui.navigation import heading
from biaslab.ui.review import draw_making, draw_reading, draw_stored

heading(
    "Quality review",
    "Are the texts good enough? People judge some of them by two yes/no questions; you see "
    "whether they agree and how many are faulty. Works without any model.",
)
draw_making()
draw_reading()
draw_stored()
