"""What is expected of each feature of a word problem, by whom, and what is known about people."""

from __future__ import annotations

from biaslab.studies.results import Evidence, Expectation

_ABSTRACT = "abstract read, direction only"

CONSISTENCY = Expectation(
    "inconsistent wording is harder, because its word suggests the wrong calculation",
    "Lewis & Mayer 1987; Opedal et al. 2024, section 5.2",
    Evidence(
        "children",
        "child-like",
        "Children of grades 3 to 5 solve fewer problems in inconsistent wording; in grade 2 no "
        "difference was found (Boonen & Jolles 2015).",
        "Passolunghi et al. 2022",
        _ABSTRACT,
        "consistency",
    ),
)
PREDICATE = Expectation(
    "comparisons are harder than transfers",
    "Riley, Greeno & Heller 1983; Opedal et al. 2024, section 5.3",
    Evidence(
        "children",
        "child-like",
        "Children of grade 2 find problems that compare harder than those in which something "
        "changes.",
        "Boonen & Jolles 2015",
        _ABSTRACT,
        "transfer-comparison",
    ),
)
CARRY = Expectation(
    "a calculation is harder where it carries or borrows",
    "Hitch 1978; Fürst & Hitch 2000; Opedal et al. 2024, section 5.4",
    Evidence(
        "children",
        "child-like",
        "Sums that carry are harder for children of 7 to 9 years, which shows mostly in the time "
        "that they take.",
        "Goebel et al. 2014",
        _ABSTRACT,
        "carry",
    ),
)
NUMBER_SIZE = Expectation(
    "larger numbers are harder", "Groen & Parkman 1972; Zbrodoff & Logan 2005"
)
OPERAND_ORDER = Expectation(
    "a sum is harder where its smaller number comes first",
    "Groen & Parkman 1972; De Corte & Verschaffel 1987",
)
IRRELEVANT_SENTENCE = Expectation(
    "a sentence that does not matter makes a problem harder", "Muth 1984; Shi et al. 2023"
)
SENTENCE_ORDER = Expectation(
    "sentences that are not in the order of solving make a problem harder",
    "Rosenthal & Resnick 1974",
)
GIVER = Expectation("the passive voice is harder than the active", "Slobin 1966")
NAME_FAMILIARITY = Expectation("unfamiliar names make a problem harder")
QUESTION_WORDING = Expectation("an order is harder than a question")
