"""Whether a bias does what it says: gaps, arms, scale, metric and vignettes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from math import gcd

from biaslab.studies.decisions.biases.document import BiasError, read_document
from biaslab.studies.decisions.biases.expressions import Value
from biaslab.studies.decisions.biases.files import Scales, read_bias
from biaslab.studies.decisions.biases.filling import (
    ALTERNATIVES,
    GAP,
    Case,
    fill,
    of_arm,
    without_brackets,
)
from biaslab.studies.decisions.biases.template import (
    Bias,
    CalculatedValue,
    ChoiceValue,
    Vignette,
    VignetteSlot,
    value_count,
    values_at,
)
from schoolmath.text.numbers import NUMBER_WORDS

ENOUGH_VIGNETTES, ENOUGH_FIELDS = 20, 10
"""What a published bias has here at least; a bias of one's own may have fewer."""
MOST_CASES = 500
"""Most combinations of custom values that are tried for one bias."""
_GOLDEN = 0.618034

# "One" stands for somebody, "quarter" for a part of the year, as often as for a number.
_NUMBER_WORDS = "|".join(sorted(NUMBER_WORDS - {"one", "quarter"} | {"percent"}))
_NUMBER = re.compile(rf"\d+(?:[.,]\d+)*|%|\b(?:{_NUMBER_WORDS})\b", re.IGNORECASE)
_LEFTOVER = re.compile(r"[{}\[\]|]|\b(?:TODO|TBD|XXX)\b|\s[,.;:?!]| {2,}|\.\.(?!\.)")
_A_BEFORE_VOWEL = re.compile(r"\ba (?=[aeio]\w)", re.IGNORECASE)
_AN_BEFORE_CONSONANT = re.compile(r"\ban (?=[bcdfgjkpqtvwyz]\w)", re.IGNORECASE)


