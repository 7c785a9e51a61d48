"""Who looks at a page."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from biaslab.ui import visitor


def _comes(monkeypatch: pytest.MonkeyPatch, url: str | None, ip: str | None) -> None:
    context = SimpleNamespace(url=url, ip_address=ip)
    monkeypatch.setattr(visitor, "st", SimpleNamespace(context=context))


@pytest.mark.parametrize(
    ("url", "ip", "here", "overheard"),
    [
        ("http://localhost:8501/models", None, True, False),
        ("http://127.0.0.1:8501/models", None, True, False),
        (None, None, True, False),
        ("http://192.168.1.5:8501/models", "192.168.1.9", False, True),
        ("https://lab.example.org/models", "192.0.2.7", False, False),
        # A proxy on the same computer, behind which everybody seems to be here.
        ("https://lab.example.org/models", None, False, False),
        ("http://lab.example.org/models", None, False, True),
    ],
)
def test_a_visitor_is_here_or_on_a_network(
    url: str | None, ip: str | None, here: bool, overheard: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    _comes(monkeypatch, url, ip)
    assert visitor.is_here() is here
    assert visitor.is_overheard() is overheard


@pytest.mark.parametrize(
    ("address", "shared"),
    [("localhost", False), ("127.0.0.1", False), ("0.0.0.0", True), ("", True)],
)
def test_an_app_that_takes_visitors_is_known(
    address: str, shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "st", SimpleNamespace(get_option=lambda _: address))
    assert visitor.is_shared() is shared
