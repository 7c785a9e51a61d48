"""What documents name is there: pages they link to, files, modules."""

import re
from pathlib import Path

from tests.loops import over

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
DOCUMENTS += sorted((ROOT / "docs" / "decisions").glob("*.md"))
DOCUMENTS += [ROOT / "schoolmath" / "README.md", *sorted((ROOT / "research" / "docs").glob("*.md"))]
PROJECT = [ROOT / "app.py"] + [
    path
    for part in ("schoolmath", "biaslab", "research", "pages", "tests", "benchmarks", "docs")
    for path in (ROOT / part).rglob("*.py")
]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
TO_HEADING = re.compile(r"\]\(([^)#\s]*)#([^)\s]+)\)")
FILE = re.compile(
    r"(?<![\w/.-])((?:schoolmath|biaslab|research|tests|pages|assets|benchmarks|docs)/[\w/.-]*\w)(?![\w/*{<])"
)
MODULE = re.compile(r"(?<![\w./-])((?:schoolmath|biaslab|research)(?:\.[a-z_]+)+)")
COLUMN_OF_A_TABLE = "biaslab.design"
IN_BACKTICKS = re.compile(r"`([a-z_/]+\.py)`")
TO_WRITE = re.compile(r"`[^`\n]+`:(?=\n\n```)")
"""Names a file that the reader of a recipe writes."""


def _text(document: Path) -> str:
    """The document without examples, and without files that a reader is to write."""
    text = TO_WRITE.sub("", document.read_text(encoding="utf-8"))
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def _anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", _text(page), re.M)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", each).strip().lower() for each in headings]
    return {re.sub(r"[^\w\- ]", "", each).replace(" ", "-") for each in plain}


def _ends_a_path(name: str) -> bool:
    """Whether some file of the project ends in this, folder by folder."""
    return any(path.match(f"**/{name}") for path in PROJECT)


def _is_there(name: str) -> bool:
    """Whether a module, or a name that one holds, exists."""
    parts = name.split(".")
    for end in range(len(parts), 1, -1):
        path = ROOT.joinpath(*parts[:end])
        if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file():
            return end >= len(parts) - 1 or path.with_suffix(".py").is_file()
    return False


@over("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_that_are_there(document):
    targets = [target for target in LINK.findall(_text(document)) if "://" not in target]
    assert [target for target in targets if not (document.parent / target).exists()] == []


@over("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_into_a_page_lead_to_a_heading_of_it(document):
    links = [link for link in TO_HEADING.findall(_text(document)) if "://" not in link[0]]
    assert [
        f"{page}#{heading}"
        for page, heading in links
        if heading not in _anchors((document.parent / page) if page else document)
    ] == []


@over("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_are_named_are_there(document):
    named = {name for name in FILE.findall(_text(document)) if "NAME" not in name}
    assert sorted(name for name in named if not (ROOT / name).exists()) == []
    short = set(IN_BACKTICKS.findall(_text(document)))
    assert sorted(name for name in short if not _ends_a_path(name)) == []


@over("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_that_are_named_are_there(document):
    named = set(MODULE.findall(_text(document))) - {COLUMN_OF_A_TABLE}
    assert sorted(name for name in named if not _is_there(name)) == []


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages - set(LINK.findall(index)) == set()


def test_every_decision_is_in_the_index_and_short():
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    records = [path for path in folder.glob("*.md") if path.name != "README.md"]
    assert {path.name for path in records} - set(LINK.findall(index)) == set()
    assert [path.name for path in records if path.read_text("utf-8").count("\n") > 15] == []
