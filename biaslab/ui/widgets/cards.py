"""The two members of a pair side by side, as HTML of this project's own making.

Everything that comes from outside (texts of items, names) is escaped, so it stays text.

How far a run is, drawn again every second while it goes on.
"""

from __future__ import annotations

import html
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import streamlit as st

from biaslab.models import ModelForm
from biaslab.runs import MemberDetail, RunRecord, RunStatus, default_database
from biaslab.runs.jobs.queue import JobKind, QueuedWork, place
from biaslab.runs.store.records import ASK_AGAIN
from biaslab.studies import Arms, Design, Item, Pair, Request, Value
from biaslab.studies.study import strategy_label
from biaslab.ui.navigation import ITEMS, link
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.runs import RECORDED
from biaslab.ui.widgets.words import ACTIVE, STATUSES, duration, plain, shown_errors
from schoolmath.malrules.figures import as_svg
from schoolmath.text.figures import MINUS, count, hundredths

_WORDS = re.compile(r"\s+|\d+(?:[/.,]\d+)+|[^\W_]+|[^\w\s]|_")
"""Words, and signs by themselves; a fraction or a decimal is one word."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text.

    Attributes:
        text: the stretch, exactly as it stands; all pieces together are the whole text.
        marked: whether it differs.
    """

    text: str
    marked: bool


def differing(text: str, other: str) -> tuple[Piece, ...]:
    """The text in pieces, those marked that the other text does not have at this place."""
    words, others = _WORDS.findall(text), _WORDS.findall(other)
    same = SequenceMatcher(None, words, others, autojunk=False)
    pieces: list[Piece] = []
    for tag, start, end, _, _ in same.get_opcodes():
        if start < end:
            pieces.append(Piece("".join(words[start:end]), tag != "equal"))
    return _joined(pieces)


