"""What a teacher does with a problem of her own: read, look at the pairs, keep, mend.

The model that mends is a simulation behind a real server (`tests.servers.mending`).
"""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from biaslab.runs import open_store
from biaslab.runs.library.pair_sets import pair_sets
from tests.browser.conftest import Server, Tab
from tests.servers.faulty import FaultyServer
from tests.servers.mending import connect_mender, mends

TEXT = "Mia has 24 stickers. Omar has 18 more stickers than Mia. How many stickers does Omar have?"


def test_from_a_pasted_problem_to_mended_pairs(tab: Tab, server: Server) -> None:
    page = tab.page
    with FaultyServer() as model:
        model.always = mends()
        with open_store(server.database) as store:
            connect_mender(store, model.url)
        page.goto(f"{server.address}/your_problem")
        tab.settled()

        # A sentence that cannot be read is marked; mended by hand, the problem is solved.
        field = page.get_by_label("A word problem, the question last")
        field.fill(TEXT.replace("Omar has 18 more", "Omar got ahead with 18 more"))
        page.get_by_role("button", name="Read it").click()
        expect(page.get_by_text("Write it like:")).to_be_visible()
        field.fill(TEXT)
        page.get_by_role("button", name="Read it").click()
        expect(page.get_by_text("Understood. The answer is 42")).to_be_visible()
        tab.settled()

        # The text, all pairs and their answers stand on two screens.
        page.set_viewport_size({"width": 1280, "height": 800})
        last = page.locator(".bl-pair").last.bounding_box()
        assert last is not None
        scrolled = page.get_by_test_id("stMain").evaluate("main => main.scrollTop")
        assert scrolled + last["y"] + last["height"] < 2 * 800

        # The link shows the same; nothing stands out of a phone's screen.
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(page.url)
        tab.settled()
        expect(page.locator(".bl-pair").first).to_be_visible()
        wider = page.evaluate(
            """() => {
                const main = document.querySelector('[data-testid="stMain"]');
                return main.scrollWidth - main.clientWidth;
            }"""
        )
        assert wider == 0

        # The pairs are kept, and Compose is ready to ask them.
        page.get_by_role("button", name="Keep 3 pairs and ask a model").press("Enter")
        page.wait_for_url("**/compose?**")
        tab.settled()
        (set_id,) = parse_qs(urlsplit(page.url).query)["set"]

        # A model mends them, and what passed is another set.
        page.goto(f"{server.address}/correct?study=imported&set={set_id}")
        tab.settled()
        page.get_by_role("button", name="Correct these pairs").click()
        page.get_by_role("button", name="Keep 3 pairs as a set").click()
        page.wait_for_url("**/compose?**")
    with open_store(server.database) as store:
        assert len(pair_sets(store)) == 2
    assert not tab.errors
    assert not tab.outside
