"""Correction of grammar by a model: what is asked, how the answer is read, which pairs are kept.

The paper's optional last step of making problems (Opedal et al. 2024, section 4.2, step iv), and
the check that it lacked. The sentences of both members are put into one numbered list, each text
once, so a sentence that the members share is mended once and used in both: no flaw, and no
mending, can sit in one member alone. Sentences are mended each by itself, never a whole text,
because that is where models have rewritten the story. The prompt that the paper prints (table 3)
asks for the whole text of a member at once, and is a choice beside ours.

Three things are never mixed up: a pair that was *discarded*, because what the model wrote does
not pass the check; a pair that was *not answered*, because no response came (too many requests,
a time-out), which is asked again and counts nowhere; and a pair that was *not asked*, because it
could not be read before, so nothing could be checked. The keep rate is of answered pairs.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter
from typing import Any, TypeAlias

from biaslab.models import (
    Completion,
    Failure,
    GenerationRequest,
    Message,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Sampling,
)
from biaslab.stats.estimates import Interval, wilson
from biaslab.studies.published import published_words
from biaslab.studies.study import Item, Pair
from biaslab.studies.word_problems.custom.imported import NAME, STATUS, ProofStatus
from biaslab.studies.word_problems.verification import sentences_of, split_sentences
from schoolmath.problems.errors import ProblemError
from schoolmath.problems.meaning import Flaw, Original, Reason, check_corrected_pair
from schoolmath.problems.reading import Times, read

RULES = """\
Below are {count} numbered sentences from school word problems. Mend grammar and spelling, each \
sentence by itself.

- Keep every number, written in digits as it is, and every name.
- Keep what the sentence says: who has, gives, gets or is compared with whom; more, fewer or \
times as many; and what is counted.
- Keep the order. Join, split, add and leave out nothing, and do not answer the question.
- Two sentences may differ in one word or number only. That is meant; leave the difference.
- A sentence that is right stays exactly as it is.

Answer with the {count} numbered sentences and nothing else."""
"""What is asked, before the sentences."""

CUE = "The {count} mended sentences:"
"""Ends the prompt of a model that continues text."""

TOKENS_FOR_ALL, TOKENS_FOR_EACH = 512, 64
"""Most tokens of an answer: for whatever stands around, and for each sentence."""


class CorrectionPrompt(StrEnum):
    """How a model is asked to mend a pair."""

    SENTENCES = "sentences"
    """The different sentences of both members in one list; the wording is ours."""

    PUBLISHED = "published"
    """Each member's whole text by itself, in the words of the paper."""

    @property
    def requests(self) -> int:
        """How many a pair takes."""
        return 2 if self is CorrectionPrompt.PUBLISHED else 1


@dataclass(frozen=True, slots=True)
class CorrectedPair:
    """What became of a pair whose sentences a model mended.

    Attributes:
        pair: before.
        kept: after, where it may be used; None where it is discarded.
        reasons: why it is discarded.
        mended: the sentences that the model changed: before, and after.
    """

    pair: Pair
    kept: Pair | None
    reasons: tuple[Reason, ...] = ()
    mended: tuple[tuple[str, str], ...] = ()


def sentences_to_correct(pair: Pair) -> tuple[str, ...]:
    """The different sentences of both members, in the order of the text, those of x first."""
    x, x_prime = sentences_of(pair.x), sentences_of(pair.x_prime)
    listed: dict[str, None] = {}
    for index in range(max(len(x), len(x_prime))):
        for member in (x, x_prime):
            listed |= dict.fromkeys(member[index : index + 1])
    return tuple(listed)


def correction_request(sentences: Sequence[str], form: ModelForm) -> GenerationRequest:
    """Asks for the sentences with their grammar mended."""
    count = len(sentences)
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(sentences, 1))
    asked = f"{RULES.format(count=count)}\n\n{numbered}"
    sampling = Sampling(max_new_tokens=TOKENS_FOR_ALL + TOKENS_FOR_EACH * count)
    if form is ModelForm.CHAT:
        return GenerationRequest((Message("user", asked),), sampling)
    text = f"{asked}\n\n{CUE.format(count=count)}\n"
    return GenerationRequest((Message("text", text),), sampling)


