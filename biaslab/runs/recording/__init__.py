"""Makes the gallery of recorded runs: ``python -m biaslab.runs.recording``."""
