"""Writes down a run before anything is asked: its pairs, its items, its model, its design."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from uuid import uuid4

import biaslab
from biaslab.models import ModelIdentity, Sampling, read_spec
from biaslab.models.provider import AnswerSource
from biaslab.models.spec import forms
from biaslab.runs.engine.leases import check_own
from biaslab.runs.engine.sources import Sources, installed
from biaslab.runs.errors import RunError, UnfitModel, UnknownStrategy
from biaslab.runs.fitting import (
    check_fit,
    check_shown,
    check_until_number,
    why_no_system,
    why_not_so,
)
from biaslab.runs.hosting import check_batch, check_listed, check_size, within_limits
from biaslab.runs.library.connections import length_for
from biaslab.runs.store.connection import check_space
from biaslab.runs.store.encoding import (
    ITEM_AGAIN,
    PAIR_AGAIN,
    item_row,
    pair_row,
    write_design,
    write_sampling,
)
from biaslab.runs.store.liveness import UTC
from biaslab.runs.store.options import RunOptions, write_options
from biaslab.runs.store.store import Store
from biaslab.studies.strategies import Length
from biaslab.studies.study import Design, Experiment, Pair, Strategy
from biaslab.system.roles import May, require

_BATCH = 500
"""Pairs in one transaction: other writers wait for one batch, never for a whole design."""

_ITEMS = f"""
INSERT INTO items (id, study, text, answer, facts, options) VALUES (?, ?, ?, ?, ?, ?) {ITEM_AGAIN}
"""

_PAIRS = f"""
INSERT INTO pairs (id, study, x, x_prime, cluster, strata) VALUES (?, ?, ?, ?, ?, ?) {PAIR_AGAIN}
"""

_RUN = f"""
INSERT INTO runs (id, study, design, model, strategy, strategy_version, sampling,
                  library_version, status, pairs_total, items_total, samples, options, reader,
                  created)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'ready', ?, ?, ?, ?, ?, {UTC})
