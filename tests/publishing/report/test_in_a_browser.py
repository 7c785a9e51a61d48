"""The file in a real browser without a network: drawn, searched, taken out, printed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from biaslab.files.tables import guarded
from biaslab.models import Completion, ModelForm, open_model
from biaslab.publishing.report import (
    AnswerMark,
    Entry,
    Items,
    ReportAnswer,
    ReportExchange,
    ReportPart,
    page,
    report_of_runs,
)
from biaslab.publishing.report.network import NETWORKS
from biaslab.studies import Design, experiment
from tests.conftest import DEADLINE_MS
from tests.publishing.report.conftest import FORMULA, HOSTILE, hostile

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
FINDINGS = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations
        .filter(one => ["serious", "critical"].includes(one.impact)
            || ["heading-order", "page-has-heading-one", "landmark-one-main"].includes(one.id))
        .flatMap(one => one.nodes.map(node => `${one.id}: ${node.html.slice(0, 160)}`));
}"""

WORDS = "first then add take away the number of bags she has left so that means"
NARROW, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@dataclass
class Opened:
    """A file in a browser, and what it asked for or complained of."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture
def opening(chromium: Browser, tmp_path: Path) -> Iterator:
    contexts = []

    def opened(content: bytes, ready: bool = True, **settings) -> Opened:
        path = tmp_path / "report.html"
        path.write_bytes(content)
        context = chromium.new_context(**{"offline": True, "viewport": WIDE, **settings})
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.on("request", lambda request: found.requests.append(request.url))
        found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
        found.page.on("console", lambda message: found.complaints.append(message.text))
        found.page.goto(path.as_uri())
        if ready:
            found.page.wait_for_selector("html[data-ready]", timeout=DEADLINE_MS)
        return found

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def of_runs(asked) -> bytes:
    store, runs = asked
    return page(report_of_runs(store, runs))


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("look", ["light", "dark"])
def test_it_opens_without_a_network_asks_for_nothing_and_shuts_nobody_out(
    opening, of_runs, size, look
):
    seen = opening(of_runs, viewport=size, color_scheme=look)
    seen.page.evaluate(f"() => {{ {AXE} }}")

    assert seen.page.locator(".js-plotly-plot").count() >= 4
    assert seen.page.evaluate("document.scrollingElement.scrollWidth") == size["width"]
    assert seen.page.evaluate(FINDINGS) == []
    assert seen.complaints == []
    assert len(seen.requests) == 1


def test_charts_have_the_colours_of_the_look_and_change_with_it(opening, of_runs):
    shown = opening(of_runs, color_scheme="light").page
    paper = shown.locator(".js-plotly-plot .main-svg").first
    expect(paper).to_have_css("background-color", "rgb(255, 255, 255)")
    shown.emulate_media(color_scheme="dark")

    expect(paper).to_have_css("background-color", "rgb(14, 17, 23)")


def test_without_scripts_findings_tables_and_still_charts_are_there(opening, of_runs):
    shown = opening(of_runs, ready=False, java_script_enabled=False).page

    expect(shown.locator("#findings .card")).to_have_count(3)
    assert shown.locator("svg.still:visible").count() >= 4
    assert shown.locator("table:visible").count() >= 4
    expect(shown.get_by_text("open the file in a browser with JavaScript")).to_be_visible()


def test_a_browser_that_cannot_unpack_has_all_of_that_too(of_runs, chromium, tmp_path):
    context = chromium.new_context(offline=True)
    context.add_init_script("delete window.DecompressionStream")
    shown = context.new_page()
    (tmp_path / "old.html").write_bytes(of_runs)
    shown.goto((tmp_path / "old.html").as_uri())

    assert shown.locator("svg.still:visible").count() >= 4
    expect(shown.get_by_text("open the file in a browser with JavaScript")).to_be_visible()
    context.close()


def test_hostile_texts_are_shown_and_do_nothing(opening):
    seen = opening(page(hostile()))

    expect(seen.page.locator("h1")).to_have_text(HOSTILE)
    expect(seen.page.locator("#list .entry .text").first).to_contain_text(HOSTILE)
    assert seen.page.evaluate("window.hurt") is None
    assert len(seen.requests) == 1
    assert seen.complaints == []


def test_items_are_found_by_words_by_outcome_by_kind_and_by_stratum(opening):
    shown = opening(page(hostile())).page
    told = shown.get_by_role("status")
    expect(told).to_have_text("30 pairs")
    expect(shown.locator("#list .entry")).to_have_count(10)

    shown.get_by_label("Words in problems and answers").fill("NEEDLE7 problem")
    expect(told).to_have_text("1 of 30 pairs")
    expect(shown.locator("#list .entry")).to_contain_text("Pair 8")
    shown.get_by_label("Words in problems and answers").fill("prompt")
    expect(told).to_have_text("0 of 30 pairs")
    shown.get_by_label("Words in problems and answers").fill("")
    shown.get_by_label("Steps").select_option("2")
    expect(told).to_have_text("10 of 30 pairs")
    shown.get_by_label("Of the kind").select_option("second")
    shown.get_by_label("Answers", exact=True).select_option("wrong")
    # The second kind has the first answer alone, whose outcome goes with the number as steps do.
    expect(told).to_have_text("10 of 30 pairs")
    shown.get_by_label("Answers", exact=True).select_option("right")
    expect(told).to_have_text("0 of 30 pairs")


def test_pages_of_items_are_turned_by_keys(opening):
    shown = opening(page(hostile())).page
    following = shown.get_by_role("button", name="Next")
    following.focus()
    shown.keyboard.press("Enter")

    expect(shown.locator("#list")).to_contain_text("Page 2 of 3")
    expect(shown.locator("#list .entry").first).to_contain_text("Pair 11")
    shown.locator("#list .entry summary").nth(3).focus()


def downloaded(shown: Page, name: str) -> str:
    with shown.expect_download() as download:
        shown.get_by_role("button", name=name, exact=True).click()
    assert download.value.suggested_filename == name
    return Path(download.value.path()).read_bytes().decode("utf-8")


def test_data_are_taken_out_as_csv_and_json_and_formulas_do_not_run(opening):
    report = hostile()
    shown = opening(page(report)).page
    rows = list(csv.DictReader(io.StringIO(downloaded(shown, "answers.csv"), newline="")))
    given = [
        (entry, part, answer)
        for entry in report.items.entries for part in entry.parts for answer in part.answers
    ]  # fmt: skip

    assert len(rows) == len(given)
    for row, (entry, part, answer) in zip(rows, given, strict=True):
        assert row["pair"] == entry.name
        assert row["problem"] == guarded(part.text)
        assert row["read_as"] == guarded(FORMULA) == f"'{FORMULA}"
        assert row["outcome"] == answer.mark
        assert row["prompts"] == guarded(answer.exchanges[0].prompt)
    whole = json.loads(downloaded(shown, "report.json"))
    assert [each["read_as"] for each in whole["answers"]] == [FORMULA] * len(given)
    assert whole["findings"] == [[HOSTILE, HOSTILE, FORMULA]]
    assert downloaded(shown, "effects.csv") == report.files["effects.csv"]


def test_cells_are_guarded_as_the_library_guards_them(opening):
    cells = ["=1", "-1", "+2.5", "'=1", " @x", "-x", "''-", "7", "", "-1e5", "a,b", 'a"b', "a\nb"]
    parts = tuple(
        ReportPart("", cell, "", (ReportAnswer(AnswerMark.READ, cell),)) for cell in cells
    )
    items = Items("pair", {}, [Entry("one", {}, parts)])
    shown = opening(page(replace(hostile(), sections=(), items=items))).page
    rows = csv.DictReader(io.StringIO(downloaded(shown, "answers.csv"), newline=""))

    assert [row["problem"] for row in rows] == [guarded(cell) for cell in cells]


def test_it_prints_with_still_charts_and_with_items_only_where_one_chooses(opening):
    shown = opening(page(hostile(40)), color_scheme="dark").page
    few = pages_of(shown.pdf(format="A4"))
    shown.get_by_label("Print all that are listed").check()
    many = pages_of(shown.pdf(format="A4"))
    shown.emulate_media(media="print")

    assert 1 < few < many
    assert shown.locator("svg.still").first.is_visible()
    assert not shown.locator(".live").first.is_visible()
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def pages_of(pdf: bytes) -> int:
    """How many pages a file has."""
    assert pdf.startswith(b"%PDF")
    return pdf.count(b"/Type /Page\n") or pdf.count(b"/Type /Page") - pdf.count(b"/Type /Pages")


def large(items: int, outputs: int, length: int) -> bytes:
    """A report of items whose outputs all differ, as long as those of a model that thinks."""
    words = WORDS.split()

    def text(seed: int) -> str:
        picked, state = [], seed * 2654435761 % 2**32
        while sum(map(len, picked)) + len(picked) < length:
            state = (state * 1103515245 + 12345) % 2**31
            picked.append(words[state // 65536 % len(words)] if state % 3 else str(state % 97))
        return " ".join(picked)

    entries = []
    for pair in range(items // 2):
        parts = []
        for arm, name in enumerate(("consistent", "inconsistent")):
            seed = 2 * pair + arm
            problem = f"Ana has {seed} bags. " + text(seed)[:180]
            answers = tuple(
                ReportAnswer(AnswerMark.RIGHT if seed % 3 else AnswerMark.WRONG, str(seed),
                "As the last number.",
                       sample + 1,
                       exchanges=(ReportExchange(f"Solve it.\n\n{problem}\n\nThink step by step.",
                                           text(seed * 31 + sample + 7)),))
                for sample in range(outputs)
            )  # fmt: skip
            parts.append(ReportPart(name, problem, str(seed), answers))
        entries.append(Entry(f"Pair {pair + 1}", {"steps": str(pair % 5)}, tuple(parts)))
    return page(replace(hostile(0), items=Items("pair", {"steps": "Steps"}, entries)))


def test_a_thousand_items_with_three_long_outputs_each_stay_under_three_megabytes():
    assert len(large(1_000, 3, 1_200)) < 3_000_000


def test_ten_thousand_pairs_are_listed_and_searched_at_once(opening):
    shown = opening(large(20_000, 1, 60)).page
    shown.get_by_label("Words in problems and answers").fill("19999")
    expect(shown.get_by_role("status")).not_to_have_text("10,000 pairs")

    assert shown.locator("#list .entry").count() <= 10


ANSWERS = """([place, problems]) => {
    const { data, Network, Writer } = window.BiasLabNetworks;
    const network = new Network(data.shape, data.networks[place]), writer = new Writer(data);
    return problems.map(problem => {
        const { working, answer, number } = writer.answered(network, problem);
        return [working.trim(), answer.trim(), number];
    });
}"""


def test_networks_answer_offline_as_the_app_does(opening):
    study = experiment("consistency")
    (cot,) = (each for each in study.strategies if each.name == "cot")
    pairs = list(study.pairs(Design("consistency", 12, 3, {"steps": "1-2", "version": "1"})))
    items = [item for pair in pairs for item in (pair.x, pair.x_prime)]
    found = opening(page(replace(hostile(), network=True))).page
    for place, shown in enumerate(NETWORKS):
        model = open_model(f"tiny:{shown.name}", device="cpu")
        wanted = []
        for item in items:
            said: list[Completion] = []
            while (request := cot.next_request(item, said, ModelForm.BASE)) is not None:
                [(_, answer)] = model.generate([request])
                said.append(answer)
            value = study.read(item, said, ModelForm.BASE).value
            wanted.append([said[0].text.strip(), said[1].text.strip(), value])
        assert found.evaluate(ANSWERS, [place, [item.text for item in items]]) == wanted, shown


def test_the_answer_turns_with_the_lessons_and_unknown_words_are_said(opening):
    for settings in ({"viewport": WIDE}, {"viewport": NARROW, "color_scheme": "dark"}):
        opened = opening(page(replace(hostile(), network=True)), **settings)
        found = opened.page
        said = found.locator("#network-out")
        expect(said.locator("strong")).to_have_text("5")
        found.get_by_label("Lessons:").press("ArrowLeft")
        expect(said.locator("strong")).to_have_text("27")
        found.get_by_role("button", name="Example: wording helps").click()
        expect(said.locator("strong")).to_have_text("27")
        found.get_by_label("A problem").fill("Gustavo owns 16 rockets.")
        expect(said).to_contain_text("were never taught: rockets")
        found.evaluate(AXE)
        assert found.evaluate(FINDINGS) == []
        assert found.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert opened.complaints == []
        assert [url for url in opened.requests if not url.startswith("file:")] == []