def correction_requests(
    pair: Pair, form: ModelForm, prompt: CorrectionPrompt = CorrectionPrompt.SENTENCES
) -> tuple[GenerationRequest, ...]:
    """What a model is asked to mend a pair: one request for both members, or one for each."""
    if prompt is CorrectionPrompt.SENTENCES:
        return (correction_request(sentences_to_correct(pair), form),)
    return tuple(_text_request(item, form) for item in (pair.x, pair.x_prime))


def _text_request(item: Item, form: ModelForm) -> GenerationRequest:
    words = published_words()["word problems, correction"].words
    asked = words.format(problem=" ".join(sentences_of(item)))
    tokens = TOKENS_FOR_ALL + TOKENS_FOR_EACH * len(sentences_of(item))
    turn = Message("user", asked) if form is ModelForm.CHAT else Message("text", f"{asked}\n\n")
    return GenerationRequest((turn,), Sampling(max_new_tokens=tokens))


_LINE = re.compile(r"[\s>*_-]*(\d{1,3})[.):\]][\s*_]*(\S.*?)\s*")
_UNCHANGED = re.compile(
    r"\s*[(\[](?:no changes?|unchanged|correct|already correct|ok)\b[^)\]]*[)\]]\s*$", re.IGNORECASE
)
_QUOTES = (("“", "”"), ('"', '"'), ("**", "**"), ("*", "*"), ("`", "`"))


def read_sentences(answer: str, count: int) -> tuple[str, ...] | None:
    """The mended sentences in an answer; None where it does not hold exactly so many.

    Numbered lines are looked for, the last complete list of them; also read are as many lines
    without numbers, and a JSON list. Quotes, emphasis and remarks such as "(no change)" around
    a sentence are taken off; nothing else is.
    """
    lines = [line for line in answer.splitlines() if line.strip() and "```" not in line]
    numbered: list[tuple[int, str]] = []
    for line in lines:
        match = _LINE.fullmatch(line)
        if match:
            numbered.append((int(match[1]), match[2]))
    wanted = list(range(1, count + 1))
    for start in range(len(numbered) - count, -1, -1):
        run = numbered[start : start + count]
        if [number for number, _ in run] == wanted:
            return _cleaned([text for _, text in run])
    if len(lines) == count and not numbered:
        return _cleaned(lines)
    return _from_json(answer, count)


def read_text(answer: str) -> tuple[str, ...] | None:
    """The sentences of a mended text; None where no words are in it.

    Quotes, emphasis and line ends around and between them are taken off; nothing else is.
    """
    lines = [line for line in answer.splitlines() if line.strip() and "```" not in line]
    text = _cleaned([" ".join(lines)])
    return None if text is None else split_sentences(text[0])


def _from_json(answer: str, count: int) -> tuple[str, ...] | None:
    start, end = answer.find("["), answer.rfind("]")
    if not 0 <= start < end:
        return None
    try:
        found = json.loads(answer[start : end + 1])
    except (ValueError, RecursionError):
        return None
    if len(found) != count or not all(isinstance(text, str) for text in found):
        return None
    return _cleaned(found)


def _cleaned(texts: Sequence[str]) -> tuple[str, ...] | None:
    cleaned = []
    for text in texts:
        bare = " ".join(_UNCHANGED.sub("", text).split())
        for opening, closing in _QUOTES:
            inside = bare.removeprefix(opening).removesuffix(closing)
            if len(inside) == len(bare) - len(opening) - len(closing):
                bare = inside.strip()
        cleaned.append(bare)
    if not all(any(letter.isalpha() for letter in text) for text in cleaned):
        return None
    return tuple(cleaned)


