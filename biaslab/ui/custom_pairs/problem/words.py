"""A vocabulary of the person's own, for the problems that are read in this session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from biaslab.files import InterchangeError
from biaslab.files.opening import withstood
from biaslab.ui.widgets.words import plain
from schoolmath.problems import Vocabulary, VocabularyError
from schoolmath.problems.custom_words import (
    MAX_BYTES,
    CustomWords,
    read_custom_words,
    words_for_reading,
)
from schoolmath.problems.vocabulary import using
from schoolmath.text.figures import count
from schoolmath.text.given_files import FileRefused, check_size

_FILE = "own words file"
_KEPT = "own words"


def uploaded_words() -> CustomWords | None:
    """The vocabulary of this session; None: there is none."""
    kept: tuple[CustomWords, Vocabulary] | None = st.session_state.get(_KEPT)
    return None if kept is None else kept[0]


def draw_custom_words() -> None:
    """Draws the field for a vocabulary file, and why one is refused."""
    with st.expander("Words of your own"):
        st.caption(
            "A file with names, things and verbs that you taught before opens problems that are "
            "refused without it. It is used on this page and kept nowhere."
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
