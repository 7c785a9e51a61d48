"""What may have happened: one problem with a wrong answer, or several, marked row by row."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.answered import AnsweredRow, read_answered, read_options, read_pairs, rows_as_csv
from biaslab.runs.library.sets import find_items
from biaslab.system.roles import May
from biaslab.ui.classroom.paper import draw_paper, teacher_sheet
from biaslab.ui.navigation import IMPORT_ITEMS, WHAT_HAPPENED, link
from biaslab.ui.results.diagnosis import expected_rows, names_of, summary
from biaslab.ui.studies.malgorithm.item_sets import stored_sets
from biaslab.ui.widgets import choosing, queries, visitor
from biaslab.ui.widgets.address import choice, draft_field, flag, integer, typed
from biaslab.ui.widgets.cards import picture_of
from biaslab.ui.widgets.words import CONFIDENCE, plain, raised
from schoolmath.malrules.answers import Working
from schoolmath.malrules.diagnosis import SLIPPED, Candidate, Separation
from schoolmath.malrules.reading import (
    AnswerDiagnoses,
    MeaningDiagnosis,
    UnreadAnswer,
    UnreadProblem,
    helps_of,
    next_problem,
    what_happened,
)
from schoolmath.malrules.rules import Card, rules
from schoolmath.text.figures import count

_DIGITS = re.compile(r"\d+")
_VIEWS = {"one": "One answer", "several": "Several answers"}
VIEW = choice("view", tuple(_VIEWS), "one")
PROBLEM = typed("problem")
ANSWER = typed("answer")
NEXT = integer("next", 1, 1, 99)
_PAPER = flag("paper")

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
            "Nothing is saved or sent. The page's address holds what you type, so a link shows the "
            "same: **use made-up names.**"
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
def happened_for(problem: str, answer: str) -> AnswerDiagnoses:
    """What may have happened, worked out once."""
    return what_happened(problem, answer)


def draw_happened(diagnoses: AnswerDiagnoses) -> None:
    """Draws what may have happened, for each meaning of the problem."""
    if diagnoses.read.as_read:
        st.caption(plain(raised(f"Understood as: {diagnoses.read.as_read}")))
    many = len(diagnoses.meanings) > 1
    if many:
        st.warning(f"This text has {len(diagnoses.meanings)} possible meanings. Both are shown.")
    separations = []
    for index, explained in enumerate(diagnoses.meanings):
        if many:
            st.header(plain(raised(explained.problem.stem())), anchor=False)
        _draw_explained(explained, diagnoses.answer)
        separations.append(next_problem(explained, NEXT.value))
        _draw_next(separations[-1], f"{index}")
    _draw_paper(diagnoses, separations)


_MOST_PRINTED = 3
"""So many explanations of each meaning stand on paper."""


def _draw_paper(diagnoses: AnswerDiagnoses, separations: Sequence[Separation | None]) -> None:
    """The explanations and the problem to ask next as a page to print."""
    st.toggle("Page to print", **_PAPER.bind())
    if not _PAPER.value:
        return
    st.caption("Print with Ctrl+P or ⌘P: only the page below is printed.")
    sheets = []
    for explained, separation in zip(diagnoses.meanings, separations, strict=True):
        found = [_candidate(explained, each) for each in explained.diagnosis.candidates]
        if explained.diagnosis.slip is not None:
            found.insert(len(explained.diagnosis.single), _slip(explained))
        body = f"<h3>The right way</h3>{_right(explained)}" + "".join(
            f"<hr>{each}" for each in found[:_MOST_PRINTED]
        )
        if separation is not None and separation.problem is not None:
            body += f"<hr><h3>The problem to ask next</h3>{_asked_next(separation)}"
        how = explained.unfinished or (
            "The answer is right."
            if explained.diagnosis.correct
            else raised(_headline(explained, diagnoses.answer))
        )
        sheets.append(teacher_sheet("What happened here?", how, raised(body)))
    draw_paper(sheets)


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


def _draw_explained(meaning: MeaningDiagnosis, answer: str) -> None:
    found = meaning.diagnosis
    if meaning.unfinished:
        st.warning(plain(meaning.unfinished), icon=":material/check:")
        _html(_right(meaning))
        return
    if found.correct:
        st.success(
            "The answer is right. A right answer does not show how the pupil got it.",
            icon=":material/check:",
        )
        _html(_right(meaning))
        return
    st.header(plain(raised(_headline(meaning, answer))), anchor=False)
    if meaning.rounded_from:
        st.caption(f"Taken for {meaning.rounded_from}, rounded.")
    if found.unknown:
        _html(_right(meaning))
        return
    left, right = st.columns([3, 2], gap="medium")
    with right, st.container(border=True):
        st.markdown("**The right way**")
        _html(_right(meaning))
    with left:
        shown = [_candidate(meaning, each) for each in found.candidates]
        if found.slip is not None:
            shown.insert(len(found.single), _slip(meaning))
        for each in shown[:_MOST_SHOWN]:
            with st.container(border=True):
                _html(each)
        if shown[_MOST_SHOWN:]:
            with st.expander(f"{len(shown) - _MOST_SHOWN} more, rarer"):
                _html("".join(shown[_MOST_SHOWN:]))
        st.caption(
            "The pupil may also follow no known rule: these are the explanations in the catalogue"
            + ("." if meaning.shown else ", found from the answer alone.")
        )


def _headline(meaning: MeaningDiagnosis, answer: str) -> str:
    """What can be said at all; where the pupil's steps show one explanation, which."""
    if len(meaning.shown) != 1:
        return summary(meaning.diagnosis, answer)
    (found,) = meaning.shown.items()
    which, step = found
    name = names_of(which)
    others = ". Other explanations fit as well" if meaning.diagnosis.ambiguous else ""
    return f"{name[:1].upper()}{name[1:]}: the working shows it, {step}{others}."


