"""What was found as one file that opens in any browser, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import parse_qs

import click

from biaslab.cli.conventions import (
    analysis_options,
    db_option,
    sentences,
    was_given,
    write_whole,
)
from biaslab.runs import default_database, open_store

if TYPE_CHECKING:
    from biaslab.publishing.report import Report
    from biaslab.stats import IntervalMethod
    from schoolmath.malrules.classes import Quiz

_MOST_QUIZ_BYTES = 5 * 2**20
_OF_RUNS = ("by", "invalid", "vote", "confidence", "method", "db")


@click.command("report")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
              metavar="FILE", help="The file, such as report.html; it must be new.")  # fmt: skip
@click.option("--class", "sheet", type=click.Path(path_type=Path), default=None, metavar="SHEET",
              help="In place of runs: a class's answers as CSV, as for Your class; names in it "
              "are left out. Needs --quiz.")  # fmt: skip
@click.option("--quiz", default=None, metavar="QUIZ",
              help="What the class was asked: a file as for a test of one's own, or what stands "
              "behind the ? in the link to a quiz of Your class.")  # fmt: skip
@click.option("--room", "code", default=None, metavar="CODE",
              help="In place of runs: a live room, by the four letters of its code.")  # fmt: skip
@db_option
@click.option("--by", multiple=True, metavar="STRATUM",
              help="Break studies down by this stratum in place of their main one; "
              "repeatable.")  # fmt: skip
@analysis_options
def report_command(
    runs: tuple[str, ...],
    out: Path,
    sheet: Path | None,
    quiz: str | None,
    code: str | None,
    db: Path | None,
    by: tuple[str, ...],
    invalid: Literal["strict", "exclude"],
    vote: bool,
    confidence: float,
    method: IntervalMethod,
) -> None:
    """Write what RUNs, or a class, showed as one HTML file that opens without a network.

    Findings in words with n and interval, charts, tables, every pair with prompts and answers to
    search, methods, limitations, the data to take out, and where all of it comes from. It loads
    nothing, sends nothing and prints. q allows for all runs of one study that are named.
    """
    if sum((sheet is not None, bool(runs), code is not None)) != 1:
        raise click.UsageError(
            "Give either runs, or a class's answers with --class, or a room with --room."
        )
    if (sheet is None) != (quiz is None):
        raise click.UsageError("--class and --quiz belong together: give both or none.")
    if sheet is not None and any(map(was_given, _OF_RUNS)):
        raise click.UsageError("A class has no runs: leave out what is about them.")
    if out.exists():
        raise click.ClickException(f"{out} is there already. Delete it, or choose another name.")
    # The statistics take a second to import; the other commands need not wait for them.
    from biaslab.files import InterchangeError
    from biaslab.publishing.paper import Analysis, PaperError
    from biaslab.publishing.report import page, report_of_runs
    from biaslab.room import RoomError
    from biaslab.stats import AnalysisError

    with sentences(AnalysisError, PaperError, InterchangeError, RoomError):
        if code is not None:
            report = _of_room(code, db or default_database())
        elif sheet is not None:
            assert quiz is not None
            report = _of_class(sheet, _quiz(quiz))
        else:
            with open_store(db or default_database()) as store:
                chosen = Analysis(invalid, confidence, vote, method)
                report = report_of_runs(store, runs, chosen, by)
        content = page(report)
        write_whole(out, content)
    for sentence in report.limitations:
        click.echo(sentence, err=True)
    click.echo(f"{len(content):,} bytes in {out}.")


def _of_room(code: str, database: Path) -> Report:
    from biaslab.publishing.report import report_of_room
    from biaslab.room import UnknownRoom, open_rooms, rooms_beside

    kept = rooms_beside(database)
    if not kept.is_file():
        raise UnknownRoom(f"There is no file of rooms beside {database}.")
    with open_store(database) as store, open_rooms(kept) as rooms:
        return report_of_room(store, rooms, rooms.find(code).id)


def _of_class(sheet: Path, quiz: Quiz) -> Report:
    from biaslab.publishing.report import report_of_class
    from schoolmath.malrules.classes import read_sheet
    from schoolmath.malrules.classes.sheets import MOST_BYTES
    from schoolmath.text.given_files import read_given

    text = read_given(sheet, most=MOST_BYTES).decode("utf-8-sig", errors="replace")
    # Names are kept apart from the answers, and the report leaves them out.
    return report_of_class(quiz, read_sheet(text, quiz, keep_names=True))


def _quiz(named: str) -> Quiz:
    """The quiz of a link to Your class, or that of a file."""
    from biaslab.files.custom_tests import read_test_file
    from schoolmath.malrules.classes import QuizDesign, custom_test, make_quiz
    from schoolmath.text.given_files import read_given

    fields = {name: values[-1] for name, values in parse_qs(named.rpartition("?")[2]).items()}
    if "topics" in fields and not Path(named).exists():
        try:
            design = QuizDesign(
                int(fields.get("grade", "4")),
                tuple(fields["topics"].split(",")),
                int(fields.get("n", "12")),
                int(fields.get("set", "1")),
                fields.get("answers", "letters") == "letters",
            )
        except ValueError as error:
            raise click.UsageError(
                "The link to a quiz has a grade, n or set that is no number: copy it again from "
                "Your class."
            ) from error
        return make_quiz(design)
    path = Path(named)
    test = read_test_file(read_given(path, most=_MOST_QUIZ_BYTES), path.name)
    made = custom_test(test.items, path.stem)
    stops = [remark for remark in made.remarks if remark.stops]
    if made.quiz is None:
        first = stops[0]
        where = f"Item {first.number}: " if first.number else ""
        more = f" (and {len(stops) - 1} more)" if len(stops) > 1 else ""
        raise click.ClickException(f"{path.name} can't be used. {where}{first.text}{more}")
    return made.quiz
