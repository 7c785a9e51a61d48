"""`make quick` and `make test` are quick, and still look into every package of the code."""

from __future__ import annotations

from pathlib import Path

from tests.loops import over
from tests.tiers import REST, SLOW, TESTS, is_slow

CODE = TESTS.parent
EVERY_PAGE = TESTS / "ui" / "test_every_page.py"
"""Opens each page twice, so it looks into every package of the screens."""

PACKAGES = sorted(
    {
        Path(*folder.parts[1:]) if folder.parts[0] == "biaslab" else folder
        for top in ("schoolmath", "biaslab")
        for path in (CODE / top).rglob("*.py")
        if path.name != "__init__.py"
        and len((folder := path.parent.relative_to(CODE)).parts) in (2, 3)
    }
)


@over("package", PACKAGES, ids=str)
def test_every_package_with_tests_of_its_own_has_some_in_the_quick_tier(package: Path) -> None:
    if package.parts[0] == "ui" and not is_slow(EVERY_PAGE):
        return
    modules = [*(TESTS / package).rglob("test_*.py")]
    if not modules:
        assert [*(TESTS / package.parent).glob("test_*.py")], f"{package} has no tests at all"
        return
    assert [module for module in modules if not is_slow(module)], f"make quick leaves {package} out"


def test_what_is_slow_is_there() -> None:
    assert not [each for each in (*SLOW, *REST) if not (TESTS / each).exists()]
