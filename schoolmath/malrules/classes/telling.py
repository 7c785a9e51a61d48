"""What the answers of a class say, in sentences for a teacher: on screens, on paper, in a file."""

from __future__ import annotations

from collections.abc import Sequence

from schoolmath.malrules.classes.grouping import GroupMember, PupilGroup, PupilOutcome
from schoolmath.malrules.classes.items import Quiz, name_of
from schoolmath.malrules.classes.sheets import ClassSheet

NOT_A_DIAGNOSIS = (
    "This is a reading of a few answers and no diagnosis of a child. It says what would give these "
    "answers; only talking with the pupil tells why they were given."
)


def outcomes_told(quiz: Quiz, most: int | None = None) -> dict[PupilOutcome, str]:
    """What is to be said of the rows that are in no group, by their outcome.

    Args:
        quiz: what was asked.
        most: so many rules that it cannot name are listed, more are counted; None: all are listed.
    """
    right = "Nothing to do here, as far as this quiz can tell."
    if most is not None and len(quiz.unseen) > most:
        right += (
            f" It cannot name {len(quiz.unseen)} rules, so whoever follows one may be among them."
        )
    elif quiz.unseen:
        unseen = ", ".join(map(name_of, quiz.unseen))
        right += f" It cannot name these, so whoever follows one may be among them: {unseen}."
    return {
        PupilOutcome.RIGHT: right,
        PupilOutcome.SLIPS: "Understood, as far as this quiz can tell. Not called a misconception.",
        PupilOutcome.UNKNOWN: "Several wrong answers, and nothing known explains enough of them: "
        "guessing, several ideas at once, or one that is not in the catalogue. Ask them how they "
        "worked.",
        PupilOutcome.TOO_FEW: "Fewer than four answers.",
    }


def outcome_words(outcome: PupilOutcome) -> str:
    """What an outcome means, for a teacher."""
    return {
        PupilOutcome.RULES: "wrong answers of one kind",
        PupilOutcome.RIGHT: "everything right",
        PupilOutcome.SLIPS: "right, with a slip or two",
        PupilOutcome.UNKNOWN: "no known rule",
        PupilOutcome.TOO_FEW: "too few answers to say anything",
    }[outcome]


def rows_words(rows: Sequence[int]) -> str:
    """Row numbers as a sentence has them: "rows 2, 5 and 9"."""
    if len(rows) == 1:
        return f"row {rows[0]}"
    return f"rows {', '.join(map(str, rows[:-1]))} and {rows[-1]}"


def how_sure(group: PupilGroup) -> str:
    """How sure a group is, in plain words."""
    steady = sum(member.explanation.steady for member in group.members)
    least = min(len(member.explanation.hits) for member in group.members)
    found = f"Each row has {least} or more wrong answers that are exactly what it gives."
    if len(group.rules) > 1:
        found = f"Each row has {least} or more wrong answers that every one of them gives."
    if steady == len(group.members):
        return f"{found} It shows nearly every time it can."
    if not steady:
        return f"{found} It shows at times, not always."
    return f"{found} In {rows_words(_steady(group))} it shows nearly every time it can."


def _steady(group: PupilGroup) -> list[int]:
    return [member.row for member in group.members if member.explanation.steady]


def evidence(sheet: ClassSheet, member: GroupMember) -> str:
    """Why a row is in a group: which items, how many of how many, and chance."""
    found = member.explanation
    answers = sheet.answers[member.row]
    items = ", ".join(f"{at + 1} ({answers[at]})" for at in found.hits)
    return (
        f"Row {member.row}: items {items} ({len(found.hits)} of the {len(found.chances)} answered "
        f"where it can show). Slips alone would bring this "
        f"about {_chance_words(float(found.by_chance))}."
    )


def _chance_words(chance: float) -> str:
    """A small probability in words that anybody reads."""
    if chance < 1e-6:
        return "for fewer than one pupil in a million"
    return f"for about one pupil in {round(1 / chance, -3):,.0f}"
