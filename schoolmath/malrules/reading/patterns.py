"""Texts turned back into problems: how the fields of a form stand in what it prints.

Nothing here is written for one form. A form draws problems and prints them; texts of one shape
are compared, and for each field it is found out where in the text it stands: as a number, as a
part of a list, as the coefficient of a letter, as a word. What stands nowhere in texts of this
shape is the same in all of them. The same is done with worked examples of other ways of writing.

To find the patterns takes half a minute, so they are kept in a file.
`python -m schoolmath.malrules.reading` writes it anew, which is needed when a form is added
or its text changes (a test tells). A stale file never reads a text wrongly, for whatever it reads
must print the same text again.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import operator
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from schoolmath.malrules.forms import Form, ListedForm, NotDrawn, read_form, write_form
from schoolmath.malrules.library import all_forms
from schoolmath.malrules.reading.tokens import (
    Leaf,
    ProblemToken,
    TokenLine,
    in_one_line,
    take_apart,
)
from schoolmath.problems.draws import Draws

_MOST_DRAWN = 4000
_NOTHING_NEW = 800
"""After so many problems without a new wording no more are drawn."""
_COMPARED = 12
"""So many problems of one wording are compared."""
_MOST_MEANINGS = 6
"""So many words in one place show that words may vary there."""

_Sample: TypeAlias = tuple[TokenLine, Form]
_OPERATIONS: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add, "-": operator.sub, "×": operator.mul, "÷": operator.truediv,
}  # fmt: skip
_BY_NUMBERS = (
    ("+", Fraction(1)), ("-", Fraction(1)), ("÷", Fraction(100)), ("×", Fraction(100)),
)  # fmt: skip

_EITHER = re.compile(r"\{([^{}]*\|[^{}]*)\}")

_SAME = {
    "number": ("value",), "fraction": ("pair",), "mixed": ("whole", "pair"), "time": ("minutes",),
    "terms": ("factor", "constant"), "list": ("values", "pairs"), "chain": ("numbers", "signs"),
}  # fmt: skip
"""What makes two slots of a kind the same."""

_COVERED_BY: Mapping[str, Mapping[str, frozenset[str]]] = {
    "fraction": {
        "top": frozenset({"top", "pair", "value"}),
        "bottom": frozenset({"bottom", "pair", "value"}),
    },
    "mixed": {
        "whole": frozenset({"whole", "value"}),
        "top": frozenset({"top", "pair", "value"}),
        "bottom": frozenset({"bottom", "pair", "value"}),
    },
    "terms": {
        "factor": frozenset({"factor", "minus factor", "letters"}),
        "constant": frozenset({"constant", "minus constant", "constants"}),
    },
    "chain": {
        "signs": frozenset({"signs", "signed", "sum"}),
        "numbers": frozenset({"numbers", "signed", "sum"}),
    },
}
"""By kind of slot: its parts, and the parts of which each says as much."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A field that is the same in all texts of the shape."""

    value: Any


@dataclass(frozen=True, slots=True)
class PatternPart:
    """A field that is part of a slot."""

    slot: int
    name: str
    like: Any


@dataclass(frozen=True, slots=True)
class ComputedField:
    """A field that is the result of one operation on parts of slots, or on one and a number."""

    operation: str
    one: PatternPart
    other: PatternPart | Fraction


