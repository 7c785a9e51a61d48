"""The gallery of recorded runs: ``python -m biaslab.runs.recording`` makes it and reads it again.

A recorded run holds what was asked and what came back, and nothing of the computer that asked: a
model has the name that the recording gives it, in place of its path. The file is made from
scratch each time, in one order, so that it changes only where something in it does. docs/real-
models.md says how somebody records a model of their own.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import yaml

from biaslab.models import (
    Access,
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    ModelForm,
    ModelIdentity,
    ModelKind,
    read_spec,
)
from biaslab.models.local.provider import local_spec
from biaslab.runs.engine.budget import Budget
from biaslab.runs.engine.prepare import prepare
from biaslab.runs.engine.runner import run_here
from biaslab.runs.engine.sources import Sources, study_in
from biaslab.runs.errors import ChangedRun, RunError, StoreError
from biaslab.runs.rereading import reread
from biaslab.runs.store.connection import connect, make_ready
from biaslab.runs.store.encoding import read_request, response_id, write_request
from biaslab.runs.store.options import RunOptions, write_options
from biaslab.runs.store.records import PACKED, RunRecord, unpacked
from biaslab.runs.store.store import LoneStore, Store, open_store
from biaslab.studies.strategies import Length
from biaslab.studies.study import Design, experiment, experiments
from biaslab.system.places import recorded_runs
from biaslab.system.processes import host
from schoolmath.problems import ProblemError
from schoolmath.text.figures import listed, percent, signed_number, signed_points
from schoolmath.text.yaml_files import parse_yaml

if TYPE_CHECKING:
    from biaslab.stats import Effect


LISTING = "recordings.yaml"
"""What was recorded, for people and for the next command."""

_ORDER = {
    "bundles": "digest", "items": "id", "pairs": "id", "models": "id", "runs": "id",
    "run_pairs": "run, position", "responses": "id", "answers": "run, item, sample",
}  # fmt: skip
"""The tables of a recorded run, in the order in which they refer to each other, and their order."""

_UNUSED = (
    "DELETE FROM answers WHERE run NOT IN (SELECT id FROM runs)",
    "DELETE FROM run_pairs WHERE run NOT IN (SELECT id FROM runs)",
    "DELETE FROM pairs WHERE id NOT IN (SELECT pair FROM run_pairs)",
    "DELETE FROM items WHERE id NOT IN (SELECT x FROM pairs UNION SELECT x_prime FROM pairs)",
    # A response that two runs share stands under one that is there.
    "CREATE TEMP TABLE used AS SELECT each.value AS id, min(answers.run) AS run"
    " FROM answers, json_each(answers.responses) AS each GROUP BY each.value",
    "DELETE FROM responses WHERE id NOT IN (SELECT id FROM used)",
    "UPDATE responses SET run = (SELECT run FROM used WHERE used.id = responses.id)",
    "DELETE FROM models WHERE id NOT IN (SELECT model FROM runs)",
)
"""What leaves the gallery with a run that is listed no more."""


@dataclass(frozen=True, slots=True)
class Recording:
    """How one model was recorded.

    Attributes:
        name: what the model is called here, also in place of its path.
        file: the file of weights; sha256: of it; format: of the numbers that were computed with.
        engine: the programs that answered, with versions; device: on what.
        date: when, ISO 8601; license: of the weights; by: who or what asked.
        runs: their ids.
    """

    name: str
    file: str
    sha256: str
    format: str
    engine: str
    device: str
    date: str
    license: str
    by: str
    runs: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Stands in the file for the bundle that such runs would have come in."""
        return sha256(f"recording {self.name}".encode()).hexdigest()

    def description(self) -> dict[str, str]:
        """Everything but the runs, by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)[:-1]}


def recordings() -> list[Recording]:
    """What the gallery's list says; empty where there is no gallery.

    Raises:
        RunError: the list is damaged.
    """
    path = recorded_runs() / LISTING
    if not path.exists():
        return []
    try:
        found = parse_yaml(path.read_text(encoding="utf-8"))
        return [Recording(**{**each, "runs": tuple(each["runs"])}) for each in found]
    except (TypeError, KeyError, ValueError, yaml.YAMLError) as error:
        raise RunError(f"The list {path} cannot be read ({error}). Get it again.") from error


def recorded_run_id(name: str, record: RunRecord) -> str:
    """The id of a run in the gallery.

    It comes from what somebody chose: settings at their defaults are left out, so that a study may
    get further ones and the same run keeps its address.
    """
    usual = {each.name: each.default for each in experiment(record.study).settings}
    chosen = {k: v for k, v in record.design.settings.items() if usual.get(k, v) != v}
    content = [
        name, record.study, record.strategy, record.design.n, record.design.seed, chosen,
        record.options.samples, record.sampling and record.sampling.temperature,
        *filter(None, [record.options.system]),
    ]  # fmt: skip
    return "r" + sha256(json.dumps(content, sort_keys=True).encode("ascii")).hexdigest()[:11]


def recording_of_runs(
    name: str, source: Store, run_id: str, notes: Mapping[str, str | None]
) -> Recording:
    """What somebody says of a recording, and for the rest what a run says of its model.

    Raises:
        RunError: something is said by neither.
    """
    record = source.run(run_id)
    model = f"{record.model_spec}@{record.model_revision}"
    with source.reading() as database:
        (row,) = database.query("SELECT details FROM models WHERE id = ?", [model])
    details = json.loads(row["details"])
    engine = details.get("libraries", {}).items()
    found = {
        "file": details.get("file"), "sha256": details.get("sha256"),
        "format": details.get("number_format"), "license": details.get("licence"),
        "engine": ", ".join(f"{each} {version}" for each, version in engine), "device": "",
        "date": record.created[:10], "by": f"BiasLab {record.library_version}",
    } | {key: value for key, value in notes.items() if value}  # fmt: skip
    if missing := [f"--{key}" for key, value in found.items() if not value]:
        raise RunError(f"The run does not say all of its recording: give {listed(missing)}.")
    return Recording(name, **found)


def add(recording: Recording, source: Store, run_ids: Sequence[str]) -> list[str]:
    """Takes runs into the gallery, read by today's reader; a run that is in it is replaced.

    Args:
        recording: how their model was recorded; what is listed under its name stays listed.
        source: the file of the runs, which stays as it is.
        run_ids: which.

    Returns:
        their ids in the gallery.

    Raises:
        RunError: the name stands for another recording, a run is not finished or not one of a
            language model, or something in it tells of the computer that asked.
        StoreError: a file cannot be read or written.
    """
    known = {each.name: each for each in recordings()}
    before = known.get(recording.name)
    if before is not None and before.description() != recording.description():
        raise RunError(
            f"“{recording.name}” is recorded already, otherwise than you say: "
            f"{before.description()}. Give the same, or another name."
        )
    with tempfile.TemporaryDirectory() as folder, _workshop(Path(folder)) as work:
        source.copy_to(Path(folder) / "given.db")
        with open_store(Path(folder) / "given.db") as copy:
            new = [_take_in(work, copy, run_id, recording.name) for run_id in run_ids]
            secrets = _secrets(source.path, [copy.run(run_id) for run_id in run_ids])
        runs = dict.fromkeys((*(() if before is None else before.runs), *new))
        known[recording.name] = replace(recording, runs=_in_order(map(work.run, runs)))
        _pack(Path(folder), work, list(known.values()), secrets)
    return new


def _in_order(records: Iterable[RunRecord]) -> tuple[str, ...]:
    """Ids of runs, study by study as they are always listed, and what could be read best first."""
    studies = list(experiments())
    order = sorted(records, key=lambda each: (studies.index(each.study), each.invalid, each.id))
    return tuple(each.id for each in order)


def again() -> list[str]:
    """Reads every response of the gallery with today's reader and writes it anew.

    Returns:
        a sentence for each run.
    """
    told = []
    with tempfile.TemporaryDirectory() as folder, _workshop(Path(folder)) as work:
        for record in work.runs():
            try:
                told.append(reread(work, record.id).sentence)
            except ChangedRun as error:
                told.append(str(error))
        _pack(Path(folder), work, recordings(), ())
    return told


@contextmanager
def _workshop(folder: Path) -> Iterator[Store]:
    """A copy of the gallery that can be written to, with runs that nobody recorded as yet."""
    path = folder / "work.db"
    if (gallery := unpacked()) is not None:
        path.write_bytes(gallery.read_bytes())
    make_ready(path)
    with LoneStore(path) as store:
        with store.writing() as connection:
            connection.execute("UPDATE runs SET bundle = NULL")
            connection.execute("DELETE FROM bundles")
        yield store


def _take_in(work: Store, source: Store, run_id: str, name: str) -> str:
    """Copies a run with everything about it; returns its id here."""
    record = source.run(run_id)
    if record.model_kind != ModelKind.LANGUAGE_MODEL:
        raise RunError(f"Run {run_id} asked {record.model_spec}, which is no language model.")
    if record.items_done < record.items_total and record.enough is None:
        raise RunError(f"Run {run_id} is not finished. Resume it, then add it.")
    if record.bundle is None:
        reread(source, run_id)
    _check_made_again(source, record)
    new = recorded_run_id(name, record)
    spec = read_spec(record.model_spec)
    called = f"{spec.prefix}:{name}"
    revision = record.model_revision
    if spec.served:  # such a revision begins with the address
        revision = sha256(revision.encode()).hexdigest()[:16]
    model = f"{called}@{revision}"
    options = RunOptions(
        record.options.samples, Access(), Budget(), None, record.options.stopping,
        length=record.options.length, system=record.options.system,
    )  # fmt: skip
    names: dict[str, str] = {}
    with source.reading() as database, work.writing() as connection:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        for table in ("answers", "run_pairs"):
            connection.execute(f"DELETE FROM {table} WHERE run = ?", [new])
        connection.execute("DELETE FROM runs WHERE id = ?", [new])

        def copy(table: str, sql: str, parameters: Sequence[Any], **fills: Any) -> None:
            for row in database.query(sql, parameters):
                row |= fills
                if table == "responses":
                    names[row["id"]] = response_id(model, read_request(row["request"]))
                    row["id"] = names[row["id"]]
                if table == "answers":
                    row["responses"] = json.dumps([names[k] for k in json.loads(row["responses"])])
                connection.execute(
                    f"INSERT OR IGNORE INTO {table} ({', '.join(row)})"
                    f" VALUES ({', '.join('?' for _ in row)})",
                    list(row.values()),
                )

        pairs = "SELECT pair FROM run_pairs WHERE run = ?"
        members = f"SELECT {{}} FROM pairs WHERE id IN ({pairs})".format
        copy(
            "items", f"SELECT * FROM items WHERE id IN ({members('x')} UNION"
            f" {members('x_prime')})", [run_id, run_id],
        )  # fmt: skip
        copy("pairs", f"SELECT * FROM pairs WHERE id IN ({pairs})", [run_id])
        copy(
            "models", "SELECT models.* FROM models JOIN runs ON runs.model = models.id"
            " WHERE runs.id = ?", [run_id], id=model, spec=called, revision=revision, details="{}",
        )  # fmt: skip
        copy(
            "runs", "SELECT * FROM runs WHERE id = ?", [run_id], id=new, model=model, bundle=None,
            options=write_options(options), message="", lease_owner=None, lease_expires=None,
            worker_host=None, worker_pid=None, rate=None, stop_requested=0, status="finished",
        )  # fmt: skip
        copy("run_pairs", "SELECT * FROM run_pairs WHERE run = ?", [run_id], run=new)
        copy(
            "responses", "SELECT * FROM responses WHERE id IN (SELECT each.value FROM answers,"
            " json_each(answers.responses) AS each WHERE answers.run = ?)", [run_id],
            model=model, run=new,
        )  # fmt: skip
        copy("answers", "SELECT * FROM answers WHERE run = ?", [run_id], run=new)
    return new


def _check_made_again(source: Store, record: RunRecord) -> None:
    """Refuses a run whose pairs are not made by its design alone, wherever that is."""
    try:
        made = {each.id for each in experiment(record.study).pairs(record.design)}
    except ProblemError as error:
        raise RunError(f"The pairs of run {record.id} cannot be made again: {error}") from error
    if not made.issuperset(source.pair_ids(record.id)):
        raise RunError(
            f"Run {record.id} asked pairs that its design does not make here. Record one anew."
        )


def _pack(
    folder: Path, work: Store, recordings: Sequence[Recording], secrets: Sequence[str]
) -> None:
    """Writes the gallery: every table from scratch, in one order."""
    path = folder / "fresh.db"
    make_ready(path)
    work.close()
    with closing(connect(path)) as fresh:
        fresh.execute("PRAGMA foreign_keys = OFF")
        fresh.execute("ATTACH ? AS work", [str(work.path)])
        fresh.execute("BEGIN")
        order = json.dumps([run for each in recordings for run in each.runs])
        for table, by in _ORDER.items():
            chosen, given = f"SELECT * FROM work.{table} ORDER BY {by}", []
            if table == "runs":  # as they are listed; what was taken from the list is left out
                chosen = "SELECT runs.* FROM json_each(?) AS each JOIN work.runs ON runs.id ="
                chosen, given = f"{chosen} each.value ORDER BY each.key DESC", [order]
            fresh.execute(f"INSERT INTO {table} {chosen}", given)
        for sentence in _UNUSED:
            fresh.execute(sentence)
        for each in recordings:
            fresh.execute(
                "INSERT INTO bundles (digest, name, versions, differences, opened)"
                " VALUES (?, ?, ?, '[]', ?)",
                [each.digest, each.name, json.dumps(each.description()), each.date],
            )
            for run in each.runs:
                fresh.execute("UPDATE runs SET bundle = ? WHERE id = ?", [each.digest, run])
        fresh.execute("UPDATE file SET changes = (SELECT count(*) FROM runs),"
                      " created = (SELECT max(created) FROM runs)")  # fmt: skip
        fresh.execute("COMMIT")
        fresh.execute("DETACH work")
        fresh.execute("PRAGMA journal_mode = DELETE")
        fresh.execute("PRAGMA foreign_keys = ON")
        if faults := fresh.execute("PRAGMA foreign_key_check").fetchall():
            raise RunError(f"The gallery would not hang together: {faults[:3]}.")
        check_nothing_told(fresh, secrets)
        fresh.execute("VACUUM INTO ?", [str(folder / "packed.db")])
    target = recorded_runs()
    target.mkdir(parents=True, exist_ok=True)
    packed = lzma.compress((folder / "packed.db").read_bytes(), preset=9 | lzma.PRESET_EXTREME)
    text = yaml.safe_dump(
        [each.description() | {"runs": list(each.runs)} for each in recordings],
        sort_keys=False, allow_unicode=True, width=100,
    )  # fmt: skip
    for name, content in ((PACKED, packed), (LISTING, text.encode())):
        part = target / f"{name}.part"
        part.write_bytes(content)
        part.replace(target / name)


_PATHS = (
    r"(?<![\w/])/(?:home|root|tmp|Users|work|var|mnt|opt)/",
    r"\b[A-Z]:\\(?:\\\w|Users|Windows|Program|Temp)",
)
"""Folders; “A:\nThen” is a line that ends with a colon, as JSON writes it."""


def _secrets(path: Path, records: Sequence[RunRecord]) -> list[str]:
    """What would tell of the computer: names of folders, servers and of itself."""
    told = {str(path.parent), str(Path.home()), host()}
    names = {read_spec(each.model_spec).name for each in records}
    told |= {name for name in names if Path(name).is_absolute()}
    told |= {url for each in records for url in each.options.access.base_urls}
    return [re.escape(each) for each in told if len(each) > 1]


def check_nothing_told(database: sqlite3.Connection, secrets: Sequence[str]) -> None:
    """Looks through every text for folders and what else tells of a computer.

    Args:
        database: the gallery.
        secrets: patterns of names that must not stand there.

    Raises:
        RunError: one does; the message shows where.
    """
    telling = re.compile("|".join((*_PATHS, *secrets)))
    for sentence in database.iterdump():
        if found := telling.search(sentence):
            raise RunError(
                f"Nothing was written, because the runs mention the computer that asked: "
                f"“{found[0]}” in {sentence[max(0, found.start() - 80) : found.end()]!r}."
            )


# Runs made again from a recording of requests and responses, without the model.


class _RecordedModel:
    """A model whose answers were given before; whatever else is asked has none."""

    def __init__(self, identity: ModelIdentity, answers: Mapping[str, Completion]) -> None:
        self.identity = identity
        self._answers = answers

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        for index, request in enumerate(requests):
            yield index, self._answers.get(write_request(request), _MISSING)

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        return ((index, _MISSING) for index, _ in enumerate(requests))


_MISSING = Failure("The recording has no such request.", retryable=False)


def make_again(path: Path, recording: Recording, store: Store, n: int, seed: int) -> list[str]:
    """Makes the runs of a recording of requests and responses again, without the model.

    The same seed makes the same pairs and prompts; each request is looked up among the recorded
    ones. One that is not there has failed, and is no answer. Nothing was asked to go on.

    Args:
        path: JSON lines, with gzip: study, strategy, request (messages, sampling), text, finish,
            tokens_in, tokens_out.
        recording: whose answers they are.
        store: where the runs come to stand.
        n: pairs of each run.
        seed: of the designs, which are the studies' own otherwise.

    Returns:
        ids of the runs, one for each study and strategy of the file.
    """
    answers: dict[str, Completion] = {}
    wanted: dict[tuple[str, str], None] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            each = json.loads(line)
            wanted[each["study"], each["strategy"]] = None
            answers[write_request(read_request(json.dumps(each["request"])))] = Completion(
                each["text"], each["finish"], each["tokens_in"], each["tokens_out"], 0.0
            )
    identity = ModelIdentity(
        local_spec(recording.name), ModelKind.LANGUAGE_MODEL, recording.sha256[:16], ModelForm.CHAT
    )
    sources = Sources(
        lambda name: study_in(store, name),
        lambda *_: identity,
        lambda *_: _RecordedModel(identity, answers),
    )
    made = []
    for study, strategy in wanted:
        settings = {each.name: each.default for each in experiment(study).settings}
        design = Design(study, n, seed, settings)
        options = RunOptions(length=Length(go_on=0))
        run = prepare(store, design, identity.spec, strategy, options=options, sources=sources)
        run_here(store, run, sources=sources, pauses=())
        made.append(run)
    with store.writing() as connection:
        when = f"{recording.date}T12:00:00.000Z"
        connection.execute("UPDATE runs SET created = ?1, started = ?1, finished = ?1", [when])
        # How long each took was not written down.
        connection.execute("UPDATE responses SET created = ?, seconds = NULL", [when])
    return made


# The command line.


BEGIN, END = "<!-- made by `python -m biaslab.runs.recording table` -->", "<!-- end -->"
"""Between these lines of docs/real-models.md stands the table."""

_EASIEST = ("steps", 1)
"""Pairs of which there is a row of their own, where a run has others as well."""


def table() -> str:
    """Every recorded run with its effect, as a Markdown table that says what it was asked with."""
    from biaslab.stats import effects
    from biaslab.stats.beside_effects import effects_beside

    lines = [
        "| model | run | study | strategy | pairs | x | x\u2032 | effect | unread x, x\u2032 |",
        "|---|---|---|---|--:|--:|--:|--:|--:|",
    ]
    told = []
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "none.db") as store:
        for each in recordings():
            told.append(
                f"**{each.name}**: file {each.file}, SHA-256 `{each.sha256}`; numbers: "
                f"{each.format}; {each.engine}; {each.device}; {each.date}; weights under "
                f"{each.license}; asked by {each.by}."
            )
            for run in each.runs:
                outcomes = store.outcomes([run])
                lines += [_line(each.name, row) for row in effects(outcomes)]
                lines += [_line(each.name, row) for row in effects_beside(outcomes, _EASIEST)]
    return "\n".join(lines) + "\n\n" + "\n".join(f"- {each}" for each in told)


def _line(name: str, row: Effect) -> str:
    share, difference = (percent, signed_points) if row.binary else (signed_number, signed_number)
    what = row.study if row.stratum == "all" else f"\u2026 {row.stratum}"
    cells = (
        name, row.run, what, row.strategy, row.n, share(row.accuracy_x),
        share(row.accuracy_x_prime),
        f"{difference(row.cate)} ({difference(row.ci_low)} to {difference(row.ci_high)})",
        f"{row.invalid_x}, {row.invalid_x_prime}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


@click.group(help=__doc__)
def main() -> None:
    """The commands."""


_OPTIONS = {
    "file": "File of the weights, by its name alone.", "sha256": "SHA-256 of that file.",
    "format": "Format of the numbers that were computed with.",
    "engine": "Programs that answered, with their versions.", "device": "What they ran on.",
    "date": "When, as 2026-11-26.", "license": "Of the weights.", "by": "Who or what asked.",
}  # fmt: skip


def _recording_options(command: Any) -> Any:
    """What is said of a recording."""
    for name, text in reversed(_OPTIONS.items()):
        command = click.option(f"--{name}", help=text)(command)
    return command


@main.command("add")
@click.argument("name")
@click.argument("db", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("runs", nargs=-1, required=True)
@_recording_options
def add_command(name: str, db: Path, runs: tuple[str, ...], **told: str | None) -> None:
    """Take RUNS of the file DB into the gallery; their model is called NAME there.

    What you do not say of the recording is taken from what the first run says of its model.
    """
    with _sentences(), open_store(db) as store:
        for run in add(recording_of_runs(name, store, runs[0], told), store, runs):
            click.echo(run)


@main.command("given")
@click.argument("name")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--n", default=250, show_default=True, help="Pairs of each run.")
@click.option("--seed", default=1, show_default=True, help="Of the designs.")
@_recording_options
def given_command(name: str, path: Path, n: int, seed: int, **told: Any) -> None:
    """Make the runs of a recording of requests and responses again and add them."""
    if missing := [f"--{key}" for key, value in told.items() if not value]:
        raise click.UsageError(f"Such a file does not say how it was recorded: {listed(missing)}.")
    recording = Recording(name, **told)
    with (
        _sentences(),
        tempfile.TemporaryDirectory() as folder,
        open_store(Path(folder) / "given.db") as store,
    ):
        for run in add(recording, store, make_again(path, recording, store, n, seed)):
            click.echo(run)


@main.command("again")
def again_command() -> None:
    """Read every response with today's reader and write the gallery anew."""
    with _sentences():
        for sentence in again():
            click.echo(sentence)


@main.command("table")
@click.option("--write", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Put it between its marks in this file.")  # fmt: skip
def table_command(write: Path | None) -> None:
    """Print the table of all recorded runs."""
    with _sentences():
        made = table()
    if write is None:
        click.echo(made)
        return
    before, _, rest = write.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise click.ClickException(f"{write} has not both marks, {BEGIN} and {END}.")
    write.write_text(f"{before}{BEGIN}\n{made}\n{END}{after}", encoding="utf-8")


@contextmanager
def _sentences() -> Iterator[None]:
    try:
        yield
    except (RunError, StoreError, OSError) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