"""


def prepare(
    store: Store,
    design: Design,
    model_spec: str,
    strategy: str,
    sampling: Sampling | None = None,
    on_progress: Callable[[int], None] | None = None,
    *,
    options: RunOptions | None = None,
    reader: str | None = None,
    sources: Sources | None = None,
) -> str:
    """Writes a run down so that any process can do it. Nothing is asked yet.

    Args:
        store: where to.
        design: which pairs.
        model_spec: whom to ask.
        strategy: name of the prompt strategy, one of the study's.
        sampling: temperature and seed of every request, the most tokens that any may take, texts
            at which writing ends besides the strategy's own, and how much the model may think;
            None: as the strategy says.
        on_progress: called with the number of pairs written so far.
        options: samples, how the model is reached, budget, rule for stopping early.
        reader: by which of the study's readers answers are read; None: its own.
        sources: where studies and models come from, if not those installed.

    Returns:
        the run's id.

    Raises:
        NotAllowed: whoever acts may not do this, or not of this model.
        TooMuch: they may not ask so many pairs, or not as a batch.
        StoreFull: the disk is nearly full.
        DesignError: such pairs do not exist, or no such reader.
        ModelError: no such model.
        UnknownStrategy: the study does not ask in this way.
        UnfitModel: the model cannot do what the study asks, or not in this way.
        RunError: the study gave no pairs, or the same pair twice; or samples that would all
            be the same.
        StoreError: the file cannot be written. What was written by then does no harm.
    """
    require(May.RUN)
    check_space(store.path)
    sources = sources or installed(store)
    options = within_limits(options or RunOptions())
    check_listed(model_spec, options.access)
    check_batch(options)
    check_size(design.n)
    experiment = sources.experiment(design.study).reading_by(reader)
    chosen = find_strategy(experiment, strategy)
    access = sources.settle(model_spec, options.access)
    options = replace(options, access=access)
    model = sources.identify(model_spec, access)
    check_fit(experiment, model)
    thinking = None if sampling is None else sampling.thinking
    if reason := why_not_so(chosen, model, options.access, thinking) or why_no_system(
        model, options.system
    ):
        raise UnfitModel(reason)
    if sampling is not None and sampling.until_number:
        check_until_number(experiment, model)
    _check_samples(model, sampling, options.samples)
    _check_place(model, options)
    length = length_for(store, model_spec, options.access, options.length, sampling)
    options = replace(options, length=length)
    pair_ids: dict[str, None] = {}
    item_ids: set[str] = set()
    for batch in _batches(experiment.pairs(design)):
        check_shown(model, batch)
        _write_pairs(store, design.study, batch)
        for pair in batch:
            if pair.id in pair_ids:
                raise RunError(
                    f"The study {design.study} gave the same pair twice (pair {len(pair_ids) + 1} "
                    "of this design), which would count it double. Try another seed."
                )
            pair_ids[pair.id] = None
            item_ids |= {pair.x.id, pair.x_prime.id}
        if on_progress is not None:
            on_progress(len(pair_ids))
    if not pair_ids:
        raise RunError(f"The design for {design.study} has no pairs. Ask for at least one.")
    _check_looks(options, len(pair_ids))
    run_id = uuid4().hex[:12]
    values = (
        run_id, design.study, write_design(design), model.id, strategy, chosen.version,
        write_sampling(sampling), library_version(), len(pair_ids), len(item_ids),
        options.samples, write_options(options), experiment.reader,
    )  # fmt: skip
    with store.writing() as connection:
        _write_model(connection, model)
        connection.execute(_RUN, values)
        connection.executemany(
            "INSERT INTO run_pairs (run, position, pair) VALUES (?, ?, ?)",
            ((run_id, position, pair) for position, pair in enumerate(pair_ids)),
        )
    return run_id


def change_options(store: Store, run_id: str, options: RunOptions) -> None:
    """Changes what may differ from one start of a run to the next: speed, budget, price, length.

    Raises:
        NotAllowed: whoever acts may not do this.
        UnknownRun: no such run.
        RecordedRun: it was opened from a bundle.
        RunError: the model would not be the same, samples or rule would differ, or the model
            might write less than before.
    """
    require(May.RUN)
    record = store.run(run_id)
    check_listed(record.model_spec, options.access)
    before, after = record.options, within_limits(options)
    same_server = before.access.base_urls[:1] == after.access.base_urls[:1]
    if before.access.dtype != after.access.dtype:
        raise RunError(
            f"Run {run_id} asks its model in {before.access.dtype}, and the number format belongs "
            "to a model's identity. Prepare a new run for another."
        )
    if not same_server or before.access.endpoint != after.access.endpoint:
        raise RunError(
            f"Run {run_id} asks the model at {', '.join(before.access.base_urls[:1])}, and the "
            "first address belongs to a model's identity. Further addresses may follow it; for "
            "another server, prepare a new run."
        )
    if (before.samples, before.stopping, before.batch_api, before.system) != (
        after.samples, after.stopping, after.batch_api, after.system,
    ):  # fmt: skip
        raise RunError(
            "The number of samples, the rule for stopping early, the use of batches and the system "
            "prompt belong to a run. Prepare a new run: what was answered already is taken over."
        )
    _check_no_shorter(before.length, after.length)
    with store.writing() as connection:
        check_own(connection, run_id)
        connection.execute(
            "UPDATE runs SET options = ? WHERE id = ?", (write_options(after), run_id)
        )


def _check_no_shorter(before: Length, after: Length) -> None:
    """Refuses a limit below which answers of the run may have ended: they would be cut off now."""
    if before.tokens is not None and (after.tokens or 0) < before.tokens:
        raise RunError(
            f"In this run a response may have {before.tokens:,} tokens. That can be raised while "
            "it goes on, and not lowered. Prepare a new run for shorter ones."
        )
    if after.go_on < before.go_on:
        raise RunError(
            f"In this run a response that is cut off is asked to go on {before.go_on} times. That "
            "can be raised while it goes on, and not lowered. Prepare a new run."
        )


def _check_samples(model: ModelIdentity, sampling: Sampling | None, samples: int) -> None:
    """Refuses samples that cannot differ.

    A server may give different answers even at temperature 0, which is worth knowing; a
    simulated learner has luck of its own for every seed.
    """
    warm = sampling is not None and sampling.temperature > 0
    if samples > 1 and read_spec(model.spec).has_weights and not warm:
        raise RunError(
            f"At temperature 0 the model {model.spec} gives the same answer every time, so "
            f"{samples} samples of each item add nothing to one. Choose a temperature "
            "above 0, or one sample."
        )


def _check_place(model: ModelIdentity, options: RunOptions) -> None:
    """Refuses what would be silently ignored: batches without a server, a cluster with one."""
    spec = read_spec(model.spec)
    if options.batch_api and not spec.served:
        raise RunError(
            f"Batches are for models on servers, and {model.spec} is answered here. Leave the "
            f"batch out, or choose a model {forms(AnswerSource.SERVER)}."
        )
    if options.access.cluster and not spec.has_weights:
        raise RunError(
            f"A cluster is for models that are opened from files, and {model.spec} is not. Leave "
            f"the cluster out, or choose {forms(AnswerSource.WEIGHTS)}."
        )


def _check_looks(options: RunOptions, pairs: int) -> None:
    if options.stopping is not None and options.stopping.looks_at()[-1] != pairs:
        raise RunError(
            f"The rule for stopping early is made for {options.stopping.looks_at()[-1]} pairs at "
            f"most, and the design has {pairs}. Give both the same number."
        )


def find_strategy(experiment: Experiment, name: str) -> Strategy:
    """The study's prompt strategy that has this name.

    Raises:
        UnknownStrategy: there is none; the error names those there are.
    """
    for strategy in experiment.strategies:
        if strategy.name == name:
            return strategy
    known = ", ".join(strategy.name for strategy in experiment.strategies)
    raise UnknownStrategy(
        f"The study {experiment.name} has no prompt strategy “{name}”. Choose one of: {known}."
    )


def library_version() -> str:
    """Version of BiasLab, also when it runs from a folder without being installed."""
    try:
        return version("biaslab")
    except PackageNotFoundError:
        return str(getattr(biaslab, "__version__", "not installed"))


def _batches(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    iterator = iter(pairs)
    while batch := list(islice(iterator, _BATCH)):
        yield batch


def _write_pairs(store: Store, study: str, pairs: Sequence[Pair]) -> None:
    items = [item for pair in pairs for item in (pair.x, pair.x_prime)]
    with store.writing() as connection:
        connection.executemany(_ITEMS, [item_row(study, item) for item in items])
        connection.executemany(_PAIRS, [pair_row(study, pair) for pair in pairs])


def _write_model(connection: sqlite3.Connection, model: ModelIdentity) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO models (id, spec, kind, revision, form, details)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (model.id, model.spec, str(model.kind), model.revision, str(model.form),
         json.dumps(dict(model.details), ensure_ascii=False, default=str)),
    )  # fmt: skip
