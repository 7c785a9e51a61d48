"""What a person does with a file of pairs: bring it, look at its faults, keep it, ask it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from biaslab.runs import open_store, pair_sets
from tests.browser.conftest import Server, Tab

ASKED = "How many mugs does Ines have?"


def write(path: Path) -> Path:
    rows = [
        f"Otto has {n} mugs. Ines has 7 fewer mugs than Otto. {ASKED},"
        f"Otto has {n} mugs. Otto has 7 more mugs than Ines. {ASKED},{n - 7}"
        for n in range(9, 24)
    ]
    rows[4] = rows[4].rpartition(",")[0] + ",99"
    rows[6] = rows[6].replace("7 more mugs than", "7 larger mugs than")
    path.write_text("\n".join(("easy one,hard one,key", *rows)) + "\n")
    return path


def test_from_a_file_to_a_run(tab: Tab, server: Server, tmp_path: Path) -> None:
    page = tab.page
    page.goto(f"{server.address}/import_pairs")
    tab.settled()
    page.locator('input[type="file"]').set_input_files(write(tmp_path / "mugs.csv"))
    expect(page.get_by_role("heading", name="mugs.csv")).to_be_visible()
    tab.settled()

    # The columns are told from their contents, which is a question; every row is read and solved.
    page.get_by_text("The columns are right").click()
    tab.settled()
    page.get_by_role("button", name="Check every row").click()
    counted = "15 rows: 13 proved, 1 labelled, 1 contradicted. 15 pairs can be asked."
    expect(page.get_by_text(counted)).to_be_visible()
    expect(page.get_by_text("The text leads to 6, and the column “key” says 99.")).to_have_count(2)
    expect(page.locator("mark", has_text="Otto has 7 larger mugs than Ines.")).to_have_count(1)

    # Kept under a name, the set leads to Compose.
    page.get_by_label("Name of the set").fill("Mugs of Otto")
    page.get_by_role("button", name="Keep 15 pairs and ask a model").click()
    expect(page.get_by_text(re.compile("Pair 1 of 15"))).to_be_visible()
    tab.settled()
    with open_store(server.database) as store:
        (kept,) = pair_sets(store)
    address = parse_qs(urlsplit(page.url).query)
    assert (address["study"], address["set"], address["n"]) == (["imported"], [kept.id], ["15"])

    # The set has a link of its own, which opens on a phone, and can be deleted.
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.address}/import_pairs?set={kept.id}")
    tab.settled()
    expect(page.get_by_role("link", name="Ask a model these 15 pairs")).to_be_visible()
    wider = page.evaluate(
        """() => {
            const main = document.querySelector('[data-testid="stMain"]');
            return main.scrollWidth - main.clientWidth;
        }"""
    )
    assert wider == 0
    page.get_by_role("button", name=re.compile("Delete")).click()
    page.get_by_role("button", name="Delete this set").press("Enter")
    expect(page.get_by_text("No set is saved yet.")).to_be_visible()
    assert not tab.outside
    assert not tab.errors
