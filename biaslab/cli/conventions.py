"""How all commands behave: errors as one sentence, files written whole, the options they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click
from click.core import ParameterSource


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
