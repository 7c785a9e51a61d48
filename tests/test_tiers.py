"""`make quick` is quick, and still looks into every room of the code."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import SLOW, TESTS, is_slow
from tests.loops import over

CODE = TESTS.parent
EVERY_PAGE = TESTS / "ui" / "test_every_page.py"
"""Opens each page twice, so it looks into every room of the screens."""

ROOMS = sorted(
    {
        Path(*room.parts[1:]) if room.parts[0] == "biaslab" else room
        for package in ("schoolmath", "biaslab")
        for path in (CODE / package).rglob("*.py")
        if path.name != "__init__.py"
        and len((room := path.parent.relative_to(CODE)).parts) in (2, 3)
    }
)


@over("room", ROOMS, ids=str)
def test_every_room_with_tests_of_its_own_has_some_in_the_quick_tier(room: Path) -> None:
    if room.parts[0] == "ui" and not is_slow(EVERY_PAGE):
        return
    modules = [*(TESTS / room).rglob("test_*.py")]
    if not modules:
        assert [*(TESTS / room.parent).glob("test_*.py")], f"{room} has no tests at all"
        return
    assert [module for module in modules if not is_slow(module)], f"make quick leaves {room} out"


def test_what_is_slow_is_there() -> None:
    assert not [each for each in SLOW if not (TESTS / each).exists()]