def _joined(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Marks run over a single space between marked words; spaces alone are never marked."""
    joined: list[Piece] = []
    waiting = ""
    for piece in pieces:
        blank = not piece.text.strip()
        if blank:
            waiting += piece.text
            continue
        if waiting:
            bridge = piece.marked and joined and joined[-1].marked
            _add(joined, Piece(waiting, bool(bridge)))
            waiting = ""
        lead = len(piece.text) - len(piece.text.lstrip())
        trail = len(piece.text.rstrip())
        if piece.marked:
            inside = bool(joined) and joined[-1].marked
            _add(joined, Piece(piece.text[:lead], inside))
            _add(joined, Piece(piece.text[lead:trail], True))
            waiting = piece.text[trail:]
        else:
            _add(joined, piece)
    _add(joined, Piece(waiting, False))
    return tuple(joined)


def _add(pieces: list[Piece], piece: Piece) -> None:
    if not piece.text:
        return
    if pieces and pieces[-1].marked == piece.marked:
        pieces[-1] = Piece(pieces[-1].text + piece.text, piece.marked)
    else:
        pieces.append(piece)


def span_pieces(text: str, span: tuple[int, int] | None) -> tuple[Piece, ...]:
    """The text in pieces, the part from start to end marked."""
    if span is None:
        return (Piece(text, False),)
    start, end = span
    return tuple(
        piece
        for piece in (
            Piece(text[:start], False), Piece(text[start:end], True), Piece(text[end:], False)
        )
        if piece.text
    )  # fmt: skip


def to_html(pieces: Iterable[Piece]) -> str:
    """The pieces as HTML in which nothing of the text itself is markup."""
    return "".join(
        f"<mark>{html.escape(piece.text)}</mark>" if piece.marked else html.escape(piece.text)
        for piece in pieces
    )


SIGNS = {"+": "+", "-": MINUS, "*": "×", "/": "÷"}
"""Operations as they are written by hand."""


def pair_cards(pair: Pair, arms: Arms, *, working: bool = True) -> None:
    """Draws both members: what is asked with the differing words marked, and the answer.

    With ``working``, the reasoning steps are shown as well.
    """
    x, x_prime = pair.x, pair.x_prime
    st.html(
        '<div class="bl bl-pair">'
        + member_html(x, x_prime, arms.x, "x", working=working)
        + member_html(x_prime, x, arms.x_prime, "x-prime", working=working)
        + "</div>"
    )
    _draw_recorded(pair)


def _draw_recorded(pair: Pair) -> None:
    """What real models answered to this very pair, where a run that comes with BiasLab asked it."""
    found = queries.recorded_answers(pair.x.text, pair.x_prime.text)
    for spec in dict.fromkeys(run.model_spec for run, _ in found):
        name = plain(queries.model_label(spec))
        st.caption(f"{RECORDED} Recorded answers of {name} to the first and to the second problem:")
        # A link has one line, of which a phone shows some forty characters.
        for run, detail in found:
            if run.model_spec == spec:
                how = strategy_label(run.study, run.way)
                said = f"{how}: {_came_out(detail.x)}, {_came_out(detail.x_prime)}"
                link(ITEMS, said, {"run": run.id, "pair": detail.pair.id})


def _came_out(member: MemberDetail) -> str:
    reading = member.reading
    if reading is None or reading.outcome is None:
        return "unread"
    right = {1.0: " (right)", 0.0: " (wrong)"} if member.item.answer else {}
    return f"{reading.value}{right.get(reading.outcome, '')}"


def member_html(
    item: Item,
    other: Item,
    arm: str,
    side: str,
    *,
    working: bool,
    outcomes: Iterable[str] = (),
) -> str:
    """One member as a card.

    Its look follows ``side`` (``x`` or ``x-prime``); ``outcomes`` say how it was
    answered, a line each.
    """
    shown = "".join(f'<p class="bl-outcome">{html.escape(each)}</p>' for each in outcomes)
    steps = steps_html(item.facts.get("steps", ())) if working else ""
    # A study whose outcomes lie on a scale has no right answers.
    right = (
        f'<p class="bl-foot">Right answer: <b>{html.escape(item.answer)}</b></p>'
        if item.answer
        else ""
    )
    return (
        f'<section class="bl-card {side}" aria-label="{html.escape(arm)}">'
        f'<div class="bl-arm">{html.escape(arm)}</div>'
        f'<p class="bl-text">{to_html(differing(item.text, other.text))}</p>'
        f"{picture_with(item)}{steps}"
        f"{right}{shown}</section>"
    )


def steps_html(steps: Sequence[Mapping[str, Any]]) -> str:
    """The calculations that lead to the answer, each in words and as an equation."""
    if not steps:
        return ""
    lines = []
    for step in steps:
        equation = (
            f"{step['left']} {SIGNS.get(step['operation'], step['operation'])} "
            f"{step['right']} = {step['result']}"
        )
        who = html.escape(f"{step['agent']} has {step['result']} {step['what']}")
        lines.append(f"<li><b>{html.escape(equation)}</b> <span class='bl-faint'>{who}</span></li>")
    return f'<ol aria-label="Reasoning steps">{"".join(lines)}</ol>'


def strata_tags(strata: Mapping[str, Value], labels: Mapping[str, str]) -> None:
    """What the pair belongs to, as small labels."""
    tags = "".join(
        f'<span class="bl-tag">{html.escape(labels.get(name, name))}: '
        f"<b>{html.escape(str(value))}</b></span>"
        for name, value in strata.items()
    )
    st.html(f'<div class="bl bl-tags">{tags}</div>')


def facts_list(facts: Mapping[str, str]) -> None:
    """Names and values under one another."""
    rows = "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>"
        for name, value in facts.items()
    )
    st.html(f'<dl class="bl bl-facts">{rows}</dl>')


def figures(values: Mapping[str, str]) -> None:
    """A few numbers with what they count, that wrap on a phone."""
    tiles = "".join(
        f'<div class="bl-figure"><b>{html.escape(value)}</b>'
        f'<span class="bl-faint">{html.escape(name)}</span></div>'
        for name, value in values.items()
    )
    st.html(f'<div class="bl bl-figures">{tiles}</div>')


ROLES = {
    "text": "Text that the model continues",
    "user": "To the model",
    "assistant": "The model's own words before",
    "system": "Instructions to the model",
}


class Bar(NamedTuple):
    """A share as a bar.

    Attributes:
        side: ``x`` or ``x-prime``, which has its colour and hatching.
        label: above it; share: from 0 to 1; value: at its end, in words.
    """

    side: str
    label: str
    share: float
    value: str


def draw_bars(bars: Iterable[Bar], above: str = "", below: str = "") -> None:
    """Draws shares as bars, with a faint line above and below them."""
    drawn = "".join(
        f'<div class="bl-bar {each.side}"><span class="bl-arm">{html.escape(each.label)}</span>'
        f'<div aria-hidden="true"><b style="width:{hundredths(each.share)}%"></b></div>'
        f"<strong>{html.escape(each.value)}</strong></div>"
        for each in bars
    )
    caption = f'<figcaption class="bl-faint">{html.escape(above)}</figcaption>' if above else ""
    foot = f'<p class="bl-faint">{html.escape(below)}</p>' if below else ""
    st.html(f'<figure class="bl bl-bars">{caption}{drawn}{foot}</figure>')


def example_prompt(run: RunRecord) -> None:
    """The first thing that was asked in a run, or will be."""
    with st.expander("The exact prompt, for the first problem"):
        request = _first_request(run)
        if request is None:
            st.caption("Nothing is asked in this way.")
        else:
            show_request(request)


def show_request(request: Request) -> None:
    """The messages of a request as plain text."""
    for message in request.messages:
        st.caption(ROLES.get(message.role, message.role))
        if message.picture:
            st.html(_image(message.picture, "The picture that is shown with it"))
        st.code(message.content, language=None, wrap_lines=True)


def _first_request(run: RunRecord) -> Request | None:
    """As it was sent, where it was; else as it would be."""
    store = queries.store()
    rows = store.pair_rows(run.id, limit=1)
    if rows:
        requests = store.pair_detail(run.id, rows[0].pair).x.requests
        if requests:
            return requests[0]
    study = queries.study_of(run.study)
    design = Design(run.study, 1, run.design.seed, run.design.settings)
    item = next(iter(study.pairs(design))).x
    for strategy in study.strategies:
        if strategy.name == run.strategy:
            return strategy.next_request(item, (), ModelForm(run.model_form))
    return None


def picture_of(question: str, text: str = "") -> str:
    """The picture of a question as HTML; "" where it has none.

    What it shows stands in the question, and once more in its alternative text.

    Args:
        question: anything; see `schoolmath.malrules.reading.problems.figure_in`.
        text: the picture as SVG that was asked with it, if one was: the question tells nothing of
            it then.
    """
    if text:
        title = re.search(r"<title>(.*?)</title>", text, re.DOTALL)
        return _image(text, html.unescape(title[1]) if title else "The picture of the question")
    # Imported when a question is shown: the patterns of all forms take a moment.
    from schoolmath.malrules.reading.problems import figure_in

    figure = figure_in(question)
    return "" if figure is None else _image(as_svg(figure), figure.words)


def picture_with(item: Item) -> str:
    """The picture that an item is asked with as HTML; "" where it is asked in words alone."""
    shown = item.facts.get("picture", "")
    return picture_of("", str(shown)) if shown else ""


def _image(svg: str, words: str) -> str:
    """An image of its own, as markup inside a page is taken out of what Streamlit shows."""
    data = b64encode(svg.encode()).decode()
    return (
        f'<img class="bl-picture" src="data:image/svg+xml;base64,{data}" '
        f'alt="{html.escape(words)}">'
    )


BUSY_SECONDS = 1.0
"""How often a screen looks while something is running."""

IDLE_SECONDS = 5.0
"""How often otherwise: another tab, or the command line, may start something."""

_PANELS = {RunStatus.FAILED: st.error, RunStatus.PAUSED: st.warning}


def live(draw: Callable[[], bool]) -> None:
    """Draws something again and again, faster while something is running.

    Args:
        draw: draws, and says whether anything is running.
    """
    busy_key = f"busy {draw.__module__}.{draw.__qualname__}"

    def look() -> None:
        with shown_errors():
            busy = draw()
            if busy is not st.session_state.get(busy_key):
                st.session_state[busy_key] = busy
                st.rerun()

    seconds = BUSY_SECONDS if st.session_state.get(busy_key) else IDLE_SECONDS
    st.fragment(look, run_every=seconds)()


def progress_bar(run: RunRecord) -> None:
    """Status in words, how far it is and how long it will take."""
    status = STATUSES[run.status]
    if _is_early(run):
        st.progress(1.0, f"**Finished early** · {enough_words(run)}")
        st.caption("A rule that was chosen before the run decided that no more had to be asked.")
    else:
        share = run.items_done / run.items_total if run.items_total else 1.0
        words = f"**{status.name}** · {done_words(run)}"
        if run.status in ACTIVE:
            words += _pace(run)
        st.progress(min(share, 1.0), words)
        st.caption(_waiting(run) or status.explanation)
    if run.message and not _is_shown_by_failures(run):
        shown = _PANELS.get(run.status, st.info)
        shown(plain(run.message))


def done_words(run: RunRecord) -> str:
    """How many answers are there, of how many."""
    samples = run.options.samples
    if samples == 1:
        return f"{run.items_done:,} of {count(run.items_total, 'problem')}"
    problems = count(run.items_total // samples, "problem")
    return f"{run.items_done:,} of {count(run.items_total, 'answer')} ({samples} to {problems})"


def enough_words(run: RunRecord) -> str:
    """How many pairs were enough, where a rule stopped the run early."""
    return f"{run.enough or run.pairs_total:,} of {count(run.pairs_total, 'pair')} were enough"


def waiting_words(work: QueuedWork) -> str:
    """That work waits for its turn, for how many others and why; empty where it does not."""
    path = default_database()
    before = place(path, work)
    if not before:
        return ""
    return f"Waiting: {count(before, 'other job')} first. Jobs take turns on this computer."


def _waiting(run: RunRecord) -> str:
    if run.status not in ACTIVE or run.rate_per_second is not None:
        return ""
    return plain(waiting_words(QueuedWork(JobKind.RUN, run.id)))


def _pace(run: RunRecord) -> str:
    if run.rate_per_second is None:
        return " · opening the model and writing the first answers …" if run.items_done == 0 else ""
    rate = run.rate_per_second
    pace = f"{rate:,.0f} a second" if rate >= 1.5 else f"{rate * 60:,.0f} a minute"
    if run.seconds_left is None:
        return f" · {pace}"
    left = duration(run.seconds_left)
    return f" · {pace} · {left if left.startswith('under') else f'about {left}'} left"


def counts(run: RunRecord) -> None:
    """What became of the problems asked so far."""
    figures(
        {
            "answered": f"{run.answered:,}",
            "could not be read": f"{run.invalid:,}",
            "failed": f"{run.failed:,}",
            "needless" if _is_early(run) else "not asked yet": (
                f"{run.items_total - run.items_done:,}"
            ),
        }
    )


def _is_shown_by_failures(run: RunRecord) -> bool:
    """A finished run says no more than that some failed, which its record says with reasons."""
    return (
        run.status is RunStatus.FINISHED
        and run.failed > 0
        and run.enough is None
        and run.message.endswith(ASK_AGAIN)
    )


def _is_early(run: RunRecord) -> bool:
    return run.enough is not None and run.status is RunStatus.FINISHED
