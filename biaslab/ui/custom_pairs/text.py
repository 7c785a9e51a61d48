"""A teacher's text: typed or pasted, in words of their own, and how it was understood."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from biaslab.charts import structure_chart
from biaslab.files import InterchangeError
from biaslab.files.opening import withstood
from biaslab.studies.word_problems.custom.problem import (
    MOST_CHARACTERS,
    CustomProblem,
    CustomSentence,
)
from biaslab.ui.widgets.address import address_now, typed
from biaslab.ui.widgets.cards import steps_html
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.problems import Vocabulary, VocabularyError
from schoolmath.problems.custom_words import (
    MAX_BYTES,
    CustomWords,
    read_custom_words,
    words_for_reading,
)
from schoolmath.problems.stories import Amount, TextAnswer, in_plain_sentences, plural_of
from schoolmath.problems.vocabulary import using
from schoolmath.text.figures import count
from schoolmath.text.given_files import FileRefused, check_size

LONGEST_IN_ADDRESS = 600
"""Characters of a text that still makes a link which programs pass on whole."""

EXAMPLE = (
    "Mia has 24 stickers. Mia gives Omar 9 stickers. Zoe has 7 fewer stickers than Mia. "
    "How many stickers does Zoe have now?"
)
"""A problem that can be read, with a comparison and a transfer."""

_TEXT = "own problem"
_FIELD = "own problem field"
_NAME = "text"


def given_text() -> str:
    """The text as it stands: the address's, or what this session has."""
    in_address = address_now().get(_NAME)
    if in_address is not None:
        st.session_state[_TEXT] = in_address[:MOST_CHARACTERS]
    return str(st.session_state.get(_TEXT, ""))


def use_text(text: str) -> None:
    """Takes another text in place of the one there is."""
    text = text.strip()
    st.session_state[_TEXT] = text
    typed(_NAME).set(text if len(text) <= LONGEST_IN_ADDRESS else "")


def _use_field() -> None:
    use_text(str(st.session_state.get(_FIELD) or ""))


def draw_text() -> str:
    """Draws the field; gives its text."""
    text = given_text()
    if st.session_state.get(_FIELD) != text:
        # Set at every run, it would take away what somebody types while a run goes on.
        st.session_state[_FIELD] = text
    st.text_area(
        "A word problem, the question last",
        key=_FIELD,
        on_change=_use_field,
        height="content" if text else 140,
        max_chars=MOST_CHARACTERS,
        placeholder=f"For example: {EXAMPLE}",
    )
    with st.container(horizontal=True):
        # The click may reach us with the address from before what was typed: the field counts.
        st.button("Read it", type="primary", on_click=_use_field)
        if not text:
            st.button("Use the example", on_click=use_text, args=(EXAMPLE,))
        else:
            st.button("Clear", on_click=use_text, args=("",))
        draw_custom_words()
    st.caption(
        "**Use made-up names instead of pupils' real names.** Reading sends nothing anywhere and "
        "saves nothing; "
        + (
            "the page's address holds the text, so a link shows it."
            if len(text) <= LONGEST_IN_ADDRESS
            else "the text is too long for the page's address: a link does not show it."
        )
    )
    return text


def read_as_story(own: CustomProblem) -> bool:
    """Whether a text that the reader of sentences refuses is answered by that of stories."""
    return own.answer is None and own.reading.answer is not None


def draw_sentences(own: CustomProblem) -> None:
    """A line for every sentence; those that could not be read say what to write instead."""
    found = own.reading
    if read_as_story(own):
        told = "".join(f"<li>{_amount(each, found)}</li>" for each in found.story.amounts)
        st.html(f'<ul class="bl bl-understood" aria-label="Numbers">{told}</ul>')
        return
    lines = "".join(f"<li>{_line(sentence)}</li>" for sentence in own.sentences)
    st.html(f'<ol class="bl bl-understood" aria-label="Sentences">{lines}</ol>')


_DONE = {
    "state": "what there is", "gain": "gets more", "make": "makes more", "loss": "loses some",
    "give": "gives away", "take": "takes", "put": "puts there", "come": "come in addition",
    "leave": "go away", "share": "shares out", "price": "costs", "need": "needs",
    "asked": "asked for",
}  # fmt: skip
"""What a kind of verb does to an amount, for a teacher."""


def _amount(amount: Amount, answer: TextAnswer) -> str:
    """What a number of a story was understood to be a number of."""
    number = "some" if amount.value is None else f"{float(amount.value):g}"
    head = amount.thing.head if amount.value == 1 else plural_of(amount.thing.head)
    thing = " ".join([*sorted(amount.thing.mods), head])
    also = [flag.removeprefix("and ") for flag in amount.flags if flag.startswith("and ")]
    thing = " and ".join([thing, *map(plural_of, sorted(also))])
    of = f" of {' '.join(sorted(amount.thing.of))}" if amount.thing.of else ""
    each = f" in each {amount.per.head}" if amount.per is not None else ""
    text = " ".join(each.text for each in answer.read.sentences)
    who = " and ".join(_as_written(each, text) for each in amount.owners)
    unneeded = " — has no part in the answer" if amount.index in answer.story.irrelevant else ""
    where = f"in or on: {', '.join(sorted(amount.place))}" if amount.place else ""
    done = _comparison(amount, text) or _DONE.get(amount.kind, amount.verb)
    said = ", ".join(filter(None, [f"{who}: {done}" if who else done, where])) + unneeded
    return (
        f"✓ <b>{html.escape(number)}</b> {html.escape(thing + of + each)}"
        f'<br><span class="bl-faint">{html.escape(said)}</span>'
    )


