"""Any problem in: what people type, read as typed problems that rules work on.

read_problem("52 - 17").meanings[0][0]                     # ColumnSubtraction(52, 17)
read_problem("Find the median of 4, 8, 6, 2").meanings     # MedianOfList((4, 8, 6, 2), ...)
what_happened("52 - 17", "45").meanings[0].diagnosis       # borrows without paying
"""

from schoolmath.malrules.reading.given_answers import UnreadAnswer
from schoolmath.malrules.reading.happening import (
    AnswerDiagnoses,
    MeaningDiagnosis,
    helps_of,
    next_problem,
    what_happened,
)
from schoolmath.malrules.reading.problems import ReadProblem, UnreadProblem, read_problem

__all__ = [
    "AnswerDiagnoses",
    "MeaningDiagnosis",
    "ReadProblem",
    "UnreadAnswer",
    "UnreadProblem",
    "helps_of",
    "next_problem",
    "read_problem",
    "what_happened",
]
