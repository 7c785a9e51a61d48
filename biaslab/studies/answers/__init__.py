"""Reading the number that a response gives as its answer, by named rules in a fixed order.

The paper takes the first number after "The answer (Arabic numerals) is". Taken literally that
reads "18 - 3 = 15" as 18, "3.5" as 35, "12.0" as 120, drops signs, knows no number words and
takes the 18 of "Ana has 18, so Ben has 15". Here every way of reading has a name and a sentence
that explains it; where a response can be taken in two ways it is invalid, and the name says
why. Nothing is calculated for the model and no equation is checked: what it states, it states.

From the text up: `normalising` (signs), `asides` (what is no solution), `number_words` and
`digits` (values), `written_numbers`
(where numbers stand), `statements` (how they hang together), `asked` (what the question wants),
`choosing` (whose number it is, and of what), `responses` (which part answers), `findings`,
`explicit_rules` and `final_rules` (one function a rule), `reading` (their order).
"""

from biaslab.studies.answers.asked import QuestionTarget, asked_by
from biaslab.studies.answers.findings import RULES
from biaslab.studies.answers.reading import (
    RULES_OF,
    Form,
    NumberReading,
    read_number,
    same_number,
)

__all__ = [
    "RULES",
    "RULES_OF",
    "Form",
    "NumberReading",
    "QuestionTarget",
    "asked_by",
    "read_number",
    "same_number",
]