@dataclass(frozen=True, slots=True)
class PatternWords:
    """A field that is some words of the text."""

    group: str


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple whose entries are found one by one."""

    sources: tuple[Constant | PatternPart | ComputedField | PatternWords | Tuple, ...]


Source: TypeAlias = Constant | PatternPart | ComputedField | PatternWords | Tuple


@dataclass(frozen=True)
class TextPattern:
    """How problems of a form stand in texts of one shape.

    Attributes:
        example: a problem whose text has this shape.
        shape: the shape, with ``{field}`` where words are a field.
        kinds: the kinds of its slots.
        sources: where each field comes from.
        fixed: slots that are no field: what they hold in every text.
        printed: whether the form prints texts of this shape.
        choices: words of the shape that stand for one of several wordings.
        bound: of slots that are read in part, what the other parts are in the example: the 2 of
            ``4(2x - 3)`` must not be lost on the way to ``4(x - 3)``.
    """

    example: Form
    shape: str
    kinds: tuple[str, ...]
    sources: Mapping[str, Source]
    fixed: Mapping[int, ProblemToken]
    printed: bool
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bound: Mapping[int, Mapping[str, Leaf]] = field(default_factory=dict)

    @property
    def takes_words(self) -> bool:
        """Whether words of the text are a field."""
        return any(isinstance(source, PatternWords) for source in self.sources.values())

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        """Over a shape with a space behind everything in it."""
        seen: set[str] = set()
        written = ""
        for piece in self.shape.split(" "):
            if piece in self.choices:
                # Longer ones first: "the area" is the area, not a word of two words.
                longest = sorted(self.choices[piece], key=len, reverse=True)
                choices = [f"{re.escape(each)} " if each else "" for each in longest]
                written += f"(?:{'|'.join(choices)})"
                continue
            for part in re.split(r"(\{\w+\})", piece):
                if not re.fullmatch(r"\{\w+\}", part):
                    written += re.escape(part)
                    continue
                name = part[1:-1]
                written += f"(?P={name})" if name in seen else rf"(?P<{name}>[^⟨⟩]+?)"
                seen.add(name)
            written += " "
        return re.compile(written, re.IGNORECASE)

    def read(self, line: TokenLine) -> Form | None:
        """The problem that a line asks; None where it is none of this pattern.

        Raises:
            ValueError: it would be one, but the form has no such problem; the message says why.
        """
        if self.kinds != line.kinds:
            return None
        if (match := self._regex.fullmatch(f"{line.shape} ")) is None:
            return None
        if any(not same_slot(line.slots[index], each) for index, each in self.fixed.items()):
            return None
        for index, parts in self.bound.items():
            if any(_bound_part(line.slots[index], name) != leaf for name, leaf in parts.items()):
                return None
        fields = {}
        for name, source in self.sources.items():
            try:
                fields[name] = _filled(source, line, match)
            except (LookupError, ZeroDivisionError):
                return None
            if isinstance(source, PatternWords) and not match.start(source.group):
                fields[name] = _in_case(fields[name], getattr(self.example, name))
        try:
            problem = type(self.example)(**fields)
        except (LookupError, TypeError, ZeroDivisionError):
            return None
        return problem if not self.printed or prints(problem, line) else None


_STEADY = "steady"


def _bound_part(slot: ProblemToken, name: str) -> Leaf | None:
    """A part of a slot; of a list also whether it goes on by the same difference."""
    if name != _STEADY:
        return slot.parts.get(name)
    values = slot.parts.get("values", ())
    assert isinstance(values, tuple)
    numbers = [each for each in values if isinstance(each, Fraction)]
    return str(len({two - one for one, two in itertools.pairwise(numbers)}) == 1)


def _bound(sources: Iterable[Source], line: TokenLine) -> dict[int, dict[str, Leaf]]:
    """What the parts are that no source takes, of slots of which some source takes another."""
    used: dict[int, set[str]] = defaultdict(set)
    left = list(sources)
    while left:
        match left.pop():
            case Tuple(inner):
                left += inner
            case ComputedField(one=one, other=other):
                left += [one, *([other] if isinstance(other, PatternPart) else [])]
            case PatternPart(slot=index, name=name):
                used[index].add(name)
    found: dict[int, dict[str, Leaf]] = {}
    for index, names in used.items():
        slot = line.slots[index]
        parts = _COVERED_BY.get(slot.kind, {})
        if slot.kind == "list" and not names & {"texts", "values", "pairs"}:
            every = {name for name in slot.parts if name.startswith("value ")}
            bound: dict[str, Leaf] = (
                {_STEADY: "True"} if "difference" in names
                else {name: slot.parts[name] for name in every - names}
            )  # fmt: skip
        else:
            bound = {name: slot.parts[name] for name, by in parts.items() if not names & by}
        if bound:
            found[index] = bound
    return found


def prints(problem: Form, line: TokenLine) -> bool:
    """Whether a problem's own text is this line, numbers compared by their worth."""
    own = take_apart(in_one_line(problem.stem()))
    return (
        own.shape.casefold() == line.shape.casefold()
        and own.kinds == line.kinds
        and all(map(same_slot, own.slots, line.slots))
    )


