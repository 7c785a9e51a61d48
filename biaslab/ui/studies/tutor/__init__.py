"""The screen on which a tutor is checked."""
