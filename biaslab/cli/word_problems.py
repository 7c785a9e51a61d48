"""Commands of word problems alone: composing, importing pairs of texts, having them mended.

A model mends the grammar of pairs, with a check that the paper's step lacked.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from biaslab.cli.conventions import (
    db_option,
    proved,
    sentences,
    vocabulary_option,
    whole_text,
    written_with,
)
from biaslab.cli.designs import design_file_option, design_of, with_file
from biaslab.cli.models import access_of, allow_key, reach, server_options, speed_options
from biaslab.cli.pair_files import PairFile, pair_file_options, write_pairs
from biaslab.models import Failure, identify, open_model
from biaslab.runs import LONGEST_NAME, default_database, open_store, save_set
from biaslab.runs.engine.sources import at_most_all, study_in
from biaslab.runs.jobs.one_off import ask_loose
from biaslab.runs.library.pair_sets import set_pairs
from biaslab.runs.store.store import Store
from biaslab.studies import Arms, Design, Pair, Value, experiment
from biaslab.studies.study import arms_of
from biaslab.studies.word_problems.custom.correction import (
    Correction,
    CorrectionProgress,
    CorrectionPrompt,
    check_mender,
    correct,
    set_of,
)
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.studies.word_problems.error_models import WAYS
from schoolmath.problems.structure import StructureError, part_span
from schoolmath.text.figures import percent, percents

if TYPE_CHECKING:
    from biaslab.files import InterchangeError
    from biaslab.studies.word_problems.files import PairImport

_SHOWN = 3
"""Reasons that are printed in full."""


@click.command("correct")
@click.argument("study", required=False)
@click.option(
    "--set",
    "more",
    multiple=True,
    metavar="ID|NAME=VALUE",
    help="Id of a saved set of pairs, in place of STUDY; or, with STUDY, a setting.",
)
@click.option(
    "--n", "n", type=click.IntRange(1), default=50, show_default=True, help="Number of pairs."
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="The same seed gives the same pairs on every machine.",
)
@click.option("--steps", default=None, help="Reasoning steps, such as 1-5 or 2.")
@click.option("--numbers", default=None, help="Numbers in the text, such as 2-20.")
@click.option(
    "--model",
    required=True,
    help="openai:NAME or local:DIRECTORY: a language model that corrects sentences.",
)
@click.option("--name", required=True, help="What the new set of corrected pairs is called.")
@click.option(
    "--prompt",
    type=click.Choice([*map(str, CorrectionPrompt)]),
    default=str(CorrectionPrompt.SENTENCES),
    show_default=True,
    help="Sentence by sentence in our words, or each whole text in those of Opedal et al. (2024).",
)
@server_options
@speed_options
@db_option
def correct_command(
    study: str | None, more: tuple[str, ...], db: Path | None, **given: Any
) -> None:
    """Let MODEL correct the grammar of pairs; keep those that still say the same as a set.

    Prints the keep rate with its 95 % interval and why pairs were discarded; the set's id comes
    last. Status 1 if some pairs got no answer: they count nowhere.
    """
    ids = [entry for entry in more if "=" not in entry]
    settings = tuple(entry for entry in more if "=" in entry)
    if bool(study) == bool(ids) or len(ids) > 1:
        raise click.UsageError("Name either a STUDY or one saved set of pairs with --set ID.")
    if not str(given["name"]).strip():
        raise click.UsageError("--name: give the new set a name.")
    with sentences(), open_store(db or default_database()) as store:
        if study is None:
            pairs: Sequence[Pair] = list(islice(set_pairs(store, ids[0]), given["n"]))
            source, treatment = f"set {ids[0]}", ""
        else:
            design = at_most_all(
                store,
                design_of(
                    study, given["n"], given["seed"], given["steps"], given["numbers"], settings
                ),
            )
            pairs = list(study_in(store, study).pairs(design))
            source = f"{study}, seed {given['seed']}"
            treatment = "" if study == IMPORTED else study
        _do(store, pairs, given, source, treatment)


def _do(
    store: Store, pairs: Sequence[Pair], options: dict[str, Any], source: str, treatment: str
) -> None:
    access, prompt = access_of(options), CorrectionPrompt(options["prompt"])
    spec = options["model"]
    check_mender(identify(spec, access=access))
    allow_key(access.key_env, access.base_urls)
    access = reach(store, spec, access)
    model = open_model(spec, access=access)
    with _bar(len(pairs)) as bar:
        correction = correct(
            pairs,
            partial(ask_loose, model),
            model.identity.form,
            treatment=treatment,
            prompt=prompt,
            on_progress=partial(_advance, bar),
        )
    _report(correction)
    if correction.kept:
        kept = save_set(store, options["name"], *set_of(correction, spec, source, prompt))
        click.echo(
            f"Saved as “{kept.name}”. Ask them with: biaslab run imported --set set={kept.id}"
        )
        click.echo(kept.id)
    if correction.not_answered or not correction.kept:
        sys.exit(1)


@contextmanager
def _bar(total: int) -> Iterator[tqdm[Any]]:
    with tqdm(total=total, unit=" pairs", disable=None) as bar:
        yield bar


def _advance(bar: tqdm[Any], progress: CorrectionProgress) -> None:
    bar.total = progress.wanted
    bar.n = progress.done
    bar.refresh()


def _report(correction: Correction) -> None:
    answered, kept = len(correction.answered), len(correction.kept)
    rate, interval = correction.keep_rate, correction.interval
    if rate is not None and interval is not None:
        click.echo(
            f"Saved {kept} of {answered} corrected pairs: {percent(rate)} "
            f"(95 % interval {percents(interval.low, interval.high)}); "
            f"{correction.changed} of them were changed."
        )
    else:
        click.echo("No pair was answered.")
    for flaw, count in correction.by_reason():
        click.echo(f"  discarded {count} times: {flaw.label} ({flaw})")
    for each in correction.discarded[:_SHOWN]:
        click.echo(f"  such as pair {each.pair.id}: {each.reasons[0].text}")
    if correction.not_asked:
        click.echo(
            f"{len(correction.not_asked)} pairs were not asked, because they cannot be read back "
            "and nothing could be checked."
        )
    if correction.not_answered:
        click.echo(
            f"{len(correction.not_answered)} pairs got no answer and count nowhere: "
            f"{correction.not_answered[0].reason} Correct them again later.",
            err=True,
        )


STUDY = "composed"


@click.command("compose")
@click.argument("structure", required=False)
@design_file_option
@click.option("--treatment", metavar="NAME", default=None,
              help="What the two texts of a pair differ in, one thing (see `biaslab studies`). "
              "[default: consistency]")  # fmt: skip
@click.option("--n", "n", type=int, default=200, show_default=True, help="Number of pairs.")
@click.option("--seed", type=int, default=1, show_default=True,
              help="The same seed gives the same pairs on every machine.")  # fmt: skip
@click.option("--numbers", default=None, help="Numbers in the text, such as 2-20.")
@click.option("--sentence", type=int, default=None,
              help="Number of the sentence to change. [default: the study chooses]")  # fmt: skip
@click.option("--diagnosable", is_flag=True,
              help="Choose numbers for which each error model gives an answer of its "
              "own.")  # fmt: skip
@click.option("--set", "more", multiple=True, metavar="NAME=VALUE",
              help="Any setting of the study (see `biaslab studies`).")  # fmt: skip
@vocabulary_option
@pair_file_options
def compose_command(
    structure: str | None,
    design_file: Path | None,
    treatment: str | None,
    n: int,
    seed: int,
    numbers: str | None,
    sentence: int | None,
    diagnosable: bool,
    more: tuple[str, ...],
    vocabulary_file: Path | None,
    **options: Any,
) -> None:
    """Write pairs of a STRUCTURE of your own to a file.

    STRUCTURE is a line such as "container . transfer- . comparison+ inconsistent . rate": the
    sentences in order, each a container, transfer, comparison or rate. It can come from a file
    with --design instead.
    """
    chosen = PairFile.of(options)
    settings: dict[str, Value] = dict(_entry(entry) for entry in more)
    given = {"treatment": treatment, "numbers": numbers, "sentence": sentence}
    settings |= {name: value for name, value in given.items() if value is not None}
    if diagnosable:
        settings["diagnosable"] = "yes"
    if structure is not None:
        settings["structure"] = structure
    elif design_file is None:
        raise click.UsageError("Write a STRUCTURE, or name a file with --design.")
    study = experiment(STUDY)
    with sentences():
        design = with_file(design_file, Design(STUDY, n, seed, settings))
        marked = _marked(str(design.settings.get("structure", "")))
        with written_with(vocabulary_file, study), marked:
            arms = arms_of(study, design)
            pairs = _telling(proved(study.pairs(design), vocabulary_file), arms)
            write_pairs(study, design, pairs, chosen, arms)


def _telling(pairs: Iterator[Pair], arms: Arms) -> Iterator[Pair]:
    """The pairs, after saying which error models the first one cannot tell apart."""
    for number, pair in enumerate(pairs):
        if not number:
            for line in _indistinct(pair, arms):
                click.echo(line, err=True)
        yield pair


def _indistinct(pair: Pair, arms: Arms) -> Iterator[str]:
    one, other = ({**item.facts.get("ways_left_out", {})} for item in (pair.x, pair.x_prime))
    for way, called in WAYS.items():
        if way in one and one[way] == other.get(way):
            yield f"Not distinguished: {called}. {one[way]}"
            continue
        for left, arm in ((one, arms.x), (other, arms.x_prime)):
            if way in left:
                yield f"Not distinguished ({arm}): {called}. {left[way]}"


def _entry(entry: str) -> tuple[str, str]:
    name, equals, value = entry.partition("=")
    if not (name and equals):
        raise click.UsageError(f"--set {entry!r}: write NAME=VALUE.")
    return name, value


@contextmanager
def _marked(text: str) -> Iterator[None]:
    """Shows the line with its fault underlined below what is wrong with it."""
    try:
        yield
    except StructureError as error:
        begin, end = error.start, error.end
        if end <= begin and error.part is not None:
            begin, end = part_span(text, error.part)
        if end <= begin or not text.isprintable():
            raise
        mark = " " * begin + "^" * (end - begin)
        raise click.ClickException(f"{error}\n    {text}\n    {mark}") from error


_ROWS_SHOWN = 20
_TEXT_COLUMNS = ("x", "x_prime")


def is_pair_file(file: Path, mapping: Mapping[str, str]) -> bool:
    """Whether FILE holds pairs of problems, by the columns that were named or that it has."""
    from biaslab.studies.word_problems.files import holds_pairs

    if any(name in mapping for name in _TEXT_COLUMNS):
        return True
    with sentences():
        return not mapping and holds_pairs(file)


def neither_items_nor_pairs(file: Path, error: InterchangeError) -> str:
    """Why FILE can be read neither as items nor as pairs; how it may be, where that is seen."""
    from biaslab.files.errors import ProblemsGiven
    from biaslab.studies.word_problems.files import why_no_pairs

    no_pairs, may_be = why_no_pairs(file)
    if not no_pairs or (isinstance(error, ProblemsGiven) and not may_be):
        return str(error)
    return f"As items: {error}\nAs pairs of problems: {no_pairs}"


def import_pair_file(
    file: Path,
    mapping: Mapping[str, str],
    report_file: Path | None,
    db: Path | None,
    name: str | None,
) -> None:
    """Checks every row, writes the report, and keeps the pairs as a set where a file is named.

    Raises:
        click.ClickException: no row gives a pair; the report is written all the same.
    """
    from biaslab.files import InterchangeError
    from biaslab.studies.word_problems.files import import_pairs

    with sentences(InterchangeError):
        with tqdm(unit=" rows", disable=None) as bar:
            found = import_pairs(file, mapping, lambda done: _advance_reading(bar, done))
        _tell(found)
        if report_file is not None:
            with whole_text(report_file) as out:
                _write_report(found, out.write)
        if not found.pairs:
            raise click.ClickException(
                f"{file}: no row has two different texts with an answer, so nothing was imported."
            )
        if db is None and name is None:
            click.echo("Nothing was saved. Name a file of runs with --db to keep the pairs.")
            return
        _keep(found, file, db, name)


def _keep(result: PairImport, file: Path, db: Path | None, name: str | None) -> None:
    from biaslab.runs import default_database

    called = file.stem[:LONGEST_NAME] if name is None else name
    told = [row.as_json() for row in result.remarked()]
    with open_store(db or default_database()) as store:
        kept = save_set(store, called, result.pairs, file.name, told)
        where = "" if db is None else f" --db {db}"
        click.echo(
            f"{kept.pairs:,} pairs are saved as “{kept.name}”. Ask them with: "
            f"biaslab run imported --set set={kept.id} --model MODEL{where}"
        )
        click.echo(kept.id)


def _tell(result: PairImport) -> None:
    encoding = f", {result.encoding}" if result.encoding else ""
    click.echo(f"Format: {result.layout} ({result.container}{encoding})")
    columns = (f"{field} = {column}" for field, column in result.mapping.items())
    click.echo(f"Columns: {'; '.join(columns)}")
    for remark in result.remarks:
        click.echo(f"Remark: {remark}")
    unproved = [row for row in result.rows if row.reasons]
    for row in unproved[:_ROWS_SHOWN]:
        click.echo(f"    Row {row.row}: {row.status}. {' '.join(row.reasons)}")
    if len(unproved) > _ROWS_SHOWN:
        click.echo(
            f"    ... and {len(unproved) - _ROWS_SHOWN:,} more; --report FILE lists them all."
        )
    click.echo(result.summary())


def _write_report(result: PairImport, write: Callable[[str], object]) -> None:
    """A JSON list, written row by row: a long report is never in memory as a whole."""
    for index, row in enumerate(result.rows):
        write("[\n" if index == 0 else ",\n")
        write(json.dumps(row.as_json(), ensure_ascii=False))
    write("\n]\n")


def _advance_reading(bar: tqdm[Any], count: int) -> None:
    bar.n = count
    bar.refresh()


class ReadingModel:
    """A model that reads what was refused."""

    def __init__(self, spec: str, options: dict[str, Any], db: Path | None) -> None:
        self.spec, self.given, self.db = spec, options, db

    def read(self, solved: list[dict[str, Any]], records: Sequence[Mapping[str, Any]]) -> None:
        """Puts what is believed of the model's readings into the rows that were refused."""
        from biaslab.studies.word_problems.custom.asking_models import (
            check_reader,
            judge_reading,
            reading_requests,
        )

        for each in solved:
            each["read_by"] = None
        access = access_of(self.given)
        check_reader(identify(self.spec, access=access))
        allow_key(access.key_env, access.base_urls)
        with open_store(self.db or default_database()) as store:
            access = reach(store, self.spec, access)
        model = open_model(self.spec, access=access)
        refused = [
            index for index, each in enumerate(solved) if each["status"] in {"refused", "doubted"}
        ]
        rows = [records[index] for index in refused]
        requests = [
            each for row in rows for each in reading_requests(row["text"], model.identity.form)
        ]
        answers = dict(ask_loose(model, requests))
        for number, (index, row) in enumerate(zip(refused, rows, strict=True)):
            reading, calculation = answers[2 * number], answers[2 * number + 1]
            if isinstance(reading, Failure) or isinstance(calculation, Failure):
                failure = reading if isinstance(reading, Failure) else calculation
                assert isinstance(failure, Failure)
                solved[index]["reasons"].append(f"{self.spec} gave no answer: {failure.reason}")
                continue
            own = _given_answer(row)
            found = judge_reading(row["text"], reading, calculation, own).checked
            if found.answer is None:
                solved[index]["reasons"] += [f"{self.spec}: {each}" for each in found.reasons]
                continue
            solved[index] |= {
                "status": "read",
                "answer": found.answer.numerator
                if found.answer.denominator == 1
                else float(found.answer),
                "doubted": None,
                "steps": list(found.steps),
                "reasons": [],
                "read_by": self.spec,
            }


def _given_answer(row: Mapping[str, Any]) -> Fraction | None:
    """The answer that a line of a file gives, if it gives a number."""
    answer = row.get("answer")
    if isinstance(answer, bool) or not isinstance(answer, int | float):
        return None
    return Fraction(str(answer)) if math.isfinite(answer) else None