def same_slot(one: ProblemToken, other: ProblemToken) -> bool:
    """Whether two slots hold the same."""
    return one.kind == other.kind and all(
        one.parts.get(name) == other.parts.get(name) for name in _SAME[one.kind]
    )


def printed_patterns(form: type[ListedForm]) -> list[TextPattern]:
    """The patterns of what a form prints, from problems that it draws."""
    return _patterns(((problem.stem(), problem) for problem in _drawn(form)), printed=True)


def worked_patterns(examples: Iterable[tuple[str, Form]]) -> list[TextPattern]:
    """A pattern for each example of a way of writing, in which ``{a|b}`` stands for either.

    Raises:
        ValueError: a number of the problem stands in two places of its text.
    """
    found = []
    for text, problem in examples:
        pieces = _EITHER.split(text)
        choices = {
            f"Way{chr(ord('a') + i // 2)}": tuple(
                take_apart(each).shape for each in piece.split("|")
            )
            for i, piece in enumerate(pieces)
            if i % 2
        }
        names = iter(choices)
        marked = "".join(f" {next(names)} " if i % 2 else each for i, each in enumerate(pieces))
        found += [
            dataclasses.replace(each, choices=choices)
            for each in _patterns([(marked, problem)], printed=False)
        ]
    return found


def _drawn(form: type[ListedForm]) -> Iterator[Form]:
    """Some problems of each wording, of every grade, until no new wording comes up."""
    draws = Draws(f"patterns/{form.__name__}")
    low, high = form.grades
    seen: Counter[str] = Counter()
    silent = 0
    for index in range(_MOST_DRAWN):
        try:
            problem = form.draw(draws, low + index % (high - low + 1))
        except NotDrawn:
            continue
        wording = re.sub(r"\d+", "0", _marked(problem, problem.stem()))
        silent = silent + 1 if wording in seen else 0
        # Words that vary must be seen to vary.
        new = [f"{wording}/{name}" for name, _ in _texts(problem)]
        new = [each for each, (_, text) in zip(new, _texts(problem), strict=True)
               if seen[each] < _MOST_MEANINGS and not seen[f"{each}/{text}"]]  # fmt: skip
        if seen[wording] < _COMPARED or new:
            yield problem
        told = (f"{wording}/{name}/{text}" for name, text in _texts(problem))
        seen.update((wording, *new, *told))
        if silent >= _NOTHING_NEW:
            return


def _patterns(pairs: Iterable[tuple[str, Form]], *, printed: bool) -> list[TextPattern]:
    alike: dict[tuple[str, tuple[str, ...]], list[_Sample]] = defaultdict(list)
    for text, problem in pairs:
        line = take_apart(in_one_line(text))
        alike[_marked(problem, line.shape), line.kinds].append((line, problem))
    return [
        pattern
        for (shape, _), samples in alike.items()
        for pattern in _of_one_shape(shape, samples, printed=printed)
    ]


