"""A study with its design, whether its pairs are drawn or lie as a set in a file of runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from biaslab.cli.common import was_given
from biaslab.runs import default_database, open_store
from biaslab.runs.engine.sources import at_most, study_from
from biaslab.studies import Design, Experiment


class Studied(NamedTuple):
    """A study that can give its pairs, and the design that says which."""

    study: Experiment
    design: Design


@contextmanager
def studied(design: Design, db: Path | None) -> Iterator[Studied]:
    """The study of a design; a file of runs is opened only for what is kept in it.

    Without ``--n`` no more pairs are meant than a kept set, or a bias, has.

    Raises:
        DesignError: there is no such study or set.
        StoreError: the file cannot be opened.
    """
    with ExitStack() as files:
        opened = cache(lambda: files.enter_context(open_store(db or default_database())))
        study = study_from(opened, design.study)
        yield Studied(study, design if was_given("n") else at_most(study, design))
