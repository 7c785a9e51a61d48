"""The grammar of stories: words, verbs and clauses, noun phrases, and the phrases of a clause."""
