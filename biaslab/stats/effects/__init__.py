"""The effect of a run, by stratum, with its warnings."""
