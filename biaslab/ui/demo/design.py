"""Two tiny models that differ in their lessons alone, one of them taught to err: what is asked."""

from __future__ import annotations

from biaslab.models.tiny.model import tiny_spec
from biaslab.studies import Design

DESIGN = Design("consistency", 150, 1, {"steps": "1-1", "operations": "additive"})
"""One calculation, plus or minus: problems that both models can do as far as their cards say."""

STRATEGY = "cot"

MISLED = tiny_spec("skewed")
"""Its lessons had five consistent comparisons for each inconsistent one."""

BALANCED = tiny_spec("balanced")
"""As many of the one as of the other, and alike in everything else."""

MODELS = (MISLED, BALANCED)
