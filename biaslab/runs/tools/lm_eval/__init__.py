"""The studies as tasks of lm-evaluation-harness: a directory of tasks, and its samples files."""
