"""``--vocabulary FILE``: writing and reading with words of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from biaslab.cli.conventions import sentences
from schoolmath.text.given_files import read_given

if TYPE_CHECKING:
    from biaslab.studies import Experiment, Pair
    from schoolmath.problems.custom_words import CustomWords

WRITTEN_WITH = ("consistency", "transfer-comparison", "carry", "composed")
"""Studies whose pairs can be written with words of one's own."""

vocabulary_option = click.option(
    "--vocabulary",
    "vocabulary_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE.yaml",
    help="Names, things and verbs of your own (docs/your-problem.md).",
)


@contextmanager
def read_with(file: Path | None) -> Iterator[None]:
    """Within it, texts are read with the words of a file besides the shipped ones.

    Raises:
        click.ClickException: the file is refused; the message says why.
    """
    if file is None:
        yield
        return
    from schoolmath.problems.custom_words import words_for_reading
    from schoolmath.problems.vocabulary import using

    with sentences():
        words = words_for_reading(_read(file), file.name)
    with using(words):
        yield


@contextmanager
def written_with(file: Path | None, study: Experiment) -> Iterator[None]:
    """Within it, pairs are written with the words of a file.

    Raises:
        click.ClickException: the file is refused; the message says why.
        click.UsageError: the study's texts are not made of names and things.
    """
    if file is None:
        yield
        return
    if study.name not in WRITTEN_WITH:
        raise click.UsageError(
            f"--vocabulary is for the studies {', '.join(WRITTEN_WITH)}, not for {study.name}."
        )
    from schoolmath.problems.custom_words import words_for_writing
    from schoolmath.problems.vocabulary import using

    with sentences():
        words = words_for_writing(_read(file), file.name)
    with using(words):
        yield


def _read(file: Path) -> CustomWords:
    from schoolmath.problems.custom_words import MAX_BYTES, read_custom_words

    return read_custom_words(read_given(file, MAX_BYTES), file.name)


def proved(pairs: Iterable[Pair], file: Path | None) -> Iterator[Pair]:
    """The pairs; those with words of somebody's own only after both readers have read them back.

    Raises:
        VocabularyError: a text is read with another answer than its own, which would be ambiguous.
    """
    if file is None:
        yield from pairs
        return
    from schoolmath.problems import VocabularyError
    from schoolmath.problems.stories import answer

    for pair in pairs:
        for item in (pair.x, pair.x_prime):
            found = answer(item.text)
            if found.answer is None or str(found.answer) != item.answer:
                raise VocabularyError(
                    f"{file.name}: a text made of it is not read back with its own answer, so it "
                    f"may be ambiguous, and no pair was written. The text: {item.text}"
                )
        yield pair
