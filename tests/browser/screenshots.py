"""Pictures of every page, to look at: wide and narrow, light and dark, empty and with runs.

    python -m tests.browser.screenshots FOLDER [PART OF A NAME ...]

Prints every request to another machine and everything that stands out of a page.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from biaslab.models import Access
from biaslab.runs import Connection, Store, open_store, prepare, remember, run_here, stop
from biaslab.runs.engine import leases
from biaslab.studies import Design
from biaslab.ui.models.server_testing import try_server
from tests.browser.conftest import Server, Tab, open_tab, start
from tests.conftest import DEADLINE, FLAGS, find_chromium
from tests.servers.running import running

SIZES = ((1280, 900), (390, 844))
THEMES = ("light", "dark")

PAGES = {
    "home": "/",
    "compose": "/compose",
    "compose-transfer": "/compose?study=transfer-comparison&steps=3-3&pair=2",
    "compose-impossible": "/compose?numbers=2-3&steps=5-5&operations=multiplicative",
    "compose-own": "/compose?study=composed&part=3&box=contents",
    "compose-diagnosable": "/compose?study=composed&diagnosable=yes&numbers=2-60&box=keep",
    "compose-refused": "/compose?study=composed&structure=container+.+comparison+A:A&part=2",
    "models": "/models",
    "models-typed-key": "/models?connect=yes&preset=openai&key=typed",
    "models-tiny": "/models?model=tiny",
    "models-unknown": "/models?model=openai:qwen",
    "runs": "/runs",
    "effects": "/effects",
    "items": "/items",
    "class-quiz": "/your_class",
    "class-own": "/your_class?grade=5&topics=FractionSum,DecimalSum&answers=own&paper=key",
    "class-answers": "/your_class?step=answers",
    "class-none": "/your_class?step=groups",
    "class-groups": "/your_class?step=answers",
    "class-next": "/your_class?grade=6&topics=Story&answers=own&step=answers",
    "class-refused": "/your_class?step=answers",
    "check-tutor": "/check_tutor",
    "happened": "/what_happened",
    "happened-columns": "/what_happened?problem=702+-+345&answer=443",
    "happened-paper": "/what_happened?problem=702+-+345&answer=443&paper=yes",
    "happened-fractions": "/what_happened?problem=1/2+%2B+1/3&answer=2/5",
    "happened-story": "/what_happened?problem=Ana+has+15+pens.+Ana+has+6+more+pens+than+Ben.+"
    "How+many+pens+does+Ben+have%3F&answer=21",
    "happened-none": "/what_happened?problem=52+-+17&answer=999",
    "happened-refused": "/what_happened?problem=hello&answer=3",
    "happened-several": "/what_happened?view=several",
    "review": "/review",
    "guess": "/guess",
    "origins": "/origins",
    "training-lab": "/training_lab",
    "look-inside": "/look_inside",
    "guess-truth": "/guess?seed=3",
    "guess-algebra": "/guess?class=algebra&seed=7&round=3",
    "malgorithms": "/malgorithms",
    "biases": "/biases",
    "biases-one": "/biases?view=one&bias=framing-effect",
    "biases-published": "/biases?view=published",
    "biases-write": "/biases?view=write",
    "biases-fill": "/biases?view=fill",
    "biases-files": "/biases?view=files",
}

PRESSED = {
    "happened-several": ("Use the example",),
    "class-groups": ("Try it with a made-up class",),
    "class-next": ("Try it with a made-up class", "4 Follow-up questions"),
    "guess-truth": ("1. ",),
}
"""Buttons that are pressed before a picture is taken, by the beginning of their words."""

TYPED = {"class-refused": ("row,1,2,3\n1,A,B,C\nAnna,A,B,anna@example.org", "Read the answers")}
"""What is typed into the first box, and the button that sends it."""

_OUTSIDE = """() => {
    const width = document.documentElement.clientWidth, found = [];
    for (const element of document.querySelectorAll('[data-testid="stMain"] *')) {
        const box = element.getBoundingClientRect();
        if (box.width > 1 && box.right > width + 2 && !element.closest('svg, .stDataFrame, input'))
            found.push(element.tagName + ' ' + element.textContent.slice(0, 40));
    }
    return found.slice(0, 3);
}"""


def main(folder: Path, parts: list[str]) -> None:
    """Takes all pictures whose name holds one of the parts."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for state in ("empty", "filled"):
            database = Path(place) / f"{state}.db"
            pages = dict(PAGES)
            if state == "filled":
                with open_store(database) as store:
                    pages |= _fill(store)
            wanted = {
                f"{state}-{name}": path
                for name, path in pages.items()
                if not parts or any(part in f"{state}-{name}" for part in parts)
            }
            if not wanted:
                continue
            process, server = start(database, Path(place) / "server.log")
            try:
                _take(browser, server, wanted, folder)
            finally:
                process.terminate()
                process.wait(timeout=DEADLINE)
        browser.close()


