"""What people read is plain English: words that stop a reader stand in no text.

Texts are all strings of the code that read as words, the texts of commands, and the documents. A
word is listed because native readers stumbled over it, each with what is written instead.
"""

from __future__ import annotations

import re

from benchmarks.reading_ease import by_reader, code_texts, document_texts, reading_ease

INSTEAD = {
    r"told": "shown, known, distinguished",
    r"tells? of": "mentions, describes",
    r"asked of": "put to, questions for",
    r"by (?:itself|themselves)": "alone, automatically",
    r"(?:so|as) far as": "so far, where",
    r"what can['’]t be": "name the person who cannot",
    r"kept": "saved",
    r"looked at": "checked, viewed",
    r"reckon\w*": "calculated, estimated",
    r"beside": "next to, compared with",
    r"whoever": "a person who",
    r"mend(?:s|ed|ing)?": "correct, repair",
    r"(?:draws?|drawn) (?:lots|by lot)|by lot": "at random",
    r"one's own": "your own",
}
"""What is not written, as a pattern, and what is."""

MEANT = (
    # The words of a stimulus, a prompt or a problem.
    ("biaslab/models/local/gguf/opening.py", "told each other stories"),
    ("biaslab/studies/tutor/pressure.py", "told me that it is"),
    ("biaslab/studies/malgorithm/prompts.py", "Whoever chose this"),
    ("biaslab/studies/word_problems/custom/correction.py", "Mend grammar and spelling"),
    ("biaslab/studies/word_problems/custom/correction.py", "mended sentences"),
    ("schoolmath/malrules/bank/rationales.py", "told you what to do"),
    ("schoolmath/malrules/catalogue/", "kept"),
    ("schoolmath/malrules/catalogue/", "by itself"),
    ("schoolmath/malrules/catalogue/", "by themselves"),
    ("schoolmath/malrules/catalogue/", "beside"),
    ("schoolmath/malrules/catalogue/", "as far as"),
    ("schoolmath/problems/", "kept in containers"),
    # Names in addresses, designs, files and style sheets.
    ("biaslab/studies/malgorithm/", "told right or wrong"),
    ("docs/malgorithm.md", "told right or wrong"),
    ("biaslab/audit/report.py", "not told"),
    ("biaslab/studies/word_problems/error_models.py", "no comparison is told"),
    ("biaslab/", "bl-beside"),
    ("biaslab/", "bl-told"),
    ("biaslab/ui/ask/runs.py", "told of rereading"),
    ("biaslab/ui/studies/tutor/custom_prompt.py", "tutor prompt kept"),
    ("biaslab/runs/store/", "CREATE TABLE"),
    ("biaslab/runs/library/notes.py", "own_biases"),
    # "kept" as in "has kept it locked" and "kept their option" is no saving.
    ("biaslab/runs/store/connection.py", "has kept"),
    ("biaslab/ui/studies/decisions/queries.py", "kept their option"),
)  # fmt: skip
"""Where a listed word is meant: the beginning of a path, and words of the text."""


def test_no_text_has_a_word_that_stops_its_reader() -> None:
    listed = re.compile(rf"(?<![-\w={{])(?:{'|'.join(INSTEAD)})(?![-\w=}}])", re.IGNORECASE)
    found = [
        f"{path}:{line}: “{match[0]}” (better: {better(match[0])}) in "
        f"“{text[max(0, match.start() - 40) : match.end() + 40]}”"
        for path, line, text in (*code_texts(), *document_texts())
        for match in listed.finditer(text)
        if not any(path.startswith(start) and words in text for start, words in MEANT)
    ]
    assert not found, "\n".join(found)


def better(word: str) -> str:
    """What is written instead of a word that was found."""
    return next(said for each, said in INSTEAD.items() if re.fullmatch(each, word, re.IGNORECASE))


def test_the_list_of_what_is_meant_only_shrinks() -> None:
    texts = [(path, text) for path, _, text in (*code_texts(), *document_texts())]
    unused = [
        (start, words)
        for start, words in MEANT
        if not any(path.startswith(start) and words in text for path, text in texts)
    ]
    assert not unused
    assert len(MEANT) <= 24


def test_texts_are_plain_english_and_those_for_teachers_above_all() -> None:
    # Flesch (1948): 60 to 70 is plain English, 30 to 50 difficult.
    eases = {who: reading_ease(texts) for who, texts in by_reader().items()}
    assert min(eases.values()) >= 60, eases
    assert reading_ease(["Utilization of comprehensive methodological considerations."]) < 0
    assert reading_ease(["The cat sat on the mat."]) > 100
