"""Rows in the columns of the released consistency file, made by a model of how its authors wrote.

What a row says is known (`Row.answer` is worked out here, not by the reader), the words are
anybody's: nouns and names that this lab has never heard of, plurals made by adding an s, templates
beside what a model makes of them when it mends their grammar. The wording is our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

NOUNS: tuple[tuple[str, str], ...] = (
    # as a template makes the plural, as it is mended
    ("quokkas", "quokkas"),
    ("watchs", "watches"),
    ("oxs", "oxen"),
    ("mouses", "mice"),
    ("knifes", "knives"),
    ("bookshelfs", "bookshelves"),
    ("toothbrushs", "toothbrushes"),
    ("cactuss", "cacti"),
    ("sheeps", "sheep"),
    ("seriess", "series"),
    ("headphones", "headphones"),
    ("scissors", "scissors"),
    ("mp3-players", "mp3-players"),
    ("3D-printers", "3D-printers"),
    ("T-shirts", "T-shirts"),
    ("USB sticks", "USB sticks"),
    ("iPads", "iPads"),
    ("jack-o'-lanterns", "jack-o'-lanterns"),
    ("trash cans", "trash cans"),
    ("rolls of toilet papers", "rolls of toilet paper"),
    ("pairs of glassess", "pairs of glasses"),
    ("second-hand bikes", "second-hand bikes"),
    ("quarters", "quarters"),
    ("boxs", "boxes"),
    ("cups", "cups"),
    ("oranges", "oranges"),
    ("half-pint glasss", "half-pint glasses"),
    ("left shoes", "left shoes"),
    ("bean bags", "bean bags"),
    ("fjærpenns", "fjærpenner"),
    ("vacuum cleaners", "vacuum cleaners"),
    ("crème brûlées", "crème brûlées"),
)
MASSES: tuple[tuple[str, str], ...] = (
    # measures, of what
    ("liters", "milk"),
    ("kilowatt-hours", "emergency energy reserve"),
    ("grams", "saffron"),
    ("square meters", "wallpaper"),
    ("dollars", "bitcoin"),
    ("firkins", "small beer"),
)
UNITS: tuple[tuple[str, str, str], ...] = (
    ("box", "boxs", "boxes"),
    ("bag", "bags", "bags"),
    ("shelf", "shelfs", "shelves"),
    ("quiver", "quivers", "quivers"),
    ("crate", "crates", "crates"),
)
ATTRIBUTES = ("", "", "", "red", "large", "orange", "wooden", "left-handed", "second-hand", "old")
NAMES = (
    "Zoë", "D'Angelo", "Xóchitl", "McKenzie", "Jean-Luc", "Will", "May", "Mark", "Grace", "April",
    "Bo", "Ng", "Æsa", "Olumide", "Sofia", "Sophia", "Jean", "Art", "Rich", "Penny",
)  # fmt: skip


@dataclass(frozen=True)
class Thing:
    """What is counted, in the plural: as a template writes it, and mended."""

    rough: str
    mended: str
    stuff: str = ""


@dataclass(frozen=True)
class Row:
    """One sound row, and what is true of it."""

    cells: dict[str, str]
    answer: int
    numbers: list[int]
    names: tuple[str, str]


def draw_row(rng: Random) -> Row:
    """A sound row: a container, up to two steps, a comparison, up to two steps, the question."""
    while True:
        made = _Story(rng).row()
        if made is not None:
            return made


class _Story:
    """One row on its way: what each member says, as a template writes it and mended."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.agent, self.other = rng.sample(NAMES, 2)
        self.thing = self.counted = _thing(rng)
        self.unit = rng.choice(UNITS)
        self.amount = rng.randint(2, 20)
        self.numbers = [self.amount]
        self.rough: list[tuple[str, str]] = []
        self.mended: list[tuple[str, str]] = []

    def add(self, rough: str, mended: str) -> None:
        """A sentence that both members have."""
        self.rough.append((rough, rough))
        self.mended.append((mended, mended))

    def row(self) -> Row | None:
        rng = self.rng
        before, after = rng.randint(0, 2), rng.randint(0, 2)
        rate = -1
        if not self.thing.stuff and before + after and rng.random() < 0.4:
            rate = rng.randrange(before + after)
            _, rough, mended = self.unit
            self.counted = Thing(
                f"{rough} of {self.thing.rough}", f"{mended} of {self.thing.mended}"
            )
        first = f"{self.agent} has {self.amount}"
        self.add(f"{first} {self.counted.rough}.", f"{first} {self.counted.mended}.")
        for index in range(before):
            self.step(self.agent, packed=index == rate)
        if not self.compare():
            return None
        for index in range(before, before + after):
            self.step(self.other, packed=index == rate)
        if not 1 <= self.amount <= 999:
            return None
        asked, mended = self.question()
        x, x_prime = (" ".join(sentences) for sentences in zip(*self.rough, strict=True))
        y, y_prime = (" ".join(sentences) for sentences in zip(*self.mended, strict=True))
        cells = {
            "question": asked,
            "consistent body": x,
            "inconsistent body": x_prime,
            "consistent paraphrased": f"{y} {mended}",
            "inconsistent paraphrased": f"{y_prime} {mended}",
            "answer": str(self.amount),
        }
        return Row(cells, self.amount, self.numbers, (self.agent, self.other))

    def question(self) -> tuple[str, str]:
        who, thing = self.other, self.counted
        rough = self.rng.choice((
            f"How many {thing.rough} does {who} have?",
            f"How many {thing.rough} does {who} have totaled?",
            f"How many {thing.rough} does {who} have in their collection?",
            f"How many {thing.rough} does {who} have in all?",
            f"What is the number of {thing.rough} that {who} has?",
        ))  # fmt: skip
        mended = self.rng.choice((
            f"How many {thing.mended} does {who} have?",
            f"How many {thing.mended} does {who} have in total?",
            f"How many {thing.mended} does {who} have in his collection?",
            f"What is the total number of {thing.mended} that {who} has?",
            f"What is the number of {thing.mended} that {who} has?",
        ))  # fmt: skip
        return rough, mended

    def step(self, who: str, *, packed: bool) -> None:
        number = self.rng.randint(2, 20)
        self.numbers.append(number)
        if packed:
            chosen = self.rng.randrange(4)
            told = [
                (
                    f"Each of {who}'s {units} contains {number} {things}.",
                    f"Every {self.unit[0]} that {who} has holds {number} {things}.",
                    f"There are {number} {things} in each of {who}'s {units}.",
                    f"{who}'s {units} each contain {number} {things}.",
                )[chosen]
                for units, things in (
                    (self.unit[1], self.thing.rough), (self.unit[2], self.thing.mended),
                )
            ]  # fmt: skip
            self.add(told[0], told[1])
            self.amount *= number
            self.counted = self.thing
            return
        verb = self.rng.choice(("bought", "got", "gets", "buys"))
        more = self.rng.choice(("", "", " more", " additional"))
        self.add(
            f"{who} {verb} {number} {self.counted.rough}.",
            f"{who} {verb} {number}{more} {self.counted.mended}.",
        )
        self.amount += number

    def compare(self) -> bool:
        """The sentence in which the members differ; whether its amount is a whole number."""
        number, up = self.rng.randint(2, 20), self.rng.random() < 0.5
        self.numbers.append(number)
        tell = _times if self.rng.random() < 0.5 else _more
        if tell is _more:
            self.amount += number if up else -number
        elif up:
            self.amount *= number
        elif self.amount % number:
            return False
        else:
            self.amount //= number
        one = tell(self.rng, self.other, self.agent, number, self.counted, up=up)
        two = tell(self.rng, self.agent, self.other, number, self.counted, up=not up)
        self.rough.append((one[0], two[0]))
        self.mended.append((one[1], two[1]))
        return 1 <= self.amount <= 999


