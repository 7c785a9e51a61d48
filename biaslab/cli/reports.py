"""What was found as files for others: reports, papers, bundles, data sets, other tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qs

import click

from biaslab.cli.conventions import analysis_options, db_option, sentences, was_given, write_whole
from biaslab.cli.designs import design_file_option, design_of, design_options, with_file
from biaslab.cli.models import access_of, reach, server_options, speed_options
from biaslab.models import Access, Completion, LikelihoodRequest, ModelForm
from biaslab.runs import (
    RunOptions,
    RunRecord,
    Store,
    default_database,
    open_store,
    prepare,
    run_here,
)
from biaslab.runs.engine.prepare import find_strategy
from biaslab.runs.engine.sources import study_in
from biaslab.runs.store.store import gallery
from biaslab.studies import Design, Item, Strategy, experiment
from biaslab.studies.study import Answered

if TYPE_CHECKING:
    from biaslab.publishing.paper import Paper
    from biaslab.publishing.replication import PaperSystem, ReplicationRow
    from biaslab.publishing.report import Report
    from biaslab.stats import IntervalMethod
    from schoolmath.malrules.classes import Quiz

_MOST_QUIZ_BYTES = 5 * 2**20
_SHORTEST_DIGEST = 6
_OF_RUNS = ("by", "invalid", "vote", "confidence", "method", "db")


@click.command("report")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
              metavar="FILE", help="The file, such as report.html; it must be new.")  # fmt: skip
@click.option("--class", "sheet", type=click.Path(path_type=Path), default=None, metavar="SHEET",
              help="In place of runs: a class's answers as CSV, as for Your class; names in it "
              "are left out. Needs --quiz.")  # fmt: skip
@click.option("--quiz", default=None, metavar="QUIZ",
              help="What the class was asked: a file as for your own test, or what stands "
              "behind the ? in the link to a quiz of Your class.")  # fmt: skip
@click.option("--room", "code", default=None, metavar="CODE",
              help="In place of runs: a live room, by the four letters of its code.")  # fmt: skip
@click.option("--network", is_flag=True, help="With three tiny networks that answer in the page, "
              "offline, what is typed there (2 MB more).")  # fmt: skip
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
    network: bool,
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
        content = page(replace(report, network=network))
        write_whole(out, content)
    for sentence in report.limitations:
        click.echo(sentence, err=True)
    click.echo(f"{len(content):,} bytes in {out}.")


def _of_room(code: str, database: Path) -> Report:
    from biaslab.publishing.report import report_of_room
    from biaslab.room import UnknownRoom, open_rooms, rooms_beside

    kept = rooms_beside(database)
    if not kept.is_file():
        raise UnknownRoom(f"There is no file of rooms next to {database}.")
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
    from biaslab.files.importing import read_test_file
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


# Data sets, Datasette, and the studies as tasks of other tools.


@click.group("tasks")
def tasks_command() -> None:
    """Write tasks of the studies for other tools."""


@tasks_command.command("lm-eval")
@click.option("--study", default=None, help="Of the tasks. [default: every study]")
@design_options
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder for the task files; new, or one that holds such files.")  # fmt: skip
def lm_eval_command(
    study: str | None,
    n: int,
    seed: int,
    steps: str | None,
    numbers: str | None,
    more: tuple[str, ...],
    out: Path,
) -> None:
    """Write a folder of tasks for lm-evaluation-harness (--include_path).

    There is a task for every prompt strategy of one request, for models that take turns and,
    with the ending _base, for models that continue a text. Settings are for one --study.
    """
    from biaslab.runs.tools import ToolError, task_files

    settings = design_of(study or "", n, seed, steps, numbers, more).settings
    if settings and study is None:
        raise click.UsageError("Settings are those of one study: name it with --study.")
    with sentences(ToolError):
        made = task_files(study, n, seed, settings)
        out.mkdir(parents=True, exist_ok=True)
        for name, content in made.files.items():
            write_whole(out / name, content.encode())
    for reason in made.left_out:
        click.echo(f"Left out: {reason}", err=True)
    for task in made.tasks:
        click.echo(task)


@click.command("data-set")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              metavar="DIR", help="A new or empty folder.")  # fmt: skip
@click.option("--title", default="", help="Of the data set. [default: names of the models]")
@click.option("--license", "licence", default="", metavar="NAME",
              help="Such as cc-by-4.0. [default: none is said]")  # fmt: skip
@click.option("--organization", default="", metavar="NAME",
              help="Who evaluated: writes the effects for Every Eval Ever too.")  # fmt: skip
@click.option("--notes", is_flag=True,
              help="Your marks and notes next to pairs too (columns mark, note).")  # fmt: skip
@db_option
def data_set_command(
    runs: tuple[str, ...],
    out: Path,
    title: str,
    licence: str,
    organization: str,
    notes: bool,
    db: Path | None,
) -> None:
    """Write RUNs as a data set: Parquet, a card for Hugging Face and Croissant metadata.

    datasets.load_dataset(DIR, "responses") reads it, and pandas, DuckDB and R do.
    """
    from biaslab.publishing.data_sets import data_set, every_eval_ever
    from biaslab.runs import default_database, open_store
    from biaslab.runs.tools import ToolError

    with sentences(ToolError), open_store(db or default_database()) as store:
        if out.exists() and any(out.iterdir()):
            raise ToolError(f"{out} holds files already: name a new or empty folder.")
        files = data_set(store, runs, title, licence, notes)
        for run, result in (
            every_eval_ever(store, runs, organization).items() if organization else ()
        ):
            written = json.dumps(result, ensure_ascii=False, indent=1)
            files[f"every_eval_ever/{run}.json"] = f"{written}\n".encode()
        for name, content in files.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(out / name, content)
    click.echo(f"{len(files)} files in {out}")


@click.command("datasette")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              metavar="DIR", help="New or empty; a copy of the file goes there.")  # fmt: skip
@db_option
def datasette_command(out: Path, db: Path | None) -> None:
    """Write a copy of the file of runs with what Datasette needs to show it.

    `datasette DIR/runs.db -m DIR/metadata.yaml` shows tables with descriptions and ready queries;
    from version 1.0, with `-c DIR/datasette.yaml` too. The copy may be shown while runs go on.
    It holds your marks and notes next to pairs too.
    """
    from biaslab.publishing.data_sets import datasette_files
    from biaslab.runs import default_database, open_store
    from biaslab.runs.tools import ToolError

    where = db or default_database()
    with sentences(ToolError):
        if not where.is_file():
            raise ToolError(f"{where}: there is no file of runs here.")
        if out.exists() and any(out.iterdir()):
            raise ToolError(f"{out} holds files already: name a new or empty folder.")
        out.mkdir(parents=True, exist_ok=True)
        with open_store(where) as store:
            store.copy_to(out / where.name)
        for name, content in datasette_files(where).items():
            write_whole(out / name, content)
    click.echo(f"datasette {out / where.name} -m {out / 'metadata.yaml'}")


@click.command("paper")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR",
              help="A new folder, or a file whose name ends in .zip.")  # fmt: skip
@db_option
@click.option("--by", multiple=True, metavar="STRATUM",
              help="Break studies down by this stratum in place of their main one; "
              "repeatable.")  # fmt: skip
@analysis_options
def paper_command(
    runs: tuple[str, ...],
    out: Path,
    db: Path | None,
    by: tuple[str, ...],
    invalid: Literal["strict", "exclude"],
    vote: bool,
    confidence: float,
    method: IntervalMethod,
) -> None:
    """Write everything that a paper about RUNs needs.

    Figures (PDF, SVG, PNG), tables (LaTeX, CSV), methods and limitations computed from the runs,
    references, a document that holds them all, and a bundle with all pairs, prompts, answers,
    seeds, versions and effects, each file with its checksum, which `biaslab reproduce` makes
    again. q allows for all runs of one study that are named.
    """
    # The statistics take a second to import; the other commands need not wait for them.
    from biaslab.publishing.paper import Analysis, PaperError, make_paper, write_paper
    from biaslab.stats import AnalysisError

    with sentences(AnalysisError, PaperError), open_store(db or default_database()) as store:
        paper = make_paper(store, runs, Analysis(invalid, confidence, vote, method), by)
        write_paper(paper, out)
    _tell(paper, out)


def _tell(paper: Paper, out: Path) -> None:
    for sentence in paper.limitations:
        click.echo(sentence, err=True)
    click.echo(f"{len(paper.files)} files in {out}. Manifest of the bundle: sha256 {paper.digest}")


@click.command("reproduce")
@click.argument("bundle", type=click.Path(path_type=Path))
@click.option("--ignore-versions", is_flag=True,
              help="Other versions of BiasLab and libraries are no difference.")  # fmt: skip
def reproduce_command(bundle: Path, ignore_versions: bool) -> None:
    """Make again what a paper's BUNDLE says, and tell what differs.

    Checks every checksum, makes the pairs again from seed and settings, compares the prompts,
    reads the answers again, computes the effects again. No request is sent. The exit status is 1
    where anything differs.
    """
    from biaslab.publishing.paper import PaperError, reproduce

    with sentences(PaperError):
        found = reproduce(bundle, ignore_versions=ignore_versions)
    click.echo(f"Manifest: sha256 {found.digest}")
    for sentence in found.done:
        click.echo(sentence)
    for sentence in found.differences:
        click.echo(f"Differs: {sentence}")
    if found.differences:
        raise click.exceptions.Exit(1)
    click.echo("Nothing differs.")


@click.command("open")
@click.argument("bundle", type=click.Path(path_type=Path))
@db_option
def open_command(bundle: Path, db: Path | None) -> None:
    """Open the runs of somebody's BUNDLE next to your own, read-only.

    BUNDLE is the folder or zip of a bundle or of a paper. It is made again first, and any
    difference is reported. Its runs are marked as recorded everywhere, and no answer of theirs is
    ever taken for one that you asked. `biaslab close` takes them out again.
    """
    from biaslab.publishing.paper import PaperError, open_recorded

    with sentences(PaperError), open_store(db or default_database()) as store:
        opened = open_recorded(store, bundle, tell=click.echo)
    for sentence in opened.differences:
        click.echo(f"Differs: {sentence}")
    for run in opened.skipped:
        click.echo(f"Run {run} is in your file already.")
    click.echo(f"Opened; `biaslab close {opened.digest[:12]}` closes it. Its runs:")
    for run in opened.runs:
        click.echo(run)


@click.command("close")
@click.argument("bundle")
@db_option
def close_command(bundle: str, db: Path | None) -> None:
    """Close a BUNDLE that was opened: its runs leave the file, your own stay.

    Your marks and notes next to its pairs leave with them.

    BUNDLE is how its SHA-256 begins (`biaslab runs` names it); six signs at least.
    """
    from biaslab.runs import close_bundle, opened_bundles

    with sentences(), open_store(db or default_database()) as store:
        found = [each for each in opened_bundles(store) if each.digest.startswith(bundle)]
        if len(bundle) < _SHORTEST_DIGEST or len(found) != 1:
            known = ", ".join(each.digest[:12] for each in opened_bundles(store)) or "none"
            raise click.ClickException(f"No open bundle is {bundle!r:.70}. Open are: {known}.")
        close_bundle(store, found[0].digest)
    click.echo(f"{found[0].name} is closed; {len(found[0].runs)} of its runs left the file.")


# What is published: the prompts that would be sent, and a replication.

_MOST_STAGES = 8
ANSWER_HERE = "[the model's answer to this stands here]"


@click.command("prompt")
@click.argument("study", required=False)
@design_file_option
@design_options
@click.option("--published", is_flag=True, help="The study's published design: --design published.")
@click.option("--strategy", default=None, help="Prompt strategy. [default: the first]")
@click.option("--form", type=click.Choice([*map(str, ModelForm)]), default="chat",
              show_default=True, help="Of the model that would be asked.")  # fmt: skip
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text",
              show_default=True, help="For people, or for programs.")  # fmt: skip
@db_option
def prompt_command(study: str | None, db: Path | None, **given: Any) -> None:
    """Print the very messages that a run of STUDY would send. Nothing is asked."""
    if given["published"]:
        given["design_file"] = given["design_file"] or Path("published")
    options = (given[name] for name in ("n", "seed", "steps", "numbers", "more"))
    with sentences(), open_store(db or default_database()) as store:
        design = with_file(given["design_file"], design_of(study or "", *options))
        asked = study_in(store, design.study)
        strategy = find_strategy(asked, given["strategy"] or asked.strategies[0].name)
        form = ModelForm(given["form"])
        for number, pair in enumerate(islice(asked.pairs(design), design.n), 1):
            for arm, item in zip(asked.of_design(design).arms, (pair.x, pair.x_prime), strict=True):
                _print(f"Pair {number}, {arm}", item, strategy, form, given["layout"])


def _print(title: str, item: Item, strategy: Strategy, form: ModelForm, layout: str) -> None:
    answered: list[Answered] = []
    while len(answered) < _MOST_STAGES:
        request = strategy.next_request(item, answered, form)
        if request is None:
            return
        ends = request.continuations if isinstance(request, LikelihoodRequest) else ()
        if layout == "json":
            messages = [each._asdict() for each in request.messages]
            line = {"item": title, "request": len(answered) + 1, "messages": messages}
            click.echo(json.dumps(line | ({"continuations": ends} if ends else {}),
                                  ensure_ascii=False))  # fmt: skip
        else:
            click.echo(f"== {title}, request {len(answered) + 1}")
            for role, content, *_ in request.messages:
                click.echo(f"[{role}]\n{content}")
            if ends:
                click.echo(f"scored: {' | '.join(map(repr, ends))}")
        if ends:
            return
        answered.append(Completion(ANSWER_HERE, "stop", 0, 0, 0.0))


@click.command("replicate")
@click.argument(
    "system", type=click.Choice(["word-problems", "malgorithms", "concepts", "decisions"])
)
@click.option("--model", help="local:FILE, openai:NAME or learner:NAME.")
@click.option("--recorded", is_flag=True,
              help="What the recorded models were asked so. Nothing is asked.")  # fmt: skip
@click.option("--n", type=click.IntRange(1), default=100, show_default=True,
              help="Pairs of each study; 500 were published for word problems.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="Of the sample.")
@click.option("--strategy", "chosen", multiple=True, metavar="NAME",
              help="As the paper asked; repeatable. [default: its first two]")  # fmt: skip
@click.option("--reader", default="published", show_default=True,
              help="Of word problems: as in the paper, or numbers.")  # fmt: skip
@server_options
@speed_options
@db_option
def replicate_command(system: str, db: Path | None, recorded: bool, **given: Any) -> None:
    """Ask MODEL the published design of SYSTEM and print its table next to the published one.

    Answers that are in the file already are not asked again, so the same command goes on after it
    was stopped, and prints the table at once when all is there.
    """
    # The statistics take a second to import; the other commands need not wait for them.
    from biaslab.publishing.replication import SYSTEMS

    paper = SYSTEMS[system]
    for name in given["chosen"]:
        if name not in paper.strategies:
            raise click.UsageError(
                f"{system} was not asked by {name}: choose {', '.join(paper.strategies)}."
            )
    if bool(given["model"]) is recorded:
        raise click.UsageError("Name a --model to ask, or --recorded.")
    if recorded:
        with sentences():
            held = gallery()
            runs = [] if held is None else [run for run in held.runs() if paper.replicates(run)]
            _tell_rows(paper, [] if held is None else paper.rows(held, runs))
        return
    strategies: Sequence[str] = given["chosen"] or paper.strategies[:2]
    with sentences(), open_store(db or default_database()) as store:
        access = reach(store, given["model"], access_of(given))
        runs = []
        for design in paper.designs(given["n"], given["seed"]):
            reader = given["reader"] if experiment(design.study).further_readers else None
            for strategy in strategies:
                click.echo(f"{design.study}, {strategy} …", err=True)
                runs.append(_finished(store, design, given["model"], strategy, access, reader))
        _tell_rows(paper, paper.rows(store, runs))


def _tell_rows(paper: PaperSystem, rows: Sequence[ReplicationRow]) -> None:
    from biaslab.publishing.replication import replication_lines

    click.echo(paper.source)
    if not rows:
        click.echo("No run asked this design.")
    for line in replication_lines(rows):
        click.echo(line)


def _finished(
    store: Store, design: Design, model: str, strategy: str, access: Access, reader: str | None
) -> RunRecord:
    options = RunOptions(access=access)
    run = prepare(store, design, model, strategy, options=options, reader=reader)
    return run_here(store, run)
