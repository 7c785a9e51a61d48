"""Items of somebody else's file: what each is, whether it is sound, and what became of its row."""
