"""Thirty phones, five of them real browsers, from a room's opening to its report, through a cut
network, a killed program and a computer that sleeps."""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from biaslab.room import RoomState, open_rooms
from tests.browser.conftest import open_tab, start
from tests.conftest import DEADLINE, DEADLINE_MS, wait_for
from tests.room.test_killed import Phone

SCREEN = {"width": 1280, "height": 800}
POCKET = {"width": 320, "height": 640}
PHONES, BROWSERS, QUESTIONS = 30, 5, 6


@contextmanager
def opened(chromium: Browser, screen: dict[str, int]) -> Iterator[BrowserContext]:
    made = chromium.new_context(
        viewport={"width": screen["width"], "height": screen["height"]}, locale="en-GB"
    )
    made.set_default_timeout(DEADLINE_MS)
    yield made
    made.close()


def answer(pages: Sequence[Page], question: int) -> None:
    """Every browser answers its question of this number."""
    for number, page in enumerate(pages):
        expect(page.get_by_role("heading", name=f"Question {question} of")).to_be_visible(
            timeout=DEADLINE_MS
        )
        page.get_by_label("Your answer").fill(str(100 * question + number))
        page.get_by_role("button", name="Send").click()


def are_stored(pages: Sequence[Page], answers: int) -> None:
    """Every browser says that so many answers of its phone are stored."""
    for page in pages:
        expect(page.get_by_text(f"{answers} answers are stored.")).to_be_visible(
            timeout=DEADLINE_MS
        )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that stops a process")
def test_no_answer_is_lost_or_counted_twice_and_the_report_has_all_thirty(
    chromium: Browser, tmp_path: Path
) -> None:
    database, log = tmp_path / "runs.db", tmp_path / "server.log"
    process, server = start(database, log)
    with ExitStack() as stack:
        stack.callback(lambda: (process.terminate(), process.wait(timeout=DEADLINE)))
        host = stack.enter_context(opened(chromium, SCREEN))
        host.request.get(server.start)
        tab = open_tab(host, server.address)
        # Given a room that a host opened
        tab.page.goto(f"{server.address}/room?n={QUESTIONS}")
        tab.settled()
        tab.page.get_by_role("button", name="Open the room").click()
        expect(tab.page.get_by_role("button", name="Begin")).to_be_visible()
        rooms = stack.enter_context(open_rooms(database.with_name("rooms.db")))
        (room,) = rooms.rooms()
        # And five browsers that joined
        contexts = [stack.enter_context(opened(chromium, POCKET)) for _ in range(BROWSERS)]
        pages = [context.new_page() for context in contexts]
        for page in pages:
            page.goto(f"{server.address}/r/{room.code}")
            page.get_by_role("button", name="Join").click()
            expect(page.get_by_role("heading", name="You are in")).to_be_visible()
        tab.page.get_by_role("button", name="Begin").click()
        wait_for(lambda: rooms.room(room.id).state is RoomState.ANSWERING)
        answer(pages, 1)

        # When one is cut off
        contexts[0].set_offline(True)
        answer(pages, 2)
        are_stored(pages[1:], 2)
        expect(pages[0].get_by_text("on this phone until")).to_be_visible()
        contexts[0].set_offline(False)
        are_stored(pages, 2)

        # And the program is killed while all of them answer
        others = [
            Phone(server.address, room.code, 100 + number, patience=3)
            for number in range(PHONES - BROWSERS)
        ]
        pool = stack.enter_context(ThreadPoolExecutor(len(others)))
        playing = [pool.submit(each.play) for each in others]
        wait_for(lambda: rooms.arrivals(room.id).answers > PHONES)
        process.kill()
        process.wait()
        answer(pages, 3)
        process, server = start(database, log, port=urlsplit(server.address).port or 0)
        are_stored(pages, 3)

        # And the computer sleeps until phones have given up waiting
        process.send_signal(signal.SIGSTOP)
        answer(pages, 4)
        expect(pages[0].get_by_text("on this phone until")).to_be_visible(timeout=DEADLINE_MS)
        process.send_signal(signal.SIGCONT)
        answer(pages, 5)
        answer(pages, 6)
        for each in playing:
            each.result()
        wait_for(lambda: rooms.arrivals(room.id).finished == PHONES)

        # Then all is there, as it was sent
        found = rooms.answers(room.id)
        assert Counter(each.place for each in found) == dict.fromkeys(range(PHONES), QUESTIONS)
        typed = {str(100 * each + number) for each in range(1, 7) for number in range(BROWSERS)}
        sent = Counter(typed) + Counter(text for each in others for text in each.sent.values())
        assert Counter(each.text for each in found) == sent

        # And the host, whose role outlived the program, reveals it and takes the report along
        tab.page.goto(f"{server.address}/room?room={room.id}")
        tab.settled()
        tab.page.get_by_role("button", name="Close", exact=True).click()
        tab.page.get_by_role("button", name="Reveal").click()
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name="Report as one file").click()
        report = tmp_path / "report.html"
        download.value.save_as(report)
        away = stack.enter_context(opened(chromium, SCREEN))
        away.set_offline(True)
        page = away.new_page()
        page.goto(report.as_uri())
        expect(page.get_by_text(f"{PHONES} people").first).to_be_visible()
        assert tab.errors == []
        assert tab.outside == []
