"""A text that the readers refuse: read by hand or by a language model, or rephrased by one."""

from __future__ import annotations

import html
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256

import streamlit as st

from biaslab.models import Completion, Failure, GenerationRequest
from biaslab.runs import RunError
from biaslab.studies.word_problems.custom.asking_models import (
    ReadByModel,
    RephrasedText,
    judge_reading,
    judge_rephrasing,
    reading_requests,
    rephrasing_request,
)
from biaslab.studies.word_problems.custom.problem import CustomProblem, understand
from biaslab.ui.custom_pairs.text import draw_sentences, uploaded_words, use_text
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.language_model import ReadyModel, draw_writer
from biaslab.ui.widgets.words import plain, shown_errors
from schoolmath.problems.custom_words import written_file
from schoolmath.problems.proposals import AmountRelation, ProposedStatement, lines_of
from schoolmath.problems.proposals.by_hand import ByHand, by_sentence, read_by_hand, sheet_of
from schoolmath.problems.proposals.sheet import Meaning, ProblemSheet, SheetPlace, taught_words
from schoolmath.problems.proposals.statements import OF_TWO
from schoolmath.problems.proposals.telling import statement_in_words
from schoolmath.problems.reading import read
from schoolmath.problems.stories.strategies.terms import shown

_REPHRASED = "own problem rephrased"


def draw_rephrasing(own: CustomProblem, writer: ReadyModel | None) -> None:
    """Draws the button, and what the model wrote in place of the text."""
    st.caption(
        "**Rephrase:** it writes your text in sentences that can be read. What it writes is read "
        "back, solved, and compared with the numbers and names of your text; you see both and "
        "decide."
    )
    if st.button("Ask this model to rephrase", disabled=writer is None):
        assert writer is not None
        with shown_errors(), st.spinner("Asking …"):
            (answer,) = ask_all(writer, [rephrasing_request(own.text, writer.form)])
            st.session_state[_REPHRASED] = (own.text, judge_rephrasing(own.text, answer))
    kept: tuple[str, RephrasedText] | None = st.session_state.get(_REPHRASED)
    if kept is not None and kept[0] == own.text:
        _draw_rephrased(own, kept[1])


def ask_all(writer: ReadyModel, requests: Sequence[GenerationRequest]) -> list[Completion]:
    """The model's answers to all requests, in their order.

    Raises:
        RunError: one has no answer.
    """
    found: dict[int, Completion] = {}
    with closing(writer.ask(requests)) as answered:
        for place, answer in answered:
            if not isinstance(answer, Completion):
                raise RunError(_no_answer(answer))
            found[place] = answer
    if len(found) < len(requests):
        raise RunError("The model gave no answer. Try again.")
    return [found[place] for place in range(len(requests))]


def _no_answer(failure: Failure) -> str:
    again = " Try again in a while." if failure.retryable else ""
    return f"{failure.reason}{again}"


def _draw_rephrased(own: CustomProblem, rephrased: RephrasedText) -> None:
    st.html(
        '<div class="bl bl-pair">'
        + _card("x", "Your text", own.text)
        + _card("x-prime", "The model's sentences", rephrased.text)
        + "</div>"
    )
    if not rephrased.offered:
        lines = "\n".join(f"- {plain(reason.text)}" for reason in rephrased.reasons)
        st.warning("It did not pass the check, so it is not offered:\n\n" + lines)
        return
    again = understand(rephrased.text)
    st.success(
        f"It can be read; the answer is {again.answer}. The numbers are those of your text. "
        "Whether the story is the same, only you can say.",
        icon=":material/check:",
    )
    draw_sentences(again)
    with st.container(horizontal=True):
        st.button(
            "It says the same: use it", type="primary", on_click=use_text, args=(rephrased.text,)
        )
        st.button("Leave it", on_click=lambda: st.session_state.pop(_REPHRASED, None))


