"""The scores of a log, of any task: sample by sample, whichever tool wrote it.

Known are logs of Inspect AI (``.eval``, JSON), samples of lm-evaluation-harness, results of
promptfoo, per-sample records of Every Eval Ever, and tables (CSV, TSV, JSON, JSON lines) with an
id and a score. What cannot be used is counted by its reason; nothing is guessed.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from biaslab.files.errors import InterchangeError

MOST_BYTES = 512 * 1024 * 1024
"""Of a log, and of what an ``.eval`` unpacks to."""

MOST_SAMPLES = 1_000_000

IDS = ("id", "sample_id", "doc_id", "item_id", "question_id", "task_id", "example_id", "idx",
       "index")  # fmt: skip
SCORES = ("score", "correct", "is_correct", "exact_match", "acc", "accuracy", "value", "passed",
          "pass", "success", "reward")  # fmt: skip
EPOCHS = ("epoch", "repeat", "trial")
"""Names of columns that are known, the first that a table has; upper and lower case are one."""

_WORDS = {
    "c": 1.0, "p": 0.5, "i": 0.0, "n": 0.0,  # as Inspect writes them
    "true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0, "pass": 1.0, "fail": 0.0,
    "passed": 1.0, "failed": 0.0, "correct": 1.0, "incorrect": 0.0, "right": 1.0, "wrong": 0.0,
}  # fmt: skip

_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}

NO_ID = "no id"
NO_SCORE = "no score that is a number"
DOUBLE = "an id that comes again with another score"
SAME_AGAIN = "an id that comes again with the same score"


class SampleKey(NamedTuple):
    """A sample: its id, and which of several times it was asked, from 1.

    Tools count from 0 or from 1, or not at all: times are numbered anew, in their order.
    """

    id: str
    epoch: int = 1


@dataclass(frozen=True, slots=True)
class ScoredLog:
    """The scores of one log.

    Attributes:
        name: of the file, and of its part where it holds several; kind: whose log it is, in words.
        scores: by sample; clusters: what a sample shares with others, where a column says it.
        left_out: samples that cannot be used, by the reason.
    """

    name: str
    kind: str
    scores: Mapping[SampleKey, float]
    clusters: Mapping[SampleKey, str]
    left_out: Mapping[str, int]


class Columns(NamedTuple):
    """Columns that a person named; "" for those that are found by their names."""

    id: str = ""
    score: str = ""
    cluster: str = ""


ANY_COLUMNS = Columns()


class _Sample(NamedTuple):
    id: Any
    epoch: Any
    score: Any
    cluster: Any = None


class _ScoreLog(NamedTuple):
    kind: str
    samples: Iterable[_Sample]
    part: str = ""


def read_logs(file: Path, columns: Columns = ANY_COLUMNS) -> tuple[ScoredLog, ...]:
    """Reads the scores of a file: one log, or of promptfoo one for each provider and prompt.

    Args:
        file: the log.
        columns: what a person named; of logs of tools only ``score`` (the scorer or metric) and
            ``cluster`` (a field of a sample's metadata or doc) mean something.

    Raises:
        InterchangeError: the file is too large, or none that is known, or has no such column.
    """
    try:
        size = file.stat().st_size
        if size > MOST_BYTES:
            raise InterchangeError(f"{file.name} has more than {MOST_BYTES // 2**20} MiB.")
        logs = tuple(_collect(file.name, each) for each in _samples(file, columns))
    except (AttributeError, LookupError, TypeError) as error:
        raise InterchangeError(
            f"{file.name} is damaged, or of a kind that is not known: a field is missing or is "
            "something else than its tool writes. Write the log anew."
        ) from error
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InterchangeError(f"{file.name} cannot be read: {error}.") from error
    if not logs:
        raise InterchangeError(f"{file.name} holds no results.")
    return logs


def read_scores(file: Path, columns: Columns = ANY_COLUMNS) -> ScoredLog:
    """Reads the scores of a file that holds one log; takes and raises what `read_logs` does."""
    logs = read_logs(file, columns)
    if len(logs) != 1:
        raise InterchangeError(f"{file.name} holds {len(logs)} logs, and one was wanted.")
    return logs[0]


def _samples(file: Path, columns: Columns) -> list[_ScoreLog]:
    if zipfile.is_zipfile(file):
        return [_ScoreLog("Inspect AI", _inspect(_unpacked(file), columns))]
    text = file.read_text(encoding="utf-8-sig")
    start = text.lstrip()[:1]
    if start == "{" and (whole := _json(text)) is not None:
        return _of_object(file.name, whole, columns)
    if start == "[" and isinstance(whole := _json(text), list):
        rows = [each for each in whole if isinstance(each, dict)]
        return [_of_rows(file.name, rows, columns)]
    if start in {"{", "["}:
        return [_of_rows(file.name, _lines(file.name, text), columns)]
    first = text.partition("\n")[0]
    table = csv.DictReader(io.StringIO(text), delimiter="\t" if "\t" in first else ",")
    return [_ScoreLog("table", _table(file.name, table.fieldnames or (), table, columns))]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _lines(name: str, text: str) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        row = _json(line)
        if not isinstance(row, dict):
            raise InterchangeError(f"{name}: line {number} is no JSON object.")
        rows.append(row)
    return rows


def _of_object(name: str, whole: Any, columns: Columns) -> list[_ScoreLog]:
    """A JSON object: a log of Inspect, results of promptfoo, or a single row."""
    if isinstance(whole, dict):
        if isinstance(whole.get("samples"), list) and "eval" in whole:
            return [_ScoreLog("Inspect AI", _inspect(whole["samples"], columns))]
        results = whole.get("results")
        if isinstance(results, dict) and isinstance(results.get("results"), list):
            return list(_promptfoo(results["results"]))
        rows = whole["samples"] if isinstance(whole.get("samples"), list) else [whole]
        return [_of_rows(name, [each for each in rows if isinstance(each, dict)], columns)]
    raise InterchangeError(f"{name} is JSON, and no log or table that is known.")


def _of_rows(name: str, rows: Sequence[dict[str, Any]], columns: Columns) -> _ScoreLog:
    """JSON rows: of lm-evaluation-harness, Every Eval Ever, or a table."""
    first = rows[0] if rows else {}
    if "doc_id" in first and "doc" in first:
        return _ScoreLog("lm-evaluation-harness", _lm_eval(name, rows, columns))
    if "sample_id" in first and isinstance(first.get("evaluation"), dict):
        return _ScoreLog("Every Eval Ever", _every_eval(rows))
    fields = dict.fromkeys(field for row in rows[:100] for field in row)
    return _ScoreLog("table", _table(name, tuple(fields), rows, columns))


def _unpacked(file: Path) -> Iterator[dict[str, Any]]:
    """The samples of an ``.eval``, which is a zip; newer ones are packed by Zstandard."""
    with zipfile.ZipFile(file) as archive:
        parts = [each for each in archive.infolist() if each.filename.startswith("samples/")]
        if not parts:
            raise InterchangeError(f"{file.name} is a zip without samples: no log of Inspect AI.")
        if sum(each.file_size for each in parts) > MOST_BYTES:
            raise InterchangeError(f"{file.name} unpacks to more than {MOST_BYTES // 2**20} MiB.")
        if any(each.compress_type not in _PACKED for each in parts):
            yield from _by_inspect(file)
            return
        for part in parts:
            sample = _json(archive.read(part).decode())
            if isinstance(sample, dict):
                yield sample


def _by_inspect(file: Path) -> Iterator[dict[str, Any]]:
    """The samples as Inspect AI itself reads them."""
    try:
        from inspect_ai.log import read_eval_log_samples
    except ImportError as error:
        raise InterchangeError(
            f"{file.name} is packed in a way that only Inspect AI reads here. Install it, or write "
            "the log as JSON: inspect log convert FILE --to json --output-dir FOLDER."
        ) from error
    for sample in read_eval_log_samples(str(file), all_samples_required=False):
        scores = {name: {"value": each.value} for name, each in (sample.scores or {}).items()}
        yield {
            "id": sample.id, "epoch": sample.epoch, "scores": scores, "metadata": sample.metadata,
        }  # fmt: skip


def _inspect(samples: Iterable[Any], columns: Columns) -> Iterator[_Sample]:
    for sample in samples:
        scores = sample.get("scores") or {}
        name = columns.score or next(iter(scores), "")
        score = scores.get(name) or {}
        cluster = (sample.get("metadata") or {}).get(columns.cluster) if columns.cluster else None
        yield _Sample(sample.get("id"), sample.get("epoch", 1), score.get("value"), cluster)


def _lm_eval(name: str, rows: Sequence[dict[str, Any]], columns: Columns) -> Iterator[_Sample]:
    first = rows[0]
    metrics = [*(first.get("metrics") or ()), *SCORES]
    metric = columns.score or next((each for each in metrics if each in first), "")
    if metric not in first:
        raise InterchangeError(f"{name} has no metric {metric!r}: name one of its fields.")
    # Several filters of one answer are several rows: the first filter counts.
    wanted = first.get("filter")
    for row in rows:
        if row.get("filter") == wanted:
            cluster = (row.get("doc") or {}).get(columns.cluster) if columns.cluster else None
            yield _Sample(row.get("doc_id"), "", row.get(metric), cluster)


def _promptfoo(results: Sequence[Any]) -> Iterator[_ScoreLog]:
    """Each provider with each prompt, a column of promptfoo's table.

    A test is known by its variables: the order of tests is another in other files, and where tests
    are repeated each time has a number of its own. What a provider failed to answer has no score,
    though promptfoo writes 0.
    """
    columns: dict[int, list[_Sample]] = {}
    names: dict[int, tuple[str, str]] = {}
    times: Counter[tuple[int, str]] = Counter()
    for row in sorted(results, key=lambda row: (row.get("promptIdx", 0), row.get("testIdx", 0))):
        column, test = row.get("promptIdx", 0), _test_of(row)
        provider, prompt = row.get("provider") or {}, row.get("prompt") or {}
        if isinstance(provider, dict):
            provider = provider.get("label") or provider.get("id") or ""
        names.setdefault(column, (str(provider), str(prompt.get("label") or "")))
        score = row.get("success") if row.get("score") is None else row["score"]
        if row.get("failureReason") == _NOT_ANSWERED:
            score = None
        times[column, test] += 1
        columns.setdefault(column, []).append(_Sample(test, times[column, test], score))
    one_prompt = len({prompt for _, prompt in names.values()}) == 1
    for column, samples in columns.items():
        provider, prompt = names[column]
        part = provider if one_prompt else f"{provider}, {_short(prompt)}"
        yield _ScoreLog("promptfoo", samples, part if len(columns) > 1 else "")


_NOT_ANSWERED = 2
"""promptfoo's reason of a failure that is an error, and not an assertion."""

_LONGEST = 60


def _test_of(row: Mapping[str, Any]) -> str:
    known = row.get("vars") or {}
    if not known:
        return str(row.get("testIdx"))
    return _short(", ".join(f"{name}={known[name]}" for name in sorted(known)))


def _short(text: str) -> str:
    """A text that tells it from others, in at most sixty signs."""
    text = " ".join(text.split())
    if len(text) <= _LONGEST:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"{text[: _LONGEST - 10]}… {digest}"


def _every_eval(rows: Iterable[dict[str, Any]]) -> Iterator[_Sample]:
    for row in rows:
        said = row["evaluation"]
        score = said.get("score")
        yield _Sample(row["sample_id"], "", said.get("is_correct") if score is None else score)


def _table(
    name: str, fields: Sequence[str], rows: Iterable[Mapping[str, Any]], columns: Columns
) -> Iterator[_Sample]:
    known = {field.strip().casefold(): field for field in fields if field}

    def column(own: str, names: Sequence[str], what: str) -> str:
        if own:
            found = known.get(own.strip().casefold())
        else:
            found = next((known[each] for each in names if each in known), None)
        if found is None:
            missing = f"column {own!r}" if own else f"column for the {what}"
            raise InterchangeError(
                f"{name} has no {missing}. Its columns are {', '.join(fields) or 'none'}: name one "
                f"with --{what}."
            )
        return found

    id_, score = column(columns.id, IDS, "id"), column(columns.score, SCORES, "score")
    cluster = column(columns.cluster, (), "cluster") if columns.cluster else ""
    taken = {id_, score, cluster}
    epoch = next((known[each] for each in EPOCHS if known.get(each, id_) not in taken), "")
    return (
        _Sample(row.get(id_), row.get(epoch, ""), row.get(score), row.get(cluster)) for row in rows
    )


def score_of(value: Any) -> float | None:
    """A score as a number: of a number, a truth value, or a word such as C or fail; else None."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        text = value.strip()
        if text.casefold() in _WORDS:
            return _WORDS[text.casefold()]
        try:
            value = float(text)
        except ValueError:
            return None
    if isinstance(value, int | float) and math.isfinite(value):
        return float(value)
    return None


def _collect(file: str, log: _ScoreLog) -> ScoredLog:
    name = f"{file}: {log.part}" if log.part else file
    scores: dict[tuple[str, str], float] = {}
    clusters: dict[tuple[str, str], str] = {}
    double: set[tuple[str, str]] = set()
    left_out: Counter[str] = Counter()
    for number, sample in enumerate(log.samples):
        if number >= MOST_SAMPLES:
            raise InterchangeError(f"{name} has more than {MOST_SAMPLES:,} samples.")
        if sample.id is None or not str(sample.id).strip():
            left_out[NO_ID] += 1
            continue
        key, score = (str(sample.id).strip(), str(sample.epoch).strip()), score_of(sample.score)
        if score is None:
            left_out[NO_SCORE] += 1
        elif key not in scores:
            scores[key] = score
            if sample.cluster is not None:
                clusters[key] = str(sample.cluster)
        elif scores[key] == score:
            left_out[SAME_AGAIN] += 1
        else:
            left_out[DOUBLE] += 1
            double.add(key)
    for key in double:
        # Which of the two scores counts is not ours to choose.
        del scores[key]
        left_out[DOUBLE] += 1
    times = {epoch: at for at, epoch in enumerate(sorted({k[1] for k in scores}, key=_order), 1)}
    return ScoredLog(
        name, log.kind,
        {SampleKey(id_, times[epoch]): score for (id_, epoch), score in scores.items()},
        {SampleKey(id_, times[epoch]): each for (id_, epoch), each in clusters.items()
         if (id_, epoch) in scores},
        dict(left_out),
    )  # fmt: skip


def _order(epoch: str) -> tuple[float, str]:
    """Numbers by their size, before all else."""
    return (float(epoch) if epoch.isdecimal() else math.inf, epoch)
