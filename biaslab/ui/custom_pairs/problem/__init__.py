"""Your problem: a teacher's text, how it was understood, and its minimal pairs."""
