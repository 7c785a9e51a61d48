"""Letting a model mend the grammar of pairs, with a check that the paper's step lacked."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from biaslab.cli.common import db_option, sentences
from biaslab.cli.designs import design_of
from biaslab.cli.models import allow_key, reach, server_options, speed_options
from biaslab.keeping.word_problems.correcting import (
    Correction,
    Progress,
    check_mender,
    correct,
    save_correction,
)
from biaslab.models import Access, Endpoint, identify, open_model
from biaslab.runs import default_database, open_store
from biaslab.runs.engine.sources import at_most_all, study_in
from biaslab.runs.jobs.one_off import ask_loose
from biaslab.runs.library.pair_sets import set_pairs
from biaslab.runs.store.store import Store
from biaslab.studies import Pair
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.text.figures import percent, percents

_SHOWN = 3
"""Reasons that are printed in full."""


@click.command("correct")
@click.argument("study", required=False)
@click.option(
    "--set",
    "more",
    multiple=True,
    metavar="ID|NAME=VALUE",
    help="Id of a kept set of pairs, in place of STUDY; or, with STUDY, a setting.",
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
    help="openai:NAME or local:DIRECTORY: a language model that mends sentences.",
)
@click.option("--name", required=True, help="What the new set of corrected pairs is called.")
@server_options
@speed_options
@db_option
def correct_command(
    study: str | None, more: tuple[str, ...], db: Path | None, **given: Any
) -> None:
    """Let MODEL mend the grammar of pairs; keep those that still say the same as a set.

    Prints the keep rate with its 95 % interval and why pairs were discarded; the set's id comes
    last. Status 1 if some pairs got no answer: they count nowhere.
    """
    ids = [entry for entry in more if "=" not in entry]
    settings = tuple(entry for entry in more if "=" in entry)
    if bool(study) == bool(ids) or len(ids) > 1:
        raise click.UsageError("Name either a STUDY or one kept set of pairs with --set ID.")
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
    store: Store, pairs: Sequence[Pair], given: dict[str, Any], source: str, treatment: str
) -> None:
    access = Access(
        base_urls=given["base_urls"],
        endpoint=None if given["endpoint"] is None else Endpoint(given["endpoint"]),
        key_env=given["key_env"],
        at_once=given["at_once"],
        processes=given["processes"],
        cluster=given["cluster"],
    )
    spec = given["model"]
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
            on_progress=partial(_advance, bar),
        )
    _report(correction)
    if correction.kept:
        kept = save_correction(store, given["name"], correction, spec, source)
        click.echo(
            f"Kept as “{kept.name}”. Ask them with: biaslab run imported --set set={kept.id}"
        )
        click.echo(kept.id)
    if correction.not_answered or not correction.kept:
        sys.exit(1)


@contextmanager
def _bar(total: int) -> Iterator[tqdm[Any]]:
    with tqdm(total=total, unit=" pairs", disable=None) as bar:
        yield bar


def _advance(bar: tqdm[Any], progress: Progress) -> None:
    bar.total = progress.wanted
    bar.n = progress.done
    bar.refresh()


def _report(correction: Correction) -> None:
    answered, kept = len(correction.answered), len(correction.kept)
    rate, interval = correction.keep_rate, correction.interval
    if rate is not None and interval is not None:
        click.echo(
            f"Kept {kept} of {answered} corrected pairs: {percent(rate)} "
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
