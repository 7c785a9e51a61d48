"""What somebody who reads a problem says that it tells: a list of statements in order of time.

One type for whoever reads in place of the readers: a model, whose proposal comes as JSON
(`Proposal.from_json`), or a person, whose statements come from a form. The predicates are those of
MathWorld (Opedal et al. 2024, section 4.1), and "together" for totals. What the problem asks for is
the one number that is not told.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from schoolmath.text.numbers import value_of_digits

MOST_STATEMENTS = 20
"""Most statements of a proposal."""

LONGEST_WORDS = 60
"""Characters of the longest name, thing or number in a proposal."""

LONGEST_REPLY = 20_000
"""Characters of the longest reply that is looked at."""

ASKED = "?"
"""In place of the number that the problem asks for."""

UNTOLD = "some"
"""In place of a number that the problem neither tells nor asks for."""


class AmountRelation(StrEnum):
    """What a statement says of an amount."""

    HAS = "has"
    """Somebody has so many; also what there is somewhere."""
    GETS = "gets"
    """So many come to what somebody has, from nowhere in particular."""
    LOSES = "loses"
    """So many go from what somebody has."""
    GIVES = "gives"
    """So many go from the one to the other."""
    MORE = "more"
    """The one has so many more than the other."""
    FEWER = "fewer"
    """The one has so many fewer than the other."""
    TIMES = "times"
    """The one has so many times as many as the other."""
    HOLDS = "holds"
    """Each of somebody's containers holds so many."""
    TOGETHER = "together"
    """Several people, or several things of one's, make so many."""


OF_TWO = frozenset(
    {AmountRelation.GIVES, AmountRelation.MORE, AmountRelation.FEWER, AmountRelation.TIMES}
)
"""Relations that have a second person in `ProposedStatement.whom`."""


@dataclass(frozen=True, slots=True)
class ProposedStatement:
    """One thing that the problem tells, or what it asks.

    Attributes:
        relation: what is said of the amount.
        who: whose amount; several only with TOGETHER; empty for nobody in particular.
        what: what is counted; several only with TOGETHER.
        number: None where it is not told.
        asked: whether this is the number that the problem asks for.
        whom: the receiver, or the one compared with; with HOLDS the container, in the singular.
        sentence: in which sentence it stands, from 0.
    """

    relation: AmountRelation
    who: tuple[str, ...]
    what: tuple[str, ...]
    number: Fraction | None = None
    asked: bool = False
    whom: str = ""
    sentence: int = 0


class ProposalError(ValueError):
    """A reply that holds no proposal; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """How somebody reads a problem.

    Attributes:
        statements: in the order in which it happens, which need not be that of the text.
    """

    statements: tuple[ProposedStatement, ...]

    def __post_init__(self) -> None:
        asked = sum(each.asked for each in self.statements)
        if asked != 1:
            raise ProposalError(
                "No statement has the number that is asked for."
                if not asked
                else "More than one statement has the number that is asked for."
            )
        for each in self.statements:
            _check(each)

    @property
    def asked(self) -> ProposedStatement:
        """The statement whose number is asked for."""
        return next(each for each in self.statements if each.asked)

    @classmethod
    def from_json(cls, reply: str) -> Proposal:
        """Reads a model's reply: the first JSON object in it.

        Raises:
            ProposalError: there is none, or it is not as `schema` says; with the place.
        """
        if len(reply) > LONGEST_REPLY:
            raise ProposalError(f"The reply is longer than {LONGEST_REPLY:,} characters.")
        start = reply.find("{")
        if start < 0:
            raise ProposalError("The reply holds no JSON object.")
        try:
            found, _ = json.JSONDecoder().raw_decode(reply, start)
            told = _Reply.model_validate(found)
        except json.JSONDecodeError as error:
            raise ProposalError(f"The reply's JSON breaks off or is faulty: {error.msg}.") from None
        except RecursionError:
            raise ProposalError("The reply's JSON is nested too deep.") from None
        except ValidationError as error:
            first = error.errors()[0]
            where = " → ".join(str(part) for part in first["loc"])
            raise ProposalError(f"In the reply, {where or 'the object'}: {first['msg']}.") from None
        return cls(tuple(_statement(each) for each in told.statements))


def schema() -> dict[str, Any]:
    """The JSON schema of a reply."""
    return _Reply.model_json_schema()


_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?|\d+/\d+")
_Words = Annotated[str, Field(max_length=LONGEST_WORDS)]


class _StatementInReply(BaseModel):
    """A statement as it stands in a reply."""

    model_config = ConfigDict(extra="forbid", title="Statement")

    sentence: int = Field(ge=1, le=60, description="number of the sentence, from 1")
    relation: AmountRelation
    who: list[_Words] = Field(max_length=6, description="names as in the text; [] for nobody")
    number: _Words | int | float = Field(description=f"digits, {UNTOLD!r} or {ASKED!r}")
    what: list[_Words] = Field(min_length=1, max_length=6, description="things as in the text")
    whom: _Words = Field("", description="receiver, the one compared with, or the container")


class _Reply(BaseModel):
    """A model's reply."""

    model_config = ConfigDict(extra="forbid", title="Reading")

    statements: list[_StatementInReply] = Field(min_length=1, max_length=MOST_STATEMENTS)


