"""How a pupil goes wrong: executable rules, items with computed distractors, diagnosis.

problem = ColumnSub(431, 163)
problem.solve().answer                     # 268
rules()["NO01"].run(problem)[0].answer     # 332, the smaller digit from the larger
"""

from schoolmath.malrules.answers import (
    Answer,
    AnswerKind,
    Step,
    Working,
    by_steps,
    step,
    write_decimal,
)
from schoolmath.malrules.forms import FORMS, Form, NotDrawn, form, read_form, write_form
from schoolmath.malrules.rules import (
    FOR_EVERY_RULE,
    Card,
    Confidence,
    ContentClass,
    Help,
    MistakeKind,
    Rule,
    cards,
    mal_rule,
    rules,
    rules_for,
)

__all__ = [
    "FORMS",
    "FOR_EVERY_RULE",
    "Answer",
    "AnswerKind",
    "Card",
    "Confidence",
    "ContentClass",
    "Form",
    "Help",
    "MistakeKind",
    "NotDrawn",
    "Rule",
    "Step",
    "Working",
    "by_steps",
    "cards",
    "form",
    "mal_rule",
    "read_form",
    "rules",
    "rules_for",
    "step",
    "write_decimal",
    "write_form",
]
