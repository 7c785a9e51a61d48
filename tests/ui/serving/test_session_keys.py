"""Keys that are typed for one session."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biaslab.models import TYPED_KEY, Access, ModelError
from biaslab.ui.widgets import session as session_keys

HERE = ("http://localhost:8000/v1",)
KEY = "sk-planted-1234"


class _Streamlit:
    """Stands for the session of one browser."""

    def __init__(self) -> None:
        self.session_state: dict[str, object] = {}


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> _Streamlit:
    session = _Streamlit()
    monkeypatch.setattr(session_keys, "st", session)
    return session


def test_a_key_is_handed_to_the_server_that_it_was_typed_for() -> None:
    session_keys.keep_key(HERE, f" {KEY}\n")
    assert session_keys.environment_for(Access(HERE, key_env=TYPED_KEY)) == {TYPED_KEY: KEY}
    assert session_keys.environment_for(Access(("http://LOCALHOST:8000/v1/",), key_env=TYPED_KEY))


@pytest.mark.parametrize(
    "access",
    [
        Access(HERE),
        Access(HERE, key_env="OPENAI_API_KEY"),
        Access(("http://localhost:8001/v1",), key_env=TYPED_KEY),
        Access((*HERE, "http://elsewhere/v1"), key_env=TYPED_KEY),
        Access(key_env=TYPED_KEY),
    ],
)
def test_it_is_handed_to_no_other(access: Access) -> None:
    session_keys.keep_key(HERE, KEY)
    assert session_keys.environment_for(access) == {}


def test_what_is_missing_is_known() -> None:
    access = Access(HERE, key_env=TYPED_KEY)
    assert session_keys.is_key_missing(access)
    session_keys.keep_key(HERE, KEY)
    assert not session_keys.is_key_missing(access)
    session_keys.forget_key(HERE)
    assert session_keys.is_key_missing(access)
    assert not session_keys.is_key_missing(Access(HERE))


def test_a_printed_session_does_not_show_it(session: _Streamlit) -> None:
    session_keys.keep_key(HERE, KEY)
    assert KEY not in f"{session.session_state!r} {session.session_state}"


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_kept_is_what_was_typed(text: str) -> None:
    session_keys.keep_key(HERE, f"  {text} ")
    assert session_keys.typed_key(HERE) == text


@given(st.text(min_size=8).filter(lambda text: not _can_be_sent(text)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_cannot_be_a_key_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(ModelError) as refused:
        session_keys.keep_key(HERE, text)
    assert not text.strip() or text.strip() not in str(refused.value)
    assert session_keys.typed_key(HERE) is None


def _can_be_sent(text: str) -> bool:
    return bool(text.strip()) and all(33 <= ord(sign) <= 126 for sign in text.strip())