def originals_of(pair: Pair) -> tuple[Original, Original] | Reason:
    """Both members as they are understood, or why they cannot be: then nothing could be checked.

    A pair is understood where both texts can be read and solved, and the answers are those that
    the pair states.
    """
    found = []
    for member, item in (("x", pair.x), ("x_prime", pair.x_prime)):
        original = _original(item)
        if isinstance(original, str):
            return Reason(Flaw.ORIGINAL, original, member=member)
        found.append(original)
    return found[0], found[1]


def _original(item: Item) -> Original | str:
    # What "3 times fewer" means is settled by the answer, which is compared below.
    again = read(item.text, times=Times.AS_MANY)
    if again.problem is None or again.solution is None:
        return f"It could not be checked, because it cannot be read back: {again.fault}"
    if str(again.solution.answer) != item.answer.strip():
        return (
            f"It could not be checked: its text leads to {again.solution.answer}, and its answer "
            f"is said to be {item.answer}."
        )
    sentences = sentences_of(item)
    if " ".join(sentences).split() != item.text.split():
        return "It could not be checked: it is not clear where its sentences end."
    return Original(again.problem, sentences, again.words)


def judge(
    pair: Pair,
    originals: tuple[Original, Original],
    completions: Sequence[Completion],
    treatment: str = "",
) -> CorrectedPair:
    """Reads what the model wrote, puts both members together again and checks them.

    Args:
        pair: before.
        originals: what `originals_of` gave for it.
        completions: the model's answers to `correction_requests`.
        treatment: what differs in the pair, for its strata where these do not say so.
    """
    texts = _texts_after(pair, originals, completions)
    if isinstance(texts, Reason):
        return CorrectedPair(pair, None, (texts,))
    changed = tuple(
        dict.fromkeys(
            (old, new)
            for original, text in zip(originals, texts, strict=True)
            if len(original.sentences) == len(text)
            for old, new in zip(original.sentences, text, strict=True)
            if old != new
        )
    )
    found = check_corrected_pair(originals, texts)
    if not found.kept:
        return CorrectedPair(pair, None, found.reasons, changed)
    strata = dict(pair.strata)
    if treatment:
        strata.setdefault("treatment", treatment)
    # What was read, solved and found as it says before and after is proved.
    strata.setdefault(STATUS, str(ProofStatus.PROVED))
    x, x_prime = (
        _with_sentences(item, sentences)
        for item, sentences in zip((pair.x, pair.x_prime), texts, strict=True)
    )
    return CorrectedPair(pair, Pair.of(x, x_prime, strata, pair.cluster), (), changed)


def _texts_after(
    pair: Pair, originals: tuple[Original, Original], completions: Sequence[Completion]
) -> tuple[tuple[str, ...], tuple[str, ...]] | Reason:
    """The sentences of both members as the model left them, or why they cannot be told."""
    cut = " It was cut off." if any(each.finish == "length" for each in completions) else ""
    if len(completions) == 2:
        x, x_prime = (read_text(each.text) for each in completions)
        if x is None or x_prime is None:
            return Reason(Flaw.UNREADABLE, f"The answer holds no text.{cut}")
        return x, x_prime
    before = sentences_to_correct(pair)
    after = read_sentences(completions[0].text, len(before))
    if after is None:
        said = f"The answer does not hold {len(before)} numbered sentences.{cut}"
        return Reason(Flaw.UNREADABLE, said)
    mended = dict(zip(before, after, strict=True))
    first, second = (tuple(map(mended.__getitem__, each.sentences)) for each in originals)
    return first, second


def _with_sentences(item: Item, sentences: Sequence[str]) -> Item:
    facts = {**item.facts, "sentences": list(sentences)}
    return Item.of(NAME, " ".join(sentences), item.answer, facts, item.options)


MOST_PAIRS = 10_000
"""Most pairs corrected at once: all of them are held in memory, and each is paid for."""

