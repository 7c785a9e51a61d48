"""A class's answers to a quiz: read without personal data, and grouped by likely mal-rule.

quiz = make_quiz(QuizDesign(grade=4, topics=("ColumnSubtraction",), n=12, seed=1))
sheet = read_sheet("row,1,2,3 ...", quiz)           # SheetRefused names cells and reasons
report = group_class(quiz, sheet)
report.groups[0].rules                              # ("NO01",): all rules that fit
"""

from schoolmath.malrules.classes.custom_tests import (
    MOST_CUSTOM_ITEMS,
    CustomTest,
    GivenItem,
    ItemRemark,
    custom_test,
)
from schoolmath.malrules.classes.explaining import Explanation, PupilFinding, PupilOutcome, explain
from schoolmath.malrules.classes.following_up import FollowUp, follow_up
from schoolmath.malrules.classes.grouping import ClassReport, GroupMember, PupilGroup, group_class
from schoolmath.malrules.classes.item_answers import GivenAnswer, ItemAnswers, answers_by_item
from schoolmath.malrules.classes.items import Quiz, QuizItem, name_of
from schoolmath.malrules.classes.quizzes import (
    MOST_ITEMS,
    MOST_TOPICS,
    QuizDesign,
    make_quiz,
)
from schoolmath.malrules.classes.sheets import ClassSheet, SheetRefusal, SheetRefused, read_sheet
from schoolmath.malrules.classes.simulating import simulate_class, simulate_pupil, write_sheet
from schoolmath.malrules.classes.topics import Topic, topics

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