def _of_one_shape(shape: str, samples: Sequence[_Sample], *, printed: bool) -> list[TextPattern]:
    """One pattern, or one for each meaning where texts of this shape have several."""
    pattern = _fitted(shape, samples, printed=printed)
    if pattern is not None:
        return [pattern]
    told = set(re.findall(r"\{(\w+)\}", shape))
    for name, value in _fields(samples[0][1]).items():
        meanings = {getattr(problem, name) for _, problem in samples}
        if (
            isinstance(value, bool | str)
            and name not in told
            and 1 < len(meanings) <= _MOST_MEANINGS
        ):
            groups = [
                [each for each in samples if getattr(each[1], name) == meaning]
                for meaning in sorted(meanings)
            ]
            return [
                found for group in groups for found in _of_one_shape(shape, group, printed=printed)
            ]
    return []


def _fields(problem: Form) -> dict[str, Any]:
    return {each.name: getattr(problem, each.name) for each in dataclasses.fields(problem)}  # type: ignore[arg-type]


def _texts(problem: Form) -> Iterator[tuple[str, str]]:
    """The texts among the fields, also those within tuples, by a name for each."""
    for name, value in _fields(problem).items():
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, tuple):
            yield from ((f"{name}__{i}", each) for i, each in enumerate(value) if _is_word(each))


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value[:1].isalpha()


def _marked(problem: Form, shape: str) -> str:
    """The shape with ``{field}`` in place of the words of a field."""
    for name, text in sorted(_texts(problem), key=lambda each: -len(each[1])):
        words = " ".join(text.split())
        if words and words in shape:
            shape = re.sub(rf"(?<![\w{{]){re.escape(words)}(?![\w}}])", f"{{{name}}}", shape)
    return shape


def _fitted(shape: str, samples: Sequence[_Sample], *, printed: bool) -> TextPattern | None:
    """The pattern of texts of one shape; None where a field is found nowhere."""
    lines = [line for line, _ in samples]
    fields = [_fields(problem) for _, problem in samples]
    told = set(re.findall(r"\{(\w+)\}", shape))
    texts = [dict(_texts(problem)) for _, problem in samples]
    for name in sorted(told):
        # Words that are always the same are part of the shape, not of the problem.
        if len({each[name] for each in texts}) == 1 and (printed or len(texts[0][name]) < 2):
            shape = shape.replace(f"{{{name}}}", " ".join(texts[0][name].split()))
            told.discard(name)
    sources: dict[str, Source] = {}
    used: set[int] = set()
    for name in fields[0]:
        values = [each[name] for each in fields]
        if isinstance(values[0], str) and name not in told and _is_missing(name, samples):
            values = values[:1] * len(values)
        source = _source(name, values, lines, told, used)
        if source is None:
            return None
        sources[name] = source
    kinds = lines[0].kinds
    fixed = {
        index: lines[0].slots[index]
        for index in range(len(kinds))
        if index not in used
        and all(same_slot(lines[0].slots[index], each.slots[index]) for each in lines)
    }
    # What a form prints is compared with its text as a whole.
    bound = {} if printed else _bound(sources.values(), lines[0])
    return TextPattern(samples[0][1], shape, kinds, sources, fixed, printed, bound=bound)


def _is_missing(name: str, samples: Sequence[_Sample]) -> bool:
    """Whether texts are the same whatever this field holds, as a name that is not in the story."""
    problem = samples[0][1]
    value = getattr(problem, name)
    other = next((each for _, each in samples if getattr(each, name) != value), problem)
    changed: Any = problem
    try:
        changed = dataclasses.replace(changed, **{name: getattr(other, name)})
        return bool(changed.stem() == problem.stem())
    except (ValueError, LookupError):
        return False


