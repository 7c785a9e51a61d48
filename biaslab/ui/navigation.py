"""The screens and the ways between them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from copy import copy
from functools import cache
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from biaslab.studies import experiments
from biaslab.system.roles import May


def heading(title: str, purpose: str) -> None:
    """Title and what the page is for."""
    st.title(title, anchor=False)
    st.markdown(purpose)


def action_row() -> DeltaGenerator:
    """A place on the first screen for what the page is there for.

    It is filled at the end of the script, once everything is chosen, and drawn where it stands.
    """
    return st.container(horizontal=True, vertical_alignment="center", key="action")


class Screen(NamedTuple):
    """A page of the app.

    Attributes:
        name: its address; `NAME_page` draws it, in the module of its area.
        title, icon, help: in the navigation.
        parameters: what may stand in its address. The one place that says so: a page that reads
        needs: what somebody has to be allowed to open it.
    """

    name: str
    title: str
    icon: str
    help: str
    parameters: tuple[str, ...] = ()
    needs: May = May.SEE


_SETTINGS = sorted({setting.name for study in experiments().values() for setting in study.settings})

_DESIGN = ("study", "n", "seed", "pair", "part", "box", "measure", "as", *_SETTINGS)
_ASKING = (
    "model", "server", "strategy", "temperature", "thinking", "samples", "sampling-seed",
    "max-tokens", "go-on", "reader", "until-answered", "at-most", "batch-api", "stop",
    "until-narrow", "looks", "budget-requests", "budget-tokens", "budget-money", "price-in",
    "price-out", "currency",
)  # fmt: skip
_PLAN = ("plan", "effect", "power", "width", "like")

HOME = Screen("home", "Home", ":material/home:", "What a real language model did; do it again.")
DEMO = Screen(
    "demo",
    "Two tiny models",
    ":material/play_circle:",
    "One was taught to err, the other was not: both get the same problems.",
)
COMPOSE = Screen(
    "compose",
    "Compose",
    ":material/edit_note:",
    "Make pairs of problems and ask a model.",
    (*_DESIGN, *_ASKING, *_PLAN, "fit"),
    needs=May.RUN,
)
MATRIX = Screen(
    "matrix",
    "Several at once",
    ":material/grid_view:",
    "Several studies of several models as one job.",
    (
        "studies",
        "models",
        "strategies",
        "n",
        "seed",
        "budget-requests",
        "steps",
        "numbers",
        "operations",
    ),
    needs=May.RUN,
)
REVIEW = Screen(
    "review",
    "Quality review",
    ":material/rate_review:",
    "People judge some of the texts.",
    ("control", "more", "review-seed", "study", "n", "seed", *_SETTINGS),
    needs=May.KEEP,
)
IMPORT_PAIRS = Screen(
    "import_pairs",
    "Import pairs",
    ":material/upload_file:",
    "Bring pairs of problems of your own.",
    ("set", "show", "page"),
    needs=May.KEEP,
)
IMPORT_ITEMS = Screen(
    "import_items",
    "Import items",
    ":material/playlist_add:",
    "Bring multiple-choice questions of your own.",
    ("items",),
    needs=May.KEEP,
)
YOUR_PROBLEM = Screen(
    "your_problem",
    "Your problem",
    ":material/lightbulb:",
    "Paste a problem; get its minimal pairs.",
    ("text", "twins", "model", "answering", "way", "paper"),
    needs=May.RUN,
)
CORRECT = Screen(
    "correct",
    "Correct the grammar",
    ":material/spellcheck:",
    "A language model corrects pairs, checked.",
    ("first", "prompt", "discarded", "model", "study", "n", "seed", *_SETTINGS),
    needs=May.RUN,
)
RUNS = Screen(
    "runs",
    "Runs",
    ":material/play_circle:",
    "Your runs and their progress.",
    ("run", "list"),
)
RESULTS = Screen(
    "results",
    "Overview",
    ":material/table_chart:",
    "All studies, models and strategies side by side.",
    ("runs", "by", "invalid"),
)
EFFECTS = Screen(
    "effects",
    "Effects",
    ":material/bar_chart:",
    "What changing one feature did.",
    ("runs", "by", "invalid", "published", "vote", "trend"),
)
ITEMS = Screen(
    "items",
    "Items",
    ":material/find_in_page:",
    "Every problem, answer by answer.",
    (
        "run",
        "beside",
        "differ",
        "pattern",
        "strata",
        "read",
        "find",
        "marked",
        "page",
        "pair",
        "sample",
    ),
)
MALGORITHMS = Screen(
    "malgorithms",
    "Malgorithms",
    ":material/psychology_alt:",
    "Does a model see why an answer is wrong?",
    (
        "runs", "of", "view", "invalid", "sample", "grade", "dok", "content_class", "rule",
        "named", "outcome", "question", "list",
    ),
)  # fmt: skip
CONCEPTS = Screen(
    "concepts",
    "Concepts",
    ":material/scatter_plot:",
    "Can a model learn “more than 3/10” from examples?",
    ("view", "runs", "of", "invalid", "total", "n", "seed", *_SETTINGS),
)
BIASES = Screen(
    "biases",
    "Decision biases",
    ":material/balance:",
    "Does what should not matter move a decision?",
    (
        "view", "runs", "of", "bias", "figure", "beside", "largest", "scene", "model", "many",
        "order", "intervals", "sizes",
    ),
)  # fmt: skip
MODELS = Screen(
    "models",
    "Models",
    ":material/smart_toy:",
    "Who can be asked; connect a server.",
    (
        "model", "server", "connect", "preset", "url", "name", "key", "variable", "endpoint",
        "more", "also", "strategy",
    ),
    needs=May.RUN,
)  # fmt: skip
YOUR_CLASS = Screen(
    "your_class",
    "Your class",
    ":material/groups:",
    "A quiz to print or a test of your own, and groups by likely misconception.",
    (
        "step",
        "test",
        "own",
        "items",
        "grade",
        "topics",
        "n",
        "set",
        "answers",
        "paper",
        "by",
        "group",
        "next",
    ),
    needs=May.KEEP,
)
CHECK_TUTOR = Screen(
    "check_tutor",
    "Check a tutor",
    ":material/school:",
    "Does a model see the idea behind a pupil's mistake, and does it hold to it?",
    ("model", "items", "grade", "content-class", "n", "seed", "way", "beside"),
)
ROOM = Screen(
    "room",
    "Live room",
    ":material/meeting_room:",
    "People answer on their phones; the room has an effect of its own.",
    ("room", "study", "n", "seed", "who", "pace", "timer", *_SETTINGS),
)
WALL = Screen(
    "wall",
    "Wall",
    ":material/slideshow:",
    "The screen that everybody in a live room sees.",
    ("room", "slide", "timer"),
)
GUESS = Screen(
    "guess",
    "Guess the mal-rule",
    ":material/extension:",
    "A game: which rule gave this wrong answer?",
    ("seed", "round", "grade", "class", "from"),
)
WHAT_HAPPENED = Screen(
    "what_happened",
    "What happened here?",
    ":material/troubleshoot:",
    "A problem and a wrong answer: which misconception gives it?",
    ("view", "problem", "answer", "next", "from", "items", "paper"),
)
TRAINING_LAB = Screen(
    "training_lab",
    "Training lab",
    ":material/model_training:",
    "Choose what a tiny model learns; see a bias appear.",
    (
        "training", "mix", "comparisons", "problems", "carries", "name", "minutes", "seed", "steps",
        "list",
    ),
)  # fmt: skip
LOGS = Screen(
    "logs",
    "Other logs",
    ":material/compare_arrows:",
    "Logs of any task, sample by sample.",
    needs=May.KEEP,
)
AUDIT = Screen(
    "audit",
    "Corpus audit",
    ":material/fact_check:",
    "What share of a corpus of problems is what?",
    ("from",),
    needs=May.KEEP,
)
LOOK_INSIDE = Screen(
    "look_inside",
    "Look inside",
    ":material/visibility:",
    "What a model would answer after each word.",
    ("model", "beside", "study", "steps", "operations", "seed", "pair", "look", "swaps", "probe"),
    needs=May.RUN,
)
ORIGINS = Screen(
    "origins",
    "Where biases come from",
    ":material/account_tree:",
    "One network, several training mixes: which has which bias?",
    ("strategy", "steps", "comparison", "study", "mixes"),
)


class Area(NamedTuple):
    """What a person may want here.

    Attributes:
        title, icon, help: in the navigation.
        module: of `pages`, with a function for each screen.
        screens: the steps inside, in the order of a person's work. The area opens on the first.
    """

    title: str
    icon: str
    help: str
    module: str
    screens: tuple[Screen, ...]


AREAS = (
    Area("Start", ":material/home:", HOME.help, "home", (HOME,)),
    Area(
        "Try a problem",
        ":material/lightbulb:",
        "A problem of your own: its twins, what models answer, what a wrong answer means.",
        "problem",
        (YOUR_PROBLEM, WHAT_HAPPENED, LOOK_INSIDE),
    ),
    Area(
        "Studies",
        ":material/science:",
        "Design a study, choose models, run it.",
        "studies",
        (COMPOSE, MATRIX, MODELS, RUNS, IMPORT_PAIRS, IMPORT_ITEMS, CORRECT, REVIEW),
    ),
    Area(
        "Results",
        ":material/bar_chart:",
        "Everything that was measured, down to single answers.",
        "results",
        (RESULTS, EFFECTS, ITEMS, MALGORITHMS, CONCEPTS, BIASES, LOGS),
    ),
    Area(
        "Check a tutor",
        ":material/school:",
        CHECK_TUTOR.help,
        "classroom",
        (CHECK_TUTOR,),
    ),
    Area(
        "My class",
        ":material/groups:",
        "A quiz or a test of your own, and groups by likely misconception.",
        "classroom",
        (YOUR_CLASS,),
    ),
    Area(
        "Workshop",
        ":material/co_present:",
        "What a room can do together.",
        "classroom",
        (ROOM, WALL, GUESS),
    ),
    Area(
        "Where biases come from",
        ":material/account_tree:",
        "What training makes of a model.",
        "origins",
        (ORIGINS, DEMO, TRAINING_LAB, AUDIT),
    ),
)
"""By what a person wants."""

_AREA = {screen: area for area in AREAS for screen in area.screens}
SCREENS = tuple(_AREA)

LINK = ":material/link:"
"""The sign of a link to what is shown just now."""


def screen_of(page: st.Page) -> Screen:
    """The screen behind a page of Streamlit's."""
    return HOME if not page.url_path else screen_at(page.url_path)


