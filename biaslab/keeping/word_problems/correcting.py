"""Lets a model mend the grammar of pairs, checks every answer, and keeps what passed as a set.

Three things are never mixed up: a pair that was *discarded*, because what the model wrote does
not pass the check; a pair that was *not answered*, because no response came (too many requests,
a time-out), which is asked again and counts nowhere; and a pair that was *not asked*, because it
could not be read before, so nothing could be checked. The keep rate is of answered pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from biaslab.models import Failure, GenerationRequest, ModelForm, ModelIdentity, ModelKind
from biaslab.runs.errors import RunError
from biaslab.runs.jobs.one_off import RequestResult
from biaslab.runs.library.pair_sets import PairSet, save_set
from biaslab.runs.store.store import Store
from biaslab.stats.estimates import Interval, wilson
from biaslab.studies.study import Pair
from biaslab.studies.word_problems.custom.correction import (
    CorrectedPair,
    correction_request,
    judge,
    originals_of,
    sentences_to_correct,
)
from schoolmath.problems.meaning.check import Original
from schoolmath.problems.meaning.flaws import Flaw, Reason

MOST_PAIRS = 10_000
"""Most pairs corrected at once: all of them are held in memory, and each is paid for."""

Ask: TypeAlias = Callable[[Sequence[GenerationRequest]], Iterator[RequestResult]]
"""Asks a model, as `biaslab.runs.jobs.one_off.ask_loose` does."""


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """A pair for which no response came; to be asked again.

    Attributes:
        pair: as it was.
        reason: a sentence.
    """

    pair: Pair
    reason: str


@dataclass(frozen=True, slots=True)
class Correction:
    """What became of pairs whose grammar a model was to mend.

    Attributes:
        answered: every pair that the model answered, kept or discarded, in order.
        not_answered: pairs without a response.
        not_asked: pairs that could not be read before, with the reason.
    """

    answered: tuple[CorrectedPair, ...]
    not_answered: tuple[NotAnswered, ...] = ()
    not_asked: tuple[CorrectedPair, ...] = ()

    @property
    def kept(self) -> list[Pair]:
        """The corrected pairs that may be used."""
        return [each.kept for each in self.answered if each.kept is not None]

    @property
    def discarded(self) -> list[CorrectedPair]:
        """Pairs whose correction did not pass the check."""
        return [each for each in self.answered if each.kept is None]

    @property
    def changed(self) -> int:
        """How many of the kept pairs the model changed at all."""
        return sum(each.kept is not None and bool(each.mended) for each in self.answered)

    @property
    def keep_rate(self) -> float | None:
        """Share of answered pairs that are kept; None where none was answered."""
        return len(self.kept) / len(self.answered) if self.answered else None

    @property
    def interval(self) -> Interval | None:
        """The keep rate's 95 % interval (Wilson's)."""
        return wilson(len(self.kept), len(self.answered))

    def by_reason(self) -> list[tuple[Flaw, int]]:
        """How many discarded pairs have each flaw, the most frequent first.

        A pair may have several, so the numbers may add up to more than the pairs.
        """
        counted = Counter(
            flaw for each in self.discarded for flaw in {reason.flaw for reason in each.reasons}
        )
        return sorted(counted.items(), key=lambda one: (-one[1], one[0]))


@dataclass(frozen=True, slots=True)
class CorrectionProgress:
    """How far a correction is: pairs answered of all that are asked, and what came of them."""

    wanted: int
    kept: int
    discarded: int
    not_answered: int

    @property
    def done(self) -> int:
        """Pairs that are settled."""
        return self.kept + self.discarded + self.not_answered


def check_mender(identity: ModelIdentity) -> None:
    """Refuses models that cannot mend sentences.

    Raises:
        RunError: it is a simulated learner or a tiny model.
    """
    if identity.kind is not ModelKind.LANGUAGE_MODEL:
        raise RunError(
            f"“{identity.spec}” is a {identity.kind} and cannot mend sentences: it knows numbers "
            "only. Choose a language model, on a server or in a folder of this computer."
        )


def correct(
    pairs: Iterable[Pair],
    ask: Ask,
    form: ModelForm,
    *,
    treatment: str = "",
    before: Correction | None = None,
    on_progress: Callable[[CorrectionProgress], object] | None = None,
) -> Correction:
    """Asks a model to mend the grammar of pairs and checks what it wrote.

    Args:
        pairs: to be corrected.
        ask: asks the model.
        form: how the model wants to be addressed.
        treatment: what differs in the pairs, for their strata where these do not say so.
        before: an earlier correction; what it holds comes first, and what was not answered there
            is asked again if it is among the pairs.
        on_progress: told after every answer.

    Raises:
        RunError: there are no pairs or too many, or the model cannot be asked.
    """
    wanted: list[tuple[Pair, tuple[Original, Original]]] = []
    not_asked: list[CorrectedPair] = []
    for count, pair in enumerate(pairs, 1):
        if count > MOST_PAIRS:
            raise RunError(
                f"At most {MOST_PAIRS:,} pairs are corrected at once. Correct fewer, and the "
                "others after that."
            )
        originals = originals_of(pair)
        if isinstance(originals, Reason):
            not_asked.append(CorrectedPair(pair, None, (originals,)))
        else:
            wanted.append((pair, originals))
    if not wanted and not not_asked:
        raise RunError("There are no pairs to correct. Choose a study or a set that has some.")
    settled: dict[int, CorrectedPair] = {}
    failed: dict[int, NotAnswered] = {}
    requests = [correction_request(sentences_to_correct(pair), form) for pair, _ in wanted]
    for index, answer in ask(requests) if requests else ():
        pair, originals = wanted[index]
        if isinstance(answer, Failure):
            failed[index] = NotAnswered(pair, answer.reason)
        else:
            settled[index] = judge(pair, originals, answer, treatment)
        if on_progress is not None:
            on_progress(_progress(len(wanted), settled, len(failed)))
    answered = [settled[index] for index in sorted(settled)]
    if before is not None:
        answered = [*before.answered, *answered]
        not_asked = [*before.not_asked, *not_asked]
    return Correction(
        tuple(_each_once(answered)),
        tuple(failed[index] for index in sorted(failed)),
        tuple(not_asked),
    )


def _progress(wanted: int, settled: Mapping[int, CorrectedPair], failed: int) -> CorrectionProgress:
    kept = sum(each.kept is not None for each in settled.values())
    return CorrectionProgress(wanted, kept, len(settled) - kept, failed)


def _each_once(answered: Iterable[CorrectedPair]) -> Iterator[CorrectedPair]:
    """Discards what became the same pair as an earlier one, which a set would count double."""
    seen: set[str] = set()
    for each in answered:
        if each.kept is not None and each.kept.id in seen:
            reason = Reason(Flaw.SAME, "It became the same as another corrected pair.")
            yield CorrectedPair(each.pair, None, (reason,), each.mended)
            continue
        if each.kept is not None:
            seen.add(each.kept.id)
        yield each


def report_of(correction: Correction) -> list[dict[str, Any]]:
    """What became of pairs that are not in the set, JSON-ready, a row for each reason."""
    rows: list[dict[str, Any]] = []
    for status, group in (
        ("discarded", correction.discarded),
        ("not asked", correction.not_asked),
    ):
        rows += [
            {
                "pair": each.pair.id,
                "member": reason.member,
                "status": status,
                "code": str(reason.flaw),
                "reason": reason.text,
            }
            for each in group
            for reason in each.reasons
        ]
    rows += [
        {
            "pair": each.pair.id,
            "member": "",
            "status": "not answered",
            "code": "",
            "reason": each.reason,
        }
        for each in correction.not_answered
    ]
    return rows


def save_correction(
    store: Store, name: str, correction: Correction, model: str, source: str
) -> PairSet:
    """Keeps the corrected pairs as a set, with the reasons for those that are not in it.

    Args:
        store: where.
        name: of the set.
        correction: what came of it.
        model: spec of who mended.
        source: what was corrected, in words.

    Raises:
        RunError: nothing was kept, or the name is no name of a set.
        StoreError: the file cannot be written.
    """
    if not correction.kept:
        raise RunError(
            "No corrected pair passed the check, so there is nothing to keep. Look at the reasons, "
            "or try another model."
        )
    return save_set(
        store, name, correction.kept, f"corrected by {model}: {source}", report_of(correction)
    )
