"""The builder of a structure: its sentences one below the other, and the same as a line of text."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from biaslab.studies import Design, Experiment
from biaslab.studies.designs import range_of
from biaslab.studies.study import LONGEST_TEXT
from biaslab.studies.word_problems.composed import NUMBERS, ComposedStudy
from biaslab.studies.word_problems.composing import Composer
from biaslab.ui.studies.word_problems.structure_text import (
    PartSides,
    StructureLine,
    examples,
    join,
    letters_for,
    read_line,
    write_part,
)
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter, integer
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError, Draws, Problem, solve, write
from schoolmath.problems.quantities import NumberRange
from schoolmath.problems.structure import (
    MOST_PARTS,
    NO_ATTRIBUTE,
    SIGNS,
    SentenceKind,
    StructureError,
    StructureStep,
)
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

            def compare(new: str, first: str) -> None:
                agents = (new, first) if new and first else ()
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


def _word(name: str, label: str, words: Mapping[str, str], word: str, change: Change) -> None:
    options = {_OPEN: "drawn", **words}
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


TEMPLATES = {
    "One comparison (as in the carry study)": "container . comparison",
    "Gives some away": "container . transfer-",
    "Gives to a friend": "container . transfer A>B",
    "As in the consistency study": "container . transfer . comparison . transfer",
    "Consistency study, with boxes": "container . comparison . rate",
    "As in the transfer study": "container . transfer . transfer . transfer",
    "The comparisons of that study": "container . comparison . comparison . comparison",
    "Compared the other way round": "container . comparison+ inconsistent . transfer-",
    "Times as many": "container . comparison* consistent",
    "Opened boxes": "container . transfer+ . rate*",
    "Packed into boxes": "container . transfer- . rate/",
    "A sentence too many": "container . container distractor . comparison . transfer",
    "Four steps": "container . transfer- . transfer+ . comparison+ inconsistent . rate",
    "Five steps": "container . transfer+ . comparison- . transfer- . comparison+ . transfer+",
}
"""Lines by what they are called on screens: the structures of the three studies and some more."""


_ADD = {
    SentenceKind.CONTAINER: ("Has", "Somebody has some: a container."),
    SentenceKind.TRANSFER: (
        "Gives or gets",
        "Somebody gives, gets, buys or sells some: a transfer.",
    ),
    SentenceKind.COMPARISON: (
        "Compares",
        "Somebody has more or fewer than somebody else: a comparison.",
    ),
    SentenceKind.RATE: ("Boxes", "Each box holds so many, or they are packed into boxes: a rate."),
}
_TEMPLATE = "structure template"


def line_parameter(default: str) -> Parameter[str]:
    """The line as it stands in the address, right or wrong."""
    return Parameter("structure", default, _one_line)


def part_parameter(parts: int) -> Parameter[int]:
    """Which part is open, from 1."""
    return integer("part", 1, 1, max(parts, 1))


def draw_builder(
    parameter: Parameter[str],
    error: DesignError | None = None,
    begun: Callable[[], None] | None = None,
) -> None:
    """Draws templates, sentences, the fields of the open one, and the line.

    Args:
        parameter: the line (`line_parameter`).
        error: why the study refuses a line that makes sense by itself, such as words that no
            thing has; None where it does not.
        begun: what else to set when an example structure was chosen.
    """
    line = read_line(parameter.value)
    if line.error is None and isinstance(error, StructureError):
        line = replace(line, error=error)
    _draw_templates(parameter, begun)
    if line.parts:
        _draw_sentences(line, parameter)
    _draw_adding(line, parameter)
    _draw_line(line, parameter)


def _draw_templates(parameter: Parameter[str], begun: Callable[[], None] | None) -> None:
    names = {text: name for name, text in TEMPLATES.items()}
    st.session_state[_TEMPLATE] = names.get(parameter.value)

    def begin() -> None:
        name = st.session_state[_TEMPLATE]
        if name is not None:
            _write(parameter, TEMPLATES[name], 1)
            if begun is not None:
                begun()

    choosing.selectbox(
        "Begin with",
        list(TEMPLATES),
        index=None,
        placeholder="A structure of your own; choose an example",
        key=_TEMPLATE,
        on_change=begin,
        help="An example structure takes the place of the one below.",
    )


def _draw_sentences(line: StructureLine, parameter: Parameter[str]) -> None:
    open_part = part_parameter(len(line.parts))
    sentences = examples(line)
    wrong = None if line.error is None else line.error.part
    choosing.radio(
        "Parts of the problem, a sentence each",
        list(range(1, len(line.parts) + 1)),
        format_func=lambda number: _option(number, sentences[number - 1], wrong == number - 1),
        captions=[plain(part.text) for part in line.parts],
        help="A, B and C stand for people; the numbers and the things are drawn. Choose a "
        "part to change it. The question at the end asks for what the last step settles.",
        **open_part.bind(),
    )
    at = open_part.value - 1
    with st.container(border=True):
        st.markdown(f"**Part {at + 1}**")
        if line.error is not None and wrong == at:
            _tell(line)
        draw_fields(line, at, lambda text: _replace(parameter, line, at, text))
        _draw_moves(line, at, parameter)
    if line.error is not None and wrong is not None and wrong != at and wrong < len(line.parts):
        _tell(line)
        st.button(
            f"Go to part {wrong + 1}",
            key="structure go",
            on_click=open_part.change,
            args=(wrong + 1,),
        )


def _option(number: int, sentence: str, wrong: bool) -> str:
    text = f"{number}\\. {plain(sentence)}"
    return f":material/error: {text}" if wrong else text


def _draw_moves(line: StructureLine, at: int, parameter: Parameter[str]) -> None:
    texts = line.texts
    with st.container(horizontal=True):
        st.button(
            "Move up",
            key="structure up",
            icon=":material/arrow_upward:",
            disabled=at == 0,
            on_click=_move,
            args=(parameter, texts, at, at - 1),
        )
        st.button(
            "Move down",
            key="structure down",
            icon=":material/arrow_downward:",
            disabled=at + 1 == len(texts),
            on_click=_move,
            args=(parameter, texts, at, at + 1),
        )
        st.button(
            "Remove",
            key="structure remove",
            icon=":material/delete:",
            on_click=_remove,
            args=(parameter, texts, at),
        )


def _draw_adding(line: StructureLine, parameter: Parameter[str]) -> None:
    full = len(line.parts) >= MOST_PARTS
    st.caption(f"A structure has at most {MOST_PARTS} parts." if full else "Add a part at the end:")
    with st.container(horizontal=True):
        for kind, (label, explanation) in _ADD.items():
            st.button(
                label,
                key=f"structure add {kind}",
                icon=":material/add:",
                help=explanation,
                disabled=full,
                on_click=_write,
                args=(parameter, join([*line.texts, kind]), len(line.parts) + 1),
            )


def _draw_line(line: StructureLine, parameter: Parameter[str]) -> None:
    st.text_input(
        "The same as one line of text",
        max_chars=LONGEST_TEXT,
        help="Parts are separated by full stops. A part is container, transfer, comparison or "
        "rate; then + - * or / for the calculation; then, in any order: "
        "consistent or inconsistent, who (A; A>B: A gives to B; B:A: B is compared with A), "
        "distractor, thing=apple, attribute=red, unit=box.",
        **parameter.bind(),
    )
    start, end = line.fault
    if end > start:
        marked = (
            f"{html.escape(line.text[:start])}<mark>{html.escape(line.text[start:end])}</mark>"
            f"{html.escape(line.text[end:])}"
        )
        st.html(f'<div class="bl bl-pre" aria-label="Where the fault stands">{marked}</div>')
    if line.error is not None and (line.error.part is None or line.error.part >= len(line.parts)):
        _tell(line)


def _tell(line: StructureLine) -> None:
    assert line.error is not None
    st.error(f"{plain(line.error.reason)} {plain(line.error.suggestion)}", icon=":material/error:")


def _write(parameter: Parameter[str], text: str, part: int) -> None:
    """Puts a line into the address and opens one of its parts."""
    parameter.change(text)
    part_parameter(MOST_PARTS).change(part)


def _replace(parameter: Parameter[str], line: StructureLine, at: int, text: str) -> None:
    texts = line.texts
    texts[at] = text
    _write(parameter, join(texts), at + 1)


def _move(parameter: Parameter[str], texts: Sequence[str], at: int, to: int) -> None:
    moved = [*texts]
    moved.insert(to, moved.pop(at))
    _write(parameter, join(moved), to + 1)


def _remove(parameter: Parameter[str], texts: Sequence[str], at: int) -> None:
    left = [text for index, text in enumerate(texts) if index != at]
    _write(parameter, join(left), max(min(at + 1, len(left)), 1))


def _one_line(text: str) -> str | None:
    """The text as one line; None where no line is that long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TEXT else None