def _card(side: str, title: str, text: str) -> str:
    return (
        f'<section class="bl-card {side}" aria-label="{title}"><div class="bl-arm">{title}</div>'
        f'<p class="bl-text">{html.escape(text)}</p></section>'
    )


_PROPOSAL = "own problem read by a model"


def draw_help(own: CustomProblem) -> None:
    """Draws the choice of the model, what it can do, and what it did."""
    with st.expander("Or let a language model read or rephrase it"):
        st.caption("**Your text is sent to the model you choose.**")
        writer = draw_writer("rephrase")
        _draw_reading(own, writer)
        draw_rephrasing(own, writer)


def _draw_reading(own: CustomProblem, writer: ReadyModel | None) -> None:
    st.caption(
        "**Read:** it says what each number is, and apart from that writes the calculation. Both "
        "must agree with each other, with every clause of your text and with the readers here; "
        "anything unchecked is refused."
    )
    if st.button("Ask this model to read it", type="primary", disabled=writer is None):
        assert writer is not None
        with shown_errors(), st.spinner("Asking twice …"):
            asked = reading_requests(own.text, writer.form)
            reading, calculation = ask_all(writer, asked)
            found = judge_reading(own.text, reading, calculation)
            st.session_state[_PROPOSAL] = (own.text, writer.label, found)
    kept: tuple[str, str, ReadByModel] | None = st.session_state.get(_PROPOSAL)
    if kept is not None and kept[0] == own.text:
        _draw_proposal(kept[1], kept[2])


def _draw_proposal(model: str, proposal: ReadByModel) -> None:
    checked = proposal.checked
    if proposal.proposal is not None:
        lines = "".join(f"<li>{html.escape(line)}</li>" for line in lines_of(proposal.proposal))
        st.html(f'<ol class="bl" aria-label="What the model read">{lines}</ol>')
    if checked.answer is None:
        reasons = "\n".join(f"- {plain(reason)}" for reason in checked.reasons)
        st.warning("What it read did not pass the check, so it is not taken:\n\n" + reasons)
        return
    steps = "".join(f"<li><b>{html.escape(step)}</b></li>" for step in checked.steps)
    shown = html.escape(checked.shown_answer)
    st.html(
        f'<div class="bl"><ol aria-label="Steps">{steps}</ol>'
        f'<p class="bl-foot">Answer: <b>{shown}</b></p></div>'
    )
    st.success(
        f"Read by {plain(model)}, checked. That is no proof: only you can say whether the model "
        "read what is meant.",
        icon=":material/check:",
    )
    st.markdown(f"**In plain sentences:** {plain(checked.sentences)}")
    if read(checked.sentences).solution is not None:
        st.button("Make pairs of these sentences", on_click=use_text, args=(checked.sentences,))


_NOTHING, _AT_FIRST = "nothing", "at first"
_TOLD = {
    AmountRelation.HAS.value: "has, or there is",
    AmountRelation.GETS.value: "gets",
    AmountRelation.LOSES.value: "loses, or uses up",
    AmountRelation.GIVES.value: "gives to",
    AmountRelation.MORE.value: "has more than",
    AmountRelation.FEWER.value: "has fewer than",
    AmountRelation.TIMES.value: "has times as many as",
    AmountRelation.HOLDS.value: "is in each",
    AmountRelation.TOGETHER.value: "have together",
    _NOTHING: "does not matter",
}
_ASKED = {
    AmountRelation.HAS.value: "how many somebody has (now, left)",
    _AT_FIRST: "how many somebody had at first",
    AmountRelation.TOGETHER.value: "how many altogether",
    AmountRelation.MORE.value: "how many more than",
    AmountRelation.FEWER.value: "how many fewer than",
    AmountRelation.TIMES.value: "how many times as many",
    AmountRelation.GETS.value: "how many somebody gets",
    AmountRelation.LOSES.value: "how many somebody loses or uses up",
    AmountRelation.GIVES.value: "how many somebody gives",
    AmountRelation.HOLDS.value: "how many are in each",
}
_WHOM = {
    AmountRelation.GIVES: "To whom",
    AmountRelation.MORE: "Than whom",
    AmountRelation.FEWER: "Than whom",
    AmountRelation.TIMES: "As whom",
}