def _fill(store: Store) -> dict[str, str]:
    """Runs in every state; addresses of pages that show them."""
    failed = _prepare(store, 60, "learner:perfect")
    with store.writing() as connection:
        connection.execute(
            "UPDATE runs SET status = 'failed', message = ? WHERE id = ?",
            (
                "The model’s files in /models/small_one are gone. Put them back, then resume.",
                failed,
            ),
        )
    halfway = _run(store, 300, "learner:halfway")
    novice = _run(store, 300, "learner:novice", "cot")
    shy = _run(store, 200, "learner:shy")
    carry = prepare(store, Design("carry", 80, 1), "learner:carry-dropper", "child-cot")
    run_here(store, carry)
    stopped = _prepare(store, 900, "learner:forgetful")
    run_here(store, stopped, on_progress=lambda _: stop(store, stopped))
    running = _prepare(store, 900, "learner:careless", "cot")
    run_here(store, running, on_progress=lambda _: stop(store, running))
    leases.claim(store, running, 3600.0, process=None)
    drawn = _identify(store, "learner:key-drawn", "cot")
    coin = _identify(store, "learner:coin", "simple")
    decided = prepare(store, Design("decision", 400, 1), "learner:random", "choose")
    run_here(store, decided)
    _connect(store)
    return {
        "biases-beside": f"/biases?runs={decided}&beside=Average,GPT-4o",
        "effects-decision": f"/effects?runs={decided}&by=bias",
        "items-decision": f"/items?run={decided}",
        "models-good": "/models?model=openai:tiny",
        "models-poor": "/models?model=openai:Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4",
        "runs-failed": f"/runs?run={failed}",
        "runs-stopped": f"/runs?run={stopped}",
        "runs-finished": f"/runs?run={shy}",
        "effects-one": f"/effects?runs={halfway}",
        "effects-operations": f"/effects?runs={halfway}&by=operation&published=yes",
        "effects-two": f"/effects?runs={halfway},{novice}&published=yes",
        "effects-studies": f"/effects?runs={carry},{shy}",
        "items-unread": f"/items?run={shy}&pattern=invalid",
        "items-working": f"/items?run={novice}&strata=steps:3&pattern=only+x+right",
        "items-carry": f"/items?run={carry}",
        "malgorithms-two": f"/malgorithms?runs={drawn},{coin}",
        "malgorithms-question": f"/malgorithms?runs={drawn}&view=questions&outcome=taken-for-key",
        "malgorithms-beside": f"/malgorithms?runs={coin},{drawn}&view=questions",
        "items-malgorithm": f"/items?run={drawn}",
        "effects-malgorithm": f"/effects?runs={drawn}&by=content_class",
    }


def _identify(store: Store, model: str, strategy: str) -> str:
    run = prepare(store, Design("malgorithm", 300, 1), model, strategy)
    run_here(store, run)
    return run


def _connect(store: Store) -> None:
    """Two servers over the tiny model, as a test finds them: a good one and a poor one."""
    poor = "Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4"
    switches = "any_name,logprobs=ignored,thinking=inside,warm,completions=no,tells_length=no"
    with running("tests.servers.tiny_server") as address:
        for name, url in (("tiny", f"{address}/v1"), (poor, f"{address}/with/{switches}/v1")):
            found = try_server(f"openai:{name}", Access((url,)), {}, lambda _: None)
            access = Access(found.base_urls, found.endpoint, found.served)
            remember(store, Connection(f"openai:{name}", access, found))


def _prepare(store: Store, n: int, model: str, strategy: str = "direct") -> str:
    return prepare(store, Design("consistency", n, 1, {"steps": "1-3"}), model, strategy)


def _run(store: Store, n: int, model: str, strategy: str = "direct") -> str:
    run = _prepare(store, n, model, strategy)
    run_here(store, run)
    return run


def _take(browser: Browser, server: Server, pages: dict[str, str], folder: Path) -> None:
    for width, height in SIZES:
        for theme in THEMES:
            size: Any = {"width": width, "height": height}
            context = browser.new_context(viewport=size, color_scheme=theme, locale="en-GB")
            context.request.get(server.start)
            tab = open_tab(context, server.address)
            for name, path in pages.items():
                tab.page.goto(server.address + path)
                tab.settled()
                tab.page.wait_for_timeout(1200)
                _act(tab, name.partition("-")[2])
                outside = tab.page.evaluate(_OUTSIDE)
                if outside:
                    _tell(f"{name} {width} {theme}: stands out: {outside}")
                inner = tab.page.evaluate(
                    "document.querySelector('[data-testid=\"stMain\"]').scrollHeight"
                )
                tab.page.set_viewport_size({"width": width, "height": max(height, inner + 70)})
                tab.page.wait_for_timeout(500)
                tab.page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
                tab.page.set_viewport_size(size)
            for text in (*tab.outside, *tab.errors):
                _tell(f"{width} {theme}: {text}")
            context.close()


def _act(tab: Tab, name: str) -> None:
    """Types and presses what a picture needs."""
    text, *pressed = TYPED.get(name, ("", *PRESSED.get(name, ())))
    if text:
        tab.page.locator("textarea").first.fill(text)
    for words in pressed:
        button = tab.page.get_by_role("button", name=re.compile(f"^{re.escape(words)}"))
        button.or_(tab.page.get_by_role("radio", name=words)).first.click()
        tab.settled()
        tab.page.wait_for_timeout(1200)


def _tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
