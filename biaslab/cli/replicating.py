"""Commands about what is published: the prompts that would be sent, and a replication."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from biaslab.cli.conventions import db_option, sentences
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
    from biaslab.publishing.replication import PaperSystem, ReplicationRow

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
            _tell(paper, [] if held is None else paper.rows(held, runs))
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
        _tell(paper, paper.rows(store, runs))


def _tell(paper: PaperSystem, rows: Sequence[ReplicationRow]) -> None:
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
