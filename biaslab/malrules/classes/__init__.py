"""A class's answers to a quiz: read without personal data, and grouped by likely mal-rule.

quiz = make_quiz(QuizDesign(grade=4, topics=("ColumnSubtraction",), n=12, seed=1))
sheet = read_sheet("row,1,2,3 ...", quiz)           # SheetRefused names cells and reasons
report = group_class(quiz, sheet)
report.groups[0].rules                              # ("NO01",): all rules that fit
"""

from biaslab.malrules.classes.explaining import Explanation, Finding, Outcome, explain
from biaslab.malrules.classes.following_up import FollowUp, follow_up
from biaslab.malrules.classes.grouping import ClassReport, Group, Member, group_class
from biaslab.malrules.classes.item_answers import GivenAnswer, ItemAnswers, answers_by_item
from biaslab.malrules.classes.items import Quiz, QuizItem, name_of
from biaslab.malrules.classes.own_tests import (
    MOST_OWN_ITEMS,
    GivenItem,
    ItemRemark,
    OwnTest,
    own_test,
)
from biaslab.malrules.classes.quizzes import (
    MOST_ITEMS,
    MOST_TOPICS,
    QuizDesign,
    make_quiz,
)
from biaslab.malrules.classes.sheets import Refusal, Sheet, SheetRefused, read_sheet
from biaslab.malrules.classes.simulating import simulate_class, simulate_pupil, write_sheet
from biaslab.malrules.classes.topics import Topic, topics

__all__ = [
    "MOST_ITEMS",
    "MOST_OWN_ITEMS",
    "MOST_TOPICS",
    "ClassReport",
    "Explanation",
    "Finding",
    "FollowUp",
    "GivenAnswer",
    "GivenItem",
    "Group",
    "ItemAnswers",
    "ItemRemark",
    "Member",
    "Outcome",
    "OwnTest",
    "Quiz",
    "QuizDesign",
    "QuizItem",
    "Refusal",
    "Sheet",
    "SheetRefused",
    "Topic",
    "answers_by_item",
    "explain",
    "follow_up",
    "group_class",
    "make_quiz",
    "name_of",
    "own_test",
    "read_sheet",
    "simulate_class",
    "simulate_pupil",
    "topics",
    "write_sheet",
]
