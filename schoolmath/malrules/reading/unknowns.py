"""A number that is not told: a blank, "a number" of a riddle, numbers that follow each other.

``Five more than twice a number is 17`` is the equation 2x + 5 = 17; a blank between fractions is
found by the opposite operation. What is said of the number is put into letters from within, so
that only what is said in full is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from schoolmath.malrules.reading.expressions import Rewriting, equation
from schoolmath.malrules.reading.phrasings import NUMBER, ONE_PART
from schoolmath.malrules.reading.remarks import in_digits

_BLANK = r"(?:_+|\?|□|\[ *\]|\( *\)|\.\.\.)"
_OPEN = re.compile(
    rf"\d+ ?÷ ?{_BLANK} ?= ?\d+|[\d +×÷*xX-]*{_BLANK}[\d +×*xX-]*= *\d+"
    rf"|\d+ *= *[\d +-]*{_BLANK}[\d +-]*"
)
_TWO = rf"({NUMBER}|{_BLANK}) ?([-+÷]|[xX×*]) ?({NUMBER}|{_BLANK})"
_SENTENCE = re.compile(rf"{_TWO} ?= ?({NUMBER})|({NUMBER}) ?= ?{_TWO}")


def blanks(text: str) -> Iterator[Rewriting]:
    """One blank in a number sentence, as the unknown of a form or by the opposite operation."""
    text = re.sub(r"\(- ?(\d[\d./]*)\)", r"-\1", _in_signs(text))
    gaps = re.findall(_BLANK, text)
    if len(gaps) != 1:
        return
    factor = re.fullmatch(rf"(?:(\d+) ?[xX×*] ?{_BLANK}|{_BLANK} ?[xX×*] ?(\d+)) ?= ?(\d+)", text)
    if factor is not None:
        told = f"{factor[1] or factor[2]} × _ = {factor[3]}"
        yield Rewriting(f"What number goes in the blank in {told}?")
    elif _OPEN.fullmatch(text) and "÷" not in text:
        yield Rewriting(text.replace(gaps[0], "x"))
    if (match := _SENTENCE.fullmatch(text)) is not None:
        one, sign, other, total = (
            match.groups()[:4] if match[4] else (*match.groups()[5:], match[5])
        )
        opposite = _opposite(one, sign, other, total)
        if opposite:
            yield Rewriting(opposite)


def _opposite(one: str, sign: str, other: str, total: str) -> str:
    """The calculation that a number is the result of; "" where whole numbers have no such one."""
    first = re.fullmatch(_BLANK, one) is not None
    left, does, right = {
        "+": (total, "-", other if first else one),
        "-": (total, "+", other) if first else (one, "-", total),
        "÷": (total, "×", other) if first else (one, "÷", total),
    }.get(sign, (total, "÷", other if first else one))
    if does == "÷" and (left + right).isdigit() and (not int(right) or int(left) % int(right)):
        return ""
    return f"{left} {does} {f'({right})' if right.startswith('-') else right}"


_WHICH = r"(?:what|which)(?: [a-z]+)?(?: number)?"
_MUST = r"(?:should|must|shall|has to|is to|needs? to|do (?:you|we|i)|(?:should|must) (?:you|we|i))"
_BECOMES = (
    r"(?:,? ?(?:so as |in order )?to (?:get|give|make|obtain|have|reach|produce)|so that the "
    r"(?:sum|difference|product|quotient|result) (?:is|will be)|(?:,? ?(?:to|which))? ?(?:gives?|is"
    r"|equals?|makes?))(?: the (?:sum|product|number|result|quotient))?"
)
_DIFFERENCE = (
    r"(?:(?:the )?difference (?:between|of) (?:two|2) numbers is|when (?:a|one) number is"
    r" subtracted from another(?: number)?, the (?:answer|difference|result) is)"
)
_WANTED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(
        words.replace("WHICH", _WHICH).replace("MUST", _MUST).replace("BECOMES", _BECOMES)
        .replace("DIFFERENCE", _DIFFERENCE).replace("#", f"({NUMBER})"), re.IGNORECASE), sentence)
    for words, sentence in (
        (r"WHICH MUST (?:be )?add(?:ed)? to # BECOMES #", r"\1 + _ = \2"),
        (r"WHICH,? (?:when )?(?:added to|plus) # BECOMES #", r"\1 + _ = \2"),
        (r"WHICH MUST (?:be )?(?:subtract(?:ed)?|take(?:n)?(?: away)?) from # BECOMES #",
         r"\1 - _ = \2"),
        (r"WHICH,? (?:when )?(?:subtracted|taken) from # BECOMES #", r"\1 - _ = \2"),
        (r"WHICH,? minus # BECOMES #", r"_ - \1 = \2"),
        (r"(?:by )?WHICH MUST # be multiplied(?: by)? BECOMES #", r"\1 × _ = \2"),
        (r"WHICH MUST (?:be )?(?:multipl(?:y|ied)) (?:by|with) # BECOMES #", r"\1 × _ = \2"),
        (r"WHICH,? (?:when )?(?:multiplied by|times) # BECOMES #", r"\1 × _ = \2"),
        (r"# (?:times|multiplied by) WHICH BECOMES #", r"\1 × _ = \2"),
        (r"# plus WHICH BECOMES #", r"\1 + _ = \2"),
        (r"# minus WHICH BECOMES #", r"\1 - _ = \2"),
        (r"(?:by )?WHICH MUST # be divided(?: by)? BECOMES #", r"\1 ÷ _ = \2"),
        (r"WHICH,? (?:when )?divided by # BECOMES #", r"_ ÷ \1 = \2"),
        (r"(?:the )?product of two (?:[a-z]+ )?numbers is #[.,;] (?:and )?(?:if )?one (?:of (?:them"
         r"|the numbers)|number) is #[.,;] (?:then )?(?:find|what is) the other(?: one| number)?",
         r"\2 × _ = \1"),
        (r"(?:(?:the )?sum of (?:two|2) (?:[a-z]+ )?numbers is|when (?:two|2) numbers are added(?:"
         r" together)?, the (?:answer|sum|result|total) is) #[.,;] (?:and )?(?:if )?(?:one|1) (?:of"
         r" (?:them|the numbers)|number) is #[.,;] (?:then )?(?:find|what is) the other(?: one"
         r"| number)?", r"\2 + _ = \1"),
        (r"DIFFERENCE #[.,;] (?:and )?(?:if )?the (?:bigger|larger|greater) (?:number|one) is"
         r" #[.,;] (?:then )?(?:find|what is) the (?:smaller|other)(?: one| number)?",
         r"\2 - _ = \1"),
        (r"DIFFERENCE #[.,;] (?:and )?(?:if )?the (?:smaller|lesser) (?:number|one) is #[.,;]"
         r" (?:then )?(?:find|what is) the (?:bigger|larger|greater|other)(?: one| number)?",
         r"_ - \2 = \1"),
    )
)  # fmt: skip


def _in_signs(text: str) -> str:
    """``What must be added to 83 to make 100`` as 83 + _ = 100."""
    for pattern, sentence in _WANTED:
        if (match := pattern.fullmatch(text)) is not None:
            return match.expand(sentence)
    return text


_TIMES = {"twice": "2", "double": "2", "thrice": "3", "triple": "3",
          "doubled": "2", "tripled": "3"}  # fmt: skip
_PART = r"(?:(?:one|a|1)[- ])?(?P<part>half|third|quarter|fourth|fifth|sixth|eighth|tenth)(?: of)?"
_SAID_OF: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(words.replace("<N>", r"(?P<n>\d+)").replace("<E>", r"⟦(?P<e>[^⟧]*)⟧")), sign)
    for words, sign in (
        # What stands before it binds first; what is done to it afterwards is done to all of it.
        (r"(?:the )?(?P<times>twice|double|thrice|triple) <E>", "×"),
        (r"<N> (?:times|multiplied by) <E>", "×"),
        (r"(?:the )?product of (?:<N> and <E>)", "×"),
        (r"(?:the )?product of <E> and <N>", "×"),
        (rf"{_PART} <E>", "÷"),
        (r"1/<N> of <E>", "÷"),
        (r"(?:the )?quotient of <E> and <N>", "÷"),
        (r"⟦(?P<e>x)⟧,? (?:when )?(?:multiplied by|times) <N>", "×"),
        (r"⟦(?P<e>x)⟧,? (?:when )?divided by <N>", "÷"),
        (r"^(?:if |when )?<E>,? is (?:multiplied by|times) <N>", "×"),
        (r"^(?:if |when )?<E>,? is (?P<times>doubled|tripled)", "×"),
        (r"^(?:if |when )?<E>,? is divided by <N>", "÷"),
        (r"(?:the )?(?:sum|total) of <E> and <N>(?! times)", "+"),
        (r"(?:the )?(?:sum|total) of <N> and <E>", "+"),
        (r"(?:the )?difference (?:of|between) <E> and <N>(?! times)", "-"),
        (r"<N> (?:more|greater|larger) than <E>", "+"),
        (r"<N> (?:less|fewer|smaller) than <E>", "-"),
        (r"(?:add )?<N> (?:is |are )?(?:added )?to <E>", "+"),
        (r"(?:subtract |take )?<N> (?:is |are )?(?:subtracted |taken )?(?:away )?from <E>", "-"),
        (r"<E>,? (?:(?:which )?when |is )?(?:plus|increased by|added to) <N>(?! times)", "+"),
        (r"<E>,? (?:is )?(?:minus|less|decreased by|diminished by|reduced by|subtracted by) <N>"
         r"(?! times)", "-"),
        (r"<E>,? (?:and )?(?:then )?<N> is added(?: to (?:it|the (?:result|product)))?", "+"),
        (r"<E>,? (?:and )?(?:then )?<N> is subtracted(?: from (?:it|the (?:result|product)))?",
         "-"),
        (r"<E>,? and (?:then )?(?:increase it by|add) <N>(?: to it)?", "+"),
        (r"<E>,? and (?:then )?(?:decrease it by|subtract|take away) <N>(?: from it)?", "-"),
        (r"<N> (?:minus|decreased by) ⟦(?P<e>x)⟧", "from"),
        (r"⟦(?P<e>x)⟧,? (?:when )?(?:subtracted|taken)(?: away)? from <N>", "from"),
    )
)  # fmt: skip
_THE_NUMBER = re.compile(
    r"\b(?:an?|the|some|what|which|my|this)(?: (?:certain|unknown|secret))? number\b"
)
_ASKED = re.compile(
    r"(?:,|\.|;|:)? ?(?:then )?(?:find|what is|what's|what was|work out|determine|calculate) "
    r"(?:the value of )?(?:⟦x⟧|it|that number)$|(?<=^)find (?=⟦x⟧ (?:which|that|when))"
)
_ASKED_FIRST = re.compile(
    r"^(?:find|what is|determine) ⟦x⟧,? (?:if|such that|so that|when|given that|for which) "
)
_EQUALS = re.compile(
    r"^(?:if |when )?⟦(?P<left>[^⟧]*)⟧[,.]? ?(?:and |then )?(?:(?:the |my |your )?(?:result|answer"
    r"|sum|difference|product|quotient|total) )?(?:is equal to|is|equals|gives|makes|becomes|to get"
    r"|to give|(?:you|we|i) get|=) (?P<right>\d+)(?: (?P<way>more|less) than (?P<than>\d+))?$"
)


def _product(number: str, inside: str) -> str:
    return f"{number}x" if inside == "x" else f"{number}({inside})"


def _in_letters(match: re.Match[str], sign: str) -> str:
    """One thing that is said of a number, as a bracket with its letters."""
    said, inside = match.groupdict(), match["e"]
    number = said.get("n") or _TIMES.get(said.get("times") or "") or str(ONE_PART[said["part"]])
    begins = "if " if match[0].startswith(("if ", "when ")) else ""
    if sign == "×":
        inside = _product(number, inside)
    elif sign == "÷":
        inside = f"{inside if inside == 'x' else f'({inside})'}/{number}"
    else:
        inside = f"{number} - {inside}" if sign == "from" else f"{inside} {sign} {number}"
    return f"{begins}⟦{inside}⟧"


def number_riddle(text: str) -> Iterator[Rewriting]:
    """What is said of a number, as an equation; nothing where a word of it is not understood."""
    line = _THE_NUMBER.sub("⟦x⟧", in_digits(text.lower()))
    if "⟦" not in line:
        return
    asks = re.search(r"\b(?:what|which) number\b", text.lower()) is not None
    told = _ASKED.sub("", re.sub(r"^(if |when )(?:you|i|we) (?:take|have) ", r"\1", line))
    told = _ASKED_FIRST.sub("", told) if told == line else told
    if told == line and not asks:
        return
    while said := next(
        ((match, sign) for words, sign in _SAID_OF if (match := words.search(told))), None
    ):
        match, sign = said
        told = told[: match.start()] + _in_letters(match, sign) + told[match.end() :]
    equal = _EQUALS.fullmatch(told.strip())
    if equal is None or "x" not in equal["left"]:
        return
    right = int(equal["right"])
    if equal["than"]:
        right = int(equal["than"]) + (right if equal["way"] == "more" else -right)
    if equal["left"] == "x":
        return
    solved = f"Solve {equal['left']} = {right}"
    yield Rewriting(solved)
    if (found := equation(solved)) is not None:
        yield found


_THOUGHT = re.compile(
    r"i(?:'m| am)? (?:think|thinking|thought) of a number(?P<done>(?:(?:,|\.|;| and| then)+ (?:i )?"
    r"(?:(?:add(?:ed)?|subtract(?:ed)?|take away|took away) \d+(?: to it| from it)?"
    r"|(?:multipl(?:y|ied)|times|divided?) (?:it )?(?:by )?\d+|doubled? (?:it)|tripled? (?:it)))+)"
    r"(?:,|\.|;| and| then)+ (?:(?:the|my) (?:answer|result) is|i (?:get|got)|it is) (?P<total>\d+)"
    r"[.,;] (?:what (?:is|was)|find|work out) (?:my|the) number",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"(?P<sum>add|subtract|t(?:ake|ook) away)(?:ed)? (?P<more>\d+)|(?P<twice>double|triple)"
    r"|(?:multipl|times)\D*(?P<by>\d+)|divide\D*(?P<into>\d+)",
    re.IGNORECASE,
)


def thought_of(text: str) -> Rewriting | None:
    """``I think of a number, double it and add 3. I get 11. What is my number?``"""
    match = _THOUGHT.fullmatch(text)
    if match is None:
        return None
    left = "x"
    for done in _DONE.finditer(match["done"]):
        if done["sum"]:
            left += f" {'+' if done['sum'].lower() == 'add' else '-'} {done['more']}"
        elif by := done["by"] or _TIMES.get((done["twice"] or "").lower()):
            left = _product(by, left)
        elif left == "x":
            left = f"x/{done['into']}"
        else:
            return None
    return Rewriting(f"Solve {left} = {match['total']}")


_CONSECUTIVE = re.compile(
    r"(?:if )?(?:the )?sum of (?P<many>two|three|four|five|[2-5]) consecutive (?P<kind>even |odd )?"
    r"(?:positive |natural |whole )?(?:numbers|integers) is (?P<total>-?\d+)[.,;]? ?(?:then )?"
    r"(?:what (?:are|is) |find |determine )?(?:the )?(?:(?P<which>smallest|least|first|lowest"
    r"|largest|greatest|biggest|last|middle)(?: (?:one|number|integer|of (?:them|the numbers)"
    r"|of these numbers))?|numbers|integers|three numbers|two numbers)(?: (?:are|is|will be))?",
    re.IGNORECASE,
)
_MOST_ANSWERS = 400


def consecutive(text: str) -> Rewriting | None:
    """Numbers that follow each other, by the equation for the first of them."""
    match = _CONSECUTIVE.fullmatch(text)
    if match is None:
        return None
    many = int(in_digits(match["many"]))
    kind = (match["kind"] or "").strip().lower()
    steps = [at * (2 if kind else 1) for at in range(many)]
    first = Fraction(int(match["total"]) - sum(steps), many)
    if first.denominator != 1 or (kind and (first % 2 == 0) != (kind == "even")):
        return None
    which = (match["which"] or "").lower()
    if which == "middle" and many % 2 == 0:
        return None
    answers = {}
    for one in range(int(first) - _MOST_ANSWERS // 2, int(first) + _MOST_ANSWERS // 2):
        row = [one + each for each in steps]
        if not which:
            answers[", ".join(map(str, row))] = str(one)
        elif which == "middle":
            answers[str(row[many // 2])] = str(one)
        elif which in {"largest", "greatest", "biggest", "last"}:
            answers[str(row[-1])] = str(one)
    return Rewriting(f"Solve {many}x + {sum(steps)} = {match['total']}", answers)