def _candidate(meaning: MeaningDiagnosis, candidate: Candidate) -> str:
    cards = [rules()[each].card for each in candidate.rules if each != SLIPPED]
    name = names_of(candidate.rules)
    probe = cards[0].probe if len(cards) == len(candidate.rules) == 1 else ""
    own = set(_DIGITS.findall(probe)) <= set(_DIGITS.findall(meaning.problem.stem()))
    facts = {
        "How sure": meaning.how_sure(candidate, letters=False),
        "To ask" if own else "To ask, for example": probe,
        "What helps": " ".join(f"{each.what} ({each.source})" for each in helps_of(candidate)),
    }
    form = type(meaning.problem).__name__
    letters = {card.confidence_on(form): CONFIDENCE[card.confidence_on(form)] for card in cards}
    researchers = {
        "Code": _technical(cards),
        "Source": "; ".join(card.source for card in cards),
        "How well documented": "; ".join(f"{each.value}: {is_}" for each, is_ in letters.items()),
    }
    return (
        f"<p><strong>{html.escape(name[:1].upper() + name[1:])}</strong></p>"
        f"<p>{html.escape(' '.join(card.description for card in cards))}</p>"
        f"{_steps(candidate.trace)}{facts_html(facts)}"
        f"<details><summary>For researchers</summary>{facts_html(researchers)}</details>"
    )


def _technical(cards: Sequence[Card]) -> str:
    """Ids and the names in the literature, where these are others."""
    return ", ".join(
        card.id if card.slug.replace("-", " ") == card.name.replace("-", " ")
        else f"{card.id} {card.slug}"
        for card in cards
    )  # fmt: skip


def _slip(meaning: MeaningDiagnosis) -> str:
    slip = meaning.diagnosis.slip
    if slip is None:
        return ""
    return (
        f"<p><strong>Correct method with one slip: {html.escape(slip.what)}</strong></p>"
        "<p>Everything is understood; one calculation went wrong.</p>" + _steps(slip.trace)
    )


def _right(meaning: MeaningDiagnosis) -> str:
    asked = meaning.problem.stem()
    return (
        f"<p>{html.escape(asked)}</p>{picture_of(asked)}{_steps(meaning.right, mark=False)}"
        f"<p>Right answer: <strong>{html.escape(meaning.right_answer)}</strong></p>"
    )