def _statement(statement: _StatementInReply) -> ProposedStatement:
    word = str(statement.number).strip().lower()
    number = None
    if word not in {ASKED, UNTOLD}:
        number = value_of_digits(word)[0] if _DIGITS.fullmatch(word) else None
        if number is None:
            raise ProposalError(
                f"“{statement.number}” is no number: digits, “{UNTOLD}” or “{ASKED}” may stand "
                "there."
            )
    who = tuple(each.strip() for each in statement.who if each.strip())
    what = tuple(each.strip() for each in statement.what if each.strip())
    return ProposedStatement(
        statement.relation,
        who,
        what,
        number,
        word == ASKED,
        statement.whom.strip(),
        statement.sentence - 1,
    )


def _check(statement: ProposedStatement) -> None:
    """Refuses what no statement can say."""
    relation = statement.relation
    if not statement.what:
        raise ProposalError(f"A statement with “{relation}” does not say what is counted.")
    if relation is AmountRelation.TOGETHER:
        if len(statement.who) < 2 and len(statement.what) < 2:
            raise ProposalError("“together” needs two people, or two things.")
    elif len(statement.who) > 1 or len(statement.what) > 1:
        raise ProposalError(f"“{relation}” is said of one person and one thing.")
    if relation in OF_TWO and not (statement.who and statement.whom):
        raise ProposalError(f"“{relation}” needs two people.")
    if relation in OF_TWO and statement.who[0].casefold() == statement.whom.casefold():
        raise ProposalError(f"“{relation}” needs two people who are not the same.")
    if relation is AmountRelation.HOLDS and not statement.whom:
        raise ProposalError("“holds” needs the container.")
    if statement.asked and statement.number is not None:
        raise ProposalError("The question asks for a number that the text gives.")


LONGEST_CALCULATION = 200
"""Characters of the longest calculation that is worked out."""

_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "[": "(", "]": ")"})
_WORDLESS = re.compile(r"[-+*/().,\d\s$€£]*\d[-+*/().,\d\s$€£]*")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")


def value_of(reply: str) -> Fraction:
    """The value of the last line of a reply that is nothing but a calculation.

    What stands after an equals sign is left out: the value is worked out here.

    Raises:
        ProposalError: no line is a calculation, or it can't be worked out.
    """
    if len(reply) > LONGEST_REPLY:
        raise ProposalError(f"The reply is longer than {LONGEST_REPLY:,} characters.")
    for line in reversed(reply.splitlines()):
        written = line.translate(_SIGNS).strip(" `.;").partition("=")[0]
        written = re.sub(r"(?<=[\d)\s])x(?=[\s\d(])", "*", written)
        if len(written) <= LONGEST_CALCULATION and _WORDLESS.fullmatch(written):
            return _value(_GROUPED.sub("", re.sub(r"[$€£]", "", written)).strip())
    raise ProposalError("The second reading is no calculation.")


def _value(text: str) -> Fraction:
    try:
        return _worked_out(ast.parse(text, mode="eval").body)
    except ZeroDivisionError:
        raise ProposalError("The second reading divides by nothing.") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ProposalError(f"The second reading, “{text}”, can't be worked out.") from None


def _worked_out(node: ast.expr) -> Fraction:
    """The value of a sum, difference, product, quotient or number; nothing else is one."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return Fraction(str(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_worked_out(operand)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _worked_out(left) + _worked_out(right)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _worked_out(left) - _worked_out(right)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _worked_out(left) * _worked_out(right)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _worked_out(left) / _worked_out(right)
    raise ValueError("neither a number nor one of the four operations")