def draw_by_hand(text: str) -> None:
    """Draws the sentences with a small form for each number that is not read, and the answer."""
    sheet = sheet_of(text)
    st.header("Read it yourself", anchor=False)
    st.caption(
        "Say for each number who has, gets or loses what, and what is asked. The answer is worked "
        "out and checked here; nothing is sent anywhere or saved."
    )
    form, result = st.columns([3, 2], gap="medium")
    key = f"by hand {sha256(text.encode()).hexdigest()[:12]}"
    meanings: list[Meaning | None] = [None] * len(sheet.places)
    with form:
        for number, (sentence, places) in enumerate(by_sentence(sheet), start=1):
            with st.container(border=True):
                st.html(f'<p class="bl"><b>{number}.</b> {html.escape(sentence)}</p>')
                if not places:
                    st.caption("No number: nothing to say.")
                for index in places:
                    meanings[index] = _draw_place(sheet, index, f"{key} {index}")
    with result, st.container(border=True):
        _draw_result(sheet, meanings, read_by_hand(sheet, meanings), key)


def _draw_place(sheet: ProblemSheet, index: int, key: str) -> Meaning | None:
    place = sheet.places[index]
    if place.read and place.guess is not None and place.guess.statement is not None:
        said = place.guess.statement
        asked = f"asked is how many {said.what[0]} {said.who[0]} has." if place.asks else ""
        st.caption(f"✓ Understood: {plain(asked or statement_in_words(said))}")
        if not st.toggle("Change", key=f"{key} change"):
            return place.guess
    return _draw_form(sheet, place, key)


def _draw_form(sheet: ProblemSheet, place: SheetPlace, key: str) -> Meaning | None:
    """The form of a number or question; None while it says nothing."""
    options = _ASKED if place.asks else _TOLD
    guess = place.guess
    said = None if guess is None else guess.statement
    first = None
    if guess is not None:
        first = _AT_FIRST if guess.at_first else _NOTHING if said is None else said.relation.value
    chosen = choosing.selectbox(
        "The question asks" if place.asks else f"“{plain(place.label)}”",
        list(options),
        index=None if first is None else list(options).index(first),
        format_func=options.__getitem__,
        placeholder="Choose what it means",
        key=f"{key} relation",
    )
    if chosen is None:
        return None
    if chosen == _NOTHING:
        return Meaning(None)
    relation = AmountRelation.HAS if chosen == _AT_FIRST else AmountRelation(chosen)
    who, what, whom = _draw_words(sheet, relation, said, key)
    statement = ProposedStatement(
        relation, who, what, place.number, place.asks, whom, place.sentence
    )
    return Meaning(statement, chosen == _AT_FIRST)