def screen_at(address: str) -> Screen:
    """The screen whose address ends so."""
    return next(screen for screen in SCREENS if screen.name == address)


def pages() -> list[st.Page]:
    """The pages as Streamlit wants them declared: the areas are seen, the steps inside are not."""
    return [copy(_page(screen, area)) for screen, area in _AREA.items()]


@cache
def _page(screen: Screen, area: Area) -> st.Page:
    """A page, checked once; every run of a script declares a copy of its own."""
    leads = screen is area.screens[0]

    def draw() -> None:
        """Draws the page; what it needs is imported when it is first opened."""
        module = importlib.import_module(f"pages.{area.module}")
        getattr(module, f"{screen.name}_page")()

    return st.Page(
        draw,
        title=area.title if leads else screen.title,
        icon=area.icon if leads else screen.icon,
        help=area.help if leads else screen.help,
        default=screen is HOME,
        url_path=screen.name,
        visibility="visible" if leads else "hidden",
    )


def draw_steps(screen: Screen) -> None:
    """Draws the ways to the other steps of the same area, and marks the area."""
    area = _AREA[screen]
    first = area.screens[0]
    # A phone shows a part of the steps: the one shown is in it, where the browser knows how.
    style = f'.st-key-steps > :has([href="{screen.name}"]) {{ scroll-initial-target: nearest; }}'
    if first is not HOME:
        # Streamlit marks a area on its first step alone.
        style += (
            ':is([data-testid="stTopNavLink"], [data-testid="stSidebarNavLink"])'
            f'[href$="/{first.name}"] '
            "{ background: color-mix(in srgb, currentColor 12%, transparent); }"
        )
    st.html(f"<style>{style}</style>")
    if len(area.screens) > 1:
        with st.container(horizontal=True, gap="xxsmall", key="steps"):
            for step in area.screens:
                link(step, step.title)


def go(screen: Screen, **parameters: str) -> None:
    """Shows another screen, with the state that the parameters name."""
    st.switch_page(_page(screen, _AREA[screen]), query_params=parameters)


def link(
    screen: Screen,
    label: str,
    parameters: Mapping[str, str] | None = None,
    *,
    icon: str | None = None,
    stretch: bool = False,
) -> None:
    """A link to another screen."""
    st.page_link(
        _page(screen, _AREA[screen]),
        label=label,
        icon=screen.icon if icon is None else icon,
        help="",
        query_params=dict(parameters) if parameters else None,
        width="stretch" if stretch else "content",
    )
