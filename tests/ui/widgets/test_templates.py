"""HTML from templates: nothing that anybody wrote becomes markup."""

from __future__ import annotations

import pytest
from jinja2 import Environment, FileSystemLoader, UndefinedError, nodes

from biaslab.ui.classroom.paper import TEMPLATES, part

HEAD = "Quiz AB<1> · adding & more"
RULE = {
    "name": "<i>larger</i> first",
    "card": {
        "name": "<i>larger</i> first", "id": "NO1", "kind": "", "source": "A & B",
        "confidence": "A",
        "description": "Takes the smaller digit away.", "look_for": "", "probe": "",
    },
    "source": "Brown & Burton 1978. Confidence A: well known.",
    "example": None, "helps": (),
}  # fmt: skip


def test_what_people_wrote_is_escaped() -> None:
    options = [("A", "<script>alert(1)</script>")]
    items = [{"question": '5 < 6 & "seven"', "picture": "<img>", "options": options}]
    made = part("paper.html", "worksheet", head=HEAD, title="Worksheet", how="", items=items)
    assert "<script>" not in made
    assert "<img>" not in made
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in made
    assert "5 &lt; 6 &amp; &#34;seven&#34;" in made
    assert "AB&lt;1&gt; · adding &amp; more" in made


def test_several_rules_are_told_apart_by_name_and_one_is_not() -> None:
    given = {"code": "AB", "number": 1, "heading": "x", "who": "1 pupil: row 2", "names": "",
             "how_sure": "", "why": [], "note": ""}  # fmt: skip
    one, two = (part("paper.html", "group_sheet", rules=[RULE] * n, **given) for n in (1, 2))
    assert "&lt;i&gt;larger&lt;/i&gt; first" not in one
    assert two.count("<h3>&lt;i&gt;larger&lt;/i&gt; first</h3>") == 2
    assert "All of these rules give the same answers" in two
    assert "Look for" not in one


def test_names_of_pupils_are_marked_to_stay_on_the_screen() -> None:
    given = {"code": "AB", "number": 1, "heading": "x", "who": "1 pupil: row 2", "how_sure": "",
             "rules": [RULE], "why": [], "note": ""}  # fmt: skip
    with_name, without = (
        part("paper.html", "group_sheet", names=names, **given) for names in ("A<na", "")
    )
    assert '<span class="bl-screen-only">A&lt;na ' in with_name
    assert "bl-screen-only" not in without


def test_a_value_that_is_missing_is_refused() -> None:
    with pytest.raises(UndefinedError):
        part("paper.html", "worksheet", title="Worksheet", how="", items=[])


@pytest.mark.parametrize("file", [path.name for path in sorted(TEMPLATES.iterdir())])
def test_no_template_turns_escaping_off(file: str) -> None:
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True)
    tree = environment.parse((TEMPLATES / file).read_text(encoding="utf-8"))
    assert "safe" not in {each.name for each in tree.find_all(nodes.Filter)}
