"""The address of a page where what the server says is long on its way to the browser."""

from __future__ import annotations

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Server, Tab
from tests.conftest import wait_for


class LongWay:
    """Holds what the server says back, from `close` to `open`; what the browser says goes on."""

    def __init__(self, tab: Tab) -> None:
        self.page = tab.page
        self.held: list[str | bytes] | None = None
        self.page.route_web_socket("**/_stcore/stream", self._join)

    def _join(self, browser: WebSocketRoute) -> None:
        self.browser = browser
        server = browser.connect_to_server()
        browser.on_message(server.send)
        server.on_message(self._answer)

    def _answer(self, message: str | bytes) -> None:
        if self.held is None:
            self.browser.send(message)
        else:
            self.held.append(message)

    def close(self) -> None:
        self.held = []

    def wait_until_said(self, words: bytes) -> None:
        """Waits until the server has said this."""

        def is_said() -> bool:
            # Messages are dealt with while the page is asked something.
            self.page.evaluate("() => null")
            return any(words in each for each in self.held or () if isinstance(each, bytes))

        wait_for(is_said)

    def open(self) -> None:
        held, self.held = self.held or [], None
        for message in held:
            self.browser.send(message)


def test_no_choice_is_taken_back_and_no_click_is_lost(tab: Tab, server: Server) -> None:
    way = LongWay(tab)
    tab.page.goto(f"{server.address}/matrix")
    tab.drawn()
    pairs = tab.page.get_by_role("spinbutton", name="Pairs of each")
    way.close()
    pairs.fill("4")
    pairs.press("Tab")
    way.wait_until_said(b"n=4")
    tab.page.get_by_role("button", name="Run 3 runs").click()
    way.open()
    expect(tab.page.get_by_text("Everything of this is finished.")).to_be_visible()
    expect(pairs).to_have_value("4")
    expect(tab.page).to_have_url(f"{server.address}/matrix?n=4")


def test_the_way_back_is_open_right_after_a_choice(tab: Tab, server: Server) -> None:
    tab.page.goto(f"{server.address}/matrix")
    tab.drawn()
    pairs = tab.page.get_by_role("spinbutton", name="Pairs of each")
    pairs.fill("4")
    pairs.press("Tab")
    expect(tab.page).to_have_url(f"{server.address}/matrix?n=4")
    tab.page.go_back()
    expect(pairs).to_have_value("60")
    expect(tab.page).to_have_url(f"{server.address}/matrix")
