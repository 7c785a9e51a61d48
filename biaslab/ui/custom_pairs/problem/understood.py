"""How a teacher's text was understood, sentence by sentence, and its solution."""

from __future__ import annotations

import html

import streamlit as st

from biaslab.charts import structure_chart
from biaslab.studies.word_problems.custom.problem import CustomProblem, CustomSentence
from biaslab.ui.custom_pairs.problem.text import use_text
from biaslab.ui.widgets.cards import steps_html
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.problems.stories import Amount, TextAnswer, answer, in_plain_sentences, plural_of


def read_as_story(own: CustomProblem) -> bool:
    """Whether a text that the reader of sentences refuses is answered by that of stories."""
    return own.answer is None and answer(own.text).answer is not None


def draw_sentences(own: CustomProblem) -> None:
    """A line for every sentence; those that could not be read say what to write instead."""
    found = answer(own.text) if own.answer is None else None
    if found is not None and found.answer is not None:
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


def _amount(amount: Amount, found: TextAnswer) -> str:
    """What a number of a story was understood to be a number of."""
    number = "some" if amount.value is None else f"{float(amount.value):g}"
    head = amount.thing.head if amount.value == 1 else plural_of(amount.thing.head)
    thing = " ".join([*sorted(amount.thing.mods), head])
    of = f" of {' '.join(sorted(amount.thing.of))}" if amount.thing.of else ""
    each = f" in each {amount.per.head}" if amount.per is not None else ""
    who = " and ".join(amount.owners)
    unneeded = " — has no part in the answer" if amount.index in found.story.irrelevant else ""
    where = f"in or on: {', '.join(sorted(amount.place))}" if amount.place else ""
    done = _DONE.get(amount.kind, amount.verb)
    said = ", ".join(filter(None, [f"{who}: {done}" if who else done, where])) + unneeded
    return (
        f"✓ <b>{html.escape(number)}</b> {html.escape(thing + of + each)}"
        f'<br><span class="bl-faint">{html.escape(said)}</span>'
    )


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
    found = answer(own.text)
    if found.answer is not None:
        _draw_story(found)
        return
    fault = own.fault or "The text could not be understood."
    if own.unread:
        fault = f"{fault} As a story: {' '.join(found.reasons)}"
    st.warning(plain(fault), icon=":material/help:")


def _draw_story(found: TextAnswer) -> None:
    """The answer of a text that was read clause by clause, and the way to its pairs."""
    steps = "".join(f"<li><b>{html.escape(step)}</b></li>" for step in found.steps)
    shown = found.steps[-1].rpartition(" = ")[2]
    st.html(
        f'<div class="bl"><ol aria-label="Steps">{steps}</ol>'
        f'<p class="bl-foot">Answer: <b>{html.escape(shown)}</b></p>'
        '<p class="bl-faint">Read as a story: every number is used or proved to have no part.</p>'
        "</div>"
    )
    told = in_plain_sentences(found.story)
    if told is None:
        st.info("Pairs are made of plain sentences only; this story cannot be told in them.")
        return
    st.markdown(f"**In plain sentences:** {plain(told)}")
    st.button(
        "Make pairs of these sentences", type="primary", on_click=use_text, args=(told,),
        help="Takes them in place of your text. Numbers that have no part are left out.",
    )  # fmt: skip