_ATTEMPTS = 100
_WIDER = NumberRange(2, 99)
"""Tried where the design's own range holds no numbers."""


def ask_for_set(_study: Experiment, _design: Design) -> bool:
    """Says that a set of pairs has to be chosen."""
    st.info("Choose a set of pairs at the left. A set is made by importing a file of pairs.")
    return True


def draw_example(study: Experiment, design: Design) -> bool:
    """Says that there are no pairs yet, with an example problem where the structure has one."""
    problem = example_problem(study, design)
    if problem is None:
        return False
    st.info(
        "There are no pairs yet: see the reason next to the settings. This is a problem of this "
        "structure without a pair."
    )
    st.html(
        '<section class="bl bl-card" aria-label="Example problem">'
        f'<p class="bl-text">{html.escape(str(write(problem)))}</p>'
        f'<p class="bl-foot">Right answer: <b>{solve(problem).answer}</b></p></section>'
    )
    return True


def example_problem(study: Experiment, design: Design) -> Problem | None:
    """One problem of the design's structure; None where there is none, or no structure."""
    if not isinstance(study, ComposedStudy):
        return None
    try:
        plan = study.plan(design)
        try:
            ranges = [NumberRange(*range_of(design, NUMBERS)), _WIDER]
        except DesignError:
            ranges = [_WIDER]
        for numbers in ranges:
            composer = Composer(plan, numbers, Draws(f"example/{design.seed}"))
            for _ in range(_ATTEMPTS):
                problem = composer.draw()
                if problem is not None:
                    return problem
    except DesignError:
        return None
    return None
