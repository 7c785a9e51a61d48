"""The table of fine-tuning: counts, in the columns of the experiment's table."""

from __future__ import annotations

from biaslab.training.experiment.table import Named
from biaslab.training.origins.rows import FAMILY_FILE

TUNING_FILE = FAMILY_FILE.with_name("tuning.csv")
"""Where the table is, in the project."""

TUNING = Named("fine-tuning", "python -m research.tuning")
"""What sentences call it."""
