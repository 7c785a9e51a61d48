"""A test over many cases: one test, which tries all of them and names each that fails.

`over` stands where `pytest.mark.parametrize` would and is written in the same way. To pytest it is
one test, so a thousand small cases cost what they do, and not a thousand reports. Fixtures are
made once for all cases: what a case changes (a store, an environment) it must make itself.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence

import pytest

LONGEST = 300
"""Characters of a failure that are shown; the first one is shown whole, with its traceback."""


def over(
    names: str | Sequence[str],
    cases: Iterable[object],
    ids: Sequence[str] | Callable[[object], str] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Runs a test for each of the cases; fails once, naming every case that failed and why.

    A case that skips itself leaves the others to be tried.
    """
    keys = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    given = list(cases)
    rows = [_values(case, len(keys)) for case in given]
    name = ids if callable(ids) else _label
    labels = [
        getattr(case, "id", None) if isinstance(case, _Param) else ", ".join(map(name, row))
        for case, row in zip(given, rows, strict=True)
    ]
    if ids is not None and not callable(ids):
        labels = list(ids)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def looped(*args: object, **fixtures: object) -> None:
            failures: list[str] = []
            first: BaseException | None = None
            skipped = 0
            for label, row in zip(labels, rows, strict=True):
                try:
                    test(*args, **fixtures, **dict(zip(keys, row, strict=True)))
                except pytest.skip.Exception:
                    skipped += 1
                    if skipped == len(rows):
                        raise
                except (Exception, pytest.fail.Exception) as error:
                    first = first or error
                    failures.append(f"{label}: {type(error).__name__}: {error}"[:LONGEST])
            assert rows, "There is no case to try."
            if failures:
                told = "\n".join(failures)
                raise AssertionError(f"{len(failures)} of {len(rows)} failed:\n{told}") from first

        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in keys]
        assert len(others) == len(signature.parameters) - len(keys), f"{keys} are no parameters"
        looped.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return looped

    return decorate


_Param = type(pytest.param())


def _values(case: object, number: int) -> tuple[object, ...]:
    if isinstance(case, _Param):
        return tuple(case.values)
    return (case,) if number == 1 else tuple(case)  # type: ignore[arg-type]


def _label(value: object) -> str:
    """A class or a function by its name, what has an id by that, anything else as it is."""
    return str(getattr(value, "__name__", None) or getattr(value, "id", None) or repr(value))