def _source(
    name: str, values: Sequence[Any], lines: Sequence[TokenLine], slots: set[str], used: set[int]
) -> Source | None:
    """Where a field comes from in all samples; adds the slots that it comes from to `used`."""
    first = values[0]
    if isinstance(first, str) and name in slots:
        return PatternWords(name)
    constant = all(value == first for value in values)
    # One example cannot tell a constant from a number that stands there: then it stands there.
    if not isinstance(first, bool) and not (constant and len(values) > 1):
        places = list(_places(lines[0], first))
        if len(values) == 1:
            # The 1 of "x + 8" is not written: it is no place for a number.
            places = [each for each in places if not _is_silent(lines[0].slots[each.slot], each)]
        if len(values) == 1 and len(places) > 1:
            raise ValueError(f"In “{lines[0].shape}” {name} may stand in {len(places)} places.")
        for part in places:
            if _fits(part, values, lines):
                used.add(part.slot)
                return part
    if constant and not (isinstance(first, tuple) and len(values) == 1):
        return Constant(first)
    if isinstance(first, tuple) and all(len(each) == len(first) for each in values):
        entries = [
            _source(f"{name}__{i}", [each[i] for each in values], lines, slots, used)
            for i in range(len(first))
        ]
        if all(each is not None for each in entries):
            return Tuple(tuple(each for each in entries if each is not None))
    if isinstance(first, int | Fraction) and not isinstance(first, bool) and len(values) > 2:
        for reckoned in _results(lines[0], first):
            if _fits(reckoned, values, lines):
                other = reckoned.other
                used |= {reckoned.one.slot} | (
                    {other.slot} if isinstance(other, PatternPart) else set()
                )
                return reckoned
    return None


def _fits(
    source: PatternPart | ComputedField, values: Sequence[Any], lines: Sequence[TokenLine]
) -> bool:
    try:
        return all(
            _leaf_of(source, line) == _leaf(value)
            for line, value in zip(lines, values, strict=True)
        )
    except (LookupError, ZeroDivisionError):
        return False


def _results(line: TokenLine, value: int | Fraction) -> Iterator[ComputedField]:
    """Operations that give a value."""
    numbers = [
        PatternPart(index, name, value)
        for index, slot in enumerate(line.slots)
        for name, leaf in slot.parts.items()
        if isinstance(leaf, Fraction) and not name.startswith("minus")
    ]
    others: list[tuple[str, PatternPart | Fraction]] = [*_BY_NUMBERS]
    others += [(sign, part) for sign in _OPERATIONS for part in numbers]
    for one in numbers:
        for sign, other in others:
            reckoned = ComputedField(sign, one, other)
            try:
                if _leaf_of(reckoned, line) == value:
                    yield reckoned
            except ZeroDivisionError:
                continue


def _places(line: TokenLine, value: Any) -> Iterator[PatternPart]:
    wanted = _leaf(value)
    for index, slot in enumerate(line.slots):
        for name, leaf in slot.parts.items():
            if leaf == wanted:
                yield PatternPart(index, name, value)


def _is_silent(slot: ProblemToken, part: PatternPart) -> bool:
    return slot.kind == "terms" and part.name.endswith("factor") and abs(part.like) == 1


def _leaf(value: Any) -> Leaf:
    match value:
        case str():
            return value
        case tuple():
            return tuple(_leaf(each) for each in value)
        case _:
            return Fraction(value)


def _leaf_of(source: PatternPart | ComputedField, line: TokenLine) -> Leaf:
    """What a source gives in a line.

    Raises:
        LookupError: there is no such slot or part.
        ZeroDivisionError: it divides by 0.
    """
    if isinstance(source, PatternPart):
        return line.slots[source.slot].parts[source.name]
    one = _leaf_of(source.one, line)
    other = _leaf_of(source.other, line) if isinstance(source.other, PatternPart) else source.other
    if not isinstance(one, Fraction) or not isinstance(other, Fraction):
        raise LookupError
    return _OPERATIONS[source.operation](one, other)


def _filled(source: Source, line: TokenLine, match: re.Match[str]) -> Any:
    """The value of a field in a line.

    Raises:
        LookupError: the slot has no such part, or not of this kind.
        ZeroDivisionError: it divides by 0.
    """
    match source:
        case Constant(value):
            return value
        case PatternWords(group):
            return match[group]
        case Tuple(sources):
            return tuple(_filled(each, line, match) for each in sources)
        case ComputedField(one=part):
            return _like(part.like, _leaf_of(source, line))
    return _like(source.like, _leaf_of(source, line))