_STAKES = re.compile(
    r"\bor (?:else )?you(?:['’]ll| will| may| might| could)? (?:lose|be|get|face|pay)\b[^.,;]*"
    r"|\b(?:lose|losing|keep|keeping) your (?:job|position|licence|post)\b"
    r"|\byou (?:will|would|may|might|could|can) be (?:fired|dismissed|punished|sacked|promoted|"
    r"rewarded|blamed)\b"
    r"|\byour (?:job|career|life|promotion|bonus) depends\b"
    r"|\bI(?:['’]ll| will) (?:tip|pay|reward|punish) you\b"
    r"|\b(?:a|your) (?:bonus|reward|tip|prize|penalty|fine) (?:for|if) (?:you|your|the right|a "
    r"(?:right|wrong|good|bad))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """Something a check found.

    Attributes:
        fault: whether the bias cannot be used so; otherwise it is a remark.
        where: the key, such as ``vignettes[3].role``.
        message: what, and what to do, in sentences.
    """

    fault: bool
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class WordDifference:
    """A stretch of words: as it is in both arms, or in control and in treatment."""

    control: str
    treatment: str

    @property
    def same(self) -> bool:
        """Whether both arms have it."""
        return self.control == self.treatment


def check_bias(bias: Bias) -> list[CheckFinding]:
    """Everything that is wrong or worth a remark; faults first."""
    found = [*_gaps(bias), *_slots(bias)]
    try:
        combinations = list(value_combinations(bias))
    except BiasError as error:
        found.append(CheckFinding(True, "values", str(error)))
    else:
        found += [*_metric(bias, combinations), *_cases(bias, combinations)]
    found += [*_numbers(bias), *_stakes(bias)]
    return sorted(dict.fromkeys(found), key=lambda finding: not finding.fault)


def check_scenes(bias: Bias) -> list[CheckFinding]:
    """What is wrong with the vignettes of a bias that is sound itself; faults first."""
    try:
        found = [*_slots(bias), *_cases(bias, list(value_combinations(bias)))]
    except BiasError as error:
        found = [CheckFinding(True, "values", str(error))]
    return sorted(dict.fromkeys(found), key=lambda finding: not finding.fault)


def _stakes(bias: Bias) -> Iterator[CheckFinding]:
    """Remarks on threats and rewards for the answer itself, which move answers on their own."""
    texts = [("text", bias.text)]
    for index, each in enumerate(bias.vignettes):
        for slot, content in each.slots.items():
            told = [content] if isinstance(content, str) else content.values()
            texts += [(f"vignettes[{index}].{slot}", one) for one in told]
    for where, text in texts:
        found = _STAKES.search(text)
        if found:
            yield CheckFinding(
                False, where,
                f"“{found[0]}” threatens or rewards the person who answers, and that alone moves "
                "answers. Leave it out, unless the bias is about it.",
            )  # fmt: skip


def word_differences(case: Case) -> list[WordDifference]:
    """How the two arms differ, word by word, options included."""
    one, other = (
        "\n".join((arm.text, *arm.options)).replace("\n", " \n ").split(" ")
        for arm in (case.control, case.treatment)
    )
    return [
        WordDifference(" ".join(one[a:b]), " ".join(other[c:d]))
        for _, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    ]


def value_combinations(bias: Bias) -> Iterator[dict[str, Value]]:
    """Combinations of custom values, all of them where they are few, evenly spread otherwise."""
    every = value_count(bias)
    # Steps that share no factor with the number of combinations come to each at most once.
    step = 1 if every <= MOST_CASES else int(every * _GOLDEN)
    while gcd(step, every) > 1:
        step += 1
    for count in range(min(every, MOST_CASES)):
        yield values_at(bias, count * step % every)


def _gaps(bias: Bias) -> Iterator[CheckFinding]:
    texts = (bias.text, *bias.scale[0], *bias.scale[1])
    if without_brackets(bias.text).count("[") != len(
        ALTERNATIVES.findall(without_brackets(bias.text))
    ):
        yield CheckFinding(
            True, "text",
            "A square bracket is left over: write [control words | treatment words], without "
            "brackets inside.",
        )  # fmt: skip
    everything = [*texts, *(t for v in bias.vignettes for c in v.slots.values() for t in _each(c))]
    named = {n for text in everything for match in GAP.finditer(text) for n in match.groups() if n}
    known = {*bias.slots, *bias.values}
    for name in sorted(named):
        if name not in known and name[0].lower() + name[1:] not in known:
            yield CheckFinding(
                True, "text", f"The gap {{{name}}} is neither a slot nor a value: add it to one."
            )
    used = named | {name[0].lower() + name[1:] for name in named}
    expressions = " ".join(
        str(each)
        for each in (
            bias.metric.kappa, bias.metric.gamma1, bias.metric.gamma2, *bias.classic,
            *bias.opposite,
            *(s.expression for s in bias.values.values() if isinstance(s, CalculatedValue)),
        )
    )  # fmt: skip
    used |= set(re.findall(r"[A-Za-z_]\w*", expressions))
    used |= {slot.by for slot in bias.slots.values()} | {n for pair in bias.swap for n in pair}
    for name in sorted(known - used):
        yield CheckFinding(True, f"slots.{name}", f"Nothing uses “{name}”: leave it out.")
    same = all(of_arm(text, 0) == of_arm(text, 1) for text in texts)
    if same and not bias.swap and bias.scale[0] == bias.scale[1]:
        yield CheckFinding(
            True, "text", "Both arms are the same: mark what differs, [control | treatment]."
        )


def _each(content: str | Mapping[str, str]) -> tuple[str, ...]:
    return (content,) if isinstance(content, str) else tuple(content.values())


def _slots(bias: Bias) -> Iterator[CheckFinding]:
    for index, vignette in enumerate(bias.vignettes):
        for name, content in vignette.slots.items():
            for text in _each(content):
                yield from _slot(f"vignettes[{index}].{name}", text, bias.slots[name])


def _slot(where: str, text: str, slot: VignetteSlot) -> Iterator[CheckFinding]:
    plain = GAP.sub("", text)
    if "numbers" in slot.forbid and (match := _NUMBER.search(plain)):
        yield CheckFinding(True, where, f"“{match[0]}” is a number, and none may stand here.")
    if "questions" in slot.forbid and "?" in plain:
        yield CheckFinding(True, where, "No question may stand here.")
    if slot.words and len(text.split()) > slot.words:
        yield CheckFinding(
            True, where, f"It has {len(text.split())} words; the most is {slot.words}."
        )


def _metric(bias: Bias, combinations: list[dict[str, Value]]) -> Iterator[CheckFinding]:
    n = bias.options
    highest: set[object] = set()
    seen: set[object] = set()
    try:
        for values in combinations:
            told = ", ".join(f"{name} = {value}" for name, value in values.items()) or "always"
            vignette = Vignette("", "", {})
            case = _without_text(bias, vignette, values)
            if case.metric.kappa not in (1, -1):
                yield CheckFinding(
                    True, "metric.kappa", f"Kappa is 1 or -1, not {case.metric.kappa}."
                )
                return
            stated = (case.metric, case.classic, case.opposite)
            if stated in seen:
                continue
            seen.add(stated)
            every = [case.metric.of(a, b) for a in range(n) for b in range(n)]
            for name, answers, most in (
                ("classic", case.classic, max(every)), ("opposite", case.opposite, min(every)),
            ):  # fmt: skip
                if not all(0 <= answer < n for answer in answers):
                    yield CheckFinding(
                        True, f"extremes.{name}",
                        f"{list(answers)} is off the scale of {n} options ({told}).",
                    )  # fmt: skip
                    return
                given = case.metric.of(*answers)
                if given != most:
                    yield CheckFinding(
                        True, f"extremes.{name}",
                        f"{list(answers)} gives {float(given):.2f}; the most there is in this "
                        f"direction is {float(most):.2f} ({told}).",
                    )  # fmt: skip
                    return
                highest.add(abs(most))
    except BiasError as error:
        yield CheckFinding(True, "metric", str(error))
        return
    if highest != {1}:
        yield CheckFinding(
            False, "metric", "With these parameters the metric does not reach 1 and -1 for all "
            "values; its size can be compared with other biases only with care.",
        )  # fmt: skip


def _without_text(bias: Bias, vignette: Vignette, values: Mapping[str, Value]) -> Case:
    blank = ("",) * bias.options
    return fill(replace(bias, text="", scale=(blank, blank), swap=()), vignette, values)


def _cases(bias: Bias, combinations: list[dict[str, Value]]) -> Iterator[CheckFinding]:
    for index, vignette in enumerate(bias.vignettes):
        # Every vignette with a few combinations, and together all of them.
        chosen = combinations[index :: max(1, len(bias.vignettes))] or combinations[:1]
        every = (tuple(each.items()) for each in (*chosen, *_by_choice(bias, combinations)))
        for values in dict.fromkeys(every):
            try:
                case = fill(bias, vignette, dict(values))
            except BiasError as error:
                yield CheckFinding(True, f"vignettes[{index}]", str(error))
                break
            yield from _case(f"vignettes[{index}]", case)


def _by_choice(bias: Bias, combinations: list[dict[str, Value]]) -> list[dict[str, Value]]:
    """One combination for each option of each choice."""
    found = []
    for name, source in bias.values.items():
        if isinstance(source, ChoiceValue):
            for option in source.options:
                found += [each for each in combinations if each[name] == option][:1]
    return found


def _case(where: str, case: Case) -> Iterator[CheckFinding]:
    arms = (case.control, case.treatment)
    if arms[0] == arms[1]:
        yield CheckFinding(True, where, f"Both arms are the same with {dict(case.values)}.")
    for arm in arms:
        if len(set(arm.options)) < len(arm.options):
            yield CheckFinding(True, where, "Two options are alike.")
        for text in (arm.text, *arm.options):
            if match := _LEFTOVER.search(text):
                around = text[max(0, match.start() - 25) : match.end() + 15]
                yield CheckFinding(True, where, f"Something is left over in “…{around}…”.")
            for pattern, article in ((_A_BEFORE_VOWEL, "an"), (_AN_BEFORE_CONSONANT, "a")):
                if match := pattern.search(text):
                    around = text[match.start() : match.end() + 12]
                    yield CheckFinding(False, where, f"Should “{around}” say “{article}”?")


def _numbers(bias: Bias) -> Iterator[CheckFinding]:
    count, fields = len(bias.vignettes), len(bias.fields)
    if not count:
        yield CheckFinding(
            False, "vignettes", "There are no vignettes: only a connected model can fill the gaps."
        )
    elif count < ENOUGH_VIGNETTES or fields < ENOUGH_FIELDS:
        yield CheckFinding(
            False,
            "vignettes",
            f"{count} vignettes in {fields} fields of work; {ENOUGH_VIGNETTES} in "
            f"{ENOUGH_FIELDS} make intervals that mean something.",
        )


@dataclass(frozen=True, slots=True)
class LocatedFinding:
    """Something a check found, and where.

    Attributes:
        fault: whether the bias cannot be used so; otherwise it is a remark.
        line: of the file, from 1; 0 for the file as a whole.
        where: the key, such as ``vignettes[3].role``; "" for the file as a whole.
        message: what, and what to do, in sentences.
    """

    fault: bool
    line: int
    where: str
    message: str

    def __str__(self) -> str:
        place = ", ".join(filter(None, (f"line {self.line}" if self.line else "", self.where)))
        return f"{place}: {self.message}" if place else self.message


@dataclass(frozen=True, slots=True)
class CheckedText:
    """What became of a bias file.

    Attributes:
        bias: the bias; None where the file cannot be read.
        findings: faults first, in the order of the file.
    """

    bias: Bias | None
    findings: tuple[LocatedFinding, ...]

    @property
    def faults(self) -> tuple[LocatedFinding, ...]:
        """What keeps the bias from being used."""
        return tuple(finding for finding in self.findings if finding.fault)

    @property
    def usable(self) -> Bias | None:
        """The bias, unless it has faults."""
        return None if self.faults else self.bias


def check_text(text: str, scales: Scales) -> CheckedText:
    """Reads and checks the text of a bias file; never raises for what the file says."""
    try:
        bias = read_bias(text, scales)
        document = read_document(text)
    except BiasError as error:
        return CheckedText(
            None,
            tuple(
                LocatedFinding(
                    True, each.line, each.where, f"{each.reason} {each.suggestion}".strip()
                )
                for each in sorted((error, *error.others), key=lambda each: each.line)
            ),
        )
    found = [
        LocatedFinding(each.fault, document.line(each.where), each.where, each.message)
        for each in check_bias(bias)
    ]
    return CheckedText(bias, tuple(sorted(found, key=lambda each: (not each.fault, each.line))))