def _as_written(holder: str, text: str) -> str:
    """A holder with the capital that the text gives a name."""
    return holder.title() if re.search(rf"\b{re.escape(holder.title())}\b", text) else holder


def _comparison(amount: Amount, text: str) -> str:
    """With whom or what an amount is compared; "" where it is not."""
    than = _as_written(amount.than_owner, text)
    if amount.than is not None:
        than = " ".join([*sorted(amount.than.mods), plural_of(amount.than.head)])
    if not than or not amount.compared:
        return ""
    if amount.times:
        return f"times as many as {than}"
    return f"fewer than {than}" if amount.fewer else f"more than {than}"


def _line(sentence: CustomSentence) -> str:
    text = html.escape(sentence.text)
    if sentence.is_read:
        understood = html.escape(sentence.understood)
        return f'✓ {text}<br><span class="bl-faint">Understood: {understood}</span>'
    return (
        f"<b>✗ Not read:</b> <mark>{text}</mark><br>"
        f'<span class="bl-faint">{html.escape(sentence.reason)}</span><br>'
        f"Write it like: <b>{html.escape(sentence.suggestion)}</b>"
    )


def draw_solution(own: CustomProblem) -> None:
    """The equations, the answer, and the structure as a line and as a picture."""
    steps = own.facts.get("steps", ())
    shown = steps_html(steps) if steps else "<p>The answer stands in the text itself.</p>"
    st.html(
        f'<div class="bl">{shown}<p class="bl-foot">Answer: <b>{own.answer}</b></p>'
        f'<p class="bl-faint">Structure: {html.escape(own.structure)}</p></div>'
    )
    if steps:
        with st.expander("How the answer comes about, as a picture"):
            draw_chart(structure_chart(own.facts, dark=is_dark()), "your problem")


def draw_fault(own: CustomProblem) -> None:
    """Why there is no solution; where the text is read as a story, that with a plainer text."""
    found = own.reading
    if found.answer is not None:
        _draw_story(found)
        return
    if found.doubted is not None:
        _draw_doubted(found)
        return
    fault = own.fault or "The text could not be understood."
    if own.unread:
        fault = f"{fault} As a story: {' '.join(found.reasons)}"
    st.warning(plain(fault), icon=":material/help:")


def _with_signs(step: str) -> str:
    """An equation with the signs of a school book."""
    return step.replace(" * ", " × ").replace(" / ", " ÷ ").replace(" - ", " − ")


def _draw_doubted(reading: TextAnswer) -> None:
    """An answer that was read and is not proved, and which words stand against it."""
    steps = "; ".join(map(_with_signs, reading.steps))
    st.warning(
        f"**Read, not proved.** We read: {plain(steps)}. This may be wrong:\n"
        + "\n".join(f"- {plain(each)}" for each in reading.reasons)
        + "\n\nRephrase it, with one fact in each sentence.",
        icon=":material/help:",
    )


def _draw_story(answer: TextAnswer) -> None:
    """The answer of a text that was read clause by clause, and the way to its pairs."""
    steps = "".join(f"<li><b>{html.escape(_with_signs(each))}</b></li>" for each in answer.steps)
    shown = answer.steps[-1].rpartition(" = ")[2]
    st.html(
        f'<div class="bl"><ol aria-label="Steps">{steps}</ol>'
        f'<p class="bl-foot">Answer: <b>{html.escape(shown)}</b></p>'
        '<p class="bl-faint">Read as a story: every number is used or plainly has no part.</p>'
        "</div>"
    )
    told = in_plain_sentences(answer.story)
    if told is None:
        st.info("Pairs are made of plain sentences only; this story does not fit into them.")
        return
    st.markdown(f"**In plain sentences:** {plain(told)}")
    st.button(
        "Make pairs of these sentences", type="primary", on_click=use_text, args=(told,),
        help="Replaces your text with these sentences. Numbers that have no part are left out.",
    )  # fmt: skip


_FILE = "own words file"
_KEPT = "own words"


def uploaded_words() -> CustomWords | None:
    """The vocabulary of this session; None: there is none."""
    kept: tuple[CustomWords, Vocabulary] | None = st.session_state.get(_KEPT)
    return None if kept is None else kept[0]


def draw_custom_words() -> None:
    """Draws the field for a vocabulary file, and why one is refused."""
    with st.popover("Words of your own"):
        st.caption(
            "A file with names, things and verbs that you taught before opens problems that are "
            "refused without it. It is used on this page and saved nowhere."
        )
        given = st.file_uploader("Vocabulary file", type=("yaml", "yml", "json"), key=_FILE)
        st.session_state.pop(_KEPT, None)
        if given is None:
            return
        try:
            data = given.getvalue()
            check_size(data, MAX_BYTES, given.name)
            words = read_custom_words(withstood(read_custom_words, data), given.name)
            vocabulary = words_for_reading(words, given.name)
        except (VocabularyError, FileRefused, InterchangeError) as refused:
            st.error(plain(str(refused)), icon=":material/error:")
            return
        st.session_state[_KEPT] = (words, vocabulary)
        st.caption(
            f"In use: {count(len(words.names), 'name')}, {count(len(words.things), 'thing')}, "
            f"{count(len(words.verbs), 'verb')}."
        )


@contextmanager
def custom_words_in_use() -> Iterator[None]:
    """Within it, texts are read with the words of this session."""
    kept: tuple[CustomWords, Vocabulary] | None = st.session_state.get(_KEPT)
    with using(None if kept is None else kept[1]):
        yield