def _thing(rng: Random) -> Thing:
    if rng.random() < 0.2:
        measures, stuff = rng.choice(MASSES)
        return Thing(f"{measures} of {stuff}", f"{measures} of {stuff}", stuff)
    rough, mended = rng.choice(NOUNS)
    attribute = rng.choice(ATTRIBUTES)
    before = f"{attribute} " if attribute else ""
    return Thing(before + rough, before + mended)


def _more(
    rng: Random, subject: str, other: str, number: int, thing: Thing, *, up: bool
) -> tuple[str, str]:
    has, than = f"{subject} has {number}", f"than {other}"
    if thing.stuff:
        word = "more" if up else "less"
        measures = thing.mended.removesuffix(f" of {thing.stuff}")
        mended = rng.choice((
            f"{has} {measures} {word} {thing.stuff} {than}.",
            f"{has} {thing.mended} {word} {than}.",
            f"{has} {measures} {word} of {thing.stuff} {than} has.",
        ))  # fmt: skip
        return f"{has} {thing.rough} {word} {than}.", mended
    word = "more" if up else "fewer"
    mended = rng.choice((
        f"{has} {word} {thing.mended} {than}.",
        f"{has} {word} {thing.mended} {than} does.",
        f"{has} {thing.mended} {word} {than}.",
    ))  # fmt: skip
    return f"{has} {word} {thing.rough} {than}.", mended


PARTS = {2: "half", 3: "a third", 4: "one fourth", 5: "one-fifth", 10: "one-tenth"}


def _times(
    rng: Random, subject: str, other: str, number: int, thing: Thing, *, up: bool
) -> tuple[str, str]:
    if up:
        shapes = (
            "{0} has {1} times as many {2} as {3}.",
            "{0} has {1} times as many {2} as {3} does.",
            "{0} has {1} times more {2} than {3}.",
            "{0} has {1} times the number of {2} that {3} has.",
            "{0} has {1} times the amount of {2} that {3} does.",
            "{0} has {1} times the amount of {2} as {3}.",
        )
        part = str(number)
    else:
        shapes = (
            "{0} has {4} as many {2} as {3}.",
            "{0} has {4} as many {2} as {3} does.",
            "{0} has {1} times fewer {2} than {3}.",
            "{0} has {1} times less {2} than {3}.",
            "{0} has {4} the amount of {2} that {3} does.",
            "{0} has {4} of the amount of {2} that {3} has.",
            "{0} has {4} the number of {2} as {3}.",
            "{0} has {4} of the {2} that {3} has.",
        )
        part = rng.choice((f"1/{number}", PARTS.get(number, f"1/{number}")))
    rough = rng.choice(shapes).format(subject, number, thing.rough, other, f"1/{number}")
    return rough, rng.choice(shapes).format(subject, number, thing.mended, other, part)
