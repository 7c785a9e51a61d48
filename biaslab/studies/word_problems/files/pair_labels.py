"""What a file says of its texts beside their answers: carries, operation, steps, treatment."""

from __future__ import annotations

from collections.abc import Iterator

from biaslab.files.tables import Row
from biaslab.problems import Comparison, Transfer
from biaslab.problems.quantities import carries
from biaslab.studies.word_problems.custom.text_pairs import OPERATIONS
from biaslab.studies.word_problems.files.layouts import PairLayout, Treatment
from biaslab.studies.word_problems.files.readings import Understood

_NAMES = {
    "addition": "Addition", "add": "Addition", "+": "Addition", "plus": "Addition",
    "subtraction": "Subtraction", "subtract": "Subtraction", "-": "Subtraction",
    "minus": "Subtraction",
}  # fmt: skip


def treatment_fault(treatment: Treatment, arm: str, member: Understood) -> str:
    """Why a member is not what its column calls it, as a sentence; empty where it is."""
    assert member.solution is not None
    steps = member.solution.steps
    if treatment is Treatment.CONSISTENCY:
        wanted = arm == "x"
        names = {True: "consistent", False: "inconsistent"}
        if any(step.consistent is (not wanted) for step in steps):
            return f"The file calls it {names[wanted]}, and its comparison is {names[not wanted]}."
    if treatment is Treatment.TRANSFER_COMPARISON:
        other = Comparison if arm == "x" else Transfer
        if member.has(other):
            said, found = (
                ("transfers", "a comparison") if arm == "x" else ("comparisons", "a transfer")
            )
            return f"The file says that it has {said} only, and it has {found}."
    return ""


def carry_faults(layout: PairLayout, arm: str, member: Understood, row: Row) -> Iterator[str]:
    """What the labels of a carry file say wrongly of a member, each a sentence."""
    if layout.treatment is not Treatment.CARRY:
        return
    assert member.solution is not None
    steps = member.solution.steps
    found = sum(carries(step.operation, step.left, step.right) for step in steps)
    what = " and ".join(step.equation() for step in steps)
    if arm == "x":
        if found:
            yield f"The file says that nothing is carried, and {what} carries {_times(found)}."
    else:
        label = row.cells.get(layout.carries, "").strip()
        if label and label.removesuffix(".0") != str(found):
            yield (
                f"The column “{layout.carries}” says {label[:20]}, and {what} carries "
                f"{_times(found)}."
            )
    label = row.cells.get(layout.operation, "").strip()
    operations = {OPERATIONS.get(step.operation, "") for step in steps}
    if label and operations != {_NAMES.get(label.lower(), label)}:
        yield f"The column “{layout.operation}” says {label[:40]}, and the text needs {what}."


def step_faults(layout: PairLayout, member: Understood, row: Row) -> Iterator[str]:
    """What a label of the number of steps says wrongly, as a sentence."""
    label = row.cells.get(layout.steps, "").strip() if layout.steps else ""
    assert member.solution is not None
    found = len(member.solution.steps)
    if label and label.removesuffix(".0") != str(found):
        yield (
            f"The column “{layout.steps}” says {label[:20]}, and the text takes {found} "
            f"{'step' if found == 1 else 'steps'}."
        )


def _times(count: int) -> str:
    return {0: "nothing", 1: "once", 2: "twice"}.get(count, f"{count} times")
