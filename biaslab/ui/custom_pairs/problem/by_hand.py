"""Reading a problem by hand: what each number means, sentence by sentence, and what comes of it."""

from __future__ import annotations

import html
from collections.abc import Sequence
from hashlib import sha256

import streamlit as st

from biaslab.ui.custom_pairs.problem.text import use_text
from biaslab.ui.custom_pairs.problem.words import uploaded_words
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.words import plain
from schoolmath.problems.custom_words import written_file
from schoolmath.problems.proposals import AmountRelation, ProposedStatement
from schoolmath.problems.proposals.by_hand import ByHand, by_sentence, read_by_hand, sheet_of
from schoolmath.problems.proposals.sheet import Meaning, ProblemSheet, SheetPlace, taught_words
from schoolmath.problems.proposals.statements import OF_TWO
from schoolmath.problems.proposals.telling import statement_in_words
from schoolmath.problems.stories.strategies.terms import shown

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
        "out and checked here; nothing is sent anywhere or kept."
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
    sheet: ProblemSheet, relation: AmountRelation, said: ProposedStatement | None, key: str
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    if relation is AmountRelation.TOGETHER:
        left, right = st.columns(2)
        with left:
            who = _choose_several("Who", sheet.names, said.who if said else (), f"{key} all")
        with right:
            things = said.what if said else ()
            what = _choose_several("Of what", sheet.things, things, f"{key} things")
        return who, what, ""
    two = relation in OF_TWO or relation is AmountRelation.HOLDS
    columns = st.columns(3 if two else 2)
    # Two kinds of things can be compared as two people are: "5 more roses than orchids".
    anybody = (*sheet.names, *(each for each in sheet.things if each not in sheet.names))
    one = _choose(columns[0], "Who", anybody, said.who[:1] if said else (), f"{key} who",
                  "Nobody in particular")  # fmt: skip
    thing = _choose(columns[1], "Of what", sheet.things, said.what[:1] if said else (),
                    f"{key} what", "Choose")  # fmt: skip
    whom = ""
    if relation is AmountRelation.HOLDS:
        given = (said.whom,) if said is not None and said.relation is relation else ()
        whom = _choose(columns[2], "In each", (*given, *sheet.things, *sheet.names), given,
                       f"{key} each", "Choose")  # fmt: skip
    elif two:
        given = (said.whom,) if said is not None and said.whom else ()
        whom = _choose(columns[2], _WHOM[relation], anybody, given, f"{key} whom", "Choose")
    return (one,) if one else (), (thing,) if thing else (), whom


def _choose(
    place: st.delta_generator.DeltaGenerator,
    label: str,
    options: Sequence[str],
    given: Sequence[str],
    key: str,
    placeholder: str,
) -> str:
    """A word of the text, or one that the person types."""
    listed = _distinct((*given, *options))
    with place:
        chosen = choosing.selectbox(
            label, listed, index=0 if any(given) else None, key=key, accept_new_options=True,
            placeholder=placeholder,
        )  # fmt: skip
    return (chosen or "").strip()


def _distinct(words: Sequence[str]) -> list[str]:
    """Each once, as a browser shows it."""
    return list(dict.fromkeys(filter(None, (" ".join(each.split()) for each in words))))


def _choose_several(
    label: str, options: Sequence[str], given: Sequence[str], key: str
) -> tuple[str, ...]:
    """Words of the text, or such as the person types."""
    listed = _distinct((*given, *options))
    chosen = choosing.multiselect(
        label, listed, default=_distinct(given), key=key, accept_new_options=True,
        placeholder="Choose",
    )  # fmt: skip
    return tuple(each.strip() for each in chosen)


def _draw_result(
    sheet: ProblemSheet, meanings: Sequence[Meaning | None], found: ByHand, key: str
) -> None:
    st.markdown("**What comes of it**")
    if found.told:
        lines = "".join(f"<li>{html.escape(each)}</li>" for each in found.told)
        st.html(f'<ol class="bl" aria-label="What you said">{lines}</ol>')
    if found.answer is None:
        st.warning("\n".join(f"- {plain(each)}" for each in found.missing))
        if found.unneeded:
            st.button(
                "What is not needed does not matter", on_click=_set_aside,
                args=(sheet, found.unneeded, key),
            )  # fmt: skip
        return
    # What is guessed is no reading: only a person's word makes it one, and for this filling alone.
    said = sha256(repr(meanings).encode()).hexdigest()[:12]
    if not st.checkbox("This is what the text says, number by number", key=f"{key} {said}"):
        st.caption("Compare it with the text; the answer comes when you have ticked it.")
        return
    steps = "".join(f"<li><b>{html.escape(each)}</b></li>" for each in found.steps)
    st.html(
        f'<div class="bl"><ol aria-label="Steps">{steps}</ol>'
        f'<p class="bl-foot">Answer: <b>{html.escape(shown(found.answer))}</b></p></div>'
    )
    st.success(
        "Read by you, checked: every number is used or set aside by you, and nothing you said "
        "contradicts the rest.",
        icon=":material/check:",
    )
    if found.plain is None:
        st.info("Pairs are made of plain sentences only; this problem cannot be told in them.")
    else:
        st.markdown(f"**In plain sentences:** {plain(found.plain)}")
        st.button(
            "Make pairs of these sentences", type="primary", on_click=use_text,
            args=(found.plain,), help="Takes them in place of your text.",
        )  # fmt: skip
    words = taught_words(sheet, meanings, uploaded_words())
    st.download_button(
        "Keep the words you taught", written_file(words), "my-words.yaml", "application/yaml",
        on_click="ignore", help="Names, things and verbs of this problem, as a vocabulary file.",
    )  # fmt: skip


def _set_aside(sheet: ProblemSheet, places: Sequence[int], key: str) -> None:
    for index in places:
        if sheet.places[index].read:
            st.session_state[f"{key} {index} change"] = True
        st.session_state[f"{key} {index} relation"] = _NOTHING
