"""What people read is plain English: words that stop a reader stand in no text.

Texts are all strings of the code that read as words, the texts of commands, and the documents. A
word is listed because native readers stumbled over it, each with what is written instead.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("biaslab", "pages", "schoolmath")
DOCUMENTS = (
    *sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md",
    ROOT / "assets" / "room" / "phone.html", *sorted((ROOT / "assets" / "malrules").glob("*.yaml")),
)  # fmt: skip

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
    ("biaslab/models/local/gguf/checks.py", "told each other stories"),
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
        f"{path}:{line}: “{match[0]}” in “{text[max(0, match.start() - 40) : match.end() + 40]}”"
        for path, line, text in (*code_texts(), *document_texts())
        for match in listed.finditer(text)
        if not any(path.startswith(start) and words in text for start, words in MEANT)
    ]
    assert not found, "\n".join(found)


def test_the_list_of_what_is_meant_only_shrinks() -> None:
    texts = [(path, text) for path, _, text in (*code_texts(), *document_texts())]
    unused = [
        (start, words)
        for start, words in MEANT
        if not any(path.startswith(start) and words in text for path, text in texts)
    ]
    assert not unused
    assert len(MEANT) <= 24


def code_texts() -> Iterator[tuple[str, int, str]]:
    """Path, line and words of every string that reads as words, values in f-strings left out."""
    for top in PRODUCT:
        for path in sorted((ROOT / top).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            left_out = set(_docstrings(tree))
            for node in ast.walk(tree):
                if isinstance(node, ast.JoinedStr):
                    left_out |= {id(part) for part in node.values}
                    text = "".join(
                        str(part.value) if isinstance(part, ast.Constant) else "{}"
                        for part in node.values
                    )
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    text = "" if id(node) in left_out else node.value
                else:
                    continue
                if " " in text:
                    yield str(path.relative_to(ROOT)), node.lineno, " ".join(text.split())


def _docstrings(tree: ast.Module) -> Iterator[int]:
    """Of modules, classes and functions but commands, whose docstring is their help."""
    for node in ast.walk(tree):
        is_command = isinstance(node, ast.FunctionDef) and any(
            "command" in ast.unparse(each) for each in node.decorator_list
        )
        body = getattr(node, "body", [])
        for statement in body if isinstance(body, list) else []:
            if (
                isinstance(statement, ast.Expr)
                and isinstance(statement.value, ast.Constant)
                and not is_command
            ):
                yield id(statement.value)


def document_texts() -> Iterator[tuple[str, int, str]]:
    """Path, line and words of every line of the documents, code left out."""
    for path in DOCUMENTS:
        is_code = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            is_code ^= line.startswith("```")
            if path.suffix == ".md" and line.startswith("    "):
                continue
            # The description of a mal-rule is a stimulus: hints have its words.
            if not is_code and not line.startswith("  description:"):
                yield str(path.relative_to(ROOT)), number, re.sub(r"`[^`]*`", "", line)
