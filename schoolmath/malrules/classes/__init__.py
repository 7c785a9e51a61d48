"""A class's answers to a quiz: read without personal data, and grouped by likely mal-rule.

quiz = make_quiz(QuizDesign(grade=4, topics=("ColumnSubtraction",), n=12, seed=1))
sheet = read_sheet("row,1,2,3 ...", quiz)           # SheetRefused names cells and reasons
report = group_class(quiz, sheet)
report.groups[0].rules                              # ("NO01",): all rules that fit
"""

from schoolmath.malrules.classes.grouping import (
    ClassReport,
    Explanation,
    FollowUp,
    GivenAnswer,
    GroupMember,
    ItemAnswers,
    PupilFinding,
    PupilGroup,
    PupilOutcome,
    answers_by_item,
    explain,
    follow_up,
    group_class,
)
from schoolmath.malrules.classes.items import (
    MOST_CUSTOM_ITEMS,
    CustomTest,
    GivenItem,
    ItemRemark,
    Quiz,
    QuizItem,
    custom_test,
    name_of,
)
from schoolmath.malrules.classes.quizzes import (
    MOST_ITEMS,
    MOST_TOPICS,
    QuizDesign,
    Topic,
    make_quiz,
    topics,
)
from schoolmath.malrules.classes.sheets import (
    ClassSheet,
    SheetRefusal,
    SheetRefused,
    read_sheet,
    simulate_class,
    simulate_pupil,
    write_sheet,
)

__all__ = [
    "MOST_CUSTOM_ITEMS",
    "MOST_ITEMS",
    "MOST_TOPICS",
    "ClassReport",
    "ClassSheet",
    "CustomTest",
    "Explanation",
    "FollowUp",
    "GivenAnswer",
    "GivenItem",
    "GroupMember",
    "ItemAnswers",
    "ItemRemark",
    "PupilFinding",
    "PupilGroup",
    "PupilOutcome",
    "Quiz",
    "QuizDesign",
    "QuizItem",
    "SheetRefusal",
    "SheetRefused",
    "Topic",
    "answers_by_item",
    "custom_test",
    "explain",
    "follow_up",
    "group_class",
    "make_quiz",
    "name_of",
    "read_sheet",
    "simulate_class",
    "simulate_pupil",
    "topics",
    "write_sheet",
]
