"""An equation that says what a sentence says."""

from __future__ import annotations

from typing import Self

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.forms import form
from schoolmath.malrules.rules import mal_rule
from schoolmath.malrules.traces import Worked, step
from schoolmath.problems.draws import Draws

# Where, what there is more of, what there is less of; the nouns begin with different letters.
_CONTEXTS = (
    ("At a college", "students", "professors"),
    ("At a school", "pupils", "teachers"),
    ("In a hall", "chairs", "tables"),
    ("In a library", "books", "shelves"),
    ("On a farm", "hens", "goats"),
    ("In a park", "trees", "benches"),
    ("In a zoo", "birds", "lions"),
    ("At a station", "passengers", "trains"),
    ("In a kitchen", "cups", "pots"),
    ("On a lake", "ducks", "boats"),
)


@form("algebra", (8, 11), 2)
class WordEquation:
    """``There are 6 times as many students (S) as professors (P).``

    Attributes:
        place: where, as a sentence begins.
        many: what there is more of, in the plural.
        few: what it is compared with, in the plural.
        factor: how many times as many; 2 or more.
        extra: how many more than that; may be 0.
    """

    place: str
    many: str
    few: str
    factor: int
    extra: int

    def __post_init__(self) -> None:
        if not self.many or not self.few or self.many[0].upper() == self.few[0].upper():
            raise ValueError("The two nouns of the sentence begin with different letters.")
        if self.factor < 2 or self.extra < 0:
            raise ValueError("The factor is 2 or more and what is added 0 or more.")

    @property
    def letters(self) -> tuple[str, str]:
        """The letters of what there is more of and less of."""
        return self.many[0].upper(), self.few[0].upper()

    @property
    def counted(self) -> str:
        """The comparison: ``4 more than 6 times``."""
        more = f"{self.extra} more than " if self.extra else ""
        return f"{more}{self.factor} times"

    def stem(self) -> str:
        many, few = self.letters
        return (
            f"{self.place} there are {self.counted} as many {self.many} ({many}) as "
            f"{self.few} ({few}). Which equation says this?"
        )

    def equation(self, coefficient: int, extra: int) -> Answer:
        """What there is more of, from what there is less of."""
        many, few = self.letters
        factor = "" if coefficient == 1 else coefficient
        return Answer.label(f"{many} = {factor}{few}" + (f" + {extra}" if extra else ""))

    def solve(self) -> Worked:
        many, few = self.letters
        answer = self.equation(self.factor, self.extra)
        more = step("adds {0} and writes {1}", self.extra, answer.shown)
        return Worked(
            answer,
            (
                step(f"sees that {many} is the larger number and stands alone on one side"),
                step(f"multiplies {few}, the smaller number, by {{0}}", self.factor),
                more if self.extra else step("writes {0}", answer.shown),
            ),
            key_step=1,
        )

    @classmethod
    def draw(cls, draws: Draws, grade: int) -> Self:
        place, many, few = draws.one(_CONTEXTS)
        return cls(place, many, few, draws.between(2, 4 + grade // 2), draws.between(2, 9))


@mal_rule("AL15")
def in_the_order_of_the_words(problem: WordEquation) -> Worked | None:
    """Writes numbers, signs and letters one after another as the sentence names them."""
    many, few = problem.letters
    more = f" + {problem.extra}" if problem.extra else ""
    answer = Answer.label(f"{problem.factor}{many}{more} = {few}")
    return Worked(
        answer,
        (
            step(
                f"follows the words and puts the {{0}} next to {many}, which is named first",
                problem.factor,
            ),
            step(f"puts {few}, which is named last, behind the equals sign: {{0}}", answer.shown),
        ),
    )
