"""Mal-rule identification (MalAlgoQA, 2024)."""
