"""Cases of decision biases that somebody else wrote, made ready to be put to a model.

A table with a row a case: its bias, the scenario, what control and treatment show (their numbered
options included), and the metric's parameters, as in the data set of Malberg et al. (2024). The
texts stand word for word; only the heading of the options is ours. Nothing is guessed: a row
whose options or parameters are not there is refused, with its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from biaslab.files.checking import RefusedRow
from biaslab.files.errors import InterchangeError, only_refusals
from biaslab.files.opening import open_table
from biaslab.studies.decisions.biases.written_scenes import Diversity, diversity_of
from biaslab.studies.decisions.importing import (
    UnreadableCell,
    holds_results,
    read_options,
    read_parameters,
)
from biaslab.studies.decisions.prompts import ArmText, on_scale, pair_of_texts
from biaslab.studies.decisions.published import bias_of_name
from biaslab.studies.study import MAXIMUM_PAIRS, Pair
from schoolmath.text.figures import count

NEEDED = ("bias", "control", "treatment", "metric_params")
"""Columns that a table of cases needs; scenario, control_options and treatment_options may be
there too."""

LONGEST_ARM = 20_000
"""Characters of one arm."""

_LEFT_OPEN = re.compile(r"\[\[.*?\]\]|\{\{.*?\}\}", re.DOTALL)
_OPTION = re.compile(r"[ \t]*(?:[-*]\s*)?\**Option (\d{1,3})\**\s*[:.)]\**[ \t]*(\S.*?)[ \t]*\Z")
_HEADING = re.compile(r"\W*(?:the |your )?(?:answer )?options?\W*", re.IGNORECASE)
_INDUSTRY = re.compile(r"\bfrom the (.{3,80}?) industry\b")


def holds_asked_cases(columns: Collection[str]) -> bool:
    """Whether a table with these columns is one of cases with their texts."""
    return set(NEEDED) <= set(columns) and not holds_results(columns)


@dataclass(frozen=True, slots=True)
class BiasShare:
    """What a file has of one bias.

    Attributes:
        bias: its id here.
        cases: how many can be asked; scenarios: how many scenes they have.
        refused: how many rows can't.
        diversity: of what the controls say, the options left out; None without cases.
    """

    bias: str
    cases: int
    scenarios: int
    refused: int
    diversity: Diversity | None


@dataclass(frozen=True, slots=True)
class CaseImport:
    """What became of a file of cases.

    Attributes:
        name: of the file.
        pairs: one for each case that can be asked, options in the order of the scale.
        refused: the other rows, with reasons; their name is that of their bias.
    """

    name: str
    pairs: tuple[Pair, ...]
    refused: tuple[RefusedRow, ...]

    def summary(self) -> str:
        """The numbers in a sentence."""
        biases = len({pair.strata["bias"] for pair in self.pairs})
        return (
            f"{count(len(self.pairs) + len(self.refused), 'row')}: "
            f"{count(len(self.pairs), 'case')} of {count(biases, 'bias', 'biases')} can be asked, "
            f"{len(self.refused):,} refused."
        )

    def shares(self) -> list[BiasShare]:
        """What it has of each bias, in the order of the file."""
        refused = Counter(bias_of_name(row.name) for row in self.refused)
        controls: dict[str, dict[str, str]] = {}
        scenes: dict[str, set[str]] = {}
        for pair in self.pairs:
            bias = str(pair.strata["bias"])
            controls.setdefault(bias, {})[pair.id] = on_scale(pair.x).before
            scenes.setdefault(bias, set()).add(pair.cluster)
        return [
            BiasShare(
                bias,
                len(controls.get(bias, ())),
                len(scenes.get(bias, ())),
                refused[bias],
                diversity_of(controls[bias]) if bias in controls else None,
            )
            for bias in dict.fromkeys([*controls, *filter(None, refused)])
        ]


@only_refusals()
def import_cases(data: bytes, name: str) -> CaseImport:
    """Reads a file of cases.

    Args:
        data: the file, a table.
        name: what it is called.

    Raises:
        InterchangeError: it is no such table, or it has more cases than a set can.
    """
    table = open_table(data, name)
    if not holds_asked_cases(table.columns):
        raise InterchangeError(
            "This is no table of cases that can be asked: it needs the columns "
            f"{', '.join(NEEDED)}."
        )
    pairs: dict[str, Pair] = {}
    refused: list[RefusedRow] = []
    for row in table.filled():
        try:
            if row.refusal:
                raise UnreadableCell(row.refusal)
            pair = _case(row.cells, row.number)
            if pair.id in pairs:
                raise UnreadableCell("an earlier row is the same")
            pairs[pair.id] = pair
        except UnreadableCell as error:
            refused.append(RefusedRow(row.number, error.reason, row.cells.get("bias", "")[:60]))
        if len(pairs) > MAXIMUM_PAIRS:
            raise InterchangeError(f"A set has {MAXIMUM_PAIRS:,} cases at most: split the file.")
    return CaseImport(name, tuple(pairs.values()), tuple(refused))


def _case(cells: Mapping[str, str], number: int) -> Pair:
    bias = bias_of_name(cells["bias"])
    if bias is None:
        raise UnreadableCell(f"there is no bias “{cells['bias'][:60]}”")
    control, treatment = (_arm(cells, arm) for arm in ("control", "treatment"))
    if len(control.options) != len(treatment.options):
        raise UnreadableCell("its arms have different numbers of options")
    if control == treatment:
        raise UnreadableCell("its arms are the same")
    if not cells["metric_params"].strip():
        raise UnreadableCell("it has no metric_params")
    metric = read_parameters(cells["metric_params"], len(control.options))
    scenario = " ".join(cells.get("scenario", "").split())
    industry = _INDUSTRY.search(scenario)
    field = "" if industry is None else industry[1]
    return pair_of_texts(bias, scenario or f"row {number}", field, control, treatment, metric)


def _arm(cells: Mapping[str, str], arm: str) -> ArmText:
    text = cells[arm].strip()
    if not text:
        raise UnreadableCell(f"its {arm} is empty")
    if len(text) > LONGEST_ARM:
        raise UnreadableCell(f"its {arm} has more than {LONGEST_ARM:,} characters")
    if left := _LEFT_OPEN.search(text):
        raise UnreadableCell(f"a gap of its {arm} is not filled: {left[0][:60]}")
    lines = text.splitlines()
    last = max((at for at, line in enumerate(lines) if _OPTION.match(line)), default=None)
    if last is None:
        return _with_listed_options(text, cells.get(f"{arm}_options", ""), arm)
    first = last
    while first and _OPTION.match(lines[first - 1]):
        first -= 1
    found = [match for line in lines[first : last + 1] if (match := _OPTION.match(line))]
    if [int(each[1]) for each in found] != list(range(1, len(found) + 1)) or len(found) < 2:
        raise UnreadableCell(f"the options of its {arm} are not numbered from 1")
    return _arm_text(lines[:first], [each[2] for each in found], lines[last + 1 :], arm)


def _with_listed_options(text: str, cell: str, arm: str) -> ArmText:
    if not cell.strip():
        raise UnreadableCell(f"its {arm} has no lines “Option 1: …”, and no {arm}_options")
    return _arm_text(text.splitlines(), read_options(cell), (), arm)


def _arm_text(before: Sequence[str], options: list[str], after: Sequence[str], arm: str) -> ArmText:
    head = list(before)
    while head and (not head[-1].strip() or _HEADING.fullmatch(head[-1])):
        head.pop()
    if not head:
        raise UnreadableCell(f"its {arm} has options and nothing else")
    if len(set(options)) < len(options):
        raise UnreadableCell(f"two options of its {arm} are alike")
    rest = "\n".join(after).strip()
    said = "\n".join(head)
    return ArmText(f"{said}\n\n", tuple(options), f"\n\n{rest}" if rest else "")
