"""Composing pairs and designing a study."""