def _draw_words(
    sheet: ProblemSheet, relation: AmountRelation, statement: ProposedStatement | None, key: str
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    if relation is AmountRelation.TOGETHER:
        left, right = st.columns(2)
        with left:
            who = _choose_several(
                "Who", sheet.names, statement.who if statement else (), f"{key} all"
            )
        with right:
            things = statement.what if statement else ()
            what = _choose_several("Of what", sheet.things, things, f"{key} things")
        return who, what, ""
    two = relation in OF_TWO or relation is AmountRelation.HOLDS
    columns = st.columns(3 if two else 2)
    # Two kinds of things can be compared as two people are: "5 more roses than orchids".
    anybody = (*sheet.names, *(each for each in sheet.things if each not in sheet.names))
    one = _choose(columns[0], "Who", anybody, statement.who[:1] if statement else (), f"{key} who",
                  "Nobody in particular")  # fmt: skip
    thing = _choose(columns[1], "Of what", sheet.things, statement.what[:1] if statement else (),
                    f"{key} what", "Choose")  # fmt: skip
    whom = ""
    if relation is AmountRelation.HOLDS:
        given = (
            (statement.whom,) if statement is not None and statement.relation is relation else ()
        )
        whom = _choose(columns[2], "In each", (*given, *sheet.things, *sheet.names), given,
                       f"{key} each", "Choose")  # fmt: skip
    elif two:
        given = (statement.whom,) if statement is not None and statement.whom else ()
        whom = _choose(columns[2], _WHOM[relation], anybody, given, f"{key} whom", "Choose")
    return (one,) if one else (), (thing,) if thing else (), whom


def _choose(
    container: st.delta_generator.DeltaGenerator,
    label: str,
    options: Sequence[str],
    words: Sequence[str],
    key: str,
    placeholder: str,
) -> str:
    """A word of the text, or one that the person types."""
    listed = _distinct((*words, *options))
    with container:
        chosen = choosing.selectbox(
            label, listed, index=0 if any(words) else None, key=key, accept_new_options=True,
            placeholder=placeholder,
        )  # fmt: skip
    return (chosen or "").strip()


def _distinct(words: Sequence[str]) -> list[str]:
    """Each once, as a browser shows it."""
    return list(dict.fromkeys(filter(None, (" ".join(each.split()) for each in words))))


def _choose_several(
    label: str, options: Sequence[str], words: Sequence[str], key: str
) -> tuple[str, ...]:
    """Words of the text, or such as the person types."""
    listed = _distinct((*words, *options))
    chosen = choosing.multiselect(
        label, listed, default=_distinct(words), key=key, accept_new_options=True,
        placeholder="Choose",
    )  # fmt: skip
    return tuple(each.strip() for each in chosen)


def _draw_result(
    sheet: ProblemSheet, meanings: Sequence[Meaning | None], reading: ByHand, key: str
) -> None:
    st.markdown("**What comes of it**")
    if reading.told:
        lines = "".join(f"<li>{html.escape(each)}</li>" for each in reading.told)
        st.html(f'<ol class="bl" aria-label="What you said">{lines}</ol>')
    if reading.answer is None:
        st.warning("\n".join(f"- {plain(each)}" for each in reading.missing))
        if reading.unneeded:
            st.button(
                "What is not needed does not matter", on_click=_set_aside,
                args=(sheet, reading.unneeded, key),
            )  # fmt: skip
        return
    # What is guessed is no reading: only a person's word makes it one, and for this filling alone.
    said = sha256(repr(meanings).encode()).hexdigest()[:12]
    if not st.checkbox("This is what the text says, number by number", key=f"{key} {said}"):
        st.caption("Compare it with the text; the answer comes when you have ticked it.")
        return
    steps = "".join(f"<li><b>{html.escape(each)}</b></li>" for each in reading.steps)
    st.html(
        f'<div class="bl"><ol aria-label="Steps">{steps}</ol>'
        f'<p class="bl-foot">Answer: <b>{html.escape(shown(reading.answer))}</b></p></div>'
    )
    st.success(
        "You explained this text and we checked it: every number is used or set aside, and "
        "nothing contradicts the rest.",
        icon=":material/check:",
    )
    if reading.plain is None:
        st.info("Pairs are made of plain sentences only; this problem does not fit into them.")
    else:
        st.markdown(f"**In plain sentences:** {plain(reading.plain)}")
        st.button(
            "Make pairs of these sentences", type="primary", on_click=use_text,
            args=(reading.plain,), help="Replaces your text with these sentences.",
        )  # fmt: skip
    words = taught_words(sheet, meanings, uploaded_words())
    st.download_button(
        "Keep the words you taught", lambda: written_file(words),
        "my-words.yaml", "application/yaml",
        on_click="ignore", help="Names, things and verbs of this problem, as a vocabulary file.",
    )  # fmt: skip


def _set_aside(sheet: ProblemSheet, places: Sequence[int], key: str) -> None:
    for index in places:
        if sheet.places[index].read:
            st.session_state[f"{key} {index} change"] = True
        st.session_state[f"{key} {index} relation"] = _NOTHING
