"""The fields of one sentence of a structure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from biaslab.ui.studies.word_problems.structure_line import (
    PartSides,
    StructureLine,
    letters_for,
    write_part,
)
from biaslab.ui.widgets import choosing
from schoolmath.problems.structure import NO_ATTRIBUTE, SIGNS, SentenceKind, StructureStep
from schoolmath.problems.vocabulary import vocabulary

T = TypeVar("T")

Change = Callable[[str], None]
"""Takes the part as it is written now."""

_KINDS = {
    SentenceKind.CONTAINER: "Somebody has some (container)",
    SentenceKind.TRANSFER: "Somebody gives or gets (transfer)",
    SentenceKind.COMPARISON: "Two people are compared (comparison)",
    SentenceKind.RATE: "Boxes that hold so many (rate)",
}
_SIGNS = {
    SentenceKind.TRANSFER: {"": "Any", "+": "+ gets", "-": "− gives"},
    SentenceKind.COMPARISON: {"": "Any", "+": "+", "-": "−", "*": "×", "/": "÷"},
    SentenceKind.RATE: {"": "Any", "*": "× opens boxes", "/": "÷ packs boxes"},
}
_FORMS = {"": "Any", "yes": "Consistent", "no": "Inconsistent"}
_FORM_VALUES = {"": None, "yes": True, "no": False}
_OPEN = ""
_NOBODY = "nobody"


def draw_fields(line: StructureLine, at: int, change: Change) -> None:
    """Draws the fields of a part; each writes the whole part anew when it is changed."""
    part = line.parts[at]
    if part.step is None or part.sides is None:
        _draw_unread(part.text, change)
        return
    step = part.step
    _choose("kind", "What it says", _KINDS, step.kind, lambda kind: change(_with_kind(step, kind)))
    named = step.kind is SentenceKind.TRANSFER and bool(step.agents)
    if SIGNS[step.kind] and not named:
        _segments(
            "sign", "Calculation that it needs", _SIGNS[step.kind], step.sign,
            lambda sign: change(write_part(replace(step, sign=sign))),
        )  # fmt: skip
    if step.kind is SentenceKind.COMPARISON:
        _segments(
            "form", "Form", _FORMS, _form(step),
            lambda form: change(write_part(replace(step, consistent=_FORM_VALUES[form]))),
            "Consistent: the word fits the calculation (“more”, and one adds). Inconsistent: it "
            "suggests the opposite (“more”, yet one subtracts). Any: drawn anew for each pair.",
        )  # fmt: skip
    _draw_people(step, part.sides, letters_for(line), change)
    if at > 0 and step.kind is not SentenceKind.RATE:
        _toggle(step, change)
    _draw_words(step, change)


def _draw_unread(text: str, change: Change) -> None:
    key = "structure unread"
    st.session_state[key] = text
    st.text_input(
        "This part as it was typed",
        key=key,
        on_change=lambda: change(st.session_state[key].strip() or text),
    )


def _form(step: StructureStep) -> str:
    return next(form for form, value in _FORM_VALUES.items() if value is step.consistent)


def _with_kind(step: StructureStep, kind: SentenceKind) -> str:
    """The step as another kind, with what still means something."""
    sign = step.sign if step.sign in SIGNS[kind] else ""
    distractor = step.distractor and kind is not SentenceKind.RATE
    words = {name: getattr(step, name) for name in ("thing", "attribute", "unit")}
    return write_part(StructureStep(kind, sign, distractor=distractor, **words))


def _draw_people(
    step: StructureStep, sides: PartSides, letters: Sequence[str], change: Change
) -> None:
    left, right = st.columns(2, wrap=False)
    match step.kind:
        case SentenceKind.CONTAINER | SentenceKind.RATE:
            with left:
                _choose(
                    "who", "Who", {_OPEN: _automatic(sides.agent), **_as_written(letters)},
                    step.agents[0] if step.agents else _OPEN,
                    lambda who: change(write_part(replace(step, agents=(who,) if who else ()))),
                )  # fmt: skip
        case SentenceKind.TRANSFER:
            giver, receiver = step.agents or (_OPEN, _OPEN)
            none = _NOBODY if step.agents else "left open"
            options = {_OPEN: none, **_as_written(letters)}

            def hand(giver: str, receiver: str) -> None:
                agents = (giver, receiver) if giver or receiver else ()
                change(write_part(replace(step, sign="", agents=agents)))

            with left:
                _choose("giver", "Who gives", options, giver, lambda who: hand(who, receiver))
            with right:
                _choose("receiver", "Who gets", options, receiver, lambda who: hand(giver, who))
        case SentenceKind.COMPARISON:
            new, known = step.agents or (_OPEN, _OPEN)

            def compare(new: str, known: str) -> None:
                agents = (new, known) if new and known else ()
                change(write_part(replace(step, agents=agents)))

            with left:
                _choose(
                    "new", "Who is new",
                    {_OPEN: _automatic("" if step.agents else sides.agent), **_as_written(letters)},
                    new, lambda who: compare(who, known or sides.other if who else _OPEN),
                )  # fmt: skip
            with right:
                _choose(
                    "known", "Compared with",
                    {_OPEN: _automatic("" if step.agents else sides.other), **_as_written(letters)},
                    known, lambda who: compare(new or sides.agent if who else _OPEN, who),
                )  # fmt: skip


def _toggle(step: StructureStep, change: Change) -> None:
    key = "structure distractor"
    st.session_state[key] = step.distractor
    st.toggle(
        "Not needed for the answer",
        key=key,
        on_change=lambda: change(write_part(replace(step, distractor=bool(st.session_state[key])))),
        help="A distractor: a sentence that the answer does not need, to see whether a model is "
        "led astray by it.",
    )


def _draw_words(step: StructureStep, change: Change) -> None:
    words = vocabulary()
    said = " ".join(word for word in (step.attribute, step.thing, step.unit) if word)
    with st.expander(f"Words: {said}" if said else "Words: drawn for each problem"):
        noun = words.nouns.get(step.thing)
        nouns = {word.id: word.plural for word in sorted(words.nouns.values(), key=_plural)}
        units = (*noun.containers, *noun.measures) if noun else tuple(words.units)
        adjectives = noun.attributes if noun else words.attributes
        _word(
            "thing", "Thing", nouns, step.thing,
            lambda word: change(write_part(replace(step, thing=word))),
        )  # fmt: skip
        without = {NO_ATTRIBUTE: "without one", **_as_written(sorted(adjectives))}
        _word(
            "attribute", "Adjective", without, step.attribute,
            lambda word: change(write_part(replace(step, attribute=word))),
        )  # fmt: skip
        _word(
            "unit", "Counted in", {unit: words.units[unit].plural for unit in sorted(units)},
            step.unit, lambda word: change(write_part(replace(step, unit=word))),
        )  # fmt: skip


def _plural(noun: object) -> str:
    return str(getattr(noun, "plural", ""))


def _word(name: str, label: str, known: Mapping[str, str], word: str, change: Change) -> None:
    options = {_OPEN: "drawn", **known}
    if word not in options:
        options[word] = word
    _choose(name, label, options, word, change)


def _automatic(letter: str) -> str:
    return f"automatic ({letter})" if letter else "automatic"


def _as_written(words: Sequence[str]) -> dict[str, str]:
    return {word: word for word in words}


def _choose(
    name: str,
    label: str,
    options: Mapping[T, str],
    value: T,
    change: Callable[[T], None],
) -> None:
    """A list to choose from, whose value is the part's and nothing else's."""
    key = f"structure {name}"
    st.session_state[key] = value
    choosing.selectbox(
        label,
        list(options),
        format_func=lambda option: options[option],
        filter_mode="contains" if len(options) > 12 else None,
        key=key,
        on_change=lambda: change(st.session_state[key]),
    )


def _segments(
    name: str,
    label: str,
    options: Mapping[T, str],
    value: T,
    change: Callable[[T], None],
    explanation: str | None = None,
) -> None:
    """A few choices beside each other."""
    key = f"structure {name}"
    st.session_state[key] = value
    choosing.segmented_control(
        label,
        list(options),
        format_func=lambda option: options[option],
        help=explanation,
        required=True,
        wrap=True,
        key=key,
        on_change=lambda: change(st.session_state[key]),
    )
