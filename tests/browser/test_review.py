"""What a reviewer does: judge by keyboard alone, reload, and give the packet back."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from biaslab.review.exchange import packet_for
from biaslab.review.packets import write_packet_json
from biaslab.review.reading_packets import check_judged, read_packet
from biaslab.review.reviews import create_review
from biaslab.review.texts import Judgement
from biaslab.runs import open_store
from biaslab.studies import Design
from tests.browser.conftest import Server, Tab


def test_a_packet_is_judged_by_keyboard_and_given_back(
    tab: Tab, server: Server, tmp_path: Path
) -> None:
    # Given a packet of another computer
    with open_store(tmp_path / "coordinator.db") as coordinator:
        made = create_review(
            coordinator, Design("consistency", 20, 1), ("AB", "Cem"), control=2, further=2
        )
        sent = packet_for(coordinator, made, 0)
    (tmp_path / "packet.json").write_bytes(write_packet_json(sent))
    page = tab.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.address}/review")
    tab.settled()

    # When it is opened and judged with the keys
    page.locator("input[type=file]").first.set_input_files(tmp_path / "packet.json")
    expect(page.get_by_text("packet.json")).to_be_visible()
    tab.settled()
    page.get_by_role("button", name="Open the packet").click()
    expect(page.get_by_text("Text 1 of 2")).to_be_visible()
    tab.settled()
    page.keyboard.press("1")
    expect(page.get_by_text("You said yes.")).to_have_count(1)
    tab.settled()
    page.keyboard.press("4")
    expect(page.get_by_text("You said no.")).to_have_count(1)
    tab.settled()
    page.get_by_label("Comment (optional)").fill("The answer is wrong.")
    page.get_by_label("Comment (optional)").press("Control+Enter")
    expect(page.get_by_text("Control set: 1 of 2 judged")).to_be_visible()
    tab.settled()

    # Then nothing is lost by reloading, and it goes on where it was
    page.goto(f"{server.address}/review?review={made}&text=1")
    expect(page.get_by_label("Comment (optional)")).to_have_value("The answer is wrong.")
    tab.settled()
    wider = page.evaluate(
        """() => {
            const main = document.querySelector('[data-testid="stMain"]');
            return main.scrollWidth - main.clientWidth;
        }"""
    )
    assert wider == 0
    page.get_by_role("button", name=re.compile("^Next")).press("Enter")
    expect(page.get_by_text("Text 2 of 2")).to_be_visible()
    tab.settled()
    page.locator("h1").click()
    page.keyboard.press("1")
    expect(page.get_by_text("You said yes.")).to_have_count(1)
    tab.settled()
    page.keyboard.press("3")
    expect(page.get_by_text("All done, thank you, AB.")).to_be_visible()

    # And the packet holds what was said
    page.get_by_role("button", name="Get the packet to send back").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Packet (CSV)").click()
    came = read_packet(download.value.path().read_bytes())
    check_judged(came, sent)
    assert came.rows[0].judgement == Judgement(True, False, "The answer is wrong.")
    assert not tab.outside
    assert not tab.errors