def _in_case(words: str, like: Any) -> str:
    """The first words of a question, in small letters where the field has such: "Area of ..."."""
    return words[:1].lower() + words[1:] if like[:1].islower() else words


def _like(sample: Any, leaf: Leaf) -> Any:
    """A leaf as the kind of value that a field holds."""
    if isinstance(leaf, tuple):
        if not isinstance(sample, tuple):
            raise LookupError
        return tuple(_like(sample[0], each) for each in leaf)
    if isinstance(leaf, str) or isinstance(sample, Fraction):
        return leaf
    if leaf.denominator != 1:
        raise LookupError
    return int(leaf)


FILE = Path(__file__).resolve().parents[3] / "assets" / "wordings" / "printed.jsonl"
"""One pattern a line."""
STORIES = frozenset({"Story", "ToldStory"})
"""The form whose texts are read by `schoolmath.problems.reading`, not by patterns."""

_RECKONED = re.compile(r"(\d+\.[\w ]+?) ([-+×÷]) (?:(\d+\.[\w ]+)|(\d+))")


def stored_patterns() -> Iterator[TextPattern]:
    """Every pattern of the file."""
    all_forms()
    for line in FILE.read_text(encoding="utf-8").splitlines():
        yield read_pattern(json.loads(line))


def write_pattern(pattern: TextPattern) -> dict[str, Any]:
    """A pattern as a JSON object: an example, its shape, where its fields stand, what is fixed.

    A field is ``null`` where it is always as in the example, else ``{name}`` for words, ``0.value``
    for a part of a slot, ``0.value + 1`` for a result, or a list of such.
    """
    return {
        "problem": write_form(pattern.example),
        "shape": pattern.shape,
        "fields": {name: _written(source) for name, source in pattern.sources.items()},
        "fixed": sorted(pattern.fixed),
    }


def read_pattern(content: dict[str, Any]) -> TextPattern:
    """The pattern that `write_pattern` wrote."""
    example = read_form(content["problem"])
    line = take_apart(in_one_line(example.stem()))
    return TextPattern(
        example,
        content["shape"],
        line.kinds,
        {name: _read(text, getattr(example, name)) for name, text in content["fields"].items()},
        {index: line.slots[index] for index in content["fixed"]},
        printed=True,
    )


def _written(source: Source) -> Any:
    match source:
        case Constant():
            return None
        case PatternWords(group):
            return f"{{{group}}}"
        case Tuple(sources):
            return [_written(each) for each in sources]
        case ComputedField(operation, one, other):
            behind = _written(other) if isinstance(other, PatternPart) else other
            return f"{_written(one)} {operation} {behind}"
    return f"{source.slot}.{source.name}"


def _read(text: Any, like: Any) -> Source:
    if text is None:
        return Constant(like)
    if isinstance(text, list):
        return Tuple(tuple(_read(each, part) for each, part in zip(text, like, strict=True)))
    if text.startswith("{"):
        return PatternWords(text[1:-1])
    if found := _RECKONED.fullmatch(text):
        other = Fraction(found[4]) if found[4] else _part(found[3], like)
        return ComputedField(found[2], _part(found[1], like), other)
    return _part(text, like)


def _part(text: str, like: Any) -> PatternPart:
    slot, name = text.split(".")
    return PatternPart(int(slot), name, like)


def _lines() -> Iterator[str]:
    for name, form in all_forms().items():
        if name not in STORIES:
            for pattern in printed_patterns(form):
                yield json.dumps(write_pattern(pattern), ensure_ascii=False)


def write() -> None:
    """Writes the file."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("\n".join(_lines()) + "\n", encoding="utf-8")
