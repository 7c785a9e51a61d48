"""How all commands behave: errors as one sentence, files written whole, the options they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click
from click.core import ParameterSource

from schoolmath.text.given_files import read_given

if TYPE_CHECKING:
    from biaslab.studies import Experiment, Pair
    from schoolmath.problems.custom_words import CustomWords


@contextmanager
def whole_text(out: Path) -> Iterator[TextIO]:
    """A text file, written beside its place and put there when the block ends without error."""
    with _beside(out) as part, part.open("w", encoding="utf-8", newline="") as file:
        yield file


def write_whole(out: Path, content: bytes) -> None:
    """Writes a file whole."""
    with _beside(out) as part:
        part.write_bytes(content)


@contextmanager
def _beside(out: Path) -> Iterator[Path]:
    part = out.with_name(out.name + ".part")
    try:
        yield part
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


_MOST_LINES = 20


def tell_first(heading: str, lines: Sequence[object]) -> None:
    """Prints the first of some lines below a heading, and how many more; nothing for none."""
    if not lines:
        return
    click.echo(f"{heading}:")
    for line in lines[:_MOST_LINES]:
        click.echo(f"    {line}")
    if len(lines) > _MOST_LINES:
        click.echo(f"    ... and {len(lines) - _MOST_LINES} more")


_F = TypeVar("_F", bound=Callable[..., Any])

db_option = click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="File of runs. [default: the app's own]",
)


recorded_option = click.option(
    "--recorded", is_flag=True, help="The recorded runs that come with BiasLab, none of the file."
)


@contextmanager
def sentences(*others: type[Exception]) -> Iterator[None]:
    """Turns the errors of this project, and others named, into one sentence each."""
    try:
        yield
    except Exception as error:
        if isinstance(error, (*others, *_ours())):
            raise click.ClickException(str(error)) from error
        if isinstance(error, OSError):
            where = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(f"{where}{error.strerror or error}.") from error
        raise


def _ours() -> tuple[type[Exception], ...]:
    """The errors of this project, looked for when one is there: to import them all takes long."""
    from biaslab.models import ModelError
    from biaslab.runs import RunError, StoreError
    from schoolmath.problems import ProblemError
    from schoolmath.text.given_files import FileRefused

    return ProblemError, ModelError, StoreError, RunError, FileRefused


def was_given(option: str) -> bool:
    """Whether the option stands on the command line."""
    source = click.get_current_context().get_parameter_source(option)
    return source is ParameterSource.COMMANDLINE


def together(options: Sequence[Callable[[_F], _F]]) -> Callable[[_F], _F]:
    """Several options as one, in the order in which help lists them."""

    def add(command: _F) -> _F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


METHODS = ("imagined-pairs", "t", "tango", "bonett-price", "newcombe")
"""As `biaslab.stats.INTERVAL_METHODS`, which takes a second to import; a test compares them."""

counting_options = together(
    [
        click.option(
            "--invalid", type=click.Choice(["strict", "exclude"]), default="strict",
            show_default=True, help="Count unreadable answers as not right, or leave them out.",
        ),
        click.option(
            "--vote", is_flag=True,
            help="Count the majority's answer where items were asked often.",
        ),
    ]
)  # fmt: skip
"""Which answers count."""

confidence_option = click.option(
    "--confidence", type=click.FloatRange(0.5, 0.9999), default=0.95, show_default=True,
    help="Coverage of the intervals.",
)  # fmt: skip

analysis_options = together(
    [
        counting_options,
        confidence_option,
        click.option(
            "--interval", "method", type=click.Choice(METHODS), default=METHODS[0],
            show_default=True,
            help="How the interval of the CATE is made; the others are published methods, which "
            "take pairs as independent (t respects clusters).",
        ),
    ]
)  # fmt: skip
"""How effects are made of outcomes."""


# ``--vocabulary FILE``: writing and reading with words of one's own.


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
    if not study.custom_words:
        from biaslab.studies import experiments

        able = ", ".join(name for name, each in experiments().items() if each.custom_words)
        raise click.UsageError(f"--vocabulary is for the studies {able}, not for {study.name}.")
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
