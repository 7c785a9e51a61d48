"""What became of answers, in words: as they were read, and how a pair came out."""

from __future__ import annotations

from fractions import Fraction

from biaslab.models import Completion, LikelihoodRequest
from biaslab.runs.store.records import PairPattern
from biaslab.studies import Answered, Arms
from biaslab.studies.study import Request


def response_words(request: Request, answered: Answered) -> str:
    """What came back as a text: what was written, or a line for each text that was scored."""
    if isinstance(answered, Completion):
        return answered.text
    scored = request.continuations if isinstance(request, LikelihoodRequest) else ()
    numbers = zip(answered.log_probabilities, scored, strict=True)
    return "\n".join(f"{number:.4f}  {text.strip()}" for number, text in numbers)


def number_words(value: str) -> str:
    """An answer as read: a fraction that ends as a decimal is written as one."""
    try:
        number = Fraction(value)
    except (ValueError, ZeroDivisionError):
        return value
    decimal = f"{float(number):.10g}"
    return decimal if Fraction(decimal) == number else value


def pattern_words(pattern: PairPattern, arms: Arms) -> str:
    """How a pair came out, with marks for x and x' in front, as in "✓ ✗ only consistent right"."""
    match pattern:
        case PairPattern.BOTH_RIGHT:
            return "✓ ✓ both right"
        case PairPattern.ONLY_X:
            return f"✓ ✗ only “{arms.x}” right"
        case PairPattern.ONLY_X_PRIME:
            return f"✗ ✓ only “{arms.x_prime}” right"
        case PairPattern.BOTH_WRONG:
            return "✗ ✗ both wrong"
        case PairPattern.INVALID:
            return "? an answer could not be read"
        case PairPattern.UNFINISHED:
            return "… not finished"