def _steps(working: Working, *, mark: bool = True) -> str:
    told = []
    for index, step in enumerate(working.steps):
        text = html.escape(f"{step.text[:1].upper()}{step.text[1:]}.")
        told.append(
            f"<li>{f'<mark>{text}</mark>' if mark and index == working.key_step else text}</li>"
        )
    return f"<ol>{''.join(told)}</ol>"


def facts_html(facts: Mapping[str, str]) -> str:
    """What is said of an explanation, a line each; nothing of what is empty."""
    rows = "".join(
        f"<dt>{name}</dt><dd>{html.escape(text[:1].upper() + text[1:])}</dd>"
        for name, text in facts.items()
        if text
    )
    return f'<dl class="bl bl-facts">{rows}</dl>'


def _draw_next(separation: Separation | None, name: str) -> None:
    if separation is None:
        return
    with st.container(border=True):
        st.markdown("**The problem to ask next**")
        if separation.problem is None:
            st.markdown(plain(f"There is none. {separation.reason}"))
            return
        _html(_asked_next(separation))
        if separation.reason:
            st.caption(plain(f"It cannot separate all explanations. {separation.reason}"))
        st.button(
            "Another one",
            key=f"another {name}",
            on_click=lambda: NEXT.change(NEXT.value % 99 + 1),
        )


def _asked_next(separation: Separation) -> str:
    """A problem, and what each explanation would answer to it."""
    assert separation.problem is not None
    rows = "".join(
        f"<dt>{html.escape(who)}</dt><dd><b>{html.escape(answers)}</b></dd>"
        for who, answers in expected_rows(separation)
    )
    asked = separation.problem.stem()
    return (
        f'<p class="bl-text">{html.escape(asked)}</p>{picture_of(asked)}'
        f'<dl class="bl bl-facts">{rows}</dl>'
    )


def _html(body: str) -> None:
    st.html(f'<div class="bl bl-diagnosis">{raised(body)}</div>')


_SOURCES = {"paste": "I paste them", "file": "In a file", "set": "Wrong options of a saved set"}
_FROM = choice("from", tuple(_SOURCES), "paste")
_SET = typed("items")
_EXAMPLE = "\n".join(f"{problem}; {answer}" for problem, answer in EXAMPLES)
_PASTED = "pasted answers"
_READ = "answers read"
_MOST_PASTED = 50_000
_STATUSES = {
    "explained": "✗ known rule", "slip": "✗ a slip", "none known": "✗ none known",
    "right": "✓ right", "unfinished": "✓ unfinished", "not read": "? not read",
}  # fmt: skip


def draw_several() -> None:
    """Draws the ways to give several answers and what may have happened in each."""
    with st.container(border=True):
        choosing.segmented_control(
            "Where they are", tuple(_SOURCES), format_func=_SOURCES.__getitem__, **_FROM.bind()
        )
        rows = {"file": _from_file, "set": _from_set}.get(_FROM.value, _pasted)()
        st.caption(
            "At most 2,000 rows. They stay in this browser session: nothing is saved, and nothing "
            "stands in the page's address. **Leave names of pupils out.**"
        )
    if rows is None:
        st.info("Give some problems with an answer each; there is an example to paste.")
        return
    _draw_rows(rows)


def _pasted() -> list[AnsweredRow] | None:
    text = st.text_area(
        "A problem and its answer in each line, with a semicolon or a tab between",
        key=_PASTED,
        height=180,
        max_chars=_MOST_PASTED,
        placeholder=_EXAMPLE,
    )
    with st.container(horizontal=True):
        st.button("What happened?", type="primary")
        if not text:
            st.button("Use the example", on_click=_use_example)
    lines = [line for line in (text or "").splitlines() if line.strip()]
    if not lines:
        return None
    return _once(text, lambda: list(read_pairs([_pair(line) for line in lines])))


def _use_example() -> None:
    st.session_state[_PASTED] = _EXAMPLE


def _pair(line: str) -> tuple[str, str]:
    """The last separator parts: word problems have semicolons too."""
    separator = "\t" if "\t" in line else ";"
    problem, _, answer = line.rpartition(separator)
    return (problem.strip(), answer.strip()) if problem else (answer.strip(), "")


