"""What may be behind a wrong answer, and the next problem that would tell.

story = read_story("Ana has 15. Ana has 6 more than Ben. How many does Ben have?")
found = diagnose(story, Answer.number(21))
[each.rules for each in found.candidates]          # WP01, WP02: one step cannot tell them apart
separating_problem(story, found.candidates, Draws("1"))
"""

from schoolmath.malrules.diagnosis.calculations import (
    Calculation,
    StatedNumber,
    WrittenOperation,
    inconsistent_comparisons,
    read_calculations,
    reversed_comparisons,
    written_operations,
)
from schoolmath.malrules.diagnosis.diagnosing import (
    SLIPPED,
    Candidate,
    Diagnosis,
    WrittenDiagnosis,
    diagnose,
    diagnose_written,
    is_rounded,
    unrounded,
)
from schoolmath.malrules.diagnosis.plain_stories import UnreadStory, read_story
from schoolmath.malrules.diagnosis.separating import (
    ExpectedAnswers,
    Separation,
    find_separation,
    separating_problem,
)
from schoolmath.malrules.diagnosis.slips import (
    LikelyRule,
    Null,
    Slip,
    done_at_random,
    expected_by_chance,
    likely_rules,
    slips,
)
from schoolmath.malrules.diagnosis.step_reading import StepReading, first_wrong_step

__all__ = [
    "SLIPPED",
    "Calculation",
    "Candidate",
    "Diagnosis",
    "ExpectedAnswers",
    "LikelyRule",
    "Null",
    "Separation",
    "Slip",
    "StatedNumber",
    "StepReading",
    "UnreadStory",
    "WrittenDiagnosis",
    "WrittenOperation",
    "diagnose",
    "diagnose_written",
    "done_at_random",
    "expected_by_chance",
    "find_separation",
    "first_wrong_step",
    "inconsistent_comparisons",
    "is_rounded",
    "likely_rules",
    "read_calculations",
    "read_story",
    "reversed_comparisons",
    "separating_problem",
    "slips",
    "unrounded",
    "written_operations",
]
