"""One problem and one wrong answer: what may have happened, and the next problem."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from functools import lru_cache

import streamlit as st

from biaslab.ui.navigation import WHAT_HAPPENED, link
from biaslab.ui.results.diagnosis_words import expected_rows, names_of, summary
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import choice, draft_field, integer, typed
from biaslab.ui.widgets.cards import picture_of
from biaslab.ui.widgets.words import CONFIDENCE, plain
from schoolmath.malrules.answers import Worked
from schoolmath.malrules.diagnosis import SLIPPED, Candidate
from schoolmath.malrules.reading import (
    Happened,
    MeaningDiagnosis,
    UnreadAnswer,
    UnreadProblem,
    helps_of,
    next_problem,
    what_happened,
)
from schoolmath.malrules.rules import Card, rules

_VIEWS = {"one": "One answer", "several": "Several answers"}
VIEW = choice("view", tuple(_VIEWS), "one")
PROBLEM = typed("problem")
ANSWER = typed("answer")
NEXT = integer("next", 1, 1, 99)

EXAMPLES: tuple[tuple[str, str], ...] = (
    ("702 - 345", "443"),
    ("1/2 + 1/3", "2/5"),
    ("Solve for x: 3x + 12 = 33", "15"),
    ("Which is larger, 0.5 or 0.35?", "0.35"),
    ("Ana has 15 pens. Ana has 6 more pens than Ben. How many pens does Ben have?", "21"),
)
"""Problems with a wrong answer that a known rule gives."""
_MOST_SHOWN = 6
"""So many explanations are open at once; the rest is behind a click."""


def draw_view() -> None:
    """Draws the choice between one answer and several."""
    choosing.segmented_control(
        "How many answers",
        tuple(_VIEWS),
        format_func=_VIEWS.__getitem__,
        label_visibility="collapsed",
        **VIEW.bind(),
    )


def draw_one() -> None:
    """Draws the fields and, where they are filled, what may have happened."""
    with st.container(border=True):
        problem, answer = st.columns([3, 1], gap="medium")
        with problem:
            draft_field(
                "The problem", PROBLEM, long=True, height=96, max_chars=2_000,
                placeholder="For example: 702 - 345, a word problem, or two numbers in columns",
            )  # fmt: skip
        with answer:
            draft_field("The wrong answer", ANSWER, max_chars=60, placeholder="443")
            st.button("What happened?", type="primary")
        st.caption(
            "Nothing is kept or sent anywhere; what you type stands in the page's address, so a "
            "link shows the same. **Write made-up names in place of real pupils'.**"
        )
    if not PROBLEM.value or not ANSWER.value:
        _draw_examples()
        return
    try:
        happened = happened_for(PROBLEM.value, ANSWER.value)
    except (UnreadProblem, UnreadAnswer) as refused:
        st.error(plain(str(refused)), icon=":material/error:")
        _draw_examples()
        return
    draw_happened(happened)


@lru_cache(maxsize=512)
def happened_for(problem: str, answer: str) -> Happened:
    """What may have happened, worked out once."""
    return what_happened(problem, answer)


def draw_happened(happened: Happened) -> None:
    """Draws what may have happened, for each meaning of the problem."""
    if happened.read.as_read:
        st.caption(plain(f"Understood as: {happened.read.as_read}"))
    many = len(happened.meanings) > 1
    if many:
        st.warning(f"This text can mean {len(happened.meanings)} things. Both are shown.")
    for index, explained in enumerate(happened.meanings):
        if many:
            st.header(plain(explained.problem.stem()), anchor=False)
        _draw_explained(explained, happened.answer)
        _draw_next(explained, f"{index}")


def _draw_examples() -> None:
    st.info("Type a problem and an answer, or look at an example.")
    with st.container():
        for problem, answer in EXAMPLES:
            link(
                WHAT_HAPPENED,
                plain(f"{problem} → {answer}"),
                {PROBLEM.name: problem, ANSWER.name: answer},
                icon=":material/arrow_forward:",
            )


def _draw_explained(explained: MeaningDiagnosis, answer: str) -> None:
    found = explained.diagnosis
    if found.correct:
        st.success(
            "The answer is right. A right answer says nothing about how it came about.",
            icon=":material/check:",
        )
        _html(_right(explained))
        return
    st.header(plain(summary(found, answer)), anchor=False)
    if explained.rounded_from:
        st.caption(f"Taken for {explained.rounded_from}, rounded.")
    if found.unknown:
        _html(_right(explained))
        return
    left, right = st.columns([3, 2], gap="medium")
    with right, st.container(border=True):
        st.markdown("**The right way**")
        _html(_right(explained))
    with left:
        shown = [_candidate(explained, each) for each in found.candidates]
        if found.slip is not None:
            shown.insert(len(found.single), _slip(explained))
        for each in shown[:_MOST_SHOWN]:
            with st.container(border=True):
                _html(each)
        if shown[_MOST_SHOWN:]:
            with st.expander(f"{len(shown) - _MOST_SHOWN} more, rarer"):
                _html("".join(shown[_MOST_SHOWN:]))
        _html(f'<p class="bl-faint">{_letters(explained)}</p>')


def _candidate(explained: MeaningDiagnosis, candidate: Candidate) -> str:
    cards = [rules()[each].card for each in candidate.rules if each != SLIPPED]
    name = names_of(candidate.rules)
    facts = {
        "How sure": explained.how_sure(candidate),
        "To ask": cards[0].probe if len(cards) == len(candidate.rules) == 1 else "",
        "What helps": " ".join(f"{each.what} ({each.source})" for each in helps_of(candidate)),
        "Source": "; ".join(card.source for card in cards),
    }
    return (
        f"<p><strong>{html.escape(name[:1].upper() + name[1:])}</strong> "
        f'<span class="bl-faint">{html.escape(_technical(cards))}</span></p>'
        f"<p>{html.escape(' '.join(card.description for card in cards))}</p>"
        f"{_steps(candidate.trace)}{_facts(facts)}"
    )


def _technical(cards: Sequence[Card]) -> str:
    """Ids and the names in the literature, where these are others."""
    return ", ".join(
        card.id if card.slug.replace("-", " ") == card.name.replace("-", " ")
        else f"{card.id} {card.slug}"
        for card in cards
    )  # fmt: skip


def _slip(explained: MeaningDiagnosis) -> str:
    slip = explained.diagnosis.slip
    if slip is None:
        return ""
    return (
        f"<p><strong>Right plan and a slip: {html.escape(slip.what)}</strong></p>"
        "<p>Everything is understood; one calculation went wrong.</p>" + _steps(slip.trace)
    )


def _right(explained: MeaningDiagnosis) -> str:
    asked = explained.problem.stem()
    return (
        f"<p>{html.escape(asked)}</p>{picture_of(asked)}{_steps(explained.right, mark=False)}"
        f"<p>Right answer: <strong>{html.escape(explained.right.answer.shown)}</strong></p>"
    )


def _steps(worked: Worked, *, mark: bool = True) -> str:
    told = []
    for index, step in enumerate(worked.steps):
        text = html.escape(f"{step.text[:1].upper()}{step.text[1:]}.")
        told.append(
            f"<li>{f'<mark>{text}</mark>' if mark and index == worked.key_step else text}</li>"
        )
    return f"<ol>{''.join(told)}</ol>"


def _facts(facts: Mapping[str, str]) -> str:
    rows = "".join(
        f"<dt>{name}</dt><dd>{html.escape(text[:1].upper() + text[1:])}</dd>"
        for name, text in facts.items()
        if text
    )
    return f'<dl class="bl bl-facts">{rows}</dl>'


def _letters(explained: MeaningDiagnosis) -> str:
    known = rules()
    letters = sorted(
        {
            known[each].card.confidence_on(type(explained.problem).__name__)
            for one in explained.diagnosis.candidates
            for each in one.rules
            if each in known
        }
    )
    told = "; ".join(f"{letter.value} is {CONFIDENCE[letter]}" for letter in letters)
    return html.escape(
        (f"Sources: {told}. " if told else "")
        + "No known rule is always possible too: these are the explanations that the catalogue "
        "knows, found from the answer alone."
    )


def _draw_next(explained: MeaningDiagnosis, name: str) -> None:
    separation = next_problem(explained, NEXT.value)
    if separation is None:
        return
    with st.container(border=True):
        st.markdown("**The problem to ask next**")
        if separation.problem is None:
            st.markdown(plain(f"There is none. {separation.reason}"))
            return
        rows = "".join(
            f"<dt>{html.escape(who)}</dt><dd><b>{html.escape(answers)}</b></dd>"
            for who, answers in expected_rows(separation)
        )
        asked = separation.problem.stem()
        _html(
            f'<p class="bl-text">{html.escape(asked)}</p>{picture_of(asked)}'
            f'<dl class="bl bl-facts">{rows}</dl>'
        )
        if separation.reason:
            st.caption(plain(f"It does not tell everything apart. {separation.reason}"))
        st.button(
            "Another one",
            key=f"another {name}",
            on_click=lambda: NEXT.change(NEXT.value % 99 + 1),
        )


def _html(body: str) -> None:
    st.html(f'<div class="bl bl-diagnosis">{body}</div>')
