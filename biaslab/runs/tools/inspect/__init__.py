"""The studies as tasks of Inspect AI, which finds them by `biaslab.runs.tools.inspect.registry`."""