def _from_file() -> list[AnsweredRow] | None:
    if visitor.refused(May.KEEP):
        return None
    uploaded = st.file_uploader(
        "A table with the columns problem and answer",
        type=["csv", "tsv", "xlsx", "json", "jsonl", "xml"],
    )
    if uploaded is None:
        return None
    try:
        return _once(
            uploaded.file_id, lambda: list(read_answered(uploaded.getvalue(), uploaded.name))
        )
    except InterchangeError as refused:
        st.error(plain(str(refused)), icon=":material/error:")
        return None


def _from_set() -> list[AnsweredRow] | None:
    sets = stored_sets()
    if not sets:
        st.info("No set of items is saved yet. Keep one on Import items.")
        link(IMPORT_ITEMS, "Import items")
        return None
    if _SET.value and _SET.value not in sets:
        st.warning("The set that the link names is not in this file of runs. Choose one.")
    chosen = choosing.selectbox(
        "Set of items",
        ["", *sets],
        format_func=lambda each: (
            f"{sets[each].name} ({count(sets[each].items, 'item')})" if each else "choose a set"
        ),
        **_SET.bind(),
    )
    if chosen not in sets:
        return None
    found = find_items(queries.store(), chosen)
    return _once(f"set {chosen}", lambda: list(read_options(found or ())))


def _once(text: str, read: Callable[[], list[AnsweredRow]]) -> list[AnsweredRow]:
    """What was read of what this session gave last; two thousand rows take some seconds."""
    kept: tuple[str, list[AnsweredRow]] | None = st.session_state.get(_READ)
    if kept is None or kept[0] != text:
        with st.spinner("Looking at each row"):
            kept = (text, read())
        st.session_state[_READ] = kept
    return kept[1]


def _draw_rows(rows: Sequence[AnsweredRow]) -> None:
    counted = Counter(row.status for row in rows)
    told = ", ".join(f"{counted[each]} {each}" for each in _STATUSES if counted[each])
    st.header(f"{count(len(rows), 'answer')}: {told}", anchor=False)
    shares = _by_rule(rows)
    if shares:
        st.markdown("**Which rules come up**")
        st.dataframe(shares, hide_index=True, width="stretch")
    st.markdown("**Row by row**")
    labelled = any(row.label for row in rows)
    st.dataframe(
        [
            {
                "row": row.number,
                "problem": row.problem,
                "answer": row.answer,
                "what happened": _STATUSES[row.status],
                "known rules that give it": _rules(row),
                "right answer": "" if row.happened is None
                else row.happened.meanings[0].right_answer,
                **({"what the file says": row.label} if labelled else {}),
                "why it was not read": row.reason,
            }
            for row in rows
        ],
        hide_index=True,
        width="stretch",
    )  # fmt: skip
    st.download_button(
        "Download with next problems (CSV)",
        lambda: rows_as_csv(rows, 1),
        "what-happened.csv",
        "text/csv",
        icon=":material/download:",
    )
    wrong = [row for row in rows if row.status == "explained"]
    if wrong:
        with st.expander("Look at one, step by step"):
            for row in wrong[:30]:
                link(
                    WHAT_HAPPENED,
                    plain(f"{row.problem} → {row.answer}"),
                    {VIEW.name: "one", PROBLEM.name: row.problem, ANSWER.name: row.answer},
                    icon=":material/arrow_forward:",
                )


def _rules(row: AnsweredRow) -> str:
    if row.happened is None:
        return ""
    return "; ".join(names_of(each.rules) for each in row.happened.meanings[0].diagnosis.single)


def _by_rule(rows: Sequence[AnsweredRow]) -> list[dict[str, str | int]]:
    """How many answers each single rule would explain; one answer may count for several rules."""
    counted: Counter[str] = Counter()
    for row in rows:
        if row.happened is not None:
            single = row.happened.meanings[0].diagnosis.single
            counted.update({each.rules[0] for each in single})
    return [
        {"rule": names_of((rule,)), "id": rule, "answers it would explain": number}
        for rule, number in counted.most_common()
    ]
