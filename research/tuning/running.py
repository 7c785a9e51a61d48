"""Fine-tunes what is missing, one after the other in this process, and keeps the table.

    python -m research.tuning

It first says what is missing. What is in the table is never done again, and nothing else is kept:
a fine-tuning takes a minute, and one that was interrupted is done anew.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from biaslab.stats.errors import BrokenAssets
from biaslab.training.cells import ALL, CheckCell
from biaslab.training.learning import WeightLearner, device, open_start, prepare, without_subnormals
from biaslab.training.plan import TrainingError
from research.experiment.table import SampleRow, read_table, write_table
from research.family import family_rows
from research.tuning.design import (
    AT_THE_END,
    BATCH,
    LESSONS,
    ON_THE_WAY,
    SCHEDULE,
    STOPS,
    TUNING,
    TUNING_FILE,
    Tuning,
    UnseenPairs,
    batches,
    tunings,
    version,
)

if TYPE_CHECKING:
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

Tell = Callable[[str], None]
Tune = Callable[[Tuning], Iterable[SampleRow]]


def tune(tuning: Tuning) -> Iterator[SampleRow]:
    """Fine-tunes a model and asks it unseen pairs at every check.

    Raises:
        TrainingError: the model is not there.
    """
    from transformers import AutoTokenizer

    prepare(tuning.seed)
    directory = STOPS[tuning.stop]
    if not directory.is_dir():
        raise TrainingError(f"There is no model in {directory}: take the project's own again.")
    # The model's own words: those of today may have other numbers.
    tokenizer = AutoTokenizer.from_pretrained(directory)
    opened = open_start(directory, tokenizer)
    learner = WeightLearner(opened.model, tokenizer, opened.shape, SCHEDULE, tuning.seed)
    if tuning.arm is None:
        yield from _asked(tuning, 0, opened.model, tokenizer)
    for step, batch in enumerate(batches(tuning, tokenizer)):
        opened.model.train()
        with without_subnormals():
            # A share of nothing done: the rate does not fall.
            learner.learn(batch, step, 0.0)
        lessons = BATCH * (step + 1)
        if lessons in tuning.checks:
            yield from _asked(tuning, lessons, opened.model, tokenizer)


def _asked(
    tuning: Tuning, lessons: int, model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast
) -> Iterator[SampleRow]:
    final = lessons == LESSONS[-1]
    model.eval()
    for asked in AT_THE_END if lessons in (0, LESSONS[-1]) else ON_THE_WAY:
        cells = _cells(asked, model, tokenizer)
        for row in family_rows(tuning.cell, tuning.seed, lessons, final, cells):
            yield SampleRow(version(), device(), row)


def _cells(
    pairs: UnseenPairs, model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast
) -> list[CheckCell]:
    from biaslab.training.measuring import measure

    found = measure(model, tokenizer, pairs.kinds, (pairs.strategy,), pairs.pairs)
    return [cell for cell in found if cell.wording == ALL]


def missing(table: Iterable[SampleRow]) -> list[Tuning]:
    """What is not in the table to its last check, in order; other versions do not count."""
    there = {
        (kept.row.mix, kept.row.seed, kept.row.examples)
        for kept in table
        if kept.version == version()
    }
    return [one for one in tunings() if (one.cell, one.seed, one.checks[-1]) not in there]


def run(table: Path = TUNING_FILE, tell: Tell = lambda _: None, how: Tune = tune) -> None:
    """Does what is missing, and writes the table after each.

    Args:
        table: the file.
        tell: gets a line for each that is done.
        how: fine-tunes one and gives its rows.

    Raises:
        BrokenAssets: the table cannot be read.
        OSError: it cannot be written.
        TrainingError: a model is not there.
    """
    for tuning in missing(read_table(table, TUNING)):
        began = time.monotonic()
        rows = list(how(tuning))
        kept = [each for each in read_table(table, TUNING) if each.version == version()]
        write_table([*kept, *rows], table)
        tell(f"{tuning.cell} {tuning.seed}: {time.monotonic() - began:.0f} seconds.")


def state(table: Iterable[SampleRow]) -> str:
    """How much is there, in a sentence."""
    left, every = missing(table), list(tunings())
    arms = ", ".join(
        f"{cell}: {sum(one.cell == cell for one in every) - sum(one.cell == cell for one in left)}"
        f" of {sum(one.cell == cell for one in every)}"
        for cell in dict.fromkeys(one.cell for one in every)
    )
    return f"{len(every) - len(left)} of {len(every)} are in the table ({arms})."


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: 0, or 1 where it was interrupted, or 2 where it could not go on."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {__package__}",
        description="Fine-tunes tiny models on a few hundred lessons, as far as it is missing.",
    )
    parser.add_argument("--table", type=Path, default=TUNING_FILE, help="gets the figures")
    parser.add_argument("--list", action="store_true", help="says what is missing, and ends")
    given = parser.parse_args(arguments)
    try:
        _say(state(read_table(given.table, TUNING)))
        if not given.list:
            run(given.table, _say)
    except (BrokenAssets, TrainingError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        _say("Ended. The same command goes on with what is missing.")
        return 1
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
