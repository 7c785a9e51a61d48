"""Decision biases: those there are, those that people keep, and checking a file."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from biaslab.cli.conventions import db_option, sentences, tell_first, write_whole
from biaslab.cli.models import access_of, allow_key, reach, server_options, speed_options
from biaslab.runs import custom_texts, default_database, delete_text, keep_text, open_store
from biaslab.studies.decisions.biases import (
    Bias,
    BiasError,
    CheckFinding,
    LocatedFinding,
    biases,
    check_bias,
    check_text,
    fill,
    scales,
    value_combinations,
    word_differences,
)
from biaslab.studies.decisions.biases.catalogue import custom_bias, find_bias
from biaslab.studies.decisions.biases.document import MOST_BYTES
from biaslab.studies.decisions.biases.scenarios import (
    TESTS_A_SCENARIO,
    read_scenarios,
    scenarios,
    scenarios_csv,
    write_scenarios,
)
from biaslab.studies.decisions.biases.written_scenes import (
    MOST_SCENES,
    WrittenScenes,
    check_writer,
    diversity,
    write_scenes,
)
from schoolmath.text.figures import percent, percents
from schoolmath.text.given_files import read_beginning, read_given, read_given_text

if TYPE_CHECKING:
    from biaslab.models import Model
    from biaslab.studies.decisions.biases.scenarios import Scenario
    from biaslab.studies.decisions.cases import BiasShare

_HEADER = 64 * 1024


def is_decision_file(file: Path) -> bool:
    """Whether the header of FILE is that of published decisions."""
    header = _header_of(file)
    return all(name in header for name in ("control_decision", "treatment_decision", "bias"))


def is_case_file(file: Path) -> bool:
    """Whether the header of FILE is that of cases that can be asked."""
    header = _header_of(file)
    return all(name in header for name in ("bias", "control", "treatment", "metric_params")) and (
        "control_decision" not in header
    )


def _header_of(file: Path) -> str:
    with sentences():
        return read_beginning(file, _HEADER).split(b"\n", 1)[0].decode("utf-8", "replace")


def import_case_file(
    file: Path, report_file: Path | None, db: Path | None, name: str | None
) -> None:
    """Checks every case, says what there is of each bias, and keeps them as a set.

    Raises:
        click.ClickException: no row can be asked; the report is written all the same.
    """
    from biaslab.files import InterchangeError
    from biaslab.runs import LONGEST_NAME, save_cases
    from biaslab.studies.decisions.cases import import_cases

    with sentences(InterchangeError):
        found = import_cases(read_given(file), file.name)
    tell_first("Refused", [str(each) for each in found.refused])
    click.echo("bias  cases  scenarios  refused  words in common")
    shares = found.shares()
    for each in shares:
        overlap = None if each.diversity is None else each.diversity.overlap
        click.echo(
            f"{each.bias}  {each.cases}  {each.scenarios}  {each.refused}  "
            f"{'-' if overlap is None else percent(overlap)}"
        )
    click.echo(found.summary())
    report = [{"row": row.row, "bias": row.name, "reason": row.reason} for row in found.refused]
    if report_file is not None:
        whole = {"summary": found.summary(), "refused": report, "biases": _as_rows(shares)}
        write_whole(report_file, json.dumps(whole, ensure_ascii=False, indent=1).encode())
    if not found.pairs:
        raise click.ClickException(f"{file}: no row can be asked, so nothing was saved.")
    if db is None and name is None:
        click.echo("Nothing was saved. Give the set a name with --as to keep the cases.")
        return
    called = file.stem[:LONGEST_NAME] if name is None else name
    with sentences(), open_store(db or default_database()) as store:
        kept = save_cases(store, called, found.pairs, file.name, report)
    where = "" if db is None else f" --db {db}"
    click.echo(
        f"{kept.pairs:,} cases are saved as “{kept.name}”. Ask a model: biaslab run decision --set "
        f"{shlex.quote(f'cases={kept.name}')} --model MODEL{where}"
    )


def _as_rows(shares: Sequence[BiasShare]) -> list[dict[str, Any]]:
    return [
        {
            "bias": each.bias,
            "cases": each.cases,
            "scenarios": each.scenarios,
            "refused": each.refused,
            "diversity": None if each.diversity is None else asdict(each.diversity),
        }
        for each in shares
    ]


def import_decision_file(file: Path, cases: Path | None, report_file: Path | None) -> None:
    """Prints what became of the rows and the figures by bias; writes the report.

    Raises:
        click.ClickException: the file is no table of decisions.
    """
    from biaslab.files import InterchangeError
    from biaslab.studies.decisions.importing import import_decisions
    from biaslab.studies.decisions.results import bias_profile

    with sentences(InterchangeError):
        beside = None if cases is None else read_given(cases)
        found = import_decisions(read_given(file), file.name, beside)
    different = [
        f"row {each.row} ({each.bias}): printed {each.printed:+.4f}, worked out {each.score:+.4f}"
        for each in found.differences
    ]
    tell_first("Another score than printed", different)
    tell_first("Refused", [str(each) for each in found.refused])
    items = found.items()
    scores = [] if items.empty else bias_profile(items)
    click.echo("model  bias  n  score  movement  unchanged")
    for score in scores:
        if score.metric is not None and score.movement is not None and score.unchanged is not None:
            click.echo(
                f"{score.model}  {score.bias}  {score.n}  {score.metric:+.3f}  "
                f"{score.movement:+.3f}  {score.unchanged:.3f}"
            )
    if found.unscored:
        named = ", ".join(sorted({each.bias for each in found.unscored}))
        click.echo(
            f"Without a score, as their parameters differ from case to case: {named}. Give the "
            "file that has them with --cases."
        )
    click.echo(found.summary())
    if report_file is not None:
        report = {
            "summary": found.summary(),
            "differences": different,
            "refused": [str(each) for each in found.refused],
            "unscored": [each.row for each in found.unscored],
        }
        write_whole(report_file, json.dumps(report, ensure_ascii=False, indent=1).encode())


@click.command("decisions")
@click.argument("run")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="File for the results (CSV): a row per pair.")  # fmt: skip
@click.option("--cases", type=click.Path(dir_okay=False, path_type=Path), default=None,
              help="File for what was asked (CSV), in the same order of rows.")  # fmt: skip
@db_option
def decisions_command(run: str, out: Path, cases: Path | None, db: Path | None) -> None:
    """Write the decisions of a RUN in the columns of the published data."""
    from biaslab.publishing.decision_tables import case_rows, result_rows
    from biaslab.studies.decisions.importing import cases_csv, results_csv

    with sentences(), open_store(db or default_database()) as store:
        rows = list(result_rows(store, run))
        write_whole(out, results_csv(rows))
        if cases is not None:
            write_whole(cases, cases_csv(case_rows(store, run)))
    click.echo(f"{len(rows)} decisions in {out}")


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("biases")
@click.option("--keep", type=_FILE, default=None,
              help="Keep the bias in this file, so that --bias can name it.")  # fmt: skip
@click.option("--forget", metavar="ID", default=None, help="Delete a bias of your own.")
@db_option
def biases_command(keep: Path | None, forget: str | None, db: Path | None) -> None:
    """List the decision biases: id, class, name, vignettes, fields of work, fidelity, checks.

    Class A is filled from short slots, B from authored sentences, C from linked texts.
    """
    path = db or default_database()
    with sentences():
        if keep is not None or forget is not None:
            with open_store(path) as store:
                if keep is not None:
                    text = _text(keep)
                    made = custom_bias(text)
                    keep_text(store, made.id, made.name, text)
                    click.echo(f"Saved {made.id} in {path}", err=True)
                if forget is not None:
                    delete_text(store, forget)
                    click.echo(f"Deleted {forget} from {path}", err=True)
        # With the scenes that a file beside it or its original adds: what a study deals.
        lines = {name: _message(each, check_bias(each)) for name, each in biases().items()}
        if path.exists():
            with open_store(path) as store:
                for each in custom_texts(store):
                    checked = check_text(each.text, scales())
                    message = _message(checked.bias, checked.findings)
                    lines[each.id] = f"{message}  (your own)"
        width = max(map(len, lines))
        for name, line in lines.items():
            click.echo(f"{name:<{width}}  {line}")


@click.command("check-bias")
@click.argument("file", type=_FILE)
def check_bias_command(file: Path) -> None:
    """Check the bias in FILE (YAML): print every finding with its line, and an example.

    The exit status is 1 where the bias has faults.
    """
    with sentences():
        checked = check_text(_text(file), scales())
    for finding in checked.findings:
        click.echo(f"{'FAULT' if finding.fault else 'remark'}  {finding}")
    if checked.bias is not None:
        _show_example(checked.bias)
    click.echo(_message(checked.bias, checked.findings))
    if checked.faults:
        sys.exit(1)


@click.command("write-scenes")
@click.argument("bias_id", metavar="BIAS")
@click.option(
    "--model",
    required=True,
    help="openai:NAME or local:DIRECTORY: a language model that fills the gaps.",
)
@click.option(
    "--n",
    "number",
    type=click.IntRange(1, MOST_SCENES),
    default=None,
    help="Scenes that are asked for.  [default: 20; with --scenarios, 5 for each]",
)
@click.option(
    "--scenarios",
    "source",
    metavar="ours|write|FILE",
    default="",
    help="Who decides what: our 200, others that the model writes first, or those of FILE (CSV: "
    "field, position, decision). Without it a scene has a field of work alone.",
)
@click.option(
    "--scenarios-out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="File for the scenarios that were used (CSV).",
)
@click.option(
    "--attempts",
    type=click.IntRange(1, 10),
    default=1,
    show_default=True,
    help="How often a scene is asked for until it passes.",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Of the first request; each has one of its own.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File for the bias with the scenes that passed (YAML), under an id of its own.",
)
@click.option("--beside", is_flag=True, help="Keep the scenes that the bias has in front of them.")
@click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="File for every scene with what speaks against it (JSON).",
)
@server_options
@speed_options
@db_option
def write_scenes_command(
    bias_id: str,
    number: int | None,
    source: str,
    scenarios_out: Path | None,
    attempts: int,
    seed: int,
    out: Path,
    beside: bool,
    report_file: Path | None,
    db: Path | None,
    **given: Any,
) -> None:
    """Let MODEL fill the gaps of BIAS: scenes that pass every check become a bias file.

    Each answer is checked as your own file is, and refused if it says nearly the same as
    a scene before it. As published: --scenarios ours, and so 1,000 scenes. Prints the share that
    passed with its 95 % interval and why others did not. Nobody has read what passed: look at it
    (biaslab check-bias, or the page Decision biases) before you keep it (biaslab biases --keep).
    Status 1 if nothing passed.
    """
    from biaslab.models import identify, open_model
    from biaslab.runs.jobs.one_off import ask_loose

    with sentences(), open_store(db or default_database()) as store:
        found = find_bias(bias_id, {each.id: each.text for each in custom_texts(store)})
        access = access_of(given)
        check_writer(identify(given["model"], access=access))
        allow_key(access.key_env, access.base_urls)
        access = reach(store, given["model"], access)
        model = open_model(given["model"], access=access)
        chosen = _scenarios(source, model, seed)
        if scenarios_out is not None:
            write_whole(scenarios_out, scenarios_csv(chosen))
        if number is None:
            number = min(MOST_SCENES, TESTS_A_SCENARIO * len(chosen)) or _SCENES
        with tqdm(total=number, unit=" scenes", disable=None) as bar:
            written = write_scenes(
                found.bias,
                partial(ask_loose, model),
                model.identity.form,
                number,
                seed,
                lambda scene: bar.update(scene.sound is not None),
                chosen,
                attempts,
            )
    _report_scenes(written)
    if report_file is not None:
        report = [
            {
                "number": each.number,
                "field": each.field,
                "passed": each.sound is not None,
                "reasons": list(each.filled.faults),
                "answer": each.answer,
            }
            for each in written.scenes
        ]
        write_whole(report_file, json.dumps(report, ensure_ascii=False, indent=1).encode())
    if not written.sound:
        sys.exit(1)
    write_whole(out, written.file(found.text, given["model"], beside=beside).encode())
    click.echo(f"{out}: look at its scenes before you keep it.")


_SCENES = 20
"""Scenes that are asked for where nobody says how many."""


def _scenarios(source: str, model: Model, seed: int) -> tuple[Scenario, ...]:
    """The scenarios that `--scenarios` names; those that MODEL writes are told of."""
    from biaslab.files import InterchangeError
    from biaslab.runs.jobs.one_off import ask_loose

    if not source:
        return ()
    if source == "ours":
        return scenarios()
    if source != "write":
        with sentences(InterchangeError):
            path = Path(source)
            return read_scenarios(read_given(path), path.name)
    of_fields = tuple(dict.fromkeys(each.field for each in scenarios()))
    found = write_scenarios(partial(ask_loose, model), model.identity.form, of_fields, seed)
    tell_first("Scenarios refused", found.refused)
    click.echo(
        f"{len(found.scenarios)} scenarios of {len(of_fields)} fields of work; nobody has read "
        "them."
    )
    if not found.scenarios:
        raise click.ClickException("The model wrote no scenario that can be used.")
    return found.scenarios


def _report_scenes(scenes: WrittenScenes) -> None:
    rate, interval = scenes.keep_rate, scenes.interval
    if rate is None or interval is None:
        click.echo("No scene was answered.")
    else:
        click.echo(
            f"{len(scenes.sound)} of {scenes.answered} scenes passed: {percent(rate)} "
            f"(95 % interval {percents(interval.low, interval.high)})"
        )
    for reason, many in scenes.reasons():
        click.echo(f"  {many} ×: {reason}")
    if scenes.sound:
        found = diversity(scenes.sound)
        most = "" if found.closest is None else f", {percent(found.closest_overlap)} at most"
        click.echo(f"Two scenes share {percent(found.overlap)} of their words on average{most}.")


def _text(file: Path) -> str:
    return read_given_text(file, MOST_BYTES)


def _message(bias: Bias | None, findings: Sequence[CheckFinding | LocatedFinding]) -> str:
    faults = sum(each.fault for each in findings)
    remarks = len(findings) - faults
    parts = ["ok"] if not faults else [f"{faults} fault{'s' if faults > 1 else ''}"]
    if remarks:
        parts.append(f"{remarks} remark{'s' if remarks > 1 else ''}")
    if bias is None:
        return f"-  {', '.join(parts)}"
    does = "repairs" if bias.repairs else "as published in place of"
    variant = f", {does} {bias.variant_of}" if bias.variant_of else ""
    stands = f"; {bias.fidelity.verdict}" if bias.fidelity is not None else ""
    return (
        f"{bias.kind}  {bias.name}{variant}: {len(bias.vignettes)} vignettes in "
        f"{len(bias.fields)} fields{stands}; {', '.join(parts)}"
    )


def _show_example(bias: Bias) -> None:
    """The first case, with what differs between the arms, and the extremes."""
    try:
        case = fill(bias, bias.vignettes[0], next(value_combinations(bias)))
    except (BiasError, IndexError):
        return
    click.echo("\nExample; {-control-} and {+treatment+} mark what differs:\n")
    marked = " ".join(
        part.control if part.same else _marked("-", part.control) + _marked("+", part.treatment)
        for part in word_differences(case)
    )
    for line in marked.split("\n"):
        click.echo(f"    {line.strip()}".rstrip())
    metric = case.metric
    click.echo(
        f"\nMetric: kappa {metric.kappa}, gamma1 {metric.gamma1}, gamma2 {metric.gamma2}, with "
        f"{', '.join(f'{name} = {value}' for name, value in case.values.items()) or 'no values'}"
    )
    for name, answers in (("classic", case.classic), ("opposite", case.opposite)):
        options = (case.control.options, case.treatment.options)
        if all(0 <= answer < bias.options for answer in answers):
            said = " -> ".join(options[arm][answers[arm]] for arm in (0, 1))
            click.echo(f"{name}: {said} gives {float(metric.of(*answers)):+.2f}")
    click.echo("")


def _marked(sign: str, words: str) -> str:
    """Words of one arm between marks; a line that ends in them still ends."""
    said = words.strip()
    if not said:
        return words
    before, after = words.split(said, 1)
    return f"{before}{{{sign}{said}{sign}}}{after}"
