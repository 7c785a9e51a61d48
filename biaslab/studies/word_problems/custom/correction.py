"""Correction of grammar by a model: what is asked, how the answer is read, what is kept.

The paper's optional last step of making problems (Opedal et al. 2024, section 4.2, step iv), and
the check that it lacked. The sentences of both members are put into one numbered list, each text
once, so a sentence that the members share is mended once and used in both: no flaw, and no
mending, can sit in one member alone. Sentences are mended each by itself, never a whole text,
because that is where models have rewritten the story. The wording of the prompt is our own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.models import Completion, GenerationRequest, Message, ModelForm, Sampling
from biaslab.studies.study import Item, Pair, content_hash
from biaslab.studies.word_problems.custom.imported import NAME, STATUS, ProofStatus
from biaslab.studies.word_problems.verification import sentences_of
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

PROMPT_VERSION = content_hash(RULES, CUE, TOKENS_FOR_ALL, TOKENS_FOR_EACH)
"""Changes whenever the wording of the prompt does."""


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
    pair: Pair, originals: tuple[Original, Original], completion: Completion, treatment: str = ""
) -> CorrectedPair:
    """Reads what the model wrote, puts both members together again and checks them.

    Args:
        pair: before.
        originals: what `originals_of` gave for it.
        completion: the model's answer to `correction_request`.
        treatment: what differs in the pair, for its strata where these do not say so.
    """
    before = sentences_to_correct(pair)
    after = read_sentences(completion.text, len(before))
    if after is None:
        cut = " It was cut off." if completion.finish == "length" else ""
        reason = Reason(
            Flaw.UNREADABLE, f"The answer does not hold {len(before)} numbered sentences.{cut}"
        )
        return CorrectedPair(pair, None, (reason,))
    mended = dict(zip(before, after, strict=True))
    texts = [tuple(mended[sentence] for sentence in original.sentences) for original in originals]
    changed = tuple((old, new) for old, new in mended.items() if old != new)
    found = check_corrected_pair(originals, (texts[0], texts[1]))
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


def _with_sentences(item: Item, sentences: Sequence[str]) -> Item:
    facts = {**item.facts, "sentences": list(sentences)}
    return Item.of(NAME, " ".join(sentences), item.answer, facts, item.options)
