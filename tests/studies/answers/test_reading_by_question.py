"""What a free answer is taken to say, given the question: whose number, of what, and which last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies.answers import RULES, Form, asked_by, read_number
from tests.loops import over

BOTH: tuple[Form, ...] = ("text", "chat")
TWO_STEPS = (
    "Ana has 14 apples. She eats 3 apples. Then she buys 4 apples. How many apples does Ana have?"
)
GIFTS = (
    "Ben has 5 apples. Dana gives Ben 3 apples. Carl gives Ben 2 apples. "
    "How many apples does Ben have now?"
)
COMPARED = "Ana has 18 apples. Ben has 3 fewer apples than Ana. How many apples does Ben have?"


def taken(problem: str, response: str, form: Form = "text") -> str:
    """The number as text, or the rule that refused."""
    reading = read_number(response, target=asked_by(problem), form=form)
    return reading.rule if reading.value is None else str(reading.value)


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize(
    ("problem", "response", "answer"),
    [
        pytest.param(TWO_STEPS, "14 - 3 = 11. 11 + 4 = 15.", "15", id="the first result"),
        pytest.param(
            TWO_STEPS, "Two steps: 14 - 3 = 11 and 11 + 4 = 15.", "15", id="how many steps"
        ),
        pytest.param(
            GIFTS,
            "Ben has 5 + 3 = 8 apples. Carl gives Ben 2. Now Ben has 10.",
            "10",
            id="an intermediate result as a contradiction",
        ),
        pytest.param(COMPARED, "…12", "12", id="…12 as 0.12"),
        pytest.param(COMPARED, "...12", "12", id="...12"),
    ],
)
def test_regression_what_chat_models_write_was_misread(
    form: Form, problem: str, response: str, answer: str
) -> None:
    assert taken(problem, response, form) == answer


@over("form", BOTH)
@over(
    ("response", "answer"),
    [
        ("Ben has 15. Ana has 18.", "15"),
        ("Ana has 18. Ben has 15.", "15"),
        ("Ana has 18 and Ben has 15.", "15"),
        ("So Ben has 15 and Ana has 18.", "15"),
        ("Ana: 18\nBen: 15", "15"),
        ("Ben: 15\nAna: 18", "15"),
        ("So Ana has 18 - 3 = 15 apples.", "someone else"),
        ("Ana and Ben have 33 apples.", "someone else"),
    ],
)
def test_who_is_asked_about_decides(form: Form, response: str, answer: str) -> None:
    assert taken(COMPARED, response, form) == answer


@over("form", BOTH)
@over(
    ("problem", "response", "answer"),
    [
        ("What percent of 50 is 20?", "20/50 = 0.4 = 40%", "40"),
        ("What percentage of 50 is 20?", "It is 40 percent.", "40"),
        (
            "A shirt costs $20. It is sold with 20% off. How much does it cost?",
            "20% of $20 is $4, so it costs $16.",
            "16",
        ),
        (
            "Rosie runs 10 miles an hour for 3 hours, then 5 an hour. "
            "How many miles can she run in 7 hours?",
            "She can run a total of 30 + 20 = 50 miles in 7 hours.",
            "50",
        ),
        (
            "How many hours will 5 people take to paint 3 rooms?",
            "Therefore 5 people take 9 hours.",
            "9",
        ),
        (
            "Ana has 18 apples and Ben has 15. How many more apples does Ana have than Ben?",
            "Ana has 18 and Ben has 15, so Ana has 3 more apples than Ben.",
            "3",
        ),
        ("How many bags can Ana buy for $8?", "She pays $8 / 4 = $2.", "another unit"),
        ("How much is it, in cents?", "It costs $0.25 + $0.25 = $0.50.", "another unit"),
        ("How many apples does Ben have?", "Ben has 15 apples and 3 pears.", "15"),
    ],
)
def test_what_is_asked_for_decides(form: Form, problem: str, response: str, answer: str) -> None:
    assert taken(problem, response, form) == answer


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("18 - 3 = 14, no wait, 18 - 3 = 15.", "15"),
        ("Ben has 14 apples. Actually, Ben has 15 apples.", "15"),
        ("Ben has 14. Wait, that's wrong.", "unfinished correction"),
    ],
)
def test_corrections_count(form: Form, response: str, answer: str) -> None:
    assert taken(COMPARED, response, form) == answer


@over("form", BOTH)
@over(
    ("problem", "response", "answer"),
    [
        (GIFTS, "Ben has 5 + 3 = 8 apples. Carl gives Ben 2.", "unfinished reasoning"),
        (TWO_STEPS, "She has 11 left. She buys 4.", "unfinished reasoning"),
        (COMPARED, "Ben has 30 because 10 + 3 = 13.", "statements disagree"),
        (COMPARED, "18 - 3 = 15. 15 + 3 = 18.", "statements disagree"),
        (TWO_STEPS, "The answer is 11. Then 11 + 4 = 15.", "statements disagree"),
        (COMPARED, "Answer: B", "no number"),
        (COMPARED, "It is 12 or 15.", "several candidates"),
    ],
)
def test_what_cannot_be_decided_is_refused(
    form: Form, problem: str, response: str, answer: str
) -> None:
    assert taken(problem, response, form) == answer
    assert RULES[answer].startswith("Invalid")


@over("form", BOTH)
@over(
    "response",
    [
        "Ben has 15 apples.\n\nExplanation: Ana has 18, Ben has 3 fewer: 18 - 3 = 15.",
        "1. Ana has 18 apples.\n2. Ben has 3 fewer: 18 - 3 = 15.\n\n**Ben has 15 apples.**",
        "Step 1: Ana has 18 apples\nStep 2: 18 - 3 = 15\n\nCheck: 15 + 3 = 18 ✓",
        "| Person | Apples |\n|---|---|\n| Ana | 18 |\n| Ben | 15 |",
        "Let x be Ben's apples.\nx = 18 - 3\nx = 15",
        "$\\text{Ben} = 18 - 3 = \\boxed{15}$",
        "Ben has $15$ apples.",
        "The answer to the first step is 18. Then 18 - 3 = 15.",
        "Ben has 18 - 3 = 15 apples, which is 3 fewer than Ana's 18.",
        "At 3 apples/day for 6 days Ana has 18 apples. 18 apples - 3 apples = 15 apples.",
        "First find what Ben has: 18 apples - 3 apples/person * 1 person = 15 apples",
    ],
)
def test_the_styles_of_chat_models_are_read(form: Form, response: str) -> None:
    assert taken(COMPARED, response, form) == "15"


def test_a_question_names_those_whose_number_it_wants() -> None:
    assert asked_by(COMPARED).people == {"ben"}
    assert asked_by("Work out how many dolls Themba has.").people == {"themba"}
    assert asked_by("If Ana has 5, how many do Ben and Cy have together?").people == {"ben", "cy"}
    assert not asked_by("How many apples did Ana give to Ben?").people
    assert not asked_by("Ana has 5 apples and eats 2. How many does she have?").people


def test_a_question_tells_what_it_counts() -> None:
    assert asked_by("How many red apples does Ben have?").things == {"red", "apple"}
    assert asked_by("How much does it cost?").money
    assert asked_by("What percentage is left?").percent
    assert not asked_by("After 20% off, how much does it cost?").percent
    assert asked_by("How many more boxes does Ana have?").difference


# --- Properties: a solution reads as its own answer, or is refused -------------------------------


@dataclass(frozen=True)
class Solved:
    """A problem of one to three steps about one person, and its worked solution."""

    who: str
    other: str
    thing: str
    start: int
    changes: tuple[int, ...]

    @property
    def totals(self) -> list[int]:
        made = [self.start]
        for change in self.changes:
            made.append(made[-1] + change)
        return made

    @property
    def problem(self) -> str:
        told = [f"{self.who} has {self.start} {self.thing}."]
        for change in self.changes:
            word = f"gives {change}" if change > 0 else f"takes {-change}"
            told.append(f"{self.other} {word} {self.thing}.")
        return " ".join([*told, f"How many {self.thing} does {self.who} have now?"])

    @property
    def equations(self) -> list[str]:
        made = self.totals
        return [
            f"{before} {'+' if change > 0 else '-'} {abs(change)} = {after}"
            for before, change, after in zip(made, self.changes, made[1:], strict=False)
        ]


@st.composite
def solved(draw: st.DrawFn) -> Solved:
    who, other = draw(st.permutations(["Ana", "Ben", "Mei", "Tunde"]))[:2]
    start = draw(st.integers(50, 900))
    changes = draw(st.lists(st.integers(-15, 15).filter(bool), min_size=1, max_size=3))
    return Solved(
        who, other, draw(st.sampled_from(["apples", "boxes", "toys"])), start, tuple(changes)
    )


def _each(join: str, line: Callable[[str], str]) -> Callable[[Solved], str]:
    return lambda s: join.join(line(equation) for equation in s.equations)


CLEAR: dict[str, Callable[[Solved], str]] = {
    "equations": _each(". ", str),
    "lines": _each("\n", str),
    "numbered": lambda s: "\n".join(f"{n}. {e}" for n, e in enumerate(s.equations, 1)),
    "steps": lambda s: "\n".join(f"**Step {n}:** {e}" for n, e in enumerate(s.equations, 1)),
    "sentences": lambda s: " ".join(f"{s.who} has {e} {s.thing}." for e in s.equations),
    "so": lambda s: " ".join(f"So {s.who} has {total} {s.thing}." for total in s.totals[1:]),
    "first then": lambda s: "First, " + ". Then, ".join(s.equations) + ".",
    "numbered headings": lambda s: "\n\n".join(
        f"### {n}. Work it out\n{e}" for n, e in enumerate(s.equations, 1)
    ),
    "keycaps": lambda s: "\n".join(f"{n}\ufe0f\u20e3 {e}" for n, e in enumerate(s.equations, 1)),
    "LaTeX": lambda s: " ".join(rf"\[ {e} \]" for e in s.equations),
    "boxed": lambda s: f"{s.equations[-1]}, so $\\boxed{{{s.totals[-1]}}}$",
    "marked": lambda s: "\n".join([*s.equations, f"#### {s.totals[-1]}"]),
    "bold": lambda s: f"{s.who} has {s.start}. In the end: **{s.totals[-1]} {s.thing}**",
    "answer first": lambda s: f"{s.totals[-1]} {s.thing}.\n\n" + "\n".join(s.equations),
    "answer last": lambda s: ". ".join(s.equations) + f". The answer is {s.totals[-1]}.",
    "now": lambda s: f"{s.equations[0]}. Now {s.who} has {s.totals[-1]} {s.thing}.",
    "corrected": lambda s: f"{s.start} + 1000 = {s.start + 1000}. No, wait: {s.totals[-1]}",
    "units": lambda s: "\n".join(
        e.replace(" =", f" {s.thing} =") + f" {s.thing}" for e in s.equations
    ),
    "assigned": lambda s: "\n".join(f"x = {total}" for total in s.totals),
}
"""Ways of writing the whole solution that leave no doubt, so refusing them is a defect."""

SPOILED: dict[str, Callable[[Solved], str]] = {
    "cut short": lambda s: ". ".join(s.equations[:-1]),
    "premises only": lambda s: f"{s.who} has {s.start} {s.thing}. {s.other} has some.",
    "undone": lambda s: f"{s.equations[-1]}. Wait, that's wrong.",
    "other's": lambda s: f"{s.other} has {s.totals[-1] + 1000} {s.thing}.",
    "two": lambda s: f"{s.totals[-1]} or {s.totals[-1] + 1000}",
}


@given(solution=solved(), style=st.sampled_from(sorted(CLEAR)), form=st.sampled_from(BOTH))
def test_a_clear_solution_reads_as_its_own_answer(solution: Solved, style: str, form: Form) -> None:
    response = CLEAR[style](solution)
    reading = read_number(response, target=asked_by(solution.problem), form=form)
    twice = len(set(solution.totals)) < len(solution.totals)
    assert reading.value == solution.totals[-1] or (twice and reading.value is None), response


@given(
    solution=solved(),
    style=st.sampled_from(sorted(CLEAR)),
    tail=st.sampled_from(
        [
            "{other} has {big} {thing}.",
            "That is more than the {start} {who} began with.",
            "{who} began with {start}.",
            "Check: {last} is right.",
            "I hope this helps!",
        ]
    ),
    form=st.sampled_from(BOTH),
)
def test_what_follows_a_solution_makes_it_refused_at_most(
    solution: Solved, style: str, tail: str, form: Form
) -> None:
    told = tail.format(
        who=solution.who,
        other=solution.other,
        thing=solution.thing,
        start=solution.start,
        last=solution.totals[-1],
        big=solution.totals[-1] + 1000,
    )
    response = f"{CLEAR[style](solution)}\n{told}"
    reading = read_number(response, target=asked_by(solution.problem), form=form)
    assert reading.value in {None, Fraction(solution.totals[-1])}, response


BESIDE = [
    "Let me know if you need {n} more examples.",
    "Let me know if you'd like {n} more practice problems!",
    "Would you like to try {n} more questions?",
    "Want me to show {n} other methods?",
    "Feel free to ask {n} more questions!",
    "If you want, I can give you {n} more problems like this.",
    "I can explain it in {n} other ways.",
    "Happy to help with question {n}!",
    "\N{SMILING FACE WITH OPEN MOUTH} Great job if you got this in under {n} minutes!",
    "A common mistake is to answer {n}.",
    "**Common mistake:** adding instead gives {n}.",
    "Be careful: it is easy to take {n} here.",
    "If you got {n}, you added instead of subtracting.",
    "If {other} had more, the answer would be {n}.",
    "Remember: always do steps in order (1, 2, {n}).",
    "Tip: start with the {n}.",
    "Confidence: 95%",
    "Confidence: 9/10",
    "---\n*Time taken: {n} seconds*",
    "Source: worksheet, page {n}",
    "Next time, try it with {n} {thing}!",
    "Try this one: {other} has {n} {thing} and eats 2. How many are left?",
    "**Practice:** What is {n} - 2?",
]
"""What chat models say beside a solution."""


@given(
    solution=solved(),
    style=st.sampled_from(sorted(CLEAR)),
    beside=st.lists(st.sampled_from(BESIDE), min_size=1, max_size=2),
    number=st.integers(2, 2000),
    apart=st.sampled_from(["\n", "\n\n", "\n\n---\n\n"]),
    form=st.sampled_from(BOTH),
)
def test_what_is_said_beside_a_solution_changes_nothing(
    solution: Solved,
    style: str,
    beside: Sequence[str],
    number: int,
    apart: str,
    form: Form,
) -> None:
    told = apart.join(beside).format(n=number, other=solution.other, thing=solution.thing)
    alone, asked = CLEAR[style](solution), asked_by(solution.problem)
    with_it = read_number(f"{alone}{apart}{told}", target=asked, form=form)
    assert with_it.value == read_number(alone, target=asked, form=form).value, told


PUT_IN = [
    "So {n} friends get the same.",
    "(That is {n} more than before.)",
    "That is {n} less than 100.",
    "Note that {n} pencils are a pack.",
    "For comparison, another person has {n}.",
    "That was question {n} of 2000.",
    "If there were {n} more, it would be different.",
    "Therefore {n} classmates would agree.",
    "We used addition {n} times.",
    "There are {n} days in such a year.",
    "PS: 3001 + 3002 = 6003.",
]
"""Sentences that nobody knows by their beginning, and that answer nothing."""


@given(
    solution=solved(),
    style=st.sampled_from(sorted(CLEAR)),
    sentence=st.sampled_from(PUT_IN),
    number=st.integers(2, 2000),
    apart=st.sampled_from([" ", "\n", "\n\n"]),
    form=st.sampled_from(BOTH),
)
def test_a_sentence_put_in_after_a_solution_never_changes_which_number_is_read(
    solution: Solved, style: str, sentence: str, number: int, apart: str, form: Form
) -> None:
    alone = CLEAR[style](solution).rstrip()
    stop = "" if alone[-1] in ".\n" or apart != " " else "."
    response = f"{alone}{stop}{apart}{sentence.format(n=number)}"
    reading = read_number(response, target=asked_by(solution.problem), form=form)
    assert reading.value in {None, Fraction(solution.totals[-1])}, response


@over("beside", BESIDE)
def test_what_is_said_beside_a_solution_is_no_answer(beside: str) -> None:
    told = beside.format(n=7, other="Ana", thing="apples")
    assert read_number(told, target=asked_by(COMPARED)).value is None


CHECKS = [
    "Check: {check} \N{CHECK MARK}",
    "**Verification:** {check}",
    "### Check\n{check}",
    "*Check:* {check}",
    "**Check your work:** {check}",
    "Let's verify: {check}. Correct!",
    "To double-check, {check}, which matches.",
    "We can verify this: {check}, which is what {who} began with.",
    "Quick check: {check}.",
    "Proof: {check}",
]


@given(
    solution=solved(),
    style=st.sampled_from(sorted(CLEAR)),
    check=st.sampled_from(CHECKS),
    apart=st.sampled_from([" ", "\n", "\n\n"]),
    form=st.sampled_from(BOTH),
)
def test_a_check_is_never_read_for_the_result_it_checks(
    solution: Solved, style: str, check: str, apart: str, form: Form
) -> None:
    last = solution.changes[-1]
    undone = f"{solution.totals[-1]} {'-' if last > 0 else '+'} {abs(last)}"
    told = check.format(check=f"{undone} = {solution.totals[-2]}", who=solution.who)
    response = f"{CLEAR[style](solution)}{apart if '#' not in check else chr(10)}{told}"
    reading = read_number(response, target=asked_by(solution.problem), form=form)
    assert reading.value in {None, Fraction(solution.totals[-1])}, response


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize(
    ("problem", "response"),
    [
        (
            "The boys pick 4 apples an hour. How many apples do they pick in a day?",
            "They work for 6 + 2 = 8 hours.",
        ),
        (
            "A cook has 30 eggs and uses 12. How many eggs are left?",
            "The cook used 30 - 5 = 25 of them. There are 12 eggs.",
        ),
    ],
)
def test_where_little_shows_that_a_result_is_the_answer_none_is_read(
    form: Form, problem: str, response: str
) -> None:
    assert taken(problem, response, form) == "weak evidence"


@given(solution=solved(), style=st.sampled_from(["undone", "other's", "two"]))
def test_a_spoiled_solution_is_refused(solution: Solved, style: str) -> None:
    asked = asked_by(solution.problem)
    assert read_number(SPOILED[style](solution), target=asked).value is None


def _numbers_told(response: str, wanted: Sequence[int]) -> bool:
    return any(str(number) in response for number in wanted)


@given(solution=solved(), style=st.sampled_from(sorted(CLEAR)))
def test_no_number_is_read_that_the_response_does_not_hold(solution: Solved, style: str) -> None:
    response = CLEAR[style](solution)
    reading = read_number(response, target=asked_by(solution.problem))
    assert reading.value is None or _numbers_told(response, [int(reading.value)])


def test_money_is_no_answer_to_a_question_about_things() -> None:
    """Whatever is counted, and however the money is written; where money is asked for it is one."""
    pays = "A pen costs $4. Ana buys 3 pens. How much does Ana pay?"
    ways = ("The answer is $15.", "$15", "15 dollars", "**$15**", "Answer: £15")
    wrong = []
    for expects in BOTH:
        for response in ways:
            for problem in (TWO_STEPS, TWO_STEPS.replace("apples", "pencils"), COMPARED):
                if (read := taken(problem, response, expects)) != "another unit":
                    wrong.append((problem, response, expects, read))
            if (read := taken(pays, response, expects)) != "15":
                wrong.append((pays, response, expects, read))
    assert not wrong
