"""The table of fine-tuning: counts, in the columns of the experiment's table."""

from __future__ import annotations

from biaslab.training.origins.rows import FAMILY_FILE
from research.experiment.table import TableName

TUNING_FILE = FAMILY_FILE.with_name("tuning.csv")
"""Where the table is, in the project."""

TUNING = TableName("fine-tuning", "python -m research.tuning")
"""What sentences call it."""
