"""A bias file read and checked in one go, every finding with its line."""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.studies.decisions.biases.checking import check_bias
from biaslab.studies.decisions.biases.document import read_document
from biaslab.studies.decisions.biases.errors import BiasError
from biaslab.studies.decisions.biases.files import Scales, read_bias
from biaslab.studies.decisions.biases.template import Bias


@dataclass(frozen=True, slots=True)
class LocatedFinding:
    """Something a check found, and where.

    Attributes:
        fault: whether the bias cannot be used so; otherwise it is a remark.
        line: of the file, from 1; 0 for the file as a whole.
        where: the key, such as ``vignettes[3].role``; "" for the file as a whole.
        message: what, and what to do, in sentences.
    """

    fault: bool
    line: int
    where: str
    message: str

    def __str__(self) -> str:
        place = ", ".join(filter(None, (f"line {self.line}" if self.line else "", self.where)))
        return f"{place}: {self.message}" if place else self.message


@dataclass(frozen=True, slots=True)
class CheckedText:
    """What became of a bias file.

    Attributes:
        bias: the bias; None where the file cannot be read.
        findings: faults first, in the order of the file.
    """

    bias: Bias | None
    findings: tuple[LocatedFinding, ...]

    @property
    def faults(self) -> tuple[LocatedFinding, ...]:
        """What keeps the bias from being used."""
        return tuple(finding for finding in self.findings if finding.fault)

    @property
    def usable(self) -> Bias | None:
        """The bias, unless it has faults."""
        return None if self.faults else self.bias


def check_text(text: str, scales: Scales) -> CheckedText:
    """Reads and checks the text of a bias file; never raises for what the file says."""
    try:
        bias = read_bias(text, scales)
        document = read_document(text)
    except BiasError as error:
        told = f"{error.reason} {error.suggestion}".strip()
        return CheckedText(None, (LocatedFinding(True, error.line, error.where, told),))
    found = [
        LocatedFinding(each.fault, document.line(each.where), each.where, each.message)
        for each in check_bias(bias)
    ]
    return CheckedText(bias, tuple(sorted(found, key=lambda each: (not each.fault, each.line))))
