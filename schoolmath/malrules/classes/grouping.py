"""A class in groups: pupils whose wrong answers look alike."""

from __future__ import annotations

from dataclasses import dataclass

from schoolmath.malrules.classes.explaining import Explanation, PupilFinding, PupilOutcome, explain
from schoolmath.malrules.classes.items import Quiz
from schoolmath.malrules.classes.sheets import ClassSheet


@dataclass(frozen=True, slots=True)
class GroupMember:
    """A pupil in a group: row number and what speaks for the group."""

    row: int
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class PupilGroup:
    """Pupils with one explanation.

    Attributes:
        rules: all rules that fit; with several, it is open which.
        members: in the order of their row numbers.
    """

    rules: tuple[str, ...]
    members: tuple[GroupMember, ...]

    @property
    def rows(self) -> tuple[int, ...]:
        """Row numbers of its pupils."""
        return tuple(member.row for member in self.members)


@dataclass(frozen=True, slots=True)
class ClassReport:
    """A class's answers, explained.

    Attributes:
        findings: by row number.
        groups: the largest first. A pupil with several explanations is in several.
    """

    findings: dict[int, PupilFinding]
    groups: tuple[PupilGroup, ...]

    def rows(self, outcome: PupilOutcome) -> tuple[int, ...]:
        """Row numbers of the pupils with this outcome."""
        return tuple(row for row, each in self.findings.items() if each.outcome is outcome)


def group_class(quiz: Quiz, sheet: ClassSheet) -> ClassReport:
    """Explains every row and puts rows with the same explanation together."""
    findings = {row: explain(quiz, answers) for row, answers in sorted(sheet.answers.items())}
    members: dict[tuple[str, ...], list[GroupMember]] = {}
    for row, finding in findings.items():
        for each in finding.explanations:
            members.setdefault(each.rules, []).append(GroupMember(row, each))
    groups = [PupilGroup(rules, tuple(found)) for rules, found in members.items()]
    groups.sort(key=lambda group: (-len(group.members), group.rules))
    return ClassReport(findings, tuple(groups))