Ask: TypeAlias = Callable[[Sequence[GenerationRequest]], Iterator[tuple[int, Completion | Failure]]]
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
        ProblemError: it is a simulated learner or a tiny model.
    """
    if identity.kind is not ModelKind.LANGUAGE_MODEL:
        raise ProblemError(
            f"“{identity.spec}” is a {identity.kind} and cannot correct sentences: it knows "
            "numbers only. Choose a language model, on a server or in a folder of this computer."
        )


def correct(
    pairs: Iterable[Pair],
    ask: Ask,
    form: ModelForm,
    *,
    treatment: str = "",
    prompt: CorrectionPrompt = CorrectionPrompt.SENTENCES,
    before: Correction | None = None,
    on_progress: Callable[[CorrectionProgress], object] | None = None,
) -> Correction:
    """Asks a model to mend the grammar of pairs and checks what it wrote.

    Args:
        pairs: to be corrected.
        ask: asks the model.
        form: how the model wants to be addressed.
        treatment: what differs in the pairs, for their strata where these do not say so.
        prompt: how it is asked.
        before: an earlier correction; what it holds comes first, and what was not answered there
            is asked again if it is among the pairs.
        on_progress: told after every answer.

    Raises:
        ProblemError: there are no pairs or too many, or the model cannot be asked.
    """
    wanted: list[tuple[Pair, tuple[Original, Original]]] = []
    not_asked: list[CorrectedPair] = []
    for count, pair in enumerate(pairs, 1):
        if count > MOST_PAIRS:
            raise ProblemError(
                f"At most {MOST_PAIRS:,} pairs are corrected at once. Correct fewer, and the "
                "others after that."
            )
        originals = originals_of(pair)
        if isinstance(originals, Reason):
            not_asked.append(CorrectedPair(pair, None, (originals,)))
        else:
            wanted.append((pair, originals))
    if not wanted and not not_asked:
        raise ProblemError("There are no pairs to correct. Choose a study or a set that has some.")
    settled: dict[int, CorrectedPair] = {}
    failed: dict[int, NotAnswered] = {}
    asked = [
        (index, request)
        for index, (pair, _) in enumerate(wanted)
        for request in correction_requests(pair, form, prompt)
    ]
    back: dict[int, list[tuple[int, Completion]]] = {}
    for number, answer in ask([request for _, request in asked]) if asked else ():
        index = asked[number][0]
        pair, originals = wanted[index]
        if isinstance(answer, Failure):
            failed[index] = NotAnswered(pair, answer.reason)
        else:
            back.setdefault(index, []).append((number, answer))
            if len(back[index]) < prompt.requests:
                continue
            texts = [text for _, text in sorted(back[index], key=itemgetter(0))]
            settled[index] = judge(pair, originals, texts, treatment)
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


def _progress(total: int, settled: Mapping[int, CorrectedPair], failed: int) -> CorrectionProgress:
    kept = sum(each.kept is not None for each in settled.values())
    return CorrectionProgress(total, kept, len(settled) - kept, failed)


def _each_once(pairs: Iterable[CorrectedPair]) -> Iterator[CorrectedPair]:
    """Discards what became the same pair as an earlier one, which a set would count double."""
    seen: set[str] = set()
    for each in pairs:
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


def set_of(
    correction: Correction,
    model: str,
    source: str,
    prompt: CorrectionPrompt = CorrectionPrompt.SENTENCES,
) -> tuple[list[Pair], str, list[dict[str, Any]]]:
    """What is kept of a correction as a set: pairs, their origin, and reasons for those left out.

    Args:
        correction: what came of it.
        model: spec of who mended.
        source: what was corrected, in words.
        prompt: how it was asked.

    Raises:
        ProblemError: nothing was kept.
    """
    if not correction.kept:
        raise ProblemError(
            "No corrected pair passed the check, so there is nothing to keep. Look at the reasons, "
            "or try another model."
        )
    asked = ", the paper's prompt" if prompt is CorrectionPrompt.PUBLISHED else ""
    return correction.kept, f"corrected by {model}{asked}: {source}", report_of(correction)
